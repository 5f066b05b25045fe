//! Natural checkers, run backwards.

use std::collections::BTreeSet;

use gainsay::core::{FunctionId, Program, RelId, TyId, TypeTable};
use gainsay::vm::{Engine, EngineKind, Limits, NoEffects, Value, show};
use gainsay::{MemorySources, check};
use gainsay_solve::{
    Budget, Chooser, Machine, NoSolution, SolverQuery, SolverRequest, compile_predicate,
    compile_relation,
};

/// Decisions from a small generator of random numbers.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

impl Chooser for Dice {
    fn alternative(&mut self, weights: &[u32]) -> usize {
        let total: u64 = weights.iter().map(|it| u64::from(*it)).sum();
        let mut point = self.next() % total.max(1);
        for (at, weight) in weights.iter().enumerate() {
            if point < u64::from(*weight) {
                return at;
            }
            point -= u64::from(*weight);
        }
        0
    }

    fn integer(&mut self, lo: Option<i64>, hi: Option<i64>) -> i64 {
        let (lo, hi) = match (lo, hi) {
            (Some(lo), Some(hi)) => (lo, hi),
            (Some(lo), None) => (lo, lo.saturating_add(100)),
            (None, Some(hi)) => (hi.saturating_sub(100), hi),
            (None, None) => (-100, 100),
        };
        lo + (self.next() % (hi.abs_diff(lo) + 1)) as i64
    }

    fn list_weights(&mut self, _: u32) -> [u32; 2] {
        [1, 5]
    }

    fn opaque(&mut self, _: TyId) -> Option<Value> {
        None
    }
}

fn request(args: &[Option<Value>], size: u32) -> SolverRequest<'_> {
    SolverRequest { args, wishes: &[], size, budget: Budget::default() }
}

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

/// What it took to solve a predicate many times.
struct Summary {
    n_found: usize,
    mean_size: f64,
    dead_ends_per_value: f64,
}

/// Solves a predicate of one unknown for many sizes, and checks every value.
fn survey(text: &str, name: &str, sizes: std::ops::Range<u32>, n: u32) -> Summary {
    let program = program(text);
    let predicate = function(&program, name);
    let mut types: TypeTable = program.types.clone();
    let query = compile_predicate(&program, &mut types, predicate, Box::default())
        .unwrap_or_else(|it| panic!("{it:?}"));
    let engine = Engine::new(program.clone(), EngineKind::Interpreter);
    let mut worker = engine.worker(Limits::default());
    let mut machine = Machine::new();
    let mut dice = Dice(0x9E37_79B9_7F4A_7C15);
    let (mut n_found, mut n_nodes_found, mut n_dead_ends) = (0, 0, 0);
    for at in 0..n {
        let size = sizes.start + at % (sizes.end - sizes.start);
        let (found, effort) =
            machine.solve(&query, &program, &request(&[None], size), &mut dice);
        n_dead_ends += effort.dead_ends;
        let Ok(values) = found else { continue };
        let outcome = worker.call(predicate, &values, &mut NoEffects);
        let holds = matches!(outcome.result, Ok(Value::Bool(true)));
        assert!(holds, "{} does not satisfy {name}", show(&program, &values[0]));
        n_found += 1;
        n_nodes_found += n_nodes(&values[0]);
    }
    Summary {
        n_found,
        mean_size: n_nodes_found as f64 / n_found.max(1) as f64,
        dead_ends_per_value: n_dead_ends as f64 / f64::from(n),
    }
}

/// Constructors with fields, and elements of lists.
fn n_nodes(value: &Value) -> usize {
    match value {
        Value::Data(_, fields) if fields.as_slice().is_empty() => 0,
        Value::Data(_, fields) => 1 + fields.as_slice().iter().map(n_nodes).sum::<usize>(),
        Value::Tuple(fields) => fields.as_slice().iter().map(n_nodes).sum(),
        Value::List(list) => list.iter().map(|it| 1 + n_nodes(it)).sum(),
        Value::Int(_) | Value::Big(_) | Value::Float(_) | Value::Bool(_) | Value::Char(_) => 0,
        Value::Str(_) | Value::Map(_) | Value::Set(_) | Value::Closure(..) => 0,
    }
}

const TREE: &str = "
type Tree = Leaf | Node(l: Tree, k: Int, r: Tree)

fn keys(t: Tree) -> List<Int> {
  match t { Leaf => [], Node(l, k, r) => keys(l) ++ [k] ++ keys(r) }
}

fn is_bst(t: Tree) -> Bool {
  match t {
    Leaf => true
    Node(l, k, r) => is_bst(l) && is_bst(r) && keys(l).all(|x| x < k) && keys(r).all(|x| x > k)
  }
}

fn is_sorted(xs: List<Int>) -> Bool {
  match xs {
    [a, b, ..rest] => a < b && is_sorted([b, ..rest])
    _ => true
  }
}

fn is_bst_by_keys(t: Tree) -> Bool { is_sorted(keys(t)) }

fn sorted_distinct(xs: List<Int>) -> Bool { xs.sorted() && xs.distinct() }

