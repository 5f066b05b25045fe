//! Which predicates have recipes, and how many bundles they take.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use gainsay::core::{FunctionId, Program};
use gainsay::generate::{ConditionWay, SearchMode};
use gainsay::test::SampleReport;
use gainsay::vm::EngineKind;
use gainsay::{MemorySources, SampleSettings, check, check_sample, sample};
use gainsay_solve::{GeneratorRecipe, NotDerived, compile_predicate, derive_recipe};

fn program(text: &str) -> std::sync::Arc<Program> {
    let sources = MemorySources::new([("it.say", text)]);
    let checked = check(&["it.say".to_owned()], &sources);
    let messages: Vec<&str> = checked.diagnostics.iter().map(|it| &*it.message).collect();
    checked.program.unwrap_or_else(|| panic!("{messages:?}"))
}

fn function(program: &Program, name: &str) -> FunctionId {
    let module = program.modules.len() - 1;
    program
        .find_function(gainsay::core::ModuleId(module as u32), name)
        .unwrap_or_else(|| panic!("no function {name}"))
}

/// The recipe of a predicate, all of whose arguments from `n_known` on are unknown.
fn recipe(text: &str, name: &str, n_known: usize) -> Result<GeneratorRecipe, NotDerived> {
    let program = program(text);
    let mut types = program.types.clone();
    let predicate = function(&program, name);
    let query = compile_predicate(&program, &mut types, predicate, Box::default());
    derive_recipe(&query.unwrap_or_else(|it| panic!("{it:?}")), n_known)
}

const TREES: &str = "
type Tree = Leaf | Node(Tree, Int, Tree)

fn keys(t: Tree) -> List<Int> {
  match t {
    Leaf => []
    Node(l, k, r) => keys(l) ++ [k, ..keys(r)]
  }
}

fn is_bst(t: Tree) -> Bool {
  match t {
    Leaf => true
    Node(l, k, r) => is_bst(l) && is_bst(r) && keys(l).all(|x| x < k) && keys(r).all(|x| x > k)
  }
}

fn all_below(t: Tree, k: Int) -> Bool {
  match t {
    Leaf => true
    Node(l, x, r) => x < k && all_below(l, k) && all_below(r, k)
  }
}
fn all_above(t: Tree, k: Int) -> Bool {
  match t {
    Leaf => true
    Node(l, x, r) => x > k && all_above(l, k) && all_above(r, k)
  }
}
fn is_bst2(t: Tree) -> Bool {
  match t {
    Leaf => true
    Node(l, k, r) => is_bst2(l) && is_bst2(r) && all_below(l, k) && all_above(r, k)
  }
}
fn is_between(t: Tree, lo: Int, hi: Int) -> Bool {
  match t {
    Leaf => true
    Node(l, k, r) => lo < k && k < hi && is_between(l, lo, k) && is_between(r, k, hi)
  }
}
fn bounded(t: Tree) -> Bool { is_between(t, 0, 1000) }

fn is_heap(t: Tree) -> Bool {
  match t {
    Leaf => true
    Node(l, k, r) => is_heap(l) && is_heap(r) && root_above(l, k) && root_above(r, k)
  }
}
fn root_above(t: Tree, k: Int) -> Bool {
  match t {
    Leaf => true
    Node(_, x, _) => x >= k
  }
}
fn is_sorted(xs: List<Int>) -> Bool {
  match xs {
    [x, y, ..rest] => x <= y && is_sorted([y, ..rest])
    _ => true
  }
}
fn is_distinct(xs: List<Int>) -> Bool {
  match xs {
    [] => true
    [x, ..rest] => !rest.contains(x) && is_distinct(rest)
  }
}
fn both(xs: List<Int>) -> Bool { is_sorted(xs) && is_distinct(xs) }

fn larger(a: Int, b: Int) -> Int { if a > b { a } else { b } }
fn height(t: Tree) -> Int {
  match t {
    Leaf => 0
    Node(l, _, r) => 1 + larger(height(l), height(r))
  }
}
fn is_perfect(t: Tree) -> Bool {
  match t {
    Leaf => true
    Node(l, _, r) => is_perfect(l) && is_perfect(r) && height(l) == height(r)
  }
}

