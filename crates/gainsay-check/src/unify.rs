//! Type variables of one function, and what is known of them.
//!
//! Refinements do not take part: `Nat` and `Int` unify, because a refinement is checked where
//! it is declared, not by the type system.

use std::collections::HashSet;

use gainsay_core::{Look, Row, RowId, Step, Ty, TyId, TypeTable};

use crate::rows::{Because, RowSolver};

/// Why two types are not the same.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum Clash {
    /// They differ in shape.
    Different,
    /// One would have to contain itself.
    Endless,
}

/// Owns every type and row variable of one function; a variable is an index into it.
#[derive(Default)]
pub(crate) struct Unifier {
    links: Vec<Option<TyId>>,
    pub(crate) rows: RowSolver,
    /// Pairs that are known to be the same: types share parts, and no pair is walked twice.
    same: HashSet<(TyId, TyId)>,
    n_unified: usize,
}

/// Pairs that are unified before any is remembered: ordinary functions never get there.
const FREE_PAIRS: usize = 10_000;

impl Unifier {
    /// A type not yet known.
    pub(crate) fn fresh(&mut self, types: &mut TypeTable) -> TyId {
        self.links.push(None);
        types.intern(Ty::Var(self.links.len() as u32 - 1))
    }

    /// A row not yet known.
    pub(crate) fn fresh_row(&mut self, types: &mut TypeTable) -> RowId {
        let var = self.rows.fresh();
        types.row(Row::new(Vec::new(), Vec::new(), vec![var]))
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
        because: Because,
    ) -> Result<(), Clash> {
        let (left, right) = (self.shallow(types, left), self.shallow(types, right));
        if left == right || self.same.contains(&(left, right)) {
            return Ok(());
        }
        self.unify_shapes(types, left, right, because)?;
        self.n_unified += 1;
        if self.n_unified > FREE_PAIRS {
            self.same.insert((left, right));
        }
        Ok(())
    }

    fn unify_shapes(
        &mut self,
        types: &mut TypeTable,
        left: TyId,
        right: TyId,
        because: Because,
    ) -> Result<(), Clash> {
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
                self.rows.include(row, other_row, because);
                self.rows.include(other_row, row, because);
                Ok(())
            }
            _ => Err(Clash::Different),
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
        because: Because,
    ) -> Result<(), Clash> {
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
        self.rows.include(row, allowed, because);
        Ok(())
    }

    fn unify_all(
        &mut self,
        types: &mut TypeTable,
        left: &[TyId],
        right: &[TyId],
        because: Because,
    ) -> Result<(), Clash> {
        if left.len() != right.len() {
            return Err(Clash::Different);
        }
        left.iter().zip(right).try_for_each(|(l, r)| self.unify(types, *l, *r, because))
    }

    fn bind(&mut self, types: &TypeTable, var: u32, ty: TyId) -> Result<(), Clash> {
        if self.occurs(types, var, ty) {
            return Err(Clash::Endless);
        }
        self.links[var as usize] = Some(ty);
        Ok(())
    }

    fn occurs(&self, types: &TypeTable, var: u32, ty: TyId) -> bool {
        types.find(ty, &mut |id, it| {
            if !types.flags(id).has_var() {
                return Look::Nothing;
            }
            let Ty::Var(other) = it else { return Look::Inside };
            match self.links[*other as usize] {
                _ if *other == var => Look::Found,
                Some(link) => Look::Instead(link),
                None => Look::Nothing,
            }
        })
    }

    /// The type with everything that is known put in; unknown variables stay.
    pub(crate) fn resolve(&self, types: &mut TypeTable, ty: TyId) -> TyId {
        types.rewrite(ty, &mut |_, row| row, &mut |types, id| self.known(types, id))
    }

    /// As [`Unifier::resolve`], with solved rows put in too.
    pub(crate) fn finish(&self, types: &mut TypeTable, ty: TyId) -> TyId {
        let mut solved = |types: &mut TypeTable, row| self.rows.solved(types, row);
        types.rewrite(ty, &mut solved, &mut |types, id| self.known(types, id))
    }

    fn known(&self, types: &TypeTable, id: TyId) -> Step {
        if !types.flags(id).has_var() {
            return Step::Keep;
        }
        let Ty::Var(var) = types.get(id) else { return Step::Inside };
        match self.links[*var as usize] {
            Some(link) => Step::Instead(link),
            None => Step::Keep,
        }
    }

    /// Whether anything is still unknown in a type.
    pub(crate) fn is_open(&self, types: &TypeTable, ty: TyId) -> bool {
        types.find(ty, &mut |id, it| {
            if !types.flags(id).has_var() {
                return Look::Nothing;
            }
            let Ty::Var(var) = it else { return Look::Inside };
            match self.links[*var as usize] {
                Some(link) => Look::Instead(link),
                None => Look::Found,
            }
        })
    }
}
