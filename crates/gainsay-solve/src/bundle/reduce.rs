//! From goals to alternatives: what must be true of the parts of a structure for the goals about
//! the whole to hold.
//!
//! Goals that are determined are reduced first, whatever their order; only then is a goal split
//! into alternatives. Those that contradict each other are dropped here and never tried when values
//! are drawn.

mod comparisons;

use std::rc::Rc;

use gainsay_core::{Comparison, Literal};

use super::linear::LinearTerm;
use super::state::{RuleState, is_structure};
use super::term::{Sym, SymGoal, SymTerm, SymVar};
use super::{BundleDeriver, NotDerived};
use crate::code::{CodeFnId, ExprId, Matcher, MatcherId, ResultRange, ShapeId, ShapeKind};

/// Alternatives of one constructor; goals that need more are left to the search.
const MAX_ALTERNATIVES: usize = 48;

/// Goals of one alternative that are reduced.
const MAX_GOALS: u32 = 4_000;

/// What became of a goal.
pub(super) enum Reduced {
    /// It holds, given the goals that were added and what was recorded in the state.
    Done,
    /// It cannot hold.
    Never,
    /// It holds in these alternatives: the constructors of a variable, or further goals.
    SplitVar(SymVar),
    Split(Vec<Vec<SymGoal>>),
}

