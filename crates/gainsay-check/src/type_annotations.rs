//! Resolves type annotations to types.

use gainsay_core::{
    Body, FunctionKind, ModuleId, OpId, Param, Row, RowId, Ty, TyId, TypeTable,
};
use gainsay_source::Span;
use gainsay_syntax::ast::{EffectRow, Name, Path, PathType, RefinedType, Type};

use crate::checker::{AliasState, Checker, PendingPredicate};
use crate::declarations::identity_args;
use crate::findings::{
    AmbiguousName, CyclicAlias, DeepType, OwnerKind, UnknownEffect, UnknownMember, UnknownType,
    WrongTypeArgumentCount,
};
use crate::foreign_names;
use crate::scope::{BuiltinType, NameLookup, TypeSymbol, is_upper};

/// The type and effect parameters in scope of an annotation.
#[derive(Debug, Clone, Default)]
pub(crate) struct TypeScope<'t> {
    pub(crate) module: Option<ModuleId>,
    pub(crate) params: Vec<&'t str>,
    pub(crate) effects: Vec<&'t str>,
    /// Whether an unknown lower-case name in a row declares an effect parameter.
    pub(crate) open: bool,
}

impl<'t> TypeScope<'t> {
    pub(crate) fn new(module: ModuleId, params: Vec<&'t str>) -> Self {
        Self { module: Some(module), params, effects: Vec::new(), open: false }
    }

    fn module(&self) -> ModuleId {
        self.module.unwrap_or(ModuleId(0))
    }
}

impl<'t> Checker<'t> {
    /// The annotated type, or the error type after reporting.
    pub(crate) fn annotate(&mut self, scope: &mut TypeScope<'t>, ty: Option<Type<'t>>) -> TyId {
        match ty {
            None => TypeTable::ERROR,
            Some(Type::Paren(it)) => self.annotate(scope, it.inner()),
            Some(Type::Path(it)) => self.annotate_path(scope, it),
            Some(Type::Tuple(it)) => {
                let parts = it.parts().map(|part| self.annotate(scope, Some(part))).collect();
                self.program.types.intern(Ty::Tuple(parts))
            }
            Some(Type::Option(it)) => {
                let inner = self.annotate(scope, it.inner());
                self.option_of(inner)
            }
            Some(Type::Fn(it)) => {
                let params = it.params().map(|part| self.annotate(scope, Some(part))).collect();
                let result = self.annotate(scope, it.result());
                let row = self.annotate_row(scope, it.effects());
                self.program.types.intern(Ty::Function { params, result, row })
            }
            Some(Type::Refined(it)) => self.annotate_refined(scope, it),
        }
    }

    /// `Option<inner>`.
    pub(crate) fn option_of(&mut self, inner: TyId) -> TyId {
        match self.program.lang.option {
            Some(option) => self.program.types.intern(Ty::Named(option, Box::new([inner]))),
            None => TypeTable::ERROR,
        }
    }

    /// `Result<ok, err>`.
    pub(crate) fn result_of(&mut self, ok: TyId, err: TyId) -> TyId {
        match self.program.lang.result {
            Some(result) => self.program.types.intern(Ty::Named(result, Box::new([ok, err]))),
            None => TypeTable::ERROR,
        }
    }

    fn annotate_path(&mut self, scope: &mut TypeScope<'t>, it: PathType<'t>) -> TyId {
        let Some(path) = it.path() else { return TypeTable::ERROR };
        let args: Vec<TyId> = it
            .type_args()
            .into_iter()
            .flat_map(|args| args.args())
            .map(|arg| self.annotate(scope, Some(arg)))
            .collect();
        if let Some(at) = self.type_param(scope, path) {
            return match args.is_empty() {
                true => self.program.types.intern(Ty::Param(at)),
                false => self.report_wrong_type_args(path.dotted(), 0, args.len(), it.span()),
            };
        }
        match self.find_type(scope.module(), path) {
            Some(TypeSymbol::Builtin(builtin)) => self.builtin(builtin, &args, it.span()),
            Some(TypeSymbol::Nominal(id)) => {
                let def = self.program.nominal(id);
                let (name, n_params) = (def.name.to_string(), def.params.len());
                match n_params == args.len() {
                    true => self.program.types.intern(Ty::Named(id, args.into())),
                    false => self.report_wrong_type_args(name, n_params, args.len(), it.span()),
                }
            }
            Some(TypeSymbol::Alias(at)) => {
                let target = self.resolve_alias(at);
                let (name, n_params) =
                    (self.aliases[at].name.to_owned(), self.aliases[at].params.len());
                if n_params != args.len() {
                    return self.report_wrong_type_args(name, n_params, args.len(), it.span());
                }
                // Aliases vanish here: no later stage knows them.
                let ty = self.program.types.instantiate(target, &args);
                self.limit_type_depth(ty, it.span())
            }
            Some(TypeSymbol::Effect(_) | TypeSymbol::Spec(_)) => {
                let (name, span) = (path.dotted(), path.span());
                self.report(UnknownType { name, span, counterpart: None, close: None });
                TypeTable::ERROR
            }
            None => TypeTable::ERROR,
        }
    }

