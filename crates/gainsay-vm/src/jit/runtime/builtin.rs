//! The meaning of the builtins over words: the same values, faults, steps and words as the
//! [meaning over values](crate::builtin), which it asks for what is rare or long anyway.
//!
//! As there, what an operation takes is charged first, in the same order; the cells then come
//! from the arena without being charged again.

mod char;
mod float;
mod int;
mod list;
mod map;
mod set;
mod str;
mod value;

use std::sync::LazyLock;

use gainsay_core::{BuiltinId, Program};

use super::convert::{CodeOf, to_value, to_word};
use crate::builtin::{Context, by_id};
use crate::fault::FaultKind;
use crate::jit::heap::{Full, Heap};
use crate::jit::steps::Steps;
use crate::jit::word::{Kind, View, Word};
use crate::limits::{
    Limits, WORK_PER_COMPARISON, words_of_fields, words_of_list, words_of_text,
};
use crate::meter::Meter;
use crate::order::Spent;

/// What a builtin may use besides its arguments.
pub(crate) struct Tools<'a> {
    pub(crate) program: &'a Program,
    pub(crate) heap: &'a mut Heap,
    pub(crate) steps: &'a mut Steps,
    pub(crate) code_of: CodeOf<'a>,
    /// Bytes that may be held at once.
    pub(crate) live_bytes: u64,
}

/// The value of a builtin; faults are rare and boxed to keep the common case small.
type Return = Result<Word, Box<FaultKind>>;

/// The meaning of a builtin.
#[derive(Copy, Clone)]
enum Meaning {
    /// What it does.
    Whole(fn(&mut Tools<'_>, &[Word]) -> Return),
    /// What it does with common arguments; no answer for others.
    Common(fn(&mut Tools<'_>, &[Word]) -> Option<Return>),
    /// What it does with values.
    ByValue,
}

use Meaning::{Common, Whole};

/// The functions under the names of their rows.
type Rows = &'static [(&'static str, Meaning)];

/// Runs a builtin.
pub(crate) fn run(id: BuiltinId, tools: &mut Tools<'_>, args: &[Word]) -> Return {
    match TABLE.get(id.index()) {
        Some(Whole(run)) => run(tools, args),
        Some(Common(run)) => run(tools, args).unwrap_or_else(|| run_by_value(id, tools, args)),
        Some(Meaning::ByValue) | None => run_by_value(id, tools, args),
    }
}

static TABLE: LazyLock<Vec<Meaning>> = LazyLock::new(|| {
    let rows = [
        value::ROWS,
        int::ROWS,
        float::ROWS,
        char::ROWS,
        str::ROWS,
        list::ROWS,
        map::ROWS,
        set::ROWS,
    ];
    by_id(&rows).into_iter().map(|it| it.unwrap_or(Meaning::ByValue)).collect()
});

/// Runs a builtin on the values of its arguments, with a meter that goes on from what has been
/// used.
#[cold]
fn run_by_value(id: BuiltinId, tools: &mut Tools<'_>, args: &[Word]) -> Return {
    let args: Vec<_> = args.iter().map(|arg| to_value(*arg)).collect();
    let limits = Limits {
        steps: tools.steps.limit(),
        depth: 0,
        words: tools.heap.max_words(),
        live_bytes: tools.live_bytes,
    };
    let (steps, words) = (tools.steps.taken(), tools.heap.words());
    let interrupt = tools.steps.interrupt();
    let mut meter = Meter::resumed(limits, interrupt.as_deref(), steps, words);
    let mut context = Context { program: tools.program, meter: &mut meter };
    let result = crate::builtin::run(id, &mut context, &args);
    let (steps, words) = (meter.steps - steps, meter.words - words);
    tools.steps.take(steps)?;
    // Where there are too few words, that is the fault.
    let charged = tools.heap.charge(words);
    let value = result?;
    charged?;
    Ok(to_word(tools.heap, &value, tools.code_of)?)
}

impl Tools<'_> {
    /// Takes words for a value about to be made.
    fn take(&mut self, words: u64) -> Result<(), Box<FaultKind>> {
        Ok(self.heap.charge(words)?)
    }

    /// Charges work in elements or bytes.
    fn work(&mut self, amount: u64) -> Result<(), Box<FaultKind>> {
        self.steps.work(amount).map_err(Box::new)
    }

    /// Lets an operation compare as many pairs as the remaining steps allow, and charges it
    /// for those it compared.
    fn comparing<T>(
        &mut self,
        operation: impl FnOnce(&mut Heap, &mut u64) -> Result<T, Stop>,
    ) -> Result<T, Box<FaultKind>> {
        let allowed = self.steps.work_left() / WORK_PER_COMPARISON + 1;
        let mut left = allowed;
        let result = operation(self.heap, &mut left);
        self.work((allowed - left).saturating_mul(WORK_PER_COMPARISON))?;
        result.map_err(|stop| match stop {
            Stop::Spent => Box::new(FaultKind::StepLimit),
            Stop::Full => Box::new(FaultKind::MemoryLimit),
        })
    }

    /// `Some(content)` or `None`.
    fn option(&mut self, content: Option<Word>) -> Return {
        let lang = &self.program.lang;
        let (Some(some), Some(none)) = (lang.some, lang.none) else {
            return Err(Box::new(FaultKind::Unsupported("a program without `Option`")));
        };
        match content {
            None => Ok(Word::nullary(none)),
            Some(content) => {
                self.take(words_of_fields(1))?;
                Ok(self.heap.data(some, &[content])?)
            }
        }
    }

    /// Charges for a text about to be made.
    fn take_text(&mut self, n_bytes: u64) -> Result<(), Box<FaultKind>> {
        self.take(words_of_text(n_bytes))?;
        self.work(n_bytes)
    }

    /// Charges for a list about to be made.
    fn take_list(&mut self, len: u64) -> Result<(), Box<FaultKind>> {
        self.take(words_of_list(len))?;
        self.work(len)
    }

    /// A list that has to be charged.
    fn list(&mut self, items: impl ExactSizeIterator<Item = Word>) -> Return {
        self.take_list(items.len() as u64)?;
        Ok(self.heap.list(items, Word::NIL)?)
    }
}

/// Why an operation that compares ends without a result.
enum Stop {
    /// It may not compare any more.
    Spent,
    /// There is no more room.
    Full,
}

impl From<Spent> for Stop {
    fn from(_: Spent) -> Self {
        Self::Spent
    }
}

impl From<Full> for Stop {
    fn from(_: Full) -> Self {
        Self::Full
    }
}

fn out_of_range(what: String) -> Box<FaultKind> {
    Box::new(FaultKind::OutOfRange { what })
}

/// What a checked program cannot cause.
#[cold]
fn mistyped<T>() -> Result<T, Box<FaultKind>> {
    Err(Box::new(FaultKind::Unsupported("a builtin with arguments of other types")))
}

fn char_of(word: Word) -> Result<char, Box<FaultKind>> {
    if let View::Char(char) = word.view() { Ok(char) } else { mistyped() }
}

/// A text and how many characters it has.
fn text_of<'a>(word: Word) -> Result<(&'a str, u64), Box<FaultKind>> {
    if let View::Str(text, n_chars) = word.view() { Ok((text, n_chars)) } else { mistyped() }
}

