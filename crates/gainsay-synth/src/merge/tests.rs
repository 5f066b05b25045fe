//! Merging is exact: for random patterns with common variables, the traces of the lines are those
//! that both patterns match.

use std::collections::BTreeMap;

use gainsay_smt::{Answer, Model, SmtValue, SolverLimits, Sort, TermId, Terms, VarId, solve};

use super::{MergeRequest, merge};
use crate::automaton::{EmissionCounter, PatternRole, automaton};
use crate::line::Segment;
use crate::search::everything;
use crate::spec::{EventAtom, OpId, OpKind, Spec, TracePattern};
use crate::store::ConstraintStore;
use crate::validate::{GroundEvent, pattern_matches};
use crate::workshop::{LineLimits, Workshop};

/// A linear congruential generator (Knuth, "Seminumerical algorithms", 3.3.4).
struct Lcg(u64);

impl Lcg {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound
    }
}

const MAX_LENGTH: usize = 3;

fn atom(spec: &mut Spec, random: &mut Lcg, ghosts: &[VarId]) -> EventAtom {
    let ops: Vec<OpId> = spec.ops().collect();
    let op = ops[random.below(ops.len())];
    let condition = match spec.operation(op).fields.first().copied() {
        None => TermId::TRUE,
        Some(field) => {
            let field = spec.terms.var(field);
            let ghost = spec.terms.var(ghosts[random.below(ghosts.len())]);
            let one = spec.terms.int(1);
            match random.below(5) {
                0 => TermId::TRUE,
                1 => spec.terms.eq(field, one),
                2 => spec.terms.ne(field, ghost),
                3 => spec.terms.lt(field, ghost),
                _ => spec.terms.eq(field, ghost),
            }
        }
    };
    EventAtom { op, condition }
}

fn pattern(spec: &mut Spec, random: &mut Lcg, ghosts: &[VarId], depth: usize) -> TracePattern {
    let mut parts = Vec::new();
    for _ in 0..=random.below(3) {
        let part = match random.below(9) {
            0 | 1 => TracePattern::Anything,
            2 | 3 => TracePattern::Event(atom(spec, random, ghosts)),
            4 | 5 => {
                let except = TracePattern::Except(vec![atom(spec, random, ghosts)]);
                TracePattern::Repeat(Box::new(except))
            }
            6 => TracePattern::AnyEvent,
            7 if depth > 0 => {
                let inner = pattern(spec, random, ghosts, depth - 1);
                match random.below(3) {
                    0 => TracePattern::Repeat(Box::new(inner)),
                    1 => {
                        let other = pattern(spec, random, ghosts, depth - 1);
                        TracePattern::Choice(vec![inner, other])
                    }
                    _ => {
                        let other = pattern(spec, random, ghosts, depth - 1);
                        TracePattern::Both(vec![inner, other])
                    }
                }
            }
            _ => TracePattern::Last(atom(spec, random, ghosts)),
        };
        parts.push(part);
    }
    TracePattern::Sequence(parts)
}

/// All traces up to a length.
fn traces(spec: &Spec) -> Vec<Vec<GroundEvent>> {
    let mut events = Vec::new();
    for op in spec.ops() {
        let values = if spec.operation(op).fields.is_empty() { 1 } else { 2 };
        for value in 0..values {
            let fields = spec.operation(op).fields.len();
            let args = vec![SmtValue::Int(value); fields];
            events.push(GroundEvent { op, args, is_initial: false });
        }
    }
    let mut all = vec![Vec::new()];
    let mut longest = all.clone();
    for _ in 0..MAX_LENGTH {
        let mut longer = Vec::new();
        for trace in &longest {
            for event in &events {
                let mut trace: Vec<GroundEvent> = trace.clone();
                trace.push(event.clone());
                longer.push(trace);
            }
        }
        all.extend(longer.iter().cloned());
        longest = longer;
    }
    all
}

