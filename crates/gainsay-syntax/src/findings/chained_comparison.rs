//! A comparison of a comparison.

use gainsay_source::codes::CHAINED_COMPARISON;
use gainsay_source::{Diagnostic, Span};

/// `a < b < c`.
pub(crate) struct ChainedComparison {
    /// The first operator.
    pub(crate) first: Span,
    /// The second operator.
    pub(crate) second: Span,
    /// The span between them.
    pub(crate) middle: Span,
    /// The text of that span.
    pub(crate) middle_text: String,
}

impl From<ChainedComparison> for Diagnostic {
    fn from(it: ChainedComparison) -> Self {
        let found = Self::new(CHAINED_COMPARISON, it.second, "comparisons cannot be chained")
            .with_primary_label("second comparison")
            .with_label(it.first, "first comparison");
        if it.middle_text.len() > 40 || it.middle_text.contains('\n') {
            return found.with_help("join the two comparisons with `&&`");
        }
        let middle = it.middle_text;
        found.with_fix(
            format!("split the comparison: add `&& {middle}` before the second operator"),
            it.middle.after(),
            format!(" && {middle}"),
        )
    }
}
