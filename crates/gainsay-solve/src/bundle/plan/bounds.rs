//! The bounds of an integer when it is drawn.

use std::rc::Rc;

use super::super::NotDerived;
use super::super::linear::{LinearTerm, ToZero};
use super::super::recipe::{IntBounds, RecipeExpr};
use super::super::term::{SymGoal, SymTerm, SymVar};
use super::RulePlanner;

/// Which bound of an integer.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
enum Side {
    Lower,
    Upper,
}

/// Which integers are drawn next.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum WhichIntegers {
    /// Those that goals about structures depend on.
    Separating,
    All,
}

impl RulePlanner<'_, '_> {
    /// Draws the next integer: one that a goal about a structure depends on, or any.
    pub(super) fn draw_next_integer(
        &mut self,
        which: WhichIntegers,
    ) -> Result<bool, NotDerived> {
        for at in 0..self.leaves.len() {
            let var = self.leaves[at].var;
            let is_wanted = !self.known.contains_key(&var)
                && self.is_int(var)
                && !self.is_told(var)
                && (which == WhichIntegers::All || self.is_depended_on(var));
            if is_wanted {
                self.draw_int(var)?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether what is drawn later returns an integer as a result, or determines it.
    fn is_told(&self, var: SymVar) -> bool {
        let told = self.told();
        let is_related = |term: &LinearTerm| {
            let unknown = self.unknown_pairs(term);
            unknown.iter().any(|it| it.0 == var)
                && unknown.iter().any(|it| it.0 != var && told.contains(&it.0))
        };
        told.contains(&var)
            || self.constraints.iter().any(|it| it.is == ToZero::Equal && is_related(&it.term))
    }

    /// The variables that goals about structures give a value to.
    pub(super) fn told(&self) -> Vec<SymVar> {
        let mut told = Vec::new();
        for facet in &self.facets {
            if let SymGoal::Is(term, wanted) = facet {
                told.extend(self.state.unknowns(wanted));
                // Goals about known values tell whatever is left in them.
                if self.state.heads(self.deriver.code, term).is_empty() {
                    told.extend(self.state.unknowns(term));
                }
            }
        }
        told
    }

    /// Whether a goal about a structure has to know an integer before.
    fn is_depended_on(&self, var: SymVar) -> bool {
        self.facets.iter().any(|facet| match facet {
            SymGoal::Is(term, _) => {
                let is_about_known = self.state.heads(self.deriver.code, term).is_empty();
                !is_about_known && self.state.unknowns(term).contains(&var)
            }
            other => self.state.unknowns_of_goal(other).contains(&var),
        })
    }

    /// Draws a result between two known bounds before the structure that has it: then the structure
    /// is drawn to have it.
    pub(super) fn draw_bounded_result(&mut self, about: &[usize]) -> Result<bool, NotDerived> {
        for at in about {
            let SymGoal::Is(_, wanted) = self.facets[*at].clone() else { continue };
            for var in self.state.unknowns(&wanted) {
                let is_open = !self.known.contains_key(&var) && self.is_int(var);
                if is_open
                    // With both bounds known, drawing the result first distributes it evenly.
                    // With one, nothing says how large the structure can make it.
                    && !self.implied(var, Side::Lower, &mut Vec::new()).is_empty()
                    && !self.implied(var, Side::Upper, &mut Vec::new()).is_empty()
                {
                    self.draw_int(var)?;
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// The bounds of an integer that is drawn now. Constraints on it alone are used up.
    pub(super) fn take_bounds(&mut self, var: SymVar) -> Result<IntBounds, NotDerived> {
        let mut bounds = IntBounds {
            lo: self.implied(var, Side::Lower, &mut Vec::new()),
            hi: self.implied(var, Side::Upper, &mut Vec::new()),
            ..IntBounds::default()
        };
        let constraints = std::mem::take(&mut self.constraints);
        for constraint in constraints {
            let unknown = self.unknown_pairs(&constraint.term);
            match (constraint.is, &unknown[..]) {
                // Among the implied bounds.
                (ToZero::AtMost, [(only, 1 | -1)]) if *only == var => {}
                (ToZero::NotEqual, [(only, 1 | -1)]) if *only == var => {
                    let value = self.solved_for(&constraint.term, var)?;
                    bounds.excluded.push(value);
                }
                _ => self.constraints.push(constraint),
            }
        }
        let excluded = std::mem::take(&mut self.excluded);
        for (term, list) in excluded {
            match self.expr(&list) {
                Some(list) if term.as_var() == Some(var) => bounds.excluded_lists.push(list),
                _ => self.excluded.push((term, list)),
            }
        }
        Ok(bounds)
    }

    /// The bounds of an integer that follow from what is known: directly, or by way of integers that
    /// are not known yet.
    fn implied(&self, var: SymVar, side: Side, visited: &mut Vec<SymVar>) -> Vec<RecipeExpr> {
        let mut found = Vec::new();
        visited.push(var);
        for constraint in &self.constraints {
            let own = constraint.term.coefficients.get(&var).copied();
            // x + r ≤ 0 bounds x from above, r - x ≤ 0 from below.
            let factor = match (constraint.is, own, side) {
                (ToZero::AtMost | ToZero::Equal, Some(1), Side::Upper) => -1,
                (ToZero::AtMost | ToZero::Equal, Some(-1), Side::Lower) => 1,
                (ToZero::Equal, Some(1), Side::Lower) => -1,
                (ToZero::Equal, Some(-1), Side::Upper) => 1,
                _ => continue,
            };
            let mut rest = constraint.term.clone();
            rest.coefficients.remove(&var);
            let Ok(bound) = LinearTerm::default().plus(factor, &rest) else { continue };
            match self.unknown_pairs(&bound)[..] {
                [] => found.extend(self.linear_expr(&bound)),
                // `x < y` and `y < b` bound `x` by way of `y`, although `y` is drawn later:
                // without it, `x` could be drawn so close to `b` that nothing is left for `y`.
                [(other, own @ (1 | -1))] if !visited.contains(&other) => {
                    let other_side = match (side, own) {
                        (Side::Upper, 1) | (Side::Lower, -1) => Side::Upper,
                        _ => Side::Lower,
                    };
                    let mut rest = bound.clone();
                    rest.coefficients.remove(&other);
                    let Some(rest) = self.linear_expr(&rest) else { continue };
                    for it in self.implied(other, other_side, visited) {
                        found.push(super::linear(vec![(own, it), (1, rest.clone())], 0));
                    }
                }
                _ => {}
            }
        }
        // Other paths may go through this integer again; only a circle must not.
        visited.pop();
        let mut distinct: Vec<RecipeExpr> = Vec::new();
        for bound in found {
            if !distinct.contains(&bound) {
                distinct.push(bound);
            }
        }
        distinct
    }

    /// A variable as a term.
    pub(super) fn var_term(var: SymVar) -> std::rc::Rc<SymTerm> {
        Rc::new(SymTerm::Var(var))
    }
}
