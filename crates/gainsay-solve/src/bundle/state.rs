//! The state of one alternative of a generator under derivation: its variables, and the goals that
//! are left.

use std::rc::Rc;

use super::NotDerived;
use super::linear::{Constraint, LinearTerm, ToZero};
use super::term::{Sym, SymGoal, SymTerm, SymVar, SymVarInfo};
use crate::code::{Code, ShapeId, ShapeKind};

/// Where the value of a variable comes from.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
enum SymOrigin {
    Drawn,
    Known,
}

/// An alternative under derivation.
#[derive(Debug, Clone, Default)]
pub(super) struct RuleState {
    /// How deep in the structure new variables are.
    pub(super) depth: u32,
    pub(super) vars: Vec<SymVarInfo>,
    /// Goals about one structure each, which its own generator has to meet.
    pub(super) facets: Vec<SymGoal>,
    /// Relations between integers.
    pub(super) constraints: Vec<Constraint>,
    /// Integers that are not in lists.
    pub(super) excluded: Vec<(LinearTerm, Sym)>,
    /// Known booleans and what they must be.
    pub(super) tests: Vec<(Sym, bool)>,
    /// Known values that must be equal.
    pub(super) equalities: Vec<(SymVar, SymVar)>,
    /// Known values whose constructor the alternative is for.
    pub(super) matches: Vec<KnownMatch>,
}

/// A known value, its constructor, and the variables of its fields.
#[derive(Debug, Clone)]
pub(super) struct KnownMatch {
    pub(super) var: SymVar,
    pub(super) constructor: usize,
    pub(super) fields: Vec<SymVar>,
}

impl RuleState {
    /// Adds a variable for what is drawn.
    pub(super) fn add_unknown(&mut self, shape: ShapeId) -> SymVar {
        self.add_var(shape, SymOrigin::Drawn)
    }

    /// Adds a variable for what is known before anything is drawn.
    pub(super) fn add_known(&mut self, shape: ShapeId) -> SymVar {
        self.add_var(shape, SymOrigin::Known)
    }

    fn add_var(&mut self, shape: ShapeId, origin: SymOrigin) -> SymVar {
        let is_known = origin == SymOrigin::Known;
        self.vars.push(SymVarInfo { shape, is_known, depth: self.depth, value: None });
        SymVar(self.vars.len() as u32 - 1)
    }

    /// Gives a variable its value.
    pub(super) fn bind(&mut self, var: SymVar, value: Sym) {
        self.vars[var.index()].value = Some(value);
    }

    /// The number of variables with a value.
    pub(super) fn n_bound(&self) -> usize {
        self.vars.iter().filter(|it| it.value.is_some()).count()
    }

    /// Adds a known boolean and what it must be; `None` if it must be both.
    pub(super) fn add_test(&mut self, (term, holds): (&Sym, bool)) -> Option<()> {
        match self.tests.iter().find(|it| it.0 == *term) {
            Some((_, same)) => (*same == holds).then_some(()),
            None => {
                self.tests.push((Rc::clone(term), holds));
                Some(())
            }
        }
    }

    /// Forgets what must hold.
    pub(super) fn clear_goals(&mut self) {
        self.facets.clear();
        self.constraints.clear();
        self.excluded.clear();
        self.tests.clear();
        self.equalities.clear();
    }

    /// What must hold, as goals.
    pub(super) fn remaining_goals(&self) -> Vec<SymGoal> {
        let excluded = self.excluded.iter();
        let excluded =
            excluded.map(|(term, list)| SymGoal::NotIn(term.as_sym(), Rc::clone(list)));
        let tests = self.tests.iter();
        let tests =
            tests.map(|(it, holds)| SymGoal::Is(Rc::clone(it), Rc::new(SymTerm::Bool(*holds))));
        let constraints = self.constraints.iter().map(Constraint::as_goal);
        let var = |it: &SymVar| Rc::new(SymTerm::Var(*it));
        let equal = self.equalities.iter().map(|(a, b)| SymGoal::Is(var(a), var(b)));
        let facets = self.facets.iter().cloned();
        facets.chain(constraints).chain(excluded).chain(tests).chain(equal).collect()
    }

    pub(super) fn var(&self, var: SymVar) -> &SymVarInfo {
        &self.vars[var.index()]
    }