impl BundleDeriver<'_> {
    /// The alternatives in which goals hold.
    pub(super) fn reduce(
        &mut self,
        state: RuleState,
        goals: Vec<SymGoal>,
    ) -> Result<Vec<RuleState>, NotDerived> {
        let mut done = Vec::new();
        let mut pending = vec![(state, goals)];
        let mut n_goals = 0;
        while let Some((mut state, mut goals)) = pending.pop() {
            let mut open: Vec<SymGoal> = Vec::new();
            let mut is_possible = true;
            while let Some(goal) = goals.pop() {
                n_goals += 1;
                if n_goals > MAX_GOALS {
                    return Err(NotDerived::TooLarge);
                }
                // Open goals are tried again only when a variable has got a value. Nothing
                // else can decide them, and each attempt evaluates code.
                let n_bound = state.n_bound();
                match self.reduce_goal(&mut state, &goal, &mut goals)? {
                    Reduced::Done => {}
                    Reduced::Never => {
                        is_possible = false;
                        break;
                    }
                    Reduced::SplitVar(_) | Reduced::Split(_) => open.push(goal),
                }
                // What was open or left to a structure may be determined now.
                if state.n_bound() > n_bound {
                    goals.append(&mut open);
                    goals.append(&mut state.facets);
                    self.reopen_constraints(&mut state, &mut goals);
                }
            }
            if !is_possible {
                continue;
            }
            let Some(goal) = open.pop() else {
                done.push(state);
                if done.len() > MAX_ALTERNATIVES {
                    return Err(NotDerived::TooManyAlternatives);
                }
                continue;
            };
            // Only now, with nothing determined any more, is one goal split. Splitting early
            // would multiply alternatives that another goal excludes.
            goals.append(&mut open);
            self.split(state, goal, goals, &mut pending)?;
        }
        // Alternatives were found last first.
        done.reverse();
        Ok(done)
    }

    /// Adds the alternatives of a goal that splits.
    fn split(
        &mut self,
        mut state: RuleState,
        goal: SymGoal,
        goals: Vec<SymGoal>,
        pending: &mut Vec<(RuleState, Vec<SymGoal>)>,
    ) -> Result<(), NotDerived> {
        // Reduced once more, because the alternatives refer to the state as it is now.
        let mut more = goals.clone();
        match self.reduce_goal(&mut state, &goal, &mut more)? {
            Reduced::Done => pending.push((state, more)),
            Reduced::Never => {}
            Reduced::Split(alternatives) => {
                for added in alternatives {
                    let goals = more.iter().cloned().chain(added).collect();
                    pending.push((state.clone(), goals));
                }
            }
            Reduced::SplitVar(var) => {
                let shape = self.base_shape(state.var(var).shape);
                let depth = state.var(var).depth + 1;
                let is_known = state.var(var).is_known;
                for at in 0..self.n_constructors(shape) {
                    if is_known {
                        let mut state = RuleState { depth, ..state.clone() };
                        let mut goals = more.clone();
                        self.match_known(&mut state, var, at)?;
                        goals.append(&mut state.facets);
                        goals.push(goal.clone());
                        pending.push((state, goals));
                        continue;
                    }
                    let mut state = RuleState { depth, ..state.clone() };
                    let mut goals = more.clone();
                    let value = self.constructed(&mut state, shape, at, &mut goals)?;
                    state.bind(var, value);
                    goals.append(&mut state.facets);
                    goals.push(goal.clone());
                    pending.push((state, goals));
                }
            }
        }
        if pending.len() > 4 * MAX_ALTERNATIVES {
            return Err(NotDerived::TooManyAlternatives);
        }
        Ok(())
    }

    /// The number of constructors of a shape that has any.
    pub(super) fn n_constructors(&self, shape: crate::code::ShapeId) -> usize {
        match &self.code.shape(shape).kind {
            ShapeKind::Sum(ctors) => ctors.len(),
            ShapeKind::List(_) | ShapeKind::Bool => 2,
            _ => 0,
        }
    }

    /// A constructor of a shape with unknown fields; the empty list and `false` are the first.
    pub(super) fn constructed(
        &mut self,
        state: &mut RuleState,
        shape: crate::code::ShapeId,
        at: usize,
        goals: &mut Vec<SymGoal>,
    ) -> Result<Sym, NotDerived> {
        let code = self.code;
        Ok(Rc::new(match &code.shape(shape).kind {
            ShapeKind::Sum(ctors) => {
                let ctor = &ctors[at];
                let fields = ctor.fields.iter().map(|it| state.fresh(code, *it, goals));
                SymTerm::Data(ctor.ctor, fields.collect::<Result<_, _>>()?)
            }
            ShapeKind::List(_) if at == 0 => SymTerm::Nil,
            ShapeKind::List(item) => {
                let first = state.fresh(code, *item, goals)?;
                SymTerm::Cons(first, Rc::new(SymTerm::Var(state.add_unknown(shape))))
            }
            ShapeKind::Bool => SymTerm::Bool(at == 1),
            _ => return Err(NotDerived::NotUnderstood),
        }))
    }

    /// Constraints whose variables have got values become goals again.
    fn reopen_constraints(&mut self, state: &mut RuleState, goals: &mut Vec<SymGoal>) {
        let is_stale = |state: &RuleState, term: &LinearTerm| {
            term.coefficients.keys().any(|it| state.var(*it).value.is_some())
        };
        let constraints = std::mem::take(&mut state.constraints);
        for constraint in constraints {
            if is_stale(state, &constraint.term) {
                goals.push(constraint.as_goal());
            } else {
                state.constraints.push(constraint);
            }
        }
        let excluded = std::mem::take(&mut state.excluded);
        for (term, list) in excluded {
            if is_stale(state, &term) {
                goals.push(SymGoal::NotIn(term.as_sym(), list));
            } else {
                state.excluded.push((term, list));
            }
        }
    }

    fn reduce_goal(
        &mut self,
        state: &mut RuleState,
        goal: &SymGoal,
        goals: &mut Vec<SymGoal>,
    ) -> Result<Reduced, NotDerived> {
        match goal {
            SymGoal::Is(term, wanted) => self.reduce_is(state, term, wanted, goals),
            SymGoal::Compare(op, a, b) => self.reduce_compare(state, *op, (a, b), goals),
            SymGoal::NotIn(a, list) => {
                let a = self.linear(state, a, goals)?;
                let is_new = !state.excluded.iter().any(|it| it.0 == a && it.1 == *list);
                if is_new {
                    state.excluded.push((a, Rc::clone(list)));
                }
                Ok(Reduced::Done)
            }
            SymGoal::Each(each) => match self.spread_each(state, each, goals)? {
                Some(alternatives) => Ok(only_or_split(alternatives, goals)),
                None => Err(NotDerived::RelatedStructures),
            },
        }
    }

    /// `term` has the value `wanted`.
    fn reduce_is(
        &mut self,
        state: &mut RuleState,
        term: &Sym,
        wanted: &Sym,
        goals: &mut Vec<SymGoal>,
    ) -> Result<Reduced, NotDerived> {
        let (term, wanted) = (self.force(state, term)?, self.force(state, wanted)?);
        if term == wanted {
            return Ok(Reduced::Done);
        }
        if wanted.is_suspended() {
            // Two computations with the same unknown value are a relation between structures,
            // for which there is no order in which to draw them.
            return match term.is_suspended() {
                true => Err(NotDerived::RelatedStructures),
                false => self.reduce_is(state, &wanted, &term, goals),
            };
        }
        if self.is_number(state, &term) && self.is_number(state, &wanted) {
            return self.reduce_compare(state, Comparison::Eq, (&term, &wanted), goals);
        }
        match (&*term, &*wanted) {
            (SymTerm::Var(var), _) if self.is_bindable(state, *var, &wanted) => {
                state.bind(*var, Rc::clone(&wanted));
                Ok(Reduced::Done)
            }
            (_, SymTerm::Var(var)) if self.is_bindable(state, *var, &term) => {
                state.bind(*var, Rc::clone(&term));
                Ok(Reduced::Done)
            }
            (SymTerm::Data(a, x), SymTerm::Data(b, y)) if a == b => {
                add_equal_parts(x, y, goals);
                Ok(Reduced::Done)
            }
            (SymTerm::Tuple(x), SymTerm::Tuple(y)) => {
                add_equal_parts(x, y, goals);
                Ok(Reduced::Done)
            }
            (SymTerm::Cons(x, xs), SymTerm::Cons(y, ys)) => {
                goals.push(SymGoal::Is(Rc::clone(xs), Rc::clone(ys)));
                goals.push(SymGoal::Is(Rc::clone(x), Rc::clone(y)));
                Ok(Reduced::Done)
            }
            // Functions have no equality.
            (SymTerm::Closure(..), _) | (_, SymTerm::Closure(..)) => {
                Err(NotDerived::NotUnderstood)
            }
            (a, b) if a.is_constructed() && b.is_constructed() => Ok(Reduced::Never),
            (SymTerm::Var(a), SymTerm::Var(b)) if self.is_compared(state, *a, *b) => {
                state.equalities.push((*a, *b));
                Ok(Reduced::Done)
            }
            (SymTerm::Var(var), _) if self.constructor_of(state, *var, &wanted).is_some() => {
                let at = self.constructor_of(state, *var, &wanted).unwrap_or_default();
                self.match_known(state, *var, at)?;
                goals.push(SymGoal::Is(Rc::clone(&term), Rc::clone(&wanted)));
                Ok(Reduced::Done)
            }
            (_, SymTerm::Var(var)) if self.constructor_of(state, *var, &term).is_some() => {
                self.reduce_is(state, &wanted, &term, goals)
            }
            (SymTerm::Rel(rel, args), _) => {
                self.reduce_relation(state, (*rel, args), &wanted, goals)
            }
            (SymTerm::Var(_), SymTerm::Bool(holds)) => {
                Ok(state.add_test((&term, *holds)).map_or(Reduced::Never, |()| Reduced::Done))
            }
            // The variable is known, but only when values are drawn; alternatives are chosen
            // before.
            (SymTerm::Var(_), _) => Err(NotDerived::KnownStructure),
            (SymTerm::Compare(op, a, b), SymTerm::Bool(holds)) => {
                let op = if *holds { *op } else { op.negated() };
                self.reduce_comparison(state, op, (a, b), goals)
            }
            (SymTerm::Not(a), SymTerm::Bool(holds)) => {
                goals.push(SymGoal::Is(Rc::clone(a), Rc::new(SymTerm::Bool(!holds))));
                Ok(Reduced::Done)
            }
            (SymTerm::Compare(..) | SymTerm::Not(_), SymTerm::Var(_)) => Ok(Reduced::Split(
                [true, false]
                    .map(|holds| {
                        let holds = Rc::new(SymTerm::Bool(holds));
                        vec![
                            SymGoal::Is(Rc::clone(&wanted), Rc::clone(&holds)),
                            SymGoal::Is(Rc::clone(&term), holds),
                        ]
                    })
                    .into(),
            )),
            (SymTerm::If(id, condition, locals), _) => {
                self.reduce_branch(state, (*id, condition, locals), &wanted, goals)
            }
            (SymTerm::Match(id, scrutinee, locals), _) => {
                let at = (*id, scrutinee, locals);
                self.reduce_match(state, &term, at, &wanted, goals)
            }
            (SymTerm::Call(function, args), _) => {
                self.reduce_call(state, &term, (*function, args), &wanted, goals)
            }
            (SymTerm::Field(base, at), _) => {
                self.reduce_field(state, (base, *at), &wanted, goals)
            }
            (SymTerm::Arithmetic(..), _) | (_, SymTerm::Arithmetic(..)) => {
                self.reduce_compare(state, Comparison::Eq, (&term, &wanted), goals)
            }
            _ => Err(NotDerived::NotUnderstood),
        }
    }

    /// A branch has a value: in the alternatives of its condition.
    fn reduce_branch(
        &mut self,
        state: &mut RuleState,
        (id, condition, locals): (ExprId, &Sym, &super::term::Locals),
        wanted: &Sym,
        goals: &mut Vec<SymGoal>,
    ) -> Result<Reduced, NotDerived> {
        let mut possible = Vec::new();
        for holds in [true, false] {
            let value = self.if_taken(state, (id, holds), locals)?;
            // A branch that cannot have the wanted value excludes its side of the condition:
            // this is how what is wanted of a result flows back.
            if self.can_be(state, &value, wanted)? {
                let holds = Rc::new(SymTerm::Bool(holds));
                possible.push(vec![
                    SymGoal::Is(value, Rc::clone(wanted)),
                    SymGoal::Is(Rc::clone(condition), holds),
                ]);
            }
        }
        Ok(only_or_split(possible, goals))
    }

    /// A field of something suspended has a value. The whole product gets a name, and with it all
    /// its fields: what else is said about the same product is then about the same names.
    fn reduce_field(
        &mut self,
        state: &mut RuleState,
        (base, at): (&Sym, u32),
        wanted: &Sym,
        goals: &mut Vec<SymGoal>,
    ) -> Result<Reduced, NotDerived> {
        let shape = self.shape_of(base)?;
        let name = self.named_product(state, base, shape, goals)?;
        let field = Rc::new(SymTerm::Field(name, at));
        goals.push(SymGoal::Is(field, Rc::clone(wanted)));
        Ok(Reduced::Done)
    }

    /// Whether a variable can take a value: an unknown that is not a number, and does not occur in
    /// it.
    fn is_bindable(&self, state: &RuleState, var: SymVar, value: &Sym) -> bool {
        let info = state.var(var);
        let is_var = matches!(&**value, SymTerm::Var(_));
        !info.is_known
            && !matches!(self.code.shape(info.shape).kind, ShapeKind::Int)
            && (value.is_constructed() || is_var)
            && !state.unknowns(value).contains(&var)
    }

    /// Whether a term is an integer that is not suspended.
    fn is_number(&self, state: &RuleState, term: &Sym) -> bool {
        match &**term {
            SymTerm::Int(_) | SymTerm::Arithmetic(..) => true,
            SymTerm::Var(var) => {
                matches!(self.code.shape(state.var(*var).shape).kind, ShapeKind::Int)
            }
            _ => false,
        }
    }

    /// Whether a value can be what is wanted, judging by its head.
    fn can_be(
        &mut self,
        state: &RuleState,
        value: &Sym,
        wanted: &Sym,
    ) -> Result<bool, NotDerived> {
        let (value, wanted) = (self.force(state, value)?, self.force(state, wanted)?);
        Ok(match (&*value, &*wanted) {
            (SymTerm::Bool(a), SymTerm::Bool(b)) => a == b,
            (SymTerm::Int(a), SymTerm::Int(b)) => a == b,
            (SymTerm::Data(a, _), SymTerm::Data(b, _)) => a == b,
            (SymTerm::Nil, SymTerm::Cons(..)) | (SymTerm::Cons(..), SymTerm::Nil) => false,
            _ => true,
        })
    }

    /// A name for the value of a suspended term; the same one for the same term.
    fn named(
        &mut self,
        state: &mut RuleState,
        term: &Sym,
        goals: &mut Vec<SymGoal>,
    ) -> Result<SymVar, NotDerived> {
        // A function has one value, so two uses of the same call share a variable: the heights
        // of one subtree, say, are equal.
        let named = goals.iter().chain(&state.facets).find_map(|it| match it {
            SymGoal::Is(named, value) if named == term => match &*state.resolve(value) {
                SymTerm::Var(var) => Some(*var),
                _ => None,
            },
            _ => None,
        });
        if let Some(var) = named {
            return Ok(var);
        }
        let shape = self.shape_of(term)?;
        let var = state.add_unknown(shape);
        goals.push(SymGoal::Is(Rc::clone(term), Rc::new(SymTerm::Var(var))));
        Ok(var)
    }

    /// A product of names for the fields of a suspended term.
    fn named_product(
        &mut self,
        state: &mut RuleState,
        term: &Sym,
        shape: ShapeId,
        goals: &mut Vec<SymGoal>,
    ) -> Result<Sym, NotDerived> {
        let known = goals.iter().chain(&state.facets).find_map(|it| match it {
            SymGoal::Is(named, value) if named == term => Some(state.resolve(value)),
            _ => None,
        });
        if let Some(known) = known.filter(|it| it.is_constructed()) {
            return Ok(known);
        }
        let mut added = Vec::new();
        let name = state.fresh(self.code, shape, &mut added)?;
        if !name.is_constructed() {
            return Err(NotDerived::NotUnderstood);
        }
        goals.extend(added);
        goals.push(SymGoal::Is(Rc::clone(term), Rc::clone(&name)));
        Ok(name)
    }

    /// A suspended match.
    fn reduce_match(
        &mut self,
        state: &mut RuleState,
        term: &Sym,
        (id, scrutinee, locals): (ExprId, &Sym, &super::term::Locals),
        wanted: &Sym,
        goals: &mut Vec<SymGoal>,
    ) -> Result<Reduced, NotDerived> {
        let blocker = self.blocker(state, id, scrutinee)?;
        let blocker = self.force(state, &blocker)?;
        if let SymTerm::Var(var) = &*blocker {
            let info = state.var(*var);
            if info.is_known {
                let is_opaque = self.n_constructors(self.base_shape(info.shape)) == 0;
                if is_opaque || info.depth >= MAX_NESTING {
                    return Err(NotDerived::KnownStructure);
                }
                return Ok(Reduced::SplitVar(*var));
            }
            if is_structure(self.code, info.shape) {
                let heads = state.heads(self.code, term);
                // What another goal tells is not drawn: it is looked into here.
                if heads == [*var] && !is_told(state, goals, *var) {
                    return self.add_facet(state, term, wanted, goals);
                }
            }
            if matches!(self.code.shape(info.shape).kind, ShapeKind::Int) {
                return self.split_literals(id, &blocker, term, wanted);
            }
            // Each constructor inside another multiplies the alternatives.
            if info.depth >= MAX_NESTING {
                return Err(NotDerived::RelatedStructures);
            }
            return Ok(Reduced::SplitVar(*var));
        }
        if self.is_number(state, &blocker) {
            return self.split_literals(id, &blocker, term, wanted);
        }
        // A match on the value of something suspended: its value gets a name.
        if !blocker.is_suspended()
            && !matches!(&*blocker, SymTerm::Compare(..) | SymTerm::Not(_))
        {
            return Err(NotDerived::NotUnderstood);
        }
        let shape = self.shape_of(&blocker)?;
        let mut added = Vec::new();
        // A result is inside of nothing, however deep the structure has been looked into.
        let depth = std::mem::take(&mut state.depth);
        let name = state.fresh(self.code, shape, &mut added)?;
        state.depth = depth;
        goals.extend(added);
        goals.push(SymGoal::Is(Rc::clone(&blocker), Rc::clone(&name)));
        let scrutinee = replaced(scrutinee, &blocker, &name);
        let matched = Rc::new(SymTerm::Match(id, scrutinee, Rc::clone(locals)));
        goals.push(SymGoal::Is(matched, Rc::clone(wanted)));
        Ok(Reduced::Done)
    }

    /// Splits a match on an integer by the numbers in its patterns.
    fn split_literals(
        &mut self,
        id: ExprId,
        blocker: &Sym,
        term: &Sym,
        wanted: &Sym,
    ) -> Result<Reduced, NotDerived> {
        let SymTerm::Var(_) = &**blocker else { return Err(NotDerived::NotUnderstood) };
        let mut literals = Vec::new();
        for (matcher, _) in self.arms(id) {
            self.add_literals(matcher, &mut literals);
        }
        let again = SymGoal::Is(Rc::clone(term), Rc::clone(wanted));
        let is =
            |op, int: i64| SymGoal::Compare(op, Rc::clone(blocker), Rc::new(SymTerm::Int(int)));
        let mut alternatives: Vec<Vec<SymGoal>> =
            literals.iter().map(|int| vec![again.clone(), is(Comparison::Eq, *int)]).collect();
        let none = literals.iter().map(|int| is(Comparison::Ne, *int));
        // Any other number: the arms without literals.
        alternatives.push([again.clone()].into_iter().chain(none).collect());
        Ok(Reduced::Split(alternatives))
    }

    /// Adds the integers that a pattern mentions.
    fn add_literals(&self, id: MatcherId, literals: &mut Vec<i64>) {
        match self.code.matcher(id) {
            Matcher::Literal(Literal::Int(int)) => {
                if !literals.contains(int) {
                    literals.push(*int);
                }
            }
            Matcher::Any | Matcher::Bind(_) | Matcher::Literal(_) => {}
            Matcher::Tuple(parts) | Matcher::Ctor(_, parts) | Matcher::Or(parts) => {
                parts.iter().for_each(|it| self.add_literals(*it, literals));
            }
            Matcher::List(items, rest) => {
                items.iter().chain(rest).for_each(|it| self.add_literals(*it, literals));
            }
        }
    }

    /// A suspended call.
    fn reduce_call(
        &mut self,
        state: &mut RuleState,
        term: &Sym,
        (function, args): (CodeFnId, &[Sym]),
        wanted: &Sym,
        goals: &mut Vec<SymGoal>,
    ) -> Result<Reduced, NotDerived> {
        if self.is_assumed_call(state, term) {
            return self.add_facet(state, term, wanted, goals);
        }
        if let SymTerm::Bool(_) = &**wanted
            && let Some(each) = self.as_each_element(state, (function, args), wanted)?
        {
            goals.push(SymGoal::Each(each));
            return Ok(Reduced::Done);
        }
        let heads = state.heads(self.code, term);
        let is_recursive = self.recursive_functions().contains(&function);
        if is_recursive && heads.is_empty() && self.known_driver(state, term)?.is_some() {
            let named = self.with_named_integers(state, args, goals)?;
            let named = Rc::new(SymTerm::Call(function, named));
            return self.add_facet(state, &named, wanted, goals);
        }
        let head = match heads[..] {
            _ if !is_recursive => None,
            [only] => Some(only),
            // Of several, the one that the function looks into; the others are drawn before.
            _ => self.head_of(state, term)?,
        };
        if let Some(head) = head
            && self.is_about(state, args, head)
        {
            // What the function can return at all bounds the unknown result, such as a height
            // from 0 on.
            let range = self.code.function(function).result_range.clone();
            self.add_range(wanted, &range, goals);
            return self.add_facet(state, term, wanted, goals);
        }
        let body = self.inlined(state, function, args)?;
        if self.recursive_functions().contains(&function) {
            // Only what a known value decides: a recursion over several unknowns does not end.
            let is_decided_here = match &*body {
                SymTerm::If(..) => heads.len() <= 1,
                SymTerm::Match(id, scrutinee, _) => {
                    let blocker = self.blocker(state, *id, scrutinee)?;
                    match &*self.force(state, &blocker)? {
                        SymTerm::Var(var) => {
                            heads.len() <= 1 || !is_structure(self.code, state.var(*var).shape)
                        }
                        _ => false,
                    }
                }
                _ => false,
            };
            if !is_decided_here {
                return Err(NotDerived::RelatedStructures);
            }
        }
        goals.push(SymGoal::Is(body, Rc::clone(wanted)));
        Ok(Reduced::Done)
    }

    /// Whether a call is about an unknown as it is, or about what another call makes of it.
    fn is_about(&self, state: &RuleState, args: &[Sym], head: SymVar) -> bool {
        args.iter().all(|arg| {
            let arg = state.resolve(arg);
            let is_constructed =
                matches!(&*arg, SymTerm::Data(..) | SymTerm::Cons(..) | SymTerm::Tuple(_));
            !is_constructed || !state.unknowns(&arg).contains(&head)
        })
    }

    /// Leaves a goal to the generator of the structure that it is about.
    pub(super) fn add_facet(
        &mut self,
        state: &mut RuleState,
        term: &Sym,
        wanted: &Sym,
        goals: &mut Vec<SymGoal>,
    ) -> Result<Reduced, NotDerived> {
        for facet in &state.facets {
            if let SymGoal::Is(same, value) = facet
                && same == term
            {
                // A function has one value.
                goals.push(SymGoal::Is(Rc::clone(value), Rc::clone(wanted)));
                return Ok(Reduced::Done);
            }
        }
        let term = state.resolve_fully(term);
        state.facets.push(SymGoal::Is(term, Rc::clone(wanted)));
        Ok(Reduced::Done)
    }

    /// What is known of the result of a function, whatever its arguments.
    pub(super) fn add_range(
        &self,
        wanted: &Sym,
        range: &ResultRange,
        goals: &mut Vec<SymGoal>,
    ) {
        match (range, &**wanted) {
            (ResultRange::Int(lo, hi), SymTerm::Var(_) | SymTerm::Int(_)) => {
                for (op, bound) in [(Comparison::Ge, *lo), (Comparison::Le, *hi)] {
                    if crate::ranges::is_finite(bound) {
                        let bound = Rc::new(SymTerm::Int(bound));
                        goals.push(SymGoal::Compare(op, Rc::clone(wanted), bound));
                    }
                }
            }
            (ResultRange::Tuple(ranges), SymTerm::Tuple(parts)) => {
                for (range, part) in ranges.iter().zip(parts) {
                    self.add_range(part, range, goals);
                }
            }
            _ => {}
        }
    }
}

