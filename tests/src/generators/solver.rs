//! The solver's results for predicates: the domain as text, and whether a filter remains.

use std::fmt::Write as _;

use gainsay_gen::{NoGenerator, describe_domain};
use gainsay_vm::run_on_big_stack;

use crate::{checked, function};

const DECLARATIONS: &str = "\
type Color = Red | Green | Blue
type Range = { low: Int, high: Int }
type Shape = Dot | Circle(Int) | Line(Int, Int)
const LIMIT: Int = 10 * 10
const BOUNDS: (Int, Int) = (3, 7)
const PRIMES: List<Int> = [2, 3, 5, 7]
fn within(n: Int, low: Int, high: Int) -> Bool { low <= n && n <= high }
fn deep(n: Int) -> Bool { deeper(n + 1) }
fn deeper(n: Int) -> Bool { let m = 2 * n; m < 20 && m > 0 }
fn down(n: Int) -> Bool { n == 0 || down(n - 1) }
fn clamp(n: Int) -> Int { if n < 0 { 0 } else if n > 9 { 9 } else { n } }
fn both(pair: (Int, Int)) -> Bool { let (a, b) = pair; a > 0 && b > 0 }
fn letter(c: Char) -> Bool { match c { 'a' | 'b' => true, _ => c >= 'x' && c <= 'z' } }
";

