//! Runtime functions for effects: stubs first, then the host.

use std::panic::{AssertUnwindSafe, catch_unwind};

use gainsay_core::{EffectHandler as StubAnswer, OpId, OperationKind, Term};

use super::convert::{to_value, to_word};
use super::{
    ContextPtr, DepthLeft, RawNumber, WordRow, WordRowMut, call_value, context_of,
    fast_answers, row, row_mut, tracing,
};
use crate::effect_trace::BranchStart;
use crate::fault::FaultKind;
use crate::host::{EffectCall, Host, HostAnswer};
use crate::jit::context::{JitContext, TermSite};
use crate::jit::replay_log::HostEvent;
use crate::jit::word::Word;
use crate::limits::{words_of_fields, words_of_list};
use crate::par_order::ParOrder;
use crate::value::Value;

const PANICKED: &str = "the host panicked";

/// Calls the host; `None` if it panics, which is resumed after compiled code has returned.
pub(super) fn with_host<T>(
    context: ContextPtr,
    ask: impl FnOnce(&mut dyn Host) -> T,
) -> Option<T> {
    // After a panic the host is not called again during this case.
    if context_of(context).state.panic.is_some() {
        context_of(context).raise(FaultKind::HostFailed(PANICKED.to_owned()), 0);
        return None;
    }
    let host = context_of(context).state.host.dynamic?;
    // SAFETY: `JitMachine::begin_case` stored the pointer for the duration of the call, and nothing
    // else uses the host meanwhile.
    let host = unsafe { &mut *host };
    match catch_unwind(AssertUnwindSafe(|| ask(host))) {
        Ok(answer) => Some(answer),
        // A panic must not unwind through compiled code, which has no unwind tables.
        Err(panic) => {
            context_of(context).state.panic = Some(panic);
            context_of(context).raise(FaultKind::HostFailed(PANICKED.to_owned()), 0);
            None
        }
    }
}

/// Performs an effect: the innermost world with a stub for it answers, or else the host.
pub(super) extern "C" fn perform(
    context: ContextPtr,
    site: RawNumber,
    args: WordRow,
    depth: DepthLeft,
) -> Word {
    let at = TermSite::unpacked(site);
    // Keeps the program alive independently of the borrow of the context.
    let program = std::sync::Arc::clone(&context_of(context).state.code.program);
    let body = &program.function(at.function).body;
    let Some(Term::Perform { op, type_args, args: terms }) = body.terms.get(at.node as usize)
    else {
        return context_of(context)
            .raise(FaultKind::Unsupported("an effect that is none"), site);
    };
    // SAFETY: compiled code stores a word for each argument of the term.
    let args = unsafe { row(args, terms.len()) };
    if let Some(answer) = fast_answers::fast_answer_on_values(context, *op, args) {
        return answer;
    }
    // Copied before anything else runs: all calls of a compiled function share the row.
    let args = args.to_vec();
    if tracing::record_effect(context_of(context), site, *op, &args) == Word::FAULT {
        return Word::FAULT;
    }
    let stub = context_of(context).stub(*op);
    let answer = match stub {
        Some((world, stub)) => call_stub(context, site, *op, world, (stub, &args), depth),
        None => Word::FAULT,
    };
    // A fault in the stub propagates before the host is notified.
    if stub.is_some() && answer == Word::FAULT {
        return Word::FAULT;
    }
    let values: Vec<Value> = args.iter().map(|arg| to_value(*arg)).collect();
    // Cloned, so that the context stays free for `with_host`.
    let path = context_of(context).state.par_path.clone();
    let call = EffectCall {
        op: *op,
        args: &values,
        type_args,
        site: body.spans[at.node as usize],
        function: at.function,
        // Depth counts down in compiled code, but up in the host interface.
        depth: (i64::from(context_of(context).state.limits.depth) - depth) as u32,
        path: &path,
    };
    if stub.is_some() {
        let value = to_value(answer);
        let notified = with_host(context, |host| host.stub_answered(&call, &value));
        return if notified.is_some() { answer } else { Word::FAULT };
    }
    match with_host(context, |host| host.perform(&call)) {
        None => Word::FAULT,
        Some(answer) => {
            // If the run faults, the interpreter repeats it from the log, without the host
            // (decision 0017).
            context_of(context).state.log.push(HostEvent::Answer(answer.clone()));
            match answer {
                Ok(HostAnswer::Value(value)) => from_host(context_of(context), &value, site),
                Ok(HostAnswer::Call(callee, args)) => {
                    call_host_value(context, (&callee, &args), depth, site)
                }
                Err(refusal) => context_of(context).raise(refusal.into_fault(*op), site),
            }
        }
    }
}

fn call_host_value(
    context: ContextPtr,
    (callee, args): (&Value, &[Value]),
    depth: i64,
    site: u64,
) -> Word {
    let callee = from_host(context_of(context), callee, site);
    if callee == Word::FAULT {
        return Word::FAULT;
    }
    let mut words = Vec::with_capacity(args.len());
    for arg in args {
        let word = from_host(context_of(context), arg, site);
        if word == Word::FAULT {
            return Word::FAULT;
        }
        words.push(word);
    }
    call_value(context, callee, &words, depth - 1, site)
}

/// Converts a value of the host to a word. Nothing is charged for it.
pub(crate) fn from_host(context: &mut JitContext, value: &Value, site: u64) -> Word {
    let code = &context.state.code;
    let code_of = |function| code.function_value(function).unwrap_or(Word::UNIT);
    match to_word(&mut context.heap, value, &code_of) {
        Ok(word) => word,
        Err(full) => context.raise(full.into(), site),
    }
}

