//! Intersects part of a line with a pattern: every way in which the pattern reads the events that
//! are there, and inserts events into stretches where it needs more.

use std::rc::Rc;

use gainsay_smt::{TermId, VarId};

use crate::automaton::{AtomTag, Automaton, Edge, EventClass};
use crate::line::{EventCause, LineEvent, Segment, field_values};
use crate::spec::{OpId, OpKind};
use crate::store::ConstraintStore;
use crate::workshop::Workshop;

/// A placement of a pattern.
#[derive(Clone, Debug)]
pub(crate) struct Placement {
    pub(crate) segments: Vec<Segment>,
    pub(crate) store: ConstraintStore,
    pub(crate) next_id: u32,
    pub(crate) n_inserted: usize,
}

/// What to place, and where.
pub(crate) struct MergeRequest<'a> {
    pub(crate) segments: &'a [Segment],
    pub(crate) store: &'a ConstraintStore,
    pub(crate) next_id: u32,
    pub(crate) pattern: &'a Automaton,
    /// The values of the variables of the pattern.
    pub(crate) bindings: &'a [(VarId, TermId)],
    /// The event whose pattern it is: the cause of what the pattern emits.
    pub(crate) claimant: Option<u32>,
    /// An event that must be read as a certain emission.
    pub(crate) required: Option<(u32, u16)>,
    pub(crate) max_inserted: usize,
}

/// All placements, those with few insertions first.
pub(crate) fn merge(workshop: &mut Workshop, request: &MergeRequest<'_>) -> Vec<Placement> {
    // A bound of its own: one merge with many placements must not use up the whole search.
    let last_step = workshop.last_step.min(workshop.effort.steps + MAX_STEPS);
    let mut merger = Merger {
        workshop,
        request,
        found: Vec::new(),
        placed: Vec::new(),
        next_id: request.next_id,
        last_step,
    };
    let store = request.store.clone();
    merger.place(&Point {
        at: 0,
        state: 0,
        n_inserted: 0,
        is_satisfied: request.required.is_none(),
        store: &store,
    });
    let mut found = merger.found;
    found.sort_by_key(|it| it.n_inserted);
    found
}

struct Merger<'a> {
    workshop: &'a mut Workshop,
    request: &'a MergeRequest<'a>,
    found: Vec<Placement>,
    placed: Vec<Segment>,
    next_id: u32,
    last_step: u64,
}

/// The most steps of one merge.
const MAX_STEPS: u64 = 50_000;

/// How far a placement has got.
#[derive(Clone, Copy)]
struct Point<'a> {
    at: usize,
    state: usize,
    n_inserted: usize,
    is_satisfied: bool,
    store: &'a ConstraintStore,
}