    /// Rejects types that nested aliases have made too deep: each alias can double the depth of the
    /// one before.
    fn limit_type_depth(&mut self, ty: TyId, span: Span) -> TyId {
        const DEEPEST: u32 = 400;
        if self.program.types.depth(ty) <= DEEPEST {
            return ty;
        }
        self.report(DeepType { most: DEEPEST, span });
        TypeTable::ERROR
    }

    fn type_param(&self, scope: &TypeScope<'t>, path: Path<'t>) -> Option<u32> {
        let mut names = path.names();
        let name = names.next()?;
        if names.next().is_some() {
            return None;
        }
        scope.params.iter().position(|it| *it == name.text()).map(|at| at as u32)
    }

    fn report_wrong_type_args(
        &mut self,
        name: String,
        expected: usize,
        actual: usize,
        span: Span,
    ) -> TyId {
        self.report(WrongTypeArgumentCount { name, expected, actual, span });
        TypeTable::ERROR
    }

    fn builtin(&mut self, builtin: BuiltinType, args: &[TyId], span: Span) -> TyId {
        if args.len() != builtin.arity() {
            let name = BuiltinType::ALL[builtin as usize].1.to_owned();
            return self.report_wrong_type_args(name, builtin.arity(), args.len(), span);
        }
        match builtin {
            BuiltinType::Int => TypeTable::INT,
            BuiltinType::Float => TypeTable::FLOAT,
            BuiltinType::Bool => TypeTable::BOOL,
            BuiltinType::Char => TypeTable::CHAR,
            BuiltinType::Str => TypeTable::STR,
            BuiltinType::Unit => TypeTable::UNIT,
            BuiltinType::List => self.program.types.intern(Ty::List(args[0])),
            BuiltinType::Map => self.program.types.intern(Ty::Map(args[0], args[1])),
            BuiltinType::Set => self.program.types.intern(Ty::Set(args[0])),
        }
    }

    /// The declaration that a type path denotes; `None` after reporting an error.
    pub(crate) fn find_type(&mut self, module: ModuleId, path: Path<'t>) -> Option<TypeSymbol> {
        let name = path.last()?;
        if let Some(spec) = self.spec_before(module, path) {
            return self.event_type(spec, name);
        }
        let found = match path.qualifiers().last() {
            None => self.scope(module).ty(&self.prelude, name.text()),
            Some(qualifier) => {
                let Some(from) = self.scope(module).uses.get(qualifier.text()).copied() else {
                    if self.scope(module).unresolved.contains(qualifier.text()) {
                        return None;
                    }
                    let (name, span) = (qualifier.text().to_owned(), qualifier.span());
                    self.report(UnknownType { name, span, counterpart: None, close: None });
                    return None;
                };
                return self.member_type(from, name);
            }
        };
        match found {
            NameLookup::Found(def) => Some(def),
            NameLookup::Ambiguous(modules) => {
                self.report_ambiguous(name, &modules);
                None
            }
            NameLookup::Missing if self.scope(module).unresolved.contains(name.text()) => None,
            NameLookup::Missing => {
                let close = self.scope(module).closest_type(&self.prelude, name.text());
                let counterpart = foreign_names::type_counterpart(name.text());
                let (name, span) = (name.text().to_owned(), name.span());
                self.report(UnknownType { name, span, counterpart, close });
                None
            }
        }
    }

    fn member_type(&mut self, from: ModuleId, name: Name<'t>) -> Option<TypeSymbol> {
        let source = self.scope(from);
        if let Some((def, _)) = source.types.get(name.text()) {
            return Some(*def);
        }
        let close = gainsay_source::closest_name(name.text(), source.types.keys().copied());
        let finding = UnknownMember {
            owner: source.name.clone(),
            owner_kind: OwnerKind::Module,
            name: name.text().to_owned(),
            span: name.span(),
            counterpart: None,
            close: close.map(str::to_owned),
            is_in_scope: false,
        };
        self.report(finding);
        None
    }

    pub(crate) fn report_ambiguous(&mut self, name: Name<'t>, modules: &[ModuleId]) {
        let modules = modules.iter().map(|it| self.scope(*it).name.clone()).collect();
        let (name, span) = (name.text().to_owned(), name.span());
        self.report(AmbiguousName { name, span, modules });
    }

    /// The type an alias stands for, over its parameters.
    pub(crate) fn resolve_alias(&mut self, at: usize) -> TyId {
        match self.aliases[at].state {
            AliasState::Resolved(ty) => ty,
            AliasState::InProgress => {
                let (name, span) = (self.aliases[at].name.to_owned(), self.aliases[at].span);
                self.report(CyclicAlias { name, span });
                // The cycle is reported once; from here on the alias is an error type, which
                // silences the rest.
                self.aliases[at].state = AliasState::Resolved(TypeTable::ERROR);
                TypeTable::ERROR
            }
            AliasState::Unresolved => {
                self.aliases[at].state = AliasState::InProgress;
                let (module, ty) = (self.aliases[at].module, self.aliases[at].ty);
                let mut scope = TypeScope::new(module, self.aliases[at].params.clone());
                let resolved = self.annotate(&mut scope, ty);
                // A cycle through this alias has already resolved it to the error type.
                if self.aliases[at].state == AliasState::InProgress {
                    self.aliases[at].state = AliasState::Resolved(resolved);
                }
                resolved
            }
        }
    }

