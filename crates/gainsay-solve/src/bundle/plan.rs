//! The order in which the parts of an alternative are drawn.
//!
//! Tests come first, then what is determined, then integers that the goals of structures depend on,
//! then structures in the order of the source: those that return a result before those that take
//! it. An integer is drawn once all its bounds are known, or follow from known ones.

mod bounds;
mod facets;
mod solutions;

use std::collections::HashMap;

use self::bounds::WhichIntegers;

use super::linear::{Constraint, LinearTerm, ToZero};
use super::recipe::{
    IntBounds, PartStep, RecipeExpr, RecipeMatch, RecipeRule, RecipeStep, RecipeTest, SizePath,
    SizeShare,
};
use super::state::{KnownMatch, RuleState, is_structure};
use super::term::{Sym, SymGoal, SymTerm, SymVar};
use super::{BundleDeriver, NotDerived};
use crate::code::{ShapeId, ShapeKind};

/// A part that is drawn, with its share of the size.
#[derive(Debug, Clone)]
struct Leaf {
    var: SymVar,
    size: SizePath,
}

/// An alternative whose parts are put in order.
pub(super) struct RulePlanner<'d, 'c> {
    deriver: &'d mut BundleDeriver<'c>,
    state: RuleState,
    n_params: usize,
    /// What each known variable is.
    known: HashMap<SymVar, RecipeExpr>,
    leaves: Vec<Leaf>,
    facets: Vec<SymGoal>,
    constraints: Vec<Constraint>,
    excluded: Vec<(LinearTerm, Sym)>,
    steps: Vec<RecipeStep>,
    admission: Vec<RecipeTest>,
    matches: Vec<RecipeMatch>,
    /// Terms that are not negative: bounds of what was drawn, and what is tested before.
    not_negative: Vec<RecipeExpr>,
    is_recursive: bool,
    may_die: bool,
}

impl BundleDeriver<'_> {
    /// Puts an alternative of the inputs in order.
    pub(super) fn plan_inputs(
        &mut self,
        state: RuleState,
        n_params: usize,
        inputs: &[Sym],
        shapes: &[ShapeId],
    ) -> Result<RecipeRule, NotDerived> {
        let mut planner = RulePlanner::new(self, state, n_params);
        for (input, shape) in inputs.iter().zip(shapes) {
            planner.add_leaves(input, *shape, &Vec::new());
        }
        planner.order()?;
        let values = inputs.iter().map(|it| planner.value(it)).collect::<Result<_, _>>()?;
        planner.finish(values, Vec::new())
    }

    /// Puts an alternative of a structure in order.
    pub(super) fn plan_part(
        &mut self,
        state: RuleState,
        results: &[Sym],
        (value, shape): (&Sym, ShapeId),
        n_params: usize,
    ) -> Result<RecipeRule, NotDerived> {
        let mut planner = RulePlanner::new(self, state, n_params);
        planner.add_leaves(value, shape, &Vec::new());
        planner.order()?;
        for result in results {
            planner.draw_result(result)?;
        }
        let value = planner.value(value)?;
        let results = results.iter().map(|it| planner.value(it)).collect::<Result<_, _>>()?;
        planner.finish(vec![value], results)
    }
}

impl<'d, 'c> RulePlanner<'d, 'c> {
    fn new(deriver: &'d mut BundleDeriver<'c>, mut state: RuleState, n_params: usize) -> Self {
        let params = (0..n_params as u32).map(SymVar);
        let known = params.map(|it| (it, RecipeExpr::Var(it))).collect();
        let facets = std::mem::take(&mut state.facets);
        let constraints = std::mem::take(&mut state.constraints);
        let excluded = std::mem::take(&mut state.excluded);
        let tests = std::mem::take(&mut state.tests);
        let matches = std::mem::take(&mut state.matches);
        let equalities = std::mem::take(&mut state.equalities);
        let pattern = |it: &KnownMatch| {
            let (pattern, n_constructors) = deriver.pattern_of(&state, it)?;
            Some(RecipeMatch { var: it.var, pattern, n_constructors })
        };
        let matches: Vec<RecipeMatch> = matches.iter().filter_map(pattern).collect();
        let mut planner = Self {
            deriver,
            state,
            n_params,
            known,
            leaves: Vec::new(),
            facets,
            constraints,
            excluded,
            steps: Vec::new(),
            admission: Vec::new(),
            matches,
            not_negative: Vec::new(),
            is_recursive: false,
            may_die: false,
        };
        for field in planner.matches.iter().flat_map(|it| it.pattern.vars()).collect::<Vec<_>>()
        {
            planner.known.insert(field, RecipeExpr::Var(field));
        }
        for (a, b) in equalities {
            let code = planner.deriver.code;
            let ty = code.shape(planner.deriver.base_shape(planner.state.var(a).shape)).ty;
            let (a, b) = (RecipeExpr::Var(a), RecipeExpr::Var(b));
            planner.add_test(RecipeTest::Equal(a, b, ty));
        }
        for (term, holds) in tests {
            if let Some(expr) = planner.expr(&term) {
                planner.add_test(RecipeTest::Is(expr, holds));
            }
        }
        planner
    }

