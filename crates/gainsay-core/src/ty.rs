//! Interned types and effect rows: types are equal if and only if their ids are.

use std::collections::HashMap;

use crate::id::{FunctionId, OpId, RowId, TyId, TypeId};

/// A type.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Ty {
    /// Unbounded integers.
    Int,
    /// IEEE 754 double precision.
    Float,
    /// `true` and `false`.
    Bool,
    /// A Unicode scalar value.
    Char,
    /// Text.
    Str,
    /// A tuple; the empty one is `Unit`.
    Tuple(Box<[TyId]>),
    /// A list.
    List(TyId),
    /// An ordered map.
    Map(TyId, TyId),
    /// An ordered set.
    Set(TyId),
    /// A sum or record, with its arguments.
    Named(TypeId, Box<[TyId]>),
    /// A function.
    Function {
        /// The types of the parameters.
        params: Box<[TyId]>,
        /// The type of the result.
        result: TyId,
        /// The effects a call may perform.
        row: RowId,
    },
    /// `base{predicate}`. The predicate is a closed function `(base) -> Bool`, generic in the
    /// parameters of the enclosing declaration; `args` instantiates it.
    Refined {
        /// The type that is refined.
        base: TyId,
        /// Holds for every value of the type.
        predicate: FunctionId,
        /// Type arguments of the predicate.
        args: Box<[TyId]>,
    },
    /// A type parameter of the enclosing function or type, by position.
    Param(u32),
    /// An inference variable. Never in a finished program.
    Var(u32),
    /// A placeholder where an error was reported. Never in a finished program without errors.
    Error,
}

/// What occurs inside a type. Cached per type, so that queries take constant time.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Default)]
pub struct TyFlags(u8);

impl TyFlags {
    const VAR: u8 = 1;
    const REFINED: u8 = 2;
    const FUNCTION: u8 = 4;
    const PARAM: u8 = 8;
    const ERROR: u8 = 16;

    /// An inference variable occurs, in the type or in a row of it.
    pub fn has_var(self) -> bool {
        self.0 & Self::VAR != 0
    }

    /// A refinement occurs.
    pub fn has_refinement(self) -> bool {
        self.0 & Self::REFINED != 0
    }

    /// A function type occurs, so that values can be neither compared nor printed.
    pub fn has_function(self) -> bool {
        self.0 & Self::FUNCTION != 0
    }

    /// A type or effect parameter occurs.
    pub fn has_param(self) -> bool {
        self.0 & Self::PARAM != 0
    }

    /// A reported error occurs.
    pub fn has_error(self) -> bool {
        self.0 & Self::ERROR != 0
    }
}

/// The effects a computation may perform: operations, effect parameters of the enclosing function,
/// and, during inference, row variables. Each list is sorted and free of duplicates, so that equal
/// rows intern to equal ids.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Row {
    /// Operations by id.
    pub ops: Box<[OpId]>,
    /// Effect parameters of the enclosing function, by position.
    pub params: Box<[u32]>,
    /// Row variables. Never in a finished program.
    pub vars: Box<[u32]>,
}

impl Row {
    /// The row with these members, sorted and deduplicated.
    pub fn new(mut ops: Vec<OpId>, mut params: Vec<u32>, mut vars: Vec<u32>) -> Self {
        ops.sort_unstable();
        ops.dedup();
        params.sort_unstable();
        params.dedup();
        vars.sort_unstable();
        vars.dedup();
        Self { ops: ops.into(), params: params.into(), vars: vars.into() }
    }

    /// Whether nothing is performed.
    pub fn is_pure(&self) -> bool {
        self.ops.is_empty() && self.params.is_empty() && self.vars.is_empty()
    }
}

/// What [`TypeTable::rewrite`] does with a type.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum RewriteStep {
    /// Keep it.
    Keep,
    /// Replace it with this type.
    ReplaceWith(TyId),
    /// Replace it with this type, rewritten as well.
    RewriteInstead(TyId),
    /// Rewrite its components.
    Descend,
}

