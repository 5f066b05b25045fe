//! Converts between `Datum`, which belongs to no engine, and the values of the VM.

use std::sync::Arc;

use gainsay_core::{Datum, FunctionTable, Literal};
use gainsay_vm::{Value, ValueTable};

/// The value of a datum. `function` turns function tables into values; if it returns `None`, so
/// does this.
///
/// This recurses as deep as the datum nests, which is bounded for parsed ones.
pub fn datum_to_value(
    datum: &Datum,
    function: &mut dyn FnMut(&FunctionTable) -> Option<Value>,
) -> Option<Value> {
    Some(match datum {
        Datum::Literal(literal) => Value::literal(literal),
        Datum::Tuple(parts) => Value::tuple(data_to_values(parts, function)?),
        Datum::Data(ctor, fields) => Value::data(*ctor, data_to_values(fields, function)?),
        Datum::List(items) => Value::list(data_to_values(items, function)?),
        Datum::Map(entries) => {
            let entries = entries.iter().map(|(key, value)| {
                Some((datum_to_value(key, function)?, datum_to_value(value, function)?))
            });
            Value::Map(ValueTable::from_entries(entries.collect::<Option<Vec<_>>>()?))
        }
        Datum::Set(items) => {
            Value::Set(ValueTable::from_items(data_to_values(items, function)?))
        }
        Datum::Function(table) => function(table)?,
    })
}

fn data_to_values(
    data: &[Datum],
    function: &mut dyn FnMut(&FunctionTable) -> Option<Value>,
) -> Option<Vec<Value>> {
    data.iter().map(|datum| datum_to_value(datum, function)).collect()
}

/// The datum of a value; `None` if it contains functions.
pub fn value_to_datum(value: &Value) -> Option<Datum> {
    let all = |values: &mut dyn Iterator<Item = &Value>| {
        values.map(value_to_datum).collect::<Option<Vec<Datum>>>()
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
            let entries = table
                .iter()
                .map(|(key, value)| Some((value_to_datum(key)?, value_to_datum(value)?)));
            Datum::Map(entries.collect::<Option<Vec<_>>>()?)
        }
        Value::Set(table) => Datum::Set(all(&mut table.iter().map(|it| it.0))?),
        Value::Closure(..) => return None,
    })
}
