//! Selects the claims to run, and orders them.

use std::collections::BTreeSet;

use gainsay::NamedClaim;
use gainsay::source::{SourceMap, closest_name};
use gainsay::test::Report;

use super::{CheckedProject, TestPlan, last_failed};
use crate::cli_error::CliError;
use crate::report::DeniableLint;
use crate::report::claims::DisplayStatus;

/// Priorities that override source order.
#[derive(Debug, Default)]
pub(super) struct ClaimOrder {
    /// Claims that failed in the previous run.
    failed: BTreeSet<String>,
    /// Files that have changed since then.
    changed: BTreeSet<String>,
    /// All files that were read for it, including those that others use.
    pub(super) read: BTreeSet<String>,
}

impl ClaimOrder {
    /// Prioritizes failed claims in the next run.
    pub(super) fn record_failures(&mut self, report: &Report, deny: &[DeniableLint]) {
        for claim in &report.claims {
            match DisplayStatus::of(claim, deny) {
                DisplayStatus::Failed
                | DisplayStatus::Vacuous
                | DisplayStatus::Limit
                | DisplayStatus::Declined
                | DisplayStatus::Flaky => {
                    self.failed.insert(claim.id());
                }
                DisplayStatus::Passed | DisplayStatus::Ignored => {
                    self.failed.remove(&claim.id());
                }
                DisplayStatus::Skipped
                | DisplayStatus::Unbound
                | DisplayStatus::Interrupted => {}
            }
        }
    }

    /// Prioritizes the claims of these files next.
    pub(super) fn set_changed_files(&mut self, files: BTreeSet<String>) {
        self.changed = files;
    }

    /// The rank of a claim: lower runs earlier; equal ranks keep source order.
    fn rank(&self, files: &SourceMap, claim: &NamedClaim) -> u8 {
        if self.failed.contains(&claim.id) {
            0
        } else if self.changed.contains(&files.get(claim.span.file).name) {
            1
        } else {
            2
        }
    }
}

/// The selected claims, in the order in which they run.
pub(super) fn select(
    plan: &TestPlan,
    project: &CheckedProject,
    order: &ClaimOrder,
) -> Result<Vec<NamedClaim>, CliError> {
    let all = project.claims();
    if project.checked.program.is_none() || project.entries.is_empty() {
        return Ok(Vec::new());
    }
    if all.is_empty() {
        return Err(CliError::nothing_to_run("no claims in these files")
            .with_help("add a `test \"..\" { .. }` or a `@property fn`"));
    }
    let ids: Vec<&str> = all.iter().map(|it| it.id.as_str()).collect();
    for word in &plan.names {
        if !ids.iter().any(|id| id.contains(word.as_str())) {
            return Err(unknown_word(word, &ids));
        }
    }
    let filters: Vec<&String> = plan.names.iter().chain(&plan.filters).collect();
    let fits = |it: &NamedClaim| {
        filters.is_empty() || filters.iter().any(|word| it.id.contains(*word))
    };
    let mut wanted: Vec<NamedClaim> = all.iter().filter(|it| fits(it)).cloned().collect();
    if wanted.is_empty() {
        return Err(no_match(&plan.filters, &ids));
    }
    if plan.only_failed {
        let failed = last_failed::load_failed(plan)?;
        wanted.retain(|it| failed.contains(&it.id));
        if wanted.is_empty() {
            return Err(CliError::nothing_to_run(
                "none of these claims failed in the last run",
            )
            .with_help("omit `--failed` to run all claims"));
        }
    }
    if let Some(partition) = plan.partition {
        let mut at = 0..;
        wanted.retain(|_| at.next().is_some_and(|at| partition.contains(at)));
        if wanted.is_empty() {
            let message = format!("too few claims: `{partition}` is empty");
            return Err(CliError::nothing_to_run(message)
                .with_help("divide the claims into fewer slices"));
        }
    }
    wanted.sort_by_key(|it| order.rank(&project.checked.files, it));
    Ok(wanted)
}

/// The error for a word that is neither a path nor part of a name.
fn unknown_word(word: &str, ids: &[&str]) -> CliError {
    let message = format!("`{word}` is neither a file or folder nor part of a claim name");
    CliError::usage(message)
        .with_suggestion(closest_claim_name(word, ids))
        .with_help("list claims with `gainsay test --list`")
}

fn no_match(filters: &[String], ids: &[&str]) -> CliError {
    let words = filters.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(" or ");
    let near = filters.iter().find_map(|it| closest_claim_name(it, ids));
    CliError::nothing_to_run(format!("no claim name contains {words}"))
        .with_suggestion(near)
        .with_help("list claims with `gainsay test --list`")
}

/// A similar name: the whole name, the name without its module, or a word of it.
fn closest_claim_name<'a>(word: &str, ids: &[&'a str]) -> Option<&'a str> {
    let names = ids.iter().filter_map(|id| id.split_once("::").map(|(_, name)| name));
    let is_gap = |it: char| !it.is_alphanumeric();
    let words = ids.iter().flat_map(|id| id.split(is_gap)).filter(|it| it.len() > 2);
    closest_name(word, names.chain(ids.iter().copied()).chain(words))
}
