//! The baseline trace of a claim: how each of its cases ends on the unmutated program, and which
//! mutants it reaches and would be infected by. A case that a mutant does not infect ends the same
//! way with that mutant, so it need not be run.

use std::collections::{BTreeMap, BTreeSet};

use gainsay_gen::SiteId;
use gainsay_test::claims::{CaseAnnotations, CaseOutcome};
use gainsay_vm::SwitchId;

/// The outcomes of a claim's cases, and the flags they set.
#[derive(Debug, Clone, Default)]
pub struct BaselineTrace {
    /// By the number of the `across` in the claim and its site.
    sites: BTreeMap<(u32, SiteId), SiteBaseline>,
    /// Switches that were reached at all, and infection flags of mutants that change a value.
    reached: BTreeSet<SwitchId>,
}

/// The cases of one `across`, indexed by case number.
#[derive(Debug, Clone, Default)]
pub(super) struct SiteBaseline {
    outcomes: Vec<(CaseOutcome, CaseAnnotations)>,
    /// For each switch or infection flag, a bit set of the cases that set it.
    reached: BTreeMap<SwitchId, Vec<u64>>,
}

impl BaselineTrace {
    pub(super) fn add_reached(&mut self, switches: &[SwitchId]) {
        self.reached.extend(switches);
    }

    pub(super) fn is_reached(&self, switch: SwitchId) -> bool {
        self.reached.contains(&switch)
    }

    pub(super) fn site(&self, number: u32, site: SiteId) -> Option<&SiteBaseline> {
        self.sites.get(&(number, site))
    }

    pub(super) fn site_mut(&mut self, number: u32, site: SiteId) -> &mut SiteBaseline {
        self.sites.entry((number, site)).or_default()
    }
}

impl SiteBaseline {
    /// Appends the next case.
    pub(super) fn push(
        &mut self,
        end: CaseOutcome,
        annotations: CaseAnnotations,
        switches: &[SwitchId],
    ) {
        // Bit sets by flag and not flags by case: there are many flags, and most are set in few
        // cases.
        let (word, bit) = bit_position(self.outcomes.len());
        for switch in switches {
            let bits = self.reached.entry(*switch).or_default();
            // Bit sets are only as long as their last set bit; a missing word means zeros.
            bits.resize(bits.len().max(word + 1), 0);
            bits[word] |= bit;
        }
        self.outcomes.push((end, annotations));
    }

    /// The outcome of a case that does not set a flag; `None` if it does or was not recorded.
    pub(super) fn outcome_without(
        &self,
        number: u64,
        switch: SwitchId,
    ) -> Option<&(CaseOutcome, CaseAnnotations)> {
        let number = usize::try_from(number).ok()?;
        let (word, bit) = bit_position(number);
        let bits = self.reached.get(&switch).and_then(|it| it.get(word));
        let is_reached = bits.is_some_and(|it| it & bit != 0);
        self.outcomes.get(number).filter(|_| !is_reached)
    }
}

/// The index of the word that holds a bit, and the bit's mask.
fn bit_position(number: usize) -> (usize, u64) {
    (number / 64, 1 << (number % 64))
}
