//! From a goal to traces that reach it.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use gainsay_smt::{
    Answer, AxiomLimits, Model, SolverLimits, TermId, Terms, VarId, instances, solve,
};

use crate::automaton::{EmissionCounter, PatternRole, PatternTooLarge, automaton};
use crate::line::{EventCause, Line, Segment};
use crate::merge::{MergeRequest, merge};
use crate::search::{SearchLimits, everything, search};
use crate::spec::{EventAtom, Goal, GoalKind, OpId, OpKind, Spec, TracePattern};
use crate::store::ConstraintStore;
use crate::workshop::{LineLimits, SynthesisEffort, Workshop};

/// What bounds a synthesis.
#[derive(Clone, Debug)]
pub struct SynthesisLimits {
    /// The most traces, different in what the generator performs.
    pub traces: usize,
    /// The most steps. They bound memory, too.
    pub steps: u64,
    /// How large traces may become.
    pub lines: LineLimits,
    /// Ends the search once it is set; what was found so far is the result.
    pub interrupt: Option<Arc<AtomicBool>>,
}

impl Default for SynthesisLimits {
    fn default() -> SynthesisLimits {
        let (lines, interrupt) = (LineLimits::default(), None);
        SynthesisLimits { traces: 3, steps: 4_000_000, lines, interrupt }
    }
}

impl SynthesisLimits {
    /// Whether somebody wants the search to end.
    pub fn is_interrupted(&self) -> bool {
        self.interrupt.as_ref().is_some_and(|it| it.load(Ordering::Relaxed))
    }
}

/// An event of a trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceEvent {
    /// The operation.
    pub op: OpId,
    /// The arguments: terms over the variables of the trace.
    pub args: Vec<TermId>,
    /// The event that caused it, by position; initial events and those of the generator have none.
    pub cause: Option<usize>,
    /// Whether it has happened before anything else.
    pub is_initial: bool,
    /// Whether its answer is asserted.
    pub is_expected: bool,
    /// The rule of the specification that it follows.
    pub rule: Option<usize>,
}

/// Events with symbolic arguments that follow the specification and reach the goal, whatever
/// values satisfy the conditions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SymbolicTrace {
    /// The events, in order, ghosts included.
    pub events: Vec<TraceEvent>,
    /// What holds of the arguments.
    pub conditions: Vec<TermId>,
    /// The operations of which further events may stand before each event and at the end, without
    /// regard to their arguments.
    pub admitted_between: Vec<Vec<OpId>>,
    /// The strategy that found it.
    pub found_by: &'static str,
}

/// How a synthesis ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SynthesisStatus {
    /// Traces were found.
    Reached,
    /// There are none: everything was searched, and nothing was left out.
    Unreachable,
    /// None was found, but the search was cut off.
    GaveUp,
}

/// The result of a synthesis.
#[derive(Clone, Debug)]
pub struct Synthesis {
    /// The terms of the traces; it extends the arena of the specification.
    pub terms: Terms,
    /// The traces.
    pub traces: Vec<SymbolicTrace>,
    /// How it ended.
    pub status: SynthesisStatus,
    /// What it took, up to the first trace if there is one.
    pub first: SynthesisEffort,
    /// What it took as a whole.
    pub total: SynthesisEffort,
}

/// Searches for traces of a specification that reach a goal.
pub fn synthesize(
    spec: &Spec,
    goal: &Goal,
    limits: &SynthesisLimits,
) -> Result<Synthesis, PatternTooLarge> {
    let mut workshop = Workshop::new(spec, limits.lines)?;
    workshop.last_step = limits.steps;
    let mut counter = EmissionCounter::default();
    let pattern = automaton(
        spec,
        &mut workshop.terms,
        &goal.pattern,
        PatternRole::Observed,
        &mut counter,
    )?;
    let line = everything(&workshop, &spec.init);
    let request = MergeRequest {
        segments: &line.segments,
        store: &ConstraintStore::default(),
        next_id: line.next_id,
        pattern: &pattern,
        bindings: &[],
        claimant: None,
        required: None,
        max_inserted: limits.lines.events,
    };
    let starts = start_lines(&mut workshop, &request);
    let mut first = None;
    let interrupt = limits.interrupt.as_deref();
    let limits = SearchLimits { lines: limits.traces, steps: limits.steps, interrupt };
    let result = search(&mut workshop, &starts, limits, &mut |workshop, line| {
        // Components were checked as they changed. At the end all conditions are checked
        // together, because axioms may connect components.
        let accepted = is_satisfiable(workshop, line);
        if accepted && first.is_none() {
            first = Some(workshop.effort);
        }
        accepted
    });
    let status = match (result.lines.is_empty(), result.is_exhausted) {
        (false, _) => SynthesisStatus::Reached,
        (true, true) => SynthesisStatus::Unreachable,
        (true, false) => SynthesisStatus::GaveUp,
    };
    let traces = result.lines.iter().map(|(line, by)| symbolic_trace(line, by)).collect();
    let total = workshop.effort;
    Ok(Synthesis {
        traces,
        status,
        first: first.unwrap_or(total),
        total,
        terms: workshop.terms,
    })
}

