//! Checks concrete traces against a specification, by the meaning of its patterns. Nothing here is
//! shared with the search: no automata, no lines, no solver.

use std::collections::BTreeMap;

use gainsay_smt::{
    FunId, Interpretation, LinearSum, Model, Signature, SmtValue, TermId, TermNode, Terms,
    VarId, evaluate, evaluate_formula,
};

use crate::spec::{EventAtom, Goal, OpId, OpKind, Spec, TracePattern, TraceRule};
use crate::synthesis::SymbolicTrace;

/// An event with values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GroundEvent {
    /// The operation.
    pub op: OpId,
    /// The arguments.
    pub args: Vec<SmtValue>,
    /// Whether it has happened before anything else.
    pub is_initial: bool,
}

/// Why a trace is none of a specification.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TraceFault {
    /// No rule allows the event at this position.
    NoRule(usize),
    /// There are not enough causes for the events of the system; one at this position has none.
    NoCause(usize),
    /// The trace does not reach the goal.
    NotInGoal,
    /// Deciding takes too many steps.
    TooManySteps,
}

impl SymbolicTrace {
    /// The events with the values of a model, or nothing if one cannot be computed.
    pub fn ground(&self, terms: &Terms, model: &Model) -> Option<Vec<GroundEvent>> {
        let event = |it: &crate::synthesis::TraceEvent| {
            let args =
                it.args.iter().map(|it| model.value(terms, *it)).collect::<Option<_>>()?;
            Some(GroundEvent { op: it.op, args, is_initial: it.is_initial })
        };
        self.events.iter().map(event).collect()
    }
}

/// Checks that every event has a rule, that every event of the system has a cause of its own, and
/// that the trace reaches a goal, if one is given. Conditions about ghosts that no event
/// determines count as satisfied.
pub fn validate(
    spec: &Spec,
    goal: Option<&Goal>,
    trace: &[GroundEvent],
    functions: &dyn Interpretation,
) -> Result<(), TraceFault> {
    let mut matcher = Matcher::new(spec, trace, functions);
    matcher.check(goal)
}

/// Whether a trace may go on so that it follows the specification: what rules say of later events
/// is not yet decided.
pub(crate) fn may_begin(
    spec: &Spec,
    trace: &[GroundEvent],
    functions: &dyn Interpretation,
) -> bool {
    let mut matcher = Matcher { goes_on: true, ..Matcher::new(spec, trace, functions) };
    matcher.check(None).is_ok()
}

const MAX_STEPS: u64 = 2_000_000;

/// Whether a trace matches a pattern whose variables have these values.
#[cfg(test)]
pub(crate) fn pattern_matches(
    spec: &Spec,
    pattern: &TracePattern,
    trace: &[GroundEvent],
    values: BTreeMap<VarId, SmtValue>,
    functions: &dyn Interpretation,
) -> bool {
    let mut matcher = Matcher::new(spec, trace, functions);
    let end = trace.len();
    let start = Bindings { values, pending: Vec::new() };
    matcher.matches(pattern, 0, end, &start, &mut |_, at, _| at == end)
}

/// Whether a trace reaches a goal.
pub(crate) fn reaches(
    spec: &Spec,
    goal: &Goal,
    trace: &[GroundEvent],
    functions: &dyn Interpretation,
) -> bool {
    let mut matcher = Matcher::new(spec, trace, functions);
    let end = trace.len();
    let start = Bindings::default();
    matcher.matches(&goal.pattern, 0, end, &start, &mut |_, at, _| at == end)
}

/// What is known of the variables of a pattern.
#[derive(Clone, Debug, Default)]
struct Bindings {
    values: BTreeMap<VarId, SmtValue>,
    /// Conditions with variables that have no value yet, and whether they hold.
    pending: Vec<Claimed>,
}

/// A condition, and whether it holds.
type Claimed = (TermId, bool);

struct Matcher<'a> {
    spec: &'a Spec,
    trace: &'a [GroundEvent],
    functions: &'a dyn Interpretation,
    steps: u64,
    /// Whether further events may follow the trace.
    goes_on: bool,
    /// Whether the pattern is about them, too.
    is_open: bool,
}

/// What is to be matched after a pattern: it is given where the pattern ended.
type Continuation<'a, 'b> = &'b mut dyn FnMut(&mut Matcher<'a>, usize, &Bindings) -> bool;

struct Bound<'a> {
    values: &'a BTreeMap<VarId, SmtValue>,
    functions: &'a dyn Interpretation,
}

