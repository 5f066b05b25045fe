//! An observation that is never made.

use gainsay_source::{Diagnostic, Span, codes};

use super::count_noun;

/// An observation that is never made.
#[derive(Debug, Clone)]
pub(crate) struct DeadObserve {
    pub(crate) span: Span,
    pub(crate) cause: UnreachableReason,
    /// Where the cause stands.
    pub(crate) at: Span,
    /// How many more observations are not made for the same reason.
    pub(crate) n_more: usize,
}

/// Why the run never gets to a place.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum UnreachableReason {
    /// Something before it fails.
    Fails,
    /// An `assume` before it lets no case through.
    Discards,
    /// A condition never holds.
    NeverHolds,
    /// A condition holds, and the place is where it does not.
    AlwaysHolds,
    /// It stands in a lambda that nothing calls.
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
