//! Values as data: what was read from a text, before an engine gives it a form of its own.

use crate::id::{CtorId, TyId};
use crate::term::Literal;

/// A value of some type. It fits its type, but nothing has looked at refinements.
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
    /// A map: entries as written, of which the last with a key counts.
    Map(Vec<(Datum, Datum)>),
    /// A set: elements as written.
    Set(Vec<Datum>),
    /// A function.
    Function(Box<FunctionTable>),
}

/// A function as a table of its answers.
#[derive(Debug, Clone, PartialEq)]
pub struct FunctionTable {
    /// Its type, if the program has that type anywhere.
    pub ty: Option<TyId>,
    /// How many parameters it has.
    pub n_params: usize,
    /// Arguments, as many as there are parameters, and the answer to them. The first entry
    /// that fits counts.
    pub entries: Vec<(Vec<Datum>, Datum)>,
    /// The answer to all other arguments.
    pub default: Option<Datum>,
}
