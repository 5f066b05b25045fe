//! Elaborates what follows a dot: fields, methods, and names qualified by a module, type or effect.

use gainsay_core::{EffectId, ModuleId, OpId, Term, TermId, Ty, TyId};
use gainsay_source::{Span, closest_name};
use gainsay_syntax::ast::{Expr, FieldExpr, IndexExpr, MethodExpr, Name, TypeArgs};

use super::calls::PendingArgument;
use super::{Elaborator, InferredType};
use crate::findings::{
    CannotInfer, InferenceSubject, NoSuchMethod, NotARecord, OwnerKind, RecordExpectation,
    UnknownField, UnknownMember,
};
use crate::foreign_names::function_counterpart;
use crate::scope::{BuiltinType, NameLookup, TypeSymbol, ValueSymbol, is_upper};

/// The namespace that a qualifier denotes.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum Namespace {
    /// A module imported by a `use`.
    Module(ModuleId),
    /// A type: its functions are those of the module that declares it.
    Type(ModuleId),
    /// An effect: its operations, then the functions of its module.
    Effect(EffectId),
    /// A trace specification: its operations.
    Spec(usize),
}

/// The meaning of a qualified name.
pub(super) enum QualifiedMember {
    Value(ValueSymbol),
    Op(OpId),
}

