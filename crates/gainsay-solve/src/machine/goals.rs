//! Goals: what is left to evaluate once an unknown is known.

use gainsay_core::Comparison;

use super::choice::OrderItem;
use super::equality::{Blocker, Equality};
use super::heap::{Cell, Change, Ref, Refs};
use super::lookup::Lookup;
use super::matching::{Fit, MatchOutcome};
use super::probe::Probe;
use super::{Budget, Interrupt, Machine, NoSolution, Run, Step};
use crate::code::{
    BranchSide, CodeFnId, CodeRelId, CodeRule, Expr, ExprId, Matcher, MatcherId, ShapeId,
};

/// One side of a branch.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum Alternative {
    Known(bool),
    Expr(ExprId),
}

/// A goal.
#[derive(Debug, Copy, Clone)]
pub(super) enum Goal {
    /// `if condition { then } else { otherwise }` is the result.
    Branch { condition: Ref, then: Alternative, otherwise: Alternative, env: Refs, result: Ref },
    /// A match is the result.
    Match { id: ExprId, scrutinee: Ref, env: Refs, result: Ref },
    /// `!a` is the result.
    Not { a: Ref, result: Ref },
    /// A comparison is the result.
    Compare { comparison: Comparison, a: Ref, b: Ref, result: Ref },
    /// Two terms are different.
    Differ { a: Ref, b: Ref },
    /// A pattern does not match.
    Refute { matcher: MatcherId, it: Ref },
    /// An or-pattern matches.
    AnyOf { matcher: MatcherId, it: Ref, env: Refs },
    /// A builtin, once its arguments are known.
    Test { call: ExprId, args: Refs, result: Ref },
    /// The body of a function that was called too deep inside other calls.
    Enter { function: CodeFnId, env: Refs, result: Ref },
    /// A relation holds.
    Holds { rel: CodeRelId, args: Refs, depth: u32 },
    /// A lookup in a set or map.
    LookUp(Lookup),
    /// The number of items of a collection.
    Count { it: Ref, shape: ShapeId, result: Ref },
    /// `n` is 1 if a condition holds, and 0 if it does not.
    Indicate { holds: Ref, n: Ref },
    /// A term is less than another, or at most as large.
    Ordered { a: Ref, b: Ref, comparison: Comparison },
    /// The same, as soon as it is known whether two integers are equal that are not in the wrong
    /// order.
    OrderedBy { are_equal: Ref, first: (Ref, Ref), a: Ref, b: Ref, comparison: Comparison },
    /// Whether a relation holds, once its arguments are known.
    Decide { rel: CodeRelId, args: Refs, result: Ref },
}

impl Goal {
    /// What it computes, if it computes something.
    fn result(&self) -> Option<Ref> {
        match *self {
            Goal::Branch { result, .. }
            | Goal::Match { result, .. }
            | Goal::Not { result, .. }
            | Goal::Compare { result, .. }
            | Goal::Test { result, .. }
            | Goal::Enter { result, .. }
            | Goal::Count { result, .. }
            | Goal::LookUp(Lookup { result, .. })
            | Goal::Decide { result, .. } => Some(result),
            Goal::Differ { .. } | Goal::Refute { .. } | Goal::AnyOf { .. } => None,
            Goal::Holds { .. } | Goal::Indicate { .. } => None,
            Goal::Ordered { .. } | Goal::OrderedBy { .. } => None,
        }
    }
}

/// What a goal did.
pub(super) enum Progress {
    Done,
    Waits([Option<Blocker>; 2]),
}

impl Run<'_, '_> {
    pub(super) fn add_goal(&mut self, goal: Goal) -> u32 {
        self.it.goals.push(goal);
        self.it.is_done.push(false);
        self.it.goals.len() as u32 - 1
    }

