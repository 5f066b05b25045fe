//! A name whose first letter has the wrong case for its kind.

use gainsay_source::{Diagnostic, Span, codes};

use super::phrases::{snake, upper_camel};

/// A name whose first letter has the wrong case for its kind.
#[derive(Debug, Clone)]
pub(crate) struct WrongCase {
    pub(crate) name: String,
    pub(crate) span: Span,
    pub(crate) kind: NamedKind,
    pub(crate) upper: bool,
}

/// The kind of thing that has the name.
#[derive(Debug, Copy, Clone)]
pub(crate) enum NamedKind {
    Type,
    Constructor,
    Effect,
    Function,
    Parameter,
    Relation,
}

impl From<WrongCase> for Diagnostic {
    fn from(it: WrongCase) -> Self {
        let (letter, other) = if it.upper {
            ("an upper-case", upper_camel(&it.name))
        } else {
            ("a lower-case", snake(&it.name))
        };
        let kind = match it.kind {
            NamedKind::Type => "a type",
            NamedKind::Constructor => "a constructor",
            NamedKind::Effect => "an effect",
            NamedKind::Function => "a function",
            NamedKind::Parameter => "a parameter",
            NamedKind::Relation => "a relation",
        };
        Diagnostic::new(
            codes::WRONG_CASE,
            it.span,
            format!("the name of {kind} must begin with {letter} letter"),
        )
        .with_fix(format!("rename it to `{other}`"), it.span, other)
    }
}