fn five_of_twenty(xs: List<Int>) -> Bool { xs.len() == 5 && xs.sum() == 20 && xs.all(|x| x >= 0) }
";

#[test]
fn natural_search_trees() {
    let it = survey(TREE, "is_bst", 1..30, 300);
    assert_eq!(it.n_found, 300);
    assert!(it.mean_size > 3.0);
    assert!(it.dead_ends_per_value < 0.1);
    let it = survey(TREE, "is_bst_by_keys", 1..30, 300);
    assert_eq!(it.n_found, 300);
}

#[test]
fn lists() {
    assert_eq!(survey(TREE, "sorted_distinct", 1..30, 300).n_found, 300);
    assert_eq!(survey(TREE, "five_of_twenty", 1..30, 100).n_found, 100);
}

const RED_BLACK: &str = "
type Color = Red | Black
type Tree = Leaf | Node(c: Color, l: Tree, k: Int, r: Tree)

fn keys(t: Tree) -> List<Int> {
  match t { Leaf => [], Node(_, l, k, r) => keys(l) ++ [k] ++ keys(r) }
}

fn is_bst(t: Tree) -> Bool {
  match t {
    Leaf => true
    Node(_, l, k, r) => is_bst(l) && is_bst(r) && keys(l).all(|x| x < k) && keys(r).all(|x| x > k)
  }
}

fn is_black(t: Tree) -> Bool { match t { Node(Red, _, _, _) => false, _ => true } }

fn no_red_red(t: Tree) -> Bool {
  match t {
    Leaf => true
    Node(Red, l, _, r) => is_black(l) && is_black(r) && no_red_red(l) && no_red_red(r)
    Node(Black, l, _, r) => no_red_red(l) && no_red_red(r)
  }
}

fn balanced(t: Tree) -> (Bool, Int) {
  match t {
    Leaf => (true, 1)
    Node(c, l, _, r) => {
      let (l_ok, l_height) = balanced(l)
      let (r_ok, r_height) = balanced(r)
      let own = if c == Black { 1 } else { 0 }
      (l_ok && r_ok && l_height == r_height, l_height + own)
    }
  }
}

fn is_rbt(t: Tree) -> Bool { is_black(t) && is_bst(t) && no_red_red(t) && balanced(t).0 }
";

#[test]
fn natural_red_black_trees() {
    let it = survey(RED_BLACK, "is_rbt", 1..30, 200);
    assert_eq!(it.n_found, 200);
    assert!(it.mean_size > 4.0);
}

const STLC: &str = "
type Typ = B | Fun(a: Typ, r: Typ)
type Term = Var(n: Nat) | True | Lam(t: Typ, b: Term) | App(f: Term, x: Term) | Cond(c: Term, a: Term, b: Term)

fn lookup(env: List<Typ>, n: Int) -> Typ? {
  match env {
    [] => None
    [t, ..rest] => if n == 0 { Some(t) } else { lookup(rest, n - 1) }
  }
}

fn get_typ(env: List<Typ>, e: Term) -> Typ? {
  match e {
    Var(n) => lookup(env, n)
    True => Some(B)
    Lam(t, b) => Some(Fun(t, get_typ([t, ..env], b)?))
    App(f, x) => {
      let a = get_typ(env, x)?
      match get_typ(env, f)? {
        Fun(p, r) => if p == a { Some(r) } else { None }
        B => None
      }
    }
    Cond(c, a, b) => match (get_typ(env, c), get_typ(env, a), get_typ(env, b)) {
      (Some(B), Some(x), Some(y)) => if x == y { Some(x) } else { None }
      _ => None
    }
  }
}

fn well_typed(e: Term) -> Bool { get_typ([], e) != None }
fn function_typed(e: Term) -> Bool { get_typ([], e) == Some(Fun(B, Fun(B, B))) }
";

#[test]
fn natural_type_checker() {
    let it = survey(STLC, "well_typed", 1..12, 200);
    assert_eq!(it.n_found, 200);
    assert!(it.mean_size > 3.0 && it.dead_ends_per_value < 20.0);
    let it = survey(STLC, "function_typed", 1..12, 200);
    assert_eq!(it.n_found, 200);
    assert!(it.mean_size > 6.0 && it.dead_ends_per_value < 50.0);
}

