//! The arena of a case: cells are bump-allocated and freed all at once.
//!
//! Words are charged by the rules of [`limits`](crate::limits), which both engines share. For
//! almost every cell the charge is its actual size; where it is not, `limit` moves by the
//! difference, so that compiled code needs only one comparison: whether the next free word is
//! beyond the limit.

use std::alloc::{GlobalAlloc as _, Layout, System};
use std::mem::offset_of;

use gainsay_core::{CtorId, FunctionId};
use num_bigint::{BigInt, Sign};
use num_traits::ToPrimitive as _;

use super::word::{CellKind, Word, header, header_of_len, header_of_node};
use crate::address_space::reservation_size;
use crate::fault::FaultKind;
use crate::large_memory::{LargeMemoryPermit, UNRESTRICTED_BYTES};

/// The arena. Compiled code accesses the first two fields.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct Arena {
    /// The next free word.
    bump: u64,
    /// The address at which the word limit is reached.
    limit: u64,
    /// The end of the memory; `limit` is never beyond it.
    end: u64,
    base: u64,
    /// The word limit at the start of the case.
    n_words: u64,
    /// The words granted to each case, and the address at which they end.
    granted: u64,
    granted_limit: u64,
    /// Words of the limit that require a [`LargeMemoryPermit`].
    reserve: u64,
    permit: Option<LargeMemoryPermit>,
    layout: Layout,
}

/// Words that a case may allocate without a permit.
const UNRESTRICTED_WORDS: u64 = UNRESTRICTED_BYTES / 8;

/// Bytes kept for the next case; memory touched beyond that by an outlier is returned.
const RETAINED_BYTES: u64 = 32 << 20;

/// The smallest reservation worth trying.
const MIN_BYTES: u64 = 1 << 20;

/// The state of the arena when a nested budget was opened.
#[derive(Debug, Copy, Clone)]
pub(crate) struct ArenaBudget {
    bump: u64,
    limit: u64,
    n_words: u64,
    reserve: u64,
}

/// The arena is full. The charge that failed is not counted.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) struct ArenaFull;

impl From<ArenaFull> for FaultKind {
    fn from(_: ArenaFull) -> Self {
        Self::MemoryLimit
    }
}

impl From<ArenaFull> for Box<FaultKind> {
    fn from(_: ArenaFull) -> Self {
        Self::new(FaultKind::MemoryLimit)
    }
}

impl Arena {
    /// Offset at which compiled code finds the next free word.
    pub(super) const BUMP: usize = offset_of!(Self, bump);
    /// Offset at which compiled code finds the limit.
    pub(super) const LIMIT: usize = offset_of!(Self, limit);

    /// Reserves memory for some words, and as much again for uncharged allocations. Only touched
    /// pages are committed; if the system refuses the size, a smaller one is tried. The memory
    /// comes directly from the system, because a program's global allocator may abort when it runs
    /// out.
    pub(crate) fn new(n_words: u64) -> Self {
        // Twice eight bytes per word: half for charged words, half for uncharged ones.
        let bytes = reservation_size(n_words.saturating_mul(16));
        let mut bytes = bytes.clamp(MIN_BYTES, 1 << 40) & !7;
        loop {
            let heap = Self::with_bytes(bytes, n_words);
            if heap.base != 0 || bytes <= MIN_BYTES {
                return heap;
            }
            bytes = (bytes / 2) & !7;
        }
    }

    fn with_bytes(bytes: u64, n_words: u64) -> Self {
        let layout =
            Layout::from_size_align(bytes as usize, 16).unwrap_or(Layout::new::<u128>());
        // SAFETY: the layout is never empty.
        let base = unsafe { System.alloc(layout) } as u64;
        let bytes = if base == 0 { 0 } else { layout.size() as u64 };
        let mut heap = Self {
            bump: base,
            limit: 0,
            end: base + bytes,
            base,
            n_words: 0,
            granted: 0,
            granted_limit: 0,
            reserve: 0,
            permit: None,
            layout,
        };
        heap.grant(n_words);
        // SAFETY: no word points into a new arena.
        unsafe { heap.reset() };
        heap
    }

