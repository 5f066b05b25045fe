//! Source texts whose edits are easy to get wrong.

use gainsay_ui::{SampleProgram, SourceModule};

use crate::edit_law::holds;

const OPERATORS: &str = r#"
fn minus(a: Int, b: Int, c: Int) -> Int { a - (b - c) - -(a) - (-b) * (a + b) / (c * c + 1) }
fn lines(a: Int, b: Int) -> Int {
  let first = a +
    b * 2 // twice
    - 3
  let second = (a // one
    + b) * first
  -first
    + second % (b * b + 1)
}
fn signs(a: Int) -> Int { -a.abs() - -1 - (-(5)) + -(a + 1) }
fn truth(a: Bool, b: Bool, n: Int) -> Bool {
  !(a && b) || !a == b && (n > 1) == (a || n < -2) // chained
    || (if n == 0 { a } else if n <0 { b } else { !b })
}
fn text(a: Str, n: Int) -> Str { "(" ++ a ++ ") // " ++ show(n - 1) ++ (if n>0 { "\"" } else { "" }) }
fn floats(a: Float, b: Float) -> Float { (a + b) / 2.0 - -b * 1e-3 % (a * a + 1.0) }
fn nested(a: Int) -> Int {
  if (a > 1) && ({ a < 5 }) { { a + 1 } } else { { { let b = a; b } } }
}
fn empty_branch(a: Int) ! [Console.print] { if a > 1 {} else { Console.print("x") } }
fn no_else(a: Int) ! [Console.print] { if a > 1 { Console.print("x") } }
"#;

const CALLS: &str = r#"
fn two(a: Int, b: Int) -> Int { a * 10 + b }
fn apply(f: (Int, Int) -> Int, a: Int) -> Int { f(a, 1) }
fn pipes(a: Int, b: Int) -> Int {
  (a + b) |> two(b) |> two(a |> two(b)) |> Int.abs |> (|x| x + 1)
}
fn piped_lines(xs: List<Int>) -> List<Int> {
  xs
    |> List.map(|x| x + 1) // each
    |> List.sort
    |> List.take(2)
}
fn methods(a: Int, b: Int) -> Int { a.two(b).two((b)).max(a - b).two({ b }).min(-a) }
fn method_lines(xs: List<Int>) -> Int {
  xs
    .map(|x| x.two(1))
    .filter(|x| x > 2 && !x.is_even())
    .sort() // in order
    .fold(0, |sum, x| sum + x)
}
fn closures(a: Int) -> Int {
  let f = |x: Int, y: Int| x - y
  let g: (Int{it > 0}) -> Int{it > -1} = |x| x - 1
  f(a, 2) + g(a) + apply(f, a) + (|x| x * 2)(a) + apply(|x, y| x.two(y), -(a))
}
fn generic<A>(a: A, b: A, xs: List<A>) -> List<A> { [a, b, ..xs] ++ [..xs, a] ++ xs.reverse() }
fn tuples(a: Int, b: Int) -> (Int, (Int, Str)) { (two(a, b), (a.pow(2), "x".repeat(b))) }
fn concat(a: List<Int>, b: List<Int>) -> List<Int> { a.concat(b) ++ List.concat(b, a).drop(1) }
fn commas(a: Int, b: Int) -> Int {
  two(
    a, // the first
    two(b, (a)),
  )
}
fn open_types(n: Int) -> Int {
  let none = if n > 0 { None } else { Some(n) }
  let items = [None, Some(1)]
  let map = Map.of([(1, [2])]).put(n, [])
  items.len() + map.at(n).len() + none.or(1) + [[], [n]].flatten().len()
}
fn set_then(s: Set<Int>) -> Set<Int> { s.insert(1).remove(2) }
"#;

const SHAPES: &str = r#"
type Color = Red | Green | Blue
type Shape = Circle(Int) | Box(width: Int, height: Int) | Frame(width: Int, height: Int) | Dot
type Point = { x: Int, y: Int{it >= 0} }
type Tree<A> = Leaf | Node(A, Tree<A>, Tree<A>)

