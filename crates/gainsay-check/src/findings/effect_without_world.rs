//! A claim that reaches an effect without a handler.

use gainsay_source::{Diagnostic, Span, codes};

use super::phrases::join_quoted;

/// A claim that reaches an effect without a handler.
#[derive(Debug, Clone)]
pub(crate) struct EffectWithoutWorld {
    pub(crate) effects: Vec<String>,
    pub(crate) span: Span,
}

impl From<EffectWithoutWorld> for Diagnostic {
    fn from(it: EffectWithoutWorld) -> Self {
        let first = it.effects[0].clone();
        if first.starts_with("Gen.") {
            let message =
                format!("this claim calls {} outside a generator", join_quoted(&it.effects));
            return Diagnostic::new(codes::EFFECT_WITHOUT_WORLD, it.span, message)
                .with_help("draw it as an input: `across (x <- ..) { .. }`");
        }
        let effects = join_quoted(&it.effects);
        let message = format!("this claim performs {effects} without a stub");
        Diagnostic::new(codes::EFFECT_WITHOUT_WORLD, it.span, message)
            .with_note("claims never touch the real world")
            .with_help(format!(
                "add a stub: `under ({first} = ..) {{ .. }}`, or `given r: {first} = [..]` in a \
                 verify block"
            ))
    }
}
