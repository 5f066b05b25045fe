//! Fast paths of the host: immediate answers to operations on small integers or on a list.

use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};

use gainsay_core::{OpId, Program, Ty, TypeTable};

use super::convert::to_value;
use super::{ContextPtr, RawNumber, context_of};
use crate::host::{Host, HostAnswer};
use crate::jit::context::{FastAnswers, FastIntAnswers};
use crate::jit::replay_log::{HostEvent, HostLog};
use crate::jit::word::Word;

/// The longest list of integers with a fast path.
const MAX_INTS: usize = 64;

/// Declines every operation.
pub(crate) static NO_FAST_ANSWERS: FastAnswers = FastAnswers {
    on_ints: FastIntAnswers {
        on_none: decline_none,
        on_one: decline_one,
        on_two: decline_two,
        on_three: decline_three,
    },
    on_list: decline_list,
    on_choice: decline_list,
    on_passthrough: decline_two_words,
};

extern "C" fn decline_none(_: ContextPtr, _: RawNumber) -> Word {
    Word::FAULT
}

extern "C" fn decline_one(_: ContextPtr, _: RawNumber, _: i64) -> Word {
    Word::FAULT
}

extern "C" fn decline_two(_: ContextPtr, _: RawNumber, _: i64, _: i64) -> Word {
    Word::FAULT
}

extern "C" fn decline_three(_: ContextPtr, _: RawNumber, _: i64, _: i64, _: i64) -> Word {
    Word::FAULT
}

extern "C" fn decline_list(_: ContextPtr, _: RawNumber, _: Word) -> Word {
    Word::FAULT
}

extern "C" fn decline_two_words(_: ContextPtr, _: RawNumber, _: i64, _: Word) -> Word {
    Word::FAULT
}

/// The fast-path functions for a host type, monomorphized so that its methods can be inlined.
pub(crate) struct HostFastAnswers<'h, H: ?Sized, M>(PhantomData<(&'h mut H, M)>);

impl<H: Host + ?Sized, M: AnswerLogging> HostFastAnswers<'_, H, M> {
    pub(crate) const FAST_ANSWERS: &'static FastAnswers = &FastAnswers {
        on_ints: FastIntAnswers {
            on_none: Self::on_none,
            on_one: Self::on_one,
            on_two: Self::on_two,
            on_three: Self::on_three,
        },
        on_list: Self::on_list,
        on_choice: Self::on_choice,
        on_passthrough: Self::on_passthrough,
    };

    extern "C" fn on_none(context: ContextPtr, op: RawNumber) -> Word {
        Self::answer_ints(context, op, &[])
    }

    extern "C" fn on_one(context: ContextPtr, op: RawNumber, a: i64) -> Word {
        Self::answer_ints(context, op, &[a])
    }

    extern "C" fn on_two(context: ContextPtr, op: RawNumber, a: i64, b: i64) -> Word {
        Self::answer_ints(context, op, &[a, b])
    }

    extern "C" fn on_three(context: ContextPtr, op: RawNumber, a: i64, b: i64, c: i64) -> Word {
        Self::answer_ints(context, op, &[a, b, c])
    }

    extern "C" fn on_list(context: ContextPtr, op: RawNumber, list: Word) -> Word {
        let mut ints = [0; MAX_INTS];
        let n_needed =
            Self::ask_host(context, |host| Some(host.n_needed_ints(OpId(op as u32))));
        match small_ints_of(list, &mut ints, n_needed.unwrap_or(usize::MAX)) {
            Some(ints) => Self::answer_ints(context, op, ints),
            // Long lists and big integers take the regular path.
            None => Word::FAULT,
        }
    }

    extern "C" fn on_choice(context: ContextPtr, op: RawNumber, list: Word) -> Word {
        let n = list.list_len() as usize;
        let chosen = Self::ask_host(context, |host| host.fast_choice(OpId(op as u32), n));
        match chosen.and_then(|at| element(list, at)) {
            Some(chosen) => {
                M::log_value(&mut context_of(context).state.log, chosen);
                chosen
            }
            None => Word::FAULT,
        }
    }

    extern "C" fn on_passthrough(
        context: ContextPtr,
        op: RawNumber,
        place: i64,
        value: Word,
    ) -> Word {
        let passed = Self::ask_host(context, |host| {
            host.fast_passthrough(OpId(op as u32), place).then_some(value)
        });
        match passed {
            Some(value) => {
                M::log_value(&mut context_of(context).state.log, value);
                value
            }
            None => Word::FAULT,
        }
    }

    #[inline(always)]
    fn answer_ints(context: ContextPtr, op: RawNumber, args: &[i64]) -> Word {
        let answer = Self::ask_host(context, |host| host.fast_answer(OpId(op as u32), args));
        // An answer that is not small is ignored, and the operation is performed the regular way.
        match answer.and_then(|it| Some((it, Word::from_small_int(it)?))) {
            Some((answer, word)) => {
                M::log_int(&mut context_of(context).state.log, answer);
                word
            }
            None => Word::FAULT,
        }
    }

    /// Calls the host. If it declines or panics, the operation is performed the regular way, where
    /// the panic is noticed.
    #[inline(always)]
    fn ask_host<T>(context: ContextPtr, ask: impl FnOnce(&mut H) -> Option<T>) -> Option<T> {
        let concrete = context_of(context).state.host.concrete;
        // SAFETY: `JitMachine::begin_case` stored the address of the host there, or that of a
        // `&mut H` if a reference is wider than a word, together with this very instance of the
        // function, for the duration of the call; nothing else uses the host meanwhile.
        let host: &mut H = unsafe {
            if size_of::<&mut H>() == size_of::<*mut ()>() {
                std::mem::transmute_copy::<*mut (), &mut H>(&concrete)
            } else {
                &mut **concrete.cast::<&mut H>()
            }
        };
        match catch_unwind(AssertUnwindSafe(|| ask(host))) {
            Ok(answer) => answer,
            Err(panic) => {
                // The regular path finds the panic in `with_host` and raises the fault.
                context_of(context).state.panic = Some(panic);
                None
            }
        }
    }
}

