//! Limits of a run, and the cost model, which all engines share.
//!
//! A step is one function entry, plus what builtins charge for their work. A word is abstract: what
//! a value takes when it is created, regardless of sharing and freeing.

/// The limits of one call of a worker.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Function entries and work of builtins.
    pub steps: u64,
    /// Nested calls.
    pub depth: u32,
    /// Words allocated in total, including those freed since.
    pub words: u64,
    /// Bytes live at once.
    pub live_bytes: u64,
}

impl Limits {
    /// For a program that may run indefinitely: only depth and memory are bounded.
    pub const UNLIMITED_STEPS: Self =
        Self { steps: u64::MAX, depth: 1_000_000, words: u64::MAX, live_bytes: 4 << 30 };
}

impl Default for Limits {
    /// For one case of a claim.
    fn default() -> Self {
        Self { steps: 10_000_000, depth: 1_000_000, words: 32 << 20, live_bytes: 1 << 30 }
    }
}

/// Maximum length of an integer, about 630,000 decimal digits: computing with longer ones would
/// take longer than anyone waits, so they count as exceeding the memory limit.
pub(crate) const MAX_INT_BITS: u64 = 2 << 20;

/// Elements or bytes that a builtin processes per step.
pub const WORK_PER_STEP: u64 = 64;

/// The work of comparing one pair of values.
pub const WORK_PER_COMPARISON: u64 = 8;

/// The work of printing one byte of a value.
pub const WORK_PER_SHOWN_BYTE: u64 = 4;

/// Integers that need no memory of their own, and are free of charge.
pub(crate) const SMALL_INTS: std::ops::Range<i64> = -(1 << SMALL_INT_BITS)..1 << SMALL_INT_BITS;

/// Number of bits of a small integer, not counting the sign.
pub(crate) const SMALL_INT_BITS: u64 = 62;

/// Whether an integer is free of charge.
#[inline]
pub const fn is_small_int(int: i64) -> bool {
    SMALL_INTS.start <= int && int < SMALL_INTS.end
}

/// Words of an integer with some bits that is not small.
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

/// Words of one node of a map or set: header, key, value, and two children.
const WORDS_OF_NODE: u64 = 5;

/// Words of a map or set built from some entries at once.
pub fn words_of_table(len: u64) -> u64 {
    len.saturating_mul(WORDS_OF_NODE)
}

/// Words of changing one entry of a map or set: an upper bound on the nodes that a change
/// allocates, for tables of fewer than 2^32 entries. Larger ones do not fit in memory.
pub fn words_of_table_change(len: u64) -> u64 {
    // The height of an AVL tree is at most 1.44 log2(n + 2), and each level allocates a bounded
    // number of nodes.
    let levels = u64::from(len.saturating_add(1).ilog2());
    // Charged in advance and rounded up, so that the charge depends on the length alone and not on
    // the shape of the tree.
    WORDS_OF_NODE * (2 * levels + 4)
}
