//! Type variables of one function, and what is known of them.
//!
//! Refinements do not take part: `Nat` and `Int` unify, because a refinement is checked where
//! it is declared, not by the type system.

use std::collections::HashSet;

use gainsay_core::{RewriteStep, Row, RowId, SearchStep, Ty, TyId, TypeTable};

use crate::effect_rows::{ConstraintOrigin, RowSolver};

/// Why two types are not the same.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum UnifyError {
    /// They differ in shape.
    Mismatch,
    /// One would have to contain itself.
    InfiniteType,
}

/// Owns every type and row variable of one function; a variable is an index into it.
#[derive(Default)]
pub(crate) struct Unifier {
    links: Vec<Option<TyId>>,
    pub(crate) rows: RowSolver,
    /// Pairs that are known to be the same: types share parts, and no pair is walked twice.
    known_equal: HashSet<(TyId, TyId)>,
    n_unified: usize,
}

/// Pairs that are unified before any is remembered: ordinary functions never get there.
const UNCACHED_PAIRS: usize = 10_000;

impl Unifier {
    /// A type not yet known.
    pub(crate) fn fresh(&mut self, types: &mut TypeTable) -> TyId {
        self.links.push(None);
        types.intern(Ty::Var(self.links.len() as u32 - 1))
    }

    /// A row not yet known.
    pub(crate) fn fresh_row(&mut self, types: &mut TypeTable) -> RowId {
        let var = self.rows.fresh();
        types.intern_row(Row::new(Vec::new(), Vec::new(), vec![var]))
    }

    /// The type with its outermost variable and refinements looked through.
    pub(crate) fn shallow(&self, types: &TypeTable, ty: TyId) -> TyId {
        let mut ty = types.base(ty);
        while let Ty::Var(var) = types.get(ty) {
            match self.links[*var as usize] {
                Some(link) => ty = types.base(link),
                None => return ty,
            }
        }
        ty
    }

    /// Makes two types the same, or says why they are not. Rows of functions must include
    /// each other.
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
                self.rows.require_subset(row, other_row, because);
                self.rows.require_subset(other_row, row, because);
                Ok(())
            }
            _ => Err(UnifyError::Mismatch),
        }
    }

    /// Lets a value of type `actual` stand where `expected` is wanted. A function may perform
    /// less than is allowed:
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

    /// The type with everything that is known put in; unknown variables stay.
    pub(crate) fn resolve(&self, types: &mut TypeTable, ty: TyId) -> TyId {
        types.rewrite(ty, &mut |_, row| row, &mut |types, id| self.substitution_step(types, id))
    }

    /// As [`Unifier::resolve`], with solved rows put in too.
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

    /// Whether anything is still unknown in a type.
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
