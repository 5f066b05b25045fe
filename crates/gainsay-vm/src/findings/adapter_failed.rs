//! A system under test that could not be asked.

use gainsay_source::codes::ADAPTER_FAILED;
use gainsay_source::{Diagnostic, Span};

pub(super) struct AdapterFailed {
    pub(super) span: Span,
    pub(super) why: String,
}

impl From<AdapterFailed> for Diagnostic {
    fn from(it: AdapterFailed) -> Self {
        let mut lines = it.why.lines();
        let message = lines.next().unwrap_or("the system could not be asked").to_owned();
        let diagnostic = Diagnostic::new(ADAPTER_FAILED, it.span, message)
            .with_primary_label("in this claim");
        let diagnostic = lines.map(str::to_owned).fold(diagnostic, Diagnostic::with_note);
        diagnostic.with_help("correct the adapter: this says nothing about the system")
    }
}
