//! Derived generators: they are well-typed, complete, and terminate, and the search program and
//! record program draw the same.

#[path = "generators/claims.rs"]
mod claims;
#[path = "generators/draw_host.rs"]
mod draw_host;
#[path = "generators/random.rs"]
mod random;
#[path = "generators/solver.rs"]
mod solver;
#[path = "generators/speed.rs"]
mod speed;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use gainsay_choice::{Case, Seed, case_size};
use gainsay_core::{FunctionId, Program, validate};
use gainsay_gen::{LoweredProgram, LoweringOptions, SampleTarget, lower_with_options};
use gainsay_source::{RenderStyle, render};
use gainsay_ui::{SourceModule, check};
use gainsay_vm::{
    CallOutcome, Engine, EngineKind, FaultKind, Limits, Value, Worker, run_on_big_stack, same,
    show,
};

use self::draw_host::DrawHost;

/// The types used in these tests.
const DECLARATIONS: &str = "\
type Color = Red | Black
type Tree<A> = Leaf | Node(Color, A, Tree<A>, Tree<A>)
type Shape = Dot | Circle(Int) | Block(width: Float, height: Float) | Group(List<Shape>)
type Account = { id: Int, owner: Str, cents: Int{it >= 0} }
type Json = Null | Truth(Bool) | Number(Int) | Text(Str) | Array(List<Json>) | Object(Map<Str, Json>)
type Even = Zero | Next(Odd)
type Odd = Once(Even)
type Chain = End | Link(Int, Chain)
type Rose = { label: Int, below: List<Rose> }
@weights(Tip = 1, Fork = size) type Weighed = Tip | Fork(Weighed, Weighed)
type Expr = Lit(Int) | Add(Expr, Expr) | Neg(Expr) | Let(Str, Expr, Expr) | Both((Expr, Expr))
type Pair<A, B> = { left: A, right: Option<B> }
const LIMIT: Int = 100
fn small(n: Int) -> Bool { 0 <= n && n < LIMIT }
fn ordered(t: Tree<Int>) -> Bool {
  match t {
    Leaf => true
    Node(_, x, l, r) => ordered(l) && ordered(r) && x > -1000
  }
}
fn is_prime(n: Int) -> Bool { n > 1 && List.range(2, n).all(|d| n % d != 0) }
";

/// A checked program of functions that each take a value of a type.
fn program_of(types: &[&str]) -> std::sync::Arc<Program> {
    let mut text = DECLARATIONS.to_owned();
    for (at, ty) in types.iter().enumerate() {
        let _ = write!(text, "\ntype T{at} = {ty}\n");
        let _ = writeln!(text, "fn keep_{at}(x: T{at}) -> T{at} {{ x }}");
    }
    checked(&text)
}

fn checked(text: &str) -> std::sync::Arc<Program> {
    let checked =
        check(&[SourceModule { name: "types.say".to_owned(), text: text.to_owned() }]);
    checked.program.unwrap_or_else(|| {
        let first = &checked.diagnostics[0];
        panic!("{}", render(&checked.files, first, RenderStyle::Plain));
    })
}

fn function(program: &Program, name: &str) -> FunctionId {
    let found = program.functions.iter().position(|it| &*it.name == name);
    FunctionId(found.unwrap_or_else(|| panic!("no function `{name}`")) as u32)
}

/// Both lowered programs, ready to run.
struct GeneratorBench {
    lowered: LoweredProgram,
    search: Worker,
    record: Worker,
    runner: DrawHost,
}

/// The result of one case in both programs.
struct GeneratedCase {
    value: Option<Value>,
    case: Case,
}

impl GeneratorBench {
    fn new(program: &Program, wanted: &[SampleTarget], kind: EngineKind) -> Self {
        let lowered = lower_with_options(
            program,
            &LoweringOptions {
                samples: wanted,
                filters_only: true,
                ..LoweringOptions::default()
            },
        );
        for (name, lowered) in [("search", &lowered.search), ("record", &lowered.record)] {
            if let Err(defects) = validate(lowered) {
                let function = lowered.function(defects[0].function);
                panic!(
                    "{name}: {} ({}) of {}",
                    defects[0].message,
                    function.name,
                    defects.len()
                );
            }
        }
        let worker = |program| Engine::new(program, kind).worker(Limits::default());
        let search = worker(std::sync::Arc::clone(&lowered.search));
        let record = worker(std::sync::Arc::clone(&lowered.record));
        let runner = DrawHost::new(&lowered);
        GeneratorBench { lowered, search, record, runner }
    }

