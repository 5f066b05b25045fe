//! A form that this version checks but does not run.

use gainsay_source::codes::CANNOT_RUN_YET;
use gainsay_source::{Diagnostic, Span};

pub(super) struct CannotRunYet {
    pub(super) span: Span,
    pub(super) what: &'static str,
}

impl From<CannotRunYet> for Diagnostic {
    fn from(it: CannotRunYet) -> Self {
        Diagnostic::new(CANNOT_RUN_YET, it.span, format!("{} cannot be run yet", it.what))
            .with_primary_label("this version of Gainsay only checks it")
            .with_help("remove it from the code that is run")
    }
}
