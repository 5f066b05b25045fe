//! Comparisons: of integers as linear constraints, of other values by their constructors.

use std::rc::Rc;

use gainsay_core::Comparison;

use super::super::linear::{Constraint, LinearTerm, ToZero};
use super::super::state::RuleState;
use super::super::term::{Sym, SymGoal, SymTerm};
use super::super::{BundleDeriver, NotDerived};
use super::Reduced;
use crate::code::{Arithmetic, ShapeKind};

impl BundleDeriver<'_> {
    /// A comparison of any type.
    pub(super) fn reduce_comparison(
        &mut self,
        state: &mut RuleState,
        op: Comparison,
        (a, b): (&Sym, &Sym),
        goals: &mut Vec<SymGoal>,
    ) -> Result<Reduced, NotDerived> {
        if self.is_integer(state, a)? || self.is_integer(state, b)? {
            return self.reduce_compare(state, op, (a, b), goals);
        }
        match op {
            Comparison::Eq => {
                goals.push(SymGoal::Is(Rc::clone(a), Rc::clone(b)));
                Ok(Reduced::Done)
            }
            Comparison::Ne => self.reduce_different(state, (a, b), goals),
            _ => Err(NotDerived::NotUnderstood),
        }
    }

    /// Whether a term is an integer.
    fn is_integer(&self, state: &RuleState, term: &Sym) -> Result<bool, NotDerived> {
        let term = state.resolve(term);
        if term.is_suspended() {
            let shape = self.shape_of(&term)?;
            return Ok(matches!(self.code.shape(shape).kind, ShapeKind::Int));
        }
        Ok(self.is_number(state, &term))
    }

    /// Two terms that are not integers differ.
    fn reduce_different(
        &mut self,
        state: &mut RuleState,
        (a, b): (&Sym, &Sym),
        goals: &mut Vec<SymGoal>,
    ) -> Result<Reduced, NotDerived> {
        let (a, b) = (self.force(state, a)?, self.force(state, b)?);
        if a == b {
            return Ok(Reduced::Never);
        }
        for (it, other) in [(&a, &b), (&b, &a)] {
            if it.is_suspended() && other.is_constructed() {
                let name = Rc::new(SymTerm::Var(self.named(state, it, goals)?));
                let differ = SymTerm::Compare(Comparison::Ne, name, Rc::clone(other));
                goals.push(SymGoal::Is(Rc::new(differ), Rc::new(SymTerm::Bool(true))));
                return Ok(Reduced::Done);
            }
        }
        for (it, other) in [(&a, &b), (&b, &a)] {
            if let SymTerm::Var(var) = &**it
                && other.is_constructed()
                && self.n_constructors(state.var(*var).shape) > 0
                && !state.var(*var).is_known
                && other.parts().is_empty()
            {
                return Ok(Reduced::SplitVar(*var));
            }
        }
        match (a.is_constructed() && b.is_constructed(), self.can_be(state, &a, &b)?) {
            (true, false) => Ok(Reduced::Done),
            _ => Err(NotDerived::RelatedStructures),
        }
    }

    /// A comparison of integers.
    pub(super) fn reduce_compare(
        &mut self,
        state: &mut RuleState,
        op: Comparison,
        (a, b): (&Sym, &Sym),
        goals: &mut Vec<SymGoal>,
    ) -> Result<Reduced, NotDerived> {
        let (a, b) = (self.linear(state, a, goals)?, self.linear(state, b, goals)?);
        let constraint = Constraint::new(op, &a, &b)?;
        Ok(self.add_constraint(state, constraint))
    }

    fn add_constraint(&mut self, state: &mut RuleState, constraint: Constraint) -> Reduced {
        match constraint.decided() {
            Some(true) => return Reduced::Done,
            Some(false) => return Reduced::Never,
            None => {}
        }
        if state.constraints.contains(&constraint) {
            return Reduced::Done;
        }
        // Contradictions between two constraints are found here, before anything is drawn.
        // Those that need three show as an integer without room.
        if state.constraints.iter().any(|it| it.contradicts(&constraint)) {
            return Reduced::Never;
        }
        // An unknown that is a constant.
        if constraint.is == ToZero::Equal
            && let [(var, coefficient @ (1 | -1))] = constraint.term.pairs()[..]
            && !state.var(var).is_known
        {
            let value = -coefficient * constraint.term.constant;
            state.bind(var, Rc::new(SymTerm::Int(value)));
            return Reduced::Done;
        }
        for at in 0..state.constraints.len() {
            if let Some(sharper) = state.constraints[at].sharpened(&constraint) {
                state.constraints.remove(at);
                return self.add_constraint(state, sharper);
            }
        }
        state.constraints.push(constraint);
        Reduced::Done
    }

    /// An integer term; suspended parts of it get names.
    pub(in crate::bundle) fn linear(
        &mut self,
        state: &mut RuleState,
        term: &Sym,
        goals: &mut Vec<SymGoal>,
    ) -> Result<LinearTerm, NotDerived> {
        let term = self.force(state, term)?;
        match &*term {
            SymTerm::Int(int) => Ok(LinearTerm::constant(*int)),
            SymTerm::Var(var) => match self.code.shape(state.var(*var).shape).kind {
                ShapeKind::Int => Ok(LinearTerm::var(*var)),
                _ => Err(NotDerived::OpaqueValue),
            },
            SymTerm::Arithmetic(op, a, b) => {
                let a = self.linear(state, a, goals)?;
                let b = self.linear(state, b, goals)?;
                match op {
                    Arithmetic::Add => a.plus(1, &b),
                    Arithmetic::Sub => a.plus(-1, &b),
                    Arithmetic::Mul if a.coefficients.is_empty() => {
                        LinearTerm::default().plus(a.constant, &b)
                    }
                    Arithmetic::Mul if b.coefficients.is_empty() => {
                        LinearTerm::default().plus(b.constant, &a)
                    }
                    // Bounds of an integer are linear in what is known; the search has
                    // stronger means.
                    Arithmetic::Mul | Arithmetic::Div | Arithmetic::Rem => {
                        Err(NotDerived::Arithmetic)
                    }
                }
            }
            _ if term.is_suspended() => {
                let var = self.named(state, &term, goals)?;
                Ok(LinearTerm::var(var))
            }
            _ => Err(NotDerived::NotUnderstood),
        }
    }
}
