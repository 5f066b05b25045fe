//! Equality of terms with unknowns: made to hold, made not to hold, or decided.

use gainsay_core::Comparison;

use super::eval::UNSIZED;
use super::goals::Goal;
use super::heap::{Cell, Ref, Unknown, UnknownId};
use super::{END, Interrupt, Run, Step};
use crate::code::{ShapeId, ShapeKind};
use crate::store::{Offset, VarId};

/// How deep a conclusion may nest constructors for its variables to get a share of the size.
const MAX_PATTERN_DEPTH: u32 = 4;

/// What a goal waits for.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum Blocker {
    Unknown(UnknownId),
    Var(VarId),
}

/// Whether two terms are equal.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum Equality {
    Equal,
    Different,
    /// Not known: the first pair that decides it, and whether it is the only one.
    Open {
        a: Ref,
        b: Ref,
        is_only: bool,
    },
}

impl Run<'_, '_> {
    /// Makes two terms equal.
    pub(super) fn unify(&mut self, a: Ref, b: Ref) -> Step<()> {
        let mut pending = vec![(a, b)];
        while let Some((a, b)) = pending.pop() {
            self.visit()?;
            let (a, b) = (self.it.heap.deref(a), self.it.heap.deref(b));
            if a == b {
                continue;
            }
            let (x, y) = (self.it.heap.cells[a.index()], self.it.heap.cells[b.index()]);
            match (x, y) {
                (Cell::Unknown(id), _) => self.bind(a, id, b)?,
                (_, Cell::Unknown(id)) => self.bind(b, id, a)?,
                (Cell::Var(x), Cell::Var(y)) => self.it.store.equate(x, y)?,
                (Cell::Var(x), Cell::Int(y)) | (Cell::Int(y), Cell::Var(x)) => {
                    self.it.store.within(x, y, y)?;
                    if self.it.store.is_hole(x.var, y - x.plus) {
                        return Err(Interrupt::Conflict);
                    }
                }
                (Cell::Data(c, x), Cell::Data(d, y)) if c == d => {
                    for at in (0..x.len as usize).rev() {
                        pending.push((self.it.heap.part(x, at), self.it.heap.part(y, at)));
                    }
                }
                (Cell::Tuple(x), Cell::Tuple(y)) if x.len == y.len => {
                    for at in (0..x.len as usize).rev() {
                        pending.push((self.it.heap.part(x, at), self.it.heap.part(y, at)));
                    }
                }
                (Cell::Cons(x, xs), Cell::Cons(y, ys)) => {
                    pending.push((xs, ys));
                    pending.push((x, y));
                }
                (Cell::Opaque(x), Cell::Opaque(y)) => {
                    let heap = &self.it.heap;
                    let same =
                        gainsay_vm::same(&heap.opaque[x as usize], &heap.opaque[y as usize]);
                    if !same {
                        return Err(Interrupt::Conflict);
                    }
                }
                (x, y) if x.is_collection() && y.is_collection() => {
                    pending.push((self.items(a)?, self.items(b)?));
                }
                (x, y) if x == y => {}
                // Integers of the store have bounds. Those beyond them are known or not found.
                (Cell::Var(x), Cell::Opaque(_)) if self.it.store.is_unused(x) => {
                    self.it.heap.set(a, Cell::Alias(b));
                }
                (Cell::Opaque(_), Cell::Var(y)) if self.it.store.is_unused(y) => {
                    self.it.heap.set(b, Cell::Alias(a));
                }
                (Cell::Var(_), Cell::Opaque(_)) | (Cell::Opaque(_), Cell::Var(_)) => {
                    return self.cut();
                }
                _ => return Err(Interrupt::Conflict),
            }
        }
        Ok(())
    }

