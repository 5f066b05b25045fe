//! Unification: the type variables of one function and their solutions.
//!
//! Refinements do not take part: `Nat` and `Int` unify, because a refinement is checked at run time
//! where it is declared, not by the type system.

use std::collections::HashSet;

use gainsay_core::{RewriteStep, Row, RowId, SearchStep, Ty, TyId, TypeTable};

use crate::effect_rows::{ConstraintOrigin, RowSolver};

/// Why two types do not unify.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum UnifyError {
    /// Their outermost constructors differ.
    Mismatch,
    /// One would have to contain itself (occurs check).
    InfiniteType,
}

/// Owns the type and row variables of one function; a variable is an index into it.
#[derive(Default)]
pub(crate) struct Unifier {
    links: Vec<Option<TyId>>,
    pub(crate) rows: RowSolver,
    /// Pairs that are known to be equal. Types share components, so without the cache one pair
    /// could be walked exponentially often.
    known_equal: HashSet<(TyId, TyId)>,
    n_unified: usize,
}

/// The number of unified pairs before caching starts: ordinary functions never reach it.
const UNCACHED_PAIRS: usize = 10_000;

impl Unifier {
    /// A fresh type variable.
    pub(crate) fn fresh(&mut self, types: &mut TypeTable) -> TyId {
        self.links.push(None);
        types.intern(Ty::Var(self.links.len() as u32 - 1))
    }

    /// A fresh row variable.
    pub(crate) fn fresh_row(&mut self, types: &mut TypeTable) -> RowId {
        let var = self.rows.fresh();
        types.intern_row(Row::new(Vec::new(), Vec::new(), vec![var]))
    }

    /// The type with its outermost variables and refinements resolved.
    pub(crate) fn shallow(&self, types: &TypeTable, ty: TyId) -> TyId {
        // Refinements are dropped at every link, because a variable may be bound to a refined type.
        let mut ty = types.base(ty);
        // Ends, because `bind` lets no variable refer to itself.
        while let Ty::Var(var) = types.get(ty) {
            match self.links[*var as usize] {
                Some(link) => ty = types.base(link),
                None => return ty,
            }
        }
        ty
    }

    /// Makes two types equal, or returns why they are not. The rows of functions must include each
    /// other.
    pub(crate) fn unify(
        &mut self,
        types: &mut TypeTable,
        left: TyId,
        right: TyId,
        because: ConstraintOrigin,
    ) -> Result<(), UnifyError> {
        let (left, right) = (self.shallow(types, left), self.shallow(types, right));
        if left == right || self.known_equal.contains(&(left, right)) {
            return Ok(());
        }
        self.unify_shapes(types, left, right, because)?;
        self.n_unified += 1;
        // Stays true when more variables are solved: equal types cannot become different.
        if self.n_unified > UNCACHED_PAIRS {
            self.known_equal.insert((left, right));
        }
        Ok(())
    }

    fn unify_shapes(
        &mut self,
        types: &mut TypeTable,
        left: TyId,
        right: TyId,
        because: ConstraintOrigin,
    ) -> Result<(), UnifyError> {
        match (types.get(left).clone(), types.get(right).clone()) {
            // An error was reported where the error type came from: it unifies with everything.
            (Ty::Error, _) | (_, Ty::Error) => Ok(()),
            (Ty::Var(var), _) => self.bind(types, var, right),
            (_, Ty::Var(var)) => self.bind(types, var, left),
            (Ty::Tuple(left), Ty::Tuple(right)) => {
                self.unify_all(types, &left, &right, because)
            }
            (Ty::List(left), Ty::List(right)) | (Ty::Set(left), Ty::Set(right)) => {
                self.unify(types, left, right, because)
            }
            (Ty::Map(key, value), Ty::Map(other_key, other_value)) => {
                self.unify_all(types, &[key, value], &[other_key, other_value], because)
            }
            (Ty::Named(name, left), Ty::Named(other, right)) if name == other => {
                self.unify_all(types, &left, &right, because)
            }
            (
                Ty::Function { params, result, row },
                Ty::Function { params: others, result: other, row: other_row },
            ) => {
                self.unify_all(types, &params, &others, because)?;
                self.unify(types, result, other, because)?;
                // Rows are equated by mutual inclusion, so that the row solver needs no other
                // constraint.
                self.rows.require_subset(row, other_row, because);
                self.rows.require_subset(other_row, row, because);
                Ok(())
            }
            _ => Err(UnifyError::Mismatch),
        }
    }

