//! Two ways to find the arm of a value: sequentially, as the language defines it, and by walking
//! the decision graph.

use super::*;

/// A first-order value.
#[derive(Debug, Clone)]
pub(super) enum MatchValue {
    Int(i64),
    Float(f64),
    Bool(bool),
    Str(&'static str),
    Tuple(Vec<MatchValue>),
    Ctor(CtorId, Vec<MatchValue>),
    List(Vec<MatchValue>),
}

impl MatchValue {
    /// The value as text, by which bound values are compared.
    pub(super) fn text(&self) -> String {
        format!("{self:?}")
    }
}

/// An arm whose pattern matched, with its bindings.
pub(super) type MatchedArm = (usize, Vec<(LocalId, String)>);

/// The arms that matched, in order: all but the last have guards that did not hold. The last was
/// taken, unless none was.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct MatchedArms {
    pub(super) arms: Vec<MatchedArm>,
    pub(super) is_taken: bool,
}

/// Tries the rows in turn. Rows of one arm are alternatives, and its guard is evaluated once.
pub(super) fn match_sequentially(
    m: &MatchFixture,
    columns: &[MatchValue],
    holds: &[bool],
) -> MatchedArms {
    let mut tried: Vec<MatchedArm> = Vec::new();
    for row in &m.rows {
        if tried.last().is_some_and(|(arm, _)| *arm == row.arm) {
            continue;
        }
        let mut bound = Vec::new();
        let mut cells = row.patterns.iter().zip(columns);
        let is_match = |(pattern, thing): (&Option<PatternId>, &MatchValue)| {
            pattern.is_none_or(|it| matches(m, it, thing, &mut bound))
        };
        if !cells.all(is_match) {
            continue;
        }
        bound.sort();
        tried.push((row.arm, bound));
        if !row.has_guard || holds[row.arm] {
            return MatchedArms { arms: tried, is_taken: true };
        }
    }
    MatchedArms { arms: tried, is_taken: false }
}

fn matches(
    m: &MatchFixture,
    pattern: PatternId,
    thing: &MatchValue,
    bound: &mut Vec<(LocalId, String)>,
) -> bool {
    match (m.body.pattern(pattern), thing) {
        (Pattern::Wildcard, _) => true,
        (Pattern::Bind(local), thing) => {
            bound.push((*local, thing.text()));
            true
        }
        (Pattern::Literal(Literal::Int(a)), MatchValue::Int(b)) => a == b,
        (Pattern::Literal(Literal::Float(a)), MatchValue::Float(b)) => a == b,
        (Pattern::Literal(Literal::Bool(a)), MatchValue::Bool(b)) => a == b,
        (Pattern::Literal(Literal::Str(a)), MatchValue::Str(b)) => **a == **b,
        (Pattern::Tuple(parts), MatchValue::Tuple(things)) => {
            all_match(m, parts, things, bound)
        }
        (Pattern::Ctor(ctor, parts), MatchValue::Ctor(made_by, things)) => {
            ctor == made_by && all_match(m, parts, things, bound)
        }
        (Pattern::List(parts, rest), MatchValue::List(things)) => {
            let n_parts = parts.len();
            let fits = match rest {
                RestPattern::Nothing => things.len() == n_parts,
                RestPattern::Some(_) => things.len() >= n_parts,
            };
            fits && all_match(m, parts, &things[..n_parts], bound)
                && match rest {
                    RestPattern::Nothing => true,
                    RestPattern::Some(rest) => {
                        matches(m, *rest, &MatchValue::List(things[n_parts..].to_vec()), bound)
                    }
                }
        }
        (Pattern::Or(alternatives), thing) => alternatives.iter().any(|alternative| {
            let n_bound = bound.len();
            let is_match = matches(m, *alternative, thing, bound);
            if !is_match {
                bound.truncate(n_bound);
            }
            is_match
        }),
        (pattern, thing) => panic!("{pattern:?} is not of the type of {thing:?}"),
    }
}

fn all_match(
    m: &MatchFixture,
    parts: &[PatternId],
    things: &[MatchValue],
    bound: &mut Vec<(LocalId, String)>,
) -> bool {
    assert_eq!(parts.len(), things.len());
    parts.iter().zip(things).all(|(part, thing)| matches(m, *part, thing, bound))
}

