//! Trace specifications as namespaces: `spec Stack` declares the type `Stack.Event`, with a
//! constructor `Stack.push(..)` for each operation that happens in a run.
//!
//! What the rest of a specification means is none of the checker's concern; `gainsay-synth` reads it.

use gainsay_core::{
    Ctor, CtorId, Field, ModuleId, Shape, Ty, TyId, TypeDef, TypeId, TypeTable,
};
use gainsay_source::closest_name;
use gainsay_syntax::ast::{
    EventDecl, GoalDecl, Name, OperationKeyword, Path, SpecDecl, SpecFn, SpecItem, Type,
    WeakenItem,
};

use crate::checker::Checker;
use crate::findings::{DuplicateField, OwnerKind, UnknownMember};
use crate::scope::{NameLookup, TypeSymbol};
use crate::type_annotations::TypeScope;

/// A specification, or a weaker version of one, which has the same events.
pub(crate) struct SpecNamespace<'t> {
    pub(crate) name: &'t str,
    pub(crate) module: ModuleId,
    pub(crate) item: SpecItem<'t>,
    /// The type of its events.
    pub(crate) event: TypeId,
    pub(crate) operations: Vec<DeclaredOperation<'t>>,
    /// Whether it is a weaker version of another one.
    is_weaker: bool,
}

/// An operation of a specification.
#[derive(Clone, Copy)]
pub(crate) struct DeclaredOperation<'t> {
    pub(crate) name: Name<'t>,
    pub(crate) kind: OperationKeyword,
    /// Its events; ghosts have none.
    pub(crate) ctor: Option<CtorId>,
    decl: EventDecl<'t>,
}

impl<'t> SpecNamespace<'t> {
    /// An operation by name.
    pub(crate) fn operation(&self, name: &str) -> Option<DeclaredOperation<'t>> {
        self.operations.iter().copied().find(|it| it.name.text() == name)
    }

    /// The goals.
    pub(crate) fn goals(&self) -> impl Iterator<Item = GoalDecl<'t>> + use<'t> {
        self.item.decls().filter_map(|it| match it {
            SpecDecl::Goal(it) => Some(it),
            SpecDecl::Sort(_)
            | SpecDecl::Data(_)
            | SpecDecl::Fn(_)
            | SpecDecl::Axiom(_)
            | SpecDecl::Event(_)
            | SpecDecl::Init(_)
            | SpecDecl::Rule(_) => None,
        })
    }

    /// The functions without a definition.
    pub(crate) fn functions(&self) -> Vec<SpecFn<'t>> {
        let decls = self.item.decls().filter_map(|it| match it {
            SpecDecl::Fn(it) => Some(it),
            SpecDecl::Sort(_)
            | SpecDecl::Data(_)
            | SpecDecl::Axiom(_)
            | SpecDecl::Event(_)
            | SpecDecl::Init(_)
            | SpecDecl::Rule(_)
            | SpecDecl::Goal(_) => None,
        });
        decls.filter(|it| it.definition().is_none()).collect()
    }

    fn declared_sorts(&self) -> Vec<DeclaredSort<'t>> {
        let sorts = self.item.decls().filter_map(|it| match it {
            SpecDecl::Sort(it) => {
                let names = it.values().into_iter().flat_map(|it| it.names());
                let ctors = names.map(|it| (it.text(), it.text())).collect();
                Some(DeclaredSort { name: it.name()?.text(), ctors })
            }
            SpecDecl::Data(it) => {
                let ctors = it.ctors();
                let ctors = ctors.filter_map(|it| Some((it.name()?.text(), it.node().text())));
                Some(DeclaredSort { name: it.name()?.text(), ctors: ctors.collect() })
            }
            SpecDecl::Fn(_)
            | SpecDecl::Axiom(_)
            | SpecDecl::Event(_)
            | SpecDecl::Init(_)
            | SpecDecl::Rule(_)
            | SpecDecl::Goal(_) => None,
        });
        sorts.collect()
    }

    /// The names of its sorts and data types.
    pub(crate) fn sorts(&self) -> impl Iterator<Item = Name<'t>> + use<'t> {
        self.item.decls().filter_map(|it| match it {
            SpecDecl::Sort(it) => it.name(),
            SpecDecl::Data(it) => it.name(),
            SpecDecl::Fn(_)
            | SpecDecl::Axiom(_)
            | SpecDecl::Event(_)
            | SpecDecl::Init(_)
            | SpecDecl::Rule(_)
            | SpecDecl::Goal(_) => None,
        })
    }
}

