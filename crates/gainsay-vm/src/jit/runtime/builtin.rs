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

use super::convert::{FunctionCells, to_value, to_word};
use crate::builtin::{BuiltinContext, index_by_id};
use crate::comparison::VisitLimitReached;
use crate::fault::FaultKind;
use crate::jit::arena::{Arena, ArenaFull};
use crate::jit::step_counter::StepCounter;
use crate::jit::word::{CellKind, Word, WordView};
use crate::limits::{
    Limits, WORK_PER_COMPARISON, words_of_fields, words_of_list, words_of_text,
};
use crate::meter::Meter;

/// What a builtin may use besides its arguments.
pub(crate) struct WordBuiltinContext<'a> {
    pub(crate) program: &'a Program,
    pub(crate) heap: &'a mut Arena,
    pub(crate) steps: &'a mut StepCounter,
    pub(crate) function_cells: FunctionCells<'a>,
    /// Bytes that may be held at once.
    pub(crate) live_bytes: u64,
}

/// The value of a builtin; faults are rare and boxed to keep the common case small.
type WordBuiltinResult = Result<Word, Box<FaultKind>>;

/// The meaning of a builtin.
#[derive(Copy, Clone)]
enum WordBuiltin {
    /// What it does.
    Complete(fn(&mut WordBuiltinContext<'_>, &[Word]) -> WordBuiltinResult),
    /// What it does with common arguments; no answer for others.
    FastPath(fn(&mut WordBuiltinContext<'_>, &[Word]) -> Option<WordBuiltinResult>),
    /// What it does with values.
    ByValue,
}

use WordBuiltin::{Complete, FastPath};

/// The functions under the names of their rows.
type WordBuiltinRows = &'static [(&'static str, WordBuiltin)];

/// Runs a builtin.
pub(crate) fn run(
    id: BuiltinId,
    tools: &mut WordBuiltinContext<'_>,
    args: &[Word],
) -> WordBuiltinResult {
    match TABLE.get(id.index()) {
        Some(Complete(run)) => run(tools, args),
        Some(FastPath(run)) => {
            run(tools, args).unwrap_or_else(|| run_by_value(id, tools, args))
        }
        Some(WordBuiltin::ByValue) | None => run_by_value(id, tools, args),
    }
}

static TABLE: LazyLock<Vec<WordBuiltin>> = LazyLock::new(|| {
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
    index_by_id(&rows).into_iter().map(|it| it.unwrap_or(WordBuiltin::ByValue)).collect()
});

/// Runs a builtin on the values of its arguments, with a meter that goes on from what has been
/// used.
#[cold]
fn run_by_value(
    id: BuiltinId,
    tools: &mut WordBuiltinContext<'_>,
    args: &[Word],
) -> WordBuiltinResult {
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
    let mut context = BuiltinContext { program: tools.program, meter: &mut meter };
    let result = crate::builtin::run(id, &mut context, &args);
    let (steps, words) = (meter.steps - steps, meter.words - words);
    tools.steps.charge_steps(steps)?;
    // Where there are too few words, that is the fault.
    let charged = tools.heap.charge(words);
    let value = result?;
    charged?;
    Ok(to_word(tools.heap, &value, tools.function_cells)?)
}

impl WordBuiltinContext<'_> {
    /// Takes words for a value about to be made.
    fn charge_words(&mut self, words: u64) -> Result<(), Box<FaultKind>> {
        Ok(self.heap.charge(words)?)
    }

    /// Charges work in elements or bytes.
    fn charge_work(&mut self, amount: u64) -> Result<(), Box<FaultKind>> {
        self.steps.charge_work(amount).map_err(Box::new)
    }

    /// Lets an operation compare as many pairs as the remaining steps allow, and charges it
    /// for those it compared.
    fn charge_comparisons<T>(
        &mut self,
        operation: impl FnOnce(&mut Arena, &mut u64) -> Result<T, WordOperationError>,
    ) -> Result<T, Box<FaultKind>> {
        let allowed = self.steps.work_left() / WORK_PER_COMPARISON + 1;
        let mut left = allowed;
        let result = operation(self.heap, &mut left);
        self.charge_work((allowed - left).saturating_mul(WORK_PER_COMPARISON))?;
        result.map_err(|stop| match stop {
            WordOperationError::VisitLimit => Box::new(FaultKind::StepLimit),
            WordOperationError::ArenaFull => Box::new(FaultKind::MemoryLimit),
        })
    }

    /// `Some(content)` or `None`.
    fn option(&mut self, content: Option<Word>) -> WordBuiltinResult {
        let lang = &self.program.lang;
        let (Some(some), Some(none)) = (lang.some, lang.none) else {
            return Err(Box::new(FaultKind::Unsupported("a program without `Option`")));
        };
        match content {
            None => Ok(Word::nullary(none)),
            Some(content) => {
                self.charge_words(words_of_fields(1))?;
                Ok(self.heap.data(some, &[content])?)
            }
        }
    }

    /// Charges for a text about to be made.
    fn charge_text(&mut self, n_bytes: u64) -> Result<(), Box<FaultKind>> {
        self.charge_words(words_of_text(n_bytes))?;
        self.charge_work(n_bytes)
    }

    /// Charges for a list about to be made.
    fn charge_list(&mut self, len: u64) -> Result<(), Box<FaultKind>> {
        self.charge_words(words_of_list(len))?;
        self.charge_work(len)
    }

    /// A list that has to be charged.
    fn list(&mut self, items: impl ExactSizeIterator<Item = Word>) -> WordBuiltinResult {
        self.charge_list(items.len() as u64)?;
        Ok(self.heap.list(items, Word::NIL)?)
    }
}

/// Why an operation that compares ends without a result.
enum WordOperationError {
    /// It may not compare any more.
    VisitLimit,
    /// There is no more room.
    ArenaFull,
}

impl From<VisitLimitReached> for WordOperationError {
    fn from(_: VisitLimitReached) -> Self {
        Self::VisitLimit
    }
}

impl From<ArenaFull> for WordOperationError {
    fn from(_: ArenaFull) -> Self {
        Self::ArenaFull
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
    if let WordView::Char(char) = word.view() { Ok(char) } else { mistyped() }
}

/// A text and how many characters it has.
fn text_of<'a>(word: Word) -> Result<(&'a str, u64), Box<FaultKind>> {
    if let WordView::Str(text, n_chars) = word.view() {
        Ok((text, n_chars))
    } else {
        mistyped()
    }
}

/// The elements of a list.
fn list_of(word: Word) -> Result<WordListIter, Box<FaultKind>> {
    match word {
        Word::NIL => Ok(WordListIter(word)),
        _ if word.is_cell() && word.kind() == CellKind::Cons => Ok(WordListIter(word)),
        _ => mistyped(),
    }
}

/// A map or set.
fn table_of(word: Word) -> Result<WordTable, Box<FaultKind>> {
    if let WordView::Map(root) | WordView::Set(root) = word.view() {
        Ok(WordTable { word, len: root.map_or(0, |root| root.size) })
    } else {
        mistyped()
    }
}

/// A map or set, with its length.
struct WordTable {
    word: Word,
    len: u64,
}

/// An integer as a count: `None` when negative, as many as there can be when too big.
fn count_of(word: Word) -> Result<Option<u64>, Box<FaultKind>> {
    if let Some(int) = word.as_small_int() {
        return Ok(u64::try_from(int).ok());
    }
    let WordView::Big(is_negative, limbs) = word.view() else { return mistyped() };
    let count = if let [limb] = limbs { *limb } else { u64::MAX };
    Ok((!is_negative).then_some(count))
}

/// An integer as a position: those outside the range of positions become its ends.
fn clamped_position(word: Word, len: u64) -> Result<u64, Box<FaultKind>> {
    count_of(word).map(|count| count.unwrap_or(0).min(len))
}

/// Elements of a list, from the front.
#[derive(Debug, Copy, Clone)]
struct WordListIter(Word);

impl WordListIter {
    /// How many there are.
    fn n_items(self) -> u64 {
        self.0.list_len()
    }
}

impl Iterator for WordListIter {
    type Item = Word;

    fn next(&mut self) -> Option<Word> {
        let (head, tail) = self.0.split_first()?;
        self.0 = tail;
        Some(head)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.0.list_len() as usize;
        (len, Some(len))
    }
}

impl ExactSizeIterator for WordListIter {}