    /// Adds a goal, and lets it wait.
    pub(super) fn suspend(&mut self, goal: Goal) -> Step<()> {
        let id = self.add_goal(goal);
        // The goal will decide this unknown, so it should not be chosen as long as other
        // unknowns can.
        if let Some(result) = goal.result() {
            self.produce(result, id);
        }
        if let Goal::Branch { condition, then, otherwise, env, result } = goal
            && let Some(branch) =
                self.arithmetic_branch(condition, [then, otherwise], env, result)
        {
            self.watch_branch(&branch, id);
        }
        self.run_goal(id)
    }

    /// Notes that unknowns are the result of a goal.
    fn produce(&mut self, result: Ref, goal: u32) {
        match self.it.heap.cell(result) {
            Cell::Unknown(id) => self.it.heap.set_producer(id, goal),
            Cell::Tuple(parts) => {
                for at in 0..parts.len as usize {
                    self.produce(self.it.heap.part(parts, at), goal);
                }
            }
            _ => {}
        }
    }

    pub(super) fn is_comparison(&self, goal: u32) -> bool {
        matches!(self.it.goals[goal as usize], Goal::Compare { .. })
    }

    /// Runs goals until all that are left wait.
    pub(super) fn run_ready(&mut self) -> Step<()> {
        loop {
            let woken = &mut self.it.store.woken;
            self.it.ready.append(woken);
            let Some(goal) = self.it.ready.pop() else { return Ok(()) };
            // A goal can be woken several times before its turn, and links to finished goals
            // stay.
            if !self.it.is_done[goal as usize] {
                self.step()?;
                self.run_goal(goal)?;
            }
        }
    }

    fn run_goal(&mut self, id: u32) -> Step<()> {
        match self.progress(id)? {
            Progress::Done => {}
            Progress::Waits(blockers) => {
                for blocker in blockers.into_iter().flatten() {
                    self.wait_for(blocker, id);
                }
            }
        }
        Ok(())
    }

    pub(super) fn wait_for(&mut self, blocker: Blocker, goal: u32) {
        match blocker {
            Blocker::Unknown(id) => {
                let is_watched = self.it.heap.watchers(id).any(|it| it == goal);
                if !is_watched {
                    self.it.heap.watch(id, goal);
                }
            }
            Blocker::Var(var) => self.it.store.watch_once(var, goal),
        }
    }

    pub(super) fn finish(&mut self, id: u32) {
        self.it.heap.changes.push(Change::GoalDone(id));
        self.it.is_done[id as usize] = true;
    }