fn colors(c: Color, n: Int) -> Color {
  match c {
    Red if n > 1 && n < 5 => Green
    Red => (Blue)
    Green => { Red }, Blue => {
      let m = n + 1; if m > 2 { Red } else { Green }
    };
  }
}
fn nested(s: Shape) -> Int {
  match (match s { Circle(n) => Some(n), _ => None }) { // => not an arrow
    Some(n) if (match n { 0 => true, _ => false }) => 1
    Some(n) =>
      n
        + 1
    None =>
      match s {
        Box(width: 1, ..) | Frame(height: 1, ..) => -1
        Box(width, height) => width * height
        _ => "=>".len()
      }
  }
}
fn negative(n: Int) -> Int {
  match n {
    -1 => 1
    0 => -1
    1 | 2 => { -2 }
    _ if n > 100 => 100
    _ => n
  }
}
fn shadows(n: Int, o: Int?) -> Int {
  match o {
    None => n
    Some(n) => 0
  }
}
fn make(n: Int) -> List<Shape> {
  [Box(width: n, height: 1), Frame(n, 2), Circle(n), n |> Circle, Dot] ++ [1, n].map(Circle)
}
fn point(n: Int) -> Point { Point { y: n * n, x: n } }
fn moved(p: Point) -> Point { { ..p, x: p.x + 1, y: p.y } }
fn insert<A>(x: A, t: Tree<A>) -> Tree<A> {
  match t {
    Leaf => Node(x, Leaf, Leaf)
    Node(y, l, r) if x < y => Node(y, insert(x, l), r)
    Node(y, l, r) => Node(y, l, x.insert(r))
  }
}
fn results(n: Int) -> Result<Int, Int> {
  let m = if n > 1 { Ok(n) } else { Err(n) }?
  match [1, m] { [] => Err(0), [a] => Ok(a), [a, ..rest] => Ok(a + rest.len()) }
}
fn options(n: Int?) -> Int? { Some(n? + 1) }
fn first(xs: List<Point>) -> Point? { match xs { [p, ..] if p.x > 0 => Some(p), _ => None } }
"#;

const EFFECTS: &str = r#"
effect Log {
  @output line(text: Str)
  @generative put(text: Str) -> Result<Unit, Str>
}
fn say(a: Int) ! [Console.print, Log] {
  Console.print("a"); Log.line("b")
  "c" |> Log.line
  if a > 1 { Log.line("d") } else { () }
  match a { 1 => Console.print("e"), _ => Console.print("f") }
  Log.line("g")
  Log.line("h")
}
fn keep(a: Str) -> Result<Int, Str> ! [Log.put] {
  Log.put(a)?
  let _ = Log.put("x" ++ a)
  match Log.put(a) { Ok(_) => Ok(1), Err(e) => Err(e.to_upper()) }
}
fn kept(a: Str) -> Result<Unit, Str> ! [Log.put] { Log.put(a ++ "!") }
fn both(a: Str) -> (Int, Int, Int) ! [Console.print] {
  par (loud(1), { Console.print(a); 2 }, 3 + 4)
}
fn mixed(a: Str) -> Int ! [Console.print] { (par (loud(1), { Console.print(a); a })).1.len() }
fn matched() -> Int ! [Console.print] { match par (loud(1), loud(2)) { (a, b) => a - b } }
fn loud(n: Int) -> Int ! [Console.print] { Console.print(show(n)); n }
fn each(xs: List<Int>) ! [Console.print] { xs.each(|x| Console.print(show(x))) }
"#;

const CONTRACTS: &str = r#"
type Even = Int{it % 2 == 0 && it>-1}
type Name = Str{ it.len() < 10 && it.chars().all(|c| c > ' ') }
const BIG: Int{it > 9_999_999_999_999_999_999} = 10_000_000_000_000_000_000 * 2
fn half(n: Even, names: List<Name>) -> Int{0 <= it}
  in { n >= 0 }
  in { let m = n + 1; m > 0 }
  out (r) { r * 2 == n }
  out (r) {
    r <= n // not more
  }
{
  let h: Int{it < 1000} = n / 2
  h + names.len() * 0
}
fn bst(size: Int, lo: Int, hi: Int, t: Int?) -> Bool {
  match t {
    1 % None => true
    size % Some(x) => (lo < x && x < hi) !x && size > 0
  }
}
"#;

#[test]
fn texts_that_are_easily_got_wrong() {
    let texts = [OPERATORS, CALLS, SHAPES, EFFECTS, CONTRACTS];
    let samples: Vec<SampleProgram> = (1..)
        .zip(texts)
        .map(|(number, text)| {
            let (name, text) = (format!("hard_{number}.say"), text.to_owned());
            let modules = vec![SourceModule { name: name.clone(), text: text.clone() }];
            SampleProgram { name, text, modules }
        })
        .collect();
    for sample in &samples {
        let checked = gainsay_ui::check(&sample.modules);
        let errors: Vec<_> = checked.diagnostics.iter().filter(|it| it.is_error()).collect();
        let shown = |it: &&gainsay_source::Diagnostic| {
            gainsay_source::render(&checked.files, it, gainsay_source::RenderStyle::Plain)
        };
        assert!(errors.is_empty(), "{}", errors.iter().map(shown).collect::<String>());
    }
    let (n_mutants, complaints) = holds(&samples);
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(n_mutants > 500, "{n_mutants}");
}