    /// Runs a case in both programs, which must agree.
    fn run(&mut self, function: FunctionId, case: u64, size: u32) -> GeneratedCase {
        let seed = Seed { run: 7, claim: u64::from(function.0), case };
        self.runner.search(seed, size);
        let searched = self.search.call(function, &[], &mut self.runner);
        let seen = value(&self.lowered, &searched);
        self.runner.record(seed, size);
        let recorded = self.record.call(function, &[], &mut self.runner);
        let recorded = value(&self.lowered, &recorded);
        if recorded.is_some() {
            assert_eq!(self.runner.depth, 0, "all spans are closed");
        }
        match (&seen, &recorded) {
            (Some(a), Some(b)) => {
                let text = |it| show(&self.lowered.record, it);
                assert!(same(a, b), "search gives {}, record {}", text(a), text(b));
            }
            (None, None) => {}
            _ => panic!("one program gives a value, the other does not"),
        }
        GeneratedCase { value: recorded, case: self.runner.source.recorded_case() }
    }

    /// Checks that a function with a parameter of a type accepts the value.
    fn is_of_type(&mut self, keep: FunctionId, value: &Value, ty: &str) {
        let kept = self.search.call(keep, std::slice::from_ref(value), &mut self.runner);
        let text = show(&self.lowered.record, value);
        assert!(kept.result.is_ok(), "{text} is no {ty}: {:?}", kept.result);
    }
}

/// The value of a run; `None` if the case was discarded.
fn value(lowered: &LoweredProgram, outcome: &CallOutcome) -> Option<Value> {
    match &outcome.result {
        Ok(value) => Some(value.clone()),
        Err(fault) if fault.kind == FaultKind::Discarded => None,
        Err(fault) => {
            let name = &lowered.search.function(fault.function).name;
            panic!("a fault in `{name}`: {:?}", fault.kind)
        }
    }
}

