//! Refines a line: applies a rule to an event, or finds a cause for it.

use std::rc::Rc;

use gainsay_smt::{TermId, VarId};

use crate::line::{EventCause, Line, LineEvent, Segment, field_values};
use crate::merge::{MergeRequest, Placement, merge};
use crate::spec::{OpId, OpKind};
use crate::store::ConstraintStore;
use crate::workshop::Workshop;

/// Which event is refined next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RefinementOrder {
    /// The oldest event without a cause; then the oldest without a rule.
    CausesOldestFirst,
    /// The last event of the line without a cause; then the first without a rule.
    CausesFromTheEnd,
    /// The first event that has a cause, but no rule; then causes, from the front.
    Forward,
}

/// The lines that one step of refinement leads to.
pub(crate) enum Refinement {
    /// Every event has a cause and a rule.
    Finished(Line),
    /// What the line may become. Together these lines contain all traces of the line that follow
    /// the specification, unless something was cut.
    Successors(Vec<Line>),
}

/// Refines one event of a line.
pub(crate) fn refine(
    workshop: &mut Workshop,
    line: &Line,
    order: RefinementOrder,
) -> Refinement {
    let mut line = line.clone();
    for segment in &mut line.segments {
        // No rule constrains these operations, so there is nothing to apply.
        if let Segment::Event(event) = segment
            && !event.is_checked
            && workshop.rules_of[event.op.index()].is_empty()
        {
            Rc::make_mut(event).is_checked = true;
        }
    }
    let is_open = |it: &LineEvent| {
        it.cause == EventCause::Open && workshop.kinds[it.op.index()] != OpKind::Gen
    };
    let uncaused: Vec<(usize, u32)> =
        line.events().filter(|it| is_open(it.1)).map(|it| (it.0, it.1.id)).collect();
    let unchecked: Vec<(usize, u32, bool)> = line
        .events()
        .filter(|it| !it.1.is_checked)
        .map(|it| (it.0, it.1.id, !is_open(it.1)))
        .collect();
    // Ids grow with each insertion, so the least id is the oldest event.
    let oldest_unchecked = unchecked.iter().min_by_key(|it| it.1).map(|it| it.0);
    let first_unchecked = unchecked.first().map(|it| it.0);
    workshop.effort.expansions += 1;
    workshop.reset_fresh();
    let backwards = match order {
        RefinementOrder::CausesOldestFirst => {
            uncaused.iter().min_by_key(|it| it.1).map(|it| it.0)
        }
        RefinementOrder::CausesFromTheEnd => uncaused.last().map(|it| it.0),
        RefinementOrder::Forward => {
            let first = unchecked.iter().find(|it| it.2).map(|it| it.0).or(first_unchecked);
            if first.is_some() { None } else { uncaused.first().map(|it| it.0) }
        }
    };
    let forwards = match order {
        RefinementOrder::CausesOldestFirst => oldest_unchecked,
        RefinementOrder::CausesFromTheEnd => first_unchecked,
        RefinementOrder::Forward => {
            unchecked.iter().find(|it| it.2).map(|it| it.0).or(first_unchecked)
        }
    };
    let mut successors = match (backwards, forwards) {
        (Some(at), _) => find_causes(workshop, &line, at),
        (None, Some(at)) => apply_rules(workshop, &line, at),
        (None, None) => return Refinement::Finished(line),
    };
    for line in &mut successors {
        line.normalize(workshop);
    }
    Refinement::Successors(successors)
}

/// All lines in which some rule has been applied to an event.
fn apply_rules(workshop: &mut Workshop, line: &Line, at: usize) -> Vec<Line> {
    let Segment::Event(event) = &line.segments[at] else { return Vec::new() };
    let rules = workshop.rules_of[event.op.index()].clone();
    let mut lines = Vec::new();
    for rule in rules {
        lines.extend(apply(workshop, line, at, rule, None));
    }
    lines
}

/// All lines in which an earlier event, present or new, causes an event.
fn find_causes(workshop: &mut Workshop, line: &Line, at: usize) -> Vec<Line> {
    // A cause precedes its effect. It is an event that is there and has no rule yet, or a new
    // one anywhere in a stretch before the effect.
    let Segment::Event(effect) = &line.segments[at] else { return Vec::new() };
    let mut causes: Vec<(usize, u16)> = Vec::new();
    for (number, rule) in workshop.rules.iter().enumerate() {
        let emissions = rule.emissions.iter().filter(|it| it.1 == effect.op);
        causes.extend(emissions.map(|it| (number, it.0)));
    }
    let mut lines = Vec::new();
    for (rule, emission) in causes {
        let op = workshop.rules[rule].op;
        let required = Some((effect.id, emission));
        for position in 0..at {
            match &line.segments[position] {
                Segment::Event(event) if event.op == op && !event.is_checked => {
                    lines.extend(apply(workshop, line, position, rule, required));
                }
                Segment::Event(_) => {}
                Segment::Stretch(class) => {
                    let class = Rc::clone(class);
                    if let Some(split) = with_event(workshop, line, position, op, &class) {
                        lines.extend(apply(workshop, &split, position + 1, rule, required));
                    }
                }
            }
        }
    }
    lines
}

