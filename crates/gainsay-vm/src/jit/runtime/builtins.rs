//! Builtins as compiled code calls them.

use gainsay_core::BuiltinId;

use super::builtin::{Tools, run};
use super::order::compare;
use super::{C, N, Row, of, row};
use crate::fault::FaultKind;
use crate::jit::context::Context;
use crate::jit::word::Word;
use crate::limits::words_of_list;
use crate::order::Floats;

/// A builtin of two words.
pub(super) extern "C" fn binary(context: C, builtin: N, site: N, a: Word, b: Word) -> Word {
    apply(of(context), builtin, site, &[a, b])
}

/// A builtin of words in a row.
pub(super) extern "C" fn builtin(
    context: C,
    builtin: N,
    site: N,
    words: Row,
    n_words: N,
) -> Word {
    apply(of(context), builtin, site, row(words, n_words as usize))
}

pub(super) fn apply(context: &mut Context, builtin: N, site: N, args: &[Word]) -> Word {
    let code = &context.state.code;
    let mut tools = Tools {
        program: &code.program,
        heap: &mut context.heap,
        steps: &mut context.steps,
        code_of: &|function| code.value_of(function).unwrap_or(Word::UNIT),
        live_bytes: context.state.limits.live_bytes,
    };
    match run(BuiltinId(builtin as u32), &mut tools, args) {
        Ok(word) => word,
        Err(kind) => context.raise(*kind, site),
    }
}

/// A float that has no room in a word. All NaNs are one.
pub(super) extern "C" fn float(context: C, bits: N, site: N) -> Word {
    let context = of(context);
    let float = f64::from_bits(bits);
    let float = if float.is_nan() { f64::NAN } else { float };
    match context.heap.float(float) {
        Ok(word) => word,
        Err(full) => context.raise(full.into(), site),
    }
}

/// A list of elements in a row, before those of another one.
pub(super) extern "C" fn list(context: C, site: N, heads: Row, n_heads: N, rest: Word) -> Word {
    let context = of(context);
    let heads = row(heads, n_heads as usize);
    let charged = context.heap.charge(words_of_list(n_heads));
    match charged.and_then(|()| context.heap.list_onto(heads, rest)) {
        Ok(word) => word,
        Err(full) => context.raise(FaultKind::from(full), site),
    }
}

/// Whether a word equals a literal: 1 or 0, which is not a word.
pub(super) extern "C" fn is_literal(_: C, word: Word, literal: Word) -> Word {
    let ordering = compare(word, literal, Floats::Ieee, &mut u64::MAX.clone());
    Word(u64::from(matches!(ordering, Ok(Some(std::cmp::Ordering::Equal)))))
}