/// Whether a trace is one of a line, with further conditions.
fn contains(
    terms: &mut Terms,
    spec: &Spec,
    segments: &[Segment],
    trace: &[GroundEvent],
    conditions: &mut Vec<TermId>,
) -> bool {
    let Some((first, rest)) = segments.split_first() else {
        return trace.is_empty()
            && matches!(solve(terms, conditions, SolverLimits::default()), Answer::Sat(_));
    };
    let n_conditions = conditions.len();
    let found = match first {
        Segment::Event(event) => trace.split_first().is_some_and(|(head, tail)| {
            if head.op != event.op {
                return false;
            }
            for (arg, value) in event.args.iter().zip(&head.args) {
                let SmtValue::Int(value) = *value else { return false };
                let value = terms.int(value);
                conditions.push(terms.eq(*arg, value));
            }
            contains(terms, spec, rest, tail, conditions)
        }),
        Segment::Stretch(class) => {
            contains(terms, spec, rest, trace, conditions)
                || trace.split_first().is_some_and(|(head, tail)| {
                    let mut by: Vec<(VarId, TermId)> = Vec::new();
                    for (field, value) in spec.operation(head.op).fields.iter().zip(&head.args)
                    {
                        let SmtValue::Int(value) = *value else { return false };
                        by.push((*field, terms.int(value)));
                    }
                    let condition = terms.substitute(class[head.op.index()], &by[..]);
                    conditions.push(condition);
                    condition != TermId::FALSE
                        && contains(terms, spec, segments, tail, conditions)
                })
        }
    };
    conditions.truncate(n_conditions);
    found
}

/// The conditions of a store.
fn conditions(terms: &mut Terms, store: &ConstraintStore) -> Vec<TermId> {
    let mut all = store.residual.clone();
    for (var, value) in &store.solved {
        let var = terms.var(*var);
        all.push(terms.eq(var, *value));
    }
    all
}

#[test]
fn lines_have_the_traces_that_both_patterns_match() {
    let (mut n_checked, mut n_members, mut n_lines) = (0, 0, 0);
    for seed in 0..600 {
        let mut random = Lcg(seed);
        let mut spec = Spec::default();
        spec.add_operation("a", OpKind::Gen, &[("x", Sort::Int)]);
        spec.add_operation("b", OpKind::Gen, &[]);
        let ghosts: Vec<VarId> =
            ["g", "h"].map(|it| spec.terms.signature.add_var(it, Sort::Int)).to_vec();
        let patterns = [(); 2].map(|()| pattern(&mut spec, &mut random, &ghosts, 1));
        let mut workshop = Workshop::new(&spec, LineLimits::default()).unwrap();
        let start = everything(&workshop, &[]);
        let mut lines = vec![(start.segments, ConstraintStore::default(), 0)];
        for pattern in &patterns {
            let mut counter = EmissionCounter::default();
            let automaton = automaton(
                &spec,
                &mut workshop.terms,
                pattern,
                PatternRole::Observed,
                &mut counter,
            )
            .unwrap();
            let mut merged = Vec::new();
            for (segments, store, next_id) in &lines {
                let request = MergeRequest {
                    segments,
                    store,
                    next_id: *next_id,
                    pattern: &automaton,
                    bindings: &[],
                    claimant: None,
                    required: None,
                    max_inserted: MAX_LENGTH,
                };
                let placed = merge(&mut workshop, &request);
                merged.extend(placed.into_iter().map(|it| (it.segments, it.store, it.next_id)));
            }
            lines = merged;
        }
        n_lines += lines.len();
        let functions = Model::default();
        for trace in traces(&spec) {
            let values = (0..16).map(|it| (it % 4 - 1, it / 4 - 1));
            let expected = values.into_iter().any(|(g, h)| {
                let values = BTreeMap::from([
                    (ghosts[0], SmtValue::Int(g)),
                    (ghosts[1], SmtValue::Int(h)),
                ]);
                let matches =
                    |it| pattern_matches(&spec, it, &trace, values.clone(), &functions);
                patterns.iter().all(matches)
            });
            let found = lines.iter().any(|(segments, store, _)| {
                let mut conditions = conditions(&mut workshop.terms, store);
                contains(&mut workshop.terms, &spec, segments, &trace, &mut conditions)
            });
            assert_eq!(found, expected, "seed {seed}: {patterns:?} {trace:?}");
            n_checked += 1;
            n_members += usize::from(expected);
        }
    }
    assert!(n_checked == 600 * 40 && n_members > 500 && n_lines > 500, "{n_members} {n_lines}");
}
