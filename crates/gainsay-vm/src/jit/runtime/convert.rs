//! Values of the interpreter and of hosts as words, and back; and words into another arena.
//!
//! None of this is charged: a value costs what its making cost, wherever it goes.

mod rebuild;

use std::convert::Infallible;
use std::marker::PhantomData;

use gainsay_core::FunctionId;

use self::rebuild::{Place, Rebuild, rebuild};
use crate::jit::heap::{Full, Heap, big_of};
use crate::jit::word::{Kind, View, Word, header};
use crate::value::{Fields, List, Table, Text, Value};

/// The ready cell of a function without captures.
pub(crate) type CodeOf<'a> = &'a dyn Fn(FunctionId) -> Word;

/// A word as the interpreter and hosts see it.
pub(crate) fn to_value(word: Word) -> Value {
    if let Some(value) = Reading.immediate(word) {
        return value;
    }
    let Ok(value) = rebuild(&mut Reading, word);
    value
}

/// A value as compiled code sees it.
pub(crate) fn to_word(
    heap: &mut Heap,
    value: &Value,
    code_of: CodeOf<'_>,
) -> Result<Word, Full> {
    match immediate(value) {
        Some(word) => Ok(word),
        None => rebuild(&mut Writing { heap, code_of, values: PhantomData }, Part::of(value)),
    }
}

/// A copy that lives in another arena.
pub(crate) fn copy(from: Word, to: &mut Heap) -> Result<Word, Full> {
    if from.is_cell() { rebuild(&mut Copying { to }, from) } else { Ok(from) }
}

/// Words as values.
struct Reading;

impl Rebuild for Reading {
    type Part = Word;
    type Made = Value;
    type Stop = Infallible;

    #[inline]
    fn immediate(&self, part: Word) -> Option<Value> {
        match part.as_small() {
            Some(int) => Some(Value::Int(int)),
            None if part.is_cell() => None,
            None => Some(leaf(part.view())),
        }
    }

    fn inner(&self, part: Word, position: u32) -> Option<Word> {
        part.parts().get(position as usize).copied()
    }

    fn place(&self, part: Word) -> Option<Place> {
        place_of(part)
    }

    fn words(&self, part: Word) -> u64 {
        words_of(part)
    }

    fn make(&mut self, part: Word, done: &mut Vec<Value>) -> Result<Value, Infallible> {
        let view = part.view();
        Ok(match view {
            View::Tuple(fields) => Value::Tuple(Fields::pop(done, fields.len())),
            View::Data(ctor, fields) => Value::Data(ctor, Fields::pop(done, fields.len())),
            View::Closure(function, captures) => {
                Value::Closure(function, Fields::pop(done, captures.len()))
            }
            View::Cons => {
                let tail = list_of(pop(done));
                Value::List(List::cons(pop(done), tail))
            }
            View::Map(Some(_)) => Value::Map(pop_table(done)),
            View::Set(Some(_)) => Value::Set(pop_table(done)),
            View::Int(_) | View::Big(..) | View::Float(_) | View::Bool(_) => leaf(view),
            View::Char(_) | View::Str(..) | View::Nil => leaf(view),
            View::Map(None) | View::Set(None) => leaf(view),
        })
    }
}

/// A word that contains no other.
#[inline(always)]
fn leaf(view: View<'_>) -> Value {
    match view {
        View::Int(int) => Value::Int(int),
        View::Big(is_negative, limbs) => Value::int(big_of((is_negative, limbs))),
        View::Float(float) => Value::Float(float),
        View::Bool(bool) => Value::Bool(bool),
        View::Char(char) => Value::Char(char),
        View::Str(text, n_chars) => Value::Str(Text::counted(text, n_chars)),
        View::Data(ctor, _) => Value::Data(ctor, Fields::EMPTY),
        View::Closure(function, _) => Value::Closure(function, Fields::EMPTY),
        View::Nil => Value::List(List::EMPTY),
        View::Map(_) => Value::Map(Table::empty()),
        View::Set(_) => Value::Set(Table::empty()),
        View::Tuple(_) | View::Cons => Value::UNIT,
    }
}

/// Whether others refer to a cell too is not known.
fn place_of(word: Word) -> Option<Place> {
    word.is_cell().then_some((word.0, 0))
}

fn words_of(word: Word) -> u64 {
    match word.view() {
        View::Str(text, _) => 2 + text.len() as u64 / 8,
        View::Big(_, limbs) => 1 + limbs.len() as u64,
        View::Tuple(_) | View::Data(..) | View::Closure(..) | View::Cons => {
            1 + word.parts().len() as u64
        }
        View::Map(_) | View::Set(_) => 5,
        View::Int(_) | View::Float(_) | View::Bool(_) | View::Char(_) | View::Nil => 1,
    }
}