    fn finish(
        self,
        values: Vec<RecipeExpr>,
        results: Vec<RecipeExpr>,
    ) -> Result<RecipeRule, NotDerived> {
        let code = self.deriver.code;
        let vars = self.state.vars.iter().map(|it| code.shape(it.shape).ty).collect();
        Ok(RecipeRule {
            constructor: 0,
            end_rank: 0,
            is_recursive: self.is_recursive,
            vars,
            matches: self.matches,
            admission: self.admission,
            steps: self.steps,
            values,
            results,
            may_die: self.may_die,
        })
    }

    /// Adds the parts of a value that have to be drawn.
    fn add_leaves(&mut self, value: &Sym, shape: ShapeId, size: &SizePath) {
        let code = self.deriver.code;
        let shape = self.deriver.base_shape(shape);
        let value = self.state.resolve(value);
        let with = |share: SizeShare| {
            let mut path = size.clone();
            path.push(share);
            path
        };
        match (&*value, &code.shape(shape).kind) {
            (SymTerm::Var(var), _) => {
                let is_new = self.leaves.iter().all(|it| it.var != *var);
                if is_new && !self.known.contains_key(var) {
                    self.leaves.push(Leaf { var: *var, size: size.clone() });
                }
            }
            (SymTerm::Tuple(parts), ShapeKind::Tuple(shapes)) => {
                let n = shapes.iter().filter(|it| code.shape(**it).is_sized).count() as u32;
                let path = if n > 1 { with(SizeShare::Element(n)) } else { size.clone() };
                for (part, shape) in parts.iter().zip(shapes) {
                    self.add_leaves(part, *shape, &path);
                }
            }
            (SymTerm::Data(ctor, parts), ShapeKind::Sum(ctors)) => {
                let Some(ctor) = ctors.iter().find(|it| it.ctor == *ctor) else { return };
                let path = match ctor.n_sized {
                    0 => size.clone(),
                    n => with(SizeShare::Field(n)),
                };
                for (part, shape) in parts.iter().zip(&ctor.fields) {
                    self.add_leaves(part, *shape, &path);
                }
            }
            (SymTerm::Cons(first, rest), ShapeKind::List(item)) => {
                let is_sized = code.shape(*item).is_sized;
                let path = if is_sized { with(SizeShare::Item) } else { size.clone() };
                self.add_leaves(first, *item, &path);
                self.add_leaves(rest, shape, &with(SizeShare::Rest(is_sized)));
            }
            _ => {}
        }
    }

    /// Draws everything that the alternative needs.
    fn order(&mut self) -> Result<(), NotDerived> {
        loop {
            self.settle_constraints()?;
            // After each draw everything starts anew, since constraints may be settled by it
            // and cheaper steps possible. Integers that goals of structures depend on are
            // drawn before these structures, all others after them.
            if self.pick_next_solution()?
                || self.draw_next_integer(WhichIntegers::Separating)?
                || self.draw_next_structure()?
                || self.draw_next_integer(WhichIntegers::All)?
                || self.draw_by_type()?
            {
                continue;
            }
            let is_done = self.facets.is_empty()
                && self.constraints.is_empty()
                && self.excluded.is_empty()
                && self.leaves.iter().all(|it| self.known.contains_key(&it.var));
            return if is_done { Ok(()) } else { Err(NotDerived::NoOrder) };
        }
    }