/// Whether a goal tells a variable.
fn is_told(state: &RuleState, goals: &[SymGoal], var: SymVar) -> bool {
    goals.iter().chain(&state.facets).any(|it| match it {
        SymGoal::Is(term, wanted) => {
            term.is_suspended() && state.unknowns(&state.resolve(wanted)).contains(&var)
        }
        _ => false,
    })
}

/// Constructors inside constructors that one alternative looks into.
const MAX_NESTING: u32 = 3;

/// The term with a part replaced.
pub(super) fn replaced(term: &Sym, part: &Sym, by: &Sym) -> Sym {
    if term == part {
        return Rc::clone(by);
    }
    let changed =
        term.map_parts::<std::convert::Infallible>(&mut |it| Ok(replaced(it, part, by)));
    changed.map_or_else(|never| match never {}, Rc::new)
}

fn add_equal_parts(x: &[Sym], y: &[Sym], goals: &mut Vec<SymGoal>) {
    let parts = x.iter().zip(y).rev();
    goals.extend(parts.map(|(x, y)| SymGoal::Is(Rc::clone(x), Rc::clone(y))));
}

/// The only alternative, or all of them.
fn only_or_split(mut alternatives: Vec<Vec<SymGoal>>, goals: &mut Vec<SymGoal>) -> Reduced {
    match alternatives.len() {
        0 => Reduced::Never,
        1 => {
            goals.extend(alternatives.remove(0));
            Reduced::Done
        }
        _ => Reduced::Split(alternatives),
    }
}
