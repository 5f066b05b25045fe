//! A malformed number literal.

use gainsay_source::codes::BAD_NUMBER;
use gainsay_source::{Diagnostic, Span};

/// `0x`, `0b12`, `12abc`.
pub(crate) struct BadNumber {
    /// The part that is wrong.
    pub(crate) span: Span,
    /// What is wrong with it.
    pub(crate) fault: NumberError,
}

/// What is wrong with a number.
pub(crate) enum NumberError {
    /// A prefix without digits.
    NoDigits { radix: u32 },
    /// A digit that is invalid in the radix.
    Digit { digit: char, radix: u32 },
    /// Letters right after the digits.
    Letters { digits: String, text: String },
}

impl From<BadNumber> for Diagnostic {
    fn from(it: BadNumber) -> Self {
        match it.fault {
            NumberError::NoDigits { radix } => {
                Self::new(BAD_NUMBER, it.span, "this number has no digits")
                    .with_help(format!("add {} digits after the prefix", radix_name(radix)))
            }
            NumberError::Digit { digit, radix } => {
                let name = radix_name(radix);
                Self::new(BAD_NUMBER, it.span, format!("`{digit}` is not a {name} digit"))
            }
            NumberError::Letters { digits, text } => Self::new(
                BAD_NUMBER,
                it.span,
                format!("`{text}` is not part of a number"),
            )
            .with_help(format!(
                "put a space or an operator after `{digits}`, or start the name with a letter"
            )),
        }
    }
}

fn radix_name(radix: u32) -> &'static str {
    match radix {
        2 => "binary",
        8 => "octal",
        16 => "hexadecimal",
        _ => "decimal",
    }
}
