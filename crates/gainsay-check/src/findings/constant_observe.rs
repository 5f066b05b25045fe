//! An observation that comes out the same whatever the code does.

use gainsay_source::{Diagnostic, Span, codes};

/// An observation that comes out the same whatever the code does.
#[derive(Debug, Clone)]
pub(crate) struct ConstantObserve {
    pub(crate) form: ObservationForm,
    pub(crate) reason: ConstantReason,
    /// How it comes out, where the text alone tells.
    pub(crate) holds: Option<bool>,
    pub(crate) span: Span,
}

/// How an observation is written.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum ObservationForm {
    /// `observe e`.
    Observe,
    /// `left => right`.
    Case,
}

/// Why an observation always comes out the same.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum ConstantReason {
    /// Both sides are the same expression.
    SameSides,
    /// No code of the user and no input is in it.
    NothingTested,
}

impl From<ConstantObserve> for Diagnostic {
    fn from(it: ConstantObserve) -> Self {
        let what = match it.form {
            ObservationForm::Observe => "observation",
            ObservationForm::Case => "line",
        };
        let (message, phrase) = match it.reason {
            ConstantReason::SameSides => {
                (format!("both sides of this {what} are the same"), "one is the other")
            }
            ConstantReason::NothingTested => (
                format!("nothing that is tested is in this {what}"),
                "no function or constant of yours, and no input",
            ),
        };
        let note = match it.holds {
            Some(true) => "it holds whatever the code does",
            Some(false) => "it fails whatever the code does",
            None => "it comes out the same whatever the code does",
        };
        Diagnostic::new(codes::CONSTANT_OBSERVE, it.span, message)
            .with_primary_label(phrase)
            .with_note(note)
            .with_help("compare what the code gives with what it should give")
    }
}
