//! Mutation reports, for people and in machine-readable formats.

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
use crate::exit::Exit;
use crate::report::MutantReportFormat;

/// The input of a mutation report.
pub(crate) struct MutationReportData<'a> {
    /// The source texts.
    pub(crate) files: &'a SourceMap,
    /// The path of each text, relative to the project folder.
    pub(crate) paths: &'a [String],
    /// The number of texts, from the first, that belong to the standard library.
    pub(crate) n_standard: usize,
    /// The results of the mutants.
    pub(crate) report: &'a MutationReport,
    /// Whether survivors are explained.
    pub(crate) explanations: SurvivorExplanations,
    /// How much is printed.
    pub(crate) verbosity: Verbosity,
    /// The required score.
    pub(crate) min_score: Option<f64>,
    /// The exit status.
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
    /// The text that contains a span.
    fn source(&self, span: Span) -> &'a SourceFile {
        self.files.get(span.file)
    }

    /// The path of the text that contains a span, relative to the project folder.
    fn path(&self, span: Span) -> &'a str {
        &self.paths[span.file.0 as usize]
    }
}

/// Renders the report in a format.
pub(crate) fn render(
    format: MutantReportFormat,
    data: &MutationReportData<'_>,
    style: RenderStyle,
) -> String {
    match format {
        MutantReportFormat::Human => human::render(data, style),
        MutantReportFormat::Json => json::document(data),
        MutantReportFormat::Html => html::document(data),
        MutantReportFormat::Junit => junit::document(data),
        MutantReportFormat::Sarif => sarif::document(data),
        MutantReportFormat::Github => github::lines(data),
    }
}

/// A share, rounded to the digits that other mutation testing tools show.
fn rounded(share: f64) -> f64 {
    (share * 100.0).round() / 100.0
}

/// A share in percent, rounded down, so that 100 % means all.
pub(crate) fn percent(share: f64) -> String {
    format!("{} %", share.floor())
}