    /// Turns constraints on known integers into tests, and those that determine one into its value.
    fn settle_constraints(&mut self) -> Result<(), NotDerived> {
        loop {
            let mut settled = None;
            for (at, constraint) in self.constraints.iter().enumerate() {
                let unknown = self.unknown_pairs(&constraint.term);
                match (constraint.is, &unknown[..]) {
                    (_, []) => settled = Some((at, None)),
                    // Only a unit coefficient determines an integer for all values of the
                    // others.
                    (ToZero::Equal, [(var, 1 | -1)]) => settled = Some((at, Some(*var))),
                    _ => continue,
                }
                break;
            }
            let Some((at, determined)) = settled else { break };
            let constraint = self.constraints.remove(at);
            match determined {
                None => {
                    let test = self.constraint_test(&constraint)?;
                    self.add_test(test);
                }
                Some(var) => {
                    let value = self.solved_for(&constraint.term, var)?;
                    self.known.insert(var, value);
                }
            }
        }
        let excluded = std::mem::take(&mut self.excluded);
        for (term, list) in excluded {
            match (self.linear_expr(&term), self.expr(&list)) {
                (Some(it), Some(list)) => self.add_test(RecipeTest::NotIn(it, list)),
                _ => self.excluded.push((term, list)),
            }
        }
        Ok(())
    }

    /// The variables of a term that are not known, with their coefficients.
    fn unknown_pairs(&self, term: &LinearTerm) -> Vec<(SymVar, i64)> {
        let pairs = term.pairs().into_iter();
        pairs.filter(|(var, _)| !self.known.contains_key(var)).collect()
    }

    fn constraint_test(&self, constraint: &Constraint) -> Result<RecipeTest, NotDerived> {
        let op = match constraint.is {
            ToZero::Equal => gainsay_core::Comparison::Eq,
            ToZero::NotEqual => gainsay_core::Comparison::Ne,
            ToZero::AtMost => gainsay_core::Comparison::Le,
        };
        let term = self.linear_expr(&constraint.term).ok_or(NotDerived::NoOrder)?;
        Ok(RecipeTest::Compare(op, term, RecipeExpr::Int(0)))
    }

    /// Adds a test: before the alternative is chosen if that is possible.
    fn add_test(&mut self, test: RecipeTest) {
        if self.always_holds(&test) {
            return;
        }
        self.assume_test(&test);
        let mut is_static = true;
        test.each_var(&mut |var| is_static &= self.is_static(var));
        // A test of parameters alone guards the choice of the alternative. Any other test
        // rejects what has been drawn, which is a dead end.
        if is_static {
            if !self.admission.contains(&test) {
                self.admission.push(test);
            }
        } else {
            self.may_die = true;
            self.steps.push(RecipeStep::Test(test));
        }
    }

    /// Whether a variable is known before the alternative is chosen.
    fn is_static(&self, var: SymVar) -> bool {
        var.index() < self.n_params || self.matches.iter().any(|it| it.pattern.binds(var))
    }

    /// Whether a test follows from earlier ones, and from the bounds of what was drawn.
    fn always_holds(&self, test: &RecipeTest) -> bool {
        let is_at_least = |big: &RecipeExpr, small: &RecipeExpr| {
            let difference = difference(big.clone(), small.clone());
            let is_above = |known: &RecipeExpr| {
                let rest = self::difference(difference.clone(), known.clone());
                matches!(rest, RecipeExpr::Int(n) if n >= 0)
            };
            matches!(difference, RecipeExpr::Int(n) if n >= 0)
                || self.not_negative.iter().any(is_above)
        };
        match test {
            RecipeTest::Room(lo, hi) => {
                lo.iter().all(|lo| hi.iter().all(|hi| is_at_least(hi, lo)))
            }
            RecipeTest::Compare(gainsay_core::Comparison::Le, a, b) => is_at_least(b, a),
            RecipeTest::Equal(a, b, _) => a == b,
            RecipeTest::Compare(..) | RecipeTest::Is(..) => false,
            RecipeTest::NotIn(..) | RecipeTest::Solvable(..) => false,
        }
    }

    fn assume_test(&mut self, test: &RecipeTest) {
        match test {
            RecipeTest::Room(lo, hi) => {
                for lo in lo {
                    for hi in hi {
                        self.not_negative.push(difference(hi.clone(), lo.clone()));
                    }
                }
            }
            RecipeTest::Compare(gainsay_core::Comparison::Le, a, b) => {
                self.not_negative.push(difference(b.clone(), a.clone()));
            }
            RecipeTest::Compare(..) | RecipeTest::Is(..) | RecipeTest::NotIn(..) => {}
            RecipeTest::Equal(..) | RecipeTest::Solvable(..) => {}
        }
    }

