//! Mutant ids that survive reformatting and renaming. An id hashes the module, the index of the
//! declaration in it, the path through the tree to the term, the operator, and the index among the
//! mutants that operator makes there.

use std::collections::BTreeSet;

/// What identifies a mutant.
#[derive(Debug, Copy, Clone)]
pub(crate) struct MutantKey<'a> {
    pub(crate) module: &'a str,
    pub(crate) declaration: u32,
    pub(crate) path: &'a [u32],
    pub(crate) operator: &'a str,
    pub(crate) number: u32,
}

/// Assigns unique ids.
#[derive(Debug, Default)]
pub(crate) struct MutantIds {
    used: BTreeSet<u32>,
}

impl MutantIds {
    pub(crate) fn assign(&mut self, place: MutantKey<'_>) -> String {
        let mut hash = place.hash();
        // Linear probing: ids are assigned in a fixed order, so collisions resolve the same way
        // each run.
        while !self.used.insert(hash) {
            hash = hash.wrapping_add(1);
        }
        format!("m-{hash:08x}")
    }
}

impl MutantKey<'_> {
    /// FNV-1a, 32 bits: stable across Rust versions, unlike the standard hasher.
    fn hash(self) -> u32 {
        let path = self.path.iter().flat_map(|it| it.to_le_bytes());
        let bytes = (self.module.bytes().chain([0]))
            .chain(self.declaration.to_le_bytes())
            .chain(path)
            // Separates the path, whose length varies, from what follows.
            .chain([0xff])
            .chain(self.operator.bytes())
            .chain(self.number.to_le_bytes());
        bytes.fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
    }
}
