//! Rebuilds a structure part by part, however deep it is, and keeps what is shared shared.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// The address of a part, and as what it is stored there.
pub(super) type PartAddress = (u64, u64);

/// How one kind of structure is made into another.
pub(super) trait Rebuild {
    /// Something to be rebuilt.
    type Part: Copy;
    /// What becomes of it.
    type Made: Clone;
    /// Why nothing does.
    type Stop;

    /// What becomes of a part that is stored nowhere else.
    fn immediate(&self, part: Self::Part) -> Option<Self::Made>;

    /// What a part contains, by position; nothing from some position on.
    fn inner(&self, part: Self::Part, position: u32) -> Option<Self::Part>;

    /// Where the part is stored, if another one may contain it too.
    fn address(&self, part: Self::Part) -> Option<PartAddress>;

    /// How many words it takes by itself.
    fn words(&self, part: Self::Part) -> u64;

    /// Makes a part, and takes off `done` what became of its inner parts.
    fn make(
        &mut self,
        part: Self::Part,
        done: &mut Vec<Self::Made>,
    ) -> Result<Self::Made, Self::Stop>;
}

/// Words that are rebuilt before sharing is looked for: most structures are small, and
/// something small that is shared is not much twice.
const WORDS_BEFORE_SHARING: u64 = 4096;

/// A structure, rebuilt.
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

/// Parts inside each other that are usual.
const N_OPEN: usize = 32;

struct Rebuilder<'r, R: Rebuild> {
    rules: &'r mut R,
    /// Parts from the root down to before the present one, with the position of the next inner part.
    open: Vec<(R::Part, u32)>,
    /// What became of inner parts whose outer part is still open.
    finished: Vec<R::Made>,
    /// What became of parts that may be met again, by place.
    rebuilt: HashMap<PartAddress, R::Made, BuildHasherDefault<PartAddressHasher>>,
    n_words: u64,
}

impl<R: Rebuild> Rebuilder<'_, R> {
    fn build(&mut self, root: R::Part) -> Result<R::Made, R::Stop> {
        let (mut part, mut position) = (root, 0);
        loop {
            if let Some(inner) = self.rules.inner(part, position) {
                position += 1;
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

    /// What becomes of a part, if that is known already.
    fn already_rebuilt(&self, part: R::Part) -> Option<R::Made> {
        if let Some(made) = self.rules.immediate(part) {
            return Some(made);
        }
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

/// Mixes the bits of addresses, which are alike at both ends.
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
        // Fibonacci hashing: the golden ratio spreads what is evenly spaced. The table looks
        // at the topmost bits and at the lowest.
        let mixed = (self.0 ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed >> 32;
    }
}