/// Types, and whether generation must never reject a value.
const TYPES: &[(&str, bool)] = &[
    ("Int", true),
    ("Bool", true),
    ("Char", true),
    ("Str", true),
    ("Float", true),
    ("()", true),
    ("(Int, Bool)", true),
    ("List<Int>", true),
    ("List<List<Bool>>", true),
    ("Set<Int>", true),
    ("Map<Int, Str>", true),
    ("Option<Int>", true),
    ("Result<Int, Str>", true),
    ("Color", true),
    ("Tree<Int>", true),
    ("Tree<Tree<Bool>>", true),
    ("Shape", true),
    ("Account", true),
    ("Json", true),
    ("Even", true),
    ("Odd", true),
    ("Chain", true),
    ("Rose", true),
    ("Weighed", true),
    ("Expr", true),
    ("Pair<Int, Chain>", true),
    ("List<Tree<Nat>>", true),
    ("Nat", true),
    ("Byte", true),
    ("U64", true),
    ("Int{it > 0 && it <= LIMIT && it % 2 == 0}", true),
    ("Int{it == 5 || it > 100 || it < -7}", true),
    ("Int{it != 0}", true),
    ("Int{!(it < 3) && 2 * it + 1 < 50}", true),
    ("Int{small(it)}", true),
    ("Int{it % 7 == 3 || it % 5 == 0}", true),
    ("Int{10 - it > 3 && it / 2 >= -4}", true),
    ("Int{if LIMIT > 10 { it > 3 } else { it < 3 }}", true),
    ("Int{it.abs() <= 10}", true),
    ("Nat{it < 10}", true),
    ("Float{it >= 0.0 && it < 1.0}", true),
    ("Float{it.is_finite()}", true),
    ("Float{!it.is_nan()}", true),
    ("Float{it.is_nan() || it > 5.5}", true),
    ("Bool{it}", true),
    ("Char{it >= 'a' && it <= 'f'}", true),
    ("Char{it.is_digit()}", true),
    ("Char{it.is_alphabetic() && !it.is_upper()}", true),
    ("Str{it.len() >= 2 && it.len() < 5}", true),
    ("Str{it == \"yes\" || it == \"no\"}", true),
    ("Str{it != \"\"}", true),
    ("Str{it.chars().all(|c| c.is_digit()) && it.len() == 3}", true),
    ("List<Int>{it.len() == 3}", true),
    ("List<Int>{!it.is_empty() && it.len() <= 2}", true),
    ("List<Int>{it.all(|x| x > 0 || x < -5)}", true),
    ("List<Nat>{it.all(|x| x < 10)}", true),
    ("Set<Byte>{it.len() >= 2}", false),
    ("Set<Bool>{it.len() == 2}", false),
    ("Map<Int, Bool>{it.len() > 0 && it.len() <= 3}", false),
    ("Map<Int, Int>{it.all(|k, v| k > 0 && v < 0)}", true),
    ("Set<Int>{it.all(|x| x > 3)}", true),
    ("Account{it.cents <= 10 && it.id == 7}", true),
    ("(Int, Int){it.0 > 0 && it.1 < 0}", true),
    ("Option<Int>{it.is_some()}", true),
    ("Option<Int>{it != None}", true),
    ("Option<Int>{match it { Some(x) => x > 5, None => true }}", true),
    (
        "Result<Int, Int>{match it { Ok(x) => x > 0, Err(x) if x == 3 => true, Err(_) => false }}",
        true,
    ),
    ("Color{it == Red}", true),
    ("Tree<Int>{it != Leaf}", true),
    ("(Int, Int){it.0 < it.1}", false),
    ("Tree<Int>{ordered(it)}", false),
    ("Int{it > 0 && it < 30 && is_prime(it)}", false),
    ("List<Int{is_prime(it) && it < 50}>", false),
    ("(Bool, Bool){it.0 || it.1}", true),
    ("(Int, Bool){it == (3, true)}", true),
    ("Account{it.cents == 3 || it.id == 4}", true),
];

/// The number of cases per type.
const N_CASES: u64 = 150;

fn draws_everything(kind: EngineKind) {
    let texts: Vec<&str> = TYPES.iter().map(|it| it.0).collect();
    let program = program_of(&texts);
    let keeps: Vec<FunctionId> =
        (0..TYPES.len()).map(|at| function(&program, &format!("keep_{at}"))).collect();
    let wanted: Vec<SampleTarget> =
        keeps.iter().map(|it| SampleTarget::Type(program.function(*it).params[0].ty)).collect();
    let mut bench = GeneratorBench::new(&program, &wanted, kind);
    for (at, (ty, is_solved)) in TYPES.iter().enumerate() {
        let drawn = match &bench.lowered.samples[at] {
            Ok(function) => *function,
            Err(why) => panic!("{ty} has no generator: {why:?}"),
        };
        bench.runner.n_rejected = 0;
        let mut n_values = 0;
        let mut distinct = BTreeSet::new();
        for case in 0..N_CASES {
            let ran = bench.run(drawn, case, case_size(case, N_CASES));
            n_values += u64::from(ran.value.is_some());
            if let Some(value) = &ran.value {
                bench.is_of_type(keeps[at], value, ty);
            }
            distinct.extend(ran.value.map(|it| show(&program, &it)));
            assert!(
                ran.case.choices().len() < 60_000,
                "{ty}: {} choices",
                ran.case.choices().len()
            );
        }
        assert!(n_values * 10 > N_CASES * 9, "{ty}: {n_values} values of {N_CASES}");
        if *is_solved {
            assert_eq!(bench.runner.n_rejected, 0, "{ty} is solved");
        }
        assert!(!distinct.is_empty(), "{ty} has values");
    }
}

#[test]
fn values_are_of_their_types() {
    run_on_big_stack(|| draws_everything(EngineKind::Interpreter));
}

#[test]
fn compiled_values_are_of_their_types() {
    run_on_big_stack(|| draws_everything(EngineKind::best()));
}
