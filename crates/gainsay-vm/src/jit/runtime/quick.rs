//! Quick answers: what a host says at once to an operation on small integers, or on a list.

use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};

use gainsay_core::{OpId, Program, Ty, TypeTable};

use super::convert::to_value;
use super::{C, N, of};
use crate::host::{Answer, Host};
use crate::jit::context::{Quick, QuickAnswers};
use crate::jit::log::{Event, Log};
use crate::jit::word::Word;

/// The longest list of integers that is asked about quickly.
const MAX_INTS: usize = 32;

/// Answers no operation quickly.
pub(crate) static DECLINED: QuickAnswers = QuickAnswers {
    on_ints: Quick { on_none: decline_none, on_one: decline_one, on_two: decline_two },
    on_list: decline_list,
    on_choice: decline_list,
    passes: decline_two_words,
};

extern "C" fn decline_none(_: C, _: N) -> Word {
    Word::FAULT
}

extern "C" fn decline_one(_: C, _: N, _: i64) -> Word {
    Word::FAULT
}

extern "C" fn decline_two(_: C, _: N, _: i64, _: i64) -> Word {
    Word::FAULT
}

extern "C" fn decline_list(_: C, _: N, _: Word) -> Word {
    Word::FAULT
}

extern "C" fn decline_two_words(_: C, _: N, _: i64, _: Word) -> Word {
    Word::FAULT
}

/// Lets a host answer quickly, if it wants to.
pub(crate) struct Answering<'h, H: ?Sized, M>(PhantomData<(&'h mut H, M)>);

impl<H: Host + ?Sized, M: Memo> Answering<'_, H, M> {
    pub(crate) const QUICK: &'static QuickAnswers = &QuickAnswers {
        on_ints: Quick { on_none: Self::on_none, on_one: Self::on_one, on_two: Self::on_two },
        on_list: Self::on_list,
        on_choice: Self::on_choice,
        passes: Self::passes,
    };

    extern "C" fn on_none(context: C, op: N) -> Word {
        Self::ask_quickly(context, op, &[])
    }

    extern "C" fn on_one(context: C, op: N, a: i64) -> Word {
        Self::ask_quickly(context, op, &[a])
    }

    extern "C" fn on_two(context: C, op: N, a: i64, b: i64) -> Word {
        Self::ask_quickly(context, op, &[a, b])
    }

    extern "C" fn on_list(context: C, op: N, list: Word) -> Word {
        let mut ints = [0; MAX_INTS];
        match gather(list, &mut ints) {
            Some(ints) => Self::ask_quickly(context, op, ints),
            None => Word::FAULT,
        }
    }

    extern "C" fn on_choice(context: C, op: N, list: Word) -> Word {
        let n = list.list_len() as usize;
        let chosen = Self::ask(context, |host| host.choose(OpId(op as u32), n));
        match chosen.and_then(|at| element(list, at)) {
            Some(chosen) => {
                M::note_value(&mut of(context).state.log, chosen);
                chosen
            }
            None => Word::FAULT,
        }
    }

    extern "C" fn passes(context: C, op: N, place: i64, value: Word) -> Word {
        let passed =
            Self::ask(context, |host| host.lets_pass(OpId(op as u32), place).then_some(value));
        match passed {
            Some(value) => {
                M::note_value(&mut of(context).state.log, value);
                value
            }
            None => Word::FAULT,
        }
    }

    #[inline(always)]
    fn ask_quickly(context: C, op: N, args: &[i64]) -> Word {
        let answer = Self::ask(context, |host| host.quick(OpId(op as u32), args));
        match answer.and_then(|it| Some((it, Word::small(it)?))) {
            Some((answer, word)) => {
                M::note(&mut of(context).state.log, answer);
                word
            }
            None => Word::FAULT,
        }
    }

    /// Asks the host. What it does not answer is performed, where a panic of it is seen.
    #[inline(always)]
    fn ask<T>(context: C, ask: impl FnOnce(&mut H) -> Option<T>) -> Option<T> {
        let concrete = of(context).state.host.concrete;
        // SAFETY: `Machine::run` put the address of the host there, or that of a `&mut H` if one
        // word does not hold it, together with this very instance of the function, for the length
        // of the call; nobody else uses the host meanwhile.
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
                of(context).state.panic = Some(panic);
                None
            }
        }
    }
}

/// What becomes of a quick answer besides being given.
pub(crate) trait Memo {
    fn note(log: &mut Log, answer: i64);

    /// The answer is a part of what was asked about.
    fn note_value(log: &mut Log, answer: Word);
}

/// It is noted, for the interpreter to run the case again.
pub(crate) struct Noted;

/// Nothing: nobody will run the case again.
pub(crate) struct Forgotten;

impl Memo for Noted {
    #[inline(always)]
    fn note(log: &mut Log, answer: i64) {
        log.push_quick(answer);
    }

    fn note_value(log: &mut Log, answer: Word) {
        log.push(Event::Answer(Ok(Answer::Value(to_value(answer)))));
    }
}

impl Memo for Forgotten {
    #[inline(always)]
    fn note(_: &mut Log, _: i64) {}

    fn note_value(_: &mut Log, _: Word) {}
}

/// The integers of a list, if they are few and small.
fn gather(mut list: Word, ints: &mut [i64; MAX_INTS]) -> Option<&[i64]> {
    let n = list.list_len() as usize;
    for int in ints.get_mut(..n)? {
        let (first, rest) = list.uncons()?;
        *int = first.as_small()?;
        list = rest;
    }
    ints.get(..n)
}

/// An element of a list, by its place.
fn element(mut list: Word, at: usize) -> Option<Word> {
    for _ in 0..at {
        (_, list) = list.uncons()?;
    }
    list.uncons().map(|(first, _)| first)
}

/// The quick answer to an operation on other things than integers, if there is one.
pub(super) fn on_values(context: C, op: OpId, args: &[Word]) -> Option<Word> {
    let context = of(context);
    if !context.is_plain() {
        return None;
    }
    let quick = context.state.host_quick;
    let number = u64::from(op.0);
    let answer = match (question(context.program(), op)?, args) {
        (Question::OnInts, [list]) => (quick.on_list)(context, number, *list),
        (Question::Choice, [list]) => (quick.on_choice)(context, number, *list),
        (Question::Passes, [place, value]) => {
            (quick.passes)(context, number, place.as_small()?, *value)
        }
        (Question::OnInts | Question::Choice | Question::Passes, _) => return None,
    };
    (answer != Word::FAULT).then_some(answer)
}

/// What an operation asks.
enum Question {
    /// An integer that belongs to those of a list.
    OnInts,
    /// An element of a list, as it knows nothing else of their type.
    Choice,
    /// What becomes of a value at a place, as it knows nothing else of its type.
    Passes,
}

//   op : (List<Int>) -> Int    op<a> : (List<a>) -> a    op<a> : (Int, a) -> a
//   ───────────────────────    ──────────────────────    ─────────────────────
//           OnInts                     Choice                   Passes
fn question(program: &Program, op: OpId) -> Option<Question> {
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
                Some(Question::OnInts)
            } else {
                is_any().then_some(Question::Choice)
            }
        }
        [(_, place), (_, value)] => {
            let passes = types.base(*place) == TypeTable::INT && types.base(*value) == result;
            (passes && is_any()).then_some(Question::Passes)
        }
        _ => None,
    }
}
