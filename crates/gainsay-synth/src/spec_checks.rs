//! Mistakes in specifications that need no search: events that cannot occur, and operations that
//! do nothing.

use std::collections::BTreeSet;

use crate::spec::{OpId, OpKind, Spec, TracePattern, TraceRule};

/// A mistake in a specification.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SpecFinding {
    /// No rule causes the operation, and it is not among the initial events.
    NeverCaused(OpId),
    /// Every rule that would allow or cause the operation needs an event that cannot occur before.
    CannotOccur(OpId),
    /// The goal needs operations that cannot occur.
    GoalCannotOccur {
        /// The position of the goal.
        goal: usize,
        /// The operations.
        missing: Vec<OpId>,
    },
    /// Nothing ever asks for the operation, and it causes nothing.
    NeverNeeded(OpId),
}

/// All mistakes, in the order of the specification.
pub fn check_spec(spec: &Spec) -> Vec<SpecFinding> {
    let mut findings = Vec::new();
    let initial: BTreeSet<OpId> = spec.init.iter().map(|it| it.0).collect();
    let caused: BTreeSet<OpId> = spec.rules.iter().flat_map(emitted).collect();
    let possible = possible_operations(spec);
    for op in spec.ops() {
        let is_gen = spec.operation(op).kind == OpKind::Gen;
        if !is_gen && !caused.contains(&op) && !initial.contains(&op) {
            findings.push(SpecFinding::NeverCaused(op));
        } else if !possible.contains(&op) {
            findings.push(SpecFinding::CannotOccur(op));
        }
    }
    for (number, goal) in spec.goals.iter().enumerate() {
        let mut missing: Vec<OpId> =
            goal.pattern.events().into_iter().map(|it| it.op).collect();
        missing.retain(|it| !possible.contains(it));
        missing.sort_unstable();
        missing.dedup();
        if !can_match(&goal.pattern, &possible) {
            findings.push(SpecFinding::GoalCannotOccur { goal: number, missing });
        }
    }
    for op in spec.ops() {
        if spec.operation(op).kind == OpKind::Gen && !is_needed(spec, op) {
            findings.push(SpecFinding::NeverNeeded(op));
        }
    }
    findings
}

/// The events that a rule causes, in order; those whose order is open come last.
fn emitted(rule: &TraceRule) -> Vec<OpId> {
    let ordered = rule.futures.iter().flat_map(TracePattern::events);
    ordered.chain(&rule.emits).map(|it| it.op).collect()
}

/// Whether a pattern can match a trace of some operations only.
fn can_match(pattern: &TracePattern, possible: &BTreeSet<OpId>) -> bool {
    match pattern {
        TracePattern::Anything
        | TracePattern::AnyEvent
        | TracePattern::Except(_)
        | TracePattern::Repeat(_) => true,
        TracePattern::Event(atom) | TracePattern::Expect(atom) | TracePattern::Last(atom) => {
            possible.contains(&atom.op)
        }
        TracePattern::Sequence(parts) | TracePattern::Both(parts) => {
            parts.iter().all(|it| can_match(it, possible))
        }
        TracePattern::Choice(parts) => parts.iter().any(|it| can_match(it, possible)),
    }
}

/// The least set of operations that contains what can occur: an event can, if what its rule looks
/// for in the past can occur before it, and what it causes can, too. Arguments are ignored, so
/// that an operation outside of the set certainly never occurs.
fn possible_operations(spec: &Spec) -> BTreeSet<OpId> {
    let mut possible: BTreeSet<OpId> = spec.init.iter().map(|it| it.0).collect();
    let has_rule: BTreeSet<OpId> = spec.rules.iter().map(|it| it.op).collect();
    for op in spec.ops() {
        if spec.operation(op).kind == OpKind::Gen && !has_rule.contains(&op) {
            possible.insert(op);
        }
    }
    loop {
        let before = possible.len();
        for rule in &spec.rules {
            let is_gen = spec.operation(rule.op).kind == OpKind::Gen;
            let is_performed = is_gen || possible.contains(&rule.op);
            let past_is_possible =
                rule.history.as_ref().is_none_or(|it| can_match(it, &possible));
            if !is_performed || !past_is_possible {
                continue;
            }
            if let Some(caused) = caused_together(spec, rule, &possible) {
                possible.insert(rule.op);
                possible.extend(caused);
            }
        }
        if possible.len() == before {
            return possible;
        }
    }
}

/// The events of the system that a rule causes, if each can occur: its own past may need events
/// that the same rule causes earlier.
fn caused_together(
    spec: &Spec,
    rule: &TraceRule,
    possible: &BTreeSet<OpId>,
) -> Option<BTreeSet<OpId>> {
    let mut available = possible.clone();
    available.insert(rule.op);
    let mut caused = BTreeSet::new();
    let can_follow = |op: OpId, available: &BTreeSet<OpId>| {
        let mut rules = spec.rules.iter().filter(|it| it.op == op).peekable();
        rules.peek().is_none()
            || rules.any(|it| it.history.as_ref().is_none_or(|it| can_match(it, available)))
    };
    let emits = rule.emits.iter().map(|it| TracePattern::Event(it.clone()));
    let mut open: Vec<TracePattern> = rule.futures.iter().cloned().chain(emits).collect();
    // Futures are interleaved: one may have to wait for the events of another.
    while !open.is_empty() {
        let before = (open.len(), available.len());
        open.retain(|it| {
            !can_match_in_order(spec, it, &mut available, &mut caused, &can_follow)
        });
        if (open.len(), available.len()) == before {
            return None;
        }
    }
    Some(caused)
}

fn can_match_in_order(
    spec: &Spec,
    pattern: &TracePattern,
    available: &mut BTreeSet<OpId>,
    caused: &mut BTreeSet<OpId>,
    can_follow: &dyn Fn(OpId, &BTreeSet<OpId>) -> bool,
) -> bool {
    match pattern {
        TracePattern::Anything
        | TracePattern::AnyEvent
        | TracePattern::Except(_)
        | TracePattern::Repeat(_) => true,
        TracePattern::Event(atom) | TracePattern::Expect(atom) | TracePattern::Last(atom) => {
            let is_system = spec.operation(atom.op).kind != OpKind::Gen;
            // Events of the generator are looked at by their own rules.
            if is_system && !can_follow(atom.op, available) {
                return false;
            }
            if is_system {
                caused.insert(atom.op);
            }
            available.insert(atom.op);
            true
        }
        TracePattern::Sequence(parts) | TracePattern::Both(parts) => {
            parts.iter().all(|it| can_match_in_order(spec, it, available, caused, can_follow))
        }
        TracePattern::Choice(parts) => {
            let mut any = false;
            for part in parts {
                any |= can_match_in_order(spec, part, available, caused, can_follow);
            }
            any
        }
    }
}

/// Whether a rule or goal asks for an operation of the generator, or it causes something.
fn is_needed(spec: &Spec, op: OpId) -> bool {
    let asks = |pattern: &TracePattern| pattern.events().iter().any(|it| it.op == op);
    spec.goals.iter().any(|it| asks(&it.pattern))
        || spec.rules.iter().any(|rule| {
            let causes = rule.op == op && !emitted(rule).is_empty();
            causes
                || rule.history.iter().chain(&rule.futures).any(asks)
                || rule.emits.iter().chain(&rule.owes).any(|it| it.op == op)
        })
}
