//! An observation with a constant outcome, whatever the code does.

use gainsay_source::{Diagnostic, Span, codes};

/// An observation with a constant outcome, whatever the code does.
#[derive(Debug, Clone)]
pub(crate) struct ConstantObserve {
    pub(crate) form: ObservationForm,
    pub(crate) reason: ConstantReason,
    /// Its outcome, where the text alone determines it.
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

/// Why the outcome of an observation is constant.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum ConstantReason {
    /// Both sides are the same expression.
    SameSides,
    /// It contains no user code and no input.
    NothingTested,
}

impl From<ConstantObserve> for Diagnostic {
    fn from(it: ConstantObserve) -> Self {
        let what = match it.form {
            ObservationForm::Observe => "observation",
            ObservationForm::Case => "case",
        };
        let (message, phrase) = match it.reason {
            ConstantReason::SameSides => (
                format!("both sides of this {what} are identical"),
                "compares a value with itself",
            ),
            ConstantReason::NothingTested => (
                format!("this {what} does not depend on the code under test"),
                "uses none of your functions, constants or inputs",
            ),
        };
        let note = match it.holds {
            Some(true) => "it holds no matter what the code does",
            Some(false) => "it fails no matter what the code does",
            None => "its outcome is the same no matter what the code does",
        };
        Diagnostic::new(codes::CONSTANT_OBSERVE, it.span, message)
            .with_primary_label(phrase)
            .with_note(note)
            .with_help("compare a result of the code under test with the expected value")
    }
}