impl Merger<'_> {
    fn place(&mut self, point: &Point<'_>) {
        self.workshop.effort.steps += 1;
        if self.found.len() >= self.workshop.limits.placements
            || self.workshop.effort.steps >= self.last_step
        {
            // From here on, a goal can no longer be called unreachable.
            self.workshop.cut = true;
            return;
        }
        let request = self.request;
        match request.segments.get(point.at) {
            None => {
                if request.pattern.states[point.state].is_final && point.is_satisfied {
                    self.found.push(Placement {
                        segments: self.placed.clone(),
                        store: point.store.clone(),
                        next_id: self.next_id,
                        n_inserted: point.n_inserted,
                    });
                }
            }
            Some(Segment::Event(event)) => self.read_event(point, event),
            Some(Segment::Stretch(class)) => self.divide_stretch(point, class),
        }
    }

    /// An event that is there is read by an edge.
    fn read_event(&mut self, point: &Point<'_>, event: &Rc<LineEvent>) {
        let request = self.request;
        for edge in &request.pattern.states[point.state].edges {
            let condition = edge.class[event.op.index()];
            if condition == TermId::FALSE {
                continue;
            }
            let is_required = request.required.filter(|it| edge.tag.emission == Some(it.1));
            // The required emission reads the required event and no other, and that event is
            // read by it alone.
            if let Some((id, emission)) = request.required {
                let reads_it = edge.tag.emission == Some(emission);
                if (event.id == id) != reads_it {
                    continue;
                }
            }
            let Some(read) = self.claimed(event, edge.tag) else { continue };
            let mut store = point.store.clone();
            // Conditions are added while the line is read, so that a contradiction ends all
            // placements that begin like this one.
            let condition = self.instance(condition, event.op, &event.args);
            if !store.add(self.workshop, condition) {
                continue;
            }
            self.placed.push(Segment::Event(read));
            self.place(&Point {
                at: point.at + 1,
                state: edge.target,
                is_satisfied: point.is_satisfied || is_required.is_some(),
                store: &store,
                ..*point
            });
            self.placed.pop();
        }
    }

    /// The event as it is after an edge has read it, or nothing if it belongs to another.
    fn claimed(&self, event: &Rc<LineEvent>, tag: AtomTag) -> Option<Rc<LineEvent>> {
        let claimant = self.request.claimant;
        let mut read = Rc::clone(event);
        // Operations that are performed need no cause. All others have exactly one, so an
        // event that is already claimed cannot be an emission of this one as well.
        if tag.emission.is_some() && self.workshop.kinds[event.op.index()] != OpKind::Gen {
            if event.cause != EventCause::Open {
                return None;
            }
            Rc::make_mut(&mut read).cause =
                claimant.map_or(EventCause::Open, EventCause::Event);
        }
        if tag.owed {
            if event.owner.is_some() {
                return None;
            }
            Rc::make_mut(&mut read).owner = claimant;
        }
        if tag.expected && !event.is_expected {
            Rc::make_mut(&mut read).is_expected = true;
        }
        Some(read)
    }

    /// The condition of a class for an event.
    fn instance(&mut self, condition: TermId, op: OpId, args: &[TermId]) -> TermId {
        let mut by = field_values(self.workshop, op, args);
        by.extend_from_slice(self.request.bindings);
        self.workshop.terms.substitute(condition, &by[..])
    }

    /// The part of a stretch that the automaton spends in one state; then it leaves the stretch,
    /// ends a repetition, or reads an event that is inserted.
    fn divide_stretch(&mut self, point: &Point<'_>, class: &EventClass) {
        let request = self.request;
        let state = &request.pattern.states[point.state];
        let mut n_pushed = 0;
        if let Some(stay) = &state.stay {
            let stay = self.workshop.instantiate(stay, request.bindings);
            let both = self.workshop.intersection(class, &stay);
            if both.iter().any(|it| *it != TermId::FALSE) {
                self.placed.push(Segment::Stretch(both));
                n_pushed = 1;
            }
        }
        // Leaving the stretch comes first: placements are limited in number, and those with
        // few insertions are wanted.
        self.place(&Point { at: point.at + 1, ..*point });
        for silent in &state.silent {
            self.place(&Point { state: *silent, ..*point });
        }
        for edge in &state.edges {
            if edge.tag.is_event {
                self.insert_events(point, class, edge);
            }
        }
        self.placed.truncate(self.placed.len() - n_pushed);
    }

    fn insert_events(&mut self, point: &Point<'_>, class: &EventClass, edge: &Edge) {
        let request = self.request;
        // The required emission must read the event that is there, not a new one.
        if request.required.is_some_and(|it| edge.tag.emission == Some(it.1)) {
            return;
        }
        for number in 0..class.len() {
            let (wanted, allowed) = (edge.class[number], class[number]);
            if wanted == TermId::FALSE || allowed == TermId::FALSE {
                continue;
            }
            if point.n_inserted >= request.max_inserted {
                self.workshop.cut = true;
                return;
            }
            let op = OpId(u32::try_from(number).unwrap_or(u32::MAX));
            let args = self.workshop.fresh_args(op);
            let wanted = self.instance(wanted, op, &args);
            let by = field_values(self.workshop, op, &args);
            let allowed = self.workshop.terms.substitute(allowed, &by[..]);
            let mut store = point.store.clone();
            if !store.add(self.workshop, wanted) || !store.add(self.workshop, allowed) {
                continue;
            }
            let is_caused =
                edge.tag.emission.is_some() && self.workshop.kinds[number] != OpKind::Gen;
            let id = self.next_id;
            let event = LineEvent {
                id,
                op,
                args,
                cause: request
                    .claimant
                    .filter(|_| is_caused)
                    .map_or(EventCause::Open, EventCause::Event),
                is_checked: false,
                owner: request.claimant.filter(|_| edge.tag.owed),
                is_expected: edge.tag.expected,
                rule: None,
            };
            self.next_id += 1;
            self.placed.push(Segment::Event(Rc::new(event)));
            self.place(&Point {
                state: edge.target,
                n_inserted: point.n_inserted + 1,
                store: &store,
                ..*point
            });
            self.placed.pop();
            // Alternatives use the same ids; a placement remembers the next free one.
            self.next_id -= 1;
        }
    }
}

#[cfg(test)]
mod tests;
