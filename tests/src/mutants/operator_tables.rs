//! The mutants that each operator makes of a small text.

use gainsay_ui::SourceModule;

use crate::edit_law::{MutatedProgram, mutated};

/// The declarations before each text.
const DECLARATIONS: &str = "\
type Color = Red | Green | Blue
type Shape = Circle(Int) | Square(side: Int) | Cube(side: Int) | Point
type Pair = { left: Int, right: Int{it >= 0} }
fn pay(amount: Int, fee: Int) -> Int ! [Console.print] { Console.print(show(amount)); fee }
";

/// The mutants that an operator makes of a text, one line each.
fn made(operator: &str, text: &str) -> Vec<String> {
    let text = format!("{DECLARATIONS}{text}\n");
    let module = SourceModule { name: "small.say".to_owned(), text };
    let it = mutated("small.say", &[module]).expect("it checks");
    let of_text = |it: &MutatedProgram, at: usize| {
        let mutant = &it.mutants.list[at];
        mutant.operator == operator && mutant.span.start as usize >= DECLARATIONS.len()
    };
    let chosen = (0..it.mutants.list.len()).filter(|at| of_text(&it, *at));
    let lines = chosen.map(|at| it.shown(&it.mutants.list[at]));
    let prefix = format!("{operator}: ");
    lines.map(|it| it.strip_prefix(&prefix).unwrap_or(&it).to_owned()).collect()
}

#[track_caller]
fn makes(operator: &str, text: &str, wanted: &[&str]) {
    let made = made(operator, text);
    let shown = || made.iter().map(|it| format!("{it:?},\n")).collect::<String>();
    assert!(made == wanted, "{operator} makes of\n{text}\n{}", shown());
}

#[test]
fn arithmetic() {
    makes(
        "arithmetic",
        "fn f(a: Int, b: Int) -> Int { a + b * -a }",
        &[
            "`+` becomes `*`: `a + b * -a` to `a * (b * -a)`",
            "`+` becomes `-`: `+` to `-`",
            "`*` becomes `+`: `b * -a` to `(b + -a)`",
            "`*` becomes `/`: `*` to `/`",
            "the sign is left out: `-a` to `a`",
        ],
    );
    makes(
        "arithmetic",
        "fn f(a: Float) -> Float { a % 2.0 }",
        &["`%` becomes `/`: `%` to `/`", "`%` becomes `*`: `%` to `*`"],
    );
    makes(
        "arithmetic",
        "fn f(a: Int) -> Int {\n  a // one\n    + 1\n}",
        &[
            "`+` becomes `*`: `a // one\n    + 1` to `a // one\n* 1`",
            "`+` becomes `-`: `+` to `-`",
        ],
    );
}

#[test]
fn comparison() {
    makes(
        "comparison",
        "fn f(a: Int, b: Int) -> Bool { a < b }",
        &[
            "`<` becomes `<=`: `<` to `<=`",
            "`<` becomes `!=`: `<` to `!=`",
            "`<` becomes `>`: `<` to `>`",
        ],
    );
    makes(
        "comparison",
        "fn f(a: Float, b: Float) -> Bool { a <= b }",
        &["`<=` becomes `<`: `<=` to `<`", "`<=` becomes `>=`: `<=` to `>=`"],
    );
    makes(
        "comparison",
        "fn f(a: Color, b: Color) -> Bool { a == b }",
        &["`==` becomes `!=`: `==` to `!=`"],
    );
}

#[test]
fn boolean() {
    makes(
        "boolean",
        "fn f(a: Bool, b: Bool) -> Bool { !a && b || a }",
        &[
            "`!` is left out: `!a` to `a`",
            "`&&` becomes `||`: `!a && b` to `(!a || b)`",
            "`||` becomes `&&`: `!a && b || a` to `!a && b && a`",
        ],
    );
    makes(
        "boolean",
        "fn f(a: Int) -> Int { if a > 0 { a } else { 0 } }",
        &["the condition is negated: `a > 0` to `!(a > 0)`"],
    );
}

