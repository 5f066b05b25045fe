//! An effect where only pure code is allowed.

use gainsay_source::{Diagnostic, Span, codes};

use super::phrases::join_quoted;
use crate::effect_rows::PurePlace;

/// An effect where only pure code is allowed.
#[derive(Debug, Clone)]
pub(crate) struct EffectInPurePlace {
    pub(crate) place: PurePlace,
    pub(crate) effects: Vec<String>,
    pub(crate) span: Span,
}

impl From<EffectInPurePlace> for Diagnostic {
    fn from(it: EffectInPurePlace) -> Self {
        let place = match it.place {
            PurePlace::Constant => "a constant",
            PurePlace::Refinement => "a refinement",
            PurePlace::Contract => "a contract",
            PurePlace::Rule => "a rule",
            PurePlace::Given => "a given",
            PurePlace::When => "a `when`",
            PurePlace::Where => "a `where`",
            PurePlace::Stub => "a stub",
            PurePlace::Guard => "a guard",
            PurePlace::Weight => "a weight",
        };
        let effects = join_quoted(&it.effects);
        let message = format!("{place} must be pure, but performs {effects}");
        Diagnostic::new(codes::EFFECT_IN_PURE_PLACE, it.span, message)
            .with_note(
                "contracts, refinements, guards and constants are pure, so that evaluating \
                 them has no effect",
            )
            .with_help("perform the effect first, and use its result")
    }
}
