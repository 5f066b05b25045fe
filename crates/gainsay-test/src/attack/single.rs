//! Single cases, for an audience that wants to see all of them.

use std::time::Duration;

use super::cases::SitePlan;
use super::{Attacker, End};
use crate::host::Remark;
use crate::report::Observed;

/// An input is cut off after about as many bytes.
const MAX_TEXT: usize = 10_000;

impl Attacker<'_> {
    /// Tells a case that was just run, if somebody wants to know.
    pub(super) fn tell_case(
        &mut self,
        plan: &SitePlan,
        number: u64,
        end: &End,
        took: Duration,
    ) {
        let Some((audience, claim)) = self.told_to else { return };
        // Only the recording program says what its inputs are.
        self.record.host.record(plan.case(number));
        self.record.run(plan.entry, plan.entered());
        let host = &self.record.host;
        let arguments = self
            .named_inputs()
            .map(|(binder, value)| (binder.name.to_string(), host.text(value, MAX_TEXT)));
        let (status, reason) = match end {
            End::Passed => ("passed", ""),
            End::Failed(_) => ("failed", "a counterexample"),
            End::Assumed(_) => ("gave_up", "an assumption does not hold"),
            End::GaveUp(_) => ("gave_up", "a generator gave up"),
            End::CutOff => ("gave_up", "a generator drew too much"),
            End::Declined(_) => ("gave_up", "a limit was reached"),
            End::Missed => ("gave_up", "the inputs were not reached"),
            End::Interrupted => ("gave_up", "the user stopped the run"),
        };
        let observed = Observed {
            arguments: arguments.collect(),
            status,
            reason: reason.to_owned(),
            phase: "generate",
            features: features(self.search.host.remarks.said()),
            seconds: took.as_secs_f64(),
        };
        audience.ran(claim, observed);
    }
}

fn features(said: &[Remark]) -> Vec<(String, String)> {
    let features = said.iter().map(|remark| match remark {
        Remark::Collect(label) => ("collect".to_owned(), label.clone()),
        Remark::Classify(name, holds) | Remark::Cover(_, name, holds) => {
            (name.clone(), holds.to_string())
        }
        Remark::Target(score) => ("target".to_owned(), score.to_string()),
    });
    features.collect()
}
