//! What came of mutants, for people and for programs.

mod finding;
mod github;
mod html;
mod human;
mod json;
mod junit;
mod sarif;
mod words;

#[cfg(test)]
mod sample;

use gainsay::mutate::Report;
use gainsay::source::{Files, SourceFile, Span, Style};

use super::Detail;
use crate::config::MutantFormat;
use crate::exit::Exit;

/// Everything there is to report.
pub(crate) struct Account<'a> {
    /// The texts.
    pub(crate) files: &'a Files,
    /// What each of the texts is called, seen from the folder of the project.
    pub(crate) paths: &'a [String],
    /// How many of the texts, from the first, are those of the standard library.
    pub(crate) n_standard: usize,
    /// What came of the mutants.
    pub(crate) report: &'a Report,
    /// Whether survivors are explained.
    pub(crate) why: Explained,
    /// How much is said.
    pub(crate) detail: Detail,
    /// The score that is wanted.
    pub(crate) min_score: Option<f64>,
    /// How the process ends.
    pub(crate) exit: Exit,
}

/// Whether survivors are explained.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum Explained {
    /// Each of them.
    Each,
    /// None.
    None,
}

impl<'a> Account<'a> {
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
pub(crate) fn render(format: MutantFormat, account: &Account<'_>, style: Style) -> String {
    match format {
        MutantFormat::Human => human::whole(account, style),
        MutantFormat::Json => json::document(account),
        MutantFormat::Html => html::document(account),
        MutantFormat::Junit => junit::document(account),
        MutantFormat::Sarif => sarif::document(account),
        MutantFormat::Github => github::lines(account),
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
