//! An effect where only pure code may stand.

use gainsay_source::{Diagnostic, Span, codes};

use super::phrases::join_quoted;

/// An effect where only pure code may stand.
#[derive(Debug, Clone)]
pub(crate) struct EffectInPurePlace {
    pub(crate) place: &'static str,
    pub(crate) effects: Vec<String>,
    pub(crate) span: Span,
}

impl From<EffectInPurePlace> for Diagnostic {
    fn from(it: EffectInPurePlace) -> Self {
        let effects = join_quoted(&it.effects);
        let message = format!("{} must be pure, but performs {effects}", it.place);
        Diagnostic::new(codes::EFFECT_IN_PURE_PLACE, it.span, message)
            .with_note(
                "contracts, refinements, guards and constants are pure, so that evaluating \
                 them has no effect",
            )
            .with_help("perform the effect first, and use its result")
    }
}