    /// A term as an expression, if everything in it is known.
    fn expr(&self, term: &Sym) -> Option<RecipeExpr> {
        // A known value that is matched is there as a whole.
        if let SymTerm::Var(var) = &**term
            && let Some(known) = self.known.get(var)
        {
            return Some(known.clone());
        }
        let term = self.state.resolve(term);
        let all = |parts: &[Sym]| -> Option<Vec<RecipeExpr>> {
            parts.iter().map(|it| self.expr(it)).collect()
        };
        Some(match &*term {
            SymTerm::Var(var) => self.known.get(var)?.clone(),
            SymTerm::Int(int) => RecipeExpr::Int(*int),
            SymTerm::Bool(bool) => RecipeExpr::Bool(*bool),
            SymTerm::Data(ctor, parts) => RecipeExpr::Data(*ctor, all(parts)?),
            SymTerm::Tuple(parts) => RecipeExpr::Tuple(all(parts)?),
            SymTerm::Nil => RecipeExpr::List(Vec::new(), None),
            SymTerm::Cons(first, rest) => {
                RecipeExpr::List(vec![self.expr(first)?], Some(Box::new(self.expr(rest)?)))
            }
            SymTerm::Arithmetic(op, a, b) => {
                use crate::code::Arithmetic;
                let (a, b) = (self.expr(a)?, self.expr(b)?);
                match (op, &a, &b) {
                    (Arithmetic::Add, ..) => linear(vec![(1, a), (1, b)], 0),
                    (Arithmetic::Sub, ..) => linear(vec![(1, a), (-1, b)], 0),
                    (Arithmetic::Mul, RecipeExpr::Int(k), _) => linear(vec![(*k, b)], 0),
                    (Arithmetic::Mul, _, RecipeExpr::Int(k)) => linear(vec![(*k, a)], 0),
                    _ => return None,
                }
            }
            _ => return None,
        })
    }

    /// A value, all parts of which are known by now.
    fn value(&self, term: &Sym) -> Result<RecipeExpr, NotDerived> {
        self.expr(term).ok_or(NotDerived::NoOrder)
    }

    /// A linear term as an expression, if it is known.
    fn linear_expr(&self, term: &LinearTerm) -> Option<RecipeExpr> {
        let parts = term.pairs().into_iter();
        let parts = parts.map(|(var, factor)| Some((factor, self.known.get(&var)?.clone())));
        Some(linear(parts.collect::<Option<Vec<_>>>()?, term.constant))
    }

    /// The value of a variable that a term equal to 0 determines.
    fn solved_for(&self, term: &LinearTerm, var: SymVar) -> Result<RecipeExpr, NotDerived> {
        // The caller has made sure that the coefficient is a unit, so solving needs no
        // division.
        let own = term.coefficients.get(&var).copied().unwrap_or(1);
        let mut rest = term.clone();
        rest.coefficients.remove(&var);
        // c·x + r = 0 with c = ±1 is x = -c·r.
        let rest = LinearTerm::default().plus(-own, &rest)?;
        self.linear_expr(&rest).ok_or(NotDerived::NoOrder)
    }

