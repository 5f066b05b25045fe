//! Limits, and what no engine can run.

use gainsay_core::Term;

use super::{C, N, of};
use crate::fault::FaultKind;
use crate::jit::context::Site;
use crate::jit::word::Word;

pub(super) extern "C" fn look(context: C, site: N) -> Word {
    let context = of(context);
    match context.steps.look() {
        Ok(()) => Word::TRUE,
        Err(kind) => context.raise(kind, site),
    }
}

pub(super) extern "C" fn too_deep(context: C, site: N) -> Word {
    of(context).raise(FaultKind::DepthLimit, site)
}

/// No room for a cell of some words, unless the case waits for its turn to take much.
pub(super) extern "C" fn full(context: C, site: N, n_words: N) -> Word {
    let context = of(context);
    if context.heap.extend(n_words) {
        return Word::TRUE;
    }
    context.raise(FaultKind::MemoryLimit, site)
}

pub(super) extern "C" fn unmatched(context: C, site: N) -> Word {
    of(context).raise(FaultKind::Unsupported("a match without a matching arm"), site)
}

pub(super) extern "C" fn unsupported(context: C, site: N) -> Word {
    let context = of(context);
    let at = Site::unpacked(site);
    let body = &context.program().function(at.function).body;
    let what = match body.terms.get(at.node as usize) {
        Some(Term::Across { .. }) => "`across`",
        Some(Term::CheckRel { .. }) => "a relation",
        Some(_) | None => "a place where an error was reported",
    };
    context.raise(FaultKind::Unsupported(what), site)
}
