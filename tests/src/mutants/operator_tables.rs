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
            "replace `+` with `*`: `a + b * -a` to `a * (b * -a)`",
            "replace `+` with `-`: `+` to `-`",
            "replace `*` with `+`: `b * -a` to `(b + -a)`",
            "replace `*` with `/`: `*` to `/`",
            "remove the sign: `-a` to `a`",
        ],
    );
    makes(
        "arithmetic",
        "fn f(a: Float) -> Float { a % 2.0 }",
        &["replace `%` with `/`: `%` to `/`", "replace `%` with `*`: `%` to `*`"],
    );
    makes(
        "arithmetic",
        "fn f(a: Int) -> Int {\n  a // one\n    + 1\n}",
        &[
            "replace `+` with `*`: `a // one\n    + 1` to `a // one\n* 1`",
            "replace `+` with `-`: `+` to `-`",
        ],
    );
}

#[test]
fn comparison() {
    makes(
        "comparison",
        "fn f(a: Int, b: Int) -> Bool { a < b }",
        &[
            "replace `<` with `<=`: `<` to `<=`",
            "replace `<` with `!=`: `<` to `!=`",
            "replace `<` with `>`: `<` to `>`",
        ],
    );
    makes(
        "comparison",
        "fn f(a: Float, b: Float) -> Bool { a <= b }",
        &["replace `<=` with `<`: `<=` to `<`", "replace `<=` with `>=`: `<=` to `>=`"],
    );
    makes(
        "comparison",
        "fn f(a: Color, b: Color) -> Bool { a == b }",
        &["replace `==` with `!=`: `==` to `!=`"],
    );
}

#[test]
fn boolean() {
    makes(
        "boolean",
        "fn f(a: Bool, b: Bool) -> Bool { !a && b || a }",
        &[
            "remove `!`: `!a` to `a`",
            "replace `&&` with `||`: `!a && b` to `(!a || b)`",
            "replace `||` with `&&`: `!a && b || a` to `!a && b && a`",
        ],
    );
    makes(
        "boolean",
        "fn f(a: Int) -> Int { if a > 0 { a } else { 0 } }",
        &["negate the condition: `a > 0` to `!(a > 0)`"],
    );
}

#[test]
fn constant() {
    makes(
        "constant",
        "fn f(a: Int) -> Int { a - 1 }",
        &[
            "replace `1` with `0`: `1` to `0`",
            "replace `1` with `2`: `1` to `2`",
            "replace `1` with `-1`: `1` to `(-1)`",
        ],
    );
    makes(
        "constant",
        "fn f() -> (Int, Str, Bool) { (0, \"b\", true) }",
        &[
            "replace `0` with `1`: `0` to `1`",
            "replace `0` with `-1`: `0` to `-1`",
            "replace `\"b\"` with `\"\"`: `\"b\"` to `\"\"`",
            "replace `true` with `false`: `true` to `false`",
        ],
    );
    makes(
        "constant",
        "fn f(a: Float) -> Float { a * 2.5 }",
        &["replace `2.5` with `-2.5`: `2.5` to `(-2.5)`"],
    );
}

#[test]
fn branch() {
    makes(
        "branch",
        "fn f(a: Int) -> Int { if a > 0 { a } else { 0 } }",
        &[
            "always take the first branch: `a > 0` to `true`",
            "always take the second branch: `a > 0` to `false`",
        ],
    );
}

#[test]
fn arm() {
    makes(
        "arm",
        "fn f(c: Color) -> Int { match c { Red => 1, Green => 2, _ => 3 } }",
        &[
            "remove the arm `Red`: `Red => 1, ` to ``",
            "swap the bodies of the arms `Red` and `Green`: `1, Green => 2` to `2, Green => 1`",
            "remove the arm `Green`: `Green => 2, ` to ``",
            "swap the bodies of the arms `Green` and `_`: `2, _ => 3` to `3, _ => 2`",
        ],
    );
    makes(
        "arm",
        "fn f(c: Int?) -> Int {\n  match c {\n    Some(n) if n > 0 => n\n    Some(_) => (1)\n    \
         None => { 2 } // none\n  }\n}",
        &[
            "remove the arm `Some(n) if n > 0`: `Some(n) if n > 0 => n\n    ` to ``",
            "swap the bodies of the arms `Some(_)` and `None`: `(1)\n    None => { 2 }` to `{ 2 }\n    None => (1)`",
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
            "replace the guard with `true`: `a > 0` to `true`",
            "negate the guard: `a > 0` to `!(a > 0)`",
        ],
    );
}