    /// Sets the words that each case from the next one on may use: at most half of the memory, so
    /// that the rest is left for uncharged allocations.
    pub(crate) fn grant(&mut self, n_words: u64) {
        self.granted = n_words.min((self.end - self.base) / 16);
        self.granted_limit = self.base + self.granted * 8;
    }

    /// Empties the arena for a new case.
    ///
    /// # Safety
    ///
    /// No word that points into the arena may be used afterwards.
    #[inline(always)]
    pub(crate) unsafe fn reset(&mut self) {
        if self.bump - self.base > RETAINED_BYTES {
            self.return_to_system();
        }
        self.bump = self.base;
        // Only the unrestricted part counts at first; `extend` adds the reserve once this thread
        // holds the permit.
        self.reserve = self.granted.saturating_sub(UNRESTRICTED_WORDS);
        self.n_words = self.granted - self.reserve;
        self.limit = self.granted_limit - self.reserve * 8;
    }

    /// Releases the permit for large memory, if the case held one.
    #[inline(always)]
    pub(crate) fn release_permit(&mut self) {
        if self.permit.is_some() {
            self.permit = None;
        }
    }

    /// Returns large amounts of memory before the next case.
    ///
    /// # Safety
    ///
    /// No word that points into the arena may be used afterwards.
    pub(crate) unsafe fn release_memory(&mut self) {
        if self.bump - self.base > RETAINED_BYTES {
            self.return_to_system();
        }
    }

    /// Acquires a permit and raises the limit to its full value; returns whether `words` more fit.
    #[cold]
    pub(crate) fn extend(&mut self, words: u64) -> bool {
        if self.reserve > 0 {
            self.permit.get_or_insert_with(LargeMemoryPermit::acquire);
            self.n_words += self.reserve;
            self.limit += self.reserve * 8;
            self.reserve = 0;
        }
        words <= (self.limit - self.bump) / 8
    }

    /// Returns the memory touched by an outlier to the system, by allocating the range anew.
    #[cold]
    fn return_to_system(&mut self) {
        if self.base == 0 {
            return;
        }
        let bytes = self.end - self.base;
        // SAFETY: the memory was allocated with this layout, and nothing points into it
        // between two cases.
        unsafe { System.dealloc(self.base as *mut u8, self.layout) };
        // Zeroed first, so that dropping the old value in the assignment frees nothing twice.
        self.base = 0;
        self.end = 0;
        self.bump = 0;
        *self = Self::with_bytes(bytes, self.granted);
    }

    /// Opens a nested budget of some words; the returned state restores the outer one.
    pub(crate) fn open_budget(&mut self, n_words: u64) -> ArenaBudget {
        let Self { bump, limit, n_words: before, reserve, .. } = *self;
        let budget = ArenaBudget { bump, limit, n_words: before, reserve };
        // As much again is left for uncharged allocations.
        let n_words = n_words.min((self.end - self.bump) / 16);
        self.reserve = n_words.saturating_sub(UNRESTRICTED_WORDS);
        self.n_words = n_words - self.reserve;
        self.limit = self.bump + self.n_words * 8;
        budget
    }

    /// Restores the outer budget and frees everything allocated since.
    ///
    /// # Safety
    ///
    /// No word that points to what was allocated since may be used afterwards.
    pub(crate) unsafe fn close_budget(&mut self, budget: ArenaBudget) {
        self.bump = budget.bump;
        self.limit = budget.limit;
        self.n_words = budget.n_words;
        self.reserve = budget.reserve;
    }

    /// Words that may be charged in total.
    pub(crate) fn max_words(&self) -> u64 {
        self.n_words + self.reserve
    }

    /// Words charged so far.
    pub(crate) fn words(&self) -> u64 {
        // Allocating without a charge moves both, and charging without an allocation moves `limit`
        // toward `bump`: so their distance is always what is left.
        self.n_words - (self.limit - self.bump) / 8
    }

