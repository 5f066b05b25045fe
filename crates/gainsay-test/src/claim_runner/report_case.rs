//! Reports progress to a run listener, and single cases to one that wants to see all of them.

use std::time::Duration;

use super::random_cases::SitePlan;
use super::{CaseOutcome, ClaimRunner};
use crate::host::CaseAnnotation;
use crate::report::ObservedCase;

/// Approximate length in bytes at which an input is cut off.
const MAX_TEXT: usize = 10_000;

/// Cases between two reports of progress: few enough that a line on the screen moves, and enough
/// that reporting costs nothing.
const CASES_PER_PROGRESS: u64 = 64;

impl ClaimRunner<'_> {
    /// Reports the number of cases that have run, now and then.
    #[inline]
    pub(super) fn report_progress(&self, n_cases: u64) {
        if n_cases.is_multiple_of(CASES_PER_PROGRESS)
            && n_cases > 0
            && let Some((listener, claim)) = self.listener
        {
            listener.cases_ran(claim, n_cases);
        }
    }

    /// Reports a case that just ran to the listener, if there is one.
    pub(super) fn report_case(
        &mut self,
        plan: &SitePlan,
        number: u64,
        end: &CaseOutcome,
        took: Duration,
    ) {
        let Some((listener, claim)) = self.case_listener else { return };
        // Only the recording program reports its inputs.
        self.record.host.record(plan.case_start(number));
        self.record.run(plan.entry, plan.entered());
        let host = &self.record.host;
        let arguments = self
            .named_inputs()
            .map(|(binder, value)| (binder.name.to_string(), host.text(value, MAX_TEXT)));
        let (status, reason) = match end {
            CaseOutcome::Passed => ("passed", ""),
            CaseOutcome::Failed(_) => ("failed", "counterexample"),
            CaseOutcome::AssumptionFailed(_) => ("gave_up", "assumption does not hold"),
            CaseOutcome::GeneratorGaveUp(_) => ("gave_up", "generator gave up"),
            CaseOutcome::NoSolution(_) => ("gave_up", "no value found for a predicate"),
            CaseOutcome::TooManyChoices => ("gave_up", "generator drew too many choices"),
            CaseOutcome::Declined(_) => ("gave_up", "limit reached"),
            CaseOutcome::SiteNotReached => ("gave_up", "inputs not reached"),
            CaseOutcome::Interrupted => ("gave_up", "interrupted"),
        };
        let observed = ObservedCase {
            arguments: arguments.collect(),
            status,
            reason: reason.to_owned(),
            phase: "generate",
            features: features(self.search.host.annotations.list()),
            seconds: took.as_secs_f64(),
        };
        listener.case_finished(claim, observed);
    }
}

fn features(annotations: &[CaseAnnotation]) -> Vec<(String, String)> {
    let features = annotations.iter().map(|remark| match remark {
        CaseAnnotation::Collect(label) => ("collect".to_owned(), label.clone()),
        CaseAnnotation::Classify(name, holds) | CaseAnnotation::Cover(_, name, holds) => {
            (name.clone(), holds.to_string())
        }
        CaseAnnotation::Target(score) => ("target".to_owned(), score.to_string()),
    });
    features.collect()
}
