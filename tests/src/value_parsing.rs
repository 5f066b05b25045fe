//! Parsing of texts as values: hand-written values, errors, functions as tables, and garbage.

use std::sync::Arc;

use gainsay::{ValueParseError, parse_value};
use gainsay_core::{Datum, FunctionId, FunctionTable, Program, Ty, TyId};
use gainsay_test::{datum_to_value, function_text};
use gainsay_ui::{SourceModule, TestRandom, check};
use gainsay_vm::{Value, ValueTable, show};

/// Every type that is parsed below, as the result of a function.
const PROGRAM: &str = r#"
use shapes
use shapes.{Shape}

type Account = { id: Int, owner: Str, cents: Int{it >= 0} }
type Empty = {}
type Tree<A> = Leaf | Node(left: Tree<A>, value: A, right: Tree<A>)
type Nest<A> = Flat(A) | Deep(Nest<(A, A)>)
type Chain = End | Link(Chain)

fn int() -> Int { 0 }
fn nat() -> Int{it >= 0} { 0 }
fn float() -> Float { 0.0 }
fn bool() -> Bool { true }
fn char() -> Char { 'a' }
fn text() -> Str { "" }
fn unit() -> () { () }
fn pair() -> (Int, Str) { (0, "") }
fn ints() -> List<Int> { [] }
fn map() -> Map<Str, List<Int>> { Map.empty() }
fn set() -> Set<Int> { Set.empty() }
fn option() -> Option<Int> { None }
fn account() -> Account { Account { id: 0, owner: "", cents: 0 } }
fn empty() -> Empty { Empty {} }
fn shape() -> Shape { shapes.Dot }
fn tree() -> Tree<Option<Int>> { Leaf }
fn nest() -> Nest<Int> { Flat(0) }
fn chain() -> Chain { End }
fn predicate() -> (Int) -> Bool { |_| true }
fn answer() -> () -> Int { || 0 }
fn of_pair() -> ((Int, Str)) -> Int { |_| 0 }
fn binary() -> (Float, Set<Int>) -> Account { |_, _| account() }
fn of_account() -> (Account) -> Int { |_| 0 }
fn curried() -> (Bool) -> (Int) -> Int { |_| |_| 0 }
fn functions() -> List<(Int) -> Bool> { [] }
fn open<A>(x: A) -> A { x }
"#;

const SHAPES: &str = "type Shape = Dot | Circle(Int) | Block(width: Float, height: Float)\n";

fn program() -> Arc<Program> {
    let module =
        |name: &str, text: &str| SourceModule { name: name.to_owned(), text: text.to_owned() };
    let checked = check(&[module("reads.say", PROGRAM), module("shapes.say", SHAPES)]);
    assert_eq!(checked.diagnostics, []);
    checked.program.expect("nothing was found")
}

/// The result type of a function of the program.
fn ty(program: &Program, name: &str) -> TyId {
    let is_it = |at: &FunctionId| *program.function(*at).name == *name;
    let module = |at: &FunctionId| &*program.module(program.function(*at).module).name;
    let all = (0..program.functions.len() as u32).map(FunctionId);
    let found =
        all.clone().find(|at| is_it(at) && module(at) == "reads").expect("it is declared");
    program.function(found).result
}

fn shown(program: &Program, name: &str, text: &str) -> Result<String, ValueParseError> {
    let datum = parse_value(program, ty(program, name), text)?;
    Ok(show(program, &datum_to_value(&datum, &mut |_| None).expect("there are no functions")))
}

