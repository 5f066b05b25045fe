//! How much a run may use, and what counts how much. Every engine counts the same.
//!
//! A step is one entry of a function, plus what builtins charge for their work. A word is
//! abstract: what a value takes when it is made, whether or not anything is shared or freed.

/// How much one call of a worker may use.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Entries of functions, and work of builtins.
    pub steps: u64,
    /// Calls that are waiting for another one to return.
    pub depth: u32,
    /// Words of memory taken, whether or not they are free again.
    pub words: u64,
    /// Bytes that are really held at once.
    pub live_bytes: u64,
}

impl Limits {
    /// For a program that may run as long as it likes: only depth and memory have an end.
    pub const UNLIMITED_STEPS: Self =
        Self { steps: u64::MAX, depth: 1_000_000, words: u64::MAX, live_bytes: 4 << 30 };
}

impl Default for Limits {
    /// For one case of a claim.
    fn default() -> Self {
        Self { steps: 10_000_000, depth: 1_000_000, words: 32 << 20, live_bytes: 1 << 30 }
    }
}

/// Bits of the longest integer, about 630,000 decimal digits: one that is longer would hold
/// up a run for longer than anybody waits, and is refused like memory that is not there.
pub(crate) const LONGEST_INT_BITS: u64 = 2 << 20;

/// Elements or bytes a builtin handles per step.
pub const WORK_PER_STEP: u64 = 64;

/// Work of comparing one pair of values.
pub const WORK_PER_COMPARISON: u64 = 8;

/// Work of printing one byte of a value.
pub const WORK_PER_SHOWN_BYTE: u64 = 4;

/// Integers that fit in a value itself, and are free of charge.
pub(crate) const SMALL_INTS: std::ops::Range<i64> = -(1 << SMALL_INT_BITS)..1 << SMALL_INT_BITS;

/// Bits with which an integer is small, whatever its sign.
pub(crate) const SMALL_INT_BITS: u64 = 62;

/// Whether an integer is free of charge.
#[inline]
pub const fn is_small_int(int: i64) -> bool {
    SMALL_INTS.start <= int && int < SMALL_INTS.end
}

/// Words of an integer of some bits that is not small.
pub fn words_of_int(bits: u64) -> u64 {
    bits / 64 + 2
}

/// Words of a tuple or constructor with some fields.
pub fn words_of_fields(n_fields: u64) -> u64 {
    if n_fields == 0 { 0 } else { n_fields + 1 }
}

/// Words of a function with some captures.
pub fn words_of_closure(n_captures: u64) -> u64 {
    if n_captures == 0 { 0 } else { n_captures + 2 }
}

/// Words of a list of some length.
pub fn words_of_list(len: u64) -> u64 {
    len.saturating_mul(3)
}

/// Words of a text of some bytes.
pub fn words_of_text(bytes: u64) -> u64 {
    bytes.div_ceil(8) + 2
}

/// Words of one node of a map or set: what it is, key, value, and two sides.
const WORDS_OF_NODE: u64 = 5;

/// Words of a map or set that is made of some entries at once.
pub fn words_of_table(len: u64) -> u64 {
    len.saturating_mul(WORDS_OF_NODE)
}

/// Words of changing one entry of a map or set with some entries: at least what the nodes
/// take that a change makes, for tables of less than 2^32 entries. Longer ones fit nowhere.
pub fn words_of_table_change(len: u64) -> u64 {
    let levels = u64::from(len.saturating_add(1).ilog2());
    WORDS_OF_NODE * (2 * levels + 4)
}
