//! The numbers of mutants and of the switches of compiled code.

/// A mutant, by its position in the list that an engine was instrumented with. Two engines may
/// number the same mutant differently.
#[derive(Debug, Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MutantId(pub u32);

impl MutantId {
    /// The ids of a list of mutants.
    pub fn all(n_mutants: usize) -> impl Iterator<Item = Self> {
        (0..n_mutants as u32).map(Self)
    }

    /// The position in that list.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A switch of compiled code: it turns on the mutants of a term or the comparison of a term with
/// its mutants, and records what was reached or infected by being turned off.
#[derive(Debug, Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SwitchId(pub u32);

impl SwitchId {
    /// The position in the table of switches.
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}
