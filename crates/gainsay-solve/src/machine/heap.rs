//! Terms with unknowns: cells that refer to each other, and a trail that takes changes back.

use gainsay_core::CtorId;
use gainsay_vm::Value;

use crate::code::{CodeFnId, ShapeId};
use crate::store::Offset;

/// The address of a term.
#[derive(Debug, Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Ref(pub(crate) u32);

impl From<bool> for Ref {
    fn from(it: bool) -> Ref {
        if it { Ref::TRUE } else { Ref::FALSE }
    }
}

impl Ref {
    pub(crate) const TRUE: Ref = Ref(0);
    pub(crate) const FALSE: Ref = Ref(1);
    pub(crate) const NIL: Ref = Ref(2);
    pub(crate) const UNIT: Ref = Ref(3);

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Consecutive terms: the fields of a constructor, or a frame.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) struct Refs {
    pub(crate) start: u32,
    pub(crate) len: u32,
}

/// What is known of a term.
#[derive(Debug, Copy, Clone, PartialEq)]
pub(crate) enum Cell {
    /// Nothing but its shape.
    Unknown(UnknownId),
    /// The same as another term.
    Alias(Ref),
    /// A known integer, or the code of a character.
    Int(i64),
    /// An unknown integer.
    Var(Offset),
    Bool(bool),
    Data(CtorId, Refs),
    Tuple(Refs),
    Nil,
    /// A list: its first element and its rest.
    Cons(Ref, Ref),
    Closure(CodeFnId, Refs),
    /// A known value that the machine has not looked into.
    Opaque(u32),
    /// A text, set or map: the list of its characters, elements or entries.
    Items(Ref),
    /// A set or map of a shape, with an element or entry.
    Put(ShapeId, Ref, Ref),
    /// A set or map of a shape, without an element or key.
    Removed(ShapeId, Ref, Ref),
}

impl Cell {
    /// Whether it is a text, set or map, of which more than its type is known.
    pub(crate) fn is_collection(self) -> bool {
        matches!(self, Cell::Opaque(_) | Cell::Items(_) | Cell::Put(..) | Cell::Removed(..))
    }
}

/// An unknown of any type but integers, characters and products.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) struct UnknownId(pub(crate) u32);

/// What belongs to an unknown besides its cell.
#[derive(Debug, Copy, Clone)]
pub(crate) struct Unknown {
    pub(crate) shape: ShapeId,
    /// How large it should be; below 0, how far beyond its size it has grown.
    pub(crate) size: i32,
    /// For a list, how many elements come before.
    pub(crate) n_before: u32,
    /// The first of the goals that wait for it.
    pub(crate) watchers: u32,
    /// The goal whose result it is.
    pub(crate) producer: u32,
    /// The constructors that it cannot be, as bits; of lists, the empty one is the first.
    pub(crate) excluded: u64,
    /// The value that a replay would like it to have.
    pub(crate) wish: Option<Ref>,
}

pub(crate) const END: u32 = u32::MAX;

#[derive(Debug, Copy, Clone)]
pub(crate) enum Change {
    Cell(Ref, Cell),
    Watchers(UnknownId, u32),
    Producer(UnknownId, u32),
    Excluded(UnknownId, u64),
    Size(UnknownId, i32),
    GoalDone(u32),
    OrderNext(u32, u32),
}

/// A state to return to.
#[derive(Debug, Copy, Clone)]
pub(crate) struct HeapMark {
    n_changes: u32,
    n_cells: u32,
    n_refs: u32,
    n_unknowns: u32,
    n_links: u32,
    n_opaque: u32,
}

/// All terms of an attempt.
#[derive(Debug, Default)]
pub(crate) struct Heap {
    pub(crate) cells: Vec<Cell>,
    pub(crate) refs: Vec<Ref>,
    pub(crate) unknowns: Vec<Unknown>,
    /// Goals that wait for unknowns: a goal, and the next link.
    links: Vec<(u32, u32)>,
    pub(crate) opaque: Vec<Value>,
    pub(crate) changes: Vec<Change>,
}

impl Heap {
    pub(crate) fn clear(&mut self) {
        self.cells.clear();
        self.refs.clear();
        self.unknowns.clear();
        self.links.clear();
        self.opaque.clear();
        self.changes.clear();
        for cell in [Cell::Bool(true), Cell::Bool(false), Cell::Nil] {
            self.cells.push(cell);
        }
        self.cells.push(Cell::Tuple(Refs { start: 0, len: 0 }));
    }

    pub(crate) fn add(&mut self, cell: Cell) -> Ref {
        self.cells.push(cell);
        Ref(self.cells.len() as u32 - 1)
    }

    pub(crate) fn int(&mut self, int: i64) -> Ref {
        self.add(Cell::Int(int))
    }

