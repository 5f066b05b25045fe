//! The errors of parsing a value.

use std::fmt;

use gainsay_source::{Position, SourceFile, Span};

use crate::findings::{count_noun, join_quoted};
use crate::number_literals::MAX_DIGITS;

/// A text that is not a value of the expected type: where, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueParseError {
    /// The offset of the first byte of the invalid part.
    pub start: u32,
    /// The offset just past the last byte of the invalid part.
    pub end: u32,
    /// The line and column of `start` in the text.
    pub position: Position,
    /// The message, in lower case and without a full stop.
    pub message: String,
}

impl fmt::Display for ValueParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Position { line, column } = self.position;
        write!(f, "line {line}, column {column}: {}", self.message)
    }
}

impl std::error::Error for ValueParseError {}

/// An error with its location.
#[derive(Debug)]
pub(super) struct ValueProblem {
    pub(super) span: Span,
    pub(super) kind: ValueProblemKind,
}

/// The kinds of error.
#[derive(Debug)]
pub(super) enum ValueProblemKind {
    /// The text is too long for offsets to fit.
    TooLong,
    /// A syntax error, in the parser's words.
    Syntax(String),
    /// Something else was expected.
    Mismatch { expected: String, found: String },
    /// Values of this type cannot be written.
    Unwritable,
    /// Too many digits.
    HugeNumber,
    /// The sum type has no such constructor.
    UnknownConstructor { owner: String, name: String, close: Option<String> },
    /// A qualifier that does not belong to the constructor or record.
    WrongQualifier { name: String, qualifier: String, right: String },
    /// The wrong number of arguments.
    WrongFieldCount { owner: String, expected: usize, actual: usize },
    /// There is no such field.
    UnknownField { owner: String, name: String, close: Option<String> },
    /// A field is written twice.
    DuplicateField { name: String },
    /// Fields are missing.
    MissingFields { owner: String, names: Vec<String> },
    /// The wrong number of parameters.
    WrongParameterCount { expected: usize, actual: usize },
    /// The `match` of a function has a scrutinee other than the parameters.
    WrongScrutinee { expected: String },
    /// An arm after the default.
    ArmAfterDefault,
    /// A guard that compares something else.
    WrongGuard { binding: String },
}

impl ValueProblem {
    pub(super) fn new(span: Span, what: ValueProblemKind) -> Self {
        Self { span, kind: what }
    }

    /// Resolves the location in the text.
    pub(super) fn into_parse_error(self, text: &str) -> ValueParseError {
        let Span { start, end, .. } = self.span;
        let position = SourceFile::new("", text).position(start);
        ValueParseError { start, end, position, message: self.kind.message() }
    }
}

impl ValueProblemKind {
    fn message(self) -> String {
        match self {
            Self::TooLong => "the text is too long".to_owned(),
            Self::Syntax(message) => message,
            Self::Mismatch { expected, found } => format!("expected {expected}, found {found}"),
            Self::Unwritable => "values of this type have no literal form".to_owned(),
            Self::HugeNumber => format!("the number has more than {MAX_DIGITS} digits"),
            Self::UnknownConstructor { owner, name, close } => {
                format!("`{owner}` has no constructor `{name}`{}", suggestion(close))
            }
            Self::WrongQualifier { name, qualifier, right } => {
                format!("`{name}` is in `{right}`, not in `{qualifier}`")
            }
            Self::WrongFieldCount { owner, expected, actual } => {
                format!("`{owner}` takes {}, but got {actual}", count_noun(expected, "value"))
            }
            Self::UnknownField { owner, name, close } => {
                format!("`{owner}` has no field `{name}`{}", suggestion(close))
            }
            Self::DuplicateField { name } => format!("duplicate field `{name}`"),
            Self::MissingFields { owner, names } => {
                let noun = if names.len() == 1 { "field" } else { "fields" };
                format!("`{owner}` is missing the {noun} {}", join_quoted(&names))
            }
            Self::WrongParameterCount { expected, actual } => {
                format!(
                    "the function takes {}, but got {actual}",
                    count_noun(expected, "parameter")
                )
            }
            Self::WrongScrutinee { expected } => {
                format!("a function table must be a `match` on its parameters, `{expected}`")
            }
            Self::ArmAfterDefault => "unreachable arm after a catch-all arm".to_owned(),
            Self::WrongGuard { binding } => {
                format!("a guard in a function table must be `if same({binding}, value)`")
            }
        }
    }
}

fn suggestion(close: Option<String>) -> String {
    close.map_or_else(String::new, |close| format!("; did you mean `{close}`?"))
}