    /// Gives an unknown a value, and wakes the goals that wait for it.
    pub(super) fn bind(&mut self, at: Ref, id: UnknownId, value: Ref) -> Step<()> {
        if let Cell::Unknown(other) = self.it.heap.cells[value.index()] {
            // The one with the larger claim on size stays: that of the answer, made first.
            let goals: Vec<u32> = self.it.heap.watchers(id).collect();
            for goal in goals {
                self.it.heap.watch(other, goal);
                self.it.ready.push(goal);
            }
            let excluded = self.it.heap.unknown(id).excluded;
            if excluded != 0 {
                self.exclude_tags(value, other, excluded)?;
                if !matches!(self.it.heap.cells[value.index()], Cell::Unknown(_)) {
                    return self.unify(at, value);
                }
            }
            let Unknown { size, wish, .. } = *self.it.heap.unknown(id);
            self.it.heap.limit_size(other, size);
            self.it.heap.wish(other, wish);
            let producer = self.it.heap.unknown(id).producer;
            if producer != END && self.it.heap.unknown(other).producer == END {
                self.it.heap.set_producer(other, producer);
            }
            self.it.heap.set(at, Cell::Alias(value));
            return Ok(());
        }
        let unknown = *self.it.heap.unknown(id);
        let is_excluded = unknown.excluded != 0
            && self
                .tag(unknown.shape, value)
                .is_some_and(|at| unknown.excluded >> at.min(63) & 1 == 1);
        // Without the occurs check, a term could contain itself, and whatever walks it would
        // not end.
        if is_excluded || self.occurs(id, value)? {
            return Err(Interrupt::Conflict);
        }
        self.it.heap.set(at, Cell::Alias(value));
        let goals: Vec<u32> = self.it.heap.watchers(id).collect();
        self.it.ready.extend(goals);
        // A replay that takes other alternatives still follows its wishes inside the parts
        // that are alike.
        if let Some(wish) = unknown.wish {
            self.pass_wish(wish, value, MAX_PATTERN_DEPTH);
        }
        if unknown.size != UNSIZED {
            self.pass_size(unknown.shape, unknown.size, value, MAX_PATTERN_DEPTH);
        }
        Ok(())
    }

    /// Lets unknowns inside a term have the wishes of the unknown that the term is the value of.
    fn pass_wish(&mut self, wish: Ref, value: Ref, depth: u32) {
        match (self.it.heap.cell(value), self.it.heap.cell(wish)) {
            (Cell::Unknown(id), _) => self.it.heap.wish(id, Some(wish)),
            (Cell::Var(Offset { var, plus: 0 }), _) => self.it.wish_for_int(var, wish),
            _ if depth == 0 => {}
            (Cell::Items(list), Cell::Items(_) | Cell::Opaque(_)) => {
                let wish = self.wished_items(wish);
                if let Some(wish) = wish {
                    self.pass_wish(wish, list, depth);
                }
            }
            (Cell::Data(found, parts), Cell::Data(ctor, wishes)) if found == ctor => {
                for at in 0..parts.len as usize {
                    let (part, wish) =
                        (self.it.heap.part(parts, at), self.it.heap.part(wishes, at));
                    self.pass_wish(wish, part, depth - 1);
                }
            }
            (Cell::Cons(first, rest), Cell::Cons(first_wish, rest_wish)) => {
                self.pass_wish(first_wish, first, depth - 1);
                self.pass_wish(rest_wish, rest, depth - 1);
            }
            _ => {}
        }
    }

    /// Lets unknowns inside a term share the size of the unknown that the term is the value of:
    /// those of a rule's conclusion have no size of their own.
    fn pass_size(&mut self, shape: ShapeId, size: i32, value: Ref, depth: u32) {
        let code = self.context.code;
        let mut shape = shape;
        while let ShapeKind::Refined(base, _) = code.shape(shape).kind {
            shape = base;
        }
        match (self.it.heap.cell(value), &code.shape(shape).kind) {
            (Cell::Unknown(id), _) => self.it.heap.limit_size(id, size),
            _ if depth == 0 => {}
            (Cell::Tuple(parts), ShapeKind::Tuple(shapes)) => {
                for (at, shape) in shapes.iter().enumerate() {
                    self.pass_size(*shape, size, self.it.heap.part(parts, at), depth - 1);
                }
            }
            (Cell::Data(ctor, parts), ShapeKind::Sum(ctors)) => {
                let Some(ctor) = ctors.iter().find(|it| it.ctor == ctor) else { return };
                let share = ctor.share(size);
                for (at, shape) in ctor.fields.iter().enumerate() {
                    self.pass_size(*shape, share, self.it.heap.part(parts, at), depth - 1);
                }
            }
            (Cell::Items(list), ShapeKind::Collection(collection)) => {
                self.pass_size(collection.list, size, list, depth);
            }
            (Cell::Cons(first, rest), ShapeKind::List(item)) => {
                let (share, left) = self.list_shares(shape, size);
                self.pass_size(*item, share, first, depth - 1);
                self.pass_size(shape, left, rest, depth - 1);
            }
            _ => {}
        }
    }

