//! Reports saved cases whose claim no longer exists, since no run would ever use them.

use std::collections::BTreeSet;

use gainsay::test::{CaseStore, ClaimType, SavedCasePolicy};

use super::{CheckedProject, TestPlan};
use crate::case_files::DiskCaseFiles;
use crate::files;
use crate::report::pluralize;
use crate::reporter::Reporter;

/// The maximum number of cases that are named.
const MAX_NAMED: usize = 5;

/// Reports saved cases without a claim. If only some files were read, only their cases are
/// considered.
pub(super) fn report_orphans(plan: &TestPlan, project: &CheckedProject, reporter: &Reporter) {
    if plan.settings.saved_cases == SavedCasePolicy::Ignore || project.program().is_none() {
        return;
    }
    let disk = DiskCaseFiles::new(&plan.root);
    let all = project.claims();
    let is_there = |ty: ClaimType, module: &str, name: &str| {
        all.iter().any(|it| {
            let (of, called) = it.id.split_once("::").unwrap_or_default();
            let last = of.rsplit_once('.').map_or(of, |(_, last)| last);
            it.ty == ty && called == name && (of == module || last == module)
        })
    };
    // From a subfolder of the project, only the files below it are read.
    let is_everything = plan.paths.is_empty() && plan.root.as_os_str().is_empty();
    // Modules that others only use are read, too, but their claims are not looked at.
    let named = project.entries.iter().map(|it| files::module_name(&plan.root, it));
    let read: BTreeSet<String> = named.collect();
    let mut orphans = Vec::new();
    for file in CaseStore::open(&disk).all() {
        let Ok(case) = &file.case else { continue };
        let claim = &case.claim;
        let is_read = is_everything || read.contains(claim.module.as_str());
        if is_read && !is_there(claim.ty, &claim.module, &claim.name) {
            let path = files::display_path(&plan.root.join(&file.path)).unwrap_or(file.path);
            orphans.push(path);
        }
    }
    if orphans.is_empty() {
        return;
    }
    let n_orphans = pluralize(orphans.len() as u64, "saved case");
    let has = if orphans.len() == 1 { "has" } else { "have" };
    let mut names: Vec<String> =
        orphans.iter().take(MAX_NAMED).map(|it| format!("`{it}`")).collect();
    if orphans.len() > MAX_NAMED {
        names.push(format!("{} more", orphans.len() - MAX_NAMED));
    }
    reporter.note(&format!(
        "note: {n_orphans} {has} no matching claim: {}\nhelp: rename the claim in the file, or \
         remove it with `gainsay cases prune --stale`",
        names.join(", ")
    ));
}
