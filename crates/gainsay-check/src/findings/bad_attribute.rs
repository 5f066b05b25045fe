//! An annotation with invalid arguments.

use gainsay_source::{Diagnostic, Span, codes};

use crate::attributes::AttributeName;

/// An annotation with invalid arguments.
#[derive(Debug, Clone)]
pub(crate) struct BadAttribute {
    pub(crate) name: AttributeName,
    pub(crate) span: Span,
    pub(crate) mismatch: AttributeMismatch,
}

/// What is wrong with an annotation.
#[derive(Debug, Clone)]
pub(crate) enum AttributeMismatch {
    /// Its arguments are invalid.
    Arguments,
    /// It requires a pure function of this type.
    FunctionType { wanted: String },
}

impl From<BadAttribute> for Diagnostic {
    fn from(it: BadAttribute) -> Self {
        let help = match &it.mismatch {
            AttributeMismatch::Arguments => format!("write {}", usage(it.name)),
            AttributeMismatch::FunctionType { wanted } => {
                format!("write it on a pure function of type `{wanted}`")
            }
        };
        let message = format!("invalid use of `@{}`", it.name.text());
        Diagnostic::new(codes::BAD_ATTRIBUTE, it.span, message).with_help(help)
    }
}

/// The ways to write an annotation.
fn usage(name: AttributeName) -> &'static str {
    match name {
        AttributeName::Property => {
            "`@property`, `@property(cases = 1_000)`, `@property(seed = 0x2a)` or \
             `@property(steps = 100_000_000)`"
        }
        AttributeName::Profile => "`@profile(Mailer.send)` or `@profile(Mailer.send, name)`",
        AttributeName::Builtin => "`@builtin`",
        AttributeName::Mutants => "`@mutants(skip, reason = \"..\")`",
        AttributeName::Ignore => "`@ignore(reason = \"..\")`",
        AttributeName::Weights => "`@weights(Leaf = 1, Node = size)`",
        AttributeName::Snapshot => "`@snapshot`",
        AttributeName::Generative => "`@generative`",
        AttributeName::Output => "`@output`",
    }
}
