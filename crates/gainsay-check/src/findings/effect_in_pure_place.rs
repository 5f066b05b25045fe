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
        Diagnostic::new(codes::EFFECT_IN_PURE_PLACE, it.span, format!("{} performs {}", it.place, join_quoted(&it.effects)))
            .with_note("contracts, refinements, guards and constants are pure, so that checking them changes nothing")
            .with_help("perform the effect before, and pass on what it gave")
    }
}
