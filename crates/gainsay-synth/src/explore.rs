//! Random walks: any operation that a rule allows, any pending event, until the trace is a violation
//! or long enough. Without rules they are what generators are compared with.

use gainsay_smt::{Interpretation, SmtValue, Sort};

use crate::execute::{BugReason, GeneratorVerdict, InfeasibleReason, WalkAction};
use crate::sample::{DrawSource, ValueDomains};
use crate::spec::{Goal, GoalKind, OpId, OpKind, Spec};
use crate::validate::{GroundEvent, may_begin, reaches};

/// The state of a random walk.
#[derive(Clone, Debug, Default)]
pub struct ExploreState {
    /// The events that have happened.
    pub trace: Vec<GroundEvent>,
    /// The violation that the trace is, by number.
    pub violated: Option<usize>,
    /// What is looked for instead of violations, without regard to rules.
    fault: Option<Goal>,
    has_deviated: bool,
}

/// The most events of a walk within the rules, and of one without.
const MAX_EVENTS: (usize, usize) = (20, 40);
/// A walk ends before each event with a probability of one to this, within the rules and without.
const STOPS_ONCE_IN: (usize, usize) = (16, 32);
/// How often arguments are drawn for an operation until a rule allows it.
const MAX_TRIES: usize = 6;

impl ExploreState {
    /// A walk that has not begun; what exists at the beginning is part of its trace.
    pub fn new(spec: &Spec) -> Self {
        let initial = spec.init.iter().filter_map(|(op, args)| {
            let value = |it| gainsay_smt::evaluate(&spec.terms, it, &NoValues);
            let args = args.iter().map(|it| value(*it)).collect::<Option<_>>()?;
            Some(GroundEvent { op: *op, args, is_initial: true })
        });
        Self { trace: initial.collect(), ..Self::default() }
    }

    /// A walk that heeds no rules, and ends when its trace matches a goal.
    pub fn without_rules(spec: &Spec, fault: Goal) -> Self {
        Self { fault: Some(fault), ..Self::new(spec) }
    }

    /// The violation that the trace is, by number.
    fn find_violation(&self, spec: &Spec, functions: &dyn Interpretation) -> Option<usize> {
        let is_reached = |goal: &Goal| reaches(spec, goal, &self.trace, functions);
        if let Some(fault) = &self.fault {
            let number = spec.goals.iter().position(|it| it.name == fault.name)?;
            return is_reached(fault).then_some(number);
        }
        spec.goals.iter().position(|it| it.kind == GoalKind::Violation && is_reached(it))
    }

    fn of_rules<T>(&self, (within, without): (T, T)) -> T {
        if self.fault.is_none() { within } else { without }
    }

    /// What happens next.
    pub fn next(
        &mut self,
        spec: &Spec,
        domains: &ValueDomains<'_>,
        pending: &[(OpId, Vec<SmtValue>)],
        given: Option<&GroundEvent>,
        draws: &mut dyn DrawSource,
    ) -> WalkAction {
        self.violated = self.find_violation(spec, domains.functions);
        if self.violated.is_some() {
            return WalkAction::End(GeneratorVerdict::Bug(BugReason::Violation));
        }
        if let Some(given) = given {
            return self.follow(spec, pending, given);
        }
        let is_long = self.trace.len() >= self.of_rules(MAX_EVENTS);
        let has_begun = self.trace.iter().any(|it| !it.is_initial);
        let stops_once_in = self.of_rules(STOPS_ONCE_IN);
        if self.has_deviated || is_long || (has_begun && draws.below(stops_once_in) == 0) {
            return self.end();
        }
        self.choose(spec, domains, pending, draws)
    }

    fn end(&self) -> WalkAction {
        WalkAction::End(if self.has_deviated {
            GeneratorVerdict::Deviated
        } else {
            GeneratorVerdict::Passed
        })
    }