    /// Whether a term contains an unknown: then it cannot be equal to it.
    fn occurs(&mut self, id: UnknownId, value: Ref) -> Step<bool> {
        let mut pending = vec![value];
        while let Some(next) = pending.pop() {
            self.visit()?;
            match self.it.heap.cell(next) {
                Cell::Unknown(other) if other == id => return Ok(true),
                Cell::Data(_, parts) | Cell::Tuple(parts) => {
                    pending.extend(self.it.heap.parts(parts));
                }
                Cell::Cons(first, rest)
                | Cell::Put(_, rest, first)
                | Cell::Removed(_, rest, first) => pending.extend([first, rest]),
                Cell::Items(list) => pending.push(list),
                _ => {}
            }
        }
        Ok(false)
    }

    /// Whether two terms are equal, as far as that is known.
    pub(super) fn equality(&mut self, a: Ref, b: Ref) -> Step<Equality> {
        let mut open: Option<(Ref, Ref)> = None;
        let mut is_only = true;
        let mut pending = vec![(a, b)];
        while let Some((a, b)) = pending.pop() {
            self.visit()?;
            let (a, b) = (self.it.heap.deref(a), self.it.heap.deref(b));
            if a == b {
                continue;
            }
            let (x, y) = (self.it.heap.cells[a.index()], self.it.heap.cells[b.index()]);
            let decided = match (x, y) {
                (Cell::Unknown(_), _) | (_, Cell::Unknown(_)) => None,
                (Cell::Var(x), Cell::Var(y)) => self.it.store.decide_eq(x, y),
                (Cell::Var(x), Cell::Int(y)) | (Cell::Int(y), Cell::Var(x)) => {
                    let (lo, hi) = self.it.store.bounds(x.var);
                    let y = y - x.plus;
                    if y < lo || y > hi || self.it.store.is_hole(x.var, y) {
                        Some(false)
                    } else {
                        (lo == hi).then_some(true)
                    }
                }
                (Cell::Data(c, x), Cell::Data(d, y)) if c == d => {
                    for at in (0..x.len as usize).rev() {
                        pending.push((self.it.heap.part(x, at), self.it.heap.part(y, at)));
                    }
                    Some(true)
                }
                (Cell::Tuple(x), Cell::Tuple(y)) if x.len == y.len => {
                    for at in (0..x.len as usize).rev() {
                        pending.push((self.it.heap.part(x, at), self.it.heap.part(y, at)));
                    }
                    Some(true)
                }
                (Cell::Cons(x, xs), Cell::Cons(y, ys)) => {
                    pending.push((xs, ys));
                    pending.push((x, y));
                    Some(true)
                }
                (Cell::Opaque(x), Cell::Opaque(y)) => {
                    let heap = &self.it.heap;
                    Some(gainsay_vm::same(&heap.opaque[x as usize], &heap.opaque[y as usize]))
                }
                (x, y) if x.is_collection() && y.is_collection() => {
                    pending.push((self.items(a)?, self.items(b)?));
                    Some(true)
                }
                (x, y) => Some(x == y),
            };
            match decided {
                Some(true) => {}
                Some(false) => return Ok(Equality::Different),
                None if open.is_none() => open = Some((a, b)),
                None => is_only = false,
            }
        }
        Ok(match open {
            None => Equality::Equal,
            Some((a, b)) => Equality::Open { a, b, is_only },
        })
    }

    /// Whether a comparison holds, as far as that is known.
    pub(super) fn decide(
        &mut self,
        comparison: Comparison,
        a: Ref,
        b: Ref,
    ) -> Step<Option<bool>> {
        if let (Some(x), Some(y)) = (self.known_int(a), self.known_int(b)) {
            return Ok(Some(match comparison {
                Comparison::Eq => x == y,
                Comparison::Ne => x != y,
                Comparison::Lt => x < y,
                Comparison::Le => x <= y,
                Comparison::Gt => x > y,
                Comparison::Ge => x >= y,
            }));
        }
        Ok(match comparison {
            Comparison::Eq | Comparison::Ne => match self.equality(a, b)? {
                Equality::Equal => Some(comparison == Comparison::Eq),
                Equality::Different => Some(comparison == Comparison::Ne),
                Equality::Open { .. } => None,
            },
            Comparison::Gt | Comparison::Ge => return self.decide(comparison.swapped(), b, a),
            Comparison::Lt | Comparison::Le => match (self.offset(a), self.offset(b)) {
                (Some(a), Some(b)) => {
                    let gap = i64::from(comparison == Comparison::Lt);
                    self.it.store.decide_le(a, gap, b)
                }
                _ => self.order(a, b)?.holds(comparison),
            },
        })
    }

