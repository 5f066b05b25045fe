//! What a test against a specification follows: the specification and the generators for its goal,
//! found once.

use gainsay_smt::{TermNode, Terms};
use gainsay_source::FileId;

use crate::derive::{GeneratorProgram, derive_generator};
use crate::front_end::read_specs;
use crate::recursion::{RecursionLimits, find_family};
use crate::spec::{EventAtom, Goal, GoalKind, Spec, TracePattern};
use crate::synthesis::{SymbolicTrace, SynthesisLimits, SynthesisStatus, synthesize};

/// A generator with the terms of its trace.
#[derive(Clone, Debug)]
pub struct TestGenerator {
    /// The arena of the trace.
    pub terms: Terms,
    /// The trace.
    pub trace: SymbolicTrace,
    /// The program of the trace.
    pub program: GeneratorProgram,
}

/// A specification with the generators for one of its goals, the shortest first.
#[derive(Clone, Debug)]
pub struct TracePlan {
    /// The specification.
    pub spec: Spec,
    /// The goal, by number; without one, anything that the specification allows happens.
    pub goal: Option<usize>,
    /// The generators.
    pub generators: Vec<TestGenerator>,
    /// The order in which cases take the generators, over and over: the most promising first.
    pub turns: Vec<u32>,
    /// How the search for traces ended.
    pub status: SynthesisStatus,
    /// The integers that tests use, the simplest first.
    pub integers: Vec<i128>,
    /// What decides what happens next.
    pub guide: PlanGuide,
}

/// What decides what happens next in a test.
#[derive(Clone, Debug)]
pub enum PlanGuide {
    /// The generators of the goal.
    Generators,
    /// Chance, within the rules of the specification.
    Rules,
    /// Chance alone, until the trace matches: operations with any arguments, deliveries in any
    /// order. It is what generators are compared with.
    Chance(Goal),
}

/// The most repetitions of the parts of a trace.
const REPETITIONS: usize = 4;

/// The most steps of the search for a family: a test must begin soon.
const FAMILY_STEPS: u64 = 200_000;

impl TracePlan {
    /// Reads a specification from the text of its module, and searches for generators. `None` if
    /// the text has no such specification or goal, or one with a mistake.
    pub fn new(text: &str, spec: &str, goal: Option<&str>) -> Option<Self> {
        let parse = gainsay_syntax::parse(FileId(0), text);
        let (specs, _) = read_specs(parse.file());
        let spec = specs.into_iter().map(|it| it.spec).find(|it| it.name == spec)?;
        let integers = integers(&spec.terms);
        let Some(goal) = goal else {
            let (generators, status) = (Vec::new(), SynthesisStatus::Reached);
            let (guide, turns) = (PlanGuide::Rules, Vec::new());
            return Some(Self { spec, goal: None, generators, turns, status, integers, guide });
        };
        let goal = spec.goals.iter().position(|it| it.name == goal)?;
        let (generators, turns, status) = generators(&spec, &spec.goals[goal]);
        let (goal, guide) = (Some(goal), PlanGuide::Generators);
        Some(Self { spec, goal, generators, turns, status, integers, guide })
    }

    /// Random runs that look for the same fault as the tests of a goal.
    pub fn random(text: &str, spec: &str, goal: &str) -> Option<Self> {
        let parse = gainsay_syntax::parse(FileId(0), text);
        let (specs, _) = read_specs(parse.file());
        let mut spec = specs.into_iter().map(|it| it.spec).find(|it| it.name == spec)?;
        let integers = integers(&spec.terms);
        let goal = spec.goals.iter().position(|it| it.name == goal)?;
        let mut fault = spec.goals[goal].clone();
        if fault.kind == GoalKind::Scenario {
            let mut has_ended = false;
            fault.pattern = wrong_answer(&mut spec.terms, &fault.pattern, &mut has_ended);
        }
        let (generators, status) = (Vec::new(), SynthesisStatus::Reached);
        let (goal, guide, turns) = (Some(goal), PlanGuide::Chance(fault), Vec::new());
        Some(Self { spec, goal, generators, turns, status, integers, guide })
    }

    /// The goal.
    pub fn goal(&self) -> Option<&Goal> {
        self.goal.map(|it| &self.spec.goals[it])
    }
}