impl Interpretation for Bound<'_> {
    fn var(&self, _signature: &Signature, var: VarId) -> Option<SmtValue> {
        self.values.get(&var).cloned()
    }

    fn function(
        &self,
        signature: &Signature,
        fun: FunId,
        args: &[SmtValue],
    ) -> Option<SmtValue> {
        self.functions.function(signature, fun, args)
    }
}

impl<'a> Matcher<'a> {
    fn new(
        spec: &'a Spec,
        trace: &'a [GroundEvent],
        functions: &'a dyn Interpretation,
    ) -> Self {
        Matcher { spec, trace, functions, steps: 0, goes_on: false, is_open: false }
    }

    fn check(&mut self, goal: Option<&Goal>) -> Result<(), TraceFault> {
        let (spec, trace) = (self.spec, self.trace);
        let mut offers: Vec<(usize, &EventAtom, Bindings)> = Vec::new();
        for (at, event) in trace.iter().enumerate() {
            if event.is_initial {
                continue;
            }
            let rules: Vec<&TraceRule> =
                spec.rules.iter().filter(|it| it.op == event.op).collect();
            let mut is_allowed = rules.is_empty();
            for rule in rules {
                let Some(bindings) = self.rule_bindings(at, rule) else { continue };
                if self.rule_allows(at, rule, &bindings) {
                    is_allowed = true;
                    let caused = rule.futures.iter().flat_map(TracePattern::events);
                    for atom in caused.chain(&rule.emits) {
                        offers.push((at, atom, bindings.clone()));
                    }
                }
                if self.steps > MAX_STEPS {
                    return Err(TraceFault::TooManySteps);
                }
            }
            if !is_allowed {
                return Err(TraceFault::NoRule(at));
            }
        }
        self.check_causes(&offers)?;
        if let Some(goal) = goal {
            let start = Bindings::default();
            let end = trace.len();
            if !self.matches(&goal.pattern, 0, end, &start, &mut |_, at, _| at == end) {
                return Err(if self.steps > MAX_STEPS {
                    TraceFault::TooManySteps
                } else {
                    TraceFault::NotInGoal
                });
            }
        }
        Ok(())
    }

    fn rule_bindings(&self, at: usize, rule: &TraceRule) -> Option<Bindings> {
        let args = self.trace[at].args.iter().cloned();
        let start = Bindings {
            values: rule.params.iter().copied().zip(args).collect(),
            pending: Vec::new(),
        };
        self.require(&start, (rule.when, true))
    }

    fn rule_allows(&mut self, at: usize, rule: &'a TraceRule, bindings: &Bindings) -> bool {
        let mut later: Vec<TracePattern> = rule.futures.clone();
        for atom in rule.emits.iter().chain(&rule.owes) {
            later.push(TracePattern::Sequence(vec![
                TracePattern::Anything,
                TracePattern::Event(atom.clone()),
                TracePattern::Anything,
            ]));
        }
        match &rule.history {
            None => self.futures_match(&later, at + 1, bindings),
            Some(history) => {
                self.matches(history, 0, at, bindings, &mut |matcher, end, bindings| {
                    end == at && matcher.futures_match(&later, at + 1, bindings)
                })
            }
        }
    }

    fn futures_match(
        &mut self,
        patterns: &[TracePattern],
        from: usize,
        bindings: &Bindings,
    ) -> bool {
        let Some((first, rest)) = patterns.split_first() else { return true };
        let end = self.trace.len();
        let was_open = std::mem::replace(&mut self.is_open, self.goes_on);
        let found = self.matches(first, from, end, bindings, &mut |matcher, at, bindings| {
            at == end && matcher.futures_match(rest, from, bindings)
        });
        self.is_open = was_open;
        // With several patterns, one that is still open says nothing about the others.
        found && (!self.goes_on || rest.is_empty() || self.futures_match(rest, from, bindings))
    }

