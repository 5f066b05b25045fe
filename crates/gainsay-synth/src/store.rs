//! The constraints of a line: solved equations, and conjuncts that are not solved.

use gainsay_smt::{LinearSum, TermId, TermNode, VarId};

use crate::workshop::Workshop;

/// What holds of the variables of a line.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct ConstraintStore {
    /// Variables with what they are equal to, in terms of variables that are not solved.
    pub(crate) solved: Vec<(VarId, TermId)>,
    /// Conjuncts without solved variables, in order.
    pub(crate) residual: Vec<TermId>,
}

impl ConstraintStore {
    /// A term with solved variables replaced.
    pub(crate) fn resolve(&self, workshop: &mut Workshop, term: TermId) -> TermId {
        if self.solved.is_empty() {
            return term;
        }
        workshop.terms.substitute(term, &self.solved[..])
    }

    /// Adds a condition. Whether it may hold together with the others.
    pub(crate) fn add(&mut self, workshop: &mut Workshop, condition: TermId) -> bool {
        let mut open = vec![condition];
        let mut touched = Vec::new();
        while let Some(condition) = open.pop() {
            workshop.effort.steps += 1;
            let condition = self.resolve(workshop, condition);
            if condition == TermId::TRUE {
                continue;
            }
            if condition == TermId::FALSE {
                return false;
            }
            if let TermNode::And(parts) = workshop.terms.node(condition) {
                open.extend_from_slice(parts);
                continue;
            }
            if let Some((var, term)) = solved_form(workshop, condition) {
                self.solve_for(workshop, var, term, &mut open);
                continue;
            }
            if let Err(at) = self.residual.binary_search(&condition) {
                self.residual.insert(at, condition);
                touched.push(condition);
            }
        }
        // An equation that came later may have replaced a conjunct that was added before it.
        touched.retain(|it| self.residual.binary_search(it).is_ok());
        touched.is_empty() || self.component_may_hold(workshop, &touched)
    }

    /// Replaces a variable everywhere; conjuncts that mention it are added anew.
    fn solve_for(
        &mut self,
        workshop: &mut Workshop,
        var: VarId,
        term: TermId,
        open: &mut Vec<TermId>,
    ) {
        let one = [(var, term)];
        for pair in &mut self.solved {
            pair.1 = workshop.terms.substitute(pair.1, &one[..]);
        }
        self.solved.push((var, term));
        let mentions = |it: &TermId| workshop.terms.vars(*it).contains(&var);
        open.extend(self.residual.iter().copied().filter(mentions));
        self.residual.retain(|it| !mentions(it));
    }

    /// Whether the conjuncts that are connected with some of them may hold together.
    fn component_may_hold(&self, workshop: &mut Workshop, touched: &[TermId]) -> bool {
        let mut vars: Vec<VarId> = Vec::new();
        let mut component: Vec<TermId> = Vec::new();
        let mut is_linked = false;
        let mut rest: Vec<TermId> = self.residual.clone();
        for condition in touched {
            component.push(*condition);
            vars.extend_from_slice(workshop.terms.vars(*condition));
            is_linked |= workshop.has_axiom_sort(*condition);
        }
        // Conjuncts without common variables cannot contradict each other, and the other
        // components were checked when they last changed. Axioms connect all terms of their
        // sorts.
        rest.retain(|it| !touched.contains(it));
        loop {
            let before = component.len();
            rest.retain(|it| {
                let own = workshop.terms.vars(*it);
                let is_connected = own.iter().any(|var| vars.contains(var))
                    || (is_linked && workshop.has_axiom_sort(*it));
                if is_connected {
                    component.push(*it);
                    vars.extend_from_slice(own);
                    is_linked |= workshop.has_axiom_sort(*it);
                }
                !is_connected
            });
            if component.len() == before {
                break;
            }
        }
        component.sort_unstable();
        workshop.may_hold(&component)
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "other conditions determine nothing")]
/// The variable that a condition determines, and its value.
fn solved_form(workshop: &mut Workshop, condition: TermId) -> Option<(VarId, TermId)> {
    match workshop.terms.node(condition).clone() {
        TermNode::Var(var) => Some((var, TermId::TRUE)),
        TermNode::Not(inner) => match *workshop.terms.node(inner) {
            TermNode::Var(var) => Some((var, TermId::FALSE)),
            TermNode::Equal(a, b) if workshop.terms.sort(a) == gainsay_smt::Sort::Bool => {
                let negated = workshop.terms.not(b);
                solved_equation(workshop, a, negated).or_else(|| {
                    let negated = workshop.terms.not(a);
                    solved_equation(workshop, b, negated)
                })
            }
            _ => None,
        },
        TermNode::Equal(a, b) => {
            // Of two variables, the newer one is replaced.
            solved_equation(workshop, b, a).or_else(|| solved_equation(workshop, a, b))
        }
        TermNode::Zero(sum) => {
            // Only a variable with a unit coefficient can be expressed without a division, and
            // only if it does not occur inside the other terms of the sum.
            let part = sum.parts.iter().rev().find_map(|(part, coefficient)| {
                let TermNode::Var(var) = *workshop.terms.node(*part) else { return None };
                let is_free = coefficient.unsigned_abs() == 1
                    && sum.parts.iter().all(|(other, _)| {
                        other == part || !workshop.terms.vars(*other).contains(&var)
                    });
                is_free.then_some((*part, var, *coefficient))
            });
            let (part, var, coefficient) = part?;
            let rest = sum.add_scaled(&LinearSum::term(part), -coefficient)?;
            let value = rest.scaled(-coefficient)?;
            Some((var, workshop.terms.sum(value)))
        }
        _ => None,
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "only variables are replaced")]
fn solved_equation(workshop: &Workshop, a: TermId, b: TermId) -> Option<(VarId, TermId)> {
    match workshop.terms.node(a) {
        TermNode::Var(var) if !workshop.terms.vars(b).contains(var) => Some((*var, b)),
        _ => None,
    }
}
