//! Explains survivors: for each the strongest true statement, and the test that would kill it.
//!
//! ```text
//! unreached ──► no claim evaluates it
//! else: the claims are run with and without it, with value tracing
//!   an observation sees a different value      ──► weakly observed
//!   the declaration returns a different value  ──► unobserved
//!   neither                                    ──► the same on all inputs of the claims
//! and both versions of the declaration are called with the same generated inputs
//!   they differ ──► the test that states the difference
//!   they do not ──► no difference found in so many inputs
//! ```

mod branch_distance;
mod candidate_calls;
mod leverage;
mod name_visibility;
mod search;
mod value_tracing;

use crate::mutation_run::MutationRun;
use crate::report::{MutantStatus, MutationReport, SurvivalReason, SurvivorExplanation};

/// How thoroughly survivors are analysed.
#[derive(Debug, Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum AnalysisDepth {
    /// Not at all.
    None,
    /// Only whether a difference can be found.
    Differences,
    /// Differences, reasons and suggested tests.
    Everything,
}

/// Adds explanations to the survivors of a report.
pub(crate) fn explain_survivors(job: &MutationRun<'_>, report: &mut MutationReport) {
    let survivors: Vec<usize> = (0..report.mutants.len())
        .filter(|at| {
            matches!(
                report.mutants[*at].status,
                MutantStatus::Survived | MutantStatus::Unreached
            )
        })
        .collect();
    if job.depth == AnalysisDepth::None || survivors.is_empty() || report.interrupted {
        return;
    }
    let searched = search::search(job, report, &survivors);
    let reasons = if job.depth == AnalysisDepth::Everything {
        value_tracing::survival_reasons(job, report, &survivors)
    } else {
        Vec::new()
    };
    if job.is_interrupted() {
        // An incomplete search proves nothing, so report none of its results.
        report.interrupted = true;
        return;
    }
    for (at, reason) in survivors.iter().zip(reasons) {
        report.mutants[*at].explanation =
            Some(SurvivorExplanation { reason, suggestion: None });
    }
    for (at, found) in survivors.iter().zip(searched.found) {
        let it = &mut report.mutants[*at];
        if let Some(n_inputs) = found.no_difference
            // An unreached mutant stays unreached, which is the stronger statement.
            && it.status == MutantStatus::Survived
        {
            it.status = MutantStatus::NoDifference { n_inputs };
        }
        if let (Some(explanation), Some(suggestion)) = (&mut it.explanation, found.suggestion) {
            explanation.suggestion = Some(suggestion);
        }
    }
    report.leverage = searched.leverage;
    debug_assert!(report.mutants.iter().all(|it| {
        it.explanation.as_ref().is_none_or(|it| it.reason != SurvivalReason::Unreached)
            || it.reached_by.is_empty()
    }));
}
