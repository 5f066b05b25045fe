//! A module, type or effect without such a member.

use gainsay_source::{Diagnostic, Span, codes};

/// A module, type or effect without such a member.
#[derive(Debug, Clone)]
pub(crate) struct UnknownMember {
    pub(crate) owner: String,
    pub(crate) owner_kind: &'static str,
    pub(crate) name: String,
    pub(crate) span: Span,
    pub(crate) close: Option<String>,
}

impl From<UnknownMember> for Diagnostic {
    fn from(it: UnknownMember) -> Self {
        Diagnostic::new(
            codes::UNKNOWN_MEMBER,
            it.span,
            format!("the {} `{}` has no `{}`", it.owner_kind, it.owner, it.name),
        )
        .with_suggestion(it.span, it.close.as_deref())
    }
}
