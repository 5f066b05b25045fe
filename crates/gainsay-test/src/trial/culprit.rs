//! The case in which a claim noticed something, and its inputs.

use gainsay_choice::Case;
use gainsay_vm::Limits;

use super::Trial;
use crate::attack::SitePlan;

/// The case in which a claim noticed something.
#[derive(Debug, Clone)]
pub struct Culprit(What);

#[derive(Debug, Clone)]
enum What {
    /// The case of an `across` with this number.
    Drawn(Box<SitePlan>, u64),
    /// A case of an `across` of which all are tried.
    Enumerated(Box<SitePlan>, Case),
    /// The values of the givens of a block.
    Given(Vec<(String, String)>),
}

impl Culprit {
    pub(super) fn drawn(plan: &SitePlan, number: u64) -> Self {
        Self(What::Drawn(Box::new(plan.clone()), number))
    }

    pub(super) fn enumerated(plan: &SitePlan, case: Case) -> Self {
        Self(What::Enumerated(Box::new(plan.clone()), case))
    }

    pub(crate) fn given(inputs: Vec<(String, String)>) -> Self {
        Self(What::Given(inputs))
    }
}

impl Trial<'_> {
    /// The inputs of a case, as names and source. The mutant with which it noticed something is on.
    pub fn inputs(&mut self, culprit: &Culprit) -> Vec<(String, String)> {
        if let What::Drawn(plan, _) | What::Enumerated(plan, _) = &culprit.0 {
            let steps = self.steps.unwrap_or(plan.limits.steps).min(plan.limits.steps);
            self.attacker.set_limits(Limits { steps, ..plan.limits });
        }
        match &culprit.0 {
            What::Drawn(plan, number) => {
                self.attacker.inputs_of(plan, |host| host.record(plan.case(*number)))
            }
            What::Enumerated(plan, case) => self
                .attacker
                .inputs_of(plan, |host| host.replay(case, gainsay_choice::MAX_SIZE)),
            What::Given(inputs) => inputs.clone(),
        }
    }
}