/// What [`TypeTable::find`] does with a type.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum SearchStep {
    /// The search succeeds.
    Found,
    /// There is nothing to find in it.
    Skip,
    /// Search this type instead.
    SearchInstead(TyId),
    /// Search its components.
    Descend,
}

/// Results per visited type, memoized once the number of visits shows that sharing matters.
struct VisitMemo<T> {
    count: usize,
    seen: HashMap<TyId, T>,
}

impl<T: Copy> VisitMemo<T> {
    /// Visits before memoization starts: ordinary types never reach this, and hashing would only
    /// slow them down.
    const UNCACHED_VISITS: usize = 200;

    fn get(&mut self, id: TyId) -> Option<T> {
        self.count += 1;
        if self.count > Self::UNCACHED_VISITS { self.seen.get(&id).copied() } else { None }
    }

    fn insert(&mut self, id: TyId, value: T) {
        if self.count > Self::UNCACHED_VISITS {
            self.seen.insert(id, value);
        }
    }
}

impl<T> Default for VisitMemo<T> {
    fn default() -> Self {
        Self { count: 0, seen: HashMap::new() }
    }
}

/// Owns all types and rows of a program.
#[derive(Debug, Clone)]
pub struct TypeTable {
    tys: Vec<(Ty, TyFlags, u32)>,
    by_ty: HashMap<Ty, TyId>,
    rows: Vec<Row>,
    by_row: HashMap<Row, RowId>,
}

impl TypeTable {
    /// `Int`.
    pub const INT: TyId = TyId(0);
    /// `Float`.
    pub const FLOAT: TyId = TyId(1);
    /// `Bool`.
    pub const BOOL: TyId = TyId(2);
    /// `Char`.
    pub const CHAR: TyId = TyId(3);
    /// `Str`.
    pub const STR: TyId = TyId(4);
    /// `Unit`, the empty tuple.
    pub const UNIT: TyId = TyId(5);
    /// The type of a term that was reported as an error.
    pub const ERROR: TyId = TyId(6);
    /// The empty row.
    pub const PURE: RowId = RowId(0);

    /// A table that contains the types and rows with constants.
    pub fn new() -> Self {
        let mut table = Self {
            tys: Vec::new(),
            by_ty: HashMap::new(),
            rows: Vec::new(),
            by_row: HashMap::new(),
        };
        table.intern_row(Row::default());
        // In the order of the constants above, which are positions in the table.
        for ty in [Ty::Int, Ty::Float, Ty::Bool, Ty::Char, Ty::Str] {
            table.intern(ty);
        }
        table.intern(Ty::Tuple(Box::default()));
        table.intern(Ty::Error);
        table
    }

    /// Interns a type.
    pub fn intern(&mut self, ty: Ty) -> TyId {
        if let Some(id) = self.by_ty.get(&ty) {
            return *id;
        }
        let id = TyId(self.tys.len() as u32);
        // Components are interned before the type, so flags and depth cost one look at each of
        // them.
        let flags = self.flags_of(&ty);
        let mut depth = 0;
        self.for_each_component(&ty, &mut |part| depth = depth.max(self.depth(part)));
        self.tys.push((ty.clone(), flags, depth.saturating_add(1)));
        self.by_ty.insert(ty, id);
        id
    }

    /// The id of a type, if it is interned.
    pub fn find_id(&self, ty: &Ty) -> Option<TyId> {
        self.by_ty.get(ty).copied()
    }

    /// Interns a row.
    pub fn intern_row(&mut self, row: Row) -> RowId {
        if let Some(id) = self.by_row.get(&row) {
            return *id;
        }
        let id = RowId(self.rows.len() as u32);
        self.rows.push(row.clone());
        self.by_row.insert(row, id);
        id
    }

    /// The type with an id.
    pub fn get(&self, id: TyId) -> &Ty {
        &self.tys[id.index()].0
    }

    /// What occurs inside a type.
    pub fn flags(&self, id: TyId) -> TyFlags {
        self.tys[id.index()].1
    }

