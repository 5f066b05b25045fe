//! `gainsay test --list`.

use gainsay::source::Files;
use gainsay::test::ClaimType;
use serde::Serialize;

use super::select::{self, Order, Wanted};
use super::{Plan, Project};
use crate::arguments::ListForm;
use crate::exit::Exit;
use crate::output;
use crate::report::{Detail, Reporter, line};

#[derive(Debug, Serialize)]
struct ListRecord<'a> {
    claims: Vec<ClaimRecord<'a>>,
}

#[derive(Debug, Serialize)]
struct ClaimRecord<'a> {
    id: &'a str,
    kind: &'static str,
    file: &'a str,
    line: u32,
    column: u32,
    ignored: Option<&'a str>,
}

/// Prints the claims that would be run.
pub(super) fn list(plan: &Plan, form: ListForm, reporter: &mut Reporter) -> Exit {
    let project = Project::read(plan);
    let mut exit = project.tell(reporter);
    let wanted = match select::select(plan, &project, &Order::default()) {
        Ok(wanted) => wanted,
        Err(trouble) => {
            exit = exit.and(reporter.trouble(&trouble));
            Vec::new()
        }
    };
    let files = &project.checked.files;
    match (form, reporter.speaks_to_people()) {
        (ListForm::Human, true) => {
            let kinds =
                if reporter.detail() == Detail::Full { Kinds::Shown } else { Kinds::Hidden };
            for it in &wanted {
                // What became of the output is asked when the command ends.
                let _ = output::write_line(&in_a_line(files, it, kinds));
            }
        }
        (ListForm::Json, _) | (ListForm::Human, false) => {
            let claims = wanted.iter().map(|it| record(files, it)).collect();
            let text = serde_json::to_string_pretty(&line("list", ListRecord { claims }));
            let _ = output::write_line(&text.expect("records have text keys"));
        }
    }
    exit
}

/// Whether kinds and places are shown.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
enum Kinds {
    Shown,
    Hidden,
}

fn in_a_line(files: &Files, it: &Wanted, kinds: Kinds) -> String {
    let name = it.id.replace('\n', " ");
    if kinds == Kinds::Hidden {
        return name;
    }
    let file = files.get(it.span.file);
    let at = file.position(it.span.start);
    let place = format!("{}:{}:{}", file.name, at.line, at.column);
    let ignored =
        it.ignored.as_ref().map_or_else(String::new, |it| format!("  (ignored: {it})"));
    format!("{:8}  {name}  {place}{ignored}", kind(it.ty))
}

fn record<'a>(files: &'a Files, it: &'a Wanted) -> ClaimRecord<'a> {
    let file = files.get(it.span.file);
    let at = file.position(it.span.start);
    ClaimRecord {
        id: &it.id,
        kind: kind(it.ty),
        file: &file.name,
        line: at.line,
        column: at.column,
        ignored: it.ignored.as_deref(),
    }
}

fn kind(it: ClaimType) -> &'static str {
    match it {
        ClaimType::Test => "test",
        ClaimType::Property => "property",
        ClaimType::Verify => "verify",
    }
}
