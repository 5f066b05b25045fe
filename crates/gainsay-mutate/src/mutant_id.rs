//! Names of mutants that stay the same while the source is laid out anew and renamed: the
//! how-manieth declaration of its module, the way through the tree to the term, the operator, and
//! the how-manieth mutant it makes there.

use std::collections::BTreeSet;

/// What a mutant is named after.
#[derive(Debug, Copy, Clone)]
pub(crate) struct MutantKey<'a> {
    pub(crate) module: &'a str,
    pub(crate) declaration: u32,
    pub(crate) path: &'a [u32],
    pub(crate) operator: &'a str,
    pub(crate) number: u32,
}

/// Gives names, no two alike.
#[derive(Debug, Default)]
pub(crate) struct MutantIds {
    used: BTreeSet<u32>,
}

impl MutantIds {
    pub(crate) fn assign(&mut self, place: MutantKey<'_>) -> String {
        let mut hash = place.hash();
        while !self.used.insert(hash) {
            hash = hash.wrapping_add(1);
        }
        format!("m-{hash:08x}")
    }
}

impl MutantKey<'_> {
    /// FNV-1a, 32 bits.
    fn hash(self) -> u32 {
        let path = self.path.iter().flat_map(|it| it.to_le_bytes());
        let bytes = (self.module.bytes().chain([0]))
            .chain(self.declaration.to_le_bytes())
            .chain(path)
            .chain([0xff])
            .chain(self.operator.bytes())
            .chain(self.number.to_le_bytes());
        bytes.fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
    }
}
