//! An annotation that means nothing here.

use gainsay_source::{Diagnostic, Span, codes};

/// An annotation that means nothing here.
#[derive(Debug, Clone)]
pub(crate) struct UnknownAttribute {
    pub(crate) name: String,
    pub(crate) span: Span,
    pub(crate) place: &'static str,
    pub(crate) close: Option<String>,
}

impl From<UnknownAttribute> for Diagnostic {
    fn from(it: UnknownAttribute) -> Self {
        Diagnostic::new(
            codes::UNKNOWN_ATTRIBUTE,
            it.span,
            format!("`@{}` does not apply to {}", it.name, it.place),
        )
        .with_suggestion(it.span, it.close.map(|name| format!("@{name}")).as_deref())
    }
}