    fn progress(&mut self, id: u32) -> Step<Progress> {
        match self.it.goals[id as usize] {
            Goal::Branch { condition, then, otherwise, env, result } => {
                self.run_branch(id, condition, (then, otherwise), env, result)
            }
            Goal::Match { id: expr, scrutinee, env, result } => {
                let Expr::Match(_, arms) = self.context.code.expr(expr) else {
                    return self.cut();
                };
                match self.match_outcome(arms, scrutinee, env, Some(result))? {
                    MatchOutcome::Waits(blockers) => Ok(Progress::Waits(blockers)),
                    MatchOutcome::Taken(at) => {
                        self.finish(id);
                        self.take_arm(arms, at, scrutinee, env, Some(result))?;
                        Ok(Progress::Done)
                    }
                }
            }
            Goal::Not { a, result } => {
                let known = [a, result].map(|it| self.known_bool(Some(it)));
                let (other, value) = match known {
                    [Some(a), _] => (result, !a),
                    [None, Some(result)] => (a, !result),
                    [None, None] => {
                        return Ok(Progress::Waits([self.blocker(a), self.blocker(result)]));
                    }
                };
                self.finish(id);
                self.unify(other, Ref::from(value))?;
                Ok(Progress::Done)
            }
            Goal::Compare { comparison, a, b, result } => {
                self.run_compare(id, comparison, a, b, result)
            }
            Goal::Differ { a, b } => match self.equality(a, b)? {
                Equality::Different => {
                    self.finish(id);
                    Ok(Progress::Done)
                }
                Equality::Equal => Err(Interrupt::Conflict),
                Equality::Open { a: x, b: y, is_only } => {
                    let are_ints = matches!(self.it.heap.cell(x), Cell::Var(_) | Cell::Int(_))
                        && matches!(self.it.heap.cell(y), Cell::Var(_) | Cell::Int(_));
                    if is_only && are_ints {
                        self.finish(id);
                        self.separate(x, y)?;
                        return Ok(Progress::Done);
                    }
                    Ok(Progress::Waits([self.blocker(x), self.blocker(y)]))
                }
            },
            Goal::Refute { matcher, it } => match self.fit(matcher, it) {
                Fit::No => {
                    self.finish(id);
                    Ok(Progress::Done)
                }
                Fit::Yes => Err(Interrupt::Conflict),
                Fit::Open(blocker) => Ok(Progress::Waits([Some(blocker), None])),
            },
            Goal::AnyOf { matcher, it, env } => self.run_any_of(id, matcher, it, env),
            Goal::Test { call, args, result } => self.run_test(id, call, args, result),
            Goal::Enter { function, env, result } => {
                self.finish(id);
                self.enter(function, env, Some(result))?;
                Ok(Progress::Done)
            }
            Goal::Holds { rel, args, depth } => self.run_rel(id, (rel, args), depth),
            Goal::Decide { rel, args, result } => self.run_decide(id, rel, args, result),
            Goal::LookUp(lookup) => self.run_lookup(id, lookup),
            Goal::Count { it, shape, result } => {
                if let Some(blocker) = self.blocker(it) {
                    return Ok(Progress::Waits([Some(blocker), None]));
                }
                self.finish(id);
                self.count(it, shape, Some(result))?;
                Ok(Progress::Done)
            }
            Goal::Indicate { holds, n } => self.run_indicate(id, holds, n),
            Goal::Ordered { a, b, comparison } => self.run_ordered(id, (a, b), comparison),
            Goal::OrderedBy { are_equal, first: (x, y), a, b, comparison } => {
                let Some(equal) = self.known_bool(Some(are_equal)) else {
                    return Ok(Progress::Waits([self.blocker(are_equal), None]));
                };
                self.finish(id);
                if equal {
                    self.suspend(Goal::Ordered { a, b, comparison })?;
                } else {
                    self.require(Comparison::Lt, x, y)?;
                }
                Ok(Progress::Done)
            }
        }
    }

    fn run_indicate(&mut self, id: u32, holds: Ref, n: Ref) -> Step<Progress> {
        match (self.known_bool(Some(holds)), self.known_int(n)) {
            (Some(known), _) => {
                self.finish(id);
                let int = self.it.heap.int(i64::from(known));
                self.unify(n, int)?;
            }
            (None, Some(int)) => {
                self.finish(id);
                self.unify(holds, Ref::from(int == 1))?;
            }
            (None, None) => {
                return Ok(Progress::Waits([self.blocker(holds), self.blocker(n)]));
            }
        }
        Ok(Progress::Done)
    }

    fn run_branch(
        &mut self,
        id: u32,
        condition: Ref,
        (then, otherwise): (Alternative, Alternative),
        env: Refs,
        result: Ref,
    ) -> Step<Progress> {
        let taken = match self.known_bool(Some(condition)) {
            Some(holds) => holds,
            None => {
                // The condition is unknown, but the result may be known well enough to exclude
                // a side. This is how what is wanted flows back into a call.
                let fits = [then, otherwise].map(|it| self.can_be(it, env, result));
                match fits {
                    [Fit::No, Fit::No] => return Err(Interrupt::Conflict),
                    [Fit::No, _] => false,
                    [_, Fit::No] => true,
                    [a, b] => {
                        let branch =
                            self.arithmetic_branch(condition, [then, otherwise], env, result);
                        if let Some(branch) = branch
                            && let Probe::Only(side) = self.probe_branch(&branch)?
                        {
                            let holds = side == BranchSide::Then;
                            let taken = if holds { then } else { otherwise };
                            return self.take_branch(
                                id,
                                condition,
                                (taken, holds),
                                env,
                                result,
                            );
                        }
                        let wanted = [a, b].into_iter().find_map(|it| match it {
                            Fit::Open(blocker) => Some(blocker),
                            Fit::Yes | Fit::No => None,
                        });
                        return Ok(Progress::Waits([self.blocker(condition), wanted]));
                    }
                }
            }
        };
        let side = if taken { then } else { otherwise };
        self.take_branch(id, condition, (side, taken), env, result)
    }

