//! Effects: worlds first, then the host.

use std::panic::{AssertUnwindSafe, catch_unwind};

use gainsay_core::{Answer as StubAnswer, Dimension, OpId, Term};

use super::convert::{to_value, to_word};
use super::{C, D, MutRow, N, Row, call_value, of, quick, row, row_mut, traced};
use crate::fault::FaultKind;
use crate::host::{Answer, EffectCall, Host};
use crate::jit::context::{Context, Site};
use crate::jit::log::Event;
use crate::jit::word::Word;
use crate::limits::{words_of_fields, words_of_list};
use crate::par_order::ParOrder;
use crate::traces::Turn;
use crate::value::Value;

const PANICKED: &str = "the host panicked";

/// Asks the host; nothing when it panics, which goes on once compiled code has been left.
pub(super) fn with_host<T>(context: C, ask: impl FnOnce(&mut dyn Host) -> T) -> Option<T> {
    if of(context).state.panic.is_some() {
        of(context).raise(FaultKind::HostFailed(PANICKED.to_owned()), 0);
        return None;
    }
    let host = of(context).state.host.dynamic?;
    // SAFETY: `Worker::run` put the pointer there for the length of the call, and nothing
    // else uses the host while it is asked.
    let host = unsafe { &mut *host };
    match catch_unwind(AssertUnwindSafe(|| ask(host))) {
        Ok(answer) => Some(answer),
        Err(panic) => {
            of(context).state.panic = Some(panic);
            of(context).raise(FaultKind::HostFailed(PANICKED.to_owned()), 0);
            None
        }
    }
}

/// An effect: the innermost world that has an answer gives it, or else the host.
pub(super) extern "C" fn perform(context: C, site: N, args: Row, depth: D) -> Word {
    let at = Site::unpacked(site);
    let program = std::sync::Arc::clone(&of(context).state.code.program);
    let body = &program.function(at.function).body;
    let Some(Term::Perform { op, type_args, args: terms }) = body.terms.get(at.node as usize)
    else {
        return of(context).raise(FaultKind::Unsupported("an effect that is none"), site);
    };
    let args = row(args, terms.len());
    if let Some(answer) = quick::on_values(context, *op, args) {
        return answer;
    }
    let args = args.to_vec();
    if traced::record(of(context), site, *op, &args) == Word::FAULT {
        return Word::FAULT;
    }
    let stub = of(context).stub(*op);
    let answer = match stub {
        Some((world, stub)) => ask_stub(context, site, *op, world, (stub, &args), depth),
        None => Word::FAULT,
    };
    if stub.is_some() && answer == Word::FAULT {
        return Word::FAULT;
    }
    let values: Vec<Value> = args.iter().map(|arg| to_value(*arg)).collect();
    let path = of(context).state.path.clone();
    let call = EffectCall {
        op: *op,
        args: &values,
        type_args,
        site: body.spans[at.node as usize],
        function: at.function,
        depth: (i64::from(of(context).state.limits.depth) - depth) as u32,
        path: &path,
    };
    if stub.is_some() {
        let value = to_value(answer);
        let heard = with_host(context, |host| host.answered(&call, &value));
        return if heard.is_some() { answer } else { Word::FAULT };
    }
    match with_host(context, |host| host.perform(&call)) {
        None => Word::FAULT,
        Some(answer) => {
            of(context).state.log.push(Event::Answer(answer.clone()));
            match answer {
                Ok(Answer::Value(value)) => from_host(of(context), &value, site),
                Ok(Answer::Call(callee, args)) => {
                    call_host_value(context, (&callee, &args), depth, site)
                }
                Err(refusal) => of(context).raise(refusal.fault(*op), site),
            }
        }
    }
}

fn call_host_value(
    context: C,
    (callee, args): (&Value, &[Value]),
    depth: i64,
    site: u64,
) -> Word {
    let callee = from_host(of(context), callee, site);
    if callee == Word::FAULT {
        return Word::FAULT;
    }
    let mut words = Vec::with_capacity(args.len());
    for arg in args {
        let word = from_host(of(context), arg, site);
        if word == Word::FAULT {
            return Word::FAULT;
        }
        words.push(word);
    }
    call_value(context, callee, &words, depth - 1, site)
}

