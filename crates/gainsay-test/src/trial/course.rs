//! The course of a claim on the program itself: how each of its cases ends, and to which mutants
//! it comes. With a mutant that a case does not come to, it ends in the same way.

use std::collections::{BTreeMap, BTreeSet};

use crate::attack::End;
use crate::host::Remarks;

/// What the cases of a claim come to.
#[derive(Debug, Clone, Default)]
pub struct Course {
    /// By the number of the `across` in the claim, and its site.
    sites: BTreeMap<(u32, usize), SiteCourse>,
    /// Switches that are come to at all.
    reached: BTreeSet<u32>,
}

/// What the cases of one `across` come to, by their numbers.
#[derive(Debug, Clone, Default)]
pub(super) struct SiteCourse {
    ends: Vec<(End, Remarks)>,
    /// For each switch, the cases that come to it, a bit for each.
    reached: BTreeMap<u32, Vec<u64>>,
}

impl Course {
    pub(super) fn reach(&mut self, switches: &[u32]) {
        self.reached.extend(switches);
    }

    pub(super) fn is_reached(&self, switch: u32) -> bool {
        self.reached.contains(&switch)
    }

    pub(super) fn site(&self, number: u32, site: usize) -> Option<&SiteCourse> {
        self.sites.get(&(number, site))
    }

    pub(super) fn site_mut(&mut self, number: u32, site: usize) -> &mut SiteCourse {
        self.sites.entry((number, site)).or_default()
    }
}

impl SiteCourse {
    /// The next case.
    pub(super) fn push(&mut self, end: End, remarks: Remarks, switches: &[u32]) {
        let (word, bit) = place(self.ends.len());
        for switch in switches {
            let bits = self.reached.entry(*switch).or_default();
            bits.resize(bits.len().max(word + 1), 0);
            bits[word] |= bit;
        }
        self.ends.push((end, remarks));
    }

    /// How a case ends that does not come to a switch; nothing if it does, or is not known.
    pub(super) fn end(&self, number: u64, switch: u32) -> Option<&(End, Remarks)> {
        let number = usize::try_from(number).ok()?;
        let (word, bit) = place(number);
        let bits = self.reached.get(&switch).and_then(|it| it.get(word));
        let is_reached = bits.is_some_and(|it| it & bit != 0);
        self.ends.get(number).filter(|_| !is_reached)
    }
}

/// The word that a bit is in, and the bit.
fn place(number: usize) -> (usize, u64) {
    (number / 64, 1 << (number % 64))
}
