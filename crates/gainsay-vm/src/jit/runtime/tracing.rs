//! Runtime functions for traced calls: direct effects of a function, and those of its callees.

use gainsay_core::builtin::SHOW;
use gainsay_core::{OpId, Term};

use super::builtin_calls::apply;
use super::{ContextPtr, RawNumber, context_of};
use crate::effect_trace::{BranchStart, CallTraceRecorder, TraceCtors, event_texts, is_traced};
use crate::fault::FaultKind;
use crate::jit::arena::ArenaFull;
use crate::jit::context::{JitContext, TermSite};
use crate::jit::word::Word;
use crate::limits::{words_of_fields, words_of_list, words_of_text};

/// Begins a traced call.
pub(super) extern "C" fn begin(context: ContextPtr, site: RawNumber) -> Word {
    let context = context_of(context);
    if context.state.code.trace.is_none() {
        let kind = FaultKind::Unsupported("a traced call in a program without `Traced`");
        return context.raise(kind, site);
    }
    let at = TermSite::unpacked(site);
    let program = context.program();
    let body = &program.function(at.function).body;
    let Some(Term::Traced { call }) = body.terms.get(at.node as usize) else {
        return context.raise(FaultKind::Unsupported("a traced call that is none"), site);
    };
    let recorder = CallTraceRecorder::new(program, at.function, *call);
    context.state.recorders.push(recorder);
    // Fast paths bypass the recorders, so they are disabled while there are any.
    context.select_fast_answers();
    Word::UNIT
}

/// Leaves traced calls through `?`: their traces are discarded.
pub(super) extern "C" fn leave(context: ContextPtr, n_calls: RawNumber) -> Word {
    let context = context_of(context);
    let n_left = context.state.recorders.len().saturating_sub(n_calls as usize);
    context.state.recorders.truncate(n_left);
    context.select_fast_answers();
    Word::UNIT
}

/// Ends a traced call: returns a `Traced` with the result and both traces.
pub(super) extern "C" fn end(context: ContextPtr, site: RawNumber, result: Word) -> Word {
    let context = context_of(context);
    let recorder = context.state.recorders.pop();
    context.select_fast_answers();
    let (Some(recorder), Some(types)) = (recorder, context.state.code.trace) else {
        return context.raise(FaultKind::Unsupported("a trace without a beginning"), site);
    };
    match traced(context, types, result, &recorder) {
        Ok(word) => word,
        Err(full) => context.raise(full.into(), site),
    }
}

fn traced(
    context: &mut JitContext,
    types: TraceCtors,
    result: Word,
    recorder: &CallTraceRecorder<Word>,
) -> Result<Word, ArenaFull> {
    let heap = &mut context.heap;
    let mut traces = [Word::UNIT; 2];
    for (trace, steps) in traces.iter_mut().zip([&recorder.direct, &recorder.deep]) {
        heap.charge(steps.n_words())?;
        let mut pairs = Vec::with_capacity(steps.events.len());
        for (event, trail) in &steps.events {
            let trail = trail.iter().filter_map(|at| Word::from_small_int(i64::from(*at)));
            let trail = heap.list_onto(&trail.collect::<Vec<_>>(), Word::NIL)?;
            pairs.push(heap.tuple(&[*event, trail])?);
        }
        let list = heap.list_onto(&pairs, Word::NIL)?;
        *trace = heap.data(types.trace, &[list])?;
    }
    heap.charge(words_of_fields(3))?;
    heap.data(types.traced, &[result, traces[0], traces[1]])
}

/// Records the start of a branch in all active recorders.
pub(super) fn enter_branch(
    context: &mut JitContext,
    site: u64,
    branch: u32,
    turn: BranchStart,
) {
    let function = TermSite::unpacked(site).function;
    let state = &mut context.state;
    for recorder in &mut state.recorders {
        recorder.enter(&state.code.program, function, branch, turn);
    }
}

/// Records the end of a branch in the recorders that were active at its start.
pub(super) fn leave_branch(context: &mut JitContext, site: u64, n_recorders: usize) {
    let function = TermSite::unpacked(site).function;
    let state = &mut context.state;
    // Recorders started inside the branch did not see it begin.
    for recorder in state.recorders.iter_mut().take(n_recorders) {
        recorder.leave(&state.code.program, function);
    }
}

/// Records an effect in all active recorders.
pub(super) fn record_effect(
    context: &mut JitContext,
    site: u64,
    op: OpId,
    args: &[Word],
) -> Word {
    // What a stub does is part of the world and not of the traced call.
    if context.state.recorders.is_empty() || context.state.worlds.is_in_stub() {
        return Word::UNIT;
    }
    let Some(types) = context.state.code.trace else { return Word::UNIT };
    if !is_traced(&context.state.code.program, op) {
        return Word::UNIT;
    }
    let mut shown = Vec::with_capacity(args.len());
    for arg in args {
        // As `show` does and at its cost, so that both engines charge the same.
        let text = apply(context, u64::from(SHOW.0), site, &[*arg]);
        if text == Word::FAULT {
            return Word::FAULT;
        }
        shown.push(text);
    }
    match event(context, types, op, &shown) {
        Ok(event) => {
            let function = TermSite::unpacked(site).function;
            let state = &mut context.state;
            for recorder in &mut state.recorders {
                recorder.record(&state.code.program, function, &event);
            }
            Word::UNIT
        }
        Err(full) => context.raise(full.into(), site),
    }
}

fn event(
    context: &mut JitContext,
    types: TraceCtors,
    op: OpId,
    shown: &[Word],
) -> Result<Word, ArenaFull> {
    let (method, path) = event_texts(context.program(), op, &context.state.par_path);
    let words = words_of_text((method.len() + path.len()) as u64);
    let heap = &mut context.heap;
    heap.charge(words + words_of_fields(3) + words_of_list(shown.len() as u64))?;
    let fields = [heap.text(&method)?, heap.list_onto(shown, Word::NIL)?, heap.text(&path)?];
    heap.data(types.event, &fields)
}