    /// Whether some beginning of the trace from `from` on, no longer than up to `end`, matches a
    /// pattern, and what remains satisfies the continuation.
    fn matches(
        &mut self,
        pattern: &TracePattern,
        from: usize,
        end: usize,
        bindings: &Bindings,
        then: Continuation<'a, '_>,
    ) -> bool {
        self.steps += 1;
        if self.steps > MAX_STEPS {
            return false;
        }
        if self.is_open && from == end {
            // Later events may be whatever the pattern needs.
            return true;
        }
        match pattern {
            TracePattern::Anything => (from..=end).any(|it| then(self, it, bindings)),
            TracePattern::AnyEvent => from < end && then(self, from + 1, bindings),
            TracePattern::Event(atom) | TracePattern::Expect(atom) => {
                from < end
                    && self
                        .event_matches(atom, from, bindings)
                        .is_some_and(|it| then(self, from + 1, &it))
            }
            TracePattern::Except(atoms) => {
                from < end
                    && self
                        .event_differs(atoms, from, bindings)
                        .is_some_and(|it| then(self, from + 1, &it))
            }
            TracePattern::Last(atom) => {
                // The last event of its operation within what the pattern reads: only other
                // operations may follow.
                (from..end).any(|last| match self.event_matches(atom, last, bindings) {
                    None => false,
                    Some(found) => {
                        let is_other = |it: &usize| self.trace[*it].op != atom.op;
                        let n_others = (last + 1..end).take_while(is_other).count();
                        (last + 1..=last + 1 + n_others).any(|it| then(self, it, &found))
                    }
                })
            }
            TracePattern::Sequence(parts) => {
                self.sequence_matches(parts, from, end, bindings, then)
            }
            TracePattern::Choice(parts) => {
                parts.iter().any(|it| self.matches(it, from, end, bindings, then))
            }
            TracePattern::Both(parts) => match parts.split_first() {
                None => then(self, from, bindings),
                Some((first, [])) => self.matches(first, from, end, bindings, then),
                Some((first, rest)) => {
                    // The bindings of the first pattern are passed on, so that a variable
                    // means the same in all of them.
                    let rest = TracePattern::Both(rest.to_vec());
                    self.matches(first, from, end, bindings, &mut |matcher, at, bindings| {
                        // The rest reads exactly the same events.
                        matcher.matches(&rest, from, at, bindings, &mut |matcher, to, found| {
                            to == at && then(matcher, to, found)
                        })
                    })
                }
            },
            TracePattern::Repeat(inner) => {
                then(self, from, bindings)
                    || self.matches(inner, from, end, bindings, &mut |matcher, at, bindings| {
                        // A round that reads nothing would repeat without end, and adds
                        // nothing.
                        at > from && matcher.matches(pattern, at, end, bindings, then)
                    })
            }
        }
    }

    fn sequence_matches(
        &mut self,
        parts: &[TracePattern],
        from: usize,
        end: usize,
        bindings: &Bindings,
        then: Continuation<'a, '_>,
    ) -> bool {
        match parts.split_first() {
            None => then(self, from, bindings),
            Some((first, rest)) => {
                self.matches(first, from, end, bindings, &mut |matcher, at, bindings| {
                    matcher.sequence_matches(rest, at, end, bindings, then)
                })
            }
        }
    }

    /// The bindings with the fields of an event.
    fn with_fields(&self, at: usize, bindings: &Bindings) -> Bindings {
        let event = &self.trace[at];
        let mut new = bindings.clone();
        for (field, value) in self.spec.operation(event.op).fields.iter().zip(&event.args) {
            new.values.insert(*field, value.clone());
        }
        new
    }

    fn event_matches(
        &self,
        atom: &EventAtom,
        at: usize,
        bindings: &Bindings,
    ) -> Option<Bindings> {
        if self.trace[at].op != atom.op {
            return None;
        }
        let bindings = self.with_fields(at, bindings);
        let found = self.require(&bindings, (atom.condition, true))?;
        Some(self.without_fields(at, found))
    }

    fn event_differs(
        &self,
        atoms: &[EventAtom],
        at: usize,
        bindings: &Bindings,
    ) -> Option<Bindings> {
        let mut found = self.with_fields(at, bindings);
        for atom in atoms.iter().filter(|it| it.op == self.trace[at].op) {
            found = self.require(&found, (atom.condition, false))?;
        }
        Some(self.without_fields(at, found))
    }

    /// Forgets the fields of an event. A condition that still needs them is decided as far as
    /// other variables go: it counts as satisfied.
    fn without_fields(&self, at: usize, mut bindings: Bindings) -> Bindings {
        let fields = &self.spec.operation(self.trace[at].op).fields;
        bindings.pending.retain(|(condition, _)| {
            !self.spec.terms.vars(*condition).iter().any(|it| fields.contains(it))
        });
        for field in fields {
            bindings.values.remove(field);
        }
        bindings
    }