fn is_balanced(t: Tree) -> Bool {
  match t {
    Leaf => true
    Node(l, _, r) =>
      is_balanced(l) && is_balanced(r)
        && height(l) - height(r) <= 1 && height(r) - height(l) <= 1
  }
}

type Color = Red | Black
type RedBlack = Empty | Rb(Color, RedBlack, Int, RedBlack)

fn is_red(t: RedBlack) -> Bool {
  match t {
    Rb(Red, _, _, _) => true
    _ => false
  }
}
fn has_no_red_pair(t: RedBlack) -> Bool {
  match t {
    Empty => true
    Rb(Red, l, _, r) =>
      !is_red(l) && !is_red(r) && has_no_red_pair(l) && has_no_red_pair(r)
    Rb(Black, l, _, r) => has_no_red_pair(l) && has_no_red_pair(r)
  }
}
fn black_height(t: RedBlack) -> Option<Int> {
  match t {
    Empty => Some(0)
    Rb(c, l, _, r) => match (black_height(l), black_height(r)) {
      (Some(a), Some(b)) =>
        if a == b { Some(if c == Black { a + 1 } else { a }) } else { None }
      _ => None
    }
  }
}
fn is_red_black(t: RedBlack) -> Bool {
  !is_red(t) && has_no_red_pair(t) && black_height(t) != None
}

fn paired(t: RedBlack) -> (Bool, Int) {
  match t {
    Empty => (true, 1)
    Rb(color, l, _, r) => {
      let (left_ok, left) = paired(l)
      let (right_ok, right) = paired(r)
      let here = match color {
        Red => 0
        Black => 1
      }
      (left_ok && right_ok && left == right, left + here)
    }
  }
}
type Checked = { ok: Bool, height: Int }
fn checked(t: RedBlack) -> Checked {
  match t {
    Empty => Checked { ok: true, height: 0 }
    Rb(color, l, _, r) => {
      let a = checked(l)
      let b = checked(r)
      Checked {
        ok: a.ok && b.ok && a.height == b.height && (color == Black || !is_red(l) && !is_red(r)),
        height: a.height + (if color == Black { 1 } else { 0 })
      }
    }
  }
}

type Ty = Boolean | Arrow(Ty, Ty)
type Term = Var(Int) | Truth(Bool) | Abs(Ty, Term) | App(Term, Term)
fn lookup(env: List<Ty>, x: Int) -> Option<Ty> {
  match env {
    [] => None
    [t, ..rest] => if x == 0 { Some(t) } else { lookup(rest, x - 1) }
  }
}
fn get_typ(env: List<Ty>, e: Term) -> Option<Ty> {
  match e {
    Var(x) => lookup(env, x)
    Truth(_) => Some(Boolean)
    Abs(t, body) => Some(Arrow(t, get_typ([t, ..env], body)?))
    App(f, a) => match get_typ(env, f)? {
      Arrow(t, result) => if get_typ(env, a)? == t { Some(result) } else { None }
      Boolean => None
    }
  }
}
fn is_typed(e: Term) -> Bool { get_typ([], e).is_some() }
type Span = { lo: Int, hi: Int }
fn apart(xs: List<Span>) -> Bool {
  match xs {
    [] => true
    [x] => x.lo < x.hi
    [x, y, ..rest] => x.lo < x.hi && x.hi < y.lo && apart([y, ..rest])
  }
}
rel bound(env: List<Ty>, x: Int, t: Ty) {
  here: bound([t, .._], 0, t)
  there: bound([_, ..env], x + 1, t) <- bound(env, x, t)
}
type Kind = Num | Pair(Kind, Kind)
type Exp = Lit(Int) | Both(Exp, Exp) | First(Exp) | Let(Exp, Exp) | Use(Int)
fn kind_at(env: List<Kind>, n: Int) -> Kind? {
  match env {
    [] => None
    [k, ..rest] => if n == 0 { Some(k) } else { kind_at(rest, n - 1) }
  }
}
fn kind_of(env: List<Kind>, e: Exp) -> Kind? {
  match e {
    Lit(_) => Some(Num)
    Both(a, b) => Some(Pair(kind_of(env, a)?, kind_of(env, b)?))
    First(p) => match kind_of(env, p)? {
      Pair(a, _) => Some(a)
      Num => None
    }
    Let(a, b) => kind_of([kind_of(env, a)?, ..env], b)
    Use(n) => kind_at(env, n)
  }
}
rel complete(n: Int, t: Tree) {
  leaf: complete(0, Leaf)
  node: complete(n + 1, Node(l, _, r)) <- complete(n, l), complete(n, r)
}
rel typing(env: List<Ty>, e: Term, t: Ty) {
  var: typing(env, Var(x), t) <- bound(env, x, t)
  truth: typing(_, Truth(_), Boolean)
  abs: typing(env, Abs(a, body), Arrow(a, r)) <- typing([a, ..env], body, r)
  app: typing(env, App(f, x), r) <- typing(env, f, Arrow(a, r)), typing(env, x, a)
}