    /// `T{predicate}`: the predicate becomes a closed function of `it`.
    fn annotate_refined(&mut self, scope: &mut TypeScope<'t>, it: RefinedType<'t>) -> TyId {
        let base = self.annotate(scope, it.inner());
        let Some(expr) = it.predicate() else { return base };
        let module = scope.module();
        let name = one_line(expr.node().text());
        let function = self.new_function(&name, module, expr.span(), FunctionKind::Refinement);
        let mut body = Body::default();
        body.add_local("it", base, expr.span());
        let declared = &mut self.program.functions[function.index()];
        declared.type_params = scope.params.iter().map(|it| (*it).into()).collect();
        declared.params = Box::new([Param { name: "it".into(), ty: base, span: expr.span() }]);
        declared.result = TypeTable::BOOL;
        declared.body = body;
        let type_params = scope.params.clone();
        // The body is elaborated later: the functions it calls may have no signatures yet.
        self.predicates.push(PendingPredicate { function, expr, type_params });
        let args = identity_args(&mut self.program.types, scope.params.len());
        self.program.types.intern(Ty::Refined { base, predicate: function, args })
    }

    /// `[Random.int, Disk, e]`; a missing row is the pure row.
    pub(crate) fn annotate_row(
        &mut self,
        scope: &mut TypeScope<'t>,
        row: Option<EffectRow<'t>>,
    ) -> RowId {
        let mut ops = Vec::new();
        let mut params = Vec::new();
        for path in row.into_iter().flat_map(|row| row.effects()) {
            match self.effect_param(scope, path) {
                Some(param) => params.push(param),
                None => ops.extend(self.find_ops(scope.module(), path)),
            }
        }
        self.program.types.intern_row(Row::new(ops, params, Vec::new()))
    }

    fn effect_param(&self, scope: &mut TypeScope<'t>, path: Path<'t>) -> Option<u32> {
        let mut names = path.names();
        let name = names.next()?.text();
        // Effects and operations start upper-case, so a single lower-case name can only be a
        // parameter.
        if names.next().is_some() || is_upper(name) {
            return None;
        }
        if let Some(at) = scope.effects.iter().position(|it| *it == name) {
            return Some(at as u32);
        }
        scope.open.then(|| {
            scope.effects.push(name);
            scope.effects.len() as u32 - 1
        })
    }

    /// The operations a path denotes: one, or all of an effect.
    pub(crate) fn find_ops(&mut self, module: ModuleId, path: Path<'t>) -> Vec<OpId> {
        let names: Vec<Name<'t>> = path.names().collect();
        let upper = names.iter().position(|name| is_upper(name.text()));
        let effect = upper.and_then(|at| {
            let found = match at {
                0 => self.scope(module).ty(&self.prelude, names[0].text()),
                _ => {
                    let from = *self.scope(module).uses.get(names[at - 1].text())?;
                    let def = self.scope(from).types.get(names[at].text())?.0;
                    NameLookup::Found(def)
                }
            };
            let NameLookup::Found(TypeSymbol::Effect(effect)) = found else { return None };
            Some((effect, names.get(at + 1)))
        });
        let ops = match effect {
            Some((effect, None)) => return self.program.effect(effect).ops.to_vec(),
            Some((effect, Some(op))) => {
                let ops = &self.program.effect(effect).ops;
                let found = ops.iter().find(|it| &*self.program.op(**it).name == op.text());
                if let Some(found) = found {
                    return vec![*found];
                }
                ops.to_vec()
            }
            None => Vec::new(),
        };
        self.report_unknown_effect(module, path, &ops);
        Vec::new()
    }

    fn report_unknown_effect(&mut self, module: ModuleId, path: Path<'t>, siblings: &[OpId]) {
        let name = path.dotted();
        let is_lost = |it: Name<'t>| self.scope(module).unresolved.contains(it.text());
        if path.names().any(is_lost) {
            return;
        }
        let mut candidates: Vec<String> =
            siblings.iter().map(|it| self.program.op_name(*it)).collect();
        // An unknown operation of a known effect is compared with its siblings only.
        if candidates.is_empty() {
            candidates.extend(self.program.effects.iter().map(|it| it.name.to_string()));
            candidates.extend(
                (0..self.program.ops.len()).map(|at| self.program.op_name(OpId(at as u32))),
            );
        }
        let close = gainsay_source::closest_name(&name, candidates.iter().map(String::as_str));
        let close = close.map(str::to_owned);
        self.report(UnknownEffect { name, span: path.span(), close });
    }
}

/// A predicate as printed in types: on one line, and truncated.
fn one_line(text: &str) -> String {
    const MAX_LENGTH: usize = 60;
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    // Not a prefix: half a predicate reads like another predicate.
    if line.chars().count() > MAX_LENGTH { "..".to_owned() } else { line }
}
