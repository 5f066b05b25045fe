//! The case in which a claim noticed something, and its inputs.

use gainsay_choice::Case;
use gainsay_test::claims::SitePlan;
use gainsay_vm::Limits;

use super::MutantRunner;

/// The case in which a claim noticed something.
#[derive(Debug, Clone)]
pub struct DetectingCase(DetectingCaseSource);

#[derive(Debug, Clone)]
enum DetectingCaseSource {
    /// The case of an `across` with this number.
    Drawn(Box<SitePlan>, u64),
    /// A case of an `across` of which all are tried.
    Enumerated(Box<SitePlan>, Case),
    /// The values of the givens of a block.
    Inputs(Vec<(String, String)>),
}

impl DetectingCase {
    pub(super) fn drawn(plan: &SitePlan, number: u64) -> Self {
        Self(DetectingCaseSource::Drawn(Box::new(plan.clone()), number))
    }

    pub(super) fn enumerated(plan: &SitePlan, case: Case) -> Self {
        Self(DetectingCaseSource::Enumerated(Box::new(plan.clone()), case))
    }

    pub(super) fn from_inputs(inputs: Vec<(String, String)>) -> Self {
        Self(DetectingCaseSource::Inputs(inputs))
    }
}

impl MutantRunner<'_> {
    /// The inputs of a case, as names and source. The mutant with which it noticed something is on.
    pub fn detecting_inputs(&mut self, culprit: &DetectingCase) -> Vec<(String, String)> {
        if let DetectingCaseSource::Drawn(plan, _) | DetectingCaseSource::Enumerated(plan, _) =
            &culprit.0
        {
            let steps = self.step_limit.unwrap_or(plan.limits.steps).min(plan.limits.steps);
            self.claim_runner.set_limits(Limits { steps, ..plan.limits });
        }
        match &culprit.0 {
            DetectingCaseSource::Drawn(plan, number) => {
                self.claim_runner.inputs_of(plan, |host| host.record(plan.case_start(*number)))
            }
            DetectingCaseSource::Enumerated(plan, case) => self
                .claim_runner
                .inputs_of(plan, |host| host.replay(case, gainsay_choice::MAX_SIZE)),
            DetectingCaseSource::Inputs(inputs) => inputs.clone(),
        }
    }
}
