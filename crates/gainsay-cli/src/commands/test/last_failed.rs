//! The claims that failed in the last run: `.gainsay/failed.json`, which is not committed.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::PathBuf;

use gainsay::test::{Report, SavedCasePolicy};
use serde::{Deserialize, Serialize};

use super::TestPlan;
use crate::cli_error::{CliError, io_error_reason};
use crate::report::claims::DisplayStatus;
use crate::reporter::Reporter;

#[derive(Debug, Serialize, Deserialize)]
struct FailedClaimsRecord {
    schema: u32,
    failed: BTreeSet<String>,
}

fn path(plan: &TestPlan) -> PathBuf {
    plan.root.join(".gainsay").join("failed.json")
}

/// The failed claims; none before the first run.
pub(super) fn load_failed(plan: &TestPlan) -> Result<BTreeSet<String>, CliError> {
    let path = path(plan);
    let broken = |why: &str| {
        CliError::usage(format!("cannot read `{}`: {why}", path.display()))
            .with_help("remove the file; the next run writes a new one")
    };
    match fs::read_to_string(&path) {
        Ok(text) => match serde_json::from_str::<FailedClaimsRecord>(&text) {
            Ok(record) => Ok(record.failed),
            Err(_) => Err(broken("not a file that `gainsay test` wrote")),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(BTreeSet::new()),
        Err(error) => Err(broken(&io_error_reason(&error))),
    }
}

/// Saves the claims that failed now, and those that failed before and were not run. A folder that
/// is not writable is reported, but does not fail the run.
pub(super) fn save_failed(plan: &TestPlan, report: &Report, reporter: &Reporter) {
    if plan.settings.saved_cases != SavedCasePolicy::Use {
        return;
    }
    let before = load_failed(plan).unwrap_or_default();
    let mut failed = before.clone();
    for claim in &report.claims {
        match DisplayStatus::of(claim, &plan.deny) {
            DisplayStatus::Failed
            | DisplayStatus::Vacuous
            | DisplayStatus::Limit
            | DisplayStatus::Declined
            | DisplayStatus::Flaky => {
                failed.insert(claim.id());
            }
            DisplayStatus::Passed | DisplayStatus::Ignored => {
                failed.remove(&claim.id());
            }
            // Nothing was found out about these, so what was known before stays.
            DisplayStatus::Skipped | DisplayStatus::Unbound | DisplayStatus::Interrupted => {}
        }
    }
    // A run that changes nothing leaves no file in a project that never failed.
    if failed == before {
        return;
    }
    if let Err(error) = write(plan, failed) {
        let path = path(plan);
        let why = io_error_reason(&error);
        reporter.note(&format!("note: cannot write `{}`: {why}", path.display()));
    }
}

/// Writes atomically, so that another run never sees a partial file.
fn write(plan: &TestPlan, failed: BTreeSet<String>) -> io::Result<()> {
    let path = path(plan);
    let folder = path.parent().expect("it is in a folder");
    fs::create_dir_all(folder)?;
    let text = serde_json::to_string_pretty(&FailedClaimsRecord { schema: 1, failed })
        .map_err(io::Error::other)?;
    let scratch = folder.join(format!("failed.{}.tmp", std::process::id()));
    let written = fs::write(&scratch, text + "\n").and_then(|()| fs::rename(&scratch, &path));
    if written.is_err() {
        // A partial file is useless, and takes space on a full disk.
        let _ = fs::remove_file(&scratch);
    }
    written
}
