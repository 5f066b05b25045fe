//! Values of the interpreter and of hosts as words, and back; and words into another arena.
//!
//! None of this is charged: a value costs what its making cost, wherever it goes.

mod rebuild;

use std::convert::Infallible;

use gainsay_core::FunctionId;

use self::rebuild::{Rebuild, rebuild};
use crate::jit::heap::{Full, Heap, big_of};
use crate::jit::word::{Kind, View, Word};
use crate::value::{Fields, List, Table, Text, Value};

/// The ready cell of a function without captures.
pub(crate) type CodeOf<'a> = &'a dyn Fn(FunctionId) -> Word;

/// A word as the interpreter and hosts see it.
pub(crate) fn to_value(word: Word) -> Value {
    if let Some(int) = word.as_small() {
        return Value::Int(int);
    }
    if !word.is_cell() {
        return leaf(word);
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
    let mut writing = Writing { heap, code_of };
    match value {
        Value::Int(int) => writing.heap.int(*int),
        Value::Float(float) => writing.heap.float(*float),
        Value::Bool(bool) => Ok(Word::bool(*bool)),
        Value::Char(char) => Ok(Word::char(*char)),
        Value::Big(_) | Value::Str(_) | Value::Tuple(_) | Value::Data(..) => {
            rebuild(&mut writing, Part::of(value))
        }
        Value::List(_) | Value::Map(_) | Value::Set(_) | Value::Closure(..) => {
            rebuild(&mut writing, Part::of(value))
        }
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

    fn inner(&self, part: Word, position: u32) -> Option<Word> {
        part.parts().get(position as usize).copied()
    }

    fn address(&self, part: Word) -> Option<u64> {
        part.is_cell().then_some(part.0)
    }

    fn words(&self, part: Word) -> u64 {
        words_of(part)
    }

    fn make(&mut self, part: Word, done: &mut Vec<Value>) -> Result<Value, Infallible> {
        Ok(match part.view() {
            View::Tuple(fields) => Value::Tuple(Fields::pop(done, fields.len())),
            View::Data(ctor, fields) => Value::Data(ctor, Fields::pop(done, fields.len())),
            View::Closure(function, captures) => {
                Value::Closure(function, Fields::pop(done, captures.len()))
            }
            View::Cons(_) => {
                let tail = list_of(pop(done));
                Value::List(List::cons(pop(done), tail))
            }
            View::Map(Some(_)) => Value::Map(pop_table(done)),
            View::Set(Some(_)) => Value::Set(pop_table(done)),
            View::Int(_) | View::Big(..) | View::Float(_) | View::Bool(_) => leaf(part),
            View::Char(_) | View::Str(..) | View::Nil => leaf(part),
            View::Map(None) | View::Set(None) => leaf(part),
        })
    }
}

/// A word that contains no other.
fn leaf(word: Word) -> Value {
    match word.view() {
        View::Int(int) => Value::Int(int),
        View::Big(is_negative, limbs) => Value::int(big_of(is_negative, limbs)),
        View::Float(float) => Value::Float(float),
        View::Bool(bool) => Value::Bool(bool),
        View::Char(char) => Value::Char(char),
        View::Str(text, n_chars) => Value::Str(Text::counted(text, n_chars)),
        View::Data(ctor, _) => Value::Data(ctor, Fields::EMPTY),
        View::Closure(function, _) => Value::Closure(function, Fields::EMPTY),
        View::Nil => Value::List(List::EMPTY),
        View::Map(_) => Value::Map(Table::empty()),
        View::Set(_) => Value::Set(Table::empty()),
        View::Tuple(_) | View::Cons(_) => Value::UNIT,
    }
}

fn words_of(word: Word) -> u64 {
    match word.view() {
        View::Str(text, _) => 2 + text.len() as u64 / 8,
        View::Big(_, limbs) => 1 + limbs.len() as u64,
        View::Tuple(_) | View::Data(..) | View::Closure(..) | View::Cons(_) => {
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
    Table::of_node(key, value, left, right)
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
struct Writing<'h> {
    heap: &'h mut Heap,
    code_of: CodeOf<'h>,
}
