//! Two sides of a `=>` that are not the same.

use gainsay_source::{Diagnostic, Span, codes};

/// Two sides of a `=>` that are not the same.
pub(crate) struct VerifyMismatch {
    pub(crate) span: Span,
    pub(crate) scope: Scope,
    /// What hostility did.
    pub(crate) adversity: Adversity,
    pub(crate) is_law: bool,
}

/// Whether a case is written in its block.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum Scope {
    /// It is.
    Declared,
    /// Hostility added it.
    Hostile,
}

impl From<VerifyMismatch> for Diagnostic {
    fn from(it: VerifyMismatch) -> Self {
        let what = if it.is_law { "this law does not hold" } else { "this case does not hold" };
        match it.scope {
            Scope::Declared => Diagnostic::new(codes::VERIFY_MISMATCH, it.span, what)
                .with_phrase("the two sides are not the same"),
            Scope::Hostile => {
                let message = "this law does not hold in a case that hostility added";
                let new = Diagnostic::new(codes::VERIFY_HOSTILE_MISMATCH, it.span, message)
                    .with_phrase("the two sides are not the same");
                repaired(new, it.adversity)
            }
        }
    }
}

/// What hostility did to a case, as far as it decides what to do about it.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum Adversity {
    /// It chose the values.
    Values,
    /// It chose the world.
    World,
    /// It chose the order of branches.
    Order,
}

/// What somebody can do about a law that hostility breaks.
pub(super) fn repaired(it: Diagnostic, adversity: Adversity) -> Diagnostic {
    match adversity {
        Adversity::Order => {
            it.with_help("let no branch of `par` depend on what another one does").with_help(
                "leave the order of branches out of the law: look at `group(g).branch(i)`",
            )
        }
        Adversity::World => it
            .with_help("make the function robust against this world, which does occur")
            .with_help(
                "say in a `when` what the law assumes of the world, as in \
                 `when clock(BranchPath.root, 1) >= clock(BranchPath.root, 0)`",
            )
            .with_help("drop `law` if it is only about the stub that is given"),
        Adversity::Values => it
            .with_help("say which values the law is about: `when ..`")
            .with_help("drop `law` if it is only about the values that are given"),
    }
}
