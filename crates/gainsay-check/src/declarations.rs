//! First stage: gives every declaration an id and a name in its module.

use gainsay_core::{
    Body, ConstId, Constant, Ctor, CtorId, Effect, EffectId, Function, FunctionId,
    FunctionKind, ModuleId, Rel, RelId, Shape, TyId, TypeId, TypeTable, World, WorldId,
};
use gainsay_source::Span;
use gainsay_syntax::ast::{
    AgainstTest, ConstItem, EffectItem, FnItem, Item, Name, RelItem, TestItem, TypeBody,
    TypeItem, TypeParams, UseItem, VerifyItem, WorldItem,
};

use crate::checker::{AliasState, Checker, ModuleInput, TypeAlias, UseTarget};
use crate::findings::{
    CyclicUse, DuplicateBinding, DuplicateDefinition, NamedKind, OwnerKind, UnknownMember,
    UnknownModule, WrongCase,
};
use crate::scope::{BuiltinType, ModuleScope, TypeSymbol, ValueSymbol, is_upper};
use crate::standard_library::PRELUDE_MODULES;

/// The declarations with their syntax trees: the worklists of the later stages.
#[derive(Default)]
pub(crate) struct Declarations<'t> {
    pub(crate) nominals: Vec<(TypeId, TypeItem<'t>, ModuleId)>,
    pub(crate) effects: Vec<(EffectId, EffectItem<'t>, ModuleId)>,
    pub(crate) functions: Vec<(FunctionId, FnItem<'t>, ModuleId)>,
    pub(crate) constants: Vec<(ConstId, ConstItem<'t>, ModuleId)>,
    pub(crate) rels: Vec<(RelId, RelItem<'t>, ModuleId)>,
    pub(crate) worlds: Vec<(WorldId, WorldItem<'t>, ModuleId)>,
    pub(crate) tests: Vec<(TestItem<'t>, ModuleId)>,
    pub(crate) against: Vec<(AgainstTest<'t>, ModuleId)>,
    pub(crate) verifies: Vec<(VerifyItem<'t>, ModuleId)>,
}

impl<'t> Checker<'t> {
    /// Declares the names of all modules, then resolves their imports.
    pub(crate) fn declare(&mut self, inputs: &[ModuleInput<'t>]) -> Declarations<'t> {
        let mut declarations = Declarations::default();
        let mut uses = Vec::new();
        for at in 0..self.modules.len() {
            let module = ModuleId(at as u32);
            let Some(file) = self.file(module) else { continue };
            for item in file.items() {
                if let Item::Use(item) = item {
                    uses.push((module, item));
                } else {
                    self.declare_item(&mut declarations, module, item);
                }
            }
        }
        // Between declaring and importing: the prelude consists of declarations, and an import may
        // name a standard module.
        self.fill_prelude();
        let mut seen = vec![0; self.modules.len()];
        for (module, item) in uses {
            // The targets were resolved in the same order when the files were read.
            let target = inputs[module.index()].uses.get(seen[module.index()]).cloned();
            seen[module.index()] += 1;
            self.import(module, item, target);
        }
        declarations
    }

    fn declare_item(
        &mut self,
        declarations: &mut Declarations<'t>,
        module: ModuleId,
        item: Item<'t>,
    ) {
        match item {
            Item::Use(_) => {}
            Item::Type(item) => self.declare_type(declarations, module, item),
            Item::Const(item) => self.declare_constant(declarations, module, item),
            Item::Fn(item) => self.declare_function(declarations, module, item),
            Item::Effect(item) => self.declare_effect(declarations, module, item),
            Item::Rel(item) => self.declare_rel(declarations, module, item),
            Item::World(item) => self.declare_world(declarations, module, item),
            Item::Test(item) => declarations.tests.push((item, module)),
            Item::Verify(item) => declarations.verifies.push((item, module)),
            Item::Against(item) => declarations.against.push((item, module)),
            Item::Spec(item) => self.declare_spec(module, item),
            Item::Weaken(item) => self.declare_weaker_spec(module, item),
        }
    }

    fn declare_type(
        &mut self,
        declarations: &mut Declarations<'t>,
        module: ModuleId,
        item: TypeItem<'t>,
    ) {
        let Some(name) = item.name() else { return };
        self.check_upper_case(name, NamedKind::Type);
        self.check_unique_type_params(item.type_params());
        let params: Vec<&'t str> =
            item.type_params().into_iter().flat_map(|it| it.names()).map(Name::text).collect();
        let shape = match item.body() {
            Some(TypeBody::Sum(_)) => Shape::Sum,
            Some(TypeBody::Record(_)) => Shape::Record,
            Some(TypeBody::Alias(_)) | None => {
                let ty = match item.body() {
                    Some(TypeBody::Alias(ty)) => Some(ty),
                    Some(TypeBody::Sum(_) | TypeBody::Record(_)) | None => None,
                };
                let alias = TypeAlias {
                    name: name.text(),
                    span: name.span(),
                    module,
                    params,
                    ty,
                    state: AliasState::Unresolved,
                };
                self.aliases.push(alias);
                self.add_type(module, name, TypeSymbol::Alias(self.aliases.len() - 1));
                return;
            }
        };
        let id = TypeId(self.program.nominals.len() as u32);
        let ctors = self.declare_ctors(module, id, name, &item);
        self.program.nominals.push(gainsay_core::TypeDef {
            name: name.text().into(),
            module,
            span: name.span(),
            params: params.iter().map(|it| (*it).into()).collect(),
            shape,
            ctors: ctors.into(),
            weights: None,
        });
        self.add_type(module, name, TypeSymbol::Nominal(id));
        declarations.nominals.push((id, item, module));
    }

    fn declare_ctors(
        &mut self,
        module: ModuleId,
        ty: TypeId,
        type_name: Name<'t>,
        item: &TypeItem<'t>,
    ) -> Vec<CtorId> {
        let mut ids = Vec::new();
        let mut add = |checker: &mut Self, name: Name<'t>| {
            let id = CtorId(checker.program.ctors.len() as u32);
            checker.program.ctors.push(Ctor {
                name: name.text().into(),
                ty,
                // The order of declaration: comparison and shrinking go by it.
                tag: ids.len() as u32,
                fields: Box::default(),
                span: name.span(),
            });
            ids.push(id);
            id
        };
        match item.body() {
            Some(TypeBody::Sum(sum)) => {
                for ctor in sum.ctors() {
                    let Some(name) = ctor.name() else { continue };
                    self.check_upper_case(name, NamedKind::Constructor);
                    let id = add(self, name);
                    self.add_value(module, name, ValueSymbol::Ctor(id));
                }
            }
            Some(TypeBody::Record(_)) => {
                // A record has one constructor, which is not a value of its own: it needs field
                // names.
                add(self, type_name);
            }
            Some(TypeBody::Alias(_)) | None => {}
        }
        ids
    }

    fn declare_constant(
        &mut self,
        declarations: &mut Declarations<'t>,
        module: ModuleId,
        item: ConstItem<'t>,
    ) {
        let Some(name) = item.name() else { return };
        let function =
            self.new_function(name.text(), module, name.span(), FunctionKind::Constant);
        let id = ConstId(self.program.constants.len() as u32);
        self.program.constants.push(Constant {
            name: name.text().into(),
            module,
            ty: TypeTable::ERROR,
            function,
            span: name.span(),
        });
        self.add_value(module, name, ValueSymbol::Constant(id));
        declarations.constants.push((id, item, module));
    }

    fn declare_function(
        &mut self,
        declarations: &mut Declarations<'t>,
        module: ModuleId,
        item: FnItem<'t>,
    ) {
        let Some(name) = item.name() else { return };
        self.check_lower_case(name, NamedKind::Function);
        self.check_unique_type_params(item.type_params());
        let id = self.new_function(name.text(), module, name.span(), FunctionKind::Declared);
        self.add_value(module, name, ValueSymbol::Function(id));
        declarations.functions.push((id, item, module));
    }

    fn declare_effect(
        &mut self,
        declarations: &mut Declarations<'t>,
        module: ModuleId,
        item: EffectItem<'t>,
    ) {
        let Some(name) = item.name() else { return };
        self.check_upper_case(name, NamedKind::Effect);
        let id = EffectId(self.program.effects.len() as u32);
        self.program.effects.push(Effect {
            name: name.text().into(),
            module,
            span: name.span(),
            ops: Box::default(),
            is_system: item.is_system(),
        });
        self.add_type(module, name, TypeSymbol::Effect(id));
        declarations.effects.push((id, item, module));
    }

    fn declare_rel(
        &mut self,
        declarations: &mut Declarations<'t>,
        module: ModuleId,
        item: RelItem<'t>,
    ) {
        let Some(name) = item.name() else { return };
        self.check_lower_case(name, NamedKind::Relation);
        self.check_unique_type_params(item.type_params());
        let id = RelId(self.program.rels.len() as u32);
        self.program.rels.push(Rel {
            name: name.text().into(),
            module,
            span: name.span(),
            type_params: Box::default(),
            params: Box::default(),
            rules: Box::default(),
        });
        self.add_value(module, name, ValueSymbol::Rel(id));
        declarations.rels.push((id, item, module));
    }

    fn declare_world(
        &mut self,
        declarations: &mut Declarations<'t>,
        module: ModuleId,
        item: WorldItem<'t>,
    ) {
        let Some(name) = item.name() else { return };
        let id = WorldId(self.program.worlds.len() as u32);
        self.program.worlds.push(World {
            name: name.text().into(),
            module,
            span: name.span(),
            stubs: Box::default(),
        });
        self.add_value(module, name, ValueSymbol::World(id));
        declarations.worlds.push((id, item, module));
    }

    /// Reports duplicate type parameters.
    pub(crate) fn check_unique_type_params(&mut self, params: Option<TypeParams<'t>>) {
        let names: Vec<Name<'t>> = params.into_iter().flat_map(|it| it.names()).collect();
        for (at, name) in names.iter().enumerate() {
            if let Some(first) = names[..at].iter().find(|it| it.text() == name.text()) {
                let (first, span, name) = (first.span(), name.span(), name.text().to_owned());
                self.report(DuplicateBinding { name, span, first });
            }
        }
    }

    /// Creates a function that has no signature or body yet.
    pub(crate) fn new_function(
        &mut self,
        name: &str,
        module: ModuleId,
        span: Span,
        kind: FunctionKind,
    ) -> FunctionId {
        self.program.functions.push(Function {
            name: name.into(),
            module,
            span,
            kind,
            type_params: Box::default(),
            effect_params: Box::default(),
            n_captures: 0,
            params: Box::default(),
            result: TypeTable::ERROR,
            row: TypeTable::PURE,
            requires: Box::default(),
            ensures: Box::default(),
            body: Body::default(),
            attributes: Default::default(),
        });
        FunctionId(self.program.functions.len() as u32 - 1)
    }

    fn add_value(&mut self, module: ModuleId, name: Name<'t>, def: ValueSymbol) {
        let values = &mut self.modules[module.index()].values;
        match values.get(name.text()) {
            Some((_, first)) => {
                let first = *first;
                let (name, span) = (name.text().to_owned(), name.span());
                self.report(DuplicateDefinition { name, span, first });
            }
            None => {
                values.insert(name.text(), (def, name.span()));
            }
        }
    }

    pub(crate) fn add_type(&mut self, module: ModuleId, name: Name<'t>, def: TypeSymbol) {
        let types = &mut self.modules[module.index()].types;
        match types.get(name.text()) {
            Some((_, first)) => {
                let first = *first;
                let (name, span) = (name.text().to_owned(), name.span());
                self.report(DuplicateDefinition { name, span, first });
            }
            None => {
                types.insert(name.text(), (def, name.span()));
            }
        }
    }

    fn check_upper_case(&mut self, name: Name<'t>, kind: NamedKind) {
        if !is_upper(name.text()) {
            let (name, span) = (name.text().to_owned(), name.span());
            self.report(WrongCase { name, span, kind, upper: true });
        }
    }

    pub(crate) fn check_lower_case(&mut self, name: Name<'t>, kind: NamedKind) {
        if is_upper(name.text()) {
            let (name, span) = (name.text().to_owned(), name.span());
            self.report(WrongCase { name, span, kind, upper: false });
        }
    }

    /// Fills the prelude: the built-in types, every type and constructor of the standard library,
    /// and the values of the modules in `PRELUDE_MODULES`.
    fn fill_prelude(&mut self) {
        for (ty, name, _, _) in BuiltinType::ALL {
            self.prelude.types.insert(name, TypeSymbol::Builtin(ty));
        }
        for at in 0..self.modules.len() {
            let scope = &self.modules[at];
            let Some(name) = std_name(scope) else { continue };
            self.prelude.modules.insert(name, ModuleId(at as u32));
            let open = PRELUDE_MODULES.contains(&name);
            let mut values: Vec<(&'t str, ValueSymbol)> =
                scope.values.iter().map(|(name, (def, _))| (*name, *def)).collect();
            // Constructors always: the values that `show` prints must be readable everywhere.
            values.retain(|(_, def)| open || matches!(def, ValueSymbol::Ctor(_)));
            let types: Vec<(&'t str, TypeSymbol)> =
                scope.types.iter().map(|(name, (def, _))| (*name, *def)).collect();
            self.prelude.values.extend(values);
            self.prelude.types.extend(types);
        }
        self.find_lang_items();
    }

    fn find_lang_items(&mut self) {
        let nominal = |checker: &Self, name: &str| match checker.prelude.types.get(name) {
            Some(TypeSymbol::Nominal(id)) => Some(*id),
            Some(
                TypeSymbol::Alias(_)
                | TypeSymbol::Effect(_)
                | TypeSymbol::Builtin(_)
                | TypeSymbol::Spec(_),
            )
            | None => None,
        };
        let ctor = |checker: &Self, name: &str| match checker.prelude.values.get(name) {
            Some(ValueSymbol::Ctor(id)) => Some(*id),
            Some(
                ValueSymbol::Function(_)
                | ValueSymbol::Constant(_)
                | ValueSymbol::Rel(_)
                | ValueSymbol::World(_),
            )
            | None => None,
        };
        self.program.lang.option = nominal(self, "Option");
        self.program.lang.result = nominal(self, "Result");
        self.program.lang.some = ctor(self, "Some");
        self.program.lang.none = ctor(self, "None");
        self.program.lang.ok = ctor(self, "Ok");
        self.program.lang.err = ctor(self, "Err");
    }

    fn import(&mut self, module: ModuleId, item: UseItem<'t>, target: Option<UseTarget>) {
        let Some(path) = item.path() else { return };
        let Some(name) = path.last() else { return };
        let from = match target {
            Some(UseTarget::Module(at)) => ModuleId(at as u32),
            Some(UseTarget::Missing { reason, suggestion: close }) => {
                let (dotted, span) = (path.dotted(), path.span());
                self.report(UnknownModule { name: dotted, span, reason, close });
                return self.mark_unresolved(module, name, item);
            }
            Some(UseTarget::Cycle(cycle)) => {
                self.report(CyclicUse { cycle, span: path.span() });
                return self.mark_unresolved(module, name, item);
            }
            None => return,
        };
        self.modules[module.index()].uses.insert(name.text(), from);
        for name in item.list().into_iter().flat_map(|list| list.names()) {
            self.import_name(module, from, name);
        }
    }

    /// Remembers names that could not be imported, so that their uses are not reported again.
    fn mark_unresolved(&mut self, module: ModuleId, name: Name<'t>, item: UseItem<'t>) {
        let lost = &mut self.modules[module.index()].unresolved;
        lost.insert(name.text());
        lost.extend(item.list().into_iter().flat_map(|list| list.names()).map(Name::text));
    }

    /// Importing a type imports its constructors, so that values printed as source can be pasted.
    fn import_name(&mut self, module: ModuleId, from: ModuleId, name: Name<'t>) {
        let source = &self.modules[from.index()];
        let value = source.values.get(name.text()).map(|(def, _)| *def);
        let ty = source.types.get(name.text()).map(|(def, _)| *def);
        if value.is_none() && ty.is_none() {
            let names = source.values.keys().chain(source.types.keys()).copied();
            let close = gainsay_source::closest_name(name.text(), names).map(str::to_owned);
            let finding = UnknownMember {
                owner: source.name.clone(),
                owner_kind: OwnerKind::Module,
                name: name.text().to_owned(),
                span: name.span(),
                counterpart: None,
                close,
                is_in_scope: false,
            };
            self.modules[module.index()].unresolved.insert(name.text());
            return self.report(finding);
        }
        let mut values: Vec<(&'t str, ValueSymbol)> = Vec::new();
        values.extend(value.map(|def| (name.text(), def)));
        if let Some(TypeSymbol::Nominal(id)) = ty {
            let ctors = &self.program.nominal(id).ctors;
            let is_ctor =
                |def: &ValueSymbol| matches!(def, ValueSymbol::Ctor(it) if ctors.contains(it));
            let own = source.values.iter().filter(|(_, (def, _))| is_ctor(def));
            values.extend(own.map(|(name, (def, _))| (*name, *def)));
        }
        let scope = &mut self.modules[module.index()];
        for (name, def) in values {
            scope.imported_values.entry(name).or_default().push((def, from));
        }
        if let Some(def) = ty {
            scope.imported_types.entry(name.text()).or_default().push((def, from));
        }
    }
}

/// The name of a standard module, as a `'static` string.
fn std_name(scope: &ModuleScope<'_>) -> Option<&'static str> {
    let mut known = crate::standard_library::MODULES.iter().map(|(known, _)| *known);
    known.find(|known| scope.is_std && *known == scope.name)
}

/// The type parameters of a declaration as types: `Param(0), Param(1), ..`.
pub(crate) fn identity_args(types: &mut TypeTable, n: usize) -> Box<[TyId]> {
    (0..n as u32).map(|at| types.intern(gainsay_core::Ty::Param(at))).collect()
}
