//! Writes the reports: the rest of the one on stdout, and the report files.

use std::fs;
use std::io;
use std::path::Path;

use gainsay::source::RenderStyle;

use super::TestPlan;
use super::console_progress::ConsoleProgress;
use super::plan::GithubAnnotations;
use crate::cli_error::{CliError, io_error_reason};
use crate::exit::Exit;
use crate::output;
use crate::report::ReportFormat;
use crate::report::claims::{self, TestReportData};
use crate::reporter::Reporter;

/// Writes everything, and reports what cannot be written. The progress output has already printed
/// the claim lines, if there was a run.
pub(super) fn write(
    plan: &TestPlan,
    data: &TestReportData<'_>,
    stage: Option<&ConsoleProgress<'_>>,
    reporter: &mut Reporter,
) -> Exit {
    // Output errors are reported once, when the command ends.
    let _ = output::write(render_for_output(plan, data, stage).as_bytes());
    let mut exit = data.exit;
    for (format, file) in &plan.in_files {
        let text = claims::render(*format, data, RenderStyle::Plain);
        exit = exit.combine(write_file(file, &text, reporter));
    }
    if let (Some((folder, _)), Some((observer, cases))) =
        (&plan.observe, stage.and_then(ConsoleProgress::take_observed))
    {
        let infos = data.report.claims.iter().map(|it| observer.claim_line(data, it));
        let infos: String = infos.collect();
        exit =
            exit.combine(write_file(&folder.join("gainsay_testcases.jsonl"), &cases, reporter));
        exit = exit.combine(write_file(&folder.join("gainsay_info.jsonl"), &infos, reporter));
    }
    exit
}

fn render_for_output(
    plan: &TestPlan,
    data: &TestReportData<'_>,
    stage: Option<&ConsoleProgress<'_>>,
) -> String {
    let mut text = match (plan.on_output, stage) {
        (None, _) => String::new(),
        // Without a run, stderr already has everything for people.
        (Some(ReportFormat::Human), None) => String::new(),
        (Some(ReportFormat::Human), Some(stage)) => stage
            .layout()
            .map_or_else(String::new, |layout| claims::human_closing(data, layout)),
        (Some(ReportFormat::Ndjson), _) => claims::ndjson_summary(data),
        (
            Some(
                format @ (ReportFormat::Json
                | ReportFormat::Junit
                | ReportFormat::Sarif
                | ReportFormat::Github),
            ),
            _,
        ) => claims::render(format, data, RenderStyle::Plain),
    };
    if plan.annotations == GithubAnnotations::Written {
        text += &claims::render(ReportFormat::Github, data, RenderStyle::Plain);
    }
    text
}

/// Writes a file, creating its folders.
pub(in crate::commands) fn write_file(
    path: &Path,
    text: &str,
    reporter: &mut Reporter,
) -> Exit {
    match try_write_file(path, text) {
        Ok(()) => Exit::Success,
        Err(error) => reporter.error(
            &CliError::usage(format!(
                "cannot write `{}`: {}",
                path.display(),
                io_error_reason(&error)
            ))
            .with_help("check the permissions of the folder"),
        ),
    }
}

fn try_write_file(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent().filter(|it| !it.as_os_str().is_empty()) {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, text)
}
