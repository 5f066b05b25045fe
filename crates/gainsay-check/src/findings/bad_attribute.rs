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
    /// A default generator takes no arguments and has no type parameters.
    GeneratorParameters,
    /// A default generator has another effect than `Gen`.
    GeneratorEffects,
    /// Default generators are for declared types and refinements.
    GeneratorType { result: String },
    /// The type has a default generator.
    SecondGenerator { result: String, first: Span },
}

impl From<BadAttribute> for Diagnostic {
    fn from(it: BadAttribute) -> Self {
        let help = match &it.mismatch {
            AttributeMismatch::Arguments => format!("write {}", usage(it.name)),
            AttributeMismatch::FunctionType { wanted } => {
                format!("write it on a pure function of type `{wanted}`")
            }
            AttributeMismatch::GeneratorParameters => {
                "write it on a function without parameters and type parameters".to_owned()
            }
            AttributeMismatch::GeneratorEffects => {
                "write it on a function whose only effect is `Gen`".to_owned()
            }
            AttributeMismatch::GeneratorType { result } => format!(
                "declare a type of its own for these values: a sum, a record or a refinement of \
                 `{result}`"
            ),
            AttributeMismatch::SecondGenerator { result, .. } => {
                format!("remove one: `{result}` can have only one default generator")
            }
        };
        let message = format!("invalid use of `@{}`", it.name.text());
        let mut found = Diagnostic::new(codes::BAD_ATTRIBUTE, it.span, message).with_help(help);
        if let AttributeMismatch::SecondGenerator { first, .. } = &it.mismatch {
            found = found.with_label(*first, "the first one is here");
        }
        found
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
        AttributeName::Generator => "`@generator` alone on its line, above the function",
        AttributeName::Builtin => "`@builtin`",
        AttributeName::Mutants => "`@mutants(skip, reason = \"..\")`",
        AttributeName::Ignore => "`@ignore(reason = \"..\")`",
        AttributeName::Weights => "`@weights(Leaf = 1, Node = size)`",
        AttributeName::Snapshot => "`@snapshot`",
        AttributeName::Generative => "`@generative`",
        AttributeName::Output => "`@output`",
    }
}
