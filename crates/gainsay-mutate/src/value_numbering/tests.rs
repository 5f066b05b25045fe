//! Tests of the laws, on source text.

use gainsay_check::{ModuleInput, STANDARD_MODULES, check};
use gainsay_core::{FunctionId, ModuleId, Program};
use gainsay_source::FileId;
use gainsay_syntax::parse;

use super::ValueNumbering;

/// Functions that the terms under test may call.
const AROUND: &str = "\
fn pure(n: Int) -> Bool { n > 3 }
fn act(n: Int) -> Bool ! [Console.print] { Console.print(\"a\"); n > 3 }
";

const PARAMS: &str =
    "a: Int, b: Int, p: Bool, q: Bool, x: Float, y: Float, s: Str, xs: List<Int>";

fn program(bodies: [&str; 2], result: &str) -> Program {
    let functions = ["left", "right"].into_iter().zip(bodies).map(|(name, body)| {
        format!("fn {name}({PARAMS}) -> {result} ! [Console.print] {{ {body} }}\n")
    });
    let text = format!("{AROUND}{}", functions.collect::<String>());
    let texts = STANDARD_MODULES.iter().copied().chain([("laws", text.as_str())]);
    let parsed: Vec<_> = (0..)
        .zip(texts)
        .map(|(at, (name, text))| (name.to_owned(), parse(FileId(at), text)))
        .collect();
    let inputs: Vec<ModuleInput<'_>> = parsed
        .iter()
        .map(|(name, parse)| ModuleInput {
            name: name.clone(),
            tree: &parse.tree,
            is_std: name != "laws",
            uses: Vec::new(),
        })
        .collect();
    let checked = check(&inputs);
    let errors = checked.diagnostics.iter().find(|it| it.is_error());
    assert!(errors.is_none(), "{bodies:?}: {errors:?}");
    checked.program
}

/// Whether two bodies get the same value number.
fn are_same(left: &str, right: &str, result: &str) -> bool {
    let program = program([left, right], result);
    let module = ModuleId(program.modules.len() as u32 - 1);
    let mut meanings = ValueNumbering::new(&program);
    let mut meaning = |name: &str| {
        let id: FunctionId = program.find_function(module, name).expect("it is declared");
        let body = &program.function(id).body;
        meanings.number_of(id, body, body.root.expect("it has a body"))
    };
    meaning("left") == meaning("right")
}

#[track_caller]
fn same(left: &str, right: &str, result: &str) {
    assert!(are_same(left, right, result), "{left} and {right}");
}

#[track_caller]
fn differ(left: &str, right: &str, result: &str) {
    assert!(!are_same(left, right, result), "{left} and {right}");
}

#[test]
fn arithmetic() {
    for (left, right) in [
        ("a * 1", "a"),
        ("1 * a", "a"),
        ("a + 0", "a"),
        ("a - 0", "a"),
        ("a / 1", "a"),
        ("a * 0", "0"),
        ("a - a", "0"),
        ("-(-(a))", "a"),
        ("a + b", "b + a"),
        ("(a + 0) * (b / 1)", "b * a"),
        ("2 * 3 - 7", "-1"),
        ("-7 / 2", "-3"),
        ("-7 % 2", "-1"),
        ("max(a, b)", "max(b, a)"),
        ("a.gcd(b)", "b.gcd(a)"),
    ] {
        same(left, right, "Int");
    }
    for (left, right) in [
        ("a - b", "b - a"),
        ("0 / a", "0"),
        ("a / a", "1"),
        ("0 * (1 / a)", "0"),
        ("1 / 0", "0"),
        ("1 / a + 1 / b", "1 / b + 1 / a"),
        ("a * 2", "a"),
    ] {
        differ(left, right, "Int");
    }
}

#[test]
fn floats() {
    same("x * 1.0", "x", "Float");
    same("x / 1.0", "x", "Float");
    same("x - 0.0", "x", "Float");
    same("-(-(x))", "x", "Float");
    differ("x + 0.0", "x", "Float");
    differ("x - x", "0.0", "Float");
    differ("max(x, y)", "max(y, x)", "Float");
}

#[test]
fn logic() {
    for (left, right) in [
        ("!!p", "p"),
        ("p && true", "p"),
        ("false || p", "p"),
        ("p && false", "false"),
        ("p && p", "p"),
        ("pure(a) && pure(a)", "pure(a)"),
        ("!(p && q)", "!p || !q"),
        ("if p { true } else { q }", "p || q"),
        ("if p { q } else { false }", "p && q"),
        ("if p { false } else { true }", "!p"),
        ("p == true", "p"),
        ("p != true", "!p"),
        ("!(a == b)", "b != a"),
        ("!(a < b)", "b <= a"),
        ("a > b", "b < a"),
        ("a == a", "true"),
        ("s < s", "false"),
        ("3 < 4", "true"),
    ] {
        same(left, right, "Bool");
    }
    for (left, right) in [
        ("p && q", "q && p"),
        ("p && q", "p || q"),
        ("pure(a) && false", "false"),
        ("act(a) && act(a)", "act(a)"),
        ("pure(a) == pure(a)", "true"),
        ("!(x < y)", "y <= x"),
        ("x == x", "true"),
        ("xs.at(a) < 1 / b", "1 / b > xs.at(a)"),
    ] {
        differ(left, right, "Bool");
    }
}

#[test]
fn branches() {
    for (left, right) in [
        ("if p { a } else { a }", "a"),
        ("if true { a } else { b }", "a"),
        ("if !p { a } else { b }", "if p { b } else { a }"),
        ("if a != b { 1 } else { 2 }", "if a == b { 2 } else { 1 }"),
        ("match a { 0 => b, 1 if p => b, _ => b }", "b"),
        ("match pure(a) { true => 1, _ => 1 }", "if pure(a) { 1 } else { 1 }"),
        ("{ (); (); a }", "a"),
        ("{ let _ = 1; a + 0 }", "{ let _ = 1; a }"),
    ] {
        same(left, right, "Int");
    }
    for (left, right) in [
        ("if pure(a) { a } else { a }", "a"),
        ("if act(a) { a } else { a }", "a"),
        ("{ Console.print(\"a\"); a }", "a"),
        ("match a { 0 => 1, _ => b }", "b"),
        ("match a { 0 if pure(a) => b, _ => b }", "b"),
        ("match 1 / a { _ => b }", "b"),
    ] {
        differ(left, right, "Int");
    }
}

#[test]
fn texts_and_lists() {
    same("s ++ \"\"", "s", "Str");
    same("\"\" ++ s", "s", "Str");
    differ("s ++ \"a\"", "\"a\" ++ s", "Str");
    for (left, right) in [
        ("xs ++ []", "xs"),
        ("[] ++ xs", "xs"),
        ("[..xs]", "xs"),
        ("[a, ..[b]]", "[a, b]"),
        ("[a, ..[b, ..xs]]", "[a, b, ..xs]"),
    ] {
        same(left, right, "List<Int>");
    }
    differ("[a, b]", "[b, a]", "List<Int>");
    differ("[a, ..xs]", "xs", "List<Int>");
}
