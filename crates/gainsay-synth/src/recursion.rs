//! Families of traces: `before · first^n · second^n · after`, found by repeating parts of a trace.

use std::rc::Rc;

use gainsay_smt::{TermId, Terms};

use crate::automaton::{EmissionCounter, PatternRole, PatternTooLarge, automaton};
use crate::line::{EventCause, Line, LineEvent, Segment};
use crate::merge::{MergeRequest, merge};
use crate::search::{SearchLimits, search};
use crate::spec::{Goal, OpKind, Spec};
use crate::store::ConstraintStore;
use crate::synthesis::{SymbolicTrace, is_satisfiable, symbolic_trace};
use crate::workshop::{LineLimits, Workshop};

/// Where the parts of a trace are that a family repeats: `before` ends at the first position,
/// `first` at the second, `second` at the third.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RecursionSplit {
    /// Where the first repeated part begins.
    pub start: usize,
    /// Where it ends, and the second one begins.
    pub middle: usize,
    /// Where the second one ends.
    pub end: usize,
}

impl RecursionSplit {
    /// Whether two parts are repeated equally often, as calls and then their returns are.
    pub fn is_nested(&self) -> bool {
        self.end > self.middle
    }
}

/// Traces for each number of repetitions.
#[derive(Clone, Debug)]
pub struct TraceFamily {
    /// The terms of the traces.
    pub terms: Terms,
    /// What is repeated.
    pub split: RecursionSplit,
    /// The traces for one repetition, two repetitions, and so on.
    pub members: Vec<SymbolicTrace>,
}

/// What bounds the search for a family.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RecursionLimits {
    /// The largest number of repetitions that must work.
    pub repetitions: usize,
    /// The most steps for one number of repetitions.
    pub steps_per_trace: u64,
    /// The most splits that are tried.
    pub splits: usize,
    /// After this many steps no further split is tried.
    pub steps: u64,
}

impl Default for RecursionLimits {
    fn default() -> RecursionLimits {
        RecursionLimits {
            repetitions: 3,
            steps_per_trace: 200_000,
            splits: 60,
            steps: 1_000_000,
        }
    }
}

/// Searches for parts of a trace that can be repeated together. Conditions are forgotten and found
/// anew for each number of repetitions; no further events are inserted. That a family is found
/// says that its members follow the specification, not that the specification enforces its shape.
pub fn find_family(
    spec: &Spec,
    goal: &Goal,
    trace: &SymbolicTrace,
    limits: RecursionLimits,
) -> Result<Option<TraceFamily>, PatternTooLarge> {
    let mut n_steps = 0;
    for split in splits(spec, trace).into_iter().take(limits.splits) {
        if n_steps >= limits.steps {
            break;
        }
        // A new arena for each split: its members share one, and a failed split leaves nothing
        // behind.
        let mut workshop = Workshop::new(spec, LineLimits::default())?;
        let mut members = Vec::new();
        for n in 1..=limits.repetitions {
            let steps = limits.steps_per_trace;
            let found = member(spec, goal, &mut workshop, trace, split, n, steps)?;
            // Splits without a family count, too: a step may be a large merge.
            n_steps += workshop.effort.steps + 1;
            let Some(found) = found else { break };
            members.push(found);
        }
        if members.len() == limits.repetitions {
            return Ok(Some(TraceFamily { terms: workshop.terms, split, members }));
        }
    }
    Ok(None)
}

/// The splits worth trying: those with two parts first, then those that repeat little.
fn splits(spec: &Spec, trace: &SymbolicTrace) -> Vec<RecursionSplit> {
    let n_initial = trace.events.iter().filter(|it| it.is_initial).count();
    let n_events = trace.events.len();
    let mut all = Vec::new();
    for start in n_initial..n_events {
        for middle in start + 1..=n_events {
            for end in middle..=n_events {
                let split = RecursionSplit { start, middle, end };
                if is_repeatable(spec, trace, split) {
                    all.push(split);
                }
            }
        }
    }
    // Two parts that are repeated equally often, such as requests and then their answers, say
    // the most.
    all.sort_by_key(|it| (it.end == it.middle, it.end - it.start));
    all
}

