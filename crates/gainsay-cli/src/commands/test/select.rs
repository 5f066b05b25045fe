//! Which claims are run, and in which order.

use std::collections::BTreeSet;

use gainsay::core::{Claim, ClaimKind};
use gainsay::source::{SourceMap, Span, closest_name};
use gainsay::test::{ClaimType, Report};

use super::{CheckedProject, TestPlan, last_failed};
use crate::cli_error::CliError;
use crate::config::DeniableLint;
use crate::report::claims::DisplayStatus;

/// A claim that is wanted.
#[derive(Debug, Clone)]
pub(in crate::commands) struct SelectedClaim {
    /// Its place among the claims of the program.
    pub(in crate::commands) claim: usize,
    /// As people write it: `ledger::transfer keeps the sum`.
    pub(in crate::commands) id: String,
    /// What it is.
    pub(in crate::commands) ty: ClaimType,
    /// Where its name stands.
    pub(super) span: Span,
    /// Why it is not run, if it says so.
    pub(in crate::commands) ignored: Option<String>,
}

/// What comes before the order of the sources.
#[derive(Debug, Default)]
pub(super) struct ClaimOrder {
    /// Claims that failed in the run before.
    failed: BTreeSet<String>,
    /// Files that have changed since.
    changed: BTreeSet<String>,
    /// All files that were read for it, also those that others use.
    pub(super) read: BTreeSet<String>,
}

impl ClaimOrder {
    /// Puts what failed first in the next run.
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
                DisplayStatus::Skipped | DisplayStatus::Interrupted => {}
            }
        }
    }

    /// Puts claims of these files next.
    pub(super) fn set_changed_files(&mut self, files: BTreeSet<String>) {
        self.changed = files;
    }

    /// Smaller is earlier; the same stays in the order of the sources.
    fn rank(&self, files: &SourceMap, claim: &SelectedClaim) -> u8 {
        if self.failed.contains(&claim.id) {
            0
        } else if self.changed.contains(&files.get(claim.span.file).name) {
            1
        } else {
            2
        }
    }
}

/// The claims that are wanted, in the order in which they are run.
pub(super) fn select(
    plan: &TestPlan,
    project: &CheckedProject,
    order: &ClaimOrder,
) -> Result<Vec<SelectedClaim>, CliError> {
    let all = all_claims(project);
    if project.checked.program.is_none() || project.entries.is_empty() {
        return Ok(Vec::new());
    }
    if all.is_empty() {
        return Err(CliError::nothing_to_run("there are no claims in these files")
            .with_help("write a `test \"..\" { .. }` or a `@property fn`"));
    }
    let ids: Vec<&str> = all.iter().map(|it| it.id.as_str()).collect();
    for word in &plan.names {
        if !ids.iter().any(|id| id.contains(word.as_str())) {
            return Err(unknown_word(word, &ids));
        }
    }
    let filters: Vec<&String> = plan.names.iter().chain(&plan.filters).collect();
    let fits = |it: &SelectedClaim| {
        filters.is_empty() || filters.iter().any(|word| it.id.contains(*word))
    };
    let mut wanted: Vec<SelectedClaim> = all.iter().filter(|it| fits(it)).cloned().collect();
    if wanted.is_empty() {
        return Err(no_match(&plan.filters, &ids));
    }
    if plan.only_failed {
        let failed = last_failed::load_failed(plan)?;
        wanted.retain(|it| failed.contains(&it.id));
        if wanted.is_empty() {
            return Err(CliError::nothing_to_run("none of these claims failed last time")
                .with_help("run them all: leave out `--failed`"));
        }
    }
    if let Some(partition) = plan.partition {
        let mut at = 0..;
        wanted.retain(|_| at.next().is_some_and(|at| partition.contains(at)));
        if wanted.is_empty() {
            let message = format!("there are too few claims for `{partition}` to have one");
            return Err(CliError::nothing_to_run(message)
                .with_help("divide the claims into fewer shares"));
        }
    }
    wanted.sort_by_key(|it| order.rank(&project.checked.files, it));
    Ok(wanted)
}

/// All claims of the files that were named, in the order of the sources: that in which every
/// command runs and reports them, unless [`ClaimOrder`] puts some first.
pub(in crate::commands) fn all_claims(project: &CheckedProject) -> Vec<SelectedClaim> {
    let Some(program) = &project.checked.program else { return Vec::new() };
    let mut claims = Vec::new();
    for entry in &project.checked.entries {
        let of_entry = program.claims.iter().enumerate().filter(|(_, it)| it.module == *entry);
        let mut of_entry: Vec<SelectedClaim> = of_entry
            .map(|(at, claim)| SelectedClaim {
                claim: at,
                id: format!("{}::{}", project.modules[claim.module.index()], claim.name),
                ty: match claim.kind {
                    ClaimKind::Test(_) => ClaimType::Test,
                    ClaimKind::Property(..) => ClaimType::Property,
                    ClaimKind::Verify(_) => ClaimType::Verify,
                },
                span: claim.span,
                ignored: ignore_reason(claim),
            })
            .collect();
        of_entry.sort_by_key(|it| it.span);
        claims.extend(of_entry);
    }
    claims
}

/// The reason of `@ignore(reason = "..")`.
fn ignore_reason(claim: &Claim) -> Option<String> {
    let attribute = claim.attributes.iter().find(|it| &*it.name == "ignore")?;
    let reason = attribute.args.iter().find(|(name, _)| &**name == "reason");
    Some(reason.map_or_else(String::new, |(_, text)| text.trim_matches('"').to_owned()))
}

/// A word that is no path and in no name.
fn unknown_word(word: &str, ids: &[&str]) -> CliError {
    let message =
        format!("`{word}` is neither a file or folder here, nor a part of the name of a claim");
    CliError::usage(message)
        .with_suggestion(closest_claim_name(word, ids))
        .with_help("see the names with `gainsay test --list`")
}

fn no_match(filters: &[String], ids: &[&str]) -> CliError {
    let words = filters.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(" or ");
    let near = filters.iter().find_map(|it| closest_claim_name(it, ids));
    CliError::nothing_to_run(format!("no claim has {words} in its name"))
        .with_suggestion(near)
        .with_help("see the names with `gainsay test --list`")
}

/// A close name: whole, without its module, or a word of it.
fn closest_claim_name<'a>(word: &str, ids: &[&'a str]) -> Option<&'a str> {
    let names = ids.iter().filter_map(|id| id.split_once("::").map(|(_, name)| name));
    let is_gap = |it: char| !it.is_alphanumeric();
    let words = ids.iter().flat_map(|id| id.split(is_gap)).filter(|it| it.len() > 2);
    closest_name(word, names.chain(ids.iter().copied()).chain(words))
}
