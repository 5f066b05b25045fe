//! Conversion between words and the values of the interpreter and hosts, and copying words between
//! arenas.
//!
//! None of this is charged: a value is charged once, when it is created.

mod rebuild;

use std::convert::Infallible;
use std::marker::PhantomData;

use gainsay_core::FunctionId;

use self::rebuild::{PartAddress, Rebuild, rebuild};
use crate::jit::arena::{Arena, ArenaFull, big_of};
use crate::jit::word::{CellKind, Word, WordView, header};
use crate::value::{Fields, List, Text, Value, ValueTable};

/// Looks up the static cell of a function without captures.
pub(crate) type FunctionCells<'a> = &'a dyn Fn(FunctionId) -> Word;

/// Converts a word to a value.
pub(crate) fn to_value(word: Word) -> Value {
    if let Some(value) = WordsToValues.immediate(word) {
        return value;
    }
    // The error type is uninhabited, so the pattern is irrefutable.
    let Ok(value) = rebuild(&mut WordsToValues, word);
    value
}

/// Converts a value to a word.
pub(crate) fn to_word(
    heap: &mut Arena,
    value: &Value,
    code_of: FunctionCells<'_>,
) -> Result<Word, ArenaFull> {
    // Immediates need no rebuilder.
    match immediate(value) {
        Some(word) => Ok(word),
        None => rebuild(
            &mut ValuesToWords { heap, function_cells: code_of, values: PhantomData },
            ValuePart::of(value),
        ),
    }
}

/// Copies a word and everything it refers to into another arena.
pub(crate) fn copy_to_arena(from: Word, to: &mut Arena) -> Result<Word, ArenaFull> {
    if from.is_cell() { rebuild(&mut ArenaCopy { to }, from) } else { Ok(from) }
}

/// Converts words to values.
struct WordsToValues;

impl Rebuild for WordsToValues {
    type Part = Word;
    type Made = Value;
    type Stop = Infallible;

    #[inline]
    fn immediate(&self, part: Word) -> Option<Value> {
        match part.as_small_int() {
            Some(int) => Some(Value::Int(int)),
            None if part.is_cell() => None,
            None => Some(leaf(part.view())),
        }
    }

    fn inner(&self, part: Word, position: u32) -> Option<Word> {
        part.parts().get(position as usize).copied()
    }

    fn address(&self, part: Word) -> Option<PartAddress> {
        part_address(part)
    }

    fn words(&self, part: Word) -> u64 {
        cell_words(part)
    }

    fn make(&mut self, part: Word, done: &mut Vec<Value>) -> Result<Value, Infallible> {
        let view = part.view();
        Ok(match view {
            WordView::Tuple(fields) => Value::Tuple(Fields::pop(done, fields.len())),
            WordView::Data(ctor, fields) => Value::Data(ctor, Fields::pop(done, fields.len())),
            WordView::Closure(function, captures) => {
                Value::Closure(function, Fields::pop(done, captures.len()))
            }
            WordView::Cons => {
                // Parts are popped in the opposite order to that in which they were made.
                let tail = list_of(pop(done));
                Value::List(List::cons(pop(done), tail))
            }
            WordView::Map(Some(_)) => Value::Map(pop_table(done)),
            WordView::Set(Some(_)) => Value::Set(pop_table(done)),
            WordView::Int(_) | WordView::Big(..) | WordView::Float(_) | WordView::Bool(_) => {
                leaf(view)
            }
            WordView::Char(_) | WordView::Str(..) | WordView::Nil => leaf(view),
            WordView::Map(None) | WordView::Set(None) => leaf(view),
        })
    }
}

