//! The case in which a claim detects a mutant, stored compactly so that its inputs can be
//! reproduced later, only for the mutants that are reported.

use gainsay_choice::Case;
use gainsay_test::claims::SitePlan;
use gainsay_vm::Limits;

use super::MutantRunner;

/// The case in which a claim detected a mutant.
#[derive(Debug, Clone)]
pub struct DetectingCase(DetectingCaseSource);

#[derive(Debug, Clone)]
enum DetectingCaseSource {
    /// The random case with this number of an `across`.
    Drawn(Box<SitePlan>, u64),
    /// A case of an `across` whose cases are enumerated exhaustively.
    Enumerated(Box<SitePlan>, Case),
    /// The values of the givens of a `verify` block.
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
    /// The inputs of a case, as names and source text. The mutant it detected must be active.
    pub fn detecting_inputs(&mut self, culprit: &DetectingCase) -> Vec<(String, String)> {
        if let DetectingCaseSource::Drawn(plan, _) | DetectingCaseSource::Enumerated(plan, _) =
            &culprit.0
        {
            let steps = self.step_limit.unwrap_or(plan.limits.steps).min(plan.limits.steps);
            // The limits under which it detected the mutant, or a slow case might end differently.
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