    /// Makes a comparison hold.
    pub(super) fn require(&mut self, comparison: Comparison, a: Ref, b: Ref) -> Step<()> {
        match comparison {
            Comparison::Eq => self.unify(a, b),
            Comparison::Ne => self.separate(a, b),
            Comparison::Gt | Comparison::Ge => self.require(comparison.swapped(), b, a),
            Comparison::Lt | Comparison::Le => {
                let gap = i64::from(comparison == Comparison::Lt);
                let is_int = |it: Cell| matches!(it, Cell::Int(_) | Cell::Var(_));
                if !is_int(self.it.heap.cell(a)) || !is_int(self.it.heap.cell(b)) {
                    return self.suspend(Goal::Ordered { a, b, comparison });
                }
                match (self.known_int(a), self.known_int(b)) {
                    (Some(a), None) => {
                        let Some(b) = self.offset(b) else { return self.cut() };
                        let most = crate::ranges::INFINITY;
                        return Ok(self.it.store.within(b, a + gap, most)?);
                    }
                    (None, Some(b)) => {
                        let Some(a) = self.offset(a) else { return self.cut() };
                        let least = -crate::ranges::INFINITY;
                        return Ok(self.it.store.within(a, least, b - gap)?);
                    }
                    _ => {}
                }
                let (Some(a), Some(b)) = (self.offset(a), self.offset(b)) else {
                    return self.cut();
                };
                Ok(self.it.store.at_most(a, gap, b)?)
            }
        }
    }

    /// Makes two terms different.
    pub(super) fn separate(&mut self, a: Ref, b: Ref) -> Step<()> {
        match self.equality(a, b)? {
            Equality::Different => Ok(()),
            Equality::Equal => Err(Interrupt::Conflict),
            Equality::Open { a: x, b: y, is_only } => {
                // With a single undecided pair left, the terms differ exactly if this pair
                // does, which the store can express. With several, it is not known which of
                // them differ, and the goal waits.
                if is_only && let Some(done) = self.separate_ints(x, y) {
                    return done;
                }
                if is_only {
                    self.separate_constructor(x, y)?;
                    self.separate_constructor(y, x)?;
                }
                self.suspend(Goal::Differ { a, b })
            }
        }
    }

    /// An unknown that differs from a constructor without fields is another constructor.
    fn separate_constructor(&mut self, it: Ref, other: Ref) -> Step<()> {
        let is_plain = match self.it.heap.cell(other) {
            Cell::Data(_, parts) => parts.len == 0,
            Cell::Nil => true,
            _ => false,
        };
        let Cell::Unknown(id) = self.it.heap.cell(it) else { return Ok(()) };
        let shape = self.it.heap.unknown(id).shape;
        match self.tag(shape, other) {
            Some(tag) if is_plain && tag < 64 => {
                let at = self.it.heap.deref(it);
                self.exclude_tags(at, id, 1 << tag)
            }
            _ => Ok(()),
        }
    }

    /// Makes two integers different; `None` if they are not integers.
    fn separate_ints(&mut self, a: Ref, b: Ref) -> Option<Step<()>> {
        let done = match (self.it.heap.cell(a), self.it.heap.cell(b)) {
            (Cell::Var(x), Cell::Int(y)) | (Cell::Int(y), Cell::Var(x)) => {
                self.it.store.exclude(x, y)
            }
            (Cell::Var(x), Cell::Var(y)) => self.it.store.differ(x, y),
            _ => return None,
        };
        Some(done.map_err(Interrupt::from))
    }

    /// What the first undecided part of a comparison depends on.
    pub(super) fn comparison_blockers(&mut self, a: Ref, b: Ref) -> Step<[Option<Blocker>; 2]> {
        Ok(match self.equality(a, b)? {
            Equality::Open { a, b, .. } => [self.blocker(a), self.blocker(b)],
            Equality::Equal | Equality::Different => [self.blocker(a), self.blocker(b)],
        })
    }

    pub(super) fn blocker(&self, it: Ref) -> Option<Blocker> {
        match self.it.heap.cell(it) {
            Cell::Unknown(id) => Some(Blocker::Unknown(id)),
            Cell::Var(offset) => Some(Blocker::Var(offset.var)),
            _ => None,
        }
    }
}