fn pop<T>(done: &mut Vec<T>) -> T {
    done.pop().expect("what a part contains is made before it")
}

fn list_of(value: Value) -> List {
    if let Value::List(list) = value { list } else { List::EMPTY }
}

fn table_of(value: Value) -> Table {
    if let Value::Map(table) | Value::Set(table) = value { table } else { Table::empty() }
}

/// The table of a node, which lies on top in the order of its cell.
fn pop_table(done: &mut Vec<Value>) -> Table {
    let (right, left) = (table_of(pop(done)), table_of(pop(done)));
    let (value, key) = (pop(done), pop(done));
    Table::of_root(key, value, left, right)
}

/// What a value is made of; a list without its first element and a side of a table are none.
#[derive(Copy, Clone)]
enum Part<'a> {
    Value(&'a Value),
    List(&'a List),
    /// A map or a set.
    Table(Kind, &'a Table),
}

impl<'a> Part<'a> {
    fn of(value: &'a Value) -> Self {
        match value {
            Value::List(list) => Self::List(list),
            Value::Map(table) => Self::Table(Kind::Map, table),
            Value::Set(table) => Self::Table(Kind::Set, table),
            Value::Int(_) | Value::Big(_) | Value::Float(_) | Value::Bool(_) => {
                Self::Value(value)
            }
            Value::Char(_) | Value::Str(_) | Value::Tuple(_) => Self::Value(value),
            Value::Data(..) | Value::Closure(..) => Self::Value(value),
        }
    }
}

/// Values as words.
struct Writing<'h, 'a> {
    heap: &'h mut Heap,
    code_of: CodeOf<'h>,
    values: PhantomData<&'a Value>,
}

impl<'a> Rebuild for Writing<'_, 'a> {
    type Part = Part<'a>;
    type Made = Word;
    type Stop = Full;

    #[inline]
    fn immediate(&self, part: Part<'a>) -> Option<Word> {
        match part {
            Part::Value(value) => immediate(value),
            Part::List(list) => list.is_empty().then_some(Word::NIL),
            Part::Table(kind, table) => table.is_empty().then(|| empty_table(kind)),
        }
    }

    fn inner(&self, part: Part<'a>, position: u32) -> Option<Part<'a>> {
        match (part, position) {
            (Part::Value(value), _) => {
                let (_, fields) = fields_of(value)?;
                fields.as_slice().get(position as usize).map(Part::of)
            }
            (Part::List(list), 0) => list.split_first().map(|(head, _)| Part::of(head)),
            (Part::List(list), 1) => list.split_first().map(|(_, tail)| Part::List(tail)),
            (Part::List(_), _) => None,
            (Part::Table(kind, table), _) => {
                let (key, value, left, right) = table.split_root()?;
                match position {
                    0 => Some(Part::of(key)),
                    1 => Some(Part::of(value)),
                    2 => Some(Part::Table(kind, left)),
                    3 => Some(Part::Table(kind, right)),
                    _ => None,
                }
            }
        }
    }

    fn place(&self, part: Part<'a>) -> Option<Place> {
        match part {
            Part::List(list) => list.shared_at().map(|at| (at, 0)),
            Part::Table(kind, table) => table.shared_at().map(|at| (at, header(kind, 0, 0))),
            Part::Value(Value::Big(big)) => big.shared_at().map(|at| (at, 0)),
            Part::Value(Value::Str(text)) => text.shared_at().map(|at| (at, 0)),
            Part::Value(value) => {
                let (header, fields) = fields_of(value)?;
                fields.shared_at().map(|at| (at, header))
            }
        }
    }

    fn words(&self, part: Part<'a>) -> u64 {
        match part {
            Part::List(_) => 3,
            Part::Table(..) => 5,
            Part::Value(Value::Big(big)) => 1 + big.get().bits() / 64,
            Part::Value(Value::Str(text)) => 2 + text.as_str().len() as u64 / 8,
            Part::Value(value) => {
                1 + fields_of(value).map_or(0, |(_, fields)| fields.as_slice().len() as u64)
            }
        }
    }

    fn make(&mut self, part: Part<'a>, done: &mut Vec<Word>) -> Result<Word, Full> {
        match part {
            Part::Value(value) => self.value(value, done),
            Part::List(list) if list.is_empty() => Ok(Word::NIL),
            Part::List(_) => {
                let (tail, head) = (pop(done), pop(done));
                self.heap.cons(head, tail)
            }
            Part::Table(kind, table) if table.is_empty() => Ok(empty_table(kind)),
            Part::Table(kind, table) => {
                let (right, left) = (pop(done), pop(done));
                let (value, key) = (pop(done), pop(done));
                let size = (table.len(), u32::from(table.height()));
                self.heap.node(kind, size, [key, value, left, right])
            }
        }
    }
}

fn empty_table(kind: Kind) -> Word {
    if kind == Kind::Set { Word::EMPTY_SET } else { Word::EMPTY_MAP }
}

/// A value as a word, if it needs no cell.
#[inline]
pub(crate) fn immediate(value: &Value) -> Option<Word> {
    match value {
        Value::Int(int) => Word::small(*int),
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

impl Writing<'_, '_> {
    /// A value that is neither list nor table.
    fn value(&mut self, value: &Value, done: &mut Vec<Word>) -> Result<Word, Full> {
        let n_fields = fields_of(value).map_or(0, |(_, fields)| fields.as_slice().len());
        let fields = &done[done.len() - n_fields..];
        let word = match value {
            Value::Int(int) => self.heap.int(*int),
            Value::Big(big) => self.heap.big(big.get()),
            Value::Float(float) => self.heap.float(*float),
            Value::Bool(bool) => Ok(Word::from(*bool)),
            Value::Char(char) => Ok(Word::char(*char)),
            Value::Str(text) => self.heap.text_of(text.as_str(), text.n_chars()),
            Value::Tuple(_) => self.heap.tuple(fields),
            Value::Data(ctor, _) => self.heap.data(*ctor, fields),
            Value::Closure(function, _) => match (self.code_of)(*function) {
                // What cannot be compiled can no more be had than what has no room.
                ready if !ready.is_cell() => Err(Full),
                ready if n_fields == 0 => Ok(ready),
                ready => self.heap.closure(*function, ready.closure_code(), fields),
            },
            Value::List(_) | Value::Map(_) | Value::Set(_) => Ok(Word::UNIT),
        };
        done.truncate(done.len() - n_fields);
        word
    }
}

/// The fields of a value that has some, and as what: a header without the number of them.
fn fields_of(value: &Value) -> Option<(u64, &Fields)> {
    match value {
        Value::Tuple(fields) => Some((header(Kind::Tuple, 0, 0), fields)),
        Value::Data(ctor, fields) => Some((header(Kind::Data, 0, ctor.0), fields)),
        Value::Closure(function, fields) => {
            Some((header(Kind::Closure, 0, function.0), fields))
        }
        Value::Int(_) | Value::Big(_) | Value::Float(_) | Value::Bool(_) => None,
        Value::Char(_) | Value::Str(_) => None,
        Value::List(_) | Value::Map(_) | Value::Set(_) => None,
    }
}

/// Words of one arena as words of another.
struct Copying<'h> {
    to: &'h mut Heap,
}

impl Rebuild for Copying<'_> {
    type Part = Word;
    type Made = Word;
    type Stop = Full;

    #[inline]
    fn immediate(&self, part: Word) -> Option<Word> {
        (!part.is_cell()).then_some(part)
    }

    fn inner(&self, part: Word, position: u32) -> Option<Word> {
        part.parts().get(position as usize).copied()
    }

    fn place(&self, part: Word) -> Option<Place> {
        place_of(part)
    }

    fn words(&self, part: Word) -> u64 {
        words_of(part)
    }

    fn make(&mut self, part: Word, done: &mut Vec<Word>) -> Result<Word, Full> {
        let n_parts = part.parts().len();
        let parts = &done[done.len() - n_parts..];
        let copy = match part.view() {
            _ if !part.is_cell() => Ok(part),
            View::Tuple(_) => self.to.tuple(parts),
            View::Data(ctor, _) => self.to.data(ctor, parts),
            View::Closure(function, _) => self.to.closure(function, part.closure_code(), parts),
            View::Cons => self.to.cons(parts[0], parts[1]),
            View::Str(text, n_chars) => self.to.text_of(text, n_chars),
            View::Big(is_negative, limbs) => self.to.big(&big_of((is_negative, limbs))),
            View::Float(float) => self.to.float(float),
            View::Map(Some(node)) | View::Set(Some(node)) => {
                let parts = [parts[0], parts[1], parts[2], parts[3]];
                self.to.node(part.kind(), (node.size, node.height), parts)
            }
            View::Int(_) | View::Bool(_) | View::Char(_) | View::Nil => Ok(part),
            View::Map(None) | View::Set(None) => Ok(part),
        };
        done.truncate(done.len() - n_parts);
        copy
    }
}