#[test]
fn what_people_write_by_hand_is_read() {
    let program = program();
    for (name, text, expected) in [
        ("int", " 1_000 // a comment", "1000"),
        ("int", "0xFF", "255"),
        ("int", "-0b1_01", "-5"),
        ("int", "((-(7)))", "-7"),
        ("int", "- 7", "-7"),
        ("int", "-9223372036854775808", "-9223372036854775808"),
        ("nat", "-1", "-1"),
        ("float", "1_0.5e3", "10500.0"),
        ("float", "- Float.infinity", "-Float.infinity"),
        ("text", r#""\u{41}\n'""#, r#""A\n'""#),
        ("unit", "( )", "()"),
        ("pair", "(\n  1,\n  \"a\", // last\n)", r#"(1, "a")"#),
        ("ints", "[\n1,2 , 3,\n]", "[1, 2, 3]"),
        (
            "map",
            r#"Map.of([("b", []), ("a", [1]), ("b", [2]),])"#,
            r#"Map.of([("a", [1]), ("b", [2])])"#,
        ),
        ("map", "Map.empty()", "Map.of([])"),
        ("set", "Set.of([3, 1, 3])", "Set.of([1, 3])"),
        ("option", "Some(0o17)", "Some(15)"),
        ("option", "option.None", "None"),
        ("option", "Option.Some(1)", "Some(1)"),
        (
            "account",
            r#"Account{cents:-5,id:1,owner:"Ann",}"#,
            r#"Account { id: 1, owner: "Ann", cents: -5 }"#,
        ),
        (
            "account",
            r#"reads.Account { id: 1, owner: "", cents: 0 }"#,
            r#"Account { id: 1, owner: "", cents: 0 }"#,
        ),
        ("empty", "Empty {\n}", "Empty {}"),
        ("shape", "Dot", "Dot"),
        ("shape", "shapes.Dot", "Dot"),
        ("shape", "Shape.Circle(1)", "Circle(1)"),
        ("shape", "shapes.Shape.Circle(1)", "Circle(1)"),
        ("shape", "shapes.Block(height: 1.0, width: 2.0)", "Block(width: 2.0, height: 1.0)"),
        ("shape", "Block(1.0, 2.0)", "Block(width: 1.0, height: 2.0)"),
        ("shape", "Block(height: 1.0, 2.0)", "Block(width: 2.0, height: 1.0)"),
        (
            "tree",
            "Node(Leaf, Some(1), right: Leaf)",
            "Node(left: Leaf, value: Some(1), right: Leaf)",
        ),
        ("nest", "Deep(Deep(Flat(((1, 2), (3, 4)))))", "Deep(Deep(Flat(((1, 2), (3, 4)))))"),
    ] {
        assert_eq!(shown(&program, name, text), Ok(expected.to_owned()), "`{text}`");
    }
}

#[test]
fn errors_in_values_have_a_position() {
    assert_errors(&[
        ("int", "", "1:1 expected an expression"),
        ("int", "1 2", "1:3 expected the end after `1`"),
        ("int", "1.0", "1:1 expected an integer, found a float"),
        ("int", "\"1\"", "1:1 expected an integer, found a string"),
        ("int", "1 + 1", "1:1 expected an integer, found an operator expression"),
        ("int", "LIMIT", "1:1 expected an integer, found `LIMIT`"),
        ("int", "f(1)", "1:1 expected an integer, found `f(..)`"),
        ("int", "(", "1:1 this `(` is never closed"),
        ("float", "1", "1:1 expected a float such as `1.0`, found an integer"),
        ("float", "Float.pi", "1:1 expected a float such as `1.0`, found `Float.pi`"),
        ("bool", "yes", "1:1 expected `true` or `false`, found `yes`"),
        ("char", "\"a\"", "1:1 expected a character such as `'a'`, found a string"),
        ("text", "'a'", "1:1 expected a string in double quotes, found a character"),
        ("unit", "(1, 2)", "1:1 expected `()`, found a tuple of 2 elements"),
        (
            "pair",
            "(1, \"a\", 2)",
            "1:1 expected a tuple of 2 elements, found a tuple of 3 elements",
        ),
        ("pair", "(1, 2)", "1:5 expected a string in double quotes, found an integer"),
        ("ints", "[1,\n  2,\n  x]", "3:3 expected an integer, found `x`"),
        ("ints", "[1, ..[2]]", "1:1 expected a list, found a list with `..`"),
        ("map", "[(\"a\", [])]", "1:1 expected `Map.of([..])`, found a list"),
        ("map", "Map.of(1)", "1:8 expected a list, found an integer"),
        ("map", "Map.of([1])", "1:9 expected a tuple of 2 elements, found an integer"),
        (
            "map",
            "Map.of<Str, List<Int>>([])",
            "1:1 expected `Map.of([..])`, found a call with type arguments",
        ),
        ("set", "Map.of([])", "1:1 expected `Set.of([..])`, found `Map.of(..)`"),
        ("option", "1", "1:1 expected a constructor of `Option`, found an integer"),
        ("option", "Som(1)", "1:1 `Option` has no constructor `Som`; did you mean `Some`?"),
        ("option", "Some", "1:1 `Some` takes 1 value, but got 0"),
        ("option", "Some(1, 2)", "1:1 `Some` takes 1 value, but got 2"),
        ("option", "result.Some(1)", "1:1 `Some` is in `option`, not in `result`"),
        ("account", "Acount { id: 1 }", "1:1 expected `Account { .. }`, found `Acount { .. }`"),
        (
            "account",
            "Account { id: 1 }",
            "1:1 `Account` is missing the fields `owner` and `cents`",
        ),
        ("account", "Account { id: 1, id: 2 }", "1:18 duplicate field `id`"),
        (
            "account",
            "Account { ib: 1 }",
            "1:11 `Account` has no field `ib`; did you mean `id`?",
        ),
        (
            "account",
            "Account { id }",
            "1:1 expected `Account { .. }`, found a record with a field without a value",
        ),
        ("account", "{ ..a, id: 1 }", "1:1 expected `Account { .. }`, found a record update"),
        ("shape", "Block(width: 1.0)", "1:1 `Block` is missing the field `height`"),
        ("shape", "Block(1.0, 2.0, 3.0)", "1:1 `Block` takes 2 values, but got 3"),
    ]);
}

#[test]
fn errors_in_function_tables_have_a_position() {
    assert_errors(&[
        (
            "predicate",
            "true",
            "1:1 expected a function such as `|x| match x { .. }`, found `true`",
        ),
        ("predicate", "<function>", "1:1 expected an expression"),
        ("predicate", "|x, y| true", "1:1 the function takes 1 parameter, but got 2"),
        (
            "predicate",
            "|x| match y { _ => true }",
            "1:11 a function table must be a `match` on its parameters, `x`",
        ),
        (
            "predicate",
            "|x| match x { 1 => 2 }",
            "1:20 expected `true` or `false`, found an integer",
        ),
        (
            "predicate",
            "|x| match x { _ => true, 1 => true }",
            "1:26 unreachable arm after a catch-all arm",
        ),
        (
            "predicate",
            "|x| match x { k if k > 1 => true }",
            "1:20 a guard in a function table must be `if same(k, value)`",
        ),
        (
            "predicate",
            "|x| x > 1",
            "1:5 expected `true` or `false`, found an operator expression",
        ),
        (
            "of_account",
            "|x| match x { Account { id: _, owner: \"\", cents: 0 } => 1 }",
            "1:29 expected an integer, found `_`",
        ),
        (
            "binary",
            "|x, y| match x { _ => 0 }",
            "1:14 a function table must be a `match` on its parameters, `(x, y)`",
        ),
        ("open", "1", "1:1 values of this type have no literal form"),
    ]);
}

/// Each row: the type of a value, its text, and the error with its position.
fn assert_errors(rows: &[(&str, &str, &str)]) {
    let program = program();
    for (name, text, expected) in rows {
        let unread = parse_value(&program, ty(&program, name), text).expect_err("an error");
        let position = unread.position;
        let found = format!("{}:{} {}", position.line, position.column, unread.message);
        assert_eq!(found, *expected, "{name}: `{text}`");
        assert!(unread.start <= unread.end && unread.end as usize <= text.len(), "`{text}`");
    }
}

/// The table that a text parses to.
fn table(program: &Program, name: &str, text: &str) -> FunctionTable {
    match parse_value(program, ty(program, name), text) {
        Ok(Datum::Function(table)) => *table,
        other => panic!("`{text}` is read as {other:?}"),
    }
}

/// The table as source.
fn table_text(program: &Program, table: &FunctionTable, width: usize) -> String {
    let value =
        |datum: &Datum| datum_to_value(datum, &mut |_| None).expect("there are no functions");
    let text = |datum: &Datum| match datum {
        Datum::Function(table) => table_text(program, table, width),
        Datum::Literal(_) | Datum::Tuple(_) | Datum::Data(..) => show(program, &value(datum)),
        Datum::List(_) | Datum::Map(_) | Datum::Set(_) => show(program, &value(datum)),
    };
    let entries: Vec<(Vec<Value>, String)> = table
        .entries
        .iter()
        .map(|(arguments, answer)| (arguments.iter().map(value).collect(), text(answer)))
        .collect();
    let default = table.default.as_ref().map(text);
    function_text(program, table.n_params, &entries, default.as_deref(), width)
}

#[test]
fn functions_are_tables() {
    let program = program();
    for (name, text) in [
        ("predicate", "|x| match x { 1 => true, -2 => false, _ => false }"),
        ("predicate", "|x| match x { 1 => true }"),
        ("predicate", "|x| match x {}"),
        ("predicate", "|_| true"),
        ("answer", "|| -5"),
        ("of_pair", r#"|x| match x { (1, "a") => 1, (2, "=>") => 2, _ => 0 }"#),
        (
            "binary",
            "|x1, x2| match (x1, x2) { key if same(key, (Float.nan, Set.of([1]))) => \
             Account { id: 1, owner: \"}\", cents: 2 }, \
             _ => Account { id: 0, owner: \"\", cents: 0 } }",
        ),
        ("binary", "|_, _| Account { id: 0, owner: \"\", cents: 0 }"),
        (
            "of_account",
            "|x| match x { Account { id: 1, owner: \"\", cents: -2 } => 1, _ => 0 }",
        ),
        ("curried", "|x| match x { true => |x| match x { 1 => 2, _ => 3 }, _ => |_| 4 }"),
    ] {
        let read = table(&program, name, text);
        assert_eq!(table_text(&program, &read, 1000), text);
        let broken = table_text(&program, &read, 10);
        let again = table(&program, name, &broken);
        assert_eq!(table_text(&program, &again, 1000), text, "{broken}");
        assert_eq!(
            read.ty.map(|it| matches!(program.types.get(it), Ty::Function { .. })),
            Some(true)
        );
    }
    let by_hand = "|n: Int| match (n) {\n  // odd\n  1 => true\n  k if k == 3 => true\n  rest => false\n}";
    let same = "|x| match x { 1 => true, 3 => true, _ => false }";
    assert_eq!(table(&program, "predicate", by_hand), table(&program, "predicate", same));
    let list = parse_value(&program, ty(&program, "functions"), "[|_| true, |_| false]");
    let Ok(Datum::List(items)) = list else { panic!("{list:?}") };
    assert!(items.iter().all(|it| matches!(it, Datum::Function(_))));
    let made = datum_to_value(&Datum::List(items), &mut |table| {
        Some(Value::Int(table.n_params as i64))
    });
    assert_eq!(show(&program, &made.unwrap()), "[1, 1]");
}

#[test]
fn printed_functions_are_source() {
    let program = program();
    let key = Value::tuple(vec![
        Value::Float(f64::NAN),
        Value::Set(ValueTable::from_items([Value::Int(1)])),
    ]);
    let entries = [
        (vec![Value::Float(1.5), Value::Set(ValueTable::empty())], "1".to_owned()),
        (key.fields().to_vec(), "2".to_owned()),
    ];
    for width in [0, 1000] {
        let binary = function_text(&program, 2, &entries, Some("0"), width);
        let unary = function_text(
            &program,
            1,
            &[(vec![Value::Int(-1)], "1".to_owned())],
            Some("0"),
            width,
        );
        let text = format!(
            "fn binary() -> (Float, Set<Int>) -> Int {{\n{binary}\n}}\n\
             fn unary() -> (Int) -> Int {{ {unary} }}\n"
        );
        let module = SourceModule { name: "tables.say".to_owned(), text };
        assert_eq!(check(&[module]).diagnostics, []);
    }
}

#[test]
fn values_may_nest_as_deep_as_source() {
    let program = program();
    let nested = |depth: usize| format!("{}End{}", "Link(".repeat(depth), ")".repeat(depth));
    let deep = nested(250);
    assert_eq!(shown(&program, "chain", &deep), Ok(deep));
    let text = nested(100_000);
    assert!(parse_value(&program, ty(&program, "chain"), &text).is_err());
    let parens = format!("{}1{}", "(".repeat(100_000), ")".repeat(100_000));
    assert!(parse_value(&program, ty(&program, "int"), &parens).is_err());
    assert!(parse_value(&program, ty(&program, "int"), &"-".repeat(100_000)).is_err());
    let long = "9".repeat(20_001);
    let unread = parse_value(&program, ty(&program, "int"), &long).unwrap_err();
    assert_eq!(unread.message, "the number has more than 20000 digits");
    let list = format!("[{}]", "1,".repeat(200_000));
    assert!(parse_value(&program, ty(&program, "ints"), &list).is_ok());
    let dots = format!("a{}", ".b".repeat(100_000));
    assert!(parse_value(&program, ty(&program, "shape"), &dots).is_err());
}

/// The pieces of random garbage.
const PIECES: [&str; 58] = [
    "1",
    "-",
    "0x",
    "1.5",
    "\"a\"",
    "'b'",
    "true",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    ".",
    "..",
    "=>",
    "|",
    "||",
    "_",
    "x",
    "match",
    "if",
    "same",
    "key",
    "Map.of(",
    "Set.of([",
    "Some(",
    "None",
    "Account",
    "Account {",
    "id:",
    "owner:",
    "cents:",
    "Node(",
    "Leaf",
    "left:",
    "Dot",
    "Circle(",
    "shapes.",
    "Float.nan",
    "Float.",
    " ",
    "\n",
    "//",
    "///",
    "\\",
    "\"",
    "'",
    "\u{0}",
    "é",
    "\u{1f600}",
    "let",
    "fn",
    "1_",
    "e9",
    "%",
];

#[test]
fn garbage_is_refused_without_a_panic() {
    let program = program();
    let names: Vec<TyId> =
        ["int", "float", "pair", "map", "account", "tree", "binary", "curried"]
            .map(|name| ty(&program, name))
            .to_vec();
    let mut random = TestRandom::new(7);
    let mut n_read = 0;
    for _ in 0..4_000 {
        let text: String = (0..1 + random.below(12))
            .map(|_| random.pick(&PIECES).copied().unwrap_or_default())
            .collect();
        for ty in &names {
            n_read += usize::from(parse_value(&program, *ty, &text).is_ok());
        }
    }
    assert!(n_read > 10, "some of it is a value: {n_read}");
}