#[test]
fn constant() {
    makes(
        "constant",
        "fn f(a: Int) -> Int { a - 1 }",
        &[
            "`1` becomes `0`: `1` to `0`",
            "`1` becomes `2`: `1` to `2`",
            "`1` becomes `-1`: `1` to `(-1)`",
        ],
    );
    makes(
        "constant",
        "fn f() -> (Int, Str, Bool) { (0, \"b\", true) }",
        &[
            "`0` becomes `1`: `0` to `1`",
            "`0` becomes `-1`: `0` to `-1`",
            "`\"b\"` becomes `\"\"`: `\"b\"` to `\"\"`",
            "`true` becomes `false`: `true` to `false`",
        ],
    );
    makes(
        "constant",
        "fn f(a: Float) -> Float { a * 2.5 }",
        &["`2.5` becomes `-2.5`: `2.5` to `(-2.5)`"],
    );
}

#[test]
fn branch() {
    makes(
        "branch",
        "fn f(a: Int) -> Int { if a > 0 { a } else { 0 } }",
        &[
            "always the first branch: `a > 0` to `true`",
            "always the second branch: `a > 0` to `false`",
        ],
    );
}

#[test]
fn arm() {
    makes(
        "arm",
        "fn f(c: Color) -> Int { match c { Red => 1, Green => 2, _ => 3 } }",
        &[
            "the arm `Red` is left out: `Red => 1, ` to ``",
            "the arms `Red` and `Green` change bodies: `1, Green => 2` to `2, Green => 1`",
            "the arm `Green` is left out: `Green => 2, ` to ``",
            "the arms `Green` and `_` change bodies: `2, _ => 3` to `3, _ => 2`",
        ],
    );
    makes(
        "arm",
        "fn f(c: Int?) -> Int {\n  match c {\n    Some(n) if n > 0 => n\n    Some(_) => (1)\n    \
         None => { 2 } // none\n  }\n}",
        &[
            "the arm `Some(n) if n > 0` is left out: `Some(n) if n > 0 => n\n    ` to ``",
            "the arms `Some(_)` and `None` change bodies: `(1)\n    None => { 2 }` to `{ 2 }\n    None => (1)`",
        ],
    );
    // Names from an outer scope must not be captured by another pattern.
    makes("arm", "fn f(c: Int?, n: Int) -> Int { match c { None => n, Some(n) => 0 } }", &[]);
}

#[test]
fn guard() {
    makes(
        "guard",
        "fn f(n: Int) -> Int { match n { a if a > 0 => 1, _ => 2 } }",
        &[
            "the guard always holds: `a > 0` to `true`",
            "the guard is negated: `a > 0` to `!(a > 0)`",
        ],
    );
}

#[test]
fn argument() {
    makes(
        "argument",
        "fn g(a: Int, b: Int) -> Int { a }\nfn f(n: Int) -> Int { g(n, 2) }",
        &["arguments 1 and 2 change places: `n, 2` to `2, n`"],
    );
    makes(
        "argument",
        "fn f(a: Int, b: Int) -> Int { a.pow(-b) }",
        &["arguments 1 and 2 change places: `a.pow(-b)` to `(-b).pow(a)`"],
    );
    makes(
        "argument",
        "fn f(a: Int, b: Int) -> Int { a + 1 |> Int.pow(b) }",
        &["arguments 1 and 2 change places: `a + 1 |> Int.pow(b)` to `b |> Int.pow(a + 1)`"],
    );
    makes("argument", "fn f(a: Int, b: Str) -> List<Str> { List.replicate(a, b) }", &[]);
}

