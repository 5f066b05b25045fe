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

mod leverage;
mod listening;
mod pairings;
mod parting;
mod scope;
mod search;

use crate::hunt::Hunt;
use crate::report::{Explanation, Reason, Report, Verdict};

/// How much is found out about survivors.
#[derive(Debug, Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// Nothing.
    None,
    /// For which of them a difference can be found.
    Differences,
    /// Everything.
    Everything,
}

/// Finds out about the survivors of a report.
pub(crate) fn explain(job: &Hunt<'_>, report: &mut Report) {
    let survivors: Vec<usize> = (0..report.mutants.len())
        .filter(|at| {
            matches!(report.mutants[*at].verdict, Verdict::Survived | Verdict::Unreached)
        })
        .collect();
    if job.depth == Depth::None || survivors.is_empty() || report.interrupted {
        return;
    }
    let searched = search::search(job, report, &survivors);
    let reasons = if job.depth == Depth::Everything {
        listening::reasons(job, report, &survivors)
    } else {
        Vec::new()
    };
    if job.is_interrupted() {
        // What was not looked for is not known to be absent.
        report.interrupted = true;
        return;
    }
    for (at, reason) in survivors.iter().zip(reasons) {
        report.mutants[*at].explanation = Some(Explanation { reason, suggestion: None });
    }
    for (at, found) in survivors.iter().zip(searched.found) {
        let it = &mut report.mutants[*at];
        if let Some(n_inputs) = found.no_difference
            && it.verdict == Verdict::Survived
        {
            it.verdict = Verdict::NoDifference { n_inputs };
        }
        if let (Some(explanation), Some(suggestion)) = (&mut it.explanation, found.suggestion) {
            explanation.suggestion = Some(suggestion);
        }
    }
    report.leverage = searched.leverage;
    debug_assert!(report.mutants.iter().all(|it| {
        it.explanation.as_ref().is_none_or(|it| it.reason != Reason::Unreached)
            || it.reached_by.is_empty()
    }));
}