/// A sort or data type of a specification.
struct DeclaredSort<'t> {
    name: &'t str,
    /// The constructors with their text.
    ctors: Vec<(&'t str, &'t str)>,
}

impl DeclaredSort<'_> {
    /// The declaration of a type that has the same values.
    fn as_type(&self) -> String {
        let ctors: Vec<&str> = self.ctors.iter().map(|it| it.1).collect();
        let body = match ctors.is_empty() {
            true => "Int{0 <= it && it <= 2}".to_owned(),
            false => ctors.join(" | "),
        };
        format!("type {} = {body}", self.name)
    }
}

impl<'t> Checker<'t> {
    /// Declares the events of a specification.
    pub(crate) fn declare_spec(&mut self, module: ModuleId, item: SpecItem<'t>) {
        let Some(name) = item.name() else { return };
        let event = TypeId(self.program.nominals.len() as u32);
        let mut operations: Vec<DeclaredOperation<'t>> = Vec::new();
        let mut ctors = Vec::new();
        for decl in item.decls() {
            let SpecDecl::Event(decl) = decl else { continue };
            let Some(operation) = decl.name() else { continue };
            // A second declaration of the name is reported with the rest of the specification.
            if operations.iter().any(|it| it.name.text() == operation.text()) {
                continue;
            }
            let kind = decl.kind();
            let ctor = (kind != OperationKeyword::Ghost).then(|| {
                let id = CtorId(self.program.ctors.len() as u32);
                self.program.ctors.push(Ctor {
                    name: format!("{}.{}", name.text(), operation.text()).into(),
                    ty: event,
                    tag: ctors.len() as u32,
                    fields: Box::default(),
                    span: operation.span(),
                });
                ctors.push(id);
                id
            });
            operations.push(DeclaredOperation { name: operation, kind, ctor, decl });
        }
        self.program.nominals.push(TypeDef {
            name: format!("{}.Event", name.text()).into(),
            module,
            span: name.span(),
            params: Box::default(),
            shape: Shape::Sum,
            ctors: ctors.into(),
            weights: None,
        });
        let (text, is_weaker) = (name.text(), false);
        let spec = SpecNamespace { name: text, module, item, event, operations, is_weaker };
        self.specs.push(spec);
        self.add_type(module, name, TypeSymbol::Spec(self.specs.len() - 1));
    }

    /// Declares the name of a weaker specification; its events are those of the original.
    pub(crate) fn declare_weaker_spec(&mut self, module: ModuleId, item: WeakenItem<'t>) {
        let (Some(name), Some(original)) = (item.name(), item.original()) else { return };
        // An unknown original is reported with the rest of the specification.
        let found = self.scope(module).types.get(original.text());
        let Some((TypeSymbol::Spec(at), _)) = found.copied() else { return };
        let spec = &self.specs[at];
        self.specs.push(SpecNamespace {
            name: name.text(),
            module,
            item: spec.item,
            event: spec.event,
            operations: spec.operations.clone(),
            is_weaker: true,
        });
        self.add_type(module, name, TypeSymbol::Spec(self.specs.len() - 1));
    }

    /// Resolves the types of the fields of a specification's operations.
    pub(crate) fn event_fields(&mut self, spec: usize) {
        if self.specs[spec].is_weaker {
            return;
        }
        let module = self.specs[spec].module;
        for operation in self.specs[spec].operations.clone() {
            let Some(ctor) = operation.ctor else { continue };
            let mut fields: Vec<Field> = Vec::new();
            let params = operation.decl.fields().into_iter().flat_map(|it| it.params());
            for param in params {
                let Some(name) = param.name() else { continue };
                if let Some(first) =
                    fields.iter().find(|it| it.name.as_deref() == Some(name.text()))
                {
                    let (first, span) = (first.span, name.span());
                    self.report(DuplicateField { name: name.text().to_owned(), span, first });
                }
                let ty = self.field_type(spec, module, param.ty());
                let span = name.span();
                fields.push(Field { name: Some(name.text().into()), ty, span });
            }
            self.program.ctors[ctor.index()].fields = fields.into();
        }
    }

