//! Matches and values made by chance.

use super::walk::{Again, Thing, in_turn, walk};
use super::*;

/// A small generator of numbers: SplitMix64 (Steele, Lea and Flood, "Fast Splittable
/// Pseudorandom Number Generators", OOPSLA 2014).
struct Chance(u64);

impl Chance {
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

/// The type of a column, and of what is in it.
#[derive(Debug, Clone, PartialEq)]
enum Kind {
    Int,
    Float,
    Bool,
    Str,
    Tuple(Vec<Kind>),
    List(Box<Kind>),
    /// One constructor per entry, with the types of its fields.
    Sum(Vec<(CtorId, Vec<Kind>)>),
}

const INTS: [i64; 4] = [0, 1, -1, i64::MAX];
const FLOATS: [f64; 6] = [0.0, -0.0, 1.5, f64::NAN, f64::INFINITY, -1.5];
const STRS: [&str; 3] = ["", "a", "b"];

/// A pattern before its names are given.
#[derive(Debug, Clone)]
enum Draft {
    Any(Kind),
    Bind(LocalId),
    Literal(Literal),
    Tuple(Vec<Draft>),
    Ctor(CtorId, Vec<Draft>),
    List(Vec<Draft>, Option<Box<Draft>>),
    Or(Vec<Draft>),
}

impl Match {
    fn kind(&mut self, chance: &mut Chance, depth: usize) -> Kind {
        if depth == 0 {
            return match chance.below(5) {
                0 => Kind::Int,
                1 => Kind::Float,
                2 => Kind::Bool,
                3 => Kind::Str,
                _ => self.sum(chance, 0, 3),
            };
        }
        match chance.below(6) {
            0 => Kind::Tuple(
                (0..chance.below(4)).map(|_| self.kind(chance, depth - 1)).collect(),
            ),
            1 => Kind::List(Box::new(self.kind(chance, depth - 1))),
            2 => self.sum(chance, depth, 1),
            3 => self.sum(chance, depth, 2),
            4 => self.sum(chance, depth, 4),
            _ => self.kind(chance, 0),
        }
    }

    fn sum(&mut self, chance: &mut Chance, depth: usize, n_ctors: usize) -> Kind {
        let mut fields = |_| match depth {
            0 => Vec::new(),
            _ => (0..chance.below(3)).map(|_| self.kind(chance, depth - 1)).collect(),
        };
        let fields: Vec<Vec<Kind>> = (0..n_ctors).map(&mut fields).collect();
        let n_fields: Vec<usize> = fields.iter().map(Vec::len).collect();
        Kind::Sum(self.declare(&n_fields).into_iter().zip(fields).collect())
    }

    fn add(&mut self, draft: &Draft) -> PatternId {
        match draft {
            Draft::Any(_) => self.any(),
            Draft::Bind(local) => self.bind(local.0),
            Draft::Literal(literal) => self.body.add_pattern(Pattern::Literal(literal.clone())),
            Draft::Tuple(parts) => {
                let parts = self.add_all(parts);
                self.tuple(&parts)
            }
            Draft::Ctor(ctor, parts) => {
                let parts = self.add_all(parts);
                self.ctor(*ctor, &parts)
            }
            Draft::List(parts, rest) => {
                let parts = self.add_all(parts);
                let rest = match rest {
                    None => RestPattern::Nothing,
                    Some(rest) => RestPattern::Some(self.add(rest)),
                };
                self.list(&parts, rest)
            }
            Draft::Or(parts) => {
                let parts = self.add_all(parts);
                self.either(&parts)
            }
        }
    }