/// The generators of a goal, those of its traces and of the family of the first trace that has one,
/// with the order in which cases take them.
fn generators(spec: &Spec, goal: &Goal) -> (Vec<TestGenerator>, Vec<u32>, SynthesisStatus) {
    let Ok(synthesis) = synthesize(spec, goal, &SynthesisLimits::default()) else {
        return (Vec::new(), Vec::new(), SynthesisStatus::GaveUp);
    };
    let limits = RecursionLimits {
        repetitions: REPETITIONS,
        steps: FAMILY_STEPS,
        ..RecursionLimits::default()
    };
    let traces = &synthesis.traces;
    let mut families =
        traces.iter().filter_map(|it| find_family(spec, goal, it, limits).ok().flatten());
    let family = families.next();
    let members = family.iter().flat_map(|family| {
        // A member without repetition may be a trace that was found.
        let is_new = |it: &&SymbolicTrace| !traces.iter().any(|trace| has_same_ops(trace, it));
        family.members.iter().rev().filter(is_new).map(|it| (&family.terms, it))
    });
    let members: Vec<_> = members.collect();
    let traces: Vec<_> = traces.iter().map(|it| (&synthesis.terms, it)).collect();
    // Long traces first if what is repeated is nested: the depth matters then, and no short trace
    // has it. Repetitions one after another mostly add what does not matter.
    let by_promise = if family.as_ref().is_some_and(|it| it.split.is_nested()) {
        alternated(members, traces)
    } else {
        alternated(traces, members)
    };
    let mut all: Vec<(usize, TestGenerator)> = by_promise
        .into_iter()
        .map(|(terms, trace)| TestGenerator {
            terms: terms.clone(),
            trace: trace.clone(),
            program: derive_generator(spec, goal, terms, trace),
        })
        .enumerate()
        .collect();
    // The shortest first: those are the simplest.
    all.sort_by_key(|it| it.1.trace.events.len());
    let mut turns: Vec<u32> = (0..all.len() as u32).collect();
    turns.sort_by_key(|it| all[*it as usize].0);
    (all.into_iter().map(|it| it.1).collect(), turns, synthesis.status)
}

/// Elements of two sequences, alternately while both last.
fn alternated<T>(a: Vec<T>, b: Vec<T>) -> Vec<T> {
    let (mut a, mut b) = (a.into_iter(), b.into_iter());
    let mut both = Vec::new();
    loop {
        let next = (a.next(), b.next());
        if next.0.is_none() && next.1.is_none() {
            return both;
        }
        both.extend(next.0.into_iter().chain(next.1));
    }
}

fn has_same_ops(a: &SymbolicTrace, b: &SymbolicTrace) -> bool {
    a.events.iter().map(|it| it.op).eq(b.events.iter().map(|it| it.op))
}

/// The traces that end with another answer than the expected one.
fn wrong_answer(
    terms: &mut Terms,
    pattern: &TracePattern,
    has_ended: &mut bool,
) -> TracePattern {
    let mut all = |parts: &[TracePattern]| -> Vec<TracePattern> {
        parts.iter().map(|it| wrong_answer(terms, it, &mut false)).collect()
    };
    match pattern {
        TracePattern::Expect(atom) => {
            *has_ended = true;
            let condition = terms.not(atom.condition);
            TracePattern::Event(EventAtom { op: atom.op, condition })
        }
        TracePattern::Sequence(parts) => {
            let mut before = Vec::new();
            for part in parts {
                before.push(wrong_answer(terms, part, has_ended));
                if *has_ended {
                    break;
                }
            }
            TracePattern::Sequence(before)
        }
        TracePattern::Choice(parts) => TracePattern::Choice(all(parts)),
        TracePattern::Both(parts) => TracePattern::Both(all(parts)),
        TracePattern::Anything
        | TracePattern::AnyEvent
        | TracePattern::Event(_)
        | TracePattern::Except(_)
        | TracePattern::Last(_)
        | TracePattern::Repeat(_) => pattern.clone(),
    }
}

/// Small integers, and those that the specification mentions with their neighbors.
fn integers(terms: &Terms) -> Vec<i128> {
    /// More would only make runs slower.
    const MOST: usize = 24;
    let mut all: Vec<i128> = vec![0, 1, 2, -1, 3, 4, 5, 6];
    for node in terms.nodes() {
        let Some(constant) = constant(node) else { continue };
        // A condition `x - c = 0` compares a variable with the constant.
        for near in [constant, constant.saturating_neg()] {
            all.extend([near, near.saturating_add(1), near.saturating_sub(1)]);
        }
    }
    let mut simplest: Vec<i128> = Vec::new();
    for it in all {
        if !simplest.contains(&it) && simplest.len() < MOST {
            simplest.push(it);
        }
    }
    simplest
}

fn constant(node: &TermNode) -> Option<i128> {
    match node {
        TermNode::Int(value) => Some(*value),
        TermNode::AtMostZero(sum) | TermNode::Zero(sum) | TermNode::Sum(sum) => {
            Some(sum.constant)
        }
        TermNode::Bool(_) | TermNode::Var(_) | TermNode::App(..) | TermNode::Equal(..) => None,
        TermNode::Not(_) | TermNode::And(_) | TermNode::Or(_) | TermNode::Ite(..) => None,
        TermNode::Opaque(..) => None,
    }
}