    /// The type of a field. A sort that the program does not declare as a type matters only to
    /// tests, and is reported there.
    fn field_type(&mut self, spec: usize, module: ModuleId, ty: Option<Type<'t>>) -> TyId {
        let sort = ty.and_then(sort_name);
        let is_sort = |it: &Name<'t>| self.specs[spec].sorts().any(|s| s.text() == it.text());
        if let Some(sort) = sort.filter(is_sort)
            && !self.has_type(module, sort.text())
        {
            return TypeTable::UNIT;
        }
        let mut scope = TypeScope::new(module, Vec::new());
        self.annotate(&mut scope, ty)
    }

    /// The types whose values are drawn for tests, with the names of their sorts: those of fields
    /// and sorts, other than integers and truth values.
    pub(crate) fn pools(&mut self, spec: usize) -> Vec<(String, TyId)> {
        let module = self.specs[spec].module;
        let mut pools: Vec<(String, TyId)> = Vec::new();
        for operation in self.specs[spec].operations.clone() {
            let Some(ctor) = operation.ctor else { continue };
            let params = operation.decl.fields().into_iter().flat_map(|it| it.params());
            let types: Vec<TyId> =
                self.program.ctor(ctor).fields.iter().map(|it| it.ty).collect();
            for (param, ty) in params.filter(|it| it.name().is_some()).zip(types) {
                let Some(sort) = param.ty().map(sort_text) else { continue };
                let is_known = pools.iter().any(|it| it.0 == sort);
                if !is_known && sort != "Int" && sort != "Bool" {
                    pools.push((sort, ty));
                }
            }
        }
        let sorts: Vec<Name<'t>> = self.specs[spec].sorts().collect();
        for sort in sorts {
            if pools.iter().all(|it| it.0 != sort.text())
                && let Some(ty) = self.type_of_name(module, sort.text())
            {
                pools.push((sort.text().to_owned(), ty));
            }
        }
        pools
    }

    /// The type without arguments that a name of a module denotes.
    fn type_of_name(&mut self, module: ModuleId, name: &str) -> Option<TyId> {
        let found = self.scope(module).ty(&self.prelude, name);
        let NameLookup::Found(found) = found else { return None };
        match found {
            TypeSymbol::Nominal(id) if self.program.nominal(id).params.is_empty() => {
                Some(self.program.types.intern(Ty::Named(id, Box::default())))
            }
            TypeSymbol::Alias(at) if self.aliases[at].params.is_empty() => {
                Some(self.resolve_alias(at))
            }
            TypeSymbol::Nominal(_)
            | TypeSymbol::Alias(_)
            | TypeSymbol::Effect(_)
            | TypeSymbol::Builtin(_)
            | TypeSymbol::Spec(_) => None,
        }
    }

    /// The sorts of a specification that are no types of its module, each with a declaration that
    /// would make it one.
    pub(crate) fn sorts_without_type(&self, spec: usize) -> Vec<(String, String)> {
        let module = self.specs[spec].module;
        let sorts = self.specs[spec].declared_sorts().into_iter();
        sorts
            .filter(|it| !self.has_type(module, it.name))
            .map(|it| (it.name.to_owned(), it.as_type()))
            .collect()
    }

    /// The sorts with constructors whose types have others.
    pub(crate) fn sorts_with_other_constructors(
        &mut self,
        spec: usize,
    ) -> Vec<(String, String)> {
        let module = self.specs[spec].module;
        let mut found = Vec::new();
        for sort in self.specs[spec].declared_sorts() {
            let wanted: Vec<&str> = sort.ctors.iter().map(|it| it.0).collect();
            let Some(ty) = self.type_of_name(module, sort.name) else { continue };
            let mut actual: Vec<&str> = Vec::new();
            if let Ty::Named(id, _) = self.program.types.get(ty)
                && self.program.nominal(*id).shape == Shape::Sum
            {
                let ctors = self.program.nominal(*id).ctors.iter();
                actual.extend(ctors.map(|it| &*self.program.ctor(*it).name));
            }
            let is_same =
                wanted.iter().all(|it| actual.contains(it)) && wanted.len() == actual.len();
            if !wanted.is_empty() && !is_same {
                found.push((sort.name.to_owned(), sort.as_type()));
            }
        }
        found
    }