    /// Accepts a value of type `actual` where `expected` is expected. A function may perform fewer
    /// effects than allowed:
    //
    //   P = P'    R = R'    E ⊆ E'
    //   ─────────────────────────────── (SUB-FUNCTION)
    //   (P) -> R ! E  ≤  (P') -> R' ! E'
    pub(crate) fn subsume(
        &mut self,
        types: &mut TypeTable,
        actual: TyId,
        expected: TyId,
        because: ConstraintOrigin,
    ) -> Result<(), UnifyError> {
        let (left, right) = (self.shallow(types, actual), self.shallow(types, expected));
        let (
            Ty::Function { params, result, row },
            Ty::Function { params: wanted, result: gives, row: allowed },
        ) = (types.get(left).clone(), types.get(right).clone())
        else {
            return self.unify(types, left, right, because);
        };
        // Parameters are unified, not compared contravariantly: types have no subtyping, and only
        // the outermost row may differ.
        self.unify_all(types, &params, &wanted, because)?;
        self.unify(types, result, gives, because)?;
        self.rows.require_subset(row, allowed, because);
        Ok(())
    }

    fn unify_all(
        &mut self,
        types: &mut TypeTable,
        left: &[TyId],
        right: &[TyId],
        because: ConstraintOrigin,
    ) -> Result<(), UnifyError> {
        if left.len() != right.len() {
            return Err(UnifyError::Mismatch);
        }
        left.iter().zip(right).try_for_each(|(l, r)| self.unify(types, *l, *r, because))
    }

    fn bind(&mut self, types: &TypeTable, var: u32, ty: TyId) -> Result<(), UnifyError> {
        // Without this check the links would form a cycle, and resolving the type would not
        // terminate.
        if self.occurs(types, var, ty) {
            return Err(UnifyError::InfiniteType);
        }
        self.links[var as usize] = Some(ty);
        Ok(())
    }

    fn occurs(&self, types: &TypeTable, var: u32, ty: TyId) -> bool {
        types.find(ty, &mut |id, it| {
            if !types.flags(id).has_var() {
                return SearchStep::Skip;
            }
            let Ty::Var(other) = it else { return SearchStep::Descend };
            match self.links[*other as usize] {
                _ if *other == var => SearchStep::Found,
                Some(link) => SearchStep::SearchInstead(link),
                None => SearchStep::Skip,
            }
        })
    }

    /// The type with all solved variables substituted; unsolved ones stay.
    pub(crate) fn resolve(&self, types: &mut TypeTable, ty: TyId) -> TyId {
        // Rows stay, because they have no solution before the whole body has been walked.
        types.rewrite(ty, &mut |_, row| row, &mut |types, id| self.substitution_step(types, id))
    }

    /// Like [`Unifier::resolve`], and also substitutes solved rows.
    pub(crate) fn finish(&self, types: &mut TypeTable, ty: TyId) -> TyId {
        let mut solved = |types: &mut TypeTable, row| self.rows.solution_of(types, row);
        types.rewrite(ty, &mut solved, &mut |types, id| self.substitution_step(types, id))
    }

    fn substitution_step(&self, types: &TypeTable, id: TyId) -> RewriteStep {
        if !types.flags(id).has_var() {
            return RewriteStep::Keep;
        }
        let Ty::Var(var) = types.get(id) else { return RewriteStep::Descend };
        match self.links[*var as usize] {
            Some(link) => RewriteStep::RewriteInstead(link),
            None => RewriteStep::Keep,
        }
    }

    /// Whether a type contains an unsolved variable.
    pub(crate) fn is_unsolved(&self, types: &TypeTable, ty: TyId) -> bool {
        types.find(ty, &mut |id, it| {
            if !types.flags(id).has_var() {
                return SearchStep::Skip;
            }
            let Ty::Var(var) = it else { return SearchStep::Descend };
            match self.links[*var as usize] {
                Some(link) => SearchStep::SearchInstead(link),
                None => SearchStep::Found,
            }
        })
    }
}
