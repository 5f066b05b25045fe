//! Builtins on edge cases.

use gainsay_core::Ty;
use gainsay_core::builtin::{find, get};
use gainsay_vm::{FaultKind, Limits, NoEffects, Value, show};
use num_bigint::BigInt;

use crate::builder::{INT, ProgramBuilder};

/// The result of a builtin as text, or its fault.
fn apply(name: &str, args: &[Value]) -> String {
    let builtin = find(name).unwrap_or_else(|| panic!("no builtin {name}"));
    assert_eq!(get(builtin).arity as usize, args.len());
    let mut b = ProgramBuilder::new();
    let any = b.ty(Ty::Param(0));
    let params: Vec<(&str, _)> = args.iter().map(|_| ("x", any)).collect();
    let f = b.function("f", &params, INT, |d| {
        let args: Vec<_> = (0..params.len() as u32).map(|at| d.local(at)).collect();
        d.builtin(builtin, &args)
    });
    let program = b.program.clone();
    match b.run_with(f, args, Limits::default(), &mut NoEffects).result {
        Ok(value) => show(&program, &value),
        Err(fault) => {
            if let FaultKind::OutOfRange { what } = fault.kind {
                return format!("out of range: {what}");
            }
            format!("{:?}", fault.kind)
        }
    }
}

fn int(text: &str) -> Value {
    Value::int(text.parse::<BigInt>().expect("digits"))
}

fn ints(name: &str, args: &[&str]) -> String {
    apply(name, &args.iter().map(|it| int(it)).collect::<Vec<_>>())
}

const MAX: &str = "9223372036854775807";
const MIN: &str = "-9223372036854775808";

#[test]
fn integers_have_no_bounds() {
    assert_eq!(ints("int.add", &[MAX, "1"]), "9223372036854775808");
    assert_eq!(ints("int.sub", &["9223372036854775808", "1"]), MAX);
    assert_eq!(ints("int.sub", &[MIN, "1"]), "-9223372036854775809");
    assert_eq!(ints("int.neg", &[MIN]), "9223372036854775808");
    assert_eq!(ints("int.mul", &[MAX, MAX]), "85070591730234615847396907784232501249");
    assert_eq!(ints("int.div", &[MIN, "-1"]), "9223372036854775808");
    assert_eq!(ints("int.rem", &[MIN, "-1"]), "0");
    assert_eq!(ints("value.eq", &["9223372036854775808", "9223372036854775808"]), "true");
    assert_eq!(ints("value.lt", &[MAX, "9223372036854775808"]), "true");
}

#[test]
fn division_truncates() {
    assert_eq!(ints("int.div", &["-7", "2"]), "-3");
    assert_eq!(ints("int.rem", &["-7", "2"]), "-1");
    assert_eq!(ints("int.rem", &["7", "-2"]), "1");
    assert_eq!(ints("int.div", &["1", "0"]), "DivByZero");
    assert_eq!(ints("int.rem", &["99999999999999999999", "0"]), "DivByZero");
}

#[test]
fn powers_and_shifts() {
    assert_eq!(ints("int.pow", &["2", "64"]), "18446744073709551616");
    assert_eq!(ints("int.pow", &["0", "0"]), "1");
    assert_eq!(ints("int.pow", &["0", "5"]), "0");
    assert_eq!(ints("int.pow", &["-1", "99999999999999999999"]), "-1");
    assert_eq!(ints("int.pow", &["2", "-1"]), "out of range: the exponent -1 is negative");
    assert_eq!(ints("int.shift_left", &["1", "70"]), "1180591620717411303424");
    assert_eq!(ints("int.shift_left", &["0", "99999999999999999999"]), "0");
    assert_eq!(ints("int.shift_right", &["-5", "1"]), "-3");
    assert_eq!(ints("int.shift_right", &["-99999999999999999999", "1000"]), "-1");
    assert_eq!(
        ints("int.shift_right", &["5", "-1"]),
        "out of range: the shift count -1 is negative"
    );
    assert_eq!(ints("int.bit_and", &["-1", "99999999999999999999"]), "99999999999999999999");
}

#[test]
fn numbers_are_read() {
    for (text, number) in [
        ("12", "Some(12)"),
        ("-12", "Some(-12)"),
        ("99999999999999999999", "Some(99999999999999999999)"),
        ("", "None"),
        ("-", "None"),
        ("1_000", "None"),
        ("+1", "None"),
        (" 1", "None"),
    ] {
        assert_eq!(apply("int.parse", &[Value::str(text)]), number, "{text}");
    }
    assert_eq!(apply("float.parse", &[Value::str("1e3")]), "Some(1000.0)");
    assert_eq!(apply("float.to_int", &[Value::Float(-1.9)]), "Some(-1)");
    assert_eq!(apply("float.to_int", &[Value::Float(f64::NAN)]), "None");
    assert_eq!(apply("float.to_bits", &[Value::Float(-0.0)]), "9223372036854775808");
    assert_eq!(apply("float.round", &[Value::Float(-2.5)]), "-3.0");
}

#[test]
fn text_counts_characters() {
    let text = || Value::str("añb");
    assert_eq!(apply("str.len", &[text()]), "3");
    assert_eq!(apply("str.slice", &[text(), Value::Int(1), Value::Int(99)]), "\"ñb\"");
    assert_eq!(apply("str.slice", &[text(), Value::Int(2), Value::Int(1)]), "\"\"");
    assert_eq!(
        apply("str.slice", &[text(), Value::Int(-5), int("99999999999999999999")]),
        "\"añb\""
    );
    assert_eq!(apply("str.find", &[text(), Value::str("b")]), "Some(2)");
    assert_eq!(apply("str.split", &[text(), Value::str("")]), r#"["a", "ñ", "b"]"#);
    assert_eq!(apply("str.split", &[Value::str(""), Value::str(",")]), r#"[""]"#);
    assert_eq!(apply("str.split", &[Value::str("a,,b"), Value::str(",")]), r#"["a", "", "b"]"#);
    assert_eq!(
        apply("str.repeat", &[text(), Value::Int(-1)]),
        "out of range: a string cannot be repeated -1 times"
    );
    assert_eq!(apply("char.from_code", &[Value::Int(0xd800)]), "None");
}

#[test]
fn lists_and_tables() {
    let list =
        |items: &[i64]| Value::list(items.iter().copied().map(Value::Int).collect::<Vec<_>>());
    assert_eq!(apply("list.range", &[Value::Int(2), Value::Int(5)]), "[2, 3, 4]");
    assert_eq!(apply("list.range", &[Value::Int(5), Value::Int(2)]), "[]");
    assert_eq!(
        apply("list.range", &[int(MAX), int("9223372036854775809")]),
        "[9223372036854775807, 9223372036854775808]"
    );
    assert_eq!(apply("list.take", &[list(&[1, 2]), Value::Int(-1)]), "[]");
    assert_eq!(apply("list.drop", &[list(&[1, 2]), Value::Int(9)]), "[]");
    assert_eq!(apply("list.sort", &[list(&[3, 1, 2])]), "[1, 2, 3]");
    assert_eq!(apply("set.of", &[list(&[3, 1, 3])]), "Set.of([1, 3])");
    let pair = |key, value| Value::tuple(vec![Value::Int(key), Value::Int(value)]);
    let entries = Value::list([pair(2, 0), pair(1, 1), pair(2, 2)]);
    assert_eq!(apply("map.of", &[entries]), "Map.of([(1, 1), (2, 2)])");
    assert_eq!(apply("value.order", &[list(&[1]), list(&[1, 0])]), "-1");
}