    /// Whether a module declares or imports a type.
    fn has_type(&self, module: ModuleId, name: &str) -> bool {
        let scope = self.scope(module);
        scope.types.contains_key(name) || scope.imported_types.contains_key(name)
    }

    /// The specification that the names before the last one of a path denote.
    pub(crate) fn spec_before(&self, module: ModuleId, path: Path<'t>) -> Option<usize> {
        let qualifiers: Vec<Name<'t>> = path.qualifiers().collect();
        self.spec_of_names(module, &qualifiers)
    }

    /// The specification that names denote: `Stack`, `stacks.Stack`.
    pub(crate) fn spec_of_names(&self, module: ModuleId, names: &[Name<'t>]) -> Option<usize> {
        let found = match names {
            [name] => match self.scope(module).ty(&self.prelude, name.text()) {
                NameLookup::Found(found) => found,
                NameLookup::Ambiguous(_) | NameLookup::Missing => return None,
            },
            [from, name] => {
                let from = *self.scope(module).uses.get(from.text())?;
                self.scope(from).types.get(name.text())?.0
            }
            _ => return None,
        };
        if let TypeSymbol::Spec(at) = found { Some(at) } else { None }
    }

    /// The type `Event` of a specification; `None` after reporting another name.
    pub(crate) fn event_type(&mut self, spec: usize, name: Name<'t>) -> Option<TypeSymbol> {
        if name.text() == "Event" {
            return Some(TypeSymbol::Nominal(self.specs[spec].event));
        }
        self.report_no_spec_member(spec, name, &["Event"]);
        None
    }

    /// The constructor of an operation's events; `None` after reporting that there is none.
    pub(crate) fn event_constructor(&mut self, spec: usize, name: Name<'t>) -> Option<CtorId> {
        let found = self.specs[spec].operation(name.text()).and_then(|it| it.ctor);
        if found.is_none() {
            let operations = self.specs[spec].operations.iter();
            let names: Vec<&str> =
                operations.filter(|it| it.ctor.is_some()).map(|it| it.name.text()).collect();
            self.report_no_spec_member(spec, name, &names);
        }
        found
    }

    fn report_no_spec_member(&mut self, spec: usize, name: Name<'t>, names: &[&str]) {
        let close = closest_name(name.text(), names.iter().copied()).map(str::to_owned);
        self.report(UnknownMember {
            owner: self.specs[spec].name.to_owned(),
            owner_kind: OwnerKind::Spec,
            name: name.text().to_owned(),
            span: name.span(),
            counterpart: None,
            close,
            is_in_scope: false,
        });
    }

    /// The type of a specification's events.
    pub(crate) fn type_of_events(&mut self, spec: usize) -> TyId {
        let event = self.specs[spec].event;
        self.program.types.intern(Ty::Named(event, Box::default()))
    }
}

/// The type as it names a sort: without its refinement.
fn sort_text(ty: Type<'_>) -> String {
    match ty {
        Type::Refined(it) => it.inner().map_or_else(String::new, sort_text),
        Type::Paren(it) => it.inner().map_or_else(String::new, sort_text),
        Type::Path(_) | Type::Tuple(_) | Type::Fn(_) | Type::Option(_) => {
            ty.node().text().split_whitespace().collect()
        }
    }
}

/// The name of a type without arguments, its refinement aside.
fn sort_name(ty: Type<'_>) -> Option<Name<'_>> {
    match ty {
        Type::Refined(it) => sort_name(it.inner()?),
        Type::Paren(it) => sort_name(it.inner()?),
        Type::Path(it) if it.type_args().is_none() => {
            let path = it.path()?;
            path.last().filter(|_| path.qualifiers().next().is_none())
        }
        Type::Path(_) | Type::Tuple(_) | Type::Fn(_) | Type::Option(_) => None,
    }
}