/// The line with a new event inside a stretch.
fn with_event(
    workshop: &mut Workshop,
    line: &Line,
    position: usize,
    op: OpId,
    class: &Rc<[TermId]>,
) -> Option<Line> {
    if class[op.index()] == TermId::FALSE {
        return None;
    }
    if line.n_events() >= workshop.limits.events {
        workshop.cut = true;
        return None;
    }
    let args = workshop.fresh_args(op);
    let by = field_values(workshop, op, &args);
    let condition = workshop.terms.substitute(class[op.index()], &by[..]);
    let mut new = line.clone();
    if !new.store.add(workshop, condition) {
        return None;
    }
    let event = LineEvent {
        id: line.next_id,
        op,
        args,
        cause: EventCause::Open,
        is_checked: false,
        owner: None,
        is_expected: false,
        rule: None,
    };
    new.next_id += 1;
    // The stretch continues on both sides of the event.
    let inserted = [Segment::Event(Rc::new(event)), Segment::Stretch(Rc::clone(class))];
    new.segments.splice(position + 1..position + 1, inserted);
    Some(new)
}

/// All lines in which a rule has been applied to an event: the rest of the line is merged with
/// what the rule says of the future, and the beginning with what it says of the past.
fn apply(
    workshop: &mut Workshop,
    line: &Line,
    at: usize,
    number: usize,
    required: Option<(u32, u16)>,
) -> Vec<Line> {
    workshop.effort.applications += 1;
    let Segment::Event(event) = &line.segments[at] else { return Vec::new() };
    let rule = workshop.rules[number].clone();
    let mut bindings: Vec<(VarId, TermId)> =
        rule.params.iter().copied().zip(event.args.iter().copied()).collect();
    for ghost in &rule.ghosts {
        let sort = workshop.terms.signature.var(*ghost).sort;
        bindings.push((*ghost, workshop.fresh(sort)));
    }
    let mut store = line.store.clone();
    let when = workshop.terms.substitute(rule.when, &bindings[..]);
    if !store.add(workshop, when) {
        return Vec::new();
    }
    // The future is placed first, because only it can contain the required emission: if that
    // fails, the past need not be tried.
    let spare = workshop.limits.events.saturating_sub(line.n_events());
    let mut suffixes = vec![Placement {
        segments: line.segments[at + 1..].to_vec(),
        store,
        next_id: line.next_id,
        n_inserted: 0,
    }];
    for future in &rule.futures {
        let mut extended = Vec::new();
        for suffix in &suffixes {
            if extended.len() >= workshop.limits.placements {
                workshop.cut = true;
                break;
            }
            let request = MergeRequest {
                segments: &suffix.segments,
                store: &suffix.store,
                next_id: suffix.next_id,
                pattern: future,
                bindings: &bindings,
                claimant: Some(event.id),
                required: required.filter(|it| future.emissions.contains(&it.1)),
                max_inserted: insertions(workshop, spare, suffix.n_inserted),
            };
            for mut placement in merge(workshop, &request) {
                placement.n_inserted += suffix.n_inserted;
                extended.push(placement);
            }
        }
        suffixes = extended;
    }
    let mut checked = (**event).clone();
    checked.is_checked = true;
    checked.rule = Some(number);
    let checked = Segment::Event(Rc::new(checked));
    let mut lines = Vec::new();
    for suffix in suffixes {
        if lines.len() >= workshop.limits.placements {
            workshop.cut = true;
            break;
        }
        let before = &line.segments[..at];
        for placement in
            past_placements(workshop, &rule.history, &suffix, before, &bindings, spare)
        {
            let mut segments = placement.segments;
            segments.push(checked.clone());
            segments.extend_from_slice(&suffix.segments);
            lines.push(Line { segments, store: placement.store, next_id: placement.next_id });
        }
    }
    lines
}

fn insertions(workshop: &Workshop, spare: usize, n_inserted: usize) -> usize {
    workshop.limits.insertions.min(spare.saturating_sub(n_inserted))
}

/// The placements of the past of a rule. If one of them adds neither events nor conditions, it
/// stands for all.
fn past_placements(
    workshop: &mut Workshop,
    history: &Option<crate::automaton::Automaton>,
    suffix: &Placement,
    before: &[Segment],
    bindings: &[(VarId, TermId)],
    spare: usize,
) -> Vec<Placement> {
    let Some(history) = history else {
        return vec![Placement { segments: before.to_vec(), ..suffix.clone() }];
    };
    let request = MergeRequest {
        segments: before,
        store: &suffix.store,
        next_id: suffix.next_id,
        pattern: history,
        bindings,
        claimant: None,
        required: None,
        max_inserted: insertions(workshop, spare, suffix.n_inserted),
    };
    let mut placements = merge(workshop, &request);
    let adds_nothing =
        |it: &Placement| it.n_inserted == 0 && is_unconstrained(&suffix.store, &it.store);
    if placements.len() > 1
        && let Some(at) = placements.iter().position(adds_nothing)
    {
        let only = placements.swap_remove(at);
        // Its stretches may have become narrower, and then traces of the other placements are
        // lost.
        if only.segments != before {
            workshop.cut = true;
        }
        placements = vec![only];
    }
    placements
}

/// Whether a store says no more than another: only ghosts that are chosen anew have been solved.
fn is_unconstrained(before: &ConstraintStore, after: &ConstraintStore) -> bool {
    before.residual == after.residual && before.solved == after.solved
}
