//! An unreachable observation.

use gainsay_source::{Diagnostic, Span, codes};

use super::count_noun;

/// An unreachable observation.
#[derive(Debug, Clone)]
pub(crate) struct DeadObserve {
    pub(crate) span: Span,
    pub(crate) cause: UnreachableReason,
    /// The span of the cause.
    pub(crate) at: Span,
    /// How many more observations are unreachable for the same reason.
    pub(crate) n_more: usize,
}

/// Why an observation is unreachable.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum UnreachableReason {
    /// Something before it fails.
    Fails,
    /// An `assume` before it rejects every case.
    Discards,
    /// A condition never holds.
    NeverHolds,
    /// A condition always holds, and the observation is in its `else` part.
    AlwaysHolds,
    /// It is in a lambda that is never called.
    Uncalled,
}

impl From<DeadObserve> for Diagnostic {
    fn from(it: DeadObserve) -> Self {
        let label = match it.cause {
            UnreachableReason::Fails => "this always fails",
            UnreachableReason::Discards => "this discards every case",
            UnreachableReason::NeverHolds => "this never holds",
            UnreachableReason::AlwaysHolds => "this always holds",
            UnreachableReason::Uncalled => "this is never called",
        };
        let message = "this observation is never reached";
        let mut diagnostic =
            Diagnostic::new(codes::DEAD_OBSERVE, it.span, message).with_label(it.at, label);
        if it.n_more > 0 {
            let more = count_noun(it.n_more, "more observation");
            diagnostic = diagnostic.with_note(format!("this also applies to {more} after it"));
        }
        diagnostic.with_help("make it reachable, or remove it")
    }
}