impl<'t> Elaborator<'_, 't> {
    /// The namespace that an expression denotes, if any: `m`, `Map`, `m.Shape`, `Random`.
    pub(super) fn namespace(&self, expr: Expr<'t>) -> Option<Namespace> {
        if let Expr::Field(it) = expr {
            let Namespace::Module(from) = self.namespace(it.receiver()?)? else { return None };
            let def = self.checker.scope(from).types.get(it.name()?.text())?.0;
            return self.type_namespace(def);
        }
        let Expr::Name(it) = expr else { return None };
        let name = it.name()?;
        // Locals shadow modules, so that `m.f` on a local record is a field.
        if self.is_local(name.text()) {
            return None;
        }
        let scope = self.checker.scope(self.module);
        if !is_upper(name.text()) {
            return scope.uses.get(name.text()).map(|id| Namespace::Module(*id));
        }
        match scope.ty(&self.checker.prelude, name.text()) {
            NameLookup::Found(def) => self.type_namespace(def),
            NameLookup::Ambiguous(_) | NameLookup::Missing => None,
        }
    }

    fn type_namespace(&self, def: TypeSymbol) -> Option<Namespace> {
        Some(match def {
            TypeSymbol::Nominal(id) => Namespace::Type(self.checker.program.nominal(id).module),
            TypeSymbol::Alias(at) => Namespace::Type(self.checker.aliases[at].module),
            TypeSymbol::Effect(id) => Namespace::Effect(id),
            TypeSymbol::Spec(at) => Namespace::Spec(at),
            TypeSymbol::Builtin(it) => {
                Namespace::Type(*self.checker.prelude.modules.get(it.module())?)
            }
        })
    }

    /// A member of a namespace; `None` after reporting an error.
    pub(super) fn member(
        &mut self,
        namespace: Namespace,
        owner: &str,
        name: Name<'t>,
    ) -> Option<QualifiedMember> {
        let (module, owner_kind) = match namespace {
            Namespace::Module(module) => (module, OwnerKind::Module),
            Namespace::Type(module) => (module, OwnerKind::Type),
            Namespace::Spec(spec) => {
                let ctor = self.checker.event_constructor(spec, name)?;
                return Some(QualifiedMember::Value(ValueSymbol::Ctor(ctor)));
            }
            Namespace::Effect(effect) => {
                let effect = self.checker.program.effect(effect);
                let ops = &effect.ops;
                let op =
                    ops.iter().find(|it| &*self.checker.program.op(**it).name == name.text());
                if let Some(op) = op {
                    return Some(QualifiedMember::Op(*op));
                }
                (effect.module, OwnerKind::Effect)
            }
        };
        let values = &self.checker.scope(module).values;
        if let Some((def, _)) = values.get(name.text()) {
            return Some(QualifiedMember::Value(*def));
        }
        let may_suggest = self.checker.scope(self.module).may_suggest();
        let names = values.keys().copied().filter(|_| may_suggest);
        let mut names: Vec<&str> = names.collect();
        if let Namespace::Effect(effect) = namespace {
            let ops = self.checker.program.effect(effect).ops.iter();
            // Only operations are suggested: who writes `Random.` means one of them.
            names = ops.map(|it| &*self.checker.program.op(*it).name).collect();
        }
        let counterpart = function_counterpart(name.text(), &names).map(str::to_owned);
        let close = closest_name(name.text(), names).map(str::to_owned);
        let is_in_scope = matches!(
            self.checker.scope(self.module).value(&self.checker.prelude, name.text()),
            NameLookup::Found(_)
        );
        let (owner, span, name) = (owner.to_owned(), name.span(), name.text().to_owned());
        let finding =
            UnknownMember { owner, owner_kind, name, span, counterpart, close, is_in_scope };
        self.report(finding);
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
                Some(QualifiedMember::Value(def)) => self.value(def, span),
                Some(QualifiedMember::Op(op)) => self.op_value(op, span),
                None => self.hole(span),
            };
        }
        let base = self.infer(receiver);
        match self.find_field(base, name.text()) {
            FieldLookup::Found(index, ty) => self.term(Term::Field { base, index }, ty, span),
            FieldLookup::Error => self.hole(span),
            FieldLookup::Unknown => {
                let subject = InferenceSubject::FieldOwner;
                self.report(CannotInfer { subject, span: receiver.span() });
                self.hole(span)
            }
            FieldLookup::Missing(fields) => {
                self.report_no_field(base, name, fields);
                self.hole(span)
            }
        }
    }

    fn report_no_field(&mut self, base: TermId, name: Name<'t>, fields: Vec<String>) {
        let ty = self.ty(base);
        let actual = self.type_text(ty);
        let span = name.span();
        if fields.is_empty() {
            // Somebody forgot the parentheses of a method.
            let is_method = self.find_method(ty, name).is_some();
            if is_method {
                let owner = actual;
                let close = Some(format!("{}()", name.text()));
                let name = name.text().to_owned();
                self.report(UnknownField { owner, name, span, close, fields });
            } else {
                let is_sum = matches!(self.shallow_type(ty), Ty::Named(..));
                let what = RecordExpectation::Field { name: name.text().to_owned(), is_sum };
                self.report(NotARecord { actual, span, what });
            }
            return;
        }
        let close =
            closest_name(name.text(), fields.iter().map(String::as_str)).map(str::to_owned);
        let name = name.text().to_owned();
        self.report(UnknownField { owner: actual, name, span, close, fields });
    }

    /// A field of a record by name.
    pub(super) fn find_field(&mut self, base: TermId, name: &str) -> FieldLookup {
        let ty = self.ty(base);
        match self.inferred_type(ty) {
            InferredType::Error => FieldLookup::Error,
            InferredType::Unknown => FieldLookup::Unknown,
            InferredType::Known(Ty::Named(id, args)) => {
                let def = self.checker.program.nominal(id);
                if def.shape != gainsay_core::Shape::Record {
                    return FieldLookup::Missing(Vec::new());
                }
                let ctor = self.checker.program.ctor(def.ctors[0]);
                let at = ctor.fields.iter().position(|it| it.name.as_deref() == Some(name));
                match at {
                    Some(at) => {
                        let ty = ctor.fields[at].ty;
                        let ty = self.type_table().instantiate(ty, &args);
                        FieldLookup::Found(at as u32, ty)
                    }
                    None => FieldLookup::Missing(
                        ctor.fields
                            .iter()
                            .filter_map(|it| it.name.clone())
                            .map(String::from)
                            .collect(),
                    ),
                }
            }
            InferredType::Known(_) => FieldLookup::Missing(Vec::new()),
        }
    }

    /// `a.0`: an element of a tuple.
    pub(super) fn index(&mut self, it: IndexExpr<'t>) -> TermId {
        let span = it.span();
        let Some(receiver) = it.receiver() else { return self.hole(span) };
        let base = self.infer(receiver);
        let ty = self.ty(base);
        match (self.shallow_type(ty), it.value()) {
            (Ty::Tuple(parts), Some(index)) if (index as usize) < parts.len() => {
                let ty = parts[index as usize];
                self.term(Term::Field { base, index }, ty, span)
            }
            (Ty::Error, _) => self.hole(span),
            (Ty::Var(_), _) => {
                let subject = InferenceSubject::FieldOwner;
                self.report(CannotInfer { subject, span: receiver.span() });
                self.hole(span)
            }
            _ => {
                let owner = self.type_text(ty);
                let name = it.index().map_or("", |it| it.text()).to_owned();
                let span = it.index().map_or(span, |it| it.span());
                let (close, fields) = (None, Vec::new());
                self.report(UnknownField { owner, name, span, close, fields });
                self.hole(span)
            }
        }
    }

    /// `a.f(b)`: a qualified call, or a method call. `piped` precedes the arguments.
    pub(super) fn method(
        &mut self,
        it: MethodExpr<'t>,
        piped: Option<PendingArgument<'t>>,
        expected: Option<TyId>,
    ) -> TermId {
        let span = it.span();
        let (Some(receiver), Some(name)) = (it.receiver(), it.name()) else {
            return self.hole(span);
        };
        let mut args: Vec<PendingArgument<'t>> = piped.into_iter().collect();
        // Before the receiver is inferred: a module, type or effect is not a value, and inferring
        // it would report an unknown name.
        if let Some(namespace) = self.namespace(receiver) {
            args.extend(super::calls::arguments(it.args()));
            let owner = receiver.node().text();
            return match self.member(namespace, owner, name) {
                Some(member) => {
                    self.call_member(member, it.type_args(), args, span, name.span(), expected)
                }
                None => self.recover_call(args, span),
            };
        }
        let base = self.infer(receiver);
        if matches!(self.shallow_type(self.ty(base)), Ty::Error) {
            args.extend(super::calls::arguments(it.args()));
            return self.recover_call(args, span);
        }
        // Before the arguments are elaborated: an event pattern such as `Random.int(1, 6)` looks
        // like a call, and as a call it would perform the operation.
        if let Some(event) = self.trace_query(base, name, it) {
            return event;
        }
        args.insert(0, PendingArgument::Term(base, receiver.span()));
        args.extend(super::calls::arguments(it.args()));
        self.call_method(base, name, it.type_args(), args, span, expected)
    }

    /// A call of a qualified name.
    pub(super) fn call_member(
        &mut self,
        member: QualifiedMember,
        type_args: Option<TypeArgs<'t>>,
        args: Vec<PendingArgument<'t>>,
        span: Span,
        name: Span,
        expected: Option<TyId>,
    ) -> TermId {
        match member {
            QualifiedMember::Value(def) => {
                self.call_value_def(def, type_args, args, span, name, expected)
            }
            QualifiedMember::Op(op) => self.call_op(op, type_args, args, span),
        }
    }

    fn call_method(
        &mut self,
        base: TermId,
        name: Name<'t>,
        type_args: Option<TypeArgs<'t>>,
        mut args: Vec<PendingArgument<'t>>,
        span: Span,
        expected: Option<TyId>,
    ) -> TermId {
        let ty = self.ty(base);
        if let Ty::Var(_) = self.shallow_type(ty) {
            // The type is unknown, so its module cannot be searched; the names in scope can.
            if let Some(def) = self.find_value(name) {
                return self.call_value_def(def, type_args, args, span, name.span(), expected);
            }
            let subject = InferenceSubject::Receiver { method: name.text().to_owned() };
            self.report(CannotInfer { subject, span: self.frame().body.span(base) });
            return self.recover_call(args, span);
        }
        // The order of the lookups from here on is part of the language (decision 0004).
        if let Some(def) = self.own_method(ty, name) {
            return self.call_value_def(def, type_args, args, span, name.span(), expected);
        }
        let found = self.find_field(base, name.text());
        if let FieldLookup::Found(index, ty) = found {
            let callee = self.term(Term::Field { base, index }, ty, span);
            // A function in a field is called without the record: it is a value, not a method.
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
            FieldLookup::Error => self.recover_call(args, span),
            FieldLookup::Found(..) | FieldLookup::Unknown | FieldLookup::Missing(_) => {
                self.report_no_such_method(ty, name);
                self.recover_call(args, span)
            }
        }
    }

    fn report_no_such_method(&mut self, ty: TyId, name: Name<'t>) {
        let receiver = self.type_text(ty);
        let home = self.method_module(ty);
        let scope = self.checker.scope(self.module);
        let may_suggest = scope.may_suggest();
        let own = scope.values.keys().copied();
        let there = home.map(|it| self.checker.scope(it).values.keys().copied());
        let names = own.chain(there.into_iter().flatten());
        let names: Vec<&str> = names.filter(|it| may_suggest && !is_upper(it)).collect();
        let counterpart = function_counterpart(name.text(), &names).map(str::to_owned);
        let close = closest_name(name.text(), names.iter().copied()).map(str::to_owned);
        let (name, span) = (name.text().to_owned(), name.span());
        self.report(NoSuchMethod { name, receiver, span, counterpart, close });
    }

    /// The function a method name denotes: in the module of the type first, then in scope.
    pub(super) fn find_method(&mut self, ty: TyId, name: Name<'t>) -> Option<ValueSymbol> {
        self.own_method(ty, name).or_else(|| self.find_value(name))
    }

    /// The function of this name in the module of a type.
    fn own_method(&self, ty: TyId, name: Name<'t>) -> Option<ValueSymbol> {
        let home = self.checker.scope(self.method_module(ty)?);
        home.values.get(name.text()).map(|(def, _)| *def)
    }

    /// The module whose functions are the methods of a type.
    pub(super) fn method_module(&self, ty: TyId) -> Option<ModuleId> {
        let builtin = match self.shallow_type(ty) {
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

/// The result of looking up a field.
pub(super) enum FieldLookup {
    /// Its position and type.
    Found(u32, TyId),
    /// The type is not known yet.
    Unknown,
    /// There is none; these are the existing fields.
    Missing(Vec<String>),
    /// An error was reported before.
    Error,
}
