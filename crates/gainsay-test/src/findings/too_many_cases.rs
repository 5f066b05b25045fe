//! A verify block with more cases than the limit.

use gainsay_source::{Diagnostic, Span, codes};

/// A verify block with more cases than the limit.
pub(crate) struct TooManyCases {
    pub(crate) span: Span,
    /// The factors: names, and how many values each has.
    pub(crate) factors: Vec<(String, u64)>,
    pub(crate) most: u64,
}

impl From<TooManyCases> for Diagnostic {
    fn from(it: TooManyCases) -> Self {
        let n_cases = it.factors.iter().fold(1_u64, |all, (_, n)| all.saturating_mul(*n));
        let factors: Vec<String> =
            it.factors.iter().map(|(name, n)| format!("{name} ({n})")).collect();
        let message = format!("this block has {n_cases} cases, but the limit is {}", it.most);
        Diagnostic::new(codes::VERIFY_TOO_MANY_CASES, it.span, message)
            .with_primary_label("no case was run")
            .with_note(format!("values per input: {}", factors.join(" × ")))
            .with_help("give fewer values, or make it a `@property`")
    }
}
