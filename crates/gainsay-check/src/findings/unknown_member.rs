//! A module, type or effect without such a member.

use gainsay_source::{Diagnostic, Span, codes};

/// A module, type or effect without such a member.
#[derive(Debug, Clone)]
pub(crate) struct UnknownMember {
    pub(crate) owner: String,
    pub(crate) owner_kind: OwnerKind,
    pub(crate) name: String,
    pub(crate) span: Span,
    /// The function's name in Gainsay, if another library uses this one.
    pub(crate) counterpart: Option<String>,
    pub(crate) close: Option<String>,
    /// Whether the name without the owner means something: `max` for `Int.max`.
    pub(crate) is_in_scope: bool,
}

/// What has members.
#[derive(Debug, Copy, Clone)]
pub(crate) enum OwnerKind {
    Module,
    Type,
    Effect,
    Spec,
}

impl From<UnknownMember> for Diagnostic {
    fn from(it: UnknownMember) -> Self {
        let kind = match it.owner_kind {
            OwnerKind::Module => "module",
            OwnerKind::Type => "type",
            OwnerKind::Effect => "effect",
            OwnerKind::Spec => "specification",
        };
        let found = Diagnostic::new(
            codes::UNKNOWN_MEMBER,
            it.span,
            format!("the {kind} `{}` has no `{}`", it.owner, it.name),
        );
        match &it.counterpart {
            Some(_) => found.with_counterpart(it.span, it.counterpart.as_deref()),
            None if it.is_in_scope => {
                found.with_help(format!("write `{}` without `{}.`", it.name, it.owner))
            }
            None => found.with_suggestion(it.span, it.close.as_deref()),
        }
    }
}
