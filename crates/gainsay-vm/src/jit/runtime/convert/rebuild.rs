//! Rebuilds a structure iteratively, however deep it is, and preserves sharing.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// The address of a part, and the kind as which it is stored there.
pub(super) type PartAddress = (u64, u64);

/// How one kind of structure is converted into another.
pub(super) trait Rebuild {
    /// A part of the source.
    type Part: Copy;
    /// The converted part.
    type Made: Clone;
    /// Why the conversion fails.
    type Stop;

    /// The conversion of a part without storage of its own.
    fn immediate(&self, part: Self::Part) -> Option<Self::Made>;

    /// The subpart at a position; `None` past the last one.
    fn inner(&self, part: Self::Part, position: u32) -> Option<Self::Part>;

    /// Where the part is stored, if it may be shared.
    fn address(&self, part: Self::Part) -> Option<PartAddress>;

    /// The words it takes by itself.
    fn words(&self, part: Self::Part) -> u64;

    /// Converts a part, popping its converted subparts from `done`.
    fn make(
        &mut self,
        part: Self::Part,
        done: &mut Vec<Self::Made>,
    ) -> Result<Self::Made, Self::Stop>;
}

/// Number of words rebuilt before sharing is tracked: most structures are small, and duplicating a
/// small shared part costs little.
const WORDS_BEFORE_SHARING: u64 = 4096;

/// Rebuilds a structure.
pub(super) fn rebuild<R: Rebuild>(rules: &mut R, root: R::Part) -> Result<R::Made, R::Stop> {
    let mut builder = Rebuilder {
        rules,
        open: Vec::with_capacity(N_OPEN),
        finished: Vec::with_capacity(N_OPEN),
        rebuilt: HashMap::default(),
        n_words: 0,
    };
    builder.build(root)
}

/// Initial capacity for nested parts.
const N_OPEN: usize = 32;

struct Rebuilder<'r, R: Rebuild> {
    rules: &'r mut R,
    /// The parts from the root to the parent of the current one, with the position of the next
    /// subpart.
    open: Vec<(R::Part, u32)>,
    /// Converted subparts whose parent is still open.
    finished: Vec<R::Made>,
    /// Converted parts that may be encountered again, by address.
    rebuilt: HashMap<PartAddress, R::Made, BuildHasherDefault<PartAddressHasher>>,
    n_words: u64,
}

impl<R: Rebuild> Rebuilder<'_, R> {
    fn build(&mut self, root: R::Part) -> Result<R::Made, R::Stop> {
        let (mut part, mut position) = (root, 0);
        // Without sharing, a DAG could take time and memory exponential in its size; the threshold
        // bounds what is duplicated.
        loop {
            if let Some(inner) = self.rules.inner(part, position) {
                position += 1;
                // An immediate or an already converted part needs no descent.
                match self.already_rebuilt(inner) {
                    Some(made) => self.finished.push(made),
                    None => {
                        self.open.push((part, position));
                        (part, position) = (inner, 0);
                    }
                }
                continue;
            }
            let made = self.make(part)?;
            let Some(outer) = self.open.pop() else { return Ok(made) };
            self.finished.push(made);
            (part, position) = outer;
        }
    }

    /// The conversion of a part, if it is already known.
    fn already_rebuilt(&self, part: R::Part) -> Option<R::Made> {
        if let Some(made) = self.rules.immediate(part) {
            return Some(made);
        }
        // Hashing every part would dominate the conversion of small values.
        if self.n_words < WORDS_BEFORE_SHARING {
            return None;
        }
        self.rebuilt.get(&self.rules.address(part)?).cloned()
    }

    fn make(&mut self, part: R::Part) -> Result<R::Made, R::Stop> {
        let made = self.rules.make(part, &mut self.finished)?;
        self.n_words += self.rules.words(part);
        if self.n_words >= WORDS_BEFORE_SHARING
            && let Some(place) = self.rules.address(part)
        {
            self.rebuilt.insert(place, made.clone());
        }
        Ok(made)
    }
}

/// Mixes the bits of addresses, which share their highest and lowest bits.
#[derive(Default)]
struct PartAddressHasher(u64);

impl Hasher for PartAddressHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u64(&mut self, part: u64) {
        // Fibonacci hashing: the golden ratio spreads evenly spaced keys. The hash table uses the
        // highest and the lowest bits.
        let mixed = (self.0 ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed >> 32;
    }
}