    pub(crate) fn opaque(&mut self, value: Value) -> Ref {
        self.opaque.push(value);
        self.add(Cell::Opaque(self.opaque.len() as u32 - 1))
    }

    pub(crate) fn add_refs(&mut self, refs: impl IntoIterator<Item = Ref>) -> Refs {
        let start = self.refs.len() as u32;
        self.refs.extend(refs);
        Refs { start, len: self.refs.len() as u32 - start }
    }

    pub(crate) fn part(&self, refs: Refs, at: usize) -> Ref {
        self.refs[refs.start as usize + at]
    }

    pub(crate) fn parts(&self, refs: Refs) -> &[Ref] {
        &self.refs[refs.start as usize..(refs.start + refs.len) as usize]
    }

    /// The end of a chain of aliases.
    pub(crate) fn deref(&self, mut at: Ref) -> Ref {
        while let Cell::Alias(next) = self.cells[at.index()] {
            at = next;
        }
        at
    }

    pub(crate) fn cell(&self, at: Ref) -> Cell {
        self.cells[self.deref(at).index()]
    }

    pub(crate) fn unknown(&self, id: UnknownId) -> &Unknown {
        &self.unknowns[id.0 as usize]
    }

    pub(crate) fn set(&mut self, at: Ref, cell: Cell) {
        self.changes.push(Change::Cell(at, self.cells[at.index()]));
        self.cells[at.index()] = cell;
    }

    /// Lets a goal wait for an unknown.
    pub(crate) fn watch(&mut self, id: UnknownId, goal: u32) {
        let head = self.unknown(id).watchers;
        self.changes.push(Change::Watchers(id, head));
        self.links.push((goal, head));
        self.unknowns[id.0 as usize].watchers = self.links.len() as u32 - 1;
    }

    /// Names the goal whose result an unknown is.
    pub(crate) fn set_producer(&mut self, id: UnknownId, goal: u32) {
        self.changes.push(Change::Producer(id, self.unknown(id).producer));
        self.unknowns[id.0 as usize].producer = goal;
    }

    /// Lowers the size of an unknown.
    pub(crate) fn limit_size(&mut self, id: UnknownId, size: i32) {
        let old = self.unknown(id).size;
        if size < old {
            self.changes.push(Change::Size(id, old));
            self.unknowns[id.0 as usize].size = size;
        }
    }

    /// Gives an unknown a wish, unless it has one. It is only a preference, so it may stay when the
    /// choice that led to it is taken back.
    pub(crate) fn wish(&mut self, id: UnknownId, wish: Option<Ref>) {
        let old = &mut self.unknowns[id.0 as usize].wish;
        *old = old.or(wish);
    }

    /// Rules constructors out.
    pub(crate) fn exclude(&mut self, id: UnknownId, mask: u64) {
        let old = self.unknown(id).excluded;
        if old | mask != old {
            self.changes.push(Change::Excluded(id, old));
            self.unknowns[id.0 as usize].excluded = old | mask;
        }
    }

    /// The goals that wait for an unknown.
    pub(crate) fn watchers(&self, id: UnknownId) -> impl Iterator<Item = u32> + '_ {
        let mut at = self.unknown(id).watchers;
        std::iter::from_fn(move || {
            let (goal, next) = *self.links.get(at as usize)?;
            at = next;
            Some(goal)
        })
    }

    pub(crate) fn mark(&self) -> HeapMark {
        HeapMark {
            n_changes: self.changes.len() as u32,
            n_cells: self.cells.len() as u32,
            n_refs: self.refs.len() as u32,
            n_unknowns: self.unknowns.len() as u32,
            n_links: self.links.len() as u32,
            n_opaque: self.opaque.len() as u32,
        }
    }

    /// Goes back to a state; `undo` undoes the changes that are not the heap's own.
    pub(crate) fn undo_to(&mut self, mark: HeapMark, undo: &mut dyn FnMut(Change)) {
        while self.changes.len() > mark.n_changes as usize {
            match self.changes.pop() {
                Some(Change::Cell(at, cell)) => self.cells[at.index()] = cell,
                Some(Change::Watchers(id, head)) => {
                    self.unknowns[id.0 as usize].watchers = head;
                }
                Some(Change::Producer(id, goal)) => {
                    self.unknowns[id.0 as usize].producer = goal;
                }
                Some(Change::Excluded(id, mask)) => {
                    self.unknowns[id.0 as usize].excluded = mask;
                }
                Some(Change::Size(id, size)) => self.unknowns[id.0 as usize].size = size,
                Some(other) => undo(other),
                None => break,
            }
        }
        // Everything that was added since is only referred to by what has just been undone.
        self.cells.truncate(mark.n_cells as usize);
        self.refs.truncate(mark.n_refs as usize);
        self.unknowns.truncate(mark.n_unknowns as usize);
        self.links.truncate(mark.n_links as usize);
        self.opaque.truncate(mark.n_opaque as usize);
    }
}