    /// The nesting depth of a type, itself included.
    pub fn depth(&self, id: TyId) -> u32 {
        self.tys[id.index()].2
    }

    /// The row with an id.
    pub fn get_row(&self, id: RowId) -> &Row {
        &self.rows[id.index()]
    }

    /// The number of types; all ids are below it.
    pub fn len(&self) -> usize {
        self.tys.len()
    }

    /// Always false: the constants are always interned.
    pub fn is_empty(&self) -> bool {
        self.tys.is_empty()
    }

    /// The type without refinements at the top: `Int` for `Nat`.
    pub fn base(&self, mut id: TyId) -> TyId {
        while let Ty::Refined { base, .. } = self.get(id) {
            id = *base;
        }
        id
    }

    /// The type without refinements anywhere inside.
    pub fn erase_refinements(&mut self, id: TyId) -> TyId {
        self.rewrite(id, &mut |_, row| row, &mut |table, id| {
            if !table.flags(id).has_refinement() {
                return RewriteStep::Keep;
            }
            if let Ty::Refined { base, .. } = table.get(id) {
                return RewriteStep::RewriteInstead(*base);
            }
            RewriteStep::Descend
        })
    }

    /// Rewrites a type as `step` decides, and the rows of functions with `row`.
    ///
    /// Types share components, so a short source text can build a type whose tree is exponential.
    /// Beyond a number of visits the results are memoized.
    pub fn rewrite(
        &mut self,
        id: TyId,
        row: &mut dyn FnMut(&mut Self, RowId) -> RowId,
        step: &mut dyn FnMut(&mut Self, TyId) -> RewriteStep,
    ) -> TyId {
        self.rewrite_in(&mut VisitMemo::default(), id, row, step)
    }

    fn rewrite_in(
        &mut self,
        visits: &mut VisitMemo<TyId>,
        id: TyId,
        row: &mut dyn FnMut(&mut Self, RowId) -> RowId,
        step: &mut dyn FnMut(&mut Self, TyId) -> RewriteStep,
    ) -> TyId {
        if let Some(visited) = visits.get(id) {
            return visited;
        }
        // `Keep` and `ReplaceWith` return without memoizing: `step` answers them again at no cost.
        let rebuilt = match step(self, id) {
            RewriteStep::Keep => return id,
            RewriteStep::ReplaceWith(other) => return other,
            RewriteStep::RewriteInstead(other) => self.rewrite_in(visits, other, row, step),
            RewriteStep::Descend => {
                let mut id = id;
                if let Ty::Function { params, result, row: performs } = self.get(id).clone() {
                    // Rows are no components: the function with its new row is interned first, and
                    // then rebuilt.
                    let performs = row(self, performs);
                    id = self.intern(Ty::Function { params, result, row: performs });
                }
                self.map_components(id, &mut |table, part| {
                    table.rewrite_in(visits, part, row, step)
                })
            }
        };
        visits.insert(id, rebuilt);
        rebuilt
    }

    /// Searches a type; `look` decides at each component.
    pub fn find(&self, id: TyId, look: &mut dyn FnMut(TyId, &Ty) -> SearchStep) -> bool {
        self.find_in(&mut VisitMemo::default(), id, look)
    }

    fn find_in(
        &self,
        visits: &mut VisitMemo<bool>,
        id: TyId,
        look: &mut dyn FnMut(TyId, &Ty) -> SearchStep,
    ) -> bool {
        if let Some(visited) = visits.get(id) {
            return visited;
        }
        let ty = self.get(id);
        let found = match look(id, ty) {
            SearchStep::Found => true,
            SearchStep::Skip => false,
            SearchStep::SearchInstead(other) => self.find_in(visits, other, look),
            SearchStep::Descend => {
                let mut found = false;
                self.for_each_component(ty, &mut |part| {
                    // There is no early exit from the visitor, but what follows a hit is not
                    // searched.
                    found = found || self.find_in(visits, part, look);
                });
                found
            }
        };
        visits.insert(id, found);
        found
    }

