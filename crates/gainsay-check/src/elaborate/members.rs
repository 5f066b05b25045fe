//! What stands after a dot: fields, methods, and names qualified by a module, type or effect.

use gainsay_core::{EffectId, ModuleId, OpId, Term, TermId, Ty, TyId};
use gainsay_source::{Span, closest};
use gainsay_syntax::ast::{Expr, FieldExpr, IndexExpr, MethodExpr, Name, TypeArgs};

use super::calls::Argument;
use super::{Elaborator, Settled};
use crate::findings::{
    CannotInfer, NoField, NoSuchMethod, NotARecord, UnknownField, UnknownMember,
};
use crate::foreign_names::function_here;
use crate::scope::{BuiltinType, Lookup, TypeDef, ValueDef, is_upper};

/// What a qualifier names.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum Namespace {
    /// A module that a `use` brought in.
    Module(ModuleId),
    /// A type: its functions are those of the module that declares it.
    Type(ModuleId),
    /// An effect: its operations, then the functions of its module.
    Effect(EffectId),
}

/// What a qualified name stands for.
pub(super) enum Member {
    Value(ValueDef),
    Op(OpId),
}

impl<'t> Elaborator<'_, 't> {
    /// The namespace an expression names, if it names one: `m`, `Map`, `m.Shape`, `Random`.
    pub(super) fn namespace(&self, expr: Expr<'t>) -> Option<Namespace> {
        if let Expr::Field(it) = expr {
            let Namespace::Module(from) = self.namespace(it.receiver()?)? else { return None };
            let def = self.checker.scope(from).types.get(it.name()?.text())?.0;
            return self.type_namespace(def);
        }
        let Expr::Name(it) = expr else { return None };
        let name = it.name()?;
        if self.is_local(name.text()) {
            return None;
        }
        let scope = self.checker.scope(self.module);
        if !is_upper(name.text()) {
            return scope.uses.get(name.text()).map(|id| Namespace::Module(*id));
        }
        match scope.ty(&self.checker.prelude, name.text()) {
            Lookup::Found(def) => self.type_namespace(def),
            Lookup::Ambiguous(_) | Lookup::Missing => None,
        }
    }

    fn type_namespace(&self, def: TypeDef) -> Option<Namespace> {
        Some(match def {
            TypeDef::Nominal(id) => Namespace::Type(self.checker.program.nominal(id).module),
            TypeDef::Alias(at) => Namespace::Type(self.checker.aliases[at].module),
            TypeDef::Effect(id) => Namespace::Effect(id),
            TypeDef::Builtin(it) => {
                Namespace::Type(*self.checker.prelude.modules.get(it.module())?)
            }
        })
    }

    /// A member of a namespace, or nothing after a finding.
    pub(super) fn member(
        &mut self,
        namespace: Namespace,
        owner: &str,
        name: Name<'t>,
    ) -> Option<Member> {
        let (module, owner_kind) = match namespace {
            Namespace::Module(module) => (module, "module"),
            Namespace::Type(module) => (module, "type"),
            Namespace::Effect(effect) => {
                let effect = self.checker.program.effect(effect);
                let ops = &effect.ops;
                let op =
                    ops.iter().find(|it| &*self.checker.program.op(**it).name == name.text());
                if let Some(op) = op {
                    return Some(Member::Op(*op));
                }
                (effect.module, "effect")
            }
        };
        let values = &self.checker.scope(module).values;
        if let Some((def, _)) = values.get(name.text()) {
            return Some(Member::Value(*def));
        }
        let may_suggest = self.checker.scope(self.module).may_suggest();
        let names = values.keys().copied().filter(|_| may_suggest);
        let mut names: Vec<&str> = names.collect();
        if let Namespace::Effect(effect) = namespace {
            let ops = self.checker.program.effect(effect).ops.iter();
            names = ops.map(|it| &*self.checker.program.op(*it).name).collect();
        }
        let counterpart = function_here(name.text(), &names).map(str::to_owned);
        let close = closest(name.text(), names).map(str::to_owned);
        let (owner, span, name) = (owner.to_owned(), name.span(), name.text().to_owned());
        self.report(UnknownMember { owner, owner_kind, name, span, counterpart, close });
        None
    }

    /// `a.f`: a qualified value, or a field.
    pub(super) fn field(&mut self, it: FieldExpr<'t>) -> TermId {
        let span = it.span();
        let (Some(receiver), Some(name)) = (it.receiver(), it.name()) else {
            return self.hole(span);
        };
        if let Some(namespace) = self.namespace(receiver) {
            return match self.member(namespace, receiver.node().text(), name) {
                Some(Member::Value(def)) => self.value(def, span),
                Some(Member::Op(op)) => self.op_value(op, span),
                None => self.hole(span),
            };
        }
        let base = self.infer(receiver);
        match self.find_field(base, name.text()) {
            FoundField::Here(index, ty) => self.term(Term::Field { base, index }, ty, span),
            FoundField::Error => self.hole(span),
            FoundField::Unknown => {
                let what = "what stands before the dot".to_owned();
                self.report(CannotInfer { what, span: receiver.span() });
                self.hole(span)
            }
            FoundField::Missing(fields) => {
                self.no_field(base, name, fields);
                self.hole(span)
            }
        }
    }

    fn no_field(&mut self, base: TermId, name: Name<'t>, fields: Vec<String>) {
        let ty = self.ty(base);
        let actual = self.text(ty);
        let span = name.span();
        if fields.is_empty() {
            let is_method = self.find_method(ty, name).is_some();
            if is_method {
                let owner = actual;
                let close = Some(format!("{}()", name.text()));
                let name = name.text().to_owned();
                self.report(UnknownField { owner, name, span, close, fields });
            } else {
                let is_sum = matches!(self.shape(ty), Ty::Named(..));
                let what = NoField::Field { name: name.text().to_owned(), is_sum };
                self.report(NotARecord { actual, span, what });
            }
            return;
        }
        let close = closest(name.text(), fields.iter().map(String::as_str)).map(str::to_owned);
        let name = name.text().to_owned();
        self.report(UnknownField { owner: actual, name, span, close, fields });
    }

    /// A field of a record by name.
    pub(super) fn find_field(&mut self, base: TermId, name: &str) -> FoundField {
        let ty = self.ty(base);
        match self.settled(ty) {
            Settled::Broken => FoundField::Error,
            Settled::Open => FoundField::Unknown,
            Settled::As(Ty::Named(id, args)) => {
                let def = self.checker.program.nominal(id);
                if def.shape != gainsay_core::Shape::Record {
                    return FoundField::Missing(Vec::new());
                }
                let ctor = self.checker.program.ctor(def.ctors[0]);
                let at = ctor.fields.iter().position(|it| it.name.as_deref() == Some(name));
                match at {
                    Some(at) => {
                        let ty = ctor.fields[at].ty;
                        let ty = self.table().instantiate(ty, &args);
                        FoundField::Here(at as u32, ty)
                    }
                    None => FoundField::Missing(
                        ctor.fields
                            .iter()
                            .filter_map(|it| it.name.clone())
                            .map(String::from)
                            .collect(),
                    ),
                }
            }
            Settled::As(_) => FoundField::Missing(Vec::new()),
        }
    }

    /// `a.0`: an element of a tuple.
    pub(super) fn index(&mut self, it: IndexExpr<'t>) -> TermId {
        let span = it.span();
        let Some(receiver) = it.receiver() else { return self.hole(span) };
        let base = self.infer(receiver);
        let ty = self.ty(base);
        match (self.shape(ty), it.value()) {
            (Ty::Tuple(parts), Some(index)) if (index as usize) < parts.len() => {
                let ty = parts[index as usize];
                self.term(Term::Field { base, index }, ty, span)
            }
            (Ty::Error, _) => self.hole(span),
            (Ty::Var(_), _) => {
                let what = "what stands before the dot".to_owned();
                self.report(CannotInfer { what, span: receiver.span() });
                self.hole(span)
            }
            _ => {
                let owner = self.text(ty);
                let name = it.index().map_or("", |it| it.text()).to_owned();
                let span = it.index().map_or(span, |it| it.span());
                let (close, fields) = (None, Vec::new());
                self.report(UnknownField { owner, name, span, close, fields });
                self.hole(span)
            }
        }
    }

    /// `a.f(b)`: a qualified call, or a method. `piped` stands before the arguments.
    pub(super) fn method(
        &mut self,
        it: MethodExpr<'t>,
        piped: Option<Argument<'t>>,
        expected: Option<TyId>,
    ) -> TermId {
        let span = it.span();
        let (Some(receiver), Some(name)) = (it.receiver(), it.name()) else {
            return self.hole(span);
        };
        let mut args: Vec<Argument<'t>> = piped.into_iter().collect();
        if let Some(namespace) = self.namespace(receiver) {
            args.extend(super::calls::arguments(it.args()));
            let owner = receiver.node().text();
            return match self.member(namespace, owner, name) {
                Some(member) => {
                    self.call_member(member, it.type_args(), args, span, name.span(), expected)
                }
                None => self.call_nothing(args, span),
            };
        }
        let base = self.infer(receiver);
        if matches!(self.shape(self.ty(base)), Ty::Error) {
            args.extend(super::calls::arguments(it.args()));
            return self.call_nothing(args, span);
        }
        if let Some(event) = self.trace_question(base, name, it) {
            return event;
        }
        args.insert(0, Argument::Term(base, receiver.span()));
        args.extend(super::calls::arguments(it.args()));
        self.call_method(base, name, it.type_args(), args, span, expected)
    }

    /// A call of a qualified name.
    pub(super) fn call_member(
        &mut self,
        member: Member,
        type_args: Option<TypeArgs<'t>>,
        args: Vec<Argument<'t>>,
        span: Span,
        name: Span,
        expected: Option<TyId>,
    ) -> TermId {
        match member {
            Member::Value(def) => {
                self.call_value_def(def, type_args, args, span, name, expected)
            }
            Member::Op(op) => self.call_op(op, type_args, args, span),
        }
    }

    fn call_method(
        &mut self,
        base: TermId,
        name: Name<'t>,
        type_args: Option<TypeArgs<'t>>,
        mut args: Vec<Argument<'t>>,
        span: Span,
        expected: Option<TyId>,
    ) -> TermId {
        let ty = self.ty(base);
        if let Ty::Var(_) = self.shape(ty) {
            // The module of the type cannot be asked; what is in scope can.
            if let Some(def) = self.find_value(name) {
                return self.call_value_def(def, type_args, args, span, name.span(), expected);
            }
            let what = format!("what `.{}` is called on", name.text());
            self.report(CannotInfer { what, span: self.frame().body.span(base) });
            return self.call_nothing(args, span);
        }
        if let Some(def) = self.own_method(ty, name) {
            return self.call_value_def(def, type_args, args, span, name.span(), expected);
        }
        let found = self.find_field(base, name.text());
        if let FoundField::Here(index, ty) = found {
            let callee = self.term(Term::Field { base, index }, ty, span);
            args.remove(0);
            return self.call_term(callee, args, span);
        }
        if let Some(local) = self.find_local(name.text()) {
            let callee = self.local(local, name.span());
            return self.call_term(callee, args, span);
        }
        if let Some(def) = self.find_value(name) {
            return self.call_value_def(def, type_args, args, span, name.span(), expected);
        }
        match found {
            FoundField::Error => self.call_nothing(args, span),
            FoundField::Here(..) | FoundField::Unknown | FoundField::Missing(_) => {
                self.no_such_method(ty, name);
                self.call_nothing(args, span)
            }
        }
    }

    fn no_such_method(&mut self, ty: TyId, name: Name<'t>) {
        let receiver = self.text(ty);
        let home = self.home(ty);
        let scope = self.checker.scope(self.module);
        let may_suggest = scope.may_suggest();
        let own = scope.values.keys().copied();
        let there = home.map(|it| self.checker.scope(it).values.keys().copied());
        let names = own.chain(there.into_iter().flatten());
        let names: Vec<&str> = names.filter(|it| may_suggest && !is_upper(it)).collect();
        let counterpart = function_here(name.text(), &names).map(str::to_owned);
        let close = closest(name.text(), names.iter().copied()).map(str::to_owned);
        let (name, span) = (name.text().to_owned(), name.span());
        self.report(NoSuchMethod { name, receiver, span, counterpart, close });
    }

    /// The function a method name means: in the module of the type first, then in scope.
    pub(super) fn find_method(&mut self, ty: TyId, name: Name<'t>) -> Option<ValueDef> {
        self.own_method(ty, name).or_else(|| self.find_value(name))
    }

    /// The function of a name in the module of a type.
    fn own_method(&self, ty: TyId, name: Name<'t>) -> Option<ValueDef> {
        let home = self.checker.scope(self.home(ty)?);
        home.values.get(name.text()).map(|(def, _)| *def)
    }

    /// The module whose functions are the methods of a type.
    pub(super) fn home(&self, ty: TyId) -> Option<ModuleId> {
        let builtin = match self.shape(ty) {
            Ty::Named(id, _) => return Some(self.checker.program.nominal(id).module),
            Ty::Int => BuiltinType::Int,
            Ty::Float => BuiltinType::Float,
            Ty::Bool => BuiltinType::Bool,
            Ty::Char => BuiltinType::Char,
            Ty::Str => BuiltinType::Str,
            Ty::List(_) => BuiltinType::List,
            Ty::Map(..) => BuiltinType::Map,
            Ty::Set(_) => BuiltinType::Set,
            Ty::Tuple(_) => return self.checker.prelude.modules.get("tuple").copied(),
            Ty::Function { .. } | Ty::Refined { .. } => return None,
            Ty::Param(_) | Ty::Var(_) | Ty::Error => return None,
        };
        self.checker.prelude.modules.get(builtin.module()).copied()
    }
}

/// What the search for a field gave.
pub(super) enum FoundField {
    /// Its position and type.
    Here(u32, TyId),
    /// The type is not known yet.
    Unknown,
    /// There is none; these are the others.
    Missing(Vec<String>),
    /// Something was reported before.
    Error,
}
