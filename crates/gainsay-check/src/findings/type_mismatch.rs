//! A value whose type does not match the expected one.

use gainsay_source::{Diagnostic, Span, codes};

use super::phrases::count_noun;

/// A value whose type does not match the expected one.
#[derive(Debug, Clone)]
pub(crate) struct TypeMismatch {
    pub(crate) expected: String,
    pub(crate) actual: String,
    pub(crate) span: Span,
    pub(crate) hint: Option<MismatchHint>,
}

/// The usual fix.
#[derive(Debug, Clone)]
pub(crate) enum MismatchHint {
    IntToFloat,
    FloatToInt,
    CharToStr,
    /// Convert one value to a string.
    Show,
    /// Convert a value that is concatenated with strings.
    ShowNumber,
    JoinWithConcat,
    /// A function with another number of parameters.
    ParameterCount {
        expected: usize,
        actual: usize,
    },
    CallFunction,
    /// A block that ends without a value.
    EndWithValue,
    /// A value of this type that is not expected.
    DropOrReturn(String),
    WrapInSome,
    WrapInOk,
    /// Take the value out of an `Option` or `Result`.
    Unwrap,
    AddElse,
}

impl From<TypeMismatch> for Diagnostic {
    fn from(it: TypeMismatch) -> Self {
        let found = Diagnostic::new(
            codes::TYPE_MISMATCH,
            it.span,
            format!("expected `{}`, found `{}`", it.expected, it.actual),
        )
        .with_primary_label(format!("this is `{}`", it.actual));
        match it.hint {
            Some(hint) => found.with_help(hint.help()),
            None => found,
        }
    }
}

impl MismatchHint {
    fn help(self) -> String {
        let help = match self {
            Self::IntToFloat => "convert it with `.to_float()`, or write `1.0` for `1`",
            Self::FloatToInt => "convert it with `.to_int()`, which returns an `Option<Int>`",
            Self::CharToStr => "convert it with `.to_str()`, or write it in double quotes",
            Self::Show => "convert it with `show(..)`",
            Self::ShowNumber => "convert numbers to strings with `show(..)`",
            Self::JoinWithConcat => "concatenate strings and lists with `++`",
            Self::ParameterCount { expected, actual } => {
                let expected = count_noun(expected, "parameter");
                return format!("change it to take {expected}: it takes {actual}");
            }
            Self::CallFunction => "call it: this is the function, not its result",
            Self::EndWithValue => {
                "end with an expression: an `if` without `else`, a `let` or an output has no value"
            }
            Self::DropOrReturn(ty) => {
                return format!(
                    "discard it with `let _ = ..`, or declare `-> {ty}` if it is the result"
                );
            }
            Self::WrapInSome => "wrap it in `Some(..)`",
            Self::WrapInOk => "wrap it in `Ok(..)`",
            Self::Unwrap => "unwrap it with `match`, `?` or `.unwrap_or(..)`",
            Self::AddElse => "add an `else`: without one, an `if` has no value",
        };
        help.to_owned()
    }
}
