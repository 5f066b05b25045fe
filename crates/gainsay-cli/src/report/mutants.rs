//! What came of mutants, for people and for programs.

mod human;
mod words;

use gainsay::mutate::Report;
use gainsay::source::{Files, Style};

use super::Detail;
use crate::config::MutantFormat;
use crate::exit::Exit;

/// Everything there is to report.
pub(crate) struct Account<'a> {
    /// The texts.
    pub(crate) files: &'a Files,
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

/// The report in one of its forms.
pub(crate) fn render(format: MutantFormat, account: &Account<'_>, style: Style) -> String {
    match format {
        MutantFormat::Human => human::whole(account, style),
        MutantFormat::Json
        | MutantFormat::Html
        | MutantFormat::Junit
        | MutantFormat::Sarif
        | MutantFormat::Github => String::new(),
    }
}

/// A share, as people write it: rounded down, so that 100 % means all.
pub(crate) fn percent(share: f64) -> String {
    format!("{} %", share.floor())
}