#[test]
fn argument() {
    makes(
        "argument",
        "fn g(a: Int, b: Int) -> Int { a }\nfn f(n: Int) -> Int { g(n, 2) }",
        &["swap arguments 1 and 2: `n, 2` to `2, n`"],
    );
    makes(
        "argument",
        "fn f(a: Int, b: Int) -> Int { a.pow(-b) }",
        &["swap arguments 1 and 2: `a.pow(-b)` to `(-b).pow(a)`"],
    );
    makes(
        "argument",
        "fn f(a: Int, b: Int) -> Int { a + 1 |> Int.pow(b) }",
        &["swap arguments 1 and 2: `a + 1 |> Int.pow(b)` to `b |> Int.pow(a + 1)`"],
    );
    makes("argument", "fn f(a: Int, b: Str) -> List<Str> { List.replicate(a, b) }", &[]);
}

#[test]
fn call() {
    makes(
        "call",
        "fn f(a: Int) -> Int { a.abs() * 2 }",
        &["remove the call to `abs`: `a.abs()` to `a`"],
    );
    makes(
        "call",
        "fn f(xs: List<Int>) -> List<Int> { xs.sort().take(2) }",
        &[
            "remove the call to `sort`: `xs.sort()` to `xs`",
            "remove the call to `take`: `xs.sort().take(2)` to `xs.sort()`",
        ],
    );
    makes(
        "call",
        "fn f(a: Int) -> Int { a + 1 |> Int.abs }",
        &["remove the call to `abs`: `a + 1 |> Int.abs` to `a + 1`"],
    );
    makes(
        "call",
        "fn f(a: Int, g: (Int) -> Int) -> Int { -g(a) }",
        &["remove the call to a function: `g(a)` to `a`"],
    );
    makes(
        "call",
        "fn f(g: (Int) -> Int) -> Int { -g(1) }",
        &["remove the call to a function: `g(1)` to `(1)`"],
    );
}

#[test]
fn constructor() {
    makes(
        "constructor",
        "fn f() -> Color { Red }",
        &[
            "replace `Red` with `Green`: `Red` to `Green`",
            "replace `Red` with `Blue`: `Red` to `Blue`",
        ],
    );
    makes(
        "constructor",
        "fn f(a: Int) -> Shape { Square(side: a) }",
        &["replace `Square` with `Cube`: `Square` to `Cube`"],
    );
    makes(
        "constructor",
        "fn f(a: Int) -> Shape { Circle(a) }",
        &[
            "replace `Circle` with `Square`: `Circle` to `Square`",
            "replace `Circle` with `Cube`: `Circle` to `Cube`",
        ],
    );
    makes(
        "constructor",
        "fn f(a: Int) -> Shape { a |> Cube }",
        &[
            "replace `Cube` with `Square`: `Cube` to `Square`",
            "replace `Cube` with `Circle`: `Cube` to `Circle`",
        ],
    );
    makes(
        "constructor",
        "fn f(a: Int) -> Result<Int, Int> { Ok(a) }",
        &["replace `Ok` with `Err`: `Ok` to `Err`"],
    );
    makes(
        "constructor",
        "fn f(a: List<Int>) -> List<Shape> { a.map(Square) }",
        &[
            "replace `Square` with `Cube`: `Square` to `Cube`",
            "replace `Square` with `Circle`: `Square` to `Circle`",
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
            "remove the first element: `[a, 2, (3)]` to `[2, 3]`",
            "remove the last element: `[a, 2, (3)]` to `[a, 2]`",
            "reverse the elements: `[a, 2, (3)]` to `[3, 2, a]`",
        ],
    );
    makes(
        "list",
        "fn f(a: Int, xs: List<Int>) -> List<Int> { [a, ..xs] }",
        &["remove the element before the rest: `[a, ..xs]` to `xs`"],
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
            "remove the right operand of `*`: `(a + b) * 2` to `a + b`",
            "remove the left operand of `*`: `(a + b) * 2` to `2`",
            "remove the right operand of `+`: `a + b` to `a`",
            "remove the left operand of `+`: `a + b` to `b`",
        ],
    );
    makes(
        "operand",
        "fn f(a: Str) -> Str { a ++ \"!\" }",
        &[
            "remove the right operand of `++`: `a ++ \"!\"` to `a`",
            "remove the left operand of `++`: `a ++ \"!\"` to `\"!\"`",
        ],
    );
}