/// Whether a path may inspect an occurrence again.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum Revisit {
    Never,
    Allowed,
}

/// Walks the graph from the root. Reading an occurrence that does not exist panics.
pub(super) fn match_by_graph(
    decisions: &DecisionGraph,
    columns: &[MatchValue],
    holds: &[bool],
    again: Revisit,
) -> MatchedArms {
    let mut tried: Vec<MatchedArm> = Vec::new();
    let mut early: Vec<(LocalId, String)> = Vec::new();
    let mut seen = Vec::new();
    let mut next = decisions.root;
    loop {
        next = match decisions.node(next) {
            DecisionNode::Fail => return MatchedArms { arms: tried, is_taken: false },
            DecisionNode::Bind { bindings, next } => {
                let bound = read_all(decisions, bindings, columns);
                early.retain(|(local, _)| bound.iter().all(|(it, _)| it != local));
                early.extend(bound);
                *next
            }
            DecisionNode::Switch { occurrence: place, cases, default } => {
                assert!(again == Revisit::Allowed || !seen.contains(place), "looked at twice");
                seen.push(*place);
                let thing = read(decisions, *place, columns);
                let held = cases.iter().filter(|(test, _)| holds_for(test, &thing));
                let held: Vec<DecisionId> = held.map(|(_, next)| *next).collect();
                match (&held[..], default) {
                    ([next], _) | ([], Some(next)) => *next,
                    (held, _) => panic!("{} of {cases:?} hold for {thing:?}", held.len()),
                }
            }
            DecisionNode::Arm { arm, bindings, otherwise } => {
                let mut bound = read_all(decisions, bindings, columns);
                let own = |(local, _): &&(LocalId, String)| local.0 as usize / 100 == *arm;
                bound.extend(early.iter().filter(own).cloned());
                bound.sort();
                tried.push((*arm, bound));
                match otherwise {
                    Some(otherwise) if !holds[*arm] => *otherwise,
                    Some(_) | None => return MatchedArms { arms: tried, is_taken: true },
                }
            }
        }
    }
}

fn read_all(
    decisions: &DecisionGraph,
    bindings: &[(LocalId, OccurrenceId)],
    columns: &[MatchValue],
) -> Vec<(LocalId, String)> {
    assert!(bindings.is_sorted());
    bindings
        .iter()
        .map(|(local, place)| (*local, read(decisions, *place, columns).text()))
        .collect()
}

fn read(decisions: &DecisionGraph, place: OccurrenceId, columns: &[MatchValue]) -> MatchValue {
    match decisions.occurrence(place) {
        Occurrence::Column(column) => columns[column as usize].clone(),
        Occurrence::Field { of, index } => {
            let whole = read(decisions, of, columns);
            let (MatchValue::Tuple(parts) | MatchValue::Ctor(_, parts)) = &whole else {
                panic!("{whole:?} has no fields");
            };
            parts[index as usize].clone()
        }
        Occurrence::Head(of) => read_list(decisions, of, columns)[0].clone(),
        Occurrence::Tail(of) => {
            MatchValue::List(read_list(decisions, of, columns)[1..].to_vec())
        }
    }
}

fn read_list(
    decisions: &DecisionGraph,
    place: OccurrenceId,
    columns: &[MatchValue],
) -> Vec<MatchValue> {
    let thing = read(decisions, place, columns);
    let MatchValue::List(things) = thing else { panic!("{thing:?} is no list") };
    things
}

fn holds_for(test: &OccurrenceTest, thing: &MatchValue) -> bool {
    match (test, thing) {
        (OccurrenceTest::Ctor(a), MatchValue::Ctor(b, _)) => a == b,
        (OccurrenceTest::Bool(a), MatchValue::Bool(b)) => a == b,
        (OccurrenceTest::Int(a), MatchValue::Int(b)) => a == b,
        (OccurrenceTest::Float(a), MatchValue::Float(b)) => f64::from_bits(*a) == *b,
        (OccurrenceTest::Str(a), MatchValue::Str(b)) => **a == **b,
        (OccurrenceTest::Nil, MatchValue::List(things)) => things.is_empty(),
        (OccurrenceTest::Cons, MatchValue::List(things)) => !things.is_empty(),
        (test, thing) => panic!("{test:?} is not of the type of {thing:?}"),
    }
}