#[test]
fn relations() {
    let text = "
type Typ = B | Fun(a: Typ, r: Typ)
type Term = Var(n: Nat) | True | Lam(t: Typ, b: Term) | App(f: Term, x: Term)

rel at(env: List<Typ>, n: Int, t: Typ) {
  here: at([t, .._], 0, t)
  there: at([_, ..rest], n + 1, t) <- n >= 0, at(rest, n, t)
}

rel typing(env: List<Typ>, e: Term, t: Typ) {
  var: typing(env, Var(n), t) <- at(env, n, t)
  lit: typing(_, True, B)
  lam: typing(env, Lam(a, b), Fun(a, r)) <- typing([a, ..env], b, r)
  app: typing(env, App(f, x), r) <- typing(env, f, Fun(a, r)), typing(env, x, a)
}
";
    let program = program(text);
    let rel = program.rels.iter().position(|it| &*it.name == "typing").unwrap();
    let mut types = program.types.clone();
    let query: SolverQuery = compile_relation(&program, &mut types, RelId(rel as u32)).unwrap();
    let mut machine = Machine::new();
    let mut dice = Dice(77);
    let empty = Value::list(Vec::new());
    let mut n_found = 0;
    for at in 0..100 {
        let args = [Some(empty.clone()), None, None];
        let (found, _) = machine.solve(&query, &program, &request(&args, at % 12), &mut dice);
        let Ok(values) = found else { continue };
        n_found += 1;
        // The relation holds of what it made.
        let known: Vec<Option<Value>> = values.into_iter().map(Some).collect();
        let (checked, _) = machine.solve(&query, &program, &request(&known, 0), &mut dice);
        assert!(checked.is_ok(), "{checked:?} {}", show(&program, known[1].as_ref().unwrap()));
    }
    assert!(n_found > 95, "{n_found}");
}

#[test]
fn unsatisfiable_is_proved() {
    let program = program(
        "
type Color = R | G | B
fn four(a: Color, b: Color, c: Color, d: Color) -> Bool {
  a != b && a != c && a != d && b != c && b != d && c != d
}
",
    );
    let predicate = function(&program, "four");
    let mut types = program.types.clone();
    let query = compile_predicate(&program, &mut types, predicate, Box::default()).unwrap();
    let mut dice = Dice(7);
    let args = [None, None, None, None];
    let (found, _) = Machine::new().solve(&query, &program, &request(&args, 5), &mut dice);
    assert_eq!(found.err(), Some(NoSolution::Unsatisfiable));
}

/// All trees of a height with keys 0 to 2, as their text.
fn all_trees(height: u32) -> Vec<(String, Vec<i64>)> {
    let mut trees = vec![("Leaf".to_owned(), Vec::new())];
    if height > 0 {
        let smaller = all_trees(height - 1);
        for (left, left_keys) in &smaller {
            for key in 0..3 {
                for (right, right_keys) in &smaller {
                    let keys = [&left_keys[..], &[key], right_keys].concat();
                    trees.push((format!("Node(l: {left}, k: {key}, r: {right})"), keys));
                }
            }
        }
    }
    trees
}

#[test]
fn every_small_search_tree_is_found_and_nothing_else() {
    let text = format!(
        "{TREE}
fn height(t: Tree) -> Int {{
  match t {{ Leaf => 0, Node(l, _, r) => 1 + max(height(l), height(r)) }}
}}
fn is_small(t: Tree) -> Bool {{
  is_bst(t) && height(t) <= 2 && keys(t).all(|k| 0 <= k && k <= 2)
}}
"
    );
    let program = program(&text);
    let predicate = function(&program, "is_small");
    let mut types = program.types.clone();
    let query = compile_predicate(&program, &mut types, predicate, Box::default()).unwrap();
    let (mut machine, mut dice) = (Machine::new(), Dice(3));
    let found: BTreeSet<String> = (0..500)
        .filter_map(|at| {
            let request = request(&[None], at % 20);
            machine.solve(&query, &program, &request, &mut dice).0.ok()
        })
        .map(|values| show(&program, &values[0]))
        .collect();
    let is_sorted = |keys: &[i64]| keys.windows(2).all(|it| it[0] < it[1]);
    let expected = all_trees(2).into_iter().filter(|it| is_sorted(&it.1));
    assert_eq!(found, expected.map(|it| it.0).collect());
}

#[test]
fn what_was_found_is_found_again_and_what_is_broken_is_repaired() {
    let program = program(RED_BLACK);
    let predicate = function(&program, "is_rbt");
    let mut types = program.types.clone();
    let query = compile_predicate(&program, &mut types, predicate, Box::default()).unwrap();
    let (mut machine, mut dice) = (Machine::new(), Dice(9));
    let mut n_repaired = 0;
    for at in 0..100 {
        let found = machine.solve(&query, &program, &request(&[None], at % 30), &mut dice).0;
        let Ok(found) = found else { continue };
        let mut again = |wish: &Value| {
            let wishes = [Some(wish.clone())];
            let request = SolverRequest { wishes: &wishes, ..request(&[None], 0) };
            machine.solve(&query, &program, &request, &mut dice).0
        };
        let same = again(&found[0]).unwrap();
        assert_eq!(show(&program, &same[0]), show(&program, &found[0]));
        // Without its left part it is seldom balanced.
        if let Value::Data(ctor, fields) = &found[0]
            && let [color, _, key, right] = fields.as_slice()
            && let Value::Data(_, inner) = right
            && let [_, leaf, ..] = inner.as_slice()
        {
            let fields = vec![color.clone(), leaf.clone(), key.clone(), right.clone()];
            n_repaired += usize::from(again(&Value::data(*ctor, fields)).is_ok());
        }
    }
    assert!(n_repaired > 20, "{n_repaired}");
}