    /// Charges words without allocating.
    pub(crate) fn charge(&mut self, words: u64) -> Result<(), ArenaFull> {
        // Fast path first; `extend` may wait for the permit.
        if words > (self.limit - self.bump) / 8 && !self.extend(words) {
            return Err(ArenaFull);
        }
        self.limit -= words * 8;
        Ok(())
    }

    /// Allocates words without charging: `limit` moves along with `bump`.
    fn allocate(&mut self, words: u64) -> Result<u64, ArenaFull> {
        let bytes = words.checked_mul(8).ok_or(ArenaFull)?;
        // Not just `end - limit`: the words still in reserve must remain available.
        if bytes > self.end - self.limit - self.reserve * 8 {
            return Err(ArenaFull);
        }
        let at = self.bump;
        self.bump += bytes;
        self.limit += bytes;
        Ok(at)
    }

    /// A cell whose words have already been charged, or are never charged.
    fn cell(&mut self, words: &[u64]) -> Result<Word, ArenaFull> {
        let at = self.allocate(words.len() as u64)?;
        // SAFETY: `allocate` reserved that many words from `at` on, and nothing refers to them.
        unsafe { std::ptr::copy_nonoverlapping(words.as_ptr(), at as *mut u64, words.len()) };
        // SAFETY: the callers pass complete cells.
        Ok(unsafe { Word::from_address(at) })
    }

    fn fields(&mut self, first: &[u64], fields: &[Word]) -> Result<Word, ArenaFull> {
        let at = self.allocate((first.len() + fields.len()) as u64)?;
        // SAFETY: as in `cell`; a word is a `u64`.
        unsafe {
            let to = at as *mut u64;
            std::ptr::copy_nonoverlapping(first.as_ptr(), to, first.len());
            let fields_to = to.add(first.len());
            std::ptr::copy_nonoverlapping(fields.as_ptr().cast(), fields_to, fields.len());
        }
        // SAFETY: the cell is complete: its header says how many fields follow.
        Ok(unsafe { Word::from_address(at) })
    }

    /// A tuple. Not charged, like all that follow.
    pub(crate) fn tuple(&mut self, fields: &[Word]) -> Result<Word, ArenaFull> {
        // A tuple without fields is an immediate and has no cell.
        if fields.is_empty() {
            return Ok(Word::UNIT);
        }
        self.fields(&[header(CellKind::Tuple, fields.len() as u64, 0)], fields)
    }

    /// A constructor with its fields.
    pub(crate) fn data(&mut self, ctor: CtorId, fields: &[Word]) -> Result<Word, ArenaFull> {
        if fields.is_empty() {
            return Ok(Word::nullary(ctor));
        }
        self.fields(&[header(CellKind::Data, fields.len() as u64, ctor.0)], fields)
    }

    /// A list with one more element.
    pub(crate) fn cons(&mut self, head: Word, tail: Word) -> Result<Word, ArenaFull> {
        let len = tail.list_len() + 1;
        self.cell(&[header_of_len(CellKind::Cons, len), head.bits(), tail.bits()])
    }

    /// Prepends elements to `rest`.
    pub(crate) fn list_onto(&mut self, items: &[Word], rest: Word) -> Result<Word, ArenaFull> {
        items.iter().rev().try_fold(rest, |tail, head| self.cons(*head, tail))
    }

    /// Prepends elements to `rest`, with the cells in list order, which traversal prefers.
    pub(crate) fn list(
        &mut self,
        items: impl ExactSizeIterator<Item = Word>,
        rest: Word,
    ) -> Result<Word, ArenaFull> {
        let n_after = rest.list_len();
        let at = self.bump;
        let is_empty = items.len() == 0;
        let mut n_items = items.len() as u64;
        for head in items {
            let header = header_of_len(CellKind::Cons, n_after + n_items);
            n_items -= 1;
            // The next cell directly follows this one.
            let tail = if n_items == 0 { rest.bits() } else { self.bump + 3 * 8 };
            self.cell(&[header, head.bits(), tail])?;
        }
        // SAFETY: the first cell was stored there, and all cells after it.
        Ok(if is_empty { rest } else { unsafe { Word::from_address(at) } })
    }

