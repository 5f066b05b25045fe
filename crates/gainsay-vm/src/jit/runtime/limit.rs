//! Runtime functions for limits and unsupported terms.

use gainsay_core::Term;

use super::{ContextPtr, RawNumber, context_of};
use crate::fault::FaultKind;
use crate::jit::context::TermSite;
use crate::jit::word::Word;

pub(super) extern "C" fn refill_steps(context: ContextPtr, site: RawNumber) -> Word {
    let context = context_of(context);
    match context.steps.refill() {
        Ok(()) => Word::TRUE,
        Err(kind) => context.raise(kind, site),
    }
}

pub(super) extern "C" fn too_deep(context: ContextPtr, site: RawNumber) -> Word {
    context_of(context).raise(FaultKind::DepthLimit, site)
}

/// A cell does not fit: raises a fault, unless the case acquires a permit for large memory and then
/// has room.
pub(super) extern "C" fn arena_full(
    context: ContextPtr,
    site: RawNumber,
    n_words: RawNumber,
) -> Word {
    let context = context_of(context);
    // May wait for a permit, which other threads give back when their case ends.
    if context.heap.extend(n_words) {
        return Word::TRUE;
    }
    context.raise(FaultKind::MemoryLimit, site)
}

pub(super) extern "C" fn unmatched(context: ContextPtr, site: RawNumber) -> Word {
    context_of(context).raise(FaultKind::Unsupported("a match without a matching arm"), site)
}

pub(super) extern "C" fn unsupported(context: ContextPtr, site: RawNumber) -> Word {
    let context = context_of(context);
    let at = TermSite::unpacked(site);
    let body = &context.program().function(at.function).body;
    let what = match body.terms.get(at.node as usize) {
        Some(Term::Across { .. }) => "`across`",
        Some(_) | None => "a place where an error was reported",
    };
    context.raise(FaultKind::Unsupported(what), site)
}
