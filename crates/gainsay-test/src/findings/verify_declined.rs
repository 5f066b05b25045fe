//! A case of a verify block that exceeds a limit.

use gainsay_source::{Diagnostic, Span, codes};

/// A case of a verify block that exceeds a limit.
pub(crate) struct VerifyDeclined {
    pub(crate) span: Span,
    /// The number of such cases.
    pub(crate) n_cases: u64,
    /// The first of them, with its values.
    pub(crate) case: String,
    /// The limit it exceeded.
    pub(crate) fault: Diagnostic,
}

impl From<VerifyDeclined> for Diagnostic {
    fn from(it: VerifyDeclined) -> Self {
        let cases = if it.n_cases == 1 { "case is" } else { "cases are" };
        let Self { message, primary, notes, help, .. } = it.fault;
        let message = format!("{} {cases} inconclusive: {message}", it.n_cases);
        let mut diagnostic = Diagnostic::new(codes::VERIFY_DECLINED, it.span, message)
            .with_note(format!("the first is `{}`", it.case));
        if primary.span == it.span {
            diagnostic = diagnostic.with_primary_label(primary.text);
        } else {
            diagnostic = diagnostic.with_label(primary.span, primary.text);
        }
        diagnostic.notes.extend(notes);
        diagnostic.help.extend(help);
        diagnostic
    }
}
