//! Lookups in sets and maps with unknown keys: a choice among the entries that fit.
//!
//! A lookup compares its key with one entry after the other, the latest update first, for equality
//! only. As soon as one entry is left that can be meant, it is; while there are several, the lookup
//! is one choice, like that of the rule by which a relation holds.

use gainsay_core::CtorId;

use super::choice::OrderItem;
use super::equality::Equality;
use super::goals::{Goal, Progress};
use super::heap::{Cell, Ref};
use super::{END, Interrupt, Run, Step};
use crate::code::{CollectionKind, ExprId, ShapeKind};

/// What a lookup returns.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum Found {
    /// Whether there is such an element.
    Element,
    /// The value of a key: one constructor if there is none, another of the value.
    Value { none: CtorId, some: CtorId },
}

/// A lookup that waits.
#[derive(Debug, Copy, Clone)]
pub(super) struct Lookup {
    /// The collection, or what is left of the list of its items.
    pub(super) place: Ref,
    pub(super) key: Ref,
    pub(super) kind: CollectionKind,
    pub(super) found: Found,
    pub(super) result: Ref,
}

/// An entry that a key may be that of.
#[derive(Debug, Copy, Clone)]
struct Candidate {
    key: Ref,
    /// The entry; nothing if it was removed.
    item: Option<Ref>,
    /// Whether entries after it can have the same key.
    hides_others: bool,
}

/// What comes after the candidates.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
enum Rest {
    /// Nothing: the last candidate has the key for certain.
    Found,
    /// Nothing: the key may be absent.
    Absent,
    /// Items that are not known yet: the end of a list, or a collection that is going to be known.
    Unknown { place: Ref, is_list: bool },
}

impl Run<'_, '_> {
    /// The constructors of an optional value.
    pub(super) fn found_value(&self, id: ExprId) -> Option<Found> {
        let shape = self.context.code.expr_shapes[id.index()]?;
        let ShapeKind::Sum(ctors) = &self.context.code.shape(shape).kind else { return None };
        let some = ctors.iter().find(|it| it.fields.len() == 1)?.ctor;
        let none = ctors.iter().find(|it| it.fields.is_empty())?.ctor;
        Some(Found::Value { none, some })
    }

    pub(super) fn look_up(
        &mut self,
        (kind, place, key): (CollectionKind, Ref, Ref),
        (found, result): (Found, Ref),
    ) -> Step<Ref> {
        self.suspend(Goal::LookUp(Lookup { place, key, kind, found, result }))?;
        Ok(result)
    }

    pub(super) fn run_lookup(&mut self, id: u32, lookup: Lookup) -> Step<Progress> {
        let (candidates, rest) = self.candidates(&lookup)?;
        if let Rest::Unknown { place, is_list } = rest
            && candidates.is_empty()
        {
            let progress = self.wait_for_items(&lookup, (place, is_list))?;
            // It may have become known just now.
            let is_open = matches!(self.it.heap.cell(place), Cell::Unknown(_));
            return if is_open { Ok(progress) } else { self.run_lookup(id, lookup) };
        }
        // What is wanted of the result excludes candidates before the key is known.
        let weights = self.candidate_weights(&lookup, &candidates, rest)?;
        let mut possible = (0..weights.len()).filter(|at| weights[*at] > 0);
        match (possible.next(), possible.next()) {
            (None, _) => Err(Interrupt::Conflict),
            (Some(only), None) => {
                self.finish(id);
                self.take_candidate(&lookup, &candidates, (rest, only))?;
                Ok(Progress::Done)
            }
            (Some(_), Some(_)) => {
                self.watch_lookup(id, &lookup, &candidates)?;
                let is_next =
                    self.it.order[self.it.cursor as usize].item == OrderItem::Goal(id);
                if !is_next {
                    self.insert_item(OrderItem::Goal(id));
                }
                Ok(Progress::Waits([None, None]))
            }
        }
    }

    /// The weights of the entries that a lookup can mean, and of meaning none of them.
    pub(super) fn lookup_weights(&mut self, lookup: &Lookup) -> Step<Vec<u32>> {
        let (candidates, rest) = self.candidates(lookup)?;
        self.candidate_weights(lookup, &candidates, rest)
    }

