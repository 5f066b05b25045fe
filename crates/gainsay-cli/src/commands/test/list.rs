//! `gainsay test --list`: lists claims without running them.

use gainsay::NamedClaim;
use gainsay::source::SourceMap;
use gainsay::test::ClaimType;
use serde::Serialize;

use super::select::{self, ClaimOrder};
use super::{CheckedProject, TestPlan};
use crate::arguments::ListFormat;
use crate::exit::Exit;
use crate::output;
use crate::report::{Verbosity, line};
use crate::reporter::Reporter;

#[derive(Debug, Serialize)]
struct ClaimListRecord<'a> {
    claims: Vec<ListedClaimRecord<'a>>,
}

#[derive(Debug, Serialize)]
struct ListedClaimRecord<'a> {
    id: &'a str,
    kind: &'static str,
    file: &'a str,
    line: u32,
    column: u32,
    ignored: Option<&'a str>,
}

/// Prints the claims that would be run.
pub(super) fn list(plan: &TestPlan, form: ListFormat, reporter: &mut Reporter) -> Exit {
    let project = CheckedProject::read(plan);
    let mut exit = project.report(reporter);
    let wanted = match select::select(plan, &project, &ClaimOrder::default()) {
        Ok(wanted) => wanted,
        Err(error) => {
            exit = exit.combine(reporter.error(&error));
            Vec::new()
        }
    };
    let files = &project.checked.files;
    match (form, reporter.is_human()) {
        (ListFormat::Human, true) => {
            let kinds = if reporter.verbosity() == Verbosity::Verbose {
                KindColumns::Shown
            } else {
                KindColumns::Hidden
            };
            for it in &wanted {
                // Output errors are reported once, when the command ends.
                let _ = output::write_line(&claim_line(files, it, kinds));
            }
        }
        (ListFormat::Json, _) | (ListFormat::Human, false) => {
            let claims = wanted.iter().map(|it| claim_record(files, it)).collect();
            let text = serde_json::to_string_pretty(&line("list", ClaimListRecord { claims }));
            let _ = output::write_line(&text.expect("records have text keys"));
        }
    }
    exit
}

/// Whether kinds and locations are shown.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
enum KindColumns {
    Shown,
    Hidden,
}

fn claim_line(files: &SourceMap, it: &NamedClaim, kinds: KindColumns) -> String {
    let name = it.id.replace('\n', " ");
    if kinds == KindColumns::Hidden {
        return name;
    }
    let file = files.get(it.span.file);
    let at = file.position(it.span.start);
    let place = format!("{}:{}:{}", file.name, at.line, at.column);
    let ignored =
        it.ignored.as_ref().map_or_else(String::new, |it| format!("  (ignored: {it})"));
    format!("{:8}  {name}  {place}{ignored}", kind_name(it.ty))
}

fn claim_record<'a>(files: &'a SourceMap, it: &'a NamedClaim) -> ListedClaimRecord<'a> {
    let file = files.get(it.span.file);
    let at = file.position(it.span.start);
    ListedClaimRecord {
        id: &it.id,
        kind: kind_name(it.ty),
        file: &file.name,
        line: at.line,
        column: at.column,
        ignored: it.ignored.as_deref(),
    }
}

fn kind_name(it: ClaimType) -> &'static str {
    match it {
        ClaimType::Test => "test",
        ClaimType::Property => "property",
        ClaimType::Verify => "verify",
    }
}
