//! Data that was read from a text, as values of an engine.

use gainsay_core::{Datum, FunctionTable};
use gainsay_vm::{Table, Value};

/// The value of a datum. `function` makes the functions in it of their tables; where it makes
/// none, there is no value.
///
/// This recurses as deep as the datum nests, which for one that was read is bounded.
pub fn value_of(
    datum: &Datum,
    function: &mut dyn FnMut(&FunctionTable) -> Option<Value>,
) -> Option<Value> {
    Some(match datum {
        Datum::Literal(literal) => Value::literal(literal),
        Datum::Tuple(parts) => Value::tuple(values_of(parts, function)?),
        Datum::Data(ctor, fields) => Value::data(*ctor, values_of(fields, function)?),
        Datum::List(items) => Value::list(values_of(items, function)?),
        Datum::Map(entries) => {
            let entries = entries.iter().map(|(key, value)| {
                Some((value_of(key, function)?, value_of(value, function)?))
            });
            Value::Map(Table::of_entries(entries.collect::<Option<Vec<_>>>()?))
        }
        Datum::Set(items) => Value::Set(Table::of_items(values_of(items, function)?)),
        Datum::Function(table) => function(table)?,
    })
}

fn values_of(
    data: &[Datum],
    function: &mut dyn FnMut(&FunctionTable) -> Option<Value>,
) -> Option<Vec<Value>> {
    data.iter().map(|datum| value_of(datum, function)).collect()
}
