//! Builtins on words: the same values, faults, steps and words as the [builtins on
//! values](crate::builtin), to which rare or long-running cases are delegated.
//!
//! As there, an operation is charged first, in the same order; its cells are then allocated without
//! a further charge.

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

/// What a builtin can access besides its arguments.
pub(crate) struct WordBuiltinContext<'a> {
    pub(crate) program: &'a Program,
    pub(crate) heap: &'a mut Arena,
    pub(crate) steps: &'a mut StepCounter,
    pub(crate) function_cells: FunctionCells<'a>,
    /// Bytes that may be live at once.
    pub(crate) live_bytes: u64,
}

/// The result of a builtin; faults are rare and boxed to keep the common case small.
type WordBuiltinResult = Result<Word, Box<FaultKind>>;

/// The implementation of a builtin.
#[derive(Copy, Clone)]
enum WordBuiltin {
    /// Handles all arguments.
    Complete(fn(&mut WordBuiltinContext<'_>, &[Word]) -> WordBuiltinResult),
    /// Handles common arguments; `None` for others.
    FastPath(fn(&mut WordBuiltinContext<'_>, &[Word]) -> Option<WordBuiltinResult>),
    /// Delegates to the builtin on values.
    ByValue,
}

use WordBuiltin::{Complete, FastPath};

/// Implementations, keyed by the names of their table rows.
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

/// Runs a builtin on the values of its arguments, with a meter that continues from the current
/// usage.
#[cold]
fn run_by_value(
    id: BuiltinId,
    tools: &mut WordBuiltinContext<'_>,
    args: &[Word],
) -> WordBuiltinResult {
    let args: Vec<_> = args.iter().map(|arg| to_value(*arg)).collect();
    // `depth` is not used by builtins.
    let limits = Limits {
        steps: tools.steps.limit(),
        depth: 0,
        words: tools.heap.max_words(),
        live_bytes: tools.live_bytes,
    };
    let (steps, words) = (tools.steps.taken(), tools.heap.words());
    let interrupt = tools.steps.interrupt();
    // The meter continues from the current usage, so limits apply at the same point as in the
    // interpreter.
    let mut meter = Meter::resumed(limits, interrupt.as_deref(), steps, words);
    let mut context = BuiltinContext { program: tools.program, meter: &mut meter };
    let result = crate::builtin::run(id, &mut context, &args);
    let (steps, words) = (meter.steps - steps, meter.words - words);
    tools.steps.charge_steps(steps)?;
    // If the words run out, the builtin's own fault takes precedence.
    let charged = tools.heap.charge(words);
    let value = result?;
    charged?;
    Ok(to_word(tools.heap, &value, tools.function_cells)?)
}

impl WordBuiltinContext<'_> {
    /// Charges words for a value before it is allocated.
    fn charge_words(&mut self, words: u64) -> Result<(), Box<FaultKind>> {
        Ok(self.heap.charge(words)?)
    }

    /// Charges work, measured in elements or bytes.
    fn charge_work(&mut self, amount: u64) -> Result<(), Box<FaultKind>> {
        self.steps.charge_work(amount).map_err(Box::new)
    }

    /// Runs an operation that may visit as many pairs as the remaining steps allow, then charges it
    /// for the visits it made.
    fn charge_comparisons<T>(
        &mut self,
        operation: impl FnOnce(&mut Arena, &mut u64) -> Result<T, WordOperationError>,
    ) -> Result<T, Box<FaultKind>> {
        // One more than the steps pay for, so that using up all visits is certain to exceed the
        // limit.
        let allowed = self.steps.work_left() / WORK_PER_COMPARISON + 1;
        let mut left = allowed;
        let result = operation(self.heap, &mut left);
        // Charged even if the operation was cut off, so that the step limit is what is reported.
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

    /// Charges for a text before it is built.
    fn charge_text(&mut self, n_bytes: u64) -> Result<(), Box<FaultKind>> {
        self.charge_words(words_of_text(n_bytes))?;
        self.charge_work(n_bytes)
    }

    /// Charges for a list before it is built.
    fn charge_list(&mut self, len: u64) -> Result<(), Box<FaultKind>> {
        self.charge_words(words_of_list(len))?;
        self.charge_work(len)
    }

    /// Builds a list and charges for it.
    fn list(&mut self, items: impl ExactSizeIterator<Item = Word>) -> WordBuiltinResult {
        self.charge_list(items.len() as u64)?;
        Ok(self.heap.list(items, Word::NIL)?)
    }
}

/// Why an operation with comparisons aborts.
enum WordOperationError {
    /// It used up its visits.
    VisitLimit,
    /// The arena is full.
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

/// The fault for arguments that a checked program cannot produce.
#[cold]
fn mistyped<T>() -> Result<T, Box<FaultKind>> {
    Err(Box::new(FaultKind::Unsupported("a builtin with arguments of other types")))
}

fn char_of(word: Word) -> Result<char, Box<FaultKind>> {
    if let WordView::Char(char) = word.view() { Ok(char) } else { mistyped() }
}

/// A text and its number of characters.
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

/// An integer as a count: `None` if negative, `u64::MAX` if too large.
fn count_of(word: Word) -> Result<Option<u64>, Box<FaultKind>> {
    if let Some(int) = word.as_small_int() {
        return Ok(u64::try_from(int).ok());
    }
    let WordView::Big(is_negative, limbs) = word.view() else { return mistyped() };
    // Several limbs are beyond 64 bits.
    let count = if let [limb] = limbs { *limb } else { u64::MAX };
    Ok((!is_negative).then_some(count))
}

/// An integer as a position, clamped to `0..=len`.
fn clamped_position(word: Word, len: u64) -> Result<u64, Box<FaultKind>> {
    count_of(word).map(|count| count.unwrap_or(0).min(len))
}

/// Iterates over a list from the front.
#[derive(Debug, Copy, Clone)]
struct WordListIter(Word);

impl WordListIter {
    /// Number of remaining elements.
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
