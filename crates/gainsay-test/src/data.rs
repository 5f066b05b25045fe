//! Data that belongs to no engine, as values of one, and back.

use std::sync::Arc;

use gainsay_core::{Datum, FunctionTable, Literal};
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

/// The datum of a value without functions.
pub(crate) fn datum_of(value: &Value) -> Option<Datum> {
    let all = |values: &mut dyn Iterator<Item = &Value>| {
        values.map(datum_of).collect::<Option<Vec<Datum>>>()
    };
    Some(match value {
        Value::Int(int) => Datum::Literal(Literal::Int(*int)),
        Value::Big(int) => Datum::Literal(Literal::Big(Arc::new(int.get().clone()))),
        Value::Float(float) => Datum::Literal(Literal::Float(*float)),
        Value::Bool(truth) => Datum::Literal(Literal::Bool(*truth)),
        Value::Char(char) => Datum::Literal(Literal::Char(*char)),
        Value::Str(text) => Datum::Literal(Literal::Str(text.as_str().into())),
        Value::Tuple(fields) => Datum::Tuple(all(&mut fields.as_slice().iter())?),
        Value::Data(ctor, fields) => Datum::Data(*ctor, all(&mut fields.as_slice().iter())?),
        Value::List(list) => Datum::List(all(&mut list.iter())?),
        Value::Map(table) => {
            let entries =
                table.iter().map(|(key, value)| Some((datum_of(key)?, datum_of(value)?)));
            Datum::Map(entries.collect::<Option<Vec<_>>>()?)
        }
        Value::Set(table) => Datum::Set(all(&mut table.iter().map(|it| it.0))?),
        Value::Closure(..) => return None,
    })
}
