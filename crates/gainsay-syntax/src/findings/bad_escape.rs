//! An invalid escape sequence.

use gainsay_source::codes::BAD_ESCAPE;
use gainsay_source::{Diagnostic, Span};

use crate::ast::EscapeError;

/// `\q`, `\u{}`, `\u{110000}`.
pub(crate) struct BadEscape {
    /// The escape with its backslash.
    pub(crate) span: Span,
    /// The same as text.
    pub(crate) text: String,
    /// What is wrong with it.
    pub(crate) fault: EscapeError,
}

impl From<BadEscape> for Diagnostic {
    fn from(it: BadEscape) -> Self {
        let (text, span) = (it.text, it.span);
        match it.fault {
            EscapeError::Unknown => Self::new(
                BAD_ESCAPE,
                span,
                format!("unknown escape sequence `{text}`"),
            )
            .with_note(
                r#"the valid escapes are `\n`, `\t`, `\r`, `\0`, `\\`, `\"`, `\'` and `\u{1F600}`"#,
            )
            .with_fix("write `\\\\` for a backslash", span, format!("\\{text}")),
            EscapeError::Malformed => {
                Self::new(BAD_ESCAPE, span, "`\\u` needs hexadecimal digits in braces")
                    .with_help("write a hexadecimal code point, as in `\\u{1F600}`")
            }
            EscapeError::NoCharacter => Self::new(
                BAD_ESCAPE,
                span,
                format!("`{text}` is not a valid Unicode character"),
            )
            .with_note("valid code points are 0 to 10FFFF, except D800 to DFFF"),
        }
    }
}
