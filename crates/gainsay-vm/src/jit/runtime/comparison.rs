//! Comparison of words: the same results as the [comparison of values](crate::order), and the same
//! number of visits by the rule documented there.

use std::cmp::Ordering;

use crate::comparison::{FloatOrder, VisitLimitReached, charge_visit};
use crate::jit::word::{Word, WordView};

/// Compares keys and sorted elements in the total order.
#[inline]
pub(crate) fn compare_keys(
    a: Word,
    b: Word,
    visits_left: &mut u64,
) -> Result<Ordering, VisitLimitReached> {
    // Two small integers take one visit by the rule for keys.
    if let (Some(a), Some(b)) = (a.as_small_int(), b.as_small_int()) {
        charge_visit(visits_left)?;
        return Ok(a.cmp(&b));
    }
    let ordering = compare(a, b, FloatOrder::Total, visits_left)?.unwrap_or(Ordering::Equal);
    // `compare` does not charge for unequal leaves, but the rule for keys does.
    if ordering.is_ne() && is_int(a) && is_int(b) {
        charge_visit(visits_left)?;
    }
    Ok(ordering)
}

fn is_int(word: Word) -> bool {
    matches!(word.view(), WordView::Int(_) | WordView::Big(..))
}

/// Compares two words; `None` if they are unordered.
pub(crate) fn compare(
    a: Word,
    b: Word,
    floats: FloatOrder,
    visits_left: &mut u64,
) -> Result<Option<Ordering>, VisitLimitReached> {
    let (a_view, b_view) = (a.view(), b.view());
    // Fast path without setting up the pending stack.
    if is_leaf(&a_view) && is_leaf(&b_view) {
        let ordering = compare_leaves(a_view, b_view, floats);
        if ordering == Some(Ordering::Equal) {
            charge_visit(visits_left)?;
        }
        return Ok(ordering);
    }
    WordComparison::new(floats).run(a, b, visits_left)
}

/// Whether a pair of such words has no parts to compare.
fn is_leaf(view: &WordView<'_>) -> bool {
    match view {
        WordView::Int(_)
        | WordView::Big(..)
        | WordView::Float(_)
        | WordView::Bool(_)
        | WordView::Char(_) => true,
        WordView::Str(..) | WordView::Nil | WordView::Closure(..) => true,
        WordView::Tuple(fields) | WordView::Data(_, fields) => fields.is_empty(),
        // Even two empty tables are followed by a pair that compares whether both have ended.
        WordView::Cons | WordView::Map(_) | WordView::Set(_) => false,
    }
}

/// Parts still to be compared if everything before them is equal.
#[derive(Copy, Clone)]
enum PendingWordComparison<'a> {
    Slices(&'a [Word], &'a [Word]),
    Lists(Word, Word),
    /// The next entries of the last two tables.
    Tables,
    Pair(Word, Word),
}

/// Number of pending parts stored without allocation: enough for shallow values.
const N_INLINE: usize = 8;

struct WordComparison<'a> {
    floats: FloatOrder,
    /// The bottom of the pending stack; the rest is in `spilled_pending`.
    inline_pending: [PendingWordComparison<'a>; N_INLINE],
    n_inline: usize,
    spilled_pending: Vec<PendingWordComparison<'a>>,
    /// One for each pending [`PendingWordComparison::Tables`].
    tables: Vec<(WordTableEntries, WordTableEntries)>,
}

impl WordComparison<'_> {
    fn new(floats: FloatOrder) -> Self {
        let few = [PendingWordComparison::Tables; N_INLINE];
        Self {
            floats,
            inline_pending: few,
            n_inline: 0,
            spilled_pending: Vec::new(),
            tables: Vec::new(),
        }
    }

    fn run(
        &mut self,
        a: Word,
        b: Word,
        visits_left: &mut u64,
    ) -> Result<Option<Ordering>, VisitLimitReached> {
        let mut ordering = self.pair(a, b);
        while ordering == Some(Ordering::Equal) {
            charge_visit(visits_left)?;
            let Some(pending) = self.pop() else { break };
            ordering = self.step(pending);
        }
        Ok(ordering)
    }
}

impl<'a> WordComparison<'a> {
    fn push(&mut self, pending: PendingWordComparison<'a>) {
        match self.inline_pending.get_mut(self.n_inline) {
            Some(slot) => {
                *slot = pending;
                self.n_inline += 1;
            }
            None => self.spilled_pending.push(pending),
        }
    }

