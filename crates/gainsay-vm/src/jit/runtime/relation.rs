//! The runtime function for relations.

use gainsay_core::RelId;

use super::convert::to_value;
use super::{ContextPtr, RawNumber, WordRow, context_of, row};
use crate::fault::FaultKind;
use crate::jit::word::Word;
use crate::value::Value;

/// Asks the decider whether a relation holds, and charges the steps of its search.
pub(super) extern "C" fn check_relation(
    context: ContextPtr,
    rel: RawNumber,
    site: RawNumber,
    words: WordRow,
    n_words: RawNumber,
) -> Word {
    let context = context_of(context);
    let Some(relations) = &context.state.relations else {
        return context.raise(FaultKind::Unsupported("a relation"), site);
    };
    // SAFETY: compiled code stored the words of all arguments there just before the call.
    let words = unsafe { row(words, n_words as usize) };
    let args: Vec<Value> = words.iter().map(|it| to_value(*it)).collect();
    // The search gets what is left of the steps, so that it cannot outlast the case.
    let left = context.steps.left();
    let answer = relations.decide(RelId(rel as u32), &args, left);
    let charged = context.steps.charge_steps(answer.steps);
    match charged.and_then(|()| answer.truth(left)) {
        Ok(holds) => Word::from(holds),
        Err(kind) => context.raise(kind, site),
    }
}
