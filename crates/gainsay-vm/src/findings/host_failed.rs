//! An effect that the host could not perform.

use gainsay_source::codes::HOST_FAILED;
use gainsay_source::{Diagnostic, Span};

use super::one_line;

pub(super) struct HostFailed {
    pub(super) span: Span,
    pub(super) why: String,
}

impl From<HostFailed> for Diagnostic {
    fn from(it: HostFailed) -> Self {
        Diagnostic::new(HOST_FAILED, it.span, format!("effect failed: {}", one_line(&it.why)))
            .with_primary_label("performed here")
            .with_help("fix the cause, then run again")
    }
}
