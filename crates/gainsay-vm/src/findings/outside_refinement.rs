//! A value outside its refinement type.

use gainsay_source::codes::OUTSIDE_REFINEMENT;
use gainsay_source::{Diagnostic, Span};

pub(super) struct OutsideRefinement {
    pub(super) span: Span,
    pub(super) ty: String,
    pub(super) value: RefinedValue,
    pub(super) declared_at: Option<Span>,
}

/// The role of the value.
pub(super) enum RefinedValue {
    /// An argument of a function, with the name of its parameter if known.
    Argument {
        param: Option<String>,
        function: String,
    },
    Constant(String),
    /// The result of a function.
    Result(String),
    /// The result of a lambda in this function.
    LambdaResult(String),
    /// A part of another value.
    Part,
}

impl From<OutsideRefinement> for Diagnostic {
    fn from(it: OutsideRefinement) -> Self {
        let value = match it.value {
            RefinedValue::Argument { param: Some(param), function } => {
                format!("the argument `{param}` of `{function}`")
            }
            RefinedValue::Argument { param: None, function } => {
                format!("an argument of `{function}`")
            }
            RefinedValue::Constant(name) => format!("the constant `{name}`"),
            RefinedValue::Result(function) => format!("the result of `{function}`"),
            RefinedValue::LambdaResult(function) => {
                format!("the result of a lambda in `{function}`")
            }
            RefinedValue::Part => "this value".to_owned(),
        };
        let message = format!("{value} is outside its type `{}`", it.ty);
        let diagnostic = Diagnostic::new(OUTSIDE_REFINEMENT, it.span, message)
            .with_primary_label("the predicate does not hold for this value")
            .with_help("use a value that satisfies the predicate, or widen the type");
        match it.declared_at {
            Some(declared_at) => diagnostic.with_label(declared_at, "declared here"),
            None => diagnostic,
        }
    }
}
