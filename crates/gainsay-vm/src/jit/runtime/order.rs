//! The order of words: the same answers as the [order of values](crate::order), and the same
//! number of visits by the rule that stands there.

use std::cmp::Ordering;

use crate::jit::word::{View, Word};
use crate::order::{Floats, Spent, visit};

/// The total order, as keys and sorted elements are compared.
#[inline]
pub(crate) fn order_within(a: Word, b: Word, visits_left: &mut u64) -> Result<Ordering, Spent> {
    if let (Some(a), Some(b)) = (a.as_small(), b.as_small()) {
        visit(visits_left)?;
        return Ok(a.cmp(&b));
    }
    let ordering = compare(a, b, Floats::Total, visits_left)?.unwrap_or(Ordering::Equal);
    if ordering.is_ne() && is_int(a) && is_int(b) {
        visit(visits_left)?;
    }
    Ok(ordering)
}

fn is_int(word: Word) -> bool {
    matches!(word.view(), View::Int(_) | View::Big(..))
}

/// The order of two words, `None` when they cannot be compared.
pub(crate) fn compare(
    a: Word,
    b: Word,
    floats: Floats,
    visits_left: &mut u64,
) -> Result<Option<Ordering>, Spent> {
    let (a_view, b_view) = (a.view(), b.view());
    if is_leaf(&a_view) && is_leaf(&b_view) {
        let ordering = leaves(a_view, b_view, floats);
        if ordering == Some(Ordering::Equal) {
            visit(visits_left)?;
        }
        return Ok(ordering);
    }
    Comparison::new(floats).run(a, b, visits_left)
}

/// Whether nothing follows from a pair of such words.
fn is_leaf(view: &View<'_>) -> bool {
    match view {
        View::Int(_) | View::Big(..) | View::Float(_) | View::Bool(_) | View::Char(_) => true,
        View::Str(..) | View::Nil | View::Closure(..) => true,
        View::Tuple(fields) | View::Data(_, fields) => fields.is_empty(),
        // Even of two empty tables it is asked whether both have come to their end.
        View::Cons | View::Map(_) | View::Set(_) => false,
    }
}

/// Parts still to be compared, should everything before them be equal.
#[derive(Copy, Clone)]
enum Pending<'a> {
    Slices(&'a [Word], &'a [Word]),
    Lists(Word, Word),
    /// What comes next in the last two tables.
    Tables,
    Pair(Word, Word),
}

/// Pending parts that need no allocation: enough for what is shallow.
const N_INLINE: usize = 8;

struct Comparison<'a> {
    floats: Floats,
    /// The lowest of what is pending; the rest is in `more`.
    few: [Pending<'a>; N_INLINE],
    n_few: usize,
    more: Vec<Pending<'a>>,
    /// One for each pending [`Pending::Tables`].
    tables: Vec<(Entries, Entries)>,
}

impl Comparison<'_> {
    fn new(floats: Floats) -> Self {
        let few = [Pending::Tables; N_INLINE];
        Self { floats, few, n_few: 0, more: Vec::new(), tables: Vec::new() }
    }

    fn run(
        &mut self,
        a: Word,
        b: Word,
        visits_left: &mut u64,
    ) -> Result<Option<Ordering>, Spent> {
        let mut ordering = self.pair(a, b);
        while ordering == Some(Ordering::Equal) {
            visit(visits_left)?;
            let Some(pending) = self.pop() else { break };
            ordering = self.step(pending);
        }
        Ok(ordering)
    }
}

impl<'a> Comparison<'a> {
    fn push(&mut self, pending: Pending<'a>) {
        match self.few.get_mut(self.n_few) {
            Some(slot) => {
                *slot = pending;
                self.n_few += 1;
            }
            None => self.more.push(pending),
        }
    }

