//! Values as plain data: parsed from text, not yet in an engine's representation.

use crate::id::{CtorId, TyId};
use crate::term::Literal;

/// A value of some type. It has the shape of the type, but its refinements are not checked.
#[derive(Debug, Clone, PartialEq)]
pub enum Datum {
    /// A number, truth value, character or text.
    Literal(Literal),
    /// A tuple; the empty one is `()`.
    Tuple(Vec<Datum>),
    /// A sum or record: its constructor and all fields in declared order.
    Data(CtorId, Vec<Datum>),
    /// A list.
    List(Vec<Datum>),
    /// A map: entries as written; for duplicate keys the last entry wins.
    Map(Vec<(Datum, Datum)>),
    /// A set: elements as written.
    Set(Vec<Datum>),
    /// A function.
    Function(Box<FunctionTable>),
}

/// A function as a finite table.
#[derive(Debug, Clone, PartialEq)]
pub struct FunctionTable {
    /// Its type, if the program contains that type.
    pub ty: Option<TyId>,
    /// How many parameters it has.
    pub n_params: usize,
    /// Argument tuples and results. The first matching entry wins.
    pub entries: Vec<(Vec<Datum>, Datum)>,
    /// The result for all other arguments.
    pub default: Option<Datum>,
}
