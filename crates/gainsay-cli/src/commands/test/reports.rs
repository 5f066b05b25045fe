//! Writes reports: the rest of the one on the output, and those in files.

use std::fs;
use std::io;
use std::path::Path;

use gainsay::source::Style;

use super::Plan;
use super::plan::Annotations;
use super::stage::Stage;
use crate::config::Format;
use crate::exit::Exit;
use crate::output;
use crate::report::Reporter;
use crate::report::claims::{self, Account};
use crate::trouble::{Trouble, reason};

/// Writes everything; what cannot be written is told. The stage has told the lines already, if
/// there was a run.
pub(super) fn write(
    plan: &Plan,
    account: &Account<'_>,
    stage: Option<&Stage<'_>>,
    reporter: &mut Reporter,
) -> Exit {
    // What became of the output is asked when the command ends.
    let _ = output::write(on_output(plan, account, stage).as_bytes());
    let mut exit = account.exit;
    for (format, file) in &plan.in_files {
        let text = claims::render(*format, account, Style::Plain);
        exit = exit.and(put(file, &text, reporter));
    }
    if let (Some((folder, _)), Some((observer, cases))) =
        (&plan.observe, stage.and_then(Stage::observed))
    {
        let infos = account.report.claims.iter().map(|it| observer.info(account, it));
        let infos: String = infos.collect();
        exit = exit.and(put(&folder.join("gainsay_testcases.jsonl"), &cases, reporter));
        exit = exit.and(put(&folder.join("gainsay_info.jsonl"), &infos, reporter));
    }
    exit
}

fn on_output(plan: &Plan, account: &Account<'_>, stage: Option<&Stage<'_>>) -> String {
    let mut text = match (plan.on_output, stage) {
        (None, _) => String::new(),
        // Without a run, what there is to say to people was said on the error stream.
        (Some(Format::Human), None) => String::new(),
        (Some(Format::Human), Some(stage)) => stage
            .layout()
            .map_or_else(String::new, |layout| claims::human_closing(account, layout)),
        (Some(Format::Ndjson), _) => claims::ndjson_summary(account),
        (Some(format @ (Format::Json | Format::Junit | Format::Sarif | Format::Github)), _) => {
            claims::render(format, account, Style::Plain)
        }
    };
    if plan.annotations == Annotations::Written {
        text += &claims::render(Format::Github, account, Style::Plain);
    }
    text
}

/// Writes a file, and the folders it is in.
pub(in crate::commands) fn put(path: &Path, text: &str, reporter: &mut Reporter) -> Exit {
    match try_put(path, text) {
        Ok(()) => Exit::Held,
        Err(error) => reporter.trouble(
            &Trouble::usage(format!("cannot write `{}`: {}", path.display(), reason(&error)))
                .with_help("look at who may write there"),
        ),
    }
}

fn try_put(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent().filter(|it| !it.as_os_str().is_empty()) {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, text)
}
