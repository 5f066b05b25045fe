//! What became of the walks of tests against specifications.

use gainsay_core::TraceTest;
use gainsay_source::Span;
use gainsay_synth::{GoalKind, TracePlan};

use super::ClaimRunner;
use crate::host::{AS_EXPECTED, DEVIATED};
use crate::report::{ClaimStatus, WalkCounts};
use crate::tally::CaseTally;

impl ClaimRunner<'_> {
    /// The number of the test against a specification at a place.
    pub(super) fn trace_test(&self, span: Span) -> Option<usize> {
        let program = self.engines.program();
        let is_it = |it: &TraceTest| program.function(it.function).span == span;
        program.trace_tests.iter().position(is_it)
    }

    pub(super) fn walk_counts(&self, test: usize, total: &CaseTally) -> WalkCounts {
        let plan = self.engines.lowered.trace_tests[test].get().and_then(Option::as_ref);
        let goal = plan.and_then(TracePlan::goal);
        WalkCounts {
            expects_answers: goal.is_none_or(|it| it.kind == GoalKind::Scenario),
            as_expected: total.count_of(AS_EXPECTED),
            deviated: total.count_of(DEVIATED),
            untested: total.untested().collect(),
        }
    }
}

/// A test that expects answers is vacuous if no run came to them.
pub(super) fn walk_status(walks: &WalkCounts) -> ClaimStatus {
    let has_tested = match walks.expects_answers {
        true => walks.as_expected > 0,
        false => walks.as_expected + walks.deviated > 0,
    };
    if has_tested { ClaimStatus::Pass } else { ClaimStatus::Vacuous }
}