    fn follow(
        &mut self,
        spec: &Spec,
        pending: &[(OpId, Vec<SmtValue>)],
        given: &GroundEvent,
    ) -> WalkAction {
        let (op, args) = (given.op, given.args.clone());
        if spec.operation(op).kind == OpKind::Gen {
            return self.perform(op, args);
        }
        // The system may answer otherwise by now.
        let same = pending.iter().position(|it| it.0 == op && it.1 == args);
        match same.or_else(|| pending.iter().position(|it| it.0 == op)) {
            Some(position) => self.deliver(pending, position),
            None => {
                let reason = InfeasibleReason::NeverPending(op);
                WalkAction::End(GeneratorVerdict::Infeasible(reason))
            }
        }
    }

    fn choose(
        &mut self,
        spec: &Spec,
        domains: &ValueDomains<'_>,
        pending: &[(OpId, Vec<SmtValue>)],
        draws: &mut dyn DrawSource,
    ) -> WalkAction {
        let fits: Vec<usize> = (0..pending.len())
            .filter(|it| self.may_follow(spec, domains, pending[*it].0, &pending[*it].1))
            .collect();
        let mut operations: Vec<OpId> =
            spec.ops().filter(|it| spec.operation(*it).kind == OpKind::Gen).collect();
        while fits.len() + operations.len() > 0 {
            let chosen = draws.below(fits.len() + operations.len());
            if let Some(position) = fits.get(chosen) {
                return self.deliver(pending, *position);
            }
            let op = operations.remove(chosen - fits.len());
            for _ in 0..MAX_TRIES {
                let Some(args) = arguments(spec, domains, op, draws) else { break };
                if self.may_follow(spec, domains, op, &args) {
                    return self.perform(op, args);
                }
                if args.is_empty() {
                    break;
                }
            }
        }
        if pending.is_empty() {
            return self.end();
        }
        // The system does what no rule allows.
        self.has_deviated = true;
        self.deliver(pending, 0)
    }

    fn may_follow(
        &self,
        spec: &Spec,
        domains: &ValueDomains<'_>,
        op: OpId,
        args: &[SmtValue],
    ) -> bool {
        if self.fault.is_some() {
            return true;
        }
        let mut trace = self.trace.clone();
        trace.push(GroundEvent { op, args: args.to_vec(), is_initial: false });
        may_begin(spec, &trace, domains.functions)
    }

    fn perform(&mut self, op: OpId, args: Vec<SmtValue>) -> WalkAction {
        self.trace.push(GroundEvent { op, args: args.clone(), is_initial: false });
        WalkAction::Perform { op, args }
    }

    fn deliver(&mut self, pending: &[(OpId, Vec<SmtValue>)], position: usize) -> WalkAction {
        let (op, args) = pending[position].clone();
        self.trace.push(GroundEvent { op, args, is_initial: false });
        WalkAction::Deliver { position }
    }
}

/// Any arguments of an operation; `None` if a sort has no values.
fn arguments(
    spec: &Spec,
    domains: &ValueDomains<'_>,
    op: OpId,
    draws: &mut dyn DrawSource,
) -> Option<Vec<SmtValue>> {
    let mut args = Vec::new();
    for field in &spec.operation(op).fields {
        let sort = spec.terms.signature.var(*field).sort;
        args.push(match (domains.values.get(&sort), sort) {
            (Some(values), _) if !values.is_empty() => {
                values[draws.below(values.len())].clone()
            }
            (_, Sort::Bool) => SmtValue::Bool(draws.below(2) == 1),
            (_, Sort::Int | Sort::Named(_)) => return None,
        });
    }
    Some(args)
}

/// Initial events have constant arguments.
struct NoValues;

impl Interpretation for NoValues {
    fn var(&self, _: &gainsay_smt::Signature, _: gainsay_smt::VarId) -> Option<SmtValue> {
        None
    }

    fn function(
        &self,
        _: &gainsay_smt::Signature,
        _: gainsay_smt::FunId,
        _: &[SmtValue],
    ) -> Option<SmtValue> {
        None
    }
}
