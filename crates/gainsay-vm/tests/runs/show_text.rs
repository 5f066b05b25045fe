//! Values as text.

use gainsay_vm::{Value, ValueTable, show, show_brief, show_pretty, show_within};
use num_bigint::BigInt;

use crate::builder::{INT, NONE, ProgramBuilder, SOME, STR};

fn shown(value: &Value) -> String {
    show(&ProgramBuilder::new().program, value)
}

#[test]
fn leaves_are_source() {
    assert_eq!(shown(&Value::Int(-5)), "-5");
    assert_eq!(shown(&Value::int(BigInt::from(i64::MAX) + 1)), "9223372036854775808");
    assert_eq!(shown(&Value::Bool(true)), "true");
    for (float, text) in [
        (1.0, "1.0"),
        (-0.0, "-0.0"),
        (1e300, "1e300"),
        (0.1, "0.1"),
        (1e-7, "1e-7"),
        (f64::NAN, "Float.nan"),
        (f64::INFINITY, "Float.infinity"),
        (f64::NEG_INFINITY, "-Float.infinity"),
    ] {
        assert_eq!(shown(&Value::Float(float)), text);
    }
    assert_eq!(
        shown(&Value::str("a\"'\\\n\t\r\0\u{7f}\u{200b}é")),
        r#""a\"'\\\n\t\r\0\u{7f}\u{200b}é""#
    );
    assert_eq!(shown(&Value::Char('\'')), r"'\''");
    assert_eq!(shown(&Value::Char('"')), r#"'"'"#);
}

#[test]
fn structures_are_source() {
    let mut b = ProgramBuilder::new();
    let account = b.record("Account", &[("id", INT), ("owner", STR)]);
    let empty = b.record("Empty", &[]);
    let transfer = b.sum("Entry", &[], &[("Transfer", &[("from", INT), ("to", INT)])])[0];
    let program = &b.program;
    let one_two = || vec![Value::Int(1), Value::Int(2)];
    let ann = Value::data(account, vec![Value::Int(1), Value::str("Ann")]);
    for (value, text) in [
        (Value::UNIT, "()"),
        (Value::tuple(one_two()), "(1, 2)"),
        (Value::list(one_two()), "[1, 2]"),
        (Value::list([]), "[]"),
        (ann, r#"Account { id: 1, owner: "Ann" }"#),
        (Value::data(empty, vec![]), "Empty {}"),
        (Value::data(transfer, one_two()), "Transfer(from: 1, to: 2)"),
        (Value::data(SOME, vec![Value::data(NONE, vec![])]), "Some(None)"),
        (Value::Set(ValueTable::from_items(one_two().into_iter().rev())), "Set.of([1, 2])"),
        (
            Value::Map(ValueTable::from_entries([(Value::Int(1), Value::str("a"))])),
            r#"Map.of([(1, "a")])"#,
        ),
    ] {
        assert_eq!(show(program, &value), text);
    }
}

#[test]
fn long_values_are_broken_into_lines() {
    let mut b = ProgramBuilder::new();
    let account = b.record("Account", &[("id", INT), ("owner", STR)]);
    let ann = Value::data(account, vec![Value::Int(1), Value::str("Ann")]);
    let map = Value::Map(ValueTable::from_entries([(Value::Int(1), ann.clone())]));
    let list = Value::list([map, Value::Map(ValueTable::empty())]);
    assert_eq!(
        show_pretty(&b.program, &list, 24),
        "[\n  Map.of([\n    (\n      1,\n      Account {\n        id: 1,\n        owner: \"Ann\"\n      }\n    )\n  ]),\n  Map.of([])\n]"
    );
    assert_eq!(show_pretty(&b.program, &ann, 96), show(&b.program, &ann));
    assert_eq!(show_brief(&b.program, &ann, 10), "Account { ..");
    assert_eq!(show_within(&b.program, &ann, 10), None);
}
