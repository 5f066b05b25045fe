//! A case of a `verify` block that fails before its sides can be compared.

use gainsay_source::{Diagnostic, Span, codes};

use super::verify_mismatch::with_hostile_note;
use super::{HostileChanges, VerifyCaseScope};

/// A case of a `verify` block that fails before its sides can be compared.
pub(crate) struct VerifyRuntimeError {
    /// The span of the part that fails.
    pub(crate) span: Span,
    /// Which part that is.
    pub(crate) part: FailingPart,
    /// The fault.
    pub(crate) fault: Diagnostic,
    pub(crate) scope: VerifyCaseScope,
    pub(crate) adversity: HostileChanges,
}

/// The part of a `verify` block that fails.
pub(crate) enum FailingPart {
    /// The condition of `when`.
    When,
    /// A `let`, by its name.
    Let(String),
    LeftSide,
    RightSide,
    /// A law, anywhere in it.
    Law,
}

impl From<VerifyRuntimeError> for Diagnostic {
    fn from(it: VerifyRuntimeError) -> Self {
        let Self { message, primary, secondary, notes, help, .. } = it.fault;
        let part = match it.part {
            FailingPart::When => "the condition of `when`".to_owned(),
            FailingPart::Let(name) => format!("`{name}`"),
            FailingPart::LeftSide => "the left side".to_owned(),
            FailingPart::RightSide => "the right side".to_owned(),
            FailingPart::Law => "this law".to_owned(),
        };
        let message = format!("{part} fails: {message}");
        let mut diagnostic = Diagnostic::new(codes::VERIFY_RUNTIME_ERROR, it.span, message);
        let inside = if primary.text.is_empty() { "here".to_owned() } else { primary.text };
        if primary.span == it.span {
            diagnostic = diagnostic.with_primary_label(inside);
        } else {
            diagnostic = diagnostic.with_label(primary.span, inside);
        }
        diagnostic
            .secondary
            .extend(secondary.into_iter().filter(|label| label.span != it.span));
        diagnostic.notes.extend(notes);
        diagnostic.help.extend(help);
        match it.scope {
            VerifyCaseScope::Declared => diagnostic,
            VerifyCaseScope::Hostile => with_hostile_note(diagnostic, &it.adversity),
        }
    }
}
