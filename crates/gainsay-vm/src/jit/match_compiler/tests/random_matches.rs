//! Random matches and values.

use super::reference_match::{MatchValue, Revisit, match_by_graph, match_sequentially};
use super::*;

/// SplitMix64 (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA
/// 2014).
struct MatchRandom(u64);

impl MatchRandom {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

/// The type of a column and its parts.
#[derive(Debug, Clone, PartialEq)]
enum ColumnType {
    Int,
    Float,
    Bool,
    Str,
    Tuple(Vec<ColumnType>),
    List(Box<ColumnType>),
    /// One constructor per entry, with the types of its fields.
    Sum(Vec<(CtorId, Vec<ColumnType>)>),
}

const INTS: [i64; 4] = [0, 1, -1, i64::MAX];
const FLOATS: [f64; 6] = [0.0, -0.0, 1.5, f64::NAN, f64::INFINITY, -1.5];
const STRS: [&str; 3] = ["", "a", "b"];

/// A pattern before locals are bound in it.
#[derive(Debug, Clone)]
enum PatternDraft {
    Any(ColumnType),
    Bind(LocalId),
    Literal(Literal),
    Tuple(Vec<PatternDraft>),
    Ctor(CtorId, Vec<PatternDraft>),
    List(Vec<PatternDraft>, Option<Box<PatternDraft>>),
    Or(Vec<PatternDraft>),
}

impl MatchFixture {
    fn random_type(&mut self, chance: &mut MatchRandom, depth: usize) -> ColumnType {
        if depth == 0 {
            return match chance.below(5) {
                0 => ColumnType::Int,
                1 => ColumnType::Float,
                2 => ColumnType::Bool,
                3 => ColumnType::Str,
                _ => self.random_sum_type(chance, 0, 3),
            };
        }
        match chance.below(6) {
            0 => ColumnType::Tuple(
                (0..chance.below(4)).map(|_| self.random_type(chance, depth - 1)).collect(),
            ),
            1 => ColumnType::List(Box::new(self.random_type(chance, depth - 1))),
            2 => self.random_sum_type(chance, depth, 1),
            3 => self.random_sum_type(chance, depth, 2),
            4 => self.random_sum_type(chance, depth, 4),
            _ => self.random_type(chance, 0),
        }
    }

    fn random_sum_type(
        &mut self,
        chance: &mut MatchRandom,
        depth: usize,
        n_ctors: usize,
    ) -> ColumnType {
        let mut fields = |_| match depth {
            0 => Vec::new(),
            _ => (0..chance.below(3)).map(|_| self.random_type(chance, depth - 1)).collect(),
        };
        let fields: Vec<Vec<ColumnType>> = (0..n_ctors).map(&mut fields).collect();
        let n_fields: Vec<usize> = fields.iter().map(Vec::len).collect();
        ColumnType::Sum(self.declare(&n_fields).into_iter().zip(fields).collect())
    }

    fn add(&mut self, draft: &PatternDraft) -> PatternId {
        match draft {
            PatternDraft::Any(_) => self.any(),
            PatternDraft::Bind(local) => self.bind(local.0),
            PatternDraft::Literal(literal) => {
                self.body.add_pattern(Pattern::Literal(literal.clone()))
            }
            PatternDraft::Tuple(parts) => {
                let parts = self.add_all(parts);
                self.tuple(&parts)
            }
            PatternDraft::Ctor(ctor, parts) => {
                let parts = self.add_all(parts);
                self.ctor(*ctor, &parts)
            }
            PatternDraft::List(parts, rest) => {
                let parts = self.add_all(parts);
                let rest = match rest {
                    None => RestPattern::Nothing,
                    Some(rest) => RestPattern::Some(self.add(rest)),
                };
                self.list(&parts, rest)
            }
            PatternDraft::Or(parts) => {
                let parts = self.add_all(parts);
                self.either(&parts)
            }
        }
    }

