//! Lines: sequences of events with symbolic arguments, and of stretches of any events of a class.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::rc::Rc;

use gainsay_smt::{TermId, VarId};

use crate::automaton::EventClass;
use crate::spec::OpId;
use crate::store::ConstraintStore;
use crate::workshop::{Renaming, Workshop};

/// What caused an event.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum EventCause {
    /// Nothing so far.
    Open,
    /// It has happened before anything else.
    Initial,
    /// Another event.
    Event(u32),
}

/// An event of a line.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct LineEvent {
    pub(crate) id: u32,
    pub(crate) op: OpId,
    pub(crate) args: Vec<TermId>,
    pub(crate) cause: EventCause,
    /// Whether a rule has been applied to it.
    pub(crate) is_checked: bool,
    /// The event that it is paired with.
    pub(crate) owner: Option<u32>,
    /// Whether its answer is asserted.
    pub(crate) is_expected: bool,
    /// The rule that was applied.
    pub(crate) rule: Option<usize>,
}

/// Part of a line.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Segment {
    Event(Rc<LineEvent>),
    /// Any number of events of a class.
    Stretch(EventClass),
}

/// A set of traces. It is empty only if the conditions contradict each other, because stretches
/// may be empty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Line {
    pub(crate) segments: Vec<Segment>,
    pub(crate) store: ConstraintStore,
    pub(crate) next_id: u32,
}

/// What makes two lines the same, in 128 bits: keeping lines to compare them would take more memory
/// than the search itself.
pub(crate) type LineKey = (u64, u64);

impl Line {
    /// The events, with their positions among the segments.
    pub(crate) fn events(&self) -> impl Iterator<Item = (usize, &Rc<LineEvent>)> {
        self.segments.iter().enumerate().filter_map(|(at, it)| match it {
            Segment::Event(event) => Some((at, event)),
            Segment::Stretch(_) => None,
        })
    }

    pub(crate) fn n_events(&self) -> usize {
        self.events().count()
    }

    /// Renames variables by first occurrence and events by age, and replaces what is solved.
    pub(crate) fn normalize(&mut self, workshop: &mut Workshop) {
        workshop.effort.steps += 1 + self.segments.len() as u64 / 8;
        let solved = std::mem::take(&mut self.store.solved);
        let mut ids: Vec<u32> = self.events().map(|it| it.1.id).collect();
        ids.sort_unstable();
        // Arguments of events come first, then conditions, then classes of stretches: the
        // order of the first occurrence must not depend on names.
        let mut renaming = Renaming::default();
        let mut segments = std::mem::take(&mut self.segments);
        for segment in &mut segments {
            match segment {
                Segment::Event(event) => {
                    let mut new = (**event).clone();
                    for arg in &mut new.args {
                        *arg = workshop.terms.substitute(*arg, &solved[..]);
                        renaming.visit(workshop, *arg);
                    }
                    *segment = Segment::Event(Rc::new(new));
                }
                Segment::Stretch(class) => *class = workshop.instantiate(class, &solved),
            }
        }
        for condition in &self.store.residual {
            renaming.visit(workshop, *condition);
        }
        let mut renamed: Vec<Segment> = Vec::with_capacity(segments.len());
        for mut segment in segments {
            match &mut segment {
                Segment::Event(event) => {
                    let event = Rc::make_mut(event);
                    for arg in &mut event.args {
                        *arg = workshop.terms.substitute(*arg, &renaming.names[..]);
                    }
                    event.id = position(&ids, event.id);
                    event.owner = event.owner.map(|it| position(&ids, it));
                    if let EventCause::Event(id) = event.cause {
                        event.cause = EventCause::Event(position(&ids, id));
                    }
                }
                Segment::Stretch(class) => {
                    for (op, condition) in class.iter().enumerate() {
                        renaming.visit_class(workshop, op, *condition);
                    }
                    *class = workshop.instantiate(class, &renaming.names);
                    // Two equal stretches in a row have the traces of one.
                    if renamed.last() == Some(&segment) {
                        continue;
                    }
                }
            }
            renamed.push(segment);
        }
        self.segments = renamed;
        for condition in &mut self.store.residual {
            *condition = workshop.terms.substitute(*condition, &renaming.names[..]);
        }
        self.store.residual.sort_unstable();
        self.store.residual.dedup();
        self.next_id = crate_id(ids.len());
    }

    /// What identifies a normalized line.
    pub(crate) fn key(&self) -> LineKey {
        let hash = |seed: u64| {
            let mut hasher = DefaultHasher::new();
            seed.hash(&mut hasher);
            self.segments.hash(&mut hasher);
            self.store.residual.hash(&mut hasher);
            hasher.finish()
        };
        // A collision would drop a line unseen; 128 bits make it unlikelier than a fault of
        // the machine.
        (hash(0), hash(1))
    }

    /// The operations that the generator performs, in order.
    pub(crate) fn shape(&self, workshop: &Workshop) -> Vec<OpId> {
        self.events()
            .map(|it| it.1.op)
            .filter(|it| workshop.kinds[it.index()] == crate::spec::OpKind::Gen)
            .collect()
    }
}

fn position(ids: &[u32], id: u32) -> u32 {
    crate_id(ids.iter().position(|it| *it == id).unwrap_or(0))
}

fn crate_id(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Pairs the fields of an operation with arguments.
pub(crate) fn field_values(
    workshop: &Workshop,
    op: OpId,
    args: &[TermId],
) -> Vec<(VarId, TermId)> {
    workshop.fields[op.index()].iter().copied().zip(args.iter().copied()).collect()
}
