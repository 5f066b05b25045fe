//! What came of mutants, for people and for programs.

mod descriptions;
mod github;
mod html;
mod human;
mod json;
mod junit;
mod sarif;
mod survivor_diagnostic;

#[cfg(test)]
mod fixture;

use gainsay::mutate::MutationReport;
use gainsay::source::{RenderStyle, SourceFile, SourceMap, Span};

use super::Verbosity;
use crate::config::MutantReportFormat;
use crate::exit::Exit;

/// Everything there is to report.
pub(crate) struct MutationReportData<'a> {
    /// The texts.
    pub(crate) files: &'a SourceMap,
    /// What each of the texts is called, seen from the folder of the project.
    pub(crate) paths: &'a [String],
    /// How many of the texts, from the first, are those of the standard library.
    pub(crate) n_standard: usize,
    /// What came of the mutants.
    pub(crate) report: &'a MutationReport,
    /// Whether survivors are explained.
    pub(crate) explanations: SurvivorExplanations,
    /// How much is said.
    pub(crate) verbosity: Verbosity,
    /// The score that is wanted.
    pub(crate) min_score: Option<f64>,
    /// How the process ends.
    pub(crate) exit: Exit,
}

/// Whether survivors are explained.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum SurvivorExplanations {
    /// Each of them.
    Shown,
    /// None.
    Hidden,
}

impl<'a> MutationReportData<'a> {
    /// The text that a place is in.
    fn source(&self, span: Span) -> &'a SourceFile {
        self.files.get(span.file)
    }

    /// What the text that a place is in is called, seen from the folder of the project.
    fn path(&self, span: Span) -> &'a str {
        &self.paths[span.file.0 as usize]
    }
}

/// The report in one of its forms.
pub(crate) fn render(
    format: MutantReportFormat,
    account: &MutationReportData<'_>,
    style: RenderStyle,
) -> String {
    match format {
        MutantReportFormat::Human => human::render(account, style),
        MutantReportFormat::Json => json::document(account),
        MutantReportFormat::Html => html::document(account),
        MutantReportFormat::Junit => junit::document(account),
        MutantReportFormat::Sarif => sarif::document(account),
        MutantReportFormat::Github => github::lines(account),
    }
}

/// A share, with as many digits as other tools for mutation testing show.
fn rounded(share: f64) -> f64 {
    (share * 100.0).round() / 100.0
}

/// A share, as people write it: rounded down, so that 100 % means all.
pub(crate) fn percent(share: f64) -> String {
    format!("{} %", share.floor())
}