    /// Takes one side of a branch.
    fn take_branch(
        &mut self,
        id: u32,
        condition: Ref,
        (side, holds): (Alternative, bool),
        env: Refs,
        result: Ref,
    ) -> Step<Progress> {
        self.finish(id);
        self.unify(condition, Ref::from(holds))?;
        self.eval_alternative(side, env, Some(result))?;
        Ok(Progress::Done)
    }

    fn run_compare(
        &mut self,
        id: u32,
        comparison: Comparison,
        a: Ref,
        b: Ref,
        result: Ref,
    ) -> Step<Progress> {
        if let Some(holds) = self.decide(comparison, a, b)? {
            self.finish(id);
            self.unify(result, Ref::from(holds))?;
            return Ok(Progress::Done);
        }
        if let Some(holds) = self.known_bool(Some(result)) {
            self.finish(id);
            let required = if holds { comparison } else { comparison.negated() };
            self.require(required, a, b)?;
            return Ok(Progress::Done);
        }
        let [x, y] = self.comparison_blockers(a, b)?;
        if let Some(blocker) = self.blocker(result) {
            self.wait_for(blocker, id);
        }
        Ok(Progress::Waits([x, y]))
    }

    fn run_any_of(
        &mut self,
        id: u32,
        matcher: MatcherId,
        it: Ref,
        env: Refs,
    ) -> Step<Progress> {
        let Matcher::Or(parts) = self.context.code.matcher(matcher) else { return self.cut() };
        let mut blocker = None;
        let mut fitting = Vec::new();
        for part in parts {
            match self.fit(*part, it) {
                Fit::No => {}
                Fit::Yes => fitting.push(*part),
                Fit::Open(open) => {
                    blocker = blocker.or(Some(open));
                    fitting.push(*part);
                }
            }
        }
        // With one alternative left, it must match. If all that are left match for certain,
        // any of them will do.
        if fitting.len() > 1 && blocker.is_some() {
            return Ok(Progress::Waits([blocker, None]));
        }
        let Some(first) = fitting.first() else { return Err(Interrupt::Conflict) };
        self.finish(id);
        self.bind_pattern(*first, it, env)?;
        Ok(Progress::Done)
    }

    fn run_test(&mut self, id: u32, expr: ExprId, args: Refs, result: Ref) -> Step<Progress> {
        let args: Vec<Ref> =
            (0..args.len as usize).map(|it| self.it.heap.part(args, it)).collect();
        if let Some(blocker) = self.first_unknown_of(&args)? {
            return Ok(Progress::Waits([Some(blocker), None]));
        }
        let Expr::Builtin(call) = self.context.code.expr(expr) else { return self.cut() };
        self.finish(id);
        let value = self.run_builtin(call, &args)?;
        self.unify(value, result)?;
        Ok(Progress::Done)
    }