    /// Lets a lookup mean one of its candidates.
    pub(super) fn choose_candidate(&mut self, lookup: &Lookup, at: usize) -> Step<()> {
        let (candidates, rest) = self.candidates(lookup)?;
        self.take_candidate(lookup, &candidates, (rest, at))
    }

    /// The candidate with the key that a lookup would like to have.
    pub(super) fn wished_candidate(&mut self, lookup: &Lookup) -> Step<Option<usize>> {
        let wish = match self.it.heap.cell(lookup.key) {
            Cell::Unknown(id) => self.it.heap.unknown(id).wish,
            Cell::Var(offset) => {
                let root = self.it.store.root(offset.var);
                let wish = self.int_wish(root.var);
                wish.map(|it| self.it.heap.int(it + root.plus + offset.plus))
            }
            _ => None,
        };
        let Some(wish) = wish else { return Ok(None) };
        let (candidates, _) = self.candidates(lookup)?;
        for (at, candidate) in candidates.iter().enumerate() {
            if self.equality(candidate.key, wish)? == Equality::Equal {
                return Ok(Some(at));
            }
        }
        Ok(None)
    }

    /// The entries whose key can be the one that is looked for.
    fn candidates(&mut self, lookup: &Lookup) -> Step<(Vec<Candidate>, Rest)> {
        let Lookup { key, kind, .. } = *lookup;
        let mut candidates = Vec::new();
        let mut place = self.it.heap.deref(lookup.place);
        loop {
            self.visit()?;
            let (candidate, next) = match self.it.heap.cells[place.index()] {
                Cell::Put(_, base, item) => {
                    let key = self.key_of(kind, item);
                    // An update hides older entries with the same key, so a later candidate
                    // implies another key.
                    (Candidate { key, item: Some(item), hides_others: true }, base)
                }
                Cell::Removed(_, base, key) => {
                    (Candidate { key, item: None, hides_others: true }, base)
                }
                Cell::Unknown(id) => {
                    let unknown = *self.it.heap.unknown(id);
                    let is_list = self.collection_shape(unknown.shape).is_none();
                    if is_list || unknown.producer != END {
                        return Ok((candidates, Rest::Unknown { place, is_list }));
                    }
                    place = self.items(place)?;
                    place = self.it.heap.deref(place);
                    continue;
                }
                Cell::Items(_) | Cell::Opaque(_) => {
                    place = self.items(place)?;
                    place = self.it.heap.deref(place);
                    continue;
                }
                Cell::Cons(item, rest) => {
                    let own = self.key_of(kind, item);
                    // Items are in ascending order of their keys: a smaller key is not among
                    // the rest.
                    if self.is_known_smaller(key, own) {
                        return Ok((candidates, Rest::Absent));
                    }
                    (Candidate { key: own, item: Some(item), hides_others: false }, rest)
                }
                _ => return Ok((candidates, Rest::Absent)),
            };
            match self.equality(key, candidate.key)? {
                Equality::Different => {}
                Equality::Equal => {
                    candidates.push(candidate);
                    return Ok((candidates, Rest::Found));
                }
                Equality::Open { .. } => candidates.push(candidate),
            }
            place = self.it.heap.deref(next);
        }
    }

    /// Whether an integer is below another one: it is not among those after it.
    fn is_known_smaller(&mut self, a: Ref, b: Ref) -> bool {
        let is_int = |it: Cell| matches!(it, Cell::Int(_) | Cell::Var(_));
        if !is_int(self.it.heap.cell(a)) || !is_int(self.it.heap.cell(b)) {
            return false;
        }
        match (self.known_int(a), self.known_int(b)) {
            (Some(a), Some(b)) => a < b,
            _ => match (self.offset(a), self.offset(b)) {
                (Some(a), Some(b)) => self.it.store.decide_le(a, 1, b) == Some(true),
                _ => false,
            },
        }
    }

    fn candidate_weights(
        &mut self,
        lookup: &Lookup,
        candidates: &[Candidate],
        rest: Rest,
    ) -> Step<Vec<u32>> {
        let can_be_absent = self.can_be_absent(lookup);
        let mut weights = Vec::new();
        for candidate in candidates {
            let fits = match candidate.item {
                None => can_be_absent,
                Some(item) => self.can_be_found(lookup, item)?,
            };
            weights.push(u32::from(fits));
        }
        match rest {
            Rest::Found => {}
            Rest::Absent => weights.push(u32::from(can_be_absent)),
            Rest::Unknown { .. } => weights.push(1),
        }
        Ok(weights)
    }