/// How a fast-path answer is logged.
pub(crate) trait AnswerLogging {
    fn log_int(log: &mut HostLog, answer: i64);

    /// Logs an answer that is a part of the operation's arguments.
    fn log_value(log: &mut HostLog, answer: Word);
}

/// Logs answers, so that the interpreter can replay the case.
pub(crate) struct LoggedAnswers;

/// Logs nothing: the case is never replayed.
pub(crate) struct UnloggedAnswers;

impl AnswerLogging for LoggedAnswers {
    #[inline(always)]
    fn log_int(log: &mut HostLog, answer: i64) {
        log.push_fast_answer(answer);
    }

    fn log_value(log: &mut HostLog, answer: Word) {
        log.push(HostEvent::Answer(Ok(HostAnswer::Value(to_value(answer)))));
    }
}

impl AnswerLogging for UnloggedAnswers {
    #[inline(always)]
    fn log_int(_: &mut HostLog, _: i64) {}

    fn log_value(_: &mut HostLog, _: Word) {}
}

/// The integers of a list, if they are few and small. After the first ones, which are needed, those
/// that are not small are left out.
fn small_ints_of(
    mut list: Word,
    ints: &mut [i64; MAX_INTS],
    n_needed: usize,
) -> Option<&[i64]> {
    // `None` here if the list is too long.
    let mut left = ints.get_mut(..list.list_len() as usize)?.iter_mut();
    let mut n = 0;
    while let Some((first, rest)) = list.split_first() {
        match first.as_small_int() {
            Some(int) => {
                *left.next()? = int;
                n += 1;
            }
            None if n < n_needed => return None,
            None => {}
        }
        list = rest;
    }
    ints.get(..n)
}

/// The element of a list at an index.
fn element(mut list: Word, at: usize) -> Option<Word> {
    for _ in 0..at {
        (_, list) = list.split_first()?;
    }
    list.split_first().map(|(first, _)| first)
}

/// The fast-path answer to an operation on values other than integers, if there is one.
pub(super) fn fast_answer_on_values(
    context: ContextPtr,
    op: OpId,
    args: &[Word],
) -> Option<Word> {
    let state = context_of(context);
    // A stub could answer, or a trace must record, the operation.
    if !state.is_host_only() {
        return None;
    }
    let quick = state.state.host_fast_answers;
    let number = u64::from(op.0);
    let answer = match (fast_operation_of(state.program(), op)?, args) {
        (FastOperation::OnInts, [list]) => (quick.on_list)(context, number, *list),
        (FastOperation::Choice, [list]) => (quick.on_choice)(context, number, *list),
        (FastOperation::Passthrough, [place, value]) => {
            (quick.on_passthrough)(context, number, place.as_small_int()?, *value)
        }
        (FastOperation::OnInts | FastOperation::Choice | FastOperation::Passthrough, _) => {
            return None;
        }
    };
    (answer != Word::FAULT).then_some(answer)
}

/// The kinds of operations with a fast path.
enum FastOperation {
    /// An integer, from a list of integers.
    OnInts,
    /// An element of a list, since the operation knows nothing else about their type.
    Choice,
    /// The value passed through, since the operation knows nothing else about its type.
    Passthrough,
}

//   op : (List<Int>) -> Int    op<a> : (List<a>) -> a    op<a> : (Int, a) -> a
//   ───────────────────────    ──────────────────────    ─────────────────────
//           OnInts                     Choice                 Passthrough
fn fast_operation_of(program: &Program, op: OpId) -> Option<FastOperation> {
    let op = program.op(op);
    let types = &program.types;
    let result = types.base(op.result);
    let is_any = || matches!(types.get(result), Ty::Param(_));
    match &*op.params {
        [(_, list)] => {
            let Ty::List(element) = types.get(types.base(*list)) else { return None };
            if types.base(*element) != result {
                None
            } else if result == TypeTable::INT {
                Some(FastOperation::OnInts)
            } else {
                is_any().then_some(FastOperation::Choice)
            }
        }
        [(_, place), (_, value)] => {
            let passes = types.base(*place) == TypeTable::INT && types.base(*value) == result;
            (passes && is_any()).then_some(FastOperation::Passthrough)
        }
        _ => None,
    }
}