    /// Draws a structure all of whose goals depend only on what is known.
    fn draw_next_structure(&mut self) -> Result<bool, NotDerived> {
        for at in 0..self.leaves.len() {
            let Leaf { var, size } = self.leaves[at].clone();
            if self.known.contains_key(&var) || !self.is_structure(var) {
                continue;
            }
            let about = self.facets_about(var)?;
            if about.is_empty() {
                // Drawn by type, once nothing else is left to draw.
                continue;
            }
            if self.is_ready(var, &about) {
                if self.draw_inside_wanted(&about) {
                    return Ok(true);
                }
                if self.draw_bounded_result(&about)? {
                    return Ok(true);
                }
                self.draw_part(var, size, &about)?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Draws with the bundle of the goals about a structure.
    fn draw_part(
        &mut self,
        var: SymVar,
        size: SizePath,
        about: &[usize],
    ) -> Result<(), NotDerived> {
        let (key, args, results) = self.key_of_facets(var, about)?;
        let ranges = self.ranges_of_results(about);
        let bundle = self.deriver.bundle(key)?;
        let mut at = 0;
        // The bundle meets these goals, and its results are known once it has drawn.
        self.facets.retain(|_| {
            at += 1;
            !about.contains(&(at - 1))
        });
        self.known.insert(var, RecipeExpr::Var(var));
        for result in &results {
            self.known.insert(*result, RecipeExpr::Var(*result));
        }
        self.not_negative.extend(ranges);
        self.is_recursive = true;
        self.steps.push(RecipeStep::Part(PartStep { var, bundle, args, results, size }));
        Ok(())
    }

    /// What is known of the results of functions, as terms that are not negative.
    fn ranges_of_results(&self, about: &[usize]) -> Vec<RecipeExpr> {
        let mut goals = Vec::new();
        for at in about {
            if let SymGoal::Is(term, wanted) = &self.facets[*at]
                && let SymTerm::Call(function, _) = &**term
            {
                let range = &self.deriver.code.function(*function).result_range;
                self.deriver.add_range(&self.state.resolve_fully(wanted), range, &mut goals);
            }
        }
        let mut found = Vec::new();
        for goal in goals {
            let SymGoal::Compare(op, a, b) = goal else { continue };
            if let (SymTerm::Var(var), SymTerm::Int(bound)) = (&*a, &*b) {
                let (var, bound) = (RecipeExpr::Var(*var), RecipeExpr::Int(*bound));
                found.push(match op {
                    gainsay_core::Comparison::Ge => difference(var, bound),
                    _ => difference(bound, var),
                });
            }
        }
        found
    }

    fn is_structure(&self, var: SymVar) -> bool {
        is_structure(self.deriver.code, self.state.var(var).shape)
    }

    fn is_int(&self, var: SymVar) -> bool {
        let shape = self.state.var(var).shape;
        matches!(self.deriver.code.shape(shape).kind, ShapeKind::Int)
    }

    /// Draws the next part without goals by its type.
    fn draw_by_type(&mut self) -> Result<bool, NotDerived> {
        for at in 0..self.leaves.len() {
            let Leaf { var, size } = self.leaves[at].clone();
            let is_free = !self.known.contains_key(&var)
                && !self.is_int(var)
                && self.facets_about(var)?.is_empty();
            if is_free {
                self.draw_any(var, size);
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn draw_any(&mut self, var: SymVar, size: SizePath) {
        self.is_recursive |= self.is_structure(var);
        self.known.insert(var, RecipeExpr::Var(var));
        self.steps.push(RecipeStep::Any(var, size));
    }

    /// Draws what a result leaves open.
    fn draw_result(&mut self, result: &Sym) -> Result<(), NotDerived> {
        for var in self.state.unknowns(result) {
            if self.known.contains_key(&var) {
                continue;
            }
            if self.is_int(var) {
                self.draw_int(var)?;
            } else {
                self.draw_any(var, Vec::new());
            }
            self.order()?;
        }
        Ok(())
    }

    fn draw_int(&mut self, var: SymVar) -> Result<(), NotDerived> {
        let bounds = self.take_bounds(var)?;
        self.known.insert(var, RecipeExpr::Var(var));
        self.admit_bounds(&bounds);
        for bound in &bounds.lo {
            self.not_negative.push(difference(RecipeExpr::Var(var), bound.clone()));
        }
        for bound in &bounds.hi {
            self.not_negative.push(difference(bound.clone(), RecipeExpr::Var(var)));
        }
        self.steps.push(RecipeStep::Int(var, bounds));
        Ok(())
    }

    /// Makes sure that an integer has a value, before the alternative is chosen if possible.
    fn admit_bounds(&mut self, bounds: &IntBounds) {
        let has_holes = !bounds.excluded.is_empty() || !bounds.excluded_lists.is_empty();
        if bounds.lo.is_empty() || bounds.hi.is_empty() {
            return;
        }
        // All values between two bounds may be excluded.
        self.may_die |= has_holes;
        self.add_test(RecipeTest::Room(bounds.lo.clone(), bounds.hi.clone()));
    }
}

fn difference(a: RecipeExpr, b: RecipeExpr) -> RecipeExpr {
    linear(vec![(1, a), (-1, b)], 0)
}

/// A sum, with constants and sums inside it added up.
fn linear(parts: Vec<(i64, RecipeExpr)>, constant: i64) -> RecipeExpr {
    let mut sum: Vec<(i64, RecipeExpr)> = Vec::new();
    let mut constant = constant;
    for (factor, part) in parts {
        let (inner, own) = match part {
            RecipeExpr::Int(int) => (Vec::new(), int),
            RecipeExpr::Linear(inner, own) => (inner, own),
            other => (vec![(1, other)], 0),
        };
        constant = constant.saturating_add(own.saturating_mul(factor));
        for (n, it) in inner {
            let n = n.saturating_mul(factor);
            match sum.iter_mut().find(|(_, same)| *same == it) {
                Some((m, _)) => *m = m.saturating_add(n),
                None => sum.push((n, it)),
            }
        }
    }
    sum.retain(|(n, _)| *n != 0);
    match (&sum[..], constant) {
        ([], _) => RecipeExpr::Int(constant),
        ([(1, only)], 0) => only.clone(),
        _ => RecipeExpr::Linear(sum, constant),
    }
}