    /// Rebuilds a type from its mapped direct components; leaves and rows are unchanged.
    pub fn map_components(
        &mut self,
        id: TyId,
        change: &mut dyn FnMut(&mut Self, TyId) -> TyId,
    ) -> TyId {
        let each = |table: &mut Self,
                    change: &mut dyn FnMut(&mut Self, TyId) -> TyId,
                    list: &[TyId]| {
            list.iter().map(|it| change(table, *it)).collect::<Box<[TyId]>>()
        };
        let rebuilt = match self.get(id).clone() {
            Ty::Int | Ty::Float | Ty::Bool | Ty::Char | Ty::Str => return id,
            Ty::Param(_) | Ty::Var(_) | Ty::Error => return id,
            Ty::Tuple(parts) => Ty::Tuple(each(self, change, &parts)),
            Ty::List(item) => Ty::List(change(self, item)),
            Ty::Map(key, value) => Ty::Map(change(self, key), change(self, value)),
            Ty::Set(item) => Ty::Set(change(self, item)),
            Ty::Named(name, args) => Ty::Named(name, each(self, change, &args)),
            Ty::Function { params, result, row } => Ty::Function {
                params: each(self, change, &params),
                result: change(self, result),
                row,
            },
            Ty::Refined { base, predicate, args } => Ty::Refined {
                base: change(self, base),
                predicate,
                args: each(self, change, &args),
            },
        };
        self.intern(rebuilt)
    }

    /// Substitutes type parameters: `Param(i)` becomes `args[i]`.
    pub fn instantiate(&mut self, id: TyId, args: &[TyId]) -> TyId {
        self.rewrite(id, &mut |_, row| row, &mut |table, id| table.instantiation_step(id, args))
    }

    /// The rewrite step that substitutes type parameters.
    pub fn instantiation_step(&self, id: TyId, args: &[TyId]) -> RewriteStep {
        if !self.flags(id).has_param() {
            return RewriteStep::Keep;
        }
        if let Ty::Param(at) = self.get(id) {
            return RewriteStep::ReplaceWith(
                args.get(*at as usize).copied().unwrap_or(Self::ERROR),
            );
        }
        RewriteStep::Descend
    }

    fn flags_of(&self, ty: &Ty) -> TyFlags {
        let mut bits = match ty {
            Ty::Var(_) => TyFlags::VAR,
            Ty::Error => TyFlags::ERROR,
            Ty::Param(_) => TyFlags::PARAM,
            Ty::Refined { .. } => TyFlags::REFINED,
            Ty::Function { row, .. } => {
                let row = self.get_row(*row);
                let var = if row.vars.is_empty() { 0 } else { TyFlags::VAR };
                let param = if row.params.is_empty() { 0 } else { TyFlags::PARAM };
                TyFlags::FUNCTION | var | param
            }
            Ty::Int | Ty::Float | Ty::Bool | Ty::Char | Ty::Str => 0,
            Ty::Tuple(_) | Ty::List(_) | Ty::Map(..) | Ty::Set(_) | Ty::Named(..) => 0,
        };
        self.for_each_component(ty, &mut |part| bits |= self.flags(part).0);
        TyFlags(bits)
    }

    /// Calls `visit` with every direct component of a type.
    pub fn for_each_component(&self, ty: &Ty, visit: &mut dyn FnMut(TyId)) {
        match ty {
            Ty::Int | Ty::Float | Ty::Bool | Ty::Char | Ty::Str => {}
            Ty::Param(_) | Ty::Var(_) | Ty::Error => {}
            Ty::List(item) | Ty::Set(item) => visit(*item),
            Ty::Map(key, value) => {
                visit(*key);
                visit(*value);
            }
            Ty::Tuple(parts) | Ty::Named(_, parts) => parts.iter().copied().for_each(visit),
            Ty::Function { params, result, .. } => {
                params.iter().copied().for_each(&mut *visit);
                visit(*result);
            }
            Ty::Refined { base, args, .. } => {
                visit(*base);
                args.iter().copied().for_each(visit);
            }
        }
    }
}

impl Default for TypeTable {
    fn default() -> Self {
        Self::new()
    }
}