    fn pop(&mut self) -> Option<Pending<'a>> {
        if let Some(pending) = self.more.pop() {
            return Some(pending);
        }
        self.n_few = self.n_few.checked_sub(1)?;
        Some(self.few[self.n_few])
    }

    /// Compares what costs nothing and leaves the parts pending.
    fn pair(&mut self, a: Word, b: Word) -> Option<Ordering> {
        if let (Some(a), Some(b)) = (a.as_small(), b.as_small()) {
            return Some(a.cmp(&b));
        }
        match (a.view(), b.view()) {
            (View::Tuple(a), View::Tuple(b)) => self.slices(a, b),
            (View::Data(a, a_fields), View::Data(b, b_fields)) => match a.cmp(&b) {
                Ordering::Equal => self.slices(a_fields, b_fields),
                unequal @ (Ordering::Less | Ordering::Greater) => Some(unequal),
            },
            (View::Nil, View::Cons) | (View::Cons, View::Nil) | (View::Cons, View::Cons) => {
                self.push(Pending::Lists(a, b));
                Some(Ordering::Equal)
            }
            (View::Map(_), View::Map(_)) | (View::Set(_), View::Set(_)) => {
                self.tables.push((Entries::of(a), Entries::of(b)));
                self.push(Pending::Tables);
                Some(Ordering::Equal)
            }
            (a, b) => leaves(a, b, self.floats),
        }
    }

    fn slices(&mut self, a: &'a [Word], b: &'a [Word]) -> Option<Ordering> {
        if !a.is_empty() || !b.is_empty() {
            self.push(Pending::Slices(a, b));
        }
        Some(Ordering::Equal)
    }

    fn step(&mut self, pending: Pending<'a>) -> Option<Ordering> {
        match pending {
            Pending::Pair(a, b) => self.pair(a, b),
            Pending::Slices([a, a_rest @ ..], [b, b_rest @ ..]) => {
                self.slices(a_rest, b_rest);
                self.pair(*a, *b)
            }
            Pending::Slices(a, b) => Some(a.len().cmp(&b.len())),
            Pending::Lists(a, b) => match (a.uncons(), b.uncons()) {
                (Some((a, a_rest)), Some((b, b_rest))) => {
                    self.push(Pending::Lists(a_rest, b_rest));
                    self.pair(a, b)
                }
                (a, b) => Some(a.is_some().cmp(&b.is_some())),
            },
            Pending::Tables => self.next_entries(),
        }
    }

    fn next_entries(&mut self) -> Option<Ordering> {
        let (a_entries, b_entries) = self.tables.last_mut()?;
        match (a_entries.next(), b_entries.next()) {
            (Some((a_key, a)), Some((b_key, b))) => {
                self.push(Pending::Tables);
                self.push(Pending::Pair(a, b));
                self.pair(a_key, b_key)
            }
            (a, b) => {
                self.tables.pop();
                Some(a.is_some().cmp(&b.is_some()))
            }
        }
    }
}

/// The order of two words without parts, or of which nothing but the kind is compared.
fn leaves(a: View<'_>, b: View<'_>, floats: Floats) -> Option<Ordering> {
    match (a, b) {
        (View::Int(a), View::Int(b)) => Some(a.cmp(&b)),
        (View::Float(a), View::Float(b)) => floats.compare(a, b),
        (View::Bool(a), View::Bool(b)) => Some(a.cmp(&b)),
        (View::Char(a), View::Char(b)) => Some(a.cmp(&b)),
        (View::Str(a, _), View::Str(b, _)) => Some(a.cmp(b)),
        (View::Data(a, _), View::Data(b, _)) => Some(a.cmp(&b)),
        (View::Big(a_is_negative, a), View::Big(b_is_negative, b)) => {
            let signs = b_is_negative.cmp(&a_is_negative);
            let sizes = a.len().cmp(&b.len()).then_with(|| a.iter().rev().cmp(b.iter().rev()));
            Some(signs.then(if a_is_negative { sizes.reverse() } else { sizes }))
        }
        // A big integer is outside the range of small ones.
        (View::Int(_), View::Big(true, _)) | (View::Big(false, _), View::Int(_)) => {
            Some(Ordering::Greater)
        }
        (View::Int(_), View::Big(false, _)) | (View::Big(true, _), View::Int(_)) => {
            Some(Ordering::Less)
        }
        (a, b) => Some(rank(&a).cmp(&rank(&b))),
    }
}

/// The order of kinds that values have too.
fn rank(view: &View<'_>) -> u8 {
    match view {
        View::Int(_) | View::Big(..) => 0,
        View::Float(_) => 1,
        View::Bool(_) => 2,
        View::Char(_) => 3,
        View::Str(..) => 4,
        View::Tuple(_) => 5,
        View::Data(..) => 6,
        View::Nil | View::Cons => 7,
        View::Map(_) => 8,
        View::Set(_) => 9,
        View::Closure(..) => 10,
    }
}

/// The entries of a map or set, in ascending order of keys.
#[derive(Debug)]
pub(crate) struct Entries {
    /// Trees whose roots and right sides are still to come, the next one on top.
    path: Vec<Word>,
    n_left: u64,
}

impl Entries {
    pub(crate) fn of(table: Word) -> Self {
        let (n_left, height) =
            table.table().map_or((0, 0), |root| (root.size, root.height as usize));
        let mut entries = Self { path: Vec::with_capacity(height), n_left };
        entries.go_left(table);
        entries
    }

    fn go_left(&mut self, mut tree: Word) {
        while let Some(root) = tree.table() {
            self.path.push(tree);
            tree = root.left;
        }
    }
}

impl Iterator for Entries {
    type Item = (Word, Word);

    fn next(&mut self) -> Option<Self::Item> {
        let root = self.path.pop()?.table()?;
        self.n_left -= 1;
        self.go_left(root.right);
        Some((root.key, root.value))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.n_left as usize, Some(self.n_left as usize))
    }
}

impl ExactSizeIterator for Entries {}
