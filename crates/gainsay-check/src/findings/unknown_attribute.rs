//! An unknown annotation, or one that does not apply here.

use gainsay_source::{Diagnostic, Span, codes};

use crate::attributes::AttributeTarget;

/// An unknown annotation, or one that does not apply here.
#[derive(Debug, Clone)]
pub(crate) struct UnknownAttribute {
    pub(crate) name: String,
    pub(crate) span: Span,
    pub(crate) target: AttributeTarget,
    pub(crate) close: Option<String>,
}

impl From<UnknownAttribute> for Diagnostic {
    fn from(it: UnknownAttribute) -> Self {
        let target = match it.target {
            AttributeTarget::Function => "a function",
            AttributeTarget::Type => "a type",
            AttributeTarget::Operation => "an operation",
            AttributeTarget::Claim => "a claim",
        };
        Diagnostic::new(
            codes::UNKNOWN_ATTRIBUTE,
            it.span,
            format!("`@{}` does not apply to {target}", it.name),
        )
        .with_suggestion(it.span, it.close.map(|name| format!("@{name}")).as_deref())
    }
}