#[test]
fn call() {
    makes(
        "call",
        "fn f(a: Int) -> Int { a.abs() * 2 }",
        &["the call of `abs` is left out: `a.abs()` to `a`"],
    );
    makes(
        "call",
        "fn f(xs: List<Int>) -> List<Int> { xs.sort().take(2) }",
        &[
            "the call of `sort` is left out: `xs.sort()` to `xs`",
            "the call of `take` is left out: `xs.sort().take(2)` to `xs.sort()`",
        ],
    );
    makes(
        "call",
        "fn f(a: Int) -> Int { a + 1 |> Int.abs }",
        &["the call of `abs` is left out: `a + 1 |> Int.abs` to `a + 1`"],
    );
    makes(
        "call",
        "fn f(a: Int, g: (Int) -> Int) -> Int { -g(a) }",
        &["the call of a function is left out: `g(a)` to `a`"],
    );
    makes(
        "call",
        "fn f(g: (Int) -> Int) -> Int { -g(1) }",
        &["the call of a function is left out: `g(1)` to `(1)`"],
    );
}

#[test]
fn constructor() {
    makes(
        "constructor",
        "fn f() -> Color { Red }",
        &["`Red` becomes `Green`: `Red` to `Green`", "`Red` becomes `Blue`: `Red` to `Blue`"],
    );
    makes(
        "constructor",
        "fn f(a: Int) -> Shape { Square(side: a) }",
        &["`Square` becomes `Cube`: `Square` to `Cube`"],
    );
    makes(
        "constructor",
        "fn f(a: Int) -> Shape { Circle(a) }",
        &[
            "`Circle` becomes `Square`: `Circle` to `Square`",
            "`Circle` becomes `Cube`: `Circle` to `Cube`",
        ],
    );
    makes(
        "constructor",
        "fn f(a: Int) -> Shape { a |> Cube }",
        &[
            "`Cube` becomes `Square`: `Cube` to `Square`",
            "`Cube` becomes `Circle`: `Cube` to `Circle`",
        ],
    );
    makes(
        "constructor",
        "fn f(a: Int) -> Result<Int, Int> { Ok(a) }",
        &["`Ok` becomes `Err`: `Ok` to `Err`"],
    );
    makes(
        "constructor",
        "fn f(a: List<Int>) -> List<Shape> { a.map(Square) }",
        &[
            "`Square` becomes `Cube`: `Square` to `Cube`",
            "`Square` becomes `Circle`: `Square` to `Circle`",
        ],
    );
    makes("constructor", "fn f(a: Int) -> Int? { Some(a) }", &[]);
}

#[test]
fn list() {
    makes(
        "list",
        "fn f(a: Int) -> List<Int> { [a, 2, (3)] }",
        &[
            "the first element is left out: `[a, 2, (3)]` to `[2, 3]`",
            "the last element is left out: `[a, 2, (3)]` to `[a, 2]`",
            "the elements are reversed: `[a, 2, (3)]` to `[3, 2, a]`",
        ],
    );
    makes(
        "list",
        "fn f(a: Int, xs: List<Int>) -> List<Int> { [a, ..xs] }",
        &["the element before the rest is left out: `[a, ..xs]` to `xs`"],
    );
    makes("list", "fn f(xs: List<Int>) -> List<Int> { [..xs, 1, 2] }", &[]);
    makes("list", "fn f() -> Int { [1].len() }", &[]);
}

#[test]
fn operand() {
    makes(
        "operand",
        "fn f(a: Int, b: Int) -> Int { (a + b) * 2 }",
        &[
            "the right operand of `*` is left out: `(a + b) * 2` to `a + b`",
            "the left operand of `*` is left out: `(a + b) * 2` to `2`",
            "the right operand of `+` is left out: `a + b` to `a`",
            "the left operand of `+` is left out: `a + b` to `b`",
        ],
    );
    makes(
        "operand",
        "fn f(a: Str) -> Str { a ++ \"!\" }",
        &[
            "the right operand of `++` is left out: `a ++ \"!\"` to `a`",
            "the left operand of `++` is left out: `a ++ \"!\"` to `\"!\"`",
        ],
    );
}