/// Calls a stub. A stub of a generative operation, which may answer each call differently, also
/// receives the identity of the call: the branch path and the number of earlier calls there.
fn call_stub(
    context: ContextPtr,
    site: u64,
    op: OpId,
    world: usize,
    (stub, args): (Word, &[Word]),
    depth: i64,
) -> Word {
    let mut stub_args = Vec::with_capacity(args.len() + 2);
    match context_of(context).program().op(op).kind {
        OperationKind::Generative | OperationKind::GenerativeOutput => {
            let state = &mut context_of(context).state;
            // Counted per branch, so that the identity of a call does not depend on the order of
            // branches.
            let n = state.worlds.count_call(world, op, &state.par_path);
            let path = branch_path(context_of(context), site);
            if path == Word::FAULT {
                return Word::FAULT;
            }
            stub_args.push(path);
            stub_args.push(Word::from_small_int(n).unwrap_or(Word::UNIT));
        }
        OperationKind::Snapshot | OperationKind::Output => {}
    }
    stub_args.extend_from_slice(args);
    // A stub performs its own effects in the worlds around its own, or it would answer itself
    // without end.
    let mark = context_of(context).state.worlds.hide(world);
    context_of(context).select_fast_answers();
    let result = call_value(context, stub, &stub_args, depth - 1, site);
    // After a fault the worlds are left as they are: `throws` restores them to its own mark.
    if result != Word::FAULT {
        context_of(context).state.worlds.restore(mark);
        context_of(context).select_fast_answers();
    }
    result
}

fn branch_path(context: &mut JitContext, site: u64) -> Word {
    let Some(ctor) = context.state.code.branch_path else {
        let kind = FaultKind::Unsupported("a stub in a program without `BranchPath`");
        return context.raise(kind, site);
    };
    let path = &context.state.par_path;
    let words = words_of_fields(1) + words_of_list(path.len() as u64);
    let branches: Vec<Word> =
        path.iter().filter_map(|branch| Word::from_small_int(i64::from(*branch))).collect();
    let heap = &mut context.heap;
    let made = heap
        .charge(words)
        .and_then(|()| heap.list_onto(&branches, Word::NIL))
        .and_then(|list| heap.data(ctor, &[list]));
    match made {
        Ok(word) => word,
        Err(full) => context.raise(full.into(), site),
    }
}

//   body ⇓ v under answers, then the enclosing worlds
//   ─────────────────────────────────────────────────
//             under (answers) { body } ⇓ v
pub(super) extern "C" fn under(
    context: ContextPtr,
    site: RawNumber,
    stubs: WordRow,
    body: Word,
    depth: DepthLeft,
) -> Word {
    let at = TermSite::unpacked(site);
    let program = std::sync::Arc::clone(&context_of(context).state.code.program);
    let terms = &program.function(at.function).body.terms;
    let Some(Term::Under { handlers: answers, .. }) = terms.get(at.node as usize) else {
        return context_of(context).raise(FaultKind::Unsupported("a world that is none"), site);
    };
    let mut ops = Vec::new();
    for answer in answers {
        match answer {
            StubAnswer::Stub(op, _) => ops.push(*op),
            StubAnswer::World(world) => {
                ops.extend(program.world(*world).stubs.iter().map(|(op, _)| *op));
            }
        }
    }
    // SAFETY: compiled code stores a stub for each operation of the term.
    let stubs = unsafe { row(stubs, ops.len()) }.iter().copied();
    let stubs = ops.into_iter().zip(stubs).collect();
    let mark = context_of(context).state.worlds.enter(stubs);
    context_of(context).select_fast_answers();
    let result = call_value(context, body, &[], depth - 1, site);
    if result != Word::FAULT {
        context_of(context).state.worlds.restore(mark);
        context_of(context).select_fast_answers();
    }
    result
}

/// Runs the branches of a `par`. Their results replace the branches in the array.
pub(super) extern "C" fn par(
    context: ContextPtr,
    site: RawNumber,
    row: WordRowMut,
    n_branches: RawNumber,
    depth: DepthLeft,
) -> Word {
    // SAFETY: compiled code stores a word for each branch, and reads them when this returns.
    let results = unsafe { row_mut(row, n_branches as usize) };
    let order =
        ParOrder::branch_order(context_of(context).state.par_order.as_ref(), results.len());
    let mut turn = BranchStart::First;
    for at in order {
        let result = run_branch(context, site, (at as u32, turn), results[at], depth);
        if result == Word::FAULT {
            return Word::FAULT;
        }
        results[at] = result;
        turn = BranchStart::Later;
    }
    Word::UNIT
}

/// Runs a branch of a `par` on its own branch path.
fn run_branch(
    context: ContextPtr,
    site: u64,
    (index, turn): (u32, BranchStart),
    body: Word,
    depth: i64,
) -> Word {
    let n_branches = context_of(context).state.par_path.len();
    // A traced call inside the branch that faults leaves its recorder behind.
    let n_recorders = context_of(context).state.recorders.len();
    context_of(context).state.par_path.push(index);
    tracing::enter_branch(context_of(context), site, index, turn);
    let result = call_value(context, body, &[], depth - 1, site);
    tracing::leave_branch(context_of(context), site, n_recorders);
    // After a fault, too, which an enclosing `throws` may turn into a value.
    context_of(context).state.par_path.truncate(n_branches);
    result
}