    fn pop(&mut self) -> Option<PendingWordComparison<'a>> {
        // The overflow lies on top of the inline part.
        if let Some(pending) = self.spilled_pending.pop() {
            return Some(pending);
        }
        self.n_inline = self.n_inline.checked_sub(1)?;
        Some(self.inline_pending[self.n_inline])
    }

    /// Compares the heads of two words and pushes their parts as pending.
    fn pair(&mut self, a: Word, b: Word) -> Option<Ordering> {
        if let (Some(a), Some(b)) = (a.as_small_int(), b.as_small_int()) {
            return Some(a.cmp(&b));
        }
        match (a.view(), b.view()) {
            (WordView::Tuple(a), WordView::Tuple(b)) => self.slices(a, b),
            (WordView::Data(a, a_fields), WordView::Data(b, b_fields)) => match a.cmp(&b) {
                Ordering::Equal => self.slices(a_fields, b_fields),
                unequal @ (Ordering::Less | Ordering::Greater) => Some(unequal),
            },
            (WordView::Nil, WordView::Cons)
            | (WordView::Cons, WordView::Nil)
            | (WordView::Cons, WordView::Cons) => {
                self.push(PendingWordComparison::Lists(a, b));
                Some(Ordering::Equal)
            }
            (WordView::Map(_), WordView::Map(_)) | (WordView::Set(_), WordView::Set(_)) => {
                self.tables.push((WordTableEntries::of(a), WordTableEntries::of(b)));
                self.push(PendingWordComparison::Tables);
                Some(Ordering::Equal)
            }
            (a, b) => compare_leaves(a, b, self.floats),
        }
    }

    fn slices(&mut self, a: &'a [Word], b: &'a [Word]) -> Option<Ordering> {
        if !a.is_empty() || !b.is_empty() {
            self.push(PendingWordComparison::Slices(a, b));
        }
        Some(Ordering::Equal)
    }

    fn step(&mut self, pending: PendingWordComparison<'a>) -> Option<Ordering> {
        match pending {
            PendingWordComparison::Pair(a, b) => self.pair(a, b),
            PendingWordComparison::Slices([a, a_rest @ ..], [b, b_rest @ ..]) => {
                // The rest first, so that it lies below what the heads push.
                self.slices(a_rest, b_rest);
                self.pair(*a, *b)
            }
            PendingWordComparison::Slices(a, b) => Some(a.len().cmp(&b.len())),
            PendingWordComparison::Lists(a, b) => match (a.split_first(), b.split_first()) {
                (Some((a, a_rest)), Some((b, b_rest))) => {
                    self.push(PendingWordComparison::Lists(a_rest, b_rest));
                    self.pair(a, b)
                }
                (a, b) => Some(a.is_some().cmp(&b.is_some())),
            },
            PendingWordComparison::Tables => self.next_entries(),
        }
    }

    fn next_entries(&mut self) -> Option<Ordering> {
        let (a_entries, b_entries) = self.tables.last_mut()?;
        match (a_entries.next(), b_entries.next()) {
            (Some((a_key, a)), Some((b_key, b))) => {
                self.push(PendingWordComparison::Tables);
                // Keys before values: tables are ordered as lists of their entries.
                self.push(PendingWordComparison::Pair(a, b));
                self.pair(a_key, b_key)
            }
            (a, b) => {
                self.tables.pop();
                Some(a.is_some().cmp(&b.is_some()))
            }
        }
    }
}

/// Compares two words without parts, or of which only the kinds are compared.
fn compare_leaves(a: WordView<'_>, b: WordView<'_>, floats: FloatOrder) -> Option<Ordering> {
    match (a, b) {
        (WordView::Int(a), WordView::Int(b)) => Some(a.cmp(&b)),
        (WordView::Float(a), WordView::Float(b)) => floats.compare(a, b),
        (WordView::Bool(a), WordView::Bool(b)) => Some(a.cmp(&b)),
        (WordView::Char(a), WordView::Char(b)) => Some(a.cmp(&b)),
        (WordView::Str(a, _), WordView::Str(b, _)) => Some(a.cmp(b)),
        (WordView::Data(a, _), WordView::Data(b, _)) => Some(a.cmp(&b)),
        (WordView::Big(a_is_negative, a), WordView::Big(b_is_negative, b)) => {
            // A negative number is less than a positive one.
            let signs = b_is_negative.cmp(&a_is_negative);
            // Limbs are stored least significant first.
            let sizes = a.len().cmp(&b.len()).then_with(|| a.iter().rev().cmp(b.iter().rev()));
            Some(signs.then(if a_is_negative { sizes.reverse() } else { sizes }))
        }
        // A big integer is outside the range of small ones, so its sign decides.
        (WordView::Int(_), WordView::Big(true, _))
        | (WordView::Big(false, _), WordView::Int(_)) => Some(Ordering::Greater),
        (WordView::Int(_), WordView::Big(false, _))
        | (WordView::Big(true, _), WordView::Int(_)) => Some(Ordering::Less),
        (a, b) => Some(kind_rank(&a).cmp(&kind_rank(&b))),
    }
}

/// Ranks kinds as the comparison of values does.
fn kind_rank(view: &WordView<'_>) -> u8 {
    match view {
        WordView::Int(_) | WordView::Big(..) => 0,
        WordView::Float(_) => 1,
        WordView::Bool(_) => 2,
        WordView::Char(_) => 3,
        WordView::Str(..) => 4,
        WordView::Tuple(_) => 5,
        WordView::Data(..) => 6,
        WordView::Nil | WordView::Cons => 7,
        WordView::Map(_) => 8,
        WordView::Set(_) => 9,
        WordView::Closure(..) => 10,
    }
}

/// Iterates over the entries of a map or set in ascending key order.
#[derive(Debug)]
pub(crate) struct WordTableEntries {
    /// Subtrees whose root and right child are still to be visited, the next one on top.
    path: Vec<Word>,
    n_left: u64,
}

impl WordTableEntries {
    pub(crate) fn of(table: Word) -> Self {
        let (n_left, height) =
            table.table().map_or((0, 0), |root| (root.size, root.height as usize));
        let mut entries = Self { path: Vec::with_capacity(height), n_left };
        entries.push_left_spine(table);
        entries
    }

    fn push_left_spine(&mut self, mut tree: Word) {
        while let Some(root) = tree.table() {
            self.path.push(tree);
            tree = root.left;
        }
    }
}

impl Iterator for WordTableEntries {
    type Item = (Word, Word);

    fn next(&mut self) -> Option<Self::Item> {
        let root = self.path.pop()?.table()?;
        self.n_left -= 1;
        self.push_left_spine(root.right);
        Some((root.key, root.value))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.n_left as usize, Some(self.n_left as usize))
    }
}

impl ExactSizeIterator for WordTableEntries {}