/// The value of a word without parts.
#[inline(always)]
fn leaf(view: WordView<'_>) -> Value {
    match view {
        WordView::Int(int) => Value::Int(int),
        WordView::Big(is_negative, limbs) => Value::int(big_of((is_negative, limbs))),
        WordView::Float(float) => Value::Float(float),
        WordView::Bool(bool) => Value::Bool(bool),
        WordView::Char(char) => Value::Char(char),
        WordView::Str(text, n_chars) => Value::Str(Text::with_n_chars(text, n_chars)),
        WordView::Data(ctor, _) => Value::Data(ctor, Fields::EMPTY),
        WordView::Closure(function, _) => Value::Closure(function, Fields::EMPTY),
        WordView::Nil => Value::List(List::EMPTY),
        WordView::Map(_) => Value::Map(ValueTable::empty()),
        WordView::Set(_) => Value::Set(ValueTable::empty()),
        WordView::Tuple(_) | WordView::Cons => Value::UNIT,
    }
}

/// Cells have no reference counts, so any of them may be shared.
fn part_address(word: Word) -> Option<PartAddress> {
    word.is_cell().then_some((word.bits(), 0))
}

fn cell_words(word: Word) -> u64 {
    match word.view() {
        WordView::Str(text, _) => 2 + text.len() as u64 / 8,
        WordView::Big(_, limbs) => 1 + limbs.len() as u64,
        WordView::Tuple(_) | WordView::Data(..) | WordView::Closure(..) | WordView::Cons => {
            1 + word.parts().len() as u64
        }
        WordView::Map(_) | WordView::Set(_) => 5,
        WordView::Int(_)
        | WordView::Float(_)
        | WordView::Bool(_)
        | WordView::Char(_)
        | WordView::Nil => 1,
    }
}

fn pop<T>(done: &mut Vec<T>) -> T {
    done.pop().expect("what a part contains is made before it")
}

fn list_of(value: Value) -> List {
    if let Value::List(list) = value { list } else { List::EMPTY }
}

fn table_of(value: Value) -> ValueTable {
    if let Value::Map(table) | Value::Set(table) = value { table } else { ValueTable::empty() }
}

/// Pops the parts of a table node, in reverse order of the cell's words.
fn pop_table(done: &mut Vec<Value>) -> ValueTable {
    let (right, left) = (table_of(pop(done)), table_of(pop(done)));
    let (value, key) = (pop(done), pop(done));
    ValueTable::from_root(key, value, left, right)
}