/// For each operation of the generator, the first traces in which it occurs. They show an author
/// what a specification allows.
pub fn first_traces(
    spec: &Spec,
    limits: &SynthesisLimits,
) -> Result<Vec<(OpId, Synthesis)>, PatternTooLarge> {
    let mut all = Vec::new();
    for op in spec.ops().filter(|it| spec.operation(*it).kind == OpKind::Gen) {
        let event = EventAtom { op, condition: TermId::TRUE };
        let goal = Goal {
            name: spec.operation(op).name.clone(),
            kind: GoalKind::Scenario,
            vars: Vec::new(),
            pattern: TracePattern::Sequence(vec![
                TracePattern::Anything,
                TracePattern::Event(event),
                TracePattern::Anything,
            ]),
        };
        all.push((op, synthesize(spec, &goal, limits)?));
    }
    Ok(all)
}

/// The lines that match the goal, those with few events first. A goal that repeats named events
/// has infinitely many; insertions are tried up to a bound, from which on they count as cut.
fn start_lines(workshop: &mut Workshop, request: &MergeRequest<'_>) -> Vec<Line> {
    let mut starts = Vec::new();
    // Few insertions first: with many, a goal that repeats events has more placements than a
    // merge may make.
    for max_inserted in [12, request.max_inserted] {
        workshop.cut = false;
        let request = MergeRequest { max_inserted, ..*request };
        starts = merge(workshop, &request);
        if !starts.is_empty() {
            break;
        }
    }
    let mut lines: Vec<Line> = Vec::new();
    let mut keys = HashSet::new();
    for start in starts {
        if lines.len() >= MAX_STARTS {
            workshop.cut = true;
            break;
        }
        let mut line =
            Line { segments: start.segments, store: start.store, next_id: start.next_id };
        line.normalize(workshop);
        if keys.insert(line.key()) {
            lines.push(line);
        }
    }
    lines
}

/// The most lines of a goal that are searched.
const MAX_STARTS: usize = 16;

pub(crate) fn is_satisfiable(workshop: &mut Workshop, line: &Line) -> bool {
    let conditions = line.store.residual.clone();
    conditions.is_empty() || workshop.may_hold(&conditions)
}

pub(crate) fn symbolic_trace(line: &Line, found_by: &'static str) -> SymbolicTrace {
    let ids: Vec<u32> = line.events().map(|it| it.1.id).collect();
    let mut events = Vec::new();
    let mut admitted_between = vec![Vec::new()];
    for segment in &line.segments {
        match segment {
            Segment::Event(event) => {
                events.push(TraceEvent {
                    op: event.op,
                    args: event.args.clone(),
                    cause: match event.cause {
                        EventCause::Event(id) => ids.iter().position(|it| *it == id),
                        EventCause::Open | EventCause::Initial => None,
                    },
                    is_initial: event.cause == EventCause::Initial,
                    is_expected: event.is_expected,
                    rule: event.rule,
                });
                admitted_between.push(Vec::new());
            }
            Segment::Stretch(class) => {
                let ops = (0u32..).zip(class.iter()).filter(|it| *it.1 != TermId::FALSE);
                if let Some(between) = admitted_between.last_mut() {
                    between.extend(ops.map(|it| OpId(it.0)));
                }
            }
        }
    }
    SymbolicTrace {
        events,
        conditions: line.store.residual.clone(),
        admitted_between,
        found_by,
    }
}

impl SymbolicTrace {
    /// The variables of the trace, by first occurrence.
    pub fn vars(&self, terms: &Terms) -> Vec<VarId> {
        let mut vars = Vec::new();
        let args = self.events.iter().flat_map(|it| &it.args);
        for term in args.chain(&self.conditions) {
            for var in terms.vars(*term) {
                if !vars.contains(var) {
                    vars.push(*var);
                }
            }
        }
        vars
    }

    /// Values for the variables and functions. With axioms it is a model of the instances that
    /// were made, which need not be one of the axioms.
    pub fn model(&self, terms: &mut Terms, spec: &Spec) -> Option<Model> {
        let mut all = self.conditions.clone();
        let mut roots = all.clone();
        roots.extend(self.events.iter().flat_map(|it| it.args.iter().copied()));
        all.extend(instances(terms, &spec.axioms, &roots, AxiomLimits::default()));
        match solve(terms, &all, SolverLimits::default()) {
            Answer::Sat(model) => Some(model),
            Answer::Unsat | Answer::Unknown(_) => None,
        }
    }
}