    fn add_all(&mut self, drafts: &[Draft]) -> Vec<PatternId> {
        drafts.iter().map(|draft| self.add(draft)).collect()
    }
}

fn draft(chance: &mut Chance, kind: &Kind) -> Draft {
    match chance.below(8) {
        0..3 => return Draft::Any(kind.clone()),
        3 => {
            let n_parts = 2 + chance.below(2);
            return Draft::Or((0..n_parts).map(|_| draft(chance, kind)).collect());
        }
        _ => {}
    }
    match kind {
        Kind::Int => Draft::Literal(Literal::Int(INTS[chance.below(INTS.len())])),
        Kind::Float => Draft::Literal(Literal::Float(FLOATS[chance.below(FLOATS.len())])),
        Kind::Bool => Draft::Literal(Literal::Bool(chance.one_in(2))),
        Kind::Str => Draft::Literal(Literal::Str(STRS[chance.below(STRS.len())].into())),
        Kind::Tuple(kinds) => Draft::Tuple(drafts(chance, kinds)),
        Kind::Sum(ctors) => {
            let (ctor, kinds) = &ctors[chance.below(ctors.len())];
            Draft::Ctor(*ctor, drafts(chance, kinds))
        }
        Kind::List(item) => {
            let parts = (0..chance.below(3)).map(|_| draft(chance, item)).collect();
            let rest = chance.one_in(2).then(|| Box::new(draft(chance, kind)));
            Draft::List(parts, rest)
        }
    }
}

fn drafts(chance: &mut Chance, kinds: &[Kind]) -> Vec<Draft> {
    kinds.iter().map(|kind| draft(chance, kind)).collect()
}

/// Gives names to some places that match anything.
fn name(chance: &mut Chance, draft: &mut Draft, next: &mut u32) {
    match draft {
        Draft::Any(_) if chance.one_in(2) => {
            *draft = Draft::Bind(LocalId(*next));
            *next += 1;
        }
        Draft::Any(_) | Draft::Bind(_) | Draft::Literal(_) => {}
        Draft::Tuple(parts) | Draft::Ctor(_, parts) => {
            parts.iter_mut().for_each(|part| name(chance, part, next));
        }
        Draft::List(parts, rest) => {
            parts.iter_mut().for_each(|part| name(chance, part, next));
            rest.iter_mut().for_each(|rest| name(chance, rest, next));
        }
        Draft::Or(parts) => name_alternatives(chance, parts, next),
    }
}

/// Gives the same names in all alternatives, at places of the same type.
fn name_alternatives(chance: &mut Chance, parts: &mut [Draft], next: &mut u32) {
    for _ in 0..2 {
        let mut candidate = Vec::new();
        open_kinds(&parts[0], &mut candidate);
        if candidate.is_empty() || chance.one_in(3) {
            return;
        }
        let kind = candidate[chance.below(candidate.len())].clone();
        let has_kind = |part: &Draft| {
            let mut kinds = Vec::new();
            open_kinds(part, &mut kinds);
            kinds.contains(&kind)
        };
        if !parts.iter().all(has_kind) {
            continue;
        }
        for part in parts.iter_mut() {
            assert!(name_one(part, &kind, LocalId(*next)));
        }
        *next += 1;
    }
}

/// The types of places that match anything, outside of or-patterns.
fn open_kinds(draft: &Draft, kinds: &mut Vec<Kind>) {
    match draft {
        Draft::Any(kind) => kinds.push(kind.clone()),
        Draft::Bind(_) | Draft::Literal(_) | Draft::Or(_) => {}
        Draft::Tuple(parts) | Draft::Ctor(_, parts) => {
            parts.iter().for_each(|part| open_kinds(part, kinds));
        }
        Draft::List(parts, rest) => {
            parts.iter().for_each(|part| open_kinds(part, kinds));
            rest.iter().for_each(|rest| open_kinds(rest, kinds));
        }
    }
}

fn name_one(draft: &mut Draft, kind: &Kind, local: LocalId) -> bool {
    match draft {
        Draft::Any(of) if of == kind => {
            *draft = Draft::Bind(local);
            true
        }
        Draft::Any(_) | Draft::Bind(_) | Draft::Literal(_) | Draft::Or(_) => false,
        Draft::Tuple(parts) | Draft::Ctor(_, parts) => {
            parts.iter_mut().any(|part| name_one(part, kind, local))
        }
        Draft::List(parts, rest) => {
            parts.iter_mut().any(|part| name_one(part, kind, local))
                || rest.iter_mut().any(|rest| name_one(rest, kind, local))
        }
    }
}

fn thing(chance: &mut Chance, kind: &Kind) -> Thing {
    match kind {
        Kind::Int => Thing::Int(INTS[chance.below(INTS.len())]),
        Kind::Float => Thing::Float(FLOATS[chance.below(FLOATS.len())]),
        Kind::Bool => Thing::Bool(chance.one_in(2)),
        Kind::Str => Thing::Str(STRS[chance.below(STRS.len())]),
        Kind::Tuple(kinds) => Thing::Tuple(things(chance, kinds)),
        Kind::List(item) => {
            let n_items = chance.below(5);
            Thing::List((0..n_items).map(|_| thing(chance, item)).collect())
        }
        Kind::Sum(ctors) => {
            let (ctor, kinds) = &ctors[chance.below(ctors.len())];
            Thing::Ctor(*ctor, things(chance, kinds))
        }
    }
}

fn things(chance: &mut Chance, kinds: &[Kind]) -> Vec<Thing> {
    kinds.iter().map(|kind| thing(chance, kind)).collect()
}

/// A match with a few arms over a few columns.
fn some_match(chance: &mut Chance) -> (Match, Vec<Kind>) {
    let mut m = Match::default();
    let n_columns = 1 + chance.below(3);
    let kinds: Vec<Kind> = (0..n_columns)
        .map(|_| {
            let depth = chance.below(3);
            m.kind(chance, depth)
        })
        .collect();
    let n_arms = 1 + chance.below(7);
    for arm in 0..n_arms {
        // The locals of an arm are known by their hundreds.
        let mut next = arm as u32 * 100;
        let mut patterns = drafts(chance, &kinds);
        patterns.iter_mut().for_each(|it| name(chance, it, &mut next));
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
        let mut chance = Chance(seed);
        let (m, kinds) = some_match(&mut chance);
        let copies = chance.below(24) as u64;
        let all = [
            (m.decide(), Again::Maybe),
            (m.decide_within(ENDLESS), Again::Never),
            (m.decide_within(Budget { copies, work: u64::MAX }), Again::Maybe),
            (m.decide_within(Budget { copies: 0, work: 0 }), Again::Maybe),
        ];
        n_hard += usize::from(text(&all[0].0) != text(&all[1].0));
        for _ in 0..20 {
            let columns = things(&mut chance, &kinds);
            let holds: Vec<bool> = m.rows.iter().map(|_| chance.one_in(3)).collect();
            let expected = in_turn(&m, &columns, &holds);
            n_taken[expected.tried.len()] += 1;
            for (decisions, again) in &all {
                let trail = walk(decisions, &columns, &holds, *again);
                assert_eq!(trail, expected, "seed {seed}\n{}\n{columns:?}", text(decisions));
            }
        }
    }
    // A few are dense with or-patterns; for all others the usual budget is enough.
    assert!(n_hard <= 10, "{n_hard} matches are too hard");
    // The matches are of all sorts.
    assert!(n_taken[..5].iter().all(|n| *n > 100), "{n_taken:?}");
}

#[test]
fn every_node_comes_before_those_it_leads_to() {
    for seed in 0..500 {
        let mut chance = Chance(seed);
        let (m, _) = some_match(&mut chance);
        for decisions in [m.decide(), m.decide_within(Budget { copies: 0, work: 0 })] {
            for (index, node) in decisions.nodes.iter().enumerate() {
                node.for_each_next(|next| assert!(next.index() > index));
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
        let mut chance = Chance(seed);
        let (mut m, kinds) = some_match(&mut chance);
        for row in &mut m.rows {
            let parts: Vec<PatternId> = row.patterns.iter().flatten().copied().collect();
            let whole = m.body.add_pattern(match chance.below(10) {
                0 => Pattern::Wildcard,
                _ => Pattern::Tuple(parts.into()),
            });
            row.patterns = vec![Some(whole)];
        }
        let rows = split_columns(&m.body, &m.rows, kinds.len()).unwrap();
        let split = decide(&m.program, &m.body, &rows);
        n_split += rows.len();
        for _ in 0..5 {
            let columns = things(&mut chance, &kinds);
            let holds: Vec<bool> = m.rows.iter().map(|_| chance.one_in(3)).collect();
            let expected = in_turn(&m, &[Thing::Tuple(columns.clone())], &holds);
            assert_eq!(walk(&split, &columns, &holds, Again::Maybe), expected, "seed {seed}");
        }
    }
    assert!(n_split > 2_000);
}
