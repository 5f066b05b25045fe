//! Values: what a program computes with, as seen by the interpreter and hosts.
//!
//! A value is two words and cheap to clone. Everything but functions is compared, ordered and
//! printed structurally. Values share their parts and are immutable.

mod fields;
mod free_cells;
mod list;
mod live_memory;
mod table;
mod text;

use std::rc::Rc;

use gainsay_core::{CtorId, FunctionId, Literal};
use num_bigint::BigInt;
use num_traits::ToPrimitive as _;

pub use self::fields::Fields;
pub use self::list::{List, ListIter};
pub use self::live_memory::live_bytes;
pub use self::table::{ValueTable, ValueTableIter};
pub use self::text::Text;

pub(crate) use self::free_cells::FreeCells;
pub(crate) use self::live_memory::MemoryCharge;
pub(crate) use self::table::RcNodeStore;

/// A value.
#[derive(Debug, Clone)]
pub enum Value {
    /// An integer that fits a machine word.
    Int(i64),
    /// An integer that does not fit a machine word.
    Big(BigIntValue),
    /// A float.
    Float(f64),
    /// A boolean.
    Bool(bool),
    /// A character.
    Char(char),
    /// Text.
    Str(Text),
    /// A tuple; the empty one is `()`.
    Tuple(Fields),
    /// A sum or record: its constructor and fields.
    Data(CtorId, Fields),
    /// A list.
    List(List),
    /// A map.
    Map(ValueTable),
    /// A set: a table whose values are all `()`.
    Set(ValueTable),
    /// A function with its captures.
    Closure(FunctionId, Fields),
}

const _: () = assert!(size_of::<Value>() == 16, "a value is two words");

/// An integer outside the range of a machine word.
#[derive(Debug, Clone)]
pub struct BigIntValue(Rc<BigIntCell>);

#[derive(Debug)]
struct BigIntCell {
    int: BigInt,
    _charge: MemoryCharge,
}

impl BigIntValue {
    /// The integer.
    pub fn get(&self) -> &BigInt {
        &self.0.int
    }

    /// Its address, if it is shared.
    pub(crate) fn shared_address(&self) -> Option<u64> {
        live_memory::shared_address(&self.0)
    }
}

impl Value {
    /// `()`.
    pub const UNIT: Self = Self::Tuple(Fields::EMPTY);

    /// An integer of any size.
    pub fn int(int: BigInt) -> Self {
        match int.to_i64() {
            Some(small) => Self::Int(small),
            None => {
                // An estimate: the digits, plus the cell with its reference counts.
                let charge = MemoryCharge::new(int.bits() / 8 + 48);
                Self::Big(BigIntValue(Rc::new(BigIntCell { int, _charge: charge })))
            }
        }
    }

    /// Text.
    pub fn str(text: impl Into<Box<str>>) -> Self {
        Self::Str(Text::new(text))
    }

    /// A tuple.
    pub fn tuple(items: Vec<Self>) -> Self {
        Self::Tuple(Fields::new(items))
    }

    /// A constructor with its fields.
    pub fn data(ctor: CtorId, fields: Vec<Self>) -> Self {
        Self::Data(ctor, Fields::new(fields))
    }

    /// A list.
    pub fn list(items: impl IntoIterator<Item = Self, IntoIter: DoubleEndedIterator>) -> Self {
        Self::List(List::from_items(items))
    }

    /// The value of a source literal.
    pub fn literal(literal: &Literal) -> Self {
        match literal {
            Literal::Int(int) => Self::Int(*int),
            Literal::Big(int) => Self::int(BigInt::clone(int)),
            Literal::Float(float) => Self::Float(*float),
            Literal::Bool(bool) => Self::Bool(*bool),
            Literal::Char(char) => Self::Char(*char),
            Literal::Str(text) => Self::str(&**text),
        }
    }

    /// The integer, if it is one that fits a machine word.
    pub fn as_int(&self) -> Option<i64> {
        if let Self::Int(int) = self { Some(*int) } else { None }
    }

    /// The integer of any size, if it is one.
    pub fn as_big(&self) -> Option<BigInt> {
        if let Self::Big(big) = self {
            return Some(big.get().clone());
        }
        self.as_int().map(BigInt::from)
    }

    /// The float, if it is one.
    pub fn as_float(&self) -> Option<f64> {
        if let Self::Float(float) = self { Some(*float) } else { None }
    }

    /// The boolean, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        if let Self::Bool(bool) = self { Some(*bool) } else { None }
    }

    /// The character, if it is one.
    pub fn as_char(&self) -> Option<char> {
        if let Self::Char(char) = self { Some(*char) } else { None }
    }

    /// The text, if it is one.
    pub fn as_str(&self) -> Option<&str> {
        if let Self::Str(text) = self { Some(text.as_str()) } else { None }
    }

    /// The list, if it is one.
    pub fn as_list(&self) -> Option<&List> {
        if let Self::List(list) = self { Some(list) } else { None }
    }

    /// The constructor, if it is a sum or record.
    pub fn as_ctor(&self) -> Option<CtorId> {
        if let Self::Data(ctor, _) = self { Some(*ctor) } else { None }
    }

    /// The fields of a sum, record or tuple; empty for other values.
    pub fn fields(&self) -> &[Self] {
        match self {
            Self::Tuple(fields) | Self::Data(_, fields) => fields.as_slice(),
            Self::Int(_) | Self::Big(_) | Self::Float(_) | Self::Bool(_) | Self::Char(_) => &[],
            Self::Str(_) | Self::List(_) | Self::Map(_) | Self::Set(_) => &[],
            Self::Closure(..) => &[],
        }
    }

    /// Whether dropping the value may drop others.
    fn has_parts(&self) -> bool {
        match self {
            Self::Int(_) | Self::Big(_) | Self::Float(_) | Self::Bool(_) => false,
            Self::Char(_) | Self::Str(_) => false,
            Self::Tuple(fields) | Self::Data(_, fields) | Self::Closure(_, fields) => {
                !fields.as_slice().is_empty()
            }
            Self::List(list) => !list.is_empty(),
            Self::Map(table) | Self::Set(table) => !table.is_empty(),
        }
    }
}

impl From<i64> for Value {
    fn from(int: i64) -> Self {
        Self::Int(int)
    }
}

impl From<bool> for Value {
    fn from(bool: bool) -> Self {
        Self::Bool(bool)
    }
}

impl From<f64> for Value {
    fn from(float: f64) -> Self {
        Self::Float(float)
    }
}

impl From<char> for Value {
    fn from(char: char) -> Self {
        Self::Char(char)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::str(text)
    }
}