    fn add_all(&mut self, drafts: &[PatternDraft]) -> Vec<PatternId> {
        drafts.iter().map(|draft| self.add(draft)).collect()
    }
}

fn random_pattern(chance: &mut MatchRandom, kind: &ColumnType) -> PatternDraft {
    match chance.below(8) {
        0..3 => return PatternDraft::Any(kind.clone()),
        3 => {
            let n_parts = 2 + chance.below(2);
            return PatternDraft::Or(
                (0..n_parts).map(|_| random_pattern(chance, kind)).collect(),
            );
        }
        _ => {}
    }
    match kind {
        ColumnType::Int => PatternDraft::Literal(Literal::Int(INTS[chance.below(INTS.len())])),
        ColumnType::Float => {
            PatternDraft::Literal(Literal::Float(FLOATS[chance.below(FLOATS.len())]))
        }
        ColumnType::Bool => PatternDraft::Literal(Literal::Bool(chance.one_in(2))),
        ColumnType::Str => {
            PatternDraft::Literal(Literal::Str(STRS[chance.below(STRS.len())].into()))
        }
        ColumnType::Tuple(kinds) => PatternDraft::Tuple(random_patterns(chance, kinds)),
        ColumnType::Sum(ctors) => {
            let (ctor, kinds) = &ctors[chance.below(ctors.len())];
            PatternDraft::Ctor(*ctor, random_patterns(chance, kinds))
        }
        ColumnType::List(item) => {
            let parts = (0..chance.below(3)).map(|_| random_pattern(chance, item)).collect();
            let rest = chance.one_in(2).then(|| Box::new(random_pattern(chance, kind)));
            PatternDraft::List(parts, rest)
        }
    }
}

fn random_patterns(chance: &mut MatchRandom, kinds: &[ColumnType]) -> Vec<PatternDraft> {
    kinds.iter().map(|kind| random_pattern(chance, kind)).collect()
}

/// Turns some wildcards into bindings.
fn bind_some(chance: &mut MatchRandom, draft: &mut PatternDraft, next: &mut u32) {
    match draft {
        PatternDraft::Any(_) if chance.one_in(2) => {
            *draft = PatternDraft::Bind(LocalId(*next));
            *next += 1;
        }
        PatternDraft::Any(_) | PatternDraft::Bind(_) | PatternDraft::Literal(_) => {}
        PatternDraft::Tuple(parts) | PatternDraft::Ctor(_, parts) => {
            parts.iter_mut().for_each(|part| bind_some(chance, part, next));
        }
        PatternDraft::List(parts, rest) => {
            parts.iter_mut().for_each(|part| bind_some(chance, part, next));
            rest.iter_mut().for_each(|rest| bind_some(chance, rest, next));
        }
        PatternDraft::Or(parts) => bind_alternatives(chance, parts, next),
    }
}

/// Binds the same locals in all alternatives, at wildcards of the same type.
fn bind_alternatives(chance: &mut MatchRandom, parts: &mut [PatternDraft], next: &mut u32) {
    for _ in 0..2 {
        let mut candidate = Vec::new();
        wildcard_types(&parts[0], &mut candidate);
        if candidate.is_empty() || chance.one_in(3) {
            return;
        }
        let kind = candidate[chance.below(candidate.len())].clone();
        let has_kind = |part: &PatternDraft| {
            let mut kinds = Vec::new();
            wildcard_types(part, &mut kinds);
            kinds.contains(&kind)
        };
        if !parts.iter().all(has_kind) {
            continue;
        }
        for part in parts.iter_mut() {
            assert!(bind_one(part, &kind, LocalId(*next)));
        }
        *next += 1;
    }
}

/// The types of wildcards outside of or-patterns.
fn wildcard_types(draft: &PatternDraft, kinds: &mut Vec<ColumnType>) {
    match draft {
        PatternDraft::Any(kind) => kinds.push(kind.clone()),
        PatternDraft::Bind(_) | PatternDraft::Literal(_) | PatternDraft::Or(_) => {}
        PatternDraft::Tuple(parts) | PatternDraft::Ctor(_, parts) => {
            parts.iter().for_each(|part| wildcard_types(part, kinds));
        }
        PatternDraft::List(parts, rest) => {
            parts.iter().for_each(|part| wildcard_types(part, kinds));
            rest.iter().for_each(|rest| wildcard_types(rest, kinds));
        }
    }
}

fn bind_one(draft: &mut PatternDraft, kind: &ColumnType, local: LocalId) -> bool {
    match draft {
        PatternDraft::Any(of) if of == kind => {
            *draft = PatternDraft::Bind(local);
            true
        }
        PatternDraft::Any(_)
        | PatternDraft::Bind(_)
        | PatternDraft::Literal(_)
        | PatternDraft::Or(_) => false,
        PatternDraft::Tuple(parts) | PatternDraft::Ctor(_, parts) => {
            parts.iter_mut().any(|part| bind_one(part, kind, local))
        }
        PatternDraft::List(parts, rest) => {
            parts.iter_mut().any(|part| bind_one(part, kind, local))
                || rest.iter_mut().any(|rest| bind_one(rest, kind, local))
        }
    }
}

fn random_value(chance: &mut MatchRandom, kind: &ColumnType) -> MatchValue {
    match kind {
        ColumnType::Int => MatchValue::Int(INTS[chance.below(INTS.len())]),
        ColumnType::Float => MatchValue::Float(FLOATS[chance.below(FLOATS.len())]),
        ColumnType::Bool => MatchValue::Bool(chance.one_in(2)),
        ColumnType::Str => MatchValue::Str(STRS[chance.below(STRS.len())]),
        ColumnType::Tuple(kinds) => MatchValue::Tuple(random_values(chance, kinds)),
        ColumnType::List(item) => {
            let n_items = chance.below(5);
            MatchValue::List((0..n_items).map(|_| random_value(chance, item)).collect())
        }
        ColumnType::Sum(ctors) => {
            let (ctor, kinds) = &ctors[chance.below(ctors.len())];
            MatchValue::Ctor(*ctor, random_values(chance, kinds))
        }
    }
}

fn random_values(chance: &mut MatchRandom, kinds: &[ColumnType]) -> Vec<MatchValue> {
    kinds.iter().map(|kind| random_value(chance, kind)).collect()
}

/// A match with a few arms over a few columns.
fn random_match(chance: &mut MatchRandom) -> (MatchFixture, Vec<ColumnType>) {
    let mut m = MatchFixture::default();
    let n_columns = 1 + chance.below(3);
    let kinds: Vec<ColumnType> = (0..n_columns)
        .map(|_| {
            let depth = chance.below(3);
            m.random_type(chance, depth)
        })
        .collect();
    let n_arms = 1 + chance.below(7);
    for arm in 0..n_arms {
        // Each arm has a hundred local ids of its own.
        let mut next = arm as u32 * 100;
        let mut patterns = random_patterns(chance, &kinds);
        patterns.iter_mut().for_each(|it| bind_some(chance, it, &mut next));
        assert!(next < (arm as u32 + 1) * 100);
        let patterns = m.add_all(&patterns);
        m.arm(&patterns);
        m.rows[arm].has_guard = chance.one_in(2);
    }
    (m, kinds)
}

#[test]
fn decisions_take_the_arm_that_trying_in_turn_takes() {
    let mut n_taken = [0; 8];
    let mut n_hard = 0;
    for seed in 0..6_000 {
        let mut chance = MatchRandom(seed);
        let (m, kinds) = random_match(&mut chance);
        let copies = chance.below(24) as u64;
        let all = [
            (m.decide(), Revisit::Allowed),
            (m.decide_within(UNLIMITED), Revisit::Never),
            (m.decide_within(DecisionBudget { copies, work: u64::MAX }), Revisit::Allowed),
            (m.decide_within(DecisionBudget { copies: 0, work: 0 }), Revisit::Allowed),
        ];
        n_hard += usize::from(text(&all[0].0) != text(&all[1].0));
        for _ in 0..20 {
            let columns = random_values(&mut chance, &kinds);
            let holds: Vec<bool> = m.rows.iter().map(|_| chance.one_in(3)).collect();
            let expected = match_sequentially(&m, &columns, &holds);
            n_taken[expected.arms.len()] += 1;
            for (decisions, again) in &all {
                let trail = match_by_graph(decisions, &columns, &holds, *again);
                assert_eq!(trail, expected, "seed {seed}\n{}\n{columns:?}", text(decisions));
            }
        }
    }
    // A few are dense with or-patterns; for all others the default budget is enough.
    assert!(n_hard <= 10, "{n_hard} matches are too hard");
    // The matches are varied: every number of matching arms from 0 to 4 is frequent.
    assert!(n_taken[..5].iter().all(|n| *n > 100), "{n_taken:?}");
}

#[test]
fn every_node_comes_before_those_it_leads_to() {
    for seed in 0..500 {
        let mut chance = MatchRandom(seed);
        let (m, _) = random_match(&mut chance);
        for decisions in [m.decide(), m.decide_within(DecisionBudget { copies: 0, work: 0 })] {
            for (index, node) in decisions.nodes.iter().enumerate() {
                node.for_each_successor(|next| assert!(next.index() > index));
            }
            let n_parents = decisions.n_parents();
            assert!(n_parents[1..].iter().all(|n| *n > 0), "{}", text(&decisions));
        }
    }
}

#[test]
fn columns_of_a_tuple_decide_like_the_tuple() {
    let mut n_split = 0;
    for seed in 0..2_000 {
        let mut chance = MatchRandom(seed);
        let (mut m, kinds) = random_match(&mut chance);
        for row in &mut m.rows {
            let parts: Vec<PatternId> = row.patterns.iter().flatten().copied().collect();
            let whole = m.body.add_pattern(match chance.below(10) {
                0 => Pattern::Wildcard,
                _ => Pattern::Tuple(parts.into()),
            });
            row.patterns = vec![Some(whole)];
        }
        let rows = split_columns(&m.body, &m.rows, kinds.len()).unwrap();
        let split = compile_match(&m.program, &m.body, &rows);
        n_split += rows.len();
        for _ in 0..5 {
            let columns = random_values(&mut chance, &kinds);
            let holds: Vec<bool> = m.rows.iter().map(|_| chance.one_in(3)).collect();
            let expected =
                match_sequentially(&m, &[MatchValue::Tuple(columns.clone())], &holds);
            assert_eq!(
                match_by_graph(&split, &columns, &holds, Revisit::Allowed),
                expected,
                "seed {seed}"
            );
        }
    }
    assert!(n_split > 2_000);
}