/// Types, their domains, and `+` where a filter remains.
const SOLVED: &[(&str, &str)] = &[
    ("Int", "any"),
    ("Int{it > 0}", "1.."),
    ("Int{0 < it && it <= LIMIT}", "1..100"),
    ("Int{it > 0 && it <= LIMIT && it % 2 == 0}", "2..100 (0 mod 2)"),
    ("Int{it == 5}", "5"),
    ("Int{it != 5}", "..4 or 6.."),
    ("Int{it == 2 || it == 3 || it == 4}", "2..4"),
    ("Int{it < 3 || it > 5}", "..2 or 6.."),
    ("Int{!(it < 3 || it > 5)}", "3..5"),
    ("Int{it > 5 && it < 5}", "none"),
    ("Int{it % 2 == 1}", "1.. (1 mod 2)"),
    ("Int{it % 2 != 0}", ".. (1 mod 2)"),
    ("Int{it % 6 == 2 && it % 4 == 2 && it >= 0}", "2.. (2 mod 12)"),
    ("Int{3 * it - 2 >= 10 && 20 > it + 5}", "4..14"),
    ("Int{2 * it == 7}", "none"),
    ("Int{2 * it + 1 == 7}", "3"),
    ("Int{-it > 4}", "..-5"),
    ("Int{it / 3 == 2}", "6..8"),
    ("Int{it / 3 == 0}", "-2..2"),
    ("Int{BOUNDS.0 <= it && it <= BOUNDS.1}", "3..7"),
    ("Int{within(it, 3, LIMIT)}", "3..100"),
    ("Int{deep(it)}", "0..8"),
    ("Int{down(it)}", "any +"),
    ("Int{it > 3 && down(it)}", "4.. +"),
    ("Int{clamp(it) == it}", "0..9"),
    ("Int{clamp(it) > 4}", "5.."),
    ("Int{it.abs() < 3}", "-2..2"),
    ("Int{it * it == 4}", "any +"),
    ("Int{(it > 3) == true}", "4.."),
    ("Int{(it > 3) == (it < 10)}", "4..9"),
    ("Int{if LIMIT > 5 { it > 1 } else { it < 1 }}", "2.."),
    ("Int{if it > 5 { it < 10 } else { it == 0 }}", "0 or 6..9"),
    ("Int{PRIMES.contains(it)}", "2..3 or 5 or 7"),
    (
        "Int{match it { 0 => false, 1 | 2 => true, n if n > 10 => n < 20, _ => false }}",
        "1..2 or 11..19",
    ),
    ("Nat{it < 10}", "0..9"),
    ("Byte{it != 0}", "1..255"),
    ("Bool{it}", "true"),
    ("Bool{!it}", "false"),
    ("Bool{it || !it}", "any"),
    ("Char{letter(it)}", "'a'..'b' or 'x'..'z'"),
    ("Char{it.code() < 128}", "'\\0'..'\\u{7f}'"),
    ("Char{it != 'a'}", "'\\0'..'`' or 'b'..'\\u{d7ff}' or '\\u{e000}'..'\\u{10ffff}'"),
    ("Float{it >= 0.0 && it <= 1.0}", "-0.0..1.0"),
    ("Float{it < 0.0}", "-inf..-5e-324"),
    ("Float{!(it < 0.0)}", "-0.0..inf or NaN"),
    ("Float{it.is_nan()}", "NaN"),
    (
        "Float{it != 2.0 && it.is_finite()}",
        "-1.7976931348623157e308..1.9999999999999998 or 2.0000000000000004..1.7976931348623157e308",
    ),
    ("Str{it.len() > 2}", "3.. of '\\0'..'\\u{d7ff}' or '\\u{e000}'..'\\u{10ffff}'"),
    ("Str{it == \"a\" || it == \"b\"}", "\"a\" or \"b\""),
    ("Str{it != \"a\"}", "any +"),
    ("Str{it.len() == 2 && it.chars().all(letter)}", "2 of 'a'..'b' or 'x'..'z'"),
    (
        "Str{it.starts_with(\"a\") && it.len() < 9}",
        "0..8 of '\\0'..'\\u{d7ff}' or '\\u{e000}'..'\\u{10ffff}' +",
    ),
    ("List<Int>{it.len() == 3}", "3 of any"),
    ("List<Int>{!it.is_empty()}", "1.. of any"),
    ("List<Int>{it == []}", "0 of any"),
    ("List<Int>{it.all(|x| x > 0 || x < -3)}", "0.. of 1.. or ..-4"),
    ("List<Int>{!it.any(|x| x > 0)}", "0.. of ..0"),
    ("List<Int>{it.any(|x| x > 0)}", "any +"),
    ("List<Int>{it.len() <= 4 && it.all(|x| x == it.len())}", "0..4 of any +"),
    (
        "List<Int>{match it { [] => false, [_] => true, [_, _, ..] => it.len() < 4 }}",
        "1..3 of any",
    ),
    ("Map<Int, Int>{it.len() > 0 && it.all(|k, v| k > 0 && v < 0)}", "1.. of 1.. to ..-1"),
    ("Set<Int>{it.all(|x| x > 0)}", "0.. of 1.."),
    ("(Int, Int){it.0 > 0 && it.1 < 3}", "(1.., ..2)"),
    ("(Int, Int){it.0 > 0 || it.1 < 3}", "(1.., any) or (any, ..2)"),
    ("(Int, Int){it.0 < it.1}", "any +"),
    ("(Int, Int){both(it)}", "(1.., 1..)"),
    ("Range{it.low > 0 && it.high == 9}", "{#0(1.., 9)}"),
    ("Range{it == Range { low: 1, high: 2 }}", "{#0(1, 2)}"),
    ("Color{it == Red || it == Blue}", "{#0 | #2}"),
    ("Color{it != Red}", "{#1 | #2}"),
    ("Color{match it { Red => true, _ => false }}", "{#0}"),
    ("Option<Int>{it.is_some()}", "{#1}"),
    ("Option<Int>{it == Some(3)}", "{#1(3)}"),
    ("Option<Int>{it.is_some_and(|x| x > 3)}", "{#1(4..)}"),
    ("Option<Int>{match it { Some(x) => x > 3, None => true }}", "{#0 | #1(4..)}"),
    (
        "Shape{match it { Dot => false, Circle(r) => r > 0, Line(a, b) => a == 1 && b != 2 }}",
        "{#1(1..) | #2(1, ..1 or 3..)}",
    ),
    (
        "Shape{match it { Line(a, b) if a > 0 => b > 0, Circle(_) => true, _ => false }}",
        "{#1 | #2(1.., 1..)}",
    ),
];

#[test]
fn predicates_are_solved() {
    run_on_big_stack(|| {
        let mut text = DECLARATIONS.to_owned();
        for (at, (ty, _)) in SOLVED.iter().enumerate() {
            let _ = write!(text, "\nfn keep_{at}(x: {ty}) -> Int {{ 0 }}\n");
        }
        let program = checked(&text);
        let mut wrong = String::new();
        for (at, (ty, wanted)) in SOLVED.iter().enumerate() {
            let keep = program.function(function(&program, &format!("keep_{at}")));
            let found = match describe_domain(&program, keep.params[0].ty) {
                Ok(it) if it.filters.is_empty() => it.domain,
                Ok(it) => format!("{} +", it.domain),
                Err(NoGenerator::NoValue(_)) => "none".to_owned(),
                Err(why) => format!("{why:?}"),
            };
            if found != *wanted {
                let _ = writeln!(wrong, "{ty}\n  wanted {wanted}\n  found  {found}");
            }
        }
        assert!(wrong.is_empty(), "\n{wrong}");
    });
}
