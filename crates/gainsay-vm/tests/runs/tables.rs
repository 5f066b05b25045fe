//! Maps and sets as values: what they store, share and free.

use gainsay_vm::{Value, ValueTable, live_bytes, order};

fn ints(n: i64) -> ValueTable {
    ValueTable::from_items((0..n).map(Value::Int))
}

#[test]
fn an_equal_key_replaces_the_one_before() {
    let shown = |table: &ValueTable| format!("{table:?}");
    let (plus, minus) = (Value::Float(0.0), Value::Float(-0.0));
    let table = ValueTable::from_entries([(plus.clone(), Value::Int(1))]);
    let put = table.put(minus.clone(), Value::Int(2));
    assert_eq!(shown(&put), "{Float(-0.0): Int(2)}");
    let of = [(minus, Value::Int(2)), (plus, Value::Int(1))];
    assert_eq!(shown(&ValueTable::from_entries(of.clone())), "{Float(0.0): Int(1)}");
    assert_eq!(shown(&ValueTable::from_entries(of.into_iter().rev())), "{Float(-0.0): Int(2)}");
}

#[test]
fn what_is_not_there_is_removed_from_nowhere() {
    let table = ints(3);
    assert!(table.get(&Value::Int(3)).is_none());
    assert_eq!(table.remove(&Value::Int(3)).len(), 3);
    assert_eq!(table.remove(&Value::Int(1)).len(), 2);
    let ends = (table.first(), table.last());
    assert!(matches!(ends, (Some((Value::Int(0), _)), Some((Value::Int(2), _)))));
    assert!(ValueTable::empty().first().is_none() && ValueTable::empty().last().is_none());
    assert!(ValueTable::empty().remove(&Value::UNIT).is_empty());
}

#[test]
fn a_changed_table_shares_what_did_not_change() {
    let table = ints(100_000);
    let before = live_bytes();
    let changed = table.put(Value::Int(-1), Value::UNIT).remove(&Value::Int(77_777));
    assert!(live_bytes() - before < 10_000);
    assert_eq!((table.len(), changed.len()), (100_000, 100_000));
    drop(changed);
    assert_eq!(live_bytes(), before);
}

#[test]
fn tables_inside_tables_are_dropped_and_compared_at_any_depth() {
    let before = live_bytes();
    let nest = || {
        (0..300_000).fold(Value::UNIT, |inner, _| {
            Value::Map(ValueTable::from_entries([
                (Value::Int(0), Value::UNIT),
                (Value::Int(1), inner),
                (Value::Int(2), Value::UNIT),
            ]))
        })
    };
    assert!(order(&nest(), &nest()).is_eq());
    let keys =
        (0..300_000).fold(Value::UNIT, |inner, _| Value::Set(ValueTable::from_items([inner])));
    drop(keys);
    assert_eq!(live_bytes(), before);
}
