//! A string that names a variable as if it were interpolated.

use gainsay_source::{Diagnostic, Span, codes};

/// A string that names a variable as if it were interpolated.
#[derive(Debug, Clone)]
pub(crate) struct LiteralInterpolation {
    pub(crate) variable: String,
    pub(crate) span: Span,
}

impl From<LiteralInterpolation> for Diagnostic {
    fn from(it: LiteralInterpolation) -> Self {
        let variable = &it.variable;
        Diagnostic::new(
            codes::LITERAL_INTERPOLATION,
            it.span,
            format!("this string contains `${{{variable}}}` literally"),
        )
        .with_note("Gainsay has no string interpolation")
        .with_help(format!(
            "join the parts with `++`; use `show({variable})` if `{variable}` is not a `Str`"
        ))
    }
}