/// A value of the host as a word. Nothing is charged for it.
pub(crate) fn from_host(context: &mut Context, value: &Value, site: u64) -> Word {
    let code = &context.state.code;
    let code_of = |function| code.value_of(function).unwrap_or(Word::UNIT);
    match to_word(&mut context.heap, value, &code_of) {
        Ok(word) => word,
        Err(full) => context.raise(full.into(), site),
    }
}

/// Asks a stub. Where each call has an answer of its own, the stub is told which call it is:
/// the branch, and the number of earlier calls there.
fn ask_stub(
    context: C,
    site: u64,
    op: OpId,
    world: usize,
    (stub, args): (Word, &[Word]),
    depth: i64,
) -> Word {
    let mut told = Vec::with_capacity(args.len() + 2);
    match of(context).program().op(op).dimension {
        Dimension::Generative | Dimension::GenerativeOutput => {
            let state = &mut of(context).state;
            let n = state.worlds.count(world, op, &state.path);
            let path = branch_path(of(context), site);
            if path == Word::FAULT {
                return Word::FAULT;
            }
            told.push(path);
            told.push(Word::small(n).unwrap_or(Word::UNIT));
        }
        Dimension::Snapshot | Dimension::Output => {}
    }
    told.extend_from_slice(args);
    let mark = of(context).state.worlds.hide(world);
    of(context).choose_quick();
    let result = call_value(context, stub, &told, depth - 1, site);
    if result != Word::FAULT {
        of(context).state.worlds.leave(mark);
        of(context).choose_quick();
    }
    result
}

fn branch_path(context: &mut Context, site: u64) -> Word {
    let Some(ctor) = context.state.code.branch_path else {
        let kind = FaultKind::Unsupported("a stub in a program without `BranchPath`");
        return context.raise(kind, site);
    };
    let path = &context.state.path;
    let words = words_of_fields(1) + words_of_list(path.len() as u64);
    let branches: Vec<Word> =
        path.iter().filter_map(|branch| Word::small(i64::from(*branch))).collect();
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

//   body ⇓ v under answers, then the worlds around
//   ──────────────────────────────────────────────
//            under (answers) { body } ⇓ v
pub(super) extern "C" fn under(context: C, site: N, stubs: Row, body: Word, depth: D) -> Word {
    let at = Site::unpacked(site);
    let program = std::sync::Arc::clone(&of(context).state.code.program);
    let terms = &program.function(at.function).body.terms;
    let Some(Term::Under { answers, .. }) = terms.get(at.node as usize) else {
        return of(context).raise(FaultKind::Unsupported("a world that is none"), site);
    };
    let mut ops = Vec::new();
    for answer in answers {
        match answer {
            StubAnswer::Stub(op, _) => ops.push(*op),
            StubAnswer::World(world) => {
                ops.extend(program.world(*world).answers.iter().map(|(op, _)| *op));
            }
        }
    }
    let stubs = row(stubs, ops.len()).iter().copied();
    let stubs = ops.into_iter().zip(stubs).collect();
    let mark = of(context).state.worlds.enter(stubs);
    of(context).choose_quick();
    let result = call_value(context, body, &[], depth - 1, site);
    if result != Word::FAULT {
        of(context).state.worlds.leave(mark);
        of(context).choose_quick();
    }
    result
}

/// Runs the branches of a `par`. Their results take the places of the branches in the row.
pub(super) extern "C" fn par(
    context: C,
    site: N,
    row: MutRow,
    n_branches: N,
    depth: D,
) -> Word {
    let results = row_mut(row, n_branches as usize);
    let order = ParOrder::of(of(context).state.par_order.as_ref(), results.len());
    let mut turn = Turn::First;
    for at in order {
        let result = branch(context, site, (at as u32, turn), results[at], depth);
        if result == Word::FAULT {
            return Word::FAULT;
        }
        results[at] = result;
        turn = Turn::Later;
    }
    Word::UNIT
}

/// Runs a branch of a `par` on its own path.
fn branch(context: C, site: u64, (index, turn): (u32, Turn), body: Word, depth: i64) -> Word {
    let n_branches = of(context).state.path.len();
    let n_recorders = of(context).state.recorders.len();
    of(context).state.path.push(index);
    traced::enter_branch(of(context), site, index, turn);
    let result = call_value(context, body, &[], depth - 1, site);
    traced::leave_branch(of(context), site, n_recorders);
    of(context).state.path.truncate(n_branches);
    result
}