/// A part of a value: list tails and subtrees of tables are not stored as values.
#[derive(Copy, Clone)]
enum ValuePart<'a> {
    Value(&'a Value),
    List(&'a List),
    /// A map or a set.
    Table(CellKind, &'a ValueTable),
}

impl<'a> ValuePart<'a> {
    fn of(value: &'a Value) -> Self {
        match value {
            // A list and its tails are visited alike, as cells with a head and a tail.
            Value::List(list) => Self::List(list),
            Value::Map(table) => Self::Table(CellKind::Map, table),
            Value::Set(table) => Self::Table(CellKind::Set, table),
            Value::Int(_) | Value::Big(_) | Value::Float(_) | Value::Bool(_) => {
                Self::Value(value)
            }
            Value::Char(_) | Value::Str(_) | Value::Tuple(_) => Self::Value(value),
            Value::Data(..) | Value::Closure(..) => Self::Value(value),
        }
    }
}

/// Converts values to words.
struct ValuesToWords<'h, 'a> {
    heap: &'h mut Arena,
    function_cells: FunctionCells<'h>,
    values: PhantomData<&'a Value>,
}

impl<'a> Rebuild for ValuesToWords<'_, 'a> {
    type Part = ValuePart<'a>;
    type Made = Word;
    type Stop = ArenaFull;

    #[inline]
    fn immediate(&self, part: ValuePart<'a>) -> Option<Word> {
        match part {
            ValuePart::Value(value) => immediate(value),
            ValuePart::List(list) => list.is_empty().then_some(Word::NIL),
            ValuePart::Table(kind, table) => table.is_empty().then(|| empty_table(kind)),
        }
    }

    fn inner(&self, part: ValuePart<'a>, position: u32) -> Option<ValuePart<'a>> {
        match (part, position) {
            (ValuePart::Value(value), _) => {
                let (_, fields) = fields_of(value)?;
                fields.as_slice().get(position as usize).map(ValuePart::of)
            }
            (ValuePart::List(list), 0) => {
                list.split_first().map(|(head, _)| ValuePart::of(head))
            }
            (ValuePart::List(list), 1) => {
                list.split_first().map(|(_, tail)| ValuePart::List(tail))
            }
            (ValuePart::List(_), _) => None,
            (ValuePart::Table(kind, table), _) => {
                let (key, value, left, right) = table.split_root()?;
                match position {
                    0 => Some(ValuePart::of(key)),
                    1 => Some(ValuePart::of(value)),
                    2 => Some(ValuePart::Table(kind, left)),
                    3 => Some(ValuePart::Table(kind, right)),
                    _ => None,
                }
            }
        }
    }

    fn address(&self, part: ValuePart<'a>) -> Option<PartAddress> {
        match part {
            ValuePart::List(list) => list.shared_address().map(|at| (at, 0)),
            ValuePart::Table(kind, table) => {
                // A map and a set may share nodes in storage, but not in the arena.
                table.shared_address().map(|at| (at, header(kind, 0, 0)))
            }
            ValuePart::Value(Value::Big(big)) => big.shared_address().map(|at| (at, 0)),
            ValuePart::Value(Value::Str(text)) => text.shared_address().map(|at| (at, 0)),
            ValuePart::Value(value) => {
                let (header, fields) = fields_of(value)?;
                fields.shared_address().map(|at| (at, header))
            }
        }
    }

    fn words(&self, part: ValuePart<'a>) -> u64 {
        match part {
            ValuePart::List(_) => 3,
            ValuePart::Table(..) => 5,
            ValuePart::Value(Value::Big(big)) => 1 + big.get().bits() / 64,
            ValuePart::Value(Value::Str(text)) => 2 + text.as_str().len() as u64 / 8,
            ValuePart::Value(value) => {
                1 + fields_of(value).map_or(0, |(_, fields)| fields.as_slice().len() as u64)
            }
        }
    }

    fn make(&mut self, part: ValuePart<'a>, done: &mut Vec<Word>) -> Result<Word, ArenaFull> {
        match part {
            ValuePart::Value(value) => self.value(value, done),
            ValuePart::List(list) if list.is_empty() => Ok(Word::NIL),
            ValuePart::List(_) => {
                let (tail, head) = (pop(done), pop(done));
                self.heap.cons(head, tail)
            }
            ValuePart::Table(kind, table) if table.is_empty() => Ok(empty_table(kind)),
            ValuePart::Table(kind, table) => {
                let (right, left) = (pop(done), pop(done));
                let (value, key) = (pop(done), pop(done));
                let size = (table.len(), u32::from(table.height()));
                self.heap.table_node(kind, size, [key, value, left, right])
            }
        }
    }
}

fn empty_table(kind: CellKind) -> Word {
    if kind == CellKind::Set { Word::EMPTY_SET } else { Word::EMPTY_MAP }
}

/// The word of a value that needs no cell.
#[inline]
pub(crate) fn immediate(value: &Value) -> Option<Word> {
    match value {
        Value::Int(int) => Word::from_small_int(*int),
        Value::Float(float) => Word::packed_float(*float),
        Value::Bool(bool) => Some(Word::from(*bool)),
        Value::Char(char) => Some(Word::char(*char)),
        Value::Data(ctor, fields) => {
            fields.as_slice().is_empty().then_some(Word::nullary(*ctor))
        }
        Value::Tuple(fields) => fields.as_slice().is_empty().then_some(Word::UNIT),
        Value::Big(_) | Value::Str(_) | Value::Closure(..) => None,
        Value::List(_) | Value::Map(_) | Value::Set(_) => None,
    }
}

impl ValuesToWords<'_, '_> {
    /// Converts a value that is neither list nor table.
    fn value(&mut self, value: &Value, done: &mut Vec<Word>) -> Result<Word, ArenaFull> {
        let n_fields = fields_of(value).map_or(0, |(_, fields)| fields.as_slice().len());
        let fields = &done[done.len() - n_fields..];
        let word = match value {
            Value::Int(int) => self.heap.int(*int),
            Value::Big(big) => self.heap.big(big.get()),
            Value::Float(float) => self.heap.float(*float),
            Value::Bool(bool) => Ok(Word::from(*bool)),
            Value::Char(char) => Ok(Word::char(*char)),
            Value::Str(text) => self.heap.text_with_len(text.as_str(), text.n_chars()),
            Value::Tuple(_) => self.heap.tuple(fields),
            Value::Data(ctor, _) => self.heap.data(*ctor, fields),
            Value::Closure(function, _) => match (self.function_cells)(*function) {
                // A function that cannot be compiled fails like a cell without room: the caller
                // gives up.
                ready if !ready.is_cell() => Err(ArenaFull),
                ready if n_fields == 0 => Ok(ready),
                ready => {
                    // SAFETY: the cell of a function is a closure.
                    let code = unsafe { ready.closure_code() };
                    self.heap.closure(*function, code, fields)
                }
            },
            Value::List(_) | Value::Map(_) | Value::Set(_) => Ok(Word::UNIT),
        };
        done.truncate(done.len() - n_fields);
        word
    }
}

/// The fields of a value and a header without their number, which identifies its kind: values of
/// different kinds may share one field array.
fn fields_of(value: &Value) -> Option<(u64, &Fields)> {
    match value {
        Value::Tuple(fields) => Some((header(CellKind::Tuple, 0, 0), fields)),
        Value::Data(ctor, fields) => Some((header(CellKind::Data, 0, ctor.0), fields)),
        Value::Closure(function, fields) => {
            Some((header(CellKind::Closure, 0, function.0), fields))
        }
        Value::Int(_) | Value::Big(_) | Value::Float(_) | Value::Bool(_) => None,
        Value::Char(_) | Value::Str(_) => None,
        Value::List(_) | Value::Map(_) | Value::Set(_) => None,
    }
}

/// Copies words into another arena.
struct ArenaCopy<'h> {
    to: &'h mut Arena,
}

impl Rebuild for ArenaCopy<'_> {
    type Part = Word;
    type Made = Word;
    type Stop = ArenaFull;

    #[inline]
    fn immediate(&self, part: Word) -> Option<Word> {
        (!part.is_cell()).then_some(part)
    }

    fn inner(&self, part: Word, position: u32) -> Option<Word> {
        part.parts().get(position as usize).copied()
    }

    fn address(&self, part: Word) -> Option<PartAddress> {
        part_address(part)
    }

    fn words(&self, part: Word) -> u64 {
        cell_words(part)
    }

    fn make(&mut self, part: Word, done: &mut Vec<Word>) -> Result<Word, ArenaFull> {
        let n_parts = part.parts().len();
        let parts = &done[done.len() - n_parts..];
        let copy = match part.view() {
            // Immediates are the same in every arena.
            _ if !part.is_cell() => Ok(part),
            WordView::Tuple(_) => self.to.tuple(parts),
            WordView::Data(ctor, _) => self.to.data(ctor, parts),
            WordView::Closure(function, _) => {
                // SAFETY: it was just seen to be a closure.
                let code = unsafe { part.closure_code() };
                self.to.closure(function, code, parts)
            }
            WordView::Cons => self.to.cons(parts[0], parts[1]),
            WordView::Str(text, n_chars) => self.to.text_with_len(text, n_chars),
            WordView::Big(is_negative, limbs) => self.to.big(&big_of((is_negative, limbs))),
            WordView::Float(float) => self.to.float(float),
            WordView::Map(Some(node)) | WordView::Set(Some(node)) => {
                let parts = [parts[0], parts[1], parts[2], parts[3]];
                self.to.table_node(part.kind(), (node.size, node.height), parts)
            }
            WordView::Int(_) | WordView::Bool(_) | WordView::Char(_) | WordView::Nil => {
                Ok(part)
            }
            WordView::Map(None) | WordView::Set(None) => Ok(part),
        };
        done.truncate(done.len() - n_parts);
        copy
    }
}
