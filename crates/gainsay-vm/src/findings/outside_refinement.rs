//! A value outside its refinement type.

use gainsay_source::codes::OUTSIDE_REFINEMENT;
use gainsay_source::{Diagnostic, Span};

pub(super) struct OutsideRefinement {
    pub(super) span: Span,
    pub(super) ty: String,
    /// What the value was to be.
    pub(super) what: String,
    pub(super) declared_at: Option<Span>,
}

impl From<OutsideRefinement> for Diagnostic {
    fn from(it: OutsideRefinement) -> Self {
        let message = format!("{} is outside its type `{}`", it.what, it.ty);
        let diagnostic = Diagnostic::new(OUTSIDE_REFINEMENT, it.span, message)
            .with_primary_label("the predicate does not hold for this value")
            .with_help("use a value that satisfies the predicate, or widen the type");
        match it.declared_at {
            Some(declared_at) => diagnostic.with_label(declared_at, "declared here"),
            None => diagnostic,
        }
    }
}
