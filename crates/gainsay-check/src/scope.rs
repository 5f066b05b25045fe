//! Name lookup: in the module, in its imports, in the prelude.

use std::cell::Cell;
use std::collections::{HashMap, HashSet};

use gainsay_core::{ConstId, CtorId, EffectId, FunctionId, ModuleId, RelId, TypeId, WorldId};
use gainsay_source::{Span, closest_name};
use gainsay_syntax::Tree;

/// The declaration that a value name denotes.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum ValueSymbol {
    /// A function.
    Function(FunctionId),
    /// A constant.
    Constant(ConstId),
    /// A constructor of a sum. Records are constructed with `Name { .. }`.
    Ctor(CtorId),
    /// A relation.
    Rel(RelId),
    /// A world.
    World(WorldId),
}

/// The declaration that a type name denotes.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum TypeSymbol {
    /// A sum or record.
    Nominal(TypeId),
    /// An alias, by its index in the checker.
    Alias(usize),
    /// An effect.
    Effect(EffectId),
    /// A built-in type.
    Builtin(BuiltinType),
    /// A trace specification, by its index in the checker.
    Spec(usize),
}

/// The types that are not declared anywhere.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum BuiltinType {
    /// `Int`.
    Int,
    /// `Float`.
    Float,
    /// `Bool`.
    Bool,
    /// `Char`.
    Char,
    /// `Str`.
    Str,
    /// `Unit`.
    Unit,
    /// `List<A>`.
    List,
    /// `Map<K, V>`.
    Map,
    /// `Set<A>`.
    Set,
}

impl BuiltinType {
    /// Each type with its name, the standard module of its functions, and its arity.
    pub(crate) const ALL: [(Self, &'static str, &'static str, usize); 9] = [
        (Self::Int, "Int", "int", 0),
        (Self::Float, "Float", "float", 0),
        (Self::Bool, "Bool", "bool", 0),
        (Self::Char, "Char", "char", 0),
        (Self::Str, "Str", "str", 0),
        (Self::Unit, "Unit", "value", 0),
        (Self::List, "List", "list", 1),
        (Self::Map, "Map", "map", 2),
        (Self::Set, "Set", "set", 1),
    ];

    /// The standard module of its functions.
    pub(crate) fn module(self) -> &'static str {
        Self::ALL[self as usize].2
    }

    /// The number of type arguments.
    pub(crate) fn arity(self) -> usize {
        Self::ALL[self as usize].3
    }
}

/// The names of one module.
pub(crate) struct ModuleScope<'t> {
    pub(crate) name: String,
    pub(crate) tree: &'t Tree,
    pub(crate) is_std: bool,
    /// Values declared here.
    pub(crate) values: HashMap<&'t str, (ValueSymbol, Span)>,
    /// Types and effects declared here.
    pub(crate) types: HashMap<&'t str, (TypeSymbol, Span)>,
    /// Values imported by a `use m.{..}`.
    pub(crate) imported_values: HashMap<&'t str, Vec<(ValueSymbol, ModuleId)>>,
    /// Types and effects imported by a `use m.{..}`.
    pub(crate) imported_types: HashMap<&'t str, Vec<(TypeSymbol, ModuleId)>>,
    /// Modules named by a `use`.
    pub(crate) uses: HashMap<&'t str, ModuleId>,
    /// Modules, and names from them, that could not be imported; reported once.
    pub(crate) unresolved: HashSet<&'t str>,
    /// The number of unknown names for which a suggestion was computed.
    pub(crate) n_suggested: Cell<u32>,
}

/// The maximum number of suggestions per module. Each one compares against every visible name, and
/// a user with more errors starts with the first ones anyway.
const MAX_SUGGESTIONS: u32 = 200;

/// The names visible in every module.
#[derive(Default)]
pub(crate) struct PreludeScope<'t> {
    pub(crate) values: HashMap<&'t str, ValueSymbol>,
    pub(crate) types: HashMap<&'t str, TypeSymbol>,
    /// Standard modules by name.
    pub(crate) modules: HashMap<&'t str, ModuleId>,
}

/// The result of a lookup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NameLookup<T> {
    /// One declaration.
    Found(T),
    /// Imported from several modules.
    Ambiguous(Vec<ModuleId>),
    /// Nothing.
    Missing,
}

fn unique_import<T: Copy + PartialEq>(found: &[(T, ModuleId)]) -> NameLookup<T> {
    match found {
        [] => NameLookup::Missing,
        // Importing one declaration twice, perhaps through another module, is not ambiguous.
        [(first, _), rest @ ..] if rest.iter().all(|(it, _)| it == first) => {
            NameLookup::Found(*first)
        }
        several => NameLookup::Ambiguous(several.iter().map(|(_, module)| *module).collect()),
    }
}

impl<'t> ModuleScope<'t> {
    /// Looks up a value name in this module.
    pub(crate) fn value(
        &self,
        prelude: &PreludeScope<'t>,
        name: &str,
    ) -> NameLookup<ValueSymbol> {
        // Own declarations shadow imports, and imports the prelude: a new standard name breaks no
        // program.
        if let Some((def, _)) = self.values.get(name) {
            return NameLookup::Found(*def);
        }
        match self.imported_values.get(name) {
            Some(found) => unique_import(found),
            None => prelude
                .values
                .get(name)
                .map_or(NameLookup::Missing, |def| NameLookup::Found(*def)),
        }
    }

    /// Looks up a type name in this module.
    pub(crate) fn ty(&self, prelude: &PreludeScope<'t>, name: &str) -> NameLookup<TypeSymbol> {
        if let Some((def, _)) = self.types.get(name) {
            return NameLookup::Found(*def);
        }
        match self.imported_types.get(name) {
            Some(found) => unique_import(found),
            None => prelude
                .types
                .get(name)
                .map_or(NameLookup::Missing, |def| NameLookup::Found(*def)),
        }
    }

    /// Counts an unknown name; returns whether to compute a suggestion.
    pub(crate) fn may_suggest(&self) -> bool {
        let n_suggested = self.n_suggested.get();
        self.n_suggested.set(n_suggested.saturating_add(1));
        n_suggested < MAX_SUGGESTIONS
    }

    /// The visible value name closest to a misspelt one, `locals` included.
    pub(crate) fn closest_value(
        &self,
        prelude: &PreludeScope<'t>,
        name: &str,
        locals: &[&str],
    ) -> Option<String> {
        if !self.may_suggest() {
            return None;
        }
        let own = self.values.keys().chain(self.imported_values.keys()).copied();
        let all = own.chain(prelude.values.keys().copied()).chain(locals.iter().copied());
        // A suggestion of the other case would be a constructor for a function, or the reverse.
        closest_name(name, all.filter(|it| is_upper(it) == is_upper(name))).map(str::to_owned)
    }

    /// The visible type name closest to a misspelt one.
    pub(crate) fn closest_type(
        &self,
        prelude: &PreludeScope<'t>,
        name: &str,
    ) -> Option<String> {
        if !self.may_suggest() {
            return None;
        }
        let own = self.types.keys().chain(self.imported_types.keys()).copied();
        closest_name(name, own.chain(prelude.types.keys().copied())).map(str::to_owned)
    }
}

/// Whether a name is spelled like a type or constructor.
pub(crate) fn is_upper(name: &str) -> bool {
    name.trim_start_matches('_').chars().next().is_some_and(char::is_uppercase)
}
