//! Traced calls: what a function performed itself, and what happened on its behalf.

use gainsay_core::builtin::SHOW;
use gainsay_core::{OpId, Term};

use super::builtins::apply;
use super::{C, N, of};
use crate::fault::FaultKind;
use crate::jit::context::{Context, Site};
use crate::jit::heap::Full;
use crate::jit::word::Word;
use crate::limits::{words_of_fields, words_of_list, words_of_text};
use crate::traces::{Recorder, TraceTypes, Turn, event_texts, is_told};

/// A traced call begins.
pub(super) extern "C" fn begin(context: C, site: N) -> Word {
    let context = of(context);
    if context.state.code.trace.is_none() {
        let kind = FaultKind::Unsupported("a traced call in a program without `Traced`");
        return context.raise(kind, site);
    }
    let at = Site::unpacked(site);
    let program = context.program();
    let body = &program.function(at.function).body;
    let Some(Term::Traced { call }) = body.terms.get(at.node as usize) else {
        return context.raise(FaultKind::Unsupported("a traced call that is none"), site);
    };
    let recorder = Recorder::new(program, at.function, *call);
    context.state.recorders.push(recorder);
    context.choose_quick();
    Word::UNIT
}

/// Some traced calls are left by `?`: nobody will see their traces.
pub(super) extern "C" fn leave(context: C, n_calls: N) -> Word {
    let context = of(context);
    let n_left = context.state.recorders.len().saturating_sub(n_calls as usize);
    context.state.recorders.truncate(n_left);
    context.choose_quick();
    Word::UNIT
}

/// A traced call ends with a result: a `Traced` with both traces.
pub(super) extern "C" fn end(context: C, site: N, result: Word) -> Word {
    let context = of(context);
    let recorder = context.state.recorders.pop();
    context.choose_quick();
    let (Some(recorder), Some(types)) = (recorder, context.state.code.trace) else {
        return context.raise(FaultKind::Unsupported("a trace without a beginning"), site);
    };
    match traced(context, types, result, &recorder) {
        Ok(word) => word,
        Err(full) => context.raise(full.into(), site),
    }
}

fn traced(
    context: &mut Context,
    types: TraceTypes,
    result: Word,
    recorder: &Recorder<Word>,
) -> Result<Word, Full> {
    let heap = &mut context.heap;
    let mut traces = [Word::UNIT; 2];
    for (trace, steps) in traces.iter_mut().zip([&recorder.direct, &recorder.deep]) {
        heap.charge(steps.n_words())?;
        let mut pairs = Vec::with_capacity(steps.events.len());
        for (event, trail) in &steps.events {
            let trail = trail.iter().filter_map(|at| Word::small(i64::from(*at)));
            let trail = heap.list_onto(&trail.collect::<Vec<_>>(), Word::NIL)?;
            pairs.push(heap.tuple(&[*event, trail])?);
        }
        let list = heap.list_onto(&pairs, Word::NIL)?;
        *trace = heap.data(types.trace, &[list])?;
    }
    heap.charge(words_of_fields(3))?;
    heap.data(types.traced, &[result, traces[0], traces[1]])
}

/// Notes in every trace that is being made that a branch of a group begins.
pub(super) fn enter_branch(context: &mut Context, site: u64, branch: u32, turn: Turn) {
    let function = Site::unpacked(site).function;
    let state = &mut context.state;
    for recorder in &mut state.recorders {
        recorder.enter(&state.code.program, function, branch, turn);
    }
}

/// Notes in those that saw it begin that it ends.
pub(super) fn leave_branch(context: &mut Context, site: u64, n_recorders: usize) {
    let function = Site::unpacked(site).function;
    let state = &mut context.state;
    for recorder in state.recorders.iter_mut().take(n_recorders) {
        recorder.leave(&state.code.program, function);
    }
}

/// Takes an effect down in every trace that is being made.
pub(super) fn record(context: &mut Context, site: u64, op: OpId, args: &[Word]) -> Word {
    if context.state.recorders.is_empty() || context.state.worlds.is_in_stub() {
        return Word::UNIT;
    }
    let Some(types) = context.state.code.trace else { return Word::UNIT };
    if !is_told(&context.state.code.program, op) {
        return Word::UNIT;
    }
    let mut shown = Vec::with_capacity(args.len());
    for arg in args {
        let text = apply(context, u64::from(SHOW.0), site, &[*arg]);
        if text == Word::FAULT {
            return Word::FAULT;
        }
        shown.push(text);
    }
    match event(context, types, op, &shown) {
        Ok(event) => {
            let function = Site::unpacked(site).function;
            let state = &mut context.state;
            for recorder in &mut state.recorders {
                recorder.note(&state.code.program, function, &event);
            }
            Word::UNIT
        }
        Err(full) => context.raise(full.into(), site),
    }
}

fn event(
    context: &mut Context,
    types: TraceTypes,
    op: OpId,
    shown: &[Word],
) -> Result<Word, Full> {
    let (method, path) = event_texts(context.program(), op, &context.state.path);
    let words = words_of_text((method.len() + path.len()) as u64);
    let heap = &mut context.heap;
    heap.charge(words + words_of_fields(3) + words_of_list(shown.len() as u64))?;
    let fields = [heap.text(&method)?, heap.list_onto(shown, Word::NIL)?, heap.text(&path)?];
    heap.data(types.event, &fields)
}
