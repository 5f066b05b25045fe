//! A `?` on the left of a `=>` that receives an error.

use gainsay_source::{Diagnostic, Span, codes};

use super::verify_mismatch::with_hostile_note;
use super::{HostileChanges, VerifyCaseScope};

/// A `?` on the left of a `=>` that receives an error.
pub(crate) struct VerifyUnexpectedErr {
    pub(crate) span: Span,
    /// The error value, as source text.
    pub(crate) met: String,
    pub(crate) scope: VerifyCaseScope,
    pub(crate) adversity: HostileChanges,
}

impl From<VerifyUnexpectedErr> for Diagnostic {
    fn from(it: VerifyUnexpectedErr) -> Self {
        let message = format!("`?` returned `{}`, so there is nothing to compare", it.met);
        let new = Diagnostic::new(codes::VERIFY_UNEXPECTED_ERR, it.span, message);
        match it.scope {
            VerifyCaseScope::Declared => {
                new.with_help("remove the `?` to state the expected error")
            }
            VerifyCaseScope::Hostile => with_hostile_note(new, &it.adversity),
        }
    }
}