/// Whether further copies fit at the middle of a split, the first part performs something, and
/// causes stay on one side of its borders.
fn is_repeatable(spec: &Spec, trace: &SymbolicTrace, split: RecursionSplit) -> bool {
    let range = split.start..split.end;
    let repeated = &trace.events[range.clone()];
    let admitted = &trace.admitted_between[split.middle];
    let first = &trace.events[split.start..split.middle];
    let is_closed = trace.events.iter().enumerate().all(|(at, it)| {
        // Each copy of an effect needs a cause of its own, which only a copy of the cause can
        // be.
        it.cause.is_none_or(|cause| range.contains(&at) == range.contains(&cause))
    });
    repeated.iter().all(|it| admitted.contains(&it.op))
        && first.iter().any(|it| spec.operation(it.op).kind == OpKind::Gen)
        && is_closed
}

/// The trace with `n` repetitions.
fn member(
    spec: &Spec,
    goal: &Goal,
    workshop: &mut Workshop,
    trace: &SymbolicTrace,
    split: RecursionSplit,
    n: usize,
    steps: u64,
) -> Result<Option<SymbolicTrace>, PatternTooLarge> {
    let line = repeated_line(workshop, trace, split, n);
    // Copies are the only events: with insertions, every split would be repeatable.
    workshop.limits.events = line.n_events();
    let mut counter = EmissionCounter::default();
    let role = PatternRole::Observed;
    let pattern = automaton(spec, &mut workshop.terms, &goal.pattern, role, &mut counter)?;
    let request = MergeRequest {
        segments: &line.segments,
        store: &ConstraintStore::default(),
        next_id: line.next_id,
        pattern: &pattern,
        bindings: &[],
        claimant: None,
        required: None,
        max_inserted: 0,
    };
    let mut starts = Vec::new();
    for placement in merge(workshop, &request).into_iter().take(MAX_STARTS) {
        let (segments, next_id) = (placement.segments, placement.next_id);
        let mut line = Line { segments, store: placement.store, next_id };
        line.normalize(workshop);
        starts.push(line);
    }
    let limits = SearchLimits { lines: 1, steps, interrupt: None };
    let result =
        search(workshop, &starts, limits, &mut |workshop, line| is_satisfiable(workshop, line));
    Ok(result.lines.first().map(|(line, found_by)| symbolic_trace(line, found_by)))
}

/// The most ways in which the goal may read the repeated events.
const MAX_STARTS: usize = 12;

/// The events of a trace with copies, without conditions; anything may stand between them.
fn repeated_line(
    workshop: &mut Workshop,
    trace: &SymbolicTrace,
    split: RecursionSplit,
    n: usize,
) -> Line {
    let mut order: Vec<usize> = (0..split.start).collect();
    // All copies of the first part, then all of the second: the requests are pending at the
    // same time.
    for range in [split.start..split.middle, split.middle..split.end] {
        for _ in 0..n {
            order.extend(range.clone());
        }
    }
    order.extend(split.end..trace.events.len());
    let anything: Rc<[TermId]> = vec![TermId::TRUE; workshop.kinds.len()].into();
    workshop.reset_fresh();
    let mut segments = Vec::new();
    let mut next_id = 0;
    for at in order {
        let event = &trace.events[at];
        if !event.is_initial {
            // Nothing is inserted there; the stretch carries what rules forbid between two
            // events.
            segments.push(Segment::Stretch(Rc::clone(&anything)));
        }
        let cause = if event.is_initial { EventCause::Initial } else { EventCause::Open };
        segments.push(Segment::Event(Rc::new(LineEvent {
            id: next_id,
            op: event.op,
            args: if event.is_initial {
                event.args.clone()
            } else {
                workshop.fresh_args(event.op)
            },
            cause,
            is_checked: event.is_initial,
            owner: None,
            is_expected: false,
            rule: None,
        })));
        next_id += 1;
    }
    segments.push(Segment::Stretch(anything));
    Line { segments, store: ConstraintStore::default(), next_id }
}
