//! The workloads: programs of `bench/` on each engine, compared with hand-written Rust and with
//! Rust's property testing libraries.

use bumpalo::Bump;
use gainsay_ui::TestRandom;
use gainsay_vm::{Engine, EngineKind, FaultKind, Instrumentation, Value};

use super::budget::BenchBudgets;
use super::program::{RandomIntHost, WorkloadRunner, faulty, load};
use super::text_table::{ColumnAlign, TextTable, brief, grouped};
use super::throughput::{BenchBatch, Contender, run_rounds};
use super::{native, with_proptest, with_quickcheck};

/// A workload and its contenders.
struct Workload {
    title: &'static str,
    program: &'static str,
    by_hand: native::NativeWorkload,
    /// The required speed of compiled code relative to hand-written Rust.
    budget: f64,
    others: &'static [(&'static str, LibraryProperty)],
}

/// Tests this many cases from a seed.
type LibraryProperty = fn(u64, u32) -> Result<(), String>;

const WORKS: [Workload; 4] = [
    Workload {
        title: "W1 search tree",
        program: "w1_search_tree",
        by_hand: native::search_tree,
        budget: 0.7,
        others: &[
            ("proptest", with_proptest::search_tree),
            ("proptest, inserting", with_proptest::inserted_keys),
            ("quickcheck", with_quickcheck::search_tree),
        ],
    },
    Workload {
        title: "W2 list sort",
        program: "w2_list_sort",
        by_hand: native::list_sort,
        budget: 0.7,
        others: &[
            ("proptest", with_proptest::list_sort),
            ("quickcheck", with_quickcheck::list_sort),
        ],
    },
    Workload {
        title: "W3 loop",
        program: "w3_loop",
        by_hand: native::loop_of_squares,
        budget: 0.7,
        others: &[
            ("proptest", with_proptest::loop_of_squares),
            ("quickcheck", with_quickcheck::loop_of_squares),
        ],
    },
    Workload {
        title: "W4 closures",
        program: "w4_closures",
        by_hand: native::closures,
        budget: 0.6,
        others: &[],
    },
];

/// The files of the workloads in `bench/`.
pub(super) fn programs() -> impl Iterator<Item = &'static str> {
    WORKS.iter().map(|work| work.program)
}

/// The required speed of the interpreter relative to hand-written Rust.
const INTERPRETER_BUDGET: f64 = 0.03;

/// The number of cases that must agree.
const N_COMPARED: u64 = 500;

const BY_HAND: &str = "Rust with an arena";
const COMPILED: &str = "compiled";
const COUNTING: &str = "compiled, counting";
const INTERPRETED: &str = "interpreter";

const COLUMNS: TextTable<7> = TextTable::new([
    ("", ColumnAlign::Left(14)),
    ("", ColumnAlign::Left(19)),
    ("cases /s", ColumnAlign::Right(11)),
    ("ns /case", ColumnAlign::Right(9)),
    ("ratio", ColumnAlign::Right(6)),
    ("in rounds", ColumnAlign::Right(14)),
    (" budget", ColumnAlign::Left(17)),
]);

/// Prints cases per second of all contenders, and their ratios, for each workload whose title
/// starts with `title`.
pub(super) fn report(budgets: &mut BenchBudgets, title: &str) -> Result<(), String> {
    if !WORKS.iter().any(|work| work.title.starts_with(title)) {
        return Err(format!("bench: no work `{title}`"));
    }
    println!(
        "Cases per second of processor time, and their ratio to {BY_HAND}: medians of\n\
              rounds in which all take turns, and the lowest and highest ratio.\n"
    );
    println!("{}", COLUMNS.titles());
    for work in WORKS.iter().filter(|work| work.title.starts_with(title)) {
        let mut contenders =
            contenders(work).map_err(|complaint| format!("{}: {complaint}", work.program))?;
        run_rounds(&mut contenders).map_err(|it| format!("{}: {it}", work.program))?;
        print(work, &contenders, budgets);
    }
    Ok(())
}

