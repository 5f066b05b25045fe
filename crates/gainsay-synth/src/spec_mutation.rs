//! Mutation of a specification: what of it decides the trace that a goal is reached by. Whatever can
//! be dropped without another trace is not tested by the goal.

use gainsay_smt::TermId;

use crate::automaton::PatternTooLarge;
use crate::goal_text::trace_text;
use crate::spec::{Goal, Spec, TraceRule};
use crate::synthesis::{Synthesis, SynthesisLimits, SynthesisStatus, synthesize};

/// What is dropped from a specification.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DroppedPart {
    /// The rule, by number.
    pub rule: usize,
    /// The part of the rule.
    pub part: RulePart,
}

/// A part of a rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RulePart {
    /// All of it.
    Rule,
    /// The conditions on its arguments.
    When,
    /// What must have happened before.
    History,
    /// What happens afterward.
    Future,
    /// The events that it causes some time later.
    Emits,
    /// The operations that it owes.
    Owes,
}

impl RulePart {
    const ALL: [Self; 6] =
        [Self::Rule, Self::When, Self::History, Self::Future, Self::Emits, Self::Owes];

    /// Whether a rule has the part.
    fn is_in(self, rule: &TraceRule) -> bool {
        match self {
            Self::Rule => true,
            Self::When => rule.when != TermId::TRUE,
            Self::History => rule.history.is_some(),
            Self::Future => !rule.futures.is_empty(),
            Self::Emits => !rule.emits.is_empty(),
            Self::Owes => !rule.owes.is_empty(),
        }
    }
}

/// What becomes of a goal without a part of its specification.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DropEffect {
    /// No trace reaches it any more.
    Unreachable,
    /// No trace was found, but the search was cut off.
    GaveUp,
    /// It is reached by another trace.
    OtherTrace,
    /// It is reached by the same trace.
    SameTrace,
}

/// Drops one part of a specification at a time, and says what becomes of a goal. `None` if the goal
/// is not reached in the first place, or the search was interrupted.
pub fn mutate_spec(
    spec: &Spec,
    goal: &Goal,
    limits: &SynthesisLimits,
) -> Result<Option<Vec<(DroppedPart, DropEffect)>>, PatternTooLarge> {
    let limits = SynthesisLimits { traces: 1, ..limits.clone() };
    let first = synthesize(spec, goal, &limits)?;
    let Some(expected) = first_trace(spec, &first) else { return Ok(None) };
    let mut effects = Vec::new();
    for (number, rule) in spec.rules.iter().enumerate() {
        for part in RulePart::ALL.into_iter().filter(|it| it.is_in(rule)) {
            let dropped = DroppedPart { rule: number, part };
            let found = synthesize(&without(spec, dropped), goal, &limits)?;
            if limits.is_interrupted() {
                return Ok(None);
            }
            let effect = match (found.status, first_trace(spec, &found)) {
                (SynthesisStatus::Unreachable, _) => DropEffect::Unreachable,
                (SynthesisStatus::Reached, Some(trace)) if trace == expected => {
                    DropEffect::SameTrace
                }
                (SynthesisStatus::Reached, Some(_)) => DropEffect::OtherTrace,
                (SynthesisStatus::GaveUp | SynthesisStatus::Reached, _) => DropEffect::GaveUp,
            };
            effects.push((dropped, effect));
        }
    }
    Ok(Some(effects))
}

/// The first trace as text: variables are named after fields, so equal traces have equal texts.
fn first_trace(spec: &Spec, synthesis: &Synthesis) -> Option<String> {
    synthesis.traces.first().map(|it| trace_text(spec, &synthesis.terms, it))
}

fn without(spec: &Spec, dropped: DroppedPart) -> Spec {
    let mut spec = spec.clone();
    let rule = &mut spec.rules[dropped.rule];
    match dropped.part {
        RulePart::Rule => {
            spec.rules.remove(dropped.rule);
        }
        RulePart::When => rule.when = TermId::TRUE,
        RulePart::History => rule.history = None,
        RulePart::Future => rule.futures.clear(),
        RulePart::Emits => rule.emits.clear(),
        RulePart::Owes => rule.owes.clear(),
    }
    spec
}