#[test]
fn default() {
    makes("default", "fn f(a: Int) -> Int { a }", &["the function gives `0`: `a` to `0`"]);
    makes(
        "default",
        "fn f(a: Int) -> Int {\n  let b = a\n  b\n}",
        &["the function gives `0`: `{\n  let b = a\n  b\n}` to `{ 0 }`"],
    );
    makes(
        "default",
        "fn f(a: Int) -> Result<(Str, Char), Int> { Err(a) }",
        &["the function gives `Ok((\"\", ' '))`: `Err(a)` to `Ok((\"\", ' '))`"],
    );
    makes(
        "default",
        "fn f(a: Map<Int, Str>) -> Map<Int, Str> { a }",
        &["the function gives `Map.empty()`: `a` to `Map.empty()`"],
    );
    makes(
        "default",
        "fn f(a: Set<Int>) -> Set<Int>? { Some(a) }",
        &["the function gives `None`: `Some(a)` to `None`"],
    );
    makes(
        "default",
        "fn f(a: Pair) -> Pair { a }",
        &[
            "the function gives `Pair { left: 0, right: 0 }`: `a` to `Pair { left: 0, right: 0 }`",
        ],
    );
    makes("default", "fn f(a: Color) -> Color { a }", &[]);
    makes("default", "fn f() -> List<Int> { [] }", &[]);
    makes("default", "fn f() ! [Console.print] { Console.print(\"\") }", &[]);
}

#[test]
fn effect() {
    makes(
        "effect",
        "fn f() ! [Console.print] {\n  Console.print(\"a\") // first\n  \"b\" |> \
         Console.print\n  Console.print(\"c\")\n}",
        &[
            "`Console.print` is left out: `Console.print(\"a\")` to `()`",
            "`Console.print` comes after the next output: `Console.print(\"a\") // first\n  \"b\" |> Console.print` to `\"b\" |> Console.print // first\n  Console.print(\"a\")`",
            "`Console.print` is left out: `\"b\" |> Console.print` to `()`",
            "`Console.print` comes after the next output: `\"b\" |> Console.print\n  Console.print(\"c\")` to `Console.print(\"c\")\n  \"b\" |> Console.print`",
            "`Console.print` is left out: `Console.print(\"c\")` to `()`",
        ],
    );
    makes(
        "effect",
        "fn f() -> Result<Int, Str> ! [Disk] {\n  Disk.write_text(\"a\", \"b\")?\n  Ok(1)\n}",
        &[
            "`Disk.write_text` is left out, and succeeds: `Disk.write_text(\"a\", \"b\")` to `Ok(())`",
        ],
    );
}

#[test]
fn par() {
    makes(
        "par",
        "fn f() -> (Int, Int) ! [Console.print] { par (pay(1, 2), pay(3, 4)) }",
        &[
            "branch 1 runs after branch 2: `par (pay(1, 2), pay(3, 4))` to `{ let (b, a) = par (pay(3, 4), pay(1, 2)); (a, b) }`",
        ],
    );
    makes("par", "fn f() -> (Int, Int) { par (1 + 1, 2) }", &[]);
}

#[test]
fn refinement() {
    makes(
        "refinement",
        "fn f(a: Int{0 <= it && it<10}) -> Int { a }",
        &[
            "the bound `0` becomes `1`: `0` to `1`",
            "the bound `0` becomes `-1`: `0` to `(-1)`",
            "the bound `10` becomes `11`: `10` to `11`",
            "the bound `10` becomes `9`: `10` to `9`",
        ],
    );
    makes(
        "refinement",
        "fn f(a: List<Int>{it.all(|x| x > -1)}) -> Int { a.len() + 1 }",
        &[
            "the bound `-1` becomes `0`: `-1` to `0`",
            "the bound `-1` becomes `-2`: `-1` to `(-2)`",
        ],
    );
}

#[test]
fn contract() {
    makes(
        "contract",
        "fn f(a: Int) -> Int\n  in { a > 0 }\n  in { a.is_even() }\n  out (r) { r > a && r > \
         1 }\n{ a * 2 }",
        &[
            "the `in` clause is left out: `a > 0` to `true`",
            "the `in` clause is negated: `a > 0` to `!(a > 0)`",
            "the `in` clause is left out: `a.is_even()` to `true`",
            "the `in` clause is negated: `a.is_even()` to `!a.is_even()`",
            "the `out` clause is negated: `r > a && r > 1` to `!(r > a && r > 1)`",
        ],
    );
}