    /// Adds a condition: it is decided, determines a variable, or waits.
    fn require(&self, bindings: &Bindings, claim: Claimed) -> Option<Bindings> {
        let mut new = bindings.clone();
        new.pending.push(claim);
        loop {
            let mut changed = false;
            let mut waiting = Vec::new();
            for (condition, holds) in std::mem::take(&mut new.pending) {
                let terms = &self.spec.terms;
                if let TermNode::And(parts) = terms.node(condition)
                    && holds
                {
                    waiting.extend(parts.iter().map(|it| (*it, true)));
                    changed = true;
                    continue;
                }
                let bound = Bound { values: &new.values, functions: self.functions };
                if let Some(value) = evaluate_formula(terms, condition, &bound) {
                    if value != holds {
                        return None;
                    }
                    changed = true;
                } else if let Some((var, value)) = determined(terms, (condition, holds), &bound)
                {
                    new.values.insert(var, value);
                    waiting.push((condition, holds));
                    changed = true;
                } else {
                    waiting.push((condition, holds));
                }
            }
            new.pending = waiting;
            if !changed {
                return Some(new);
            }
        }
    }

    /// Assigns to each event of the system an emission of an earlier event, to no two the same:
    /// augmenting paths in a bipartite graph.
    fn check_causes(&self, offers: &[(usize, &EventAtom, Bindings)]) -> Result<(), TraceFault> {
        let mut taken: Vec<Option<usize>> = vec![None; offers.len()];
        for (at, event) in self.trace.iter().enumerate() {
            let kind = self.spec.operation(event.op).kind;
            if event.is_initial || kind == OpKind::Gen {
                continue;
            }
            let mut tried = vec![false; offers.len()];
            // A greedy assignment could give an event the only cause of a later one.
            if !self.assign_cause(at, offers, &mut taken, &mut tried) {
                return Err(TraceFault::NoCause(at));
            }
        }
        Ok(())
    }

    fn assign_cause(
        &self,
        at: usize,
        offers: &[(usize, &EventAtom, Bindings)],
        taken: &mut [Option<usize>],
        tried: &mut [bool],
    ) -> bool {
        for (number, (cause, atom, bindings)) in offers.iter().enumerate() {
            let fits = *cause < at
                && !tried[number]
                && self.event_matches(atom, at, bindings).is_some();
            if !fits {
                continue;
            }
            tried[number] = true;
            let is_free = match taken[number] {
                None => true,
                Some(other) => self.assign_cause(other, offers, taken, tried),
            };
            if is_free {
                taken[number] = Some(at);
                return true;
            }
        }
        false
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "other conditions determine nothing")]
/// The variable that an equation determines, with its value.
fn determined(
    terms: &Terms,
    (condition, holds): Claimed,
    bound: &Bound<'_>,
) -> Option<(VarId, SmtValue)> {
    match terms.node(condition) {
        TermNode::Var(var) => Some((*var, SmtValue::Bool(holds))),
        TermNode::Not(inner) => determined(terms, (*inner, !holds), bound),
        TermNode::Equal(a, b) if holds => {
            matched(terms, *a, &evaluate(terms, *b, bound), bound)
                .or_else(|| matched(terms, *b, &evaluate(terms, *a, bound), bound))
        }
        TermNode::Zero(sum) if holds => determined_summand(terms, sum, bound),
        _ => None,
    }
}

/// The value of a variable inside constructors, given the value of the whole.
fn matched(
    terms: &Terms,
    pattern: TermId,
    value: &Option<SmtValue>,
    bound: &Bound<'_>,
) -> Option<(VarId, SmtValue)> {
    let value = value.as_ref()?;
    if let TermNode::Var(var) = terms.node(pattern) {
        return (!bound.values.contains_key(var)).then(|| (*var, value.clone()));
    }
    match (terms.constructed(pattern), value) {
        (Some((fun, args)), SmtValue::Data(other, values)) if fun == *other => args
            .iter()
            .zip(values)
            .find_map(|(arg, value)| matched(terms, *arg, &Some(value.clone()), bound)),
        _ => None,
    }
}

/// The value of the only summand without a value, if it is a variable.
fn determined_summand(
    terms: &Terms,
    sum: &LinearSum,
    bound: &Bound<'_>,
) -> Option<(VarId, SmtValue)> {
    let mut rest = sum.constant;
    let mut open = None;
    for (part, coefficient) in &sum.parts {
        match evaluate(terms, *part, bound) {
            Some(SmtValue::Int(value)) => {
                rest = rest.checked_add(value.checked_mul(*coefficient)?)?;
            }
            _ if open.is_none() => open = Some((*part, *coefficient)),
            _ => return None,
        }
    }
    let (part, coefficient) = open?;
    let TermNode::Var(var) = terms.node(part) else { return None };
    let negated = rest.checked_neg()?;
    (negated % coefficient == 0).then(|| (*var, SmtValue::Int(negated / coefficient)))
}