    pub(super) fn eval_rel(
        &mut self,
        rel: CodeRelId,
        args: &[Ref],
        want: Option<Ref>,
    ) -> Step<Ref> {
        let args = self.it.heap.add_refs(args.iter().copied());
        if self.known_bool(want) == Some(true) {
            let depth = self.it.rule_depth;
            self.suspend(Goal::Holds { rel, args, depth })?;
            return Ok(Ref::TRUE);
        }
        let result = match want {
            Some(want) => want,
            None => self.fresh(self.context.code.bool_shape, 0)?,
        };
        // To make a relation hold, its rules are applied. To find out whether it holds, and
        // above all that it does not, its arguments must be known: failure to derive it from
        // unknowns would prove nothing.
        self.suspend(Goal::Decide { rel, args, result })?;
        Ok(result)
    }

    fn first_unknown_of(&mut self, args: &[Ref]) -> Step<Option<Blocker>> {
        for arg in args {
            if let Some(blocker) = self.first_unknown(*arg)? {
                return Ok(Some(blocker));
            }
        }
        Ok(None)
    }

    fn run_rel(
        &mut self,
        id: u32,
        (rel, args): (CodeRelId, Refs),
        depth: u32,
    ) -> Step<Progress> {
        let code = self.context.code;
        let rules = &code.rel(rel).rules;
        let mut only = None;
        let mut blockers = Vec::new();
        for (at, rule) in rules.iter().enumerate() {
            let fits = self.conclusion_fits(rule, args, &mut |it| blockers.push(it));
            match (fits, only) {
                (false, _) => {}
                (true, None) => only = Some(Some(at)),
                (true, Some(_)) => only = Some(None),
            }
        }
        match only {
            None => Err(Interrupt::Conflict),
            Some(Some(at)) => {
                self.finish(id);
                self.apply_rule(&rules[at], args, depth)?;
                Ok(Progress::Done)
            }
            Some(None) => {
                // An argument that becomes known may rule a rule out.
                for blocker in blockers {
                    self.wait_for(blocker, id);
                }
                // A choice that leaves several rules is followed by that of the rule, before anything
                // else is decided: a contradiction between both is then found at once. So the
                // goal moves to where the choice was made; where it stood before, it will be done.
                let is_next =
                    self.it.order[self.it.cursor as usize].item == OrderItem::Goal(id);
                if !is_next {
                    self.insert_item(OrderItem::Goal(id));
                }
                Ok(Progress::Waits([None, None]))
            }
        }
    }

    /// Whether the conclusion of a rule can be about these arguments.
    pub(super) fn can_conclude(&self, rule: &CodeRule, args: Refs) -> bool {
        self.conclusion_fits(rule, args, &mut |_| {})
    }

    /// The same; what decides it later is reported.
    fn conclusion_fits(
        &self,
        rule: &CodeRule,
        args: Refs,
        report: &mut dyn FnMut(Blocker),
    ) -> bool {
        // The frame of the rule does not exist yet, and constructors are all that is looked at.
        let no_frame = Refs { start: 0, len: 0 };
        rule.conclusion.iter().enumerate().all(|(at, term)| {
            let Some(term) = term else { return true };
            let arg = self.it.heap.part(args, at);
            match self.can_be(Alternative::Expr(*term), no_frame, arg) {
                Fit::No => false,
                Fit::Yes => true,
                Fit::Open(blocker) => {
                    report(blocker);
                    true
                }
            }
        })
    }

    /// Concludes by a rule: its variables are new unknowns, its premises hold.
    pub(super) fn apply_rule(&mut self, rule: &CodeRule, args: Refs, depth: u32) -> Step<()> {
        self.step()?;
        if depth > self.it.growth.rule_depth {
            return self.cut();
        }
        // Premises that are posed on the way inherit the depth; goals that wait carry their
        // own.
        let outside = std::mem::replace(&mut self.it.rule_depth, depth + 1);
        let applied = self.conclude(rule, args);
        self.it.rule_depth = outside;
        applied
    }

