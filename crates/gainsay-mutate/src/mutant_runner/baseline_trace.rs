//! The course of a claim on the program itself: how each of its cases ends, and which mutants it
//! comes to and would be changed by. With a mutant that changes nothing in a case, it ends in the
//! same way.

use std::collections::{BTreeMap, BTreeSet};

use gainsay_test::claims::{CaseAnnotations, CaseOutcome};

/// What the cases of a claim come to.
#[derive(Debug, Clone, Default)]
pub struct BaselineTrace {
    /// By the number of the `across` in the claim, and its site.
    sites: BTreeMap<(u32, usize), SiteBaseline>,
    /// Switches that are come to at all, and marks of mutants that change something.
    reached: BTreeSet<u32>,
}

/// What the cases of one `across` come to, by their numbers.
#[derive(Debug, Clone, Default)]
pub(super) struct SiteBaseline {
    outcomes: Vec<(CaseOutcome, CaseAnnotations)>,
    /// For each switch or mark, the cases that come to it, a bit for each.
    reached: BTreeMap<u32, Vec<u64>>,
}

impl BaselineTrace {
    pub(super) fn add_reached(&mut self, marks: &[u32]) {
        self.reached.extend(marks);
    }

    pub(super) fn is_reached(&self, mark: u32) -> bool {
        self.reached.contains(&mark)
    }

    pub(super) fn site(&self, number: u32, site: usize) -> Option<&SiteBaseline> {
        self.sites.get(&(number, site))
    }

    pub(super) fn site_mut(&mut self, number: u32, site: usize) -> &mut SiteBaseline {
        self.sites.entry((number, site)).or_default()
    }
}

impl SiteBaseline {
    /// The next case.
    pub(super) fn push(&mut self, end: CaseOutcome, remarks: CaseAnnotations, marks: &[u32]) {
        let (word, bit) = bit_position(self.outcomes.len());
        for mark in marks {
            let bits = self.reached.entry(*mark).or_default();
            bits.resize(bits.len().max(word + 1), 0);
            bits[word] |= bit;
        }
        self.outcomes.push((end, remarks));
    }

    /// How a case ends that does not come to a mark; nothing if it does, or is not known.
    pub(super) fn outcome_without(
        &self,
        number: u64,
        mark: u32,
    ) -> Option<&(CaseOutcome, CaseAnnotations)> {
        let number = usize::try_from(number).ok()?;
        let (word, bit) = bit_position(number);
        let bits = self.reached.get(&mark).and_then(|it| it.get(word));
        let is_reached = bits.is_some_and(|it| it & bit != 0);
        self.outcomes.get(number).filter(|_| !is_reached)
    }
}

/// The word that a bit is in, and the bit.
fn bit_position(number: usize) -> (usize, u64) {
    (number / 64, 1 << (number % 64))
}
