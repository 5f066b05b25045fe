//! Two ways to find the arm of a value: in turn as the language says, and by walking decisions.

use super::*;

/// A value of first order.
#[derive(Debug, Clone)]
pub(super) enum Thing {
    Int(i64),
    Float(f64),
    Bool(bool),
    Str(&'static str),
    Tuple(Vec<Thing>),
    Ctor(CtorId, Vec<Thing>),
    List(Vec<Thing>),
}

impl Thing {
    /// The value as text, by which bound values are compared.
    pub(super) fn text(&self) -> String {
        format!("{self:?}")
    }
}

/// An arm whose pattern matched, with what it bound.
pub(super) type Tried = (usize, Vec<(LocalId, String)>);

/// The arms that matched, in order: all but the last have guards that did not hold. The last
/// was taken, unless nothing was.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Trail {
    pub(super) tried: Vec<Tried>,
    pub(super) is_taken: bool,
}

/// Tries the rows in turn. Rows of one arm are alternatives: the guard is asked once.
pub(super) fn in_turn(m: &Match, columns: &[Thing], holds: &[bool]) -> Trail {
    let mut tried: Vec<Tried> = Vec::new();
    for row in &m.rows {
        if tried.last().is_some_and(|(arm, _)| *arm == row.arm) {
            continue;
        }
        let mut bound = Vec::new();
        let mut cells = row.patterns.iter().zip(columns);
        let is_match = |(pattern, thing): (&Option<PatternId>, &Thing)| {
            pattern.is_none_or(|it| matches(m, it, thing, &mut bound))
        };
        if !cells.all(is_match) {
            continue;
        }
        bound.sort();
        tried.push((row.arm, bound));
        if !row.has_guard || holds[row.arm] {
            return Trail { tried, is_taken: true };
        }
    }
    Trail { tried, is_taken: false }
}

fn matches(
    m: &Match,
    pattern: PatternId,
    thing: &Thing,
    bound: &mut Vec<(LocalId, String)>,
) -> bool {
    match (m.body.pattern(pattern), thing) {
        (Pattern::Wildcard, _) => true,
        (Pattern::Bind(local), thing) => {
            bound.push((*local, thing.text()));
            true
        }
        (Pattern::Literal(Literal::Int(a)), Thing::Int(b)) => a == b,
        (Pattern::Literal(Literal::Float(a)), Thing::Float(b)) => a == b,
        (Pattern::Literal(Literal::Bool(a)), Thing::Bool(b)) => a == b,
        (Pattern::Literal(Literal::Str(a)), Thing::Str(b)) => **a == **b,
        (Pattern::Tuple(parts), Thing::Tuple(things)) => all_match(m, parts, things, bound),
        (Pattern::Ctor(ctor, parts), Thing::Ctor(made_by, things)) => {
            ctor == made_by && all_match(m, parts, things, bound)
        }
        (Pattern::List(parts, rest), Thing::List(things)) => {
            let n_parts = parts.len();
            let fits = match rest {
                RestPattern::Nothing => things.len() == n_parts,
                RestPattern::Some(_) => things.len() >= n_parts,
            };
            fits && all_match(m, parts, &things[..n_parts], bound)
                && match rest {
                    RestPattern::Nothing => true,
                    RestPattern::Some(rest) => {
                        matches(m, *rest, &Thing::List(things[n_parts..].to_vec()), bound)
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
    m: &Match,
    parts: &[PatternId],
    things: &[Thing],
    bound: &mut Vec<(LocalId, String)>,
) -> bool {
    assert_eq!(parts.len(), things.len());
    parts.iter().zip(things).all(|(part, thing)| matches(m, *part, thing, bound))
}

/// Whether a path may look at one place again.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum Again {
    Never,
    Maybe,
}

/// Walks from the root on. Reading a place that does not exist panics.
pub(super) fn walk(
    decisions: &Decisions,
    columns: &[Thing],
    holds: &[bool],
    again: Again,
) -> Trail {
    let mut tried: Vec<Tried> = Vec::new();
    let mut early: Vec<(LocalId, String)> = Vec::new();
    let mut seen = Vec::new();
    let mut next = decisions.root;
    loop {
        next = match decisions.node(next) {
            Node::Fail => return Trail { tried, is_taken: false },
            Node::Bind { bindings, next } => {
                let bound = read_all(decisions, bindings, columns);
                early.retain(|(local, _)| bound.iter().all(|(it, _)| it != local));
                early.extend(bound);
                *next
            }
            Node::Switch { place, cases, default } => {
                assert!(again == Again::Maybe || !seen.contains(place), "looked at twice");
                seen.push(*place);
                let thing = read(decisions, *place, columns);
                let held = cases.iter().filter(|(test, _)| holds_for(test, &thing));
                let held: Vec<NodeId> = held.map(|(_, next)| *next).collect();
                match (&held[..], default) {
                    ([next], _) | ([], Some(next)) => *next,
                    (held, _) => panic!("{} of {cases:?} hold for {thing:?}", held.len()),
                }
            }
            Node::Arm { arm, bindings, otherwise } => {
                let mut bound = read_all(decisions, bindings, columns);
                let own = |(local, _): &&(LocalId, String)| local.0 as usize / 100 == *arm;
                bound.extend(early.iter().filter(own).cloned());
                bound.sort();
                tried.push((*arm, bound));
                match otherwise {
                    Some(otherwise) if !holds[*arm] => *otherwise,
                    Some(_) | None => return Trail { tried, is_taken: true },
                }
            }
        }
    }
}

fn read_all(
    decisions: &Decisions,
    bindings: &[(LocalId, PlaceId)],
    columns: &[Thing],
) -> Vec<(LocalId, String)> {
    assert!(bindings.is_sorted());
    bindings
        .iter()
        .map(|(local, place)| (*local, read(decisions, *place, columns).text()))
        .collect()
}

fn read(decisions: &Decisions, place: PlaceId, columns: &[Thing]) -> Thing {
    match decisions.place(place) {
        Place::Column(column) => columns[column as usize].clone(),
        Place::Field { of, index } => {
            let whole = read(decisions, of, columns);
            let (Thing::Tuple(parts) | Thing::Ctor(_, parts)) = &whole else {
                panic!("{whole:?} has no fields");
            };
            parts[index as usize].clone()
        }
        Place::Head(of) => read_list(decisions, of, columns)[0].clone(),
        Place::Tail(of) => Thing::List(read_list(decisions, of, columns)[1..].to_vec()),
    }
}

fn read_list(decisions: &Decisions, place: PlaceId, columns: &[Thing]) -> Vec<Thing> {
    let thing = read(decisions, place, columns);
    let Thing::List(things) = thing else { panic!("{thing:?} is no list") };
    things
}

fn holds_for(test: &Test, thing: &Thing) -> bool {
    match (test, thing) {
        (Test::Ctor(a), Thing::Ctor(b, _)) => a == b,
        (Test::Bool(a), Thing::Bool(b)) => a == b,
        (Test::Int(a), Thing::Int(b)) => a == b,
        (Test::Float(a), Thing::Float(b)) => f64::from_bits(*a) == *b,
        (Test::Str(a), Thing::Str(b)) => **a == **b,
        (Test::Nil, Thing::List(things)) => things.is_empty(),
        (Test::Cons, Thing::List(things)) => !things.is_empty(),
        (test, thing) => panic!("{test:?} is not of the type of {thing:?}"),
    }
}