/// The elements of a list.
fn list_of(word: Word) -> Result<Items, Box<FaultKind>> {
    match word {
        Word::NIL => Ok(Items(word)),
        _ if word.is_cell() && word.kind() == Kind::Cons => Ok(Items(word)),
        _ => mistyped(),
    }
}

/// A map or set.
fn table_of(word: Word) -> Result<Table, Box<FaultKind>> {
    if let View::Map(root) | View::Set(root) = word.view() {
        Ok(Table { word, len: root.map_or(0, |root| root.size) })
    } else {
        mistyped()
    }
}

/// A map or set, with its length.
struct Table {
    word: Word,
    len: u64,
}

/// An integer as a count: `None` when negative, as many as there can be when too big.
fn count_of(word: Word) -> Result<Option<u64>, Box<FaultKind>> {
    if let Some(int) = word.as_small() {
        return Ok(u64::try_from(int).ok());
    }
    let View::Big(is_negative, limbs) = word.view() else { return mistyped() };
    let count = if let [limb] = limbs { *limb } else { u64::MAX };
    Ok((!is_negative).then_some(count))
}

/// An integer as a position: those outside the range of positions become its ends.
fn clamped(word: Word, len: u64) -> Result<u64, Box<FaultKind>> {
    count_of(word).map(|count| count.unwrap_or(0).min(len))
}

/// Elements of a list, from the front.
#[derive(Debug, Copy, Clone)]
struct Items(Word);

impl Items {
    /// How many there are.
    fn n_items(self) -> u64 {
        self.0.list_len()
    }
}

impl Iterator for Items {
    type Item = Word;

    fn next(&mut self) -> Option<Word> {
        let (head, tail) = self.0.uncons()?;
        self.0 = tail;
        Some(head)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.0.list_len() as usize;
        (len, Some(len))
    }
}

impl ExactSizeIterator for Items {}