fn is_checked(t: RedBlack) -> Bool { checked(t).ok }

fn is_ascending_in_order(t: Tree) -> Bool { is_sorted(keys(t)) }
fn has_even_root(t: Tree) -> Bool {
  match t {
    Leaf => true
    Node(_, k, _) => k % 2 == 0
  }
}
fn is_empty_for_zero(xs: List<Int>) -> Bool {
  match xs {
    [0, ..rest] => if rest.len() > 2 { fail(\"too long\") } else { true }
    _ => true
  }
}
";

/// How many bundles the recipe of a predicate on one structure has.
fn n_bundles(name: &str) -> Result<usize, NotDerived> {
    recipe(TREES, name, 0).map(|it| it.bundles.len())
}

#[test]
fn natural_checkers_have_recipes() {
    // One for the inputs, and one for each combination of bounds.
    assert_eq!(n_bundles("is_bst"), Ok(5));
    assert_eq!(n_bundles("is_bst2"), Ok(5));
    assert_eq!(n_bundles("bounded"), Ok(2));
    assert_eq!(n_bundles("is_heap"), Ok(3));
    assert_eq!(n_bundles("is_sorted"), Ok(3));
    assert_eq!(n_bundles("is_distinct"), Ok(3));
    assert_eq!(n_bundles("both"), Ok(3));
    assert_eq!(n_bundles("is_checked"), Ok(5));
}

#[test]
fn type_checkers_have_recipes() {
    assert_eq!(n_bundles("is_typed"), Ok(7));
    solved("typing([], ?e, ?t)", 300);
    solved("typing([], ?e, Arrow(Boolean, Boolean))", 300);
    solved("get_typ([], ?e) == Some(Arrow(Boolean, Arrow(Boolean, Boolean)))", 300);
    solved("get_typ([Boolean, Arrow(Boolean, Boolean)], ?e) == Some(Boolean)", 300);
    // The argument of `First` has a larger kind than its value: with no size left, a pair is made.
    assert!(solved("kind_of([], ?e) == Some(Pair(Num, Pair(Num, Num)))", 300).len() > 100);
    solved("kind_of([], ?e).is_some()", 300);
    // What a relation computes is told by the structure, and not drawn before.
    solved("complete(?n, ?t)", 300);
    solved("complete(2, ?t)", 100);
    // Two variables have the type.
    assert_eq!(
        solved("bound([Boolean, Arrow(Boolean, Boolean), Boolean], ?x, Boolean)", 50).len(),
        2
    );
}

#[test]
fn what_is_not_understood_has_no_recipe() {
    assert_eq!(n_bundles("is_ascending_in_order"), Err(NotDerived::RelatedStructures));
    assert_eq!(n_bundles("has_even_root"), Err(NotDerived::Arithmetic));
    assert_eq!(n_bundles("is_empty_for_zero"), Err(NotDerived::MayFail));
}

/// The values that a query gives in so many draws, and how many draws gave none.
fn sampled(query: &str, mode: SearchMode, n: u64) -> (BTreeSet<String>, SampleReport) {
    let sources = MemorySources::new([("it.say", TREES)]);
    let checked = check_sample(query, Some("it.say"), &sources);
    let settings = SampleSettings {
        n_wanted: n,
        seed: 7,
        search_mode: mode,
        engine: EngineKind::Interpreter,
        interrupt: Arc::default(),
    };
    let mut found = BTreeSet::new();
    let report = sample(&checked, &settings, &mut |value| {
        found.insert(value.text.clone());
        ControlFlow::Continue(())
    });
    let messages: Vec<String> =
        checked.checked.diagnostics.iter().map(|it| it.message.to_string()).collect();
    (found, report.unwrap_or_else(|| panic!("{query}: {messages:?}")))
}

/// Samples a query that must be solved, and whose values must all satisfy it.
fn solved(query: &str, n: u64) -> BTreeSet<String> {
    let (found, report) = sampled(query, SearchMode::Solutions, n);
    let way = report.condition.map(|it| it.1);
    assert_eq!(way, Some(ConditionWay::Solved), "{query}");
    assert_eq!(report.n_given_up, 0, "{query}");
    found
}

/// A span is drawn before the next call looks at its fields, so most spans would come to nothing.
#[test]
fn what_depends_on_luck_is_searched_for() {
    let (_, report) = sampled("apart(?xs)", SearchMode::Solutions, 50);
    assert_eq!(report.condition.map(|it| it.1), Some(ConditionWay::Narrowed));
}

#[test]
fn every_value_that_is_drawn_satisfies_the_predicate() {
    for predicate in
        ["is_bst", "is_bst2", "is_heap", "is_sorted", "is_distinct", "both", "bounded"]
    {
        assert!(solved(&format!("{predicate}(?x)"), 2_000).len() > 300, "{predicate}");
    }
    solved("is_sorted(?x) && is_distinct(?y) && is_bst(?t)", 1_000);
    solved("?x < ?y && ?y < ?z && is_between(?t, ?x, ?z)", 1_000);
    solved("?x + ?y == 10 && ?x > 3", 1_000);
}

#[test]
fn every_small_value_is_drawn() {
    // Search trees over subsets of three keys: 1 + 3·1 + 3·2 + 1·5.
    assert_eq!(solved("is_bst(?t) && is_between(?t, 0, 4)", 2_000).len(), 15);
    // Lists without duplicates over two numbers: they may run out of numbers.
    assert_eq!(solved("is_distinct(?x) && ?x.all(|it| 0 <= it && it < 2)", 3_000).len(), 5);
    let all = solved("is_between(?t, 0, 3)", 1_000);
    let (searched, _) = sampled("is_between(?t, 0, 3)", SearchMode::Narrowed, 1_000);
    assert_eq!(all, searched);
}

#[test]
fn trees_with_heights_are_drawn_to_have_them() {
    // All perfect trees over one key, up to height 3.
    let perfect = solved("is_perfect(?t) && height(?t) == 2 && is_between(?t, 0, 4)", 2_000);
    assert_eq!(perfect.len(), 1);
    assert!(solved("is_red_black(?t)", 1_000).len() > 300);
    assert!(solved("is_red_black(?t) && black_height(?t) == Some(3)", 500).len() > 300);
    // Fields of results are results.
    assert!(solved("paired(?t).0 && !is_red(?t)", 500).len() > 200);
    assert!(
        solved("paired(?t).0 && has_no_red_pair(?t) && paired(?t).1 == 3", 500).len() > 200
    );
    assert!(solved("checked(?t).ok && checked(?t).height == 2", 500).len() > 200);
    assert!(solved("List.len(?x) == 5 && is_sorted(?x)", 500).len() > 300);
    assert!(solved("is_balanced(?t)", 1_000).len() > 300);
    // Between two keys that are close there may be no room for a tree of the height that is needed.
    let (found, report) =
        sampled("is_balanced(?t) && is_bst(?t)", SearchMode::Solutions, 1_000);
    assert_eq!(report.condition.map(|it| it.1), Some(ConditionWay::Solved));
    assert!(found.len() > 300 && report.n_given_up < 60, "{}", report.n_given_up);
    // Ascending between two bounds, elements would crowd at the upper one: searched.
    let query = "both(?x) && ?x.all(|it| 0 <= it && it < 4)";
    let (found, report) = sampled(query, SearchMode::Solutions, 1_000);
    assert_eq!(report.condition.map(|it| it.1), Some(ConditionWay::Narrowed));
    assert_eq!(found.len(), 16);
    // What is left of a sum is not known when the first part is drawn: searched.
    let query = "List.len(?x) == 3 && List.sum(?x) == 2 && ?x.all(|it| it >= 0)";
    let (_, report) = sampled(query, SearchMode::Solutions, 50);
    assert_eq!(report.condition.map(|it| it.1), Some(ConditionWay::Narrowed));
}
