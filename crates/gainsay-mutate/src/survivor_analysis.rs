//! Why nothing noticed a mutant: for each survivor the strongest true statement, and the line that
//! would kill it.
//!
//! ```text
//! unreached ──► no claim evaluates it
//! else: the claims are run with and without it, while somebody listens
//!   an observation hears another value  ──► loosely observed
//!   the declaration gives another value ──► unobserved
//!   neither                             ──► the same on all inputs tried
//! and both versions of the declaration are called with inputs drawn from its types
//!   they differ ──► the line that says so
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

/// How much is found out about survivors.
#[derive(Debug, Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum AnalysisDepth {
    /// Nothing.
    None,
    /// For which of them a difference can be found.
    Differences,
    /// Everything.
    Everything,
}

/// Finds out about the survivors of a report.
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
        // What was not looked for is not known to be absent.
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