fn print(work: &Workload, contenders: &[Contender], budgets: &mut BenchBudgets) {
    let find = |name| contenders.iter().find(|it| it.name == name);
    let Some(by_hand) = find(BY_HAND) else { return };
    for (at, contender) in contenders.iter().enumerate() {
        let rate = contender.rate().median();
        let ratio = contender.ratio(by_hand);
        let remark = match (contender.name, find(COMPILED)) {
            (COMPILED, _) => budgets.at_least(work.budget, ratio.median()),
            (INTERPRETED, _) => budgets.at_least(INTERPRETER_BUDGET, ratio.median()),
            (COUNTING, Some(plain)) => {
                format!("{} of compiled", brief(contender.ratio(plain).median()))
            }
            _ => String::new(),
        };
        let range = format!("{} to {}", brief(ratio.least()), brief(ratio.greatest()));
        println!(
            "{}",
            COLUMNS.row([
                if at == 0 { work.title } else { "" }.to_owned(),
                contender.name.to_owned(),
                grouped(rate),
                brief(1e9 / rate),
                brief(ratio.median()),
                if at == 0 { String::new() } else { range },
                format!(" {remark}"),
            ])
        );
    }
}

/// All contenders of a workload. Engines are first checked against the hand-written code, on the
/// same draws.
fn contenders(work: &Workload) -> Result<Vec<Contender>, String> {
    let mut contenders = vec![Contender::new(BY_HAND, by_hand(work.by_hand))?];
    for (name, engine) in engines(work)? {
        let mut runner = WorkloadRunner::new(&engine)?;
        agree(&mut runner, work.by_hand).map_err(|it| format!("{name}: {it}"))?;
        contenders.push(Contender::new(name, by_engine(runner))?);
    }
    for (name, property) in work.others {
        contenders.push(Contender::new(name, Box::new(property))?);
    }
    Ok(contenders)
}

/// The engines that are available here.
fn engines(work: &Workload) -> Result<Vec<(&'static str, Engine)>, String> {
    let program = load(work.program)?;
    let mut engines = Vec::new();
    if EngineKind::Jit.is_available() {
        engines.push((COMPILED, Engine::new(program.clone(), EngineKind::Jit)));
    }
    let counting = Instrumentation::default().with_branches(&program);
    let counting = Engine::instrumented(program.clone(), counting);
    engines.extend(counting.map(|it| (COUNTING, it)));
    engines.push((INTERPRETED, Engine::new(program, EngineKind::Interpreter)));
    Ok(engines)
}

/// Checks that both give the same results from the same draws.
fn agree(runner: &mut WorkloadRunner, work: native::NativeWorkload) -> Result<(), String> {
    let (mut left, mut right) = (TestRandom::new(0), RandomIntHost::new(0));
    let mut arena = Bump::new();
    for case in 0..N_COMPARED {
        arena.reset();
        let by_hand = work(&mut left, &arena);
        let by_engine = small(runner.run(&[], &mut right))?;
        if by_hand != by_engine {
            return Err(format!("case {case}: by hand {by_hand}, engine {by_engine}"));
        }
        if left.clone().next_bits() != right.random.clone().next_bits() {
            return Err(format!("case {case}: the draws differ"));
        }
    }
    Ok(())
}

fn small(answer: Result<Value, FaultKind>) -> Result<i64, String> {
    match answer {
        Ok(Value::Int(answer)) => Ok(answer),
        Ok(_) => Err("the answer is no small number".to_owned()),
        Err(fault) => Err(faulty(fault)),
    }
}

fn by_hand(work: native::NativeWorkload) -> BenchBatch {
    let mut arena = Bump::new();
    Box::new(move |seed, n_cases| {
        let mut random = TestRandom::new(seed);
        let mut sum = 0_i64;
        for _ in 0..n_cases {
            arena.reset();
            sum = sum.wrapping_add(work(&mut random, &arena));
        }
        std::hint::black_box(sum);
        Ok(())
    })
}

fn by_engine(mut runner: WorkloadRunner) -> BenchBatch {
    Box::new(move |seed, n_cases| {
        let mut chance = RandomIntHost::new(seed);
        let mut sum = 0_i64;
        for _ in 0..n_cases {
            sum = sum.wrapping_add(small(runner.run(&[], &mut chance))?);
        }
        std::hint::black_box(sum);
        Ok(())
    })
}
