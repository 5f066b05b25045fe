//! Entry points through which compiled code calls builtins.

use gainsay_core::BuiltinId;

use super::builtin::{WordBuiltinContext, run};
use super::comparison::compare;
use super::{ContextPtr, RawNumber, WordRow, context_of, row};
use crate::comparison::FloatOrder;
use crate::fault::FaultKind;
use crate::jit::context::JitContext;
use crate::jit::word::Word;
use crate::limits::words_of_list;

/// A builtin of two words.
pub(super) extern "C" fn binary(
    context: ContextPtr,
    builtin: RawNumber,
    site: RawNumber,
    a: Word,
    b: Word,
) -> Word {
    apply(context_of(context), builtin, site, &[a, b])
}

/// A builtin on an array of words.
pub(super) extern "C" fn builtin(
    context: ContextPtr,
    builtin: RawNumber,
    site: RawNumber,
    words: WordRow,
    n_words: RawNumber,
) -> Word {
    // SAFETY: compiled code passes its row with the number of words in it.
    let words = unsafe { row(words, n_words as usize) };
    apply(context_of(context), builtin, site, words)
}

pub(super) fn apply(
    context: &mut JitContext,
    builtin: RawNumber,
    site: RawNumber,
    args: &[Word],
) -> Word {
    // Borrowed by field: the builtin changes arena and steps while it reads the program.
    let code = &context.state.code;
    let mut tools = WordBuiltinContext {
        program: &code.program,
        heap: &mut context.heap,
        steps: &mut context.steps,
        function_cells: &|function| code.function_value(function).unwrap_or(Word::UNIT),
        live_bytes: context.state.limits.live_bytes,
    };
    match run(BuiltinId(builtin as u32), &mut tools, args) {
        Ok(word) => word,
        Err(kind) => context.raise(*kind, site),
    }
}

/// A float that does not fit a word. All NaNs are one value.
pub(super) extern "C" fn float(context: ContextPtr, bits: RawNumber, site: RawNumber) -> Word {
    let context = context_of(context);
    let float = f64::from_bits(bits);
    let float = if float.is_nan() { f64::NAN } else { float };
    match context.heap.float(float) {
        Ok(word) => word,
        Err(full) => context.raise(full.into(), site),
    }
}

/// Prepends an array of elements to a list.
pub(super) extern "C" fn list(
    context: ContextPtr,
    site: RawNumber,
    heads: WordRow,
    n_heads: RawNumber,
    rest: Word,
) -> Word {
    let context = context_of(context);
    // SAFETY: as in `builtin`.
    let heads = unsafe { row(heads, n_heads as usize) };
    // Charged as the inline form is, so that the length of a literal makes no difference in kind.
    let charged = context.heap.charge(words_of_list(n_heads));
    match charged.and_then(|()| context.heap.list_onto(heads, rest)) {
        Ok(word) => word,
        Err(full) => context.raise(FaultKind::from(full), site),
    }
}

/// Whether a word equals a literal: the raw number 1 or 0, not a tagged word.
pub(super) extern "C" fn is_literal(_: ContextPtr, word: Word, literal: Word) -> Word {
    // A copy of the constant, because `compare` takes a mutable counter; its value is irrelevant.
    let ordering = compare(word, literal, FloatOrder::Ieee, &mut u64::MAX.clone());
    match ordering {
        Ok(Some(std::cmp::Ordering::Equal)) => Word::YES,
        Ok(_) | Err(_) => Word::NO,
    }
}
