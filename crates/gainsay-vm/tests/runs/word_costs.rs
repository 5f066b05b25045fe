//! The cost of values in words, on which engines must agree exactly.

use gainsay_core::builtin::find;
use gainsay_vm::{Limits, NoEffects, Value, is_small_int, words_of_table_change};
use num_bigint::BigInt;

use crate::builder::{INT, ProgramBuilder};

/// The words that a builtin charges.
fn words(name: &str, args: &[Value]) -> u64 {
    let builtin = find(name).unwrap_or_else(|| panic!("no builtin {name}"));
    let mut b = ProgramBuilder::new();
    let params: Vec<(&str, _)> = args.iter().map(|_| ("x", INT)).collect();
    let f = b.function("f", &params, INT, |d| {
        let args: Vec<_> = (0..params.len() as u32).map(|at| d.local(at)).collect();
        d.builtin(builtin, &args)
    });
    let outcome = b.run_with(f, args, Limits::default(), &mut NoEffects);
    assert!(outcome.result.is_ok());
    outcome.words
}

fn int(text: &str) -> Value {
    Value::int(text.parse::<BigInt>().expect("digits"))
}

const HIGHEST: i64 = (1 << 62) - 1;
const LOWEST: i64 = -(1 << 62);

#[test]
fn small_integers_are_free_and_others_are_not() {
    assert!(is_small_int(LOWEST) && is_small_int(HIGHEST));
    assert!(!is_small_int(LOWEST - 1) && !is_small_int(HIGHEST + 1));
    for (name, a, b, taken) in [
        ("int.bit_and", HIGHEST, HIGHEST, 0),
        ("int.bit_xor", HIGHEST, -1, 0),
        ("int.bit_and", HIGHEST + 1, -1, 2),
        ("int.bit_and", HIGHEST + 1, 0, 0),
        ("int.bit_or", i64::MIN, 0, 3),
        ("int.shift_right", HIGHEST + 1, 0, 2),
        ("int.shift_right", HIGHEST + 1, 1, 0),
        ("int.shift_left", 1, 61, 0),
        ("int.shift_left", 1, 62, 2),
        ("int.shift_left", 1, 63, 3),
        ("int.pow", 2, 60, 0),
        ("int.pow", 2, 63, 3),
    ] {
        assert_eq!(words(name, &[Value::Int(a), Value::Int(b)]), taken, "{name} {a} {b}");
    }
    assert_eq!(words("int.neg", &[Value::Int(LOWEST)]), 2);
    assert_eq!(words("int.neg", &[Value::Int(i64::MIN)]), 3);
    assert_eq!(words("int.parse", &[Value::str("123456789012345")]), 2);
    assert_eq!(words("int.parse", &[Value::str("9223372036854775807")]), 2 + 3);
    assert_eq!(words("float.to_int", &[Value::Float(1e9)]), 2);
    assert_eq!(words("float.to_int", &[Value::Float(5e18)]), 2 + 2);
    assert_eq!(words("float.to_int", &[Value::Float(1e30)]), 2 + 3);
    assert_eq!(words("float.to_bits", &[Value::Float(0.5)]), 0);
    assert_eq!(words("float.to_bits", &[Value::Float(2.0)]), 2);
    assert_eq!(words("float.to_bits", &[Value::Float(-2.0)]), 3);
}

#[test]
fn a_range_costs_its_cells_and_its_long_integers() {
    for (start, end, taken) in [
        ("0", "5", 5 * 3),
        ("5", "0", 0),
        ("4611686018427387902", "4611686018427387906", 4 * 3 + 2 * 2),
        ("-4611686018427387906", "-4611686018427387902", 4 * 3 + 2 * 2),
        ("9223372036854775806", "9223372036854775810", 4 * 3 + 4 * 3),
        ("-9999999999999999999", "-9999999999999999998", 3 + 3),
    ] {
        assert_eq!(words("list.range", &[int(start), int(end)]), taken, "{start} {end}");
    }
}

#[test]
fn texts_cost_their_bytes_rounded_up() {
    let text = |text: &str| Value::str(text);
    assert_eq!(words("str.concat", &[text(""), text("")]), 2);
    assert_eq!(words("str.concat", &[text("a"), text("")]), 3);
    assert_eq!(words("str.concat", &[text("abcd"), text("efgh")]), 3);
    assert_eq!(words("str.concat", &[text("abcd"), text("efghi")]), 4);
    assert_eq!(words("str.split", &[text("a,,bcdefghij"), text(",")]), 3 + 2 + 4 + 3 * 3);
    assert_eq!(words("str.split", &[text("añb"), text("")]), 3 * 3 + 3 * 3);
}

#[test]
fn tables_cost_five_words_a_node() {
    let list = Value::list((0..10).map(Value::Int));
    assert_eq!(words("set.of", &[list]), 50);
    let set = Value::Set(gainsay_vm::ValueTable::from_items((0..10).map(Value::Int)));
    assert_eq!(words("set.insert", &[set.clone(), Value::Int(3)]), words_of_table_change(10));
    assert_eq!(words("set.remove", &[set, Value::Int(30)]), words_of_table_change(10));
    assert_eq!((words_of_table_change(0), words_of_table_change(10)), (20, 50));
}

#[test]
fn functions_cost_their_captures() {
    for (n_captures, taken) in [(0, 0), (1, 3), (4, 6)] {
        let mut b = ProgramBuilder::new();
        let params = vec![("c", INT); n_captures];
        let n_params = n_captures as u32;
        let inner = b.function_with_captures("inner", n_params, &params, INT, |d| d.int(0));
        let f = b.function("f", &[], INT, |d| {
            let captures: Vec<_> = (0..n_captures).map(|at| d.int(at as i64)).collect();
            d.closure(inner, &captures)
        });
        assert_eq!(b.run(f, &[]).words, taken);
    }
}
