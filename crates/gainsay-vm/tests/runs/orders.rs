//! Laws of the total order, on all pairs and triples of a varied set of values.

use std::cmp::Ordering;

use gainsay_vm::{Value, ValueTable, equal, order, same};
use num_bigint::BigInt;

use crate::builder::{NONE, SOME};

fn big(text: &str) -> Value {
    Value::int(text.parse::<BigInt>().expect("digits"))
}

fn leaves() -> Vec<Value> {
    let ints = [i64::MIN, -1, 0, 1, i64::MAX].map(Value::Int);
    let bigs = ["-9223372036854775809", "9223372036854775808", "99999999999999999999"].map(big);
    let floats = [f64::NEG_INFINITY, -1.5, -0.0, 0.0, 1.5, f64::INFINITY, f64::NAN];
    ints.into_iter().chain(bigs).chain(floats.map(Value::Float)).collect()
}

/// Lists, options, pairs, sets and maps of leaves.
fn values() -> Vec<Value> {
    let leaves = leaves();
    let mut values = leaves.clone();
    values.push(Value::data(NONE, vec![]));
    values.push(Value::list([]));
    for leaf in &leaves {
        values.push(Value::data(SOME, vec![leaf.clone()]));
        values.push(Value::list([leaf.clone()]));
        values.push(Value::list([Value::Int(0), leaf.clone()]));
        values.push(Value::tuple(vec![leaf.clone(), Value::Int(1)]));
        values.push(Value::Set(ValueTable::from_items([leaf.clone(), Value::Int(7)])));
        values.push(Value::Map(ValueTable::from_entries([(Value::Int(1), leaf.clone())])));
    }
    values
}

#[test]
fn the_order_is_total() {
    let values = values();
    for a in &values {
        assert_eq!(order(a, a), Ordering::Equal);
        for b in &values {
            assert_eq!(order(a, b), order(b, a).reverse());
            for c in &values {
                if order(a, b).is_le() && order(b, c).is_le() {
                    assert!(order(a, c).is_le(), "{a:?} {b:?} {c:?}");
                }
            }
        }
    }
}

#[test]
fn equality_is_sameness_but_for_nan() {
    for a in &values() {
        for b in &values() {
            let has_nan = format!("{a:?} {b:?}").contains("NaN");
            assert!(equal(a, b) == same(a, b) || has_nan);
        }
    }
    let nan = || Value::list([Value::Float(f64::NAN)]);
    assert!(!equal(&nan(), &nan()) && same(&nan(), &nan()));
    assert!(equal(&Value::Float(0.0), &Value::Float(-0.0)));
}