    /// A variable for a value of a shape: products are split at once, and what a refined type
    /// demands becomes a goal.
    pub(super) fn fresh(
        &mut self,
        code: &Code,
        shape: ShapeId,
        goals: &mut Vec<SymGoal>,
    ) -> Result<Sym, NotDerived> {
        Ok(match &code.shape(shape).kind {
            ShapeKind::Refined(base, predicate) => {
                let value = self.fresh(code, *base, goals)?;
                let holds = SymTerm::Call(*predicate, [Rc::clone(&value)].into());
                goals.push(SymGoal::Is(Rc::new(holds), Rc::new(SymTerm::Bool(true))));
                value
            }
            ShapeKind::Tuple(parts) => {
                let parts = parts.iter().map(|it| self.fresh(code, *it, goals));
                Rc::new(SymTerm::Tuple(parts.collect::<Result<_, _>>()?))
            }
            ShapeKind::Sum(ctors) if ctors.len() == 1 && !code.shape(shape).is_sized => {
                let fields = ctors[0].fields.iter().map(|it| self.fresh(code, *it, goals));
                Rc::new(SymTerm::Data(ctors[0].ctor, fields.collect::<Result<_, _>>()?))
            }
            ShapeKind::Sum(_)
            | ShapeKind::List(_)
            | ShapeKind::Int
            | ShapeKind::Bool
            | ShapeKind::Char
            | ShapeKind::Collection(_)
            | ShapeKind::Opaque => Rc::new(SymTerm::Var(self.add_unknown(shape))),
        })
    }

    /// The term without variables that have a value at its head.
    pub(super) fn resolve(&self, term: &Sym) -> Sym {
        let mut term = Rc::clone(term);
        while let SymTerm::Var(var) = &*term {
            match &self.var(*var).value {
                Some(value) => term = Rc::clone(value),
                None => break,
            }
        }
        term
    }

    /// The term without variables that have a value.
    pub(super) fn resolve_fully(&self, term: &Sym) -> Sym {
        let head = self.resolve(term);
        if head.parts().is_empty() {
            return head;
        }
        let parts = head.map_parts::<NotDerived>(&mut |it| Ok(self.resolve_fully(it)));
        parts.map_or(head, Rc::new)
    }

    /// Calls `visit` with the variables without a value that a term contains.
    pub(super) fn each_var(&self, term: &Sym, visit: &mut dyn FnMut(SymVar)) {
        let head = self.resolve(term);
        if let SymTerm::Var(var) = &*head {
            visit(*var);
        }
        head.parts().into_iter().for_each(|it| self.each_var(it, visit));
    }

    /// Whether an integer variable is known to differ from a constant.
    pub(super) fn is_excluded(&self, var: SymVar, int: i64) -> bool {
        let Ok(difference) = LinearTerm::var(var).plus(-1, &LinearTerm::constant(int)) else {
            return false;
        };
        let equal = Constraint { term: difference, is: ToZero::Equal };
        self.constraints.iter().any(|it| it.contradicts(&equal))
    }

    /// The unknown variables in the terms of a goal, each once, in order.
    pub(super) fn unknowns_of_goal(&self, goal: &SymGoal) -> Vec<SymVar> {
        let mut found = Vec::new();
        self.add_unknowns_of_goal(goal, &mut found);
        found
    }

    fn add_unknowns_of_goal(&self, goal: &SymGoal, found: &mut Vec<SymVar>) {
        let SymGoal::Each(each) = goal else {
            goal.each_term(&mut |term| self.add_unknowns(term, found));
            return;
        };
        self.add_unknowns(&each.list, found);
        // What stands for an element is no unknown of its own.
        let elements = self.unknowns(&each.element);
        for goal in &each.goals {
            let inner = self.unknowns_of_goal(goal).into_iter();
            for var in inner.filter(|it| !elements.contains(it)) {
                if !found.contains(&var) {
                    found.push(var);
                }
            }
        }
    }

    /// The unknown variables of a term, each once, in order.
    pub(super) fn unknowns(&self, term: &Sym) -> Vec<SymVar> {
        let mut found = Vec::new();
        self.add_unknowns(term, &mut found);
        found
    }

    fn add_unknowns(&self, term: &Sym, found: &mut Vec<SymVar>) {
        self.each_var(term, &mut |var| {
            if !self.var(var).is_known && !found.contains(&var) {
                found.push(var);
            }
        });
    }

    /// The unknown variables of a term that are structures of any size.
    pub(super) fn heads(&self, code: &Code, term: &Sym) -> Vec<SymVar> {
        let unknowns = self.unknowns(term).into_iter();
        unknowns.filter(|it| is_structure(code, self.var(*it).shape)).collect()
    }
}

/// Whether values of a shape contain values of the same shape.
pub(super) fn is_structure(code: &Code, shape: ShapeId) -> bool {
    match &code.shape(shape).kind {
        ShapeKind::List(_) => true,
        ShapeKind::Sum(ctors) => ctors.iter().any(|it| it.n_recursive > 0),
        _ => false,
    }
}
