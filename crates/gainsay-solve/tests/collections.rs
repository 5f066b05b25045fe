//! Checkers of texts, sets and maps, run backwards.

use gainsay::core::{FunctionId, ModuleId, Program, TyId, TypeTable};
use gainsay::vm::{Engine, EngineKind, Limits, NoEffects, Value, show};
use gainsay::{MemorySources, check};
use gainsay_solve::{Budget, Chooser, Machine, NoSolution, SolverRequest, compile_predicate};

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
        let lo = lo.unwrap_or_else(|| hi.map_or(-100, |hi| hi.saturating_sub(100)));
        let hi = hi.unwrap_or_else(|| lo.saturating_add(100));
        lo + (self.next() % (hi.abs_diff(lo) + 1)) as i64
    }

    fn list_weights(&mut self, _: u32) -> [u32; 2] {
        [1, 5]
    }

    fn opaque(&mut self, _: TyId) -> Option<Value> {
        None
    }
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
        .find_function(ModuleId(module as u32), name)
        .unwrap_or_else(|| panic!("no function {name}"))
}

/// What it took to solve a predicate many times.
#[derive(Debug, Default)]
struct Survey {
    n_given_up: usize,
    n_unsatisfiable: usize,
    dead_ends_per_value: f64,
    steps_per_value: f64,
    /// The share of values for which a function of the program is true.
    share_of_interest: f64,
}

/// Solves `holds` many times, checks every value, and counts those on which `interesting` holds.
fn survey(text: &str, n: u32) -> Survey {
    let program = program(text);
    let (predicate, interesting) =
        (function(&program, "holds"), function(&program, "interesting"));
    let n_arguments = program.function(predicate).params.len();
    let mut types: TypeTable = program.types.clone();
    let query = compile_predicate(&program, &mut types, predicate, Box::default())
        .unwrap_or_else(|it| panic!("{it:?}"));
    let engine = Engine::new(program.clone(), EngineKind::Interpreter);
    let mut worker = engine.worker(Limits::default());
    let mut machine = Machine::new();
    let mut dice = Dice(0x9E37_79B9_7F4A_7C15);
    let mut found = Survey::default();
    let mut n_interesting = 0;
    let args = vec![None; n_arguments];
    for at in 0..n {
        let request = SolverRequest {
            args: &args,
            wishes: &[],
            size: 1 + at % 12,
            budget: Budget::default(),
        };
        let (values, effort) = machine.solve(&query, &program, &request, &mut dice);
        found.dead_ends_per_value += effort.dead_ends as f64 / f64::from(n);
        found.steps_per_value += effort.steps as f64 / f64::from(n);
        let values = match values {
            Ok(values) => values,
            Err(NoSolution::GaveUp) => {
                found.n_given_up += 1;
                continue;
            }
            Err(NoSolution::Unsatisfiable) => {
                found.n_unsatisfiable += 1;
                continue;
            }
        };
        let mut is_true = |function| {
            let outcome = worker.call(function, &values, &mut NoEffects);
            matches!(outcome.result, Ok(Value::Bool(true)))
        };
        let shown = || values.iter().map(|it| show(&program, it)).collect::<Vec<_>>();
        assert!(is_true(predicate), "{:?} does not satisfy the predicate", shown());
        n_interesting += usize::from(is_true(interesting));
    }
    found.share_of_interest = n_interesting as f64 / f64::from(n);
    found
}

/// Asserts that nothing is given up, with few dead ends, and that values are not all trivial.
fn assert_solved(text: &str, max_dead_ends: f64, min_share: f64) {
    let found = survey(text, 200);
    assert_eq!((found.n_given_up, found.n_unsatisfiable), (0, 0), "{found:?}");
    assert!(found.dead_ends_per_value <= max_dead_ends, "{found:?}");
    assert!(found.share_of_interest >= min_share, "{found:?}");
}

const TERMS: &str = "
type Ty = TInt | TFun(Ty, Ty)
type Tm = Lit(Int) | Var(Str) | Lam(Str, Ty, Tm) | App(Tm, Tm)
fn type_of(env: Map<Str, Ty>, e: Tm) -> Ty? {
  match e {
    Lit(_) => Some(TInt)
    Var(x) => env.get(x)
    Lam(x, a, b) => Some(TFun(a, type_of(env.put(x, a), b)?))
    App(f, a) => match type_of(env, f)? {
      TFun(t, r) => if type_of(env, a)? == t { Some(r) } else { None }
      TInt => None
    }
  }
}
fn interesting(e: Tm) -> Bool {
  match e {
    Lit(_) | Var(_) => false
    Lam(_, _, b) => interesting(b)
    App(..) => true
  }
}
fn holds(e: Tm) -> Bool { type_of(Map.empty(), e).is_some() }
";

#[test]
fn an_environment_that_is_a_map() {
    assert_solved(TERMS, 20.0, 0.3);
}

#[test]
fn entries_of_an_unknown_map() {
    assert_solved(
        "
fn holds(m: Map<Int, Int>) -> Bool {
  m.keys().all(|k| k > 0) && m.len() >= 3 && m.entries().all(|e| e.0 < e.1)
}
fn interesting(m: Map<Int, Int>) -> Bool { m.len() > 3 }
",
        1.0,
        0.3,
    );
}

#[test]
fn lists_with_the_same_elements() {
    assert_solved(
        "
fn holds(xs: List<Int>, ys: List<Int>) -> Bool { xs.sort() == ys.sort() && xs != ys }
fn interesting(xs: List<Int>, ys: List<Int>) -> Bool { xs.len() > 2 }
",
        20.0,
        0.5,
    );
}

#[test]
fn records_with_texts_and_maps() {
    assert_solved(
        "
type Account = { id: Int, owner: Str, limits: Map<Str, Int> }
fn is_account(a: Account) -> Bool {
  a.owner.len() > 0 && a.owner.chars().all(|c| c >= 'a' && c <= 'z')
    && a.limits.values().all(|v| v > 0)
}
fn holds(xs: List<Account>) -> Bool {
  xs.all(is_account) && xs.map(|a| a.id).to_set().len() == xs.len()
}
fn interesting(xs: List<Account>) -> Bool { xs.len() > 1 && xs.any(|x| x.limits.len() > 1) }
",
        30.0,
        0.3,
    );
}

#[test]
fn edges_between_nodes() {
    assert_solved(
        "
type Graph = { nodes: Set<Int>, edges: List<(Int, Int)> }
fn holds(g: Graph) -> Bool {
  g.edges.all(|e| g.nodes.contains(e.0) && g.nodes.contains(e.1) && e.0 != e.1)
}
fn interesting(g: Graph) -> Bool { g.edges.len() > 2 }
",
        20.0,
        0.3,
    );
}

#[test]
fn sets_in_relation() {
    assert_solved(
        "
fn holds(a: Set<Int>, b: Set<Int>) -> Bool { a.is_disjoint(b) && a.len() >= 2 && b.len() >= 2 }
fn interesting(a: Set<Int>, b: Set<Int>) -> Bool { a.len() > 2 }
",
        20.0,
        0.3,
    );
}

#[test]
fn parts_of_a_text() {
    assert_solved(
        "
fn holds(s: Str) -> Bool {
  s.starts_with(\"id-\") && s.split(\"-\").len() == 3 && s.ends_with(\"x\")
}
fn interesting(s: Str) -> Bool { s.len() > 6 }
",
        20.0,
        0.3,
    );
}