#[test]
fn default() {
    makes("default", "fn f(a: Int) -> Int { a }", &["replace the body with `0`: `a` to `0`"]);
    makes(
        "default",
        "fn f(a: Int) -> Int {\n  let b = a\n  b\n}",
        &["replace the body with `0`: `{\n  let b = a\n  b\n}` to `{ 0 }`"],
    );
    makes(
        "default",
        "fn f(a: Int) -> Result<(Str, Char), Int> { Err(a) }",
        &["replace the body with `Ok((\"\", ' '))`: `Err(a)` to `Ok((\"\", ' '))`"],
    );
    makes(
        "default",
        "fn f(a: Map<Int, Str>) -> Map<Int, Str> { a }",
        &["replace the body with `Map.empty()`: `a` to `Map.empty()`"],
    );
    makes(
        "default",
        "fn f(a: Set<Int>) -> Set<Int>? { Some(a) }",
        &["replace the body with `None`: `Some(a)` to `None`"],
    );
    makes(
        "default",
        "fn f(a: Pair) -> Pair { a }",
        &[
            "replace the body with `Pair { left: 0, right: 0 }`: `a` to `Pair { left: 0, right: 0 }`",
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
            "remove `Console.print`: `Console.print(\"a\")` to `()`",
            "move `Console.print` after the next output: `Console.print(\"a\") // first\n  \"b\" |> Console.print` to `\"b\" |> Console.print // first\n  Console.print(\"a\")`",
            "remove `Console.print`: `\"b\" |> Console.print` to `()`",
            "move `Console.print` after the next output: `\"b\" |> Console.print\n  Console.print(\"c\")` to `Console.print(\"c\")\n  \"b\" |> Console.print`",
            "remove `Console.print`: `Console.print(\"c\")` to `()`",
        ],
    );
    makes(
        "effect",
        "fn f() -> Result<Int, Str> ! [Disk] {\n  Disk.write_text(\"a\", \"b\")?\n  Ok(1)\n}",
        &[
            "remove `Disk.write_text` and return `Ok(())`: `Disk.write_text(\"a\", \"b\")` to `Ok(())`",
        ],
    );
}

#[test]
fn par() {
    makes(
        "par",
        "fn f() -> (Int, Int) ! [Console.print] { par (pay(1, 2), pay(3, 4)) }",
        &[
            "run branch 1 after branch 2: `par (pay(1, 2), pay(3, 4))` to `{ let (b, a) = par (pay(3, 4), pay(1, 2)); (a, b) }`",
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
            "replace the bound `0` with `1`: `0` to `1`",
            "replace the bound `0` with `-1`: `0` to `(-1)`",
            "replace the bound `10` with `11`: `10` to `11`",
            "replace the bound `10` with `9`: `10` to `9`",
        ],
    );
    makes(
        "refinement",
        "fn f(a: List<Int>{it.all(|x| x > -1)}) -> Int { a.len() + 1 }",
        &[
            "replace the bound `-1` with `0`: `-1` to `0`",
            "replace the bound `-1` with `-2`: `-1` to `(-2)`",
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
            "remove the `in` clause: `a > 0` to `true`",
            "negate the `in` clause: `a > 0` to `!(a > 0)`",
            "remove the `in` clause: `a.is_even()` to `true`",
            "negate the `in` clause: `a.is_even()` to `!a.is_even()`",
            "negate the `out` clause: `r > a && r > 1` to `!(r > a && r > 1)`",
        ],
    );
}