    /// A closure.
    pub(crate) fn closure(
        &mut self,
        function: FunctionId,
        code: u64,
        captures: &[Word],
    ) -> Result<Word, ArenaFull> {
        let header = header(CellKind::Closure, captures.len() as u64, function.0);
        self.fields(&[header, code], captures)
    }

    /// A text.
    pub(crate) fn text(&mut self, text: &str) -> Result<Word, ArenaFull> {
        self.text_with_len(text, text.chars().count() as u64)
    }

    /// A text whose number of characters is known.
    pub(crate) fn text_with_len(
        &mut self,
        text: &str,
        n_chars: u64,
    ) -> Result<Word, ArenaFull> {
        self.concat_text([text, ""], n_chars)
    }

    /// The concatenation of two texts with `n_chars` characters in total.
    pub(crate) fn concat_text(
        &mut self,
        [a, b]: [&str; 2],
        n_chars: u64,
    ) -> Result<Word, ArenaFull> {
        let n_bytes = a.len() + b.len();
        // Header and character count, then the bytes rounded up to whole words.
        let at = self.allocate(2 + n_bytes.div_ceil(8) as u64)?;
        // SAFETY: there is room for header, count and bytes rounded up to words.
        unsafe {
            let to = at as *mut u64;
            to.write(header_of_len(CellKind::Str, n_bytes as u64));
            to.add(1).write(n_chars);
            let bytes = to.add(2).cast::<u8>();
            std::ptr::copy_nonoverlapping(a.as_ptr(), bytes, a.len());
            std::ptr::copy_nonoverlapping(b.as_ptr(), bytes.add(a.len()), b.len());
        }
        // SAFETY: the cell is complete.
        Ok(unsafe { Word::from_address(at) })
    }

    /// A float.
    pub(crate) fn float(&mut self, float: f64) -> Result<Word, ArenaFull> {
        match Word::packed_float(float) {
            Some(word) => Ok(word),
            None => self.cell(&[header(CellKind::Float, 1, 0), float.to_bits()]),
        }
    }

    /// An integer that fits `i64`.
    pub(crate) fn int(&mut self, int: i64) -> Result<Word, ArenaFull> {
        match Word::from_small_int(int) {
            Some(word) => Ok(word),
            None => {
                let sign = u32::from(int < 0);
                self.cell(&[header(CellKind::Big, 1, sign), int.unsigned_abs()])
            }
        }
    }

    /// An integer of any size.
    pub(crate) fn big(&mut self, int: &BigInt) -> Result<Word, ArenaFull> {
        if let Some(small) = int.to_i64() {
            return self.int(small);
        }
        let (sign, limbs) = int.to_u64_digits();
        let sign = u32::from(sign == Sign::Minus);
        let mut cell = Vec::with_capacity(limbs.len() + 1);
        cell.push(header(CellKind::Big, limbs.len() as u64, sign));
        cell.extend_from_slice(&limbs);
        self.cell(&cell)
    }

    /// A node of a map or set.
    pub(crate) fn table_node(
        &mut self,
        kind: CellKind,
        (size, height): (u64, u32),
        [key, value, left, right]: [Word; 4],
    ) -> Result<Word, ArenaFull> {
        let header = header_of_node(kind, size, height);
        self.cell(&[header, key.bits(), value.bits(), left.bits(), right.bits()])
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        if self.base != 0 {
            // SAFETY: allocated with this layout; no call is running, so its words are dead.
            unsafe { System.dealloc(self.base as *mut u8, self.layout) };
        }
    }
}

/// Builds an integer from sign and limbs.
pub(crate) fn big_of((is_negative, limbs): (bool, &[u64])) -> BigInt {
    let digits: Vec<u32> =
        limbs.iter().flat_map(|limb| [*limb as u32, (*limb >> 32) as u32]).collect();
    let sign = if is_negative { Sign::Minus } else { Sign::Plus };
    BigInt::from_slice(sign, &digits)
}