    fn can_be_absent(&self, lookup: &Lookup) -> bool {
        match (lookup.found, self.it.heap.cell(lookup.result)) {
            (Found::Element, Cell::Bool(wanted)) => !wanted,
            (Found::Value { none, .. }, Cell::Data(wanted, _)) => wanted == none,
            (Found::Value { none, .. }, Cell::Unknown(id)) => self.is_possible(id, none),
            _ => true,
        }
    }

    fn can_be_found(&mut self, lookup: &Lookup, item: Ref) -> Step<bool> {
        Ok(match (lookup.found, self.it.heap.cell(lookup.result)) {
            (Found::Element, Cell::Bool(wanted)) => wanted,
            (Found::Value { some, .. }, Cell::Data(wanted, parts)) => {
                let wanted_value = self.it.heap.parts(parts).first().copied();
                match (wanted == some, wanted_value, self.value_of(item)) {
                    (true, Some(wanted), Some(value)) => {
                        self.equality(value, wanted)? != Equality::Different
                    }
                    _ => false,
                }
            }
            (Found::Value { some, .. }, Cell::Unknown(id)) => self.is_possible(id, some),
            _ => true,
        })
    }

    /// The value of an entry of a map.
    fn value_of(&self, item: Ref) -> Option<Ref> {
        match self.it.heap.cell(item) {
            Cell::Tuple(parts) if parts.len == 2 => Some(self.it.heap.part(parts, 1)),
            _ => None,
        }
    }

    fn take_candidate(
        &mut self,
        lookup: &Lookup,
        candidates: &[Candidate],
        (rest, at): (Rest, usize),
    ) -> Step<()> {
        let taken = candidates.get(at);
        for other in candidates.iter().take(at) {
            // Items of one list have different keys anyway.
            if taken.is_none() || other.hides_others {
                self.separate(lookup.key, other.key)?;
            }
        }
        let item = match (taken, rest) {
            (Some(taken), _) => {
                self.unify(lookup.key, taken.key)?;
                taken.item
            }
            (None, Rest::Unknown { place, .. }) => {
                return self.suspend(Goal::LookUp(Lookup { place, ..*lookup }));
            }
            (None, Rest::Found | Rest::Absent) => None,
        };
        let value = match (lookup.found, item) {
            (Found::Element, item) => Ref::from(item.is_some()),
            (Found::Value { none, .. }, None) => {
                let no_parts = self.it.heap.add_refs([]);
                self.it.heap.add(Cell::Data(none, no_parts))
            }
            (Found::Value { some, .. }, Some(item)) => {
                let Some(value) = self.value_of(item) else { return self.cut() };
                let parts = self.it.heap.add_refs([value]);
                self.it.heap.add(Cell::Data(some, parts))
            }
        };
        self.unify(lookup.result, value)
    }

    /// Lets a lookup wait for what may decide it.
    fn watch_lookup(&mut self, id: u32, lookup: &Lookup, candidates: &[Candidate]) -> Step<()> {
        if let Some(blocker) = self.blocker(lookup.result) {
            self.wait_for(blocker, id);
        }
        for candidate in candidates {
            if let Equality::Open { a, b, .. } = self.equality(lookup.key, candidate.key)? {
                for blocker in [self.blocker(a), self.blocker(b)].into_iter().flatten() {
                    self.wait_for(blocker, id);
                }
            }
        }
        Ok(())
    }

    /// Nothing is known of where a key could be: the items have to become known first.
    fn wait_for_items(
        &mut self,
        lookup: &Lookup,
        (place, is_list): (Ref, bool),
    ) -> Step<Progress> {
        if is_list
            && !self.can_be_absent(lookup)
            && let Cell::Unknown(id) = self.it.heap.cell(place)
        {
            let at = self.it.heap.deref(place);
            self.exclude_tags(at, id, 1)?;
        }
        Ok(Progress::Waits([self.blocker(place), self.blocker(lookup.result)]))
    }
}