    fn conclude(&mut self, rule: &CodeRule, args: Refs) -> Step<()> {
        let env = self.frame(rule.slots.len() as u32, &[]);
        for (at, shape) in rule.slots.iter().enumerate() {
            let fresh = self.fresh(*shape, super::eval::UNSIZED)?;
            self.it.heap.refs[env.start as usize + at] = fresh;
        }
        // The conclusion first: it binds the variables that occur in the arguments, so that
        // premises begin with what is known.
        for (at, term) in rule.conclusion.iter().enumerate() {
            if let Some(term) = term {
                let arg = self.it.heap.part(args, at);
                self.eval(*term, env, Some(arg))?;
            }
        }
        for premise in &rule.premises {
            self.eval(*premise, env, Some(Ref::TRUE))?;
        }
        Ok(())
    }

    fn run_decide(
        &mut self,
        id: u32,
        rel: CodeRelId,
        args: Refs,
        result: Ref,
    ) -> Step<Progress> {
        if self.known_bool(Some(result)) == Some(true) {
            self.finish(id);
            self.suspend(Goal::Holds { rel, args, depth: 0 })?;
            return Ok(Progress::Done);
        }
        let refs: Vec<Ref> =
            (0..args.len as usize).map(|it| self.it.heap.part(args, it)).collect();
        if let Some(blocker) = self.first_unknown_of(&refs)? {
            return Ok(Progress::Waits([Some(blocker), self.blocker(result)]));
        }
        self.finish(id);
        let holds = self.search_derivation(rel, &refs)?;
        self.unify(result, Ref::from(holds))?;
        Ok(Progress::Done)
    }

    /// Whether a relation holds of known arguments: a search of its own, whose failure is an
    /// answer.
    fn search_derivation(&mut self, rel: CodeRelId, args: &[Ref]) -> Step<bool> {
        let code = self.context.code;
        let shapes = code.rel(rel).params.iter();
        let values = args.iter().zip(shapes).map(|(it, shape)| self.export(*it, *shape));
        let values = values.collect::<Step<Vec<_>>>()?;
        // A machine of its own, because its dead ends must not take back choices of this
        // search.
        let mut machine = Machine::new();
        let steps = self.it.steps_left;
        let (outcome, effort) = machine.derive(
            code,
            self.context.program,
            (rel, &values),
            Budget { steps, attempts: 1 },
            self.context.chooser,
        );
        self.effort.steps += effort.steps;
        self.it.steps_left = self.it.steps_left.saturating_sub(effort.steps);
        match outcome {
            Ok(()) => Ok(true),
            Err(NoSolution::Unsatisfiable) => Ok(false),
            Err(NoSolution::GaveUp) => Err(Interrupt::Exhausted),
        }
    }

    /// A match that waits, with its scrutinee and its frame.
    pub(super) fn waiting_match(&self, goal: u32) -> Option<(ExprId, Ref, Refs)> {
        match self.it.goals[goal as usize] {
            Goal::Match { id, scrutinee, env, .. } if !self.it.is_done[goal as usize] => {
                Some((id, scrutinee, env))
            }
            _ => None,
        }
    }

    /// What a goal compares, if it is a comparison.
    pub(super) fn comparison_goal(&self, goal: u32) -> Option<(Comparison, Ref, Ref)> {
        match *self.it.goals.get(goal as usize)? {
            Goal::Compare { comparison, a, b, .. } => Some((comparison, a, b)),
            _ => None,
        }
    }

    /// A lookup, if a goal is one.
    pub(super) fn lookup_goal(&self, goal: u32) -> Option<Lookup> {
        match self.it.goals[goal as usize] {
            Goal::LookUp(lookup) => Some(lookup),
            _ => None,
        }
    }

    /// The relation, arguments and depth of a goal, if it is a relation.
    pub(super) fn rel_goal(&self, goal: u32) -> Option<(CodeRelId, Refs, u32)> {
        match self.it.goals[goal as usize] {
            Goal::Holds { rel, args, depth } => Some((rel, args, depth)),
            _ => None,
        }
    }
}
