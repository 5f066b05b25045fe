//! Benchmark of laws: cases per second, how that scales with their number, and the cost of hostile
//! cases in an example of some size.

use std::hint::black_box;
use std::sync::Arc;

use gainsay_core::Program;
use gainsay_gen::{LoweringOptions, lower_with_options};
use gainsay_test::{HostileMode, Report, Settings, run as run_claims};
use gainsay_ui::{SourceModule, job, own_claims, root};

use super::run::program::checked;
use super::run::text_table::{ColumnAlign, TextTable, brief, grouped};
use crate::cpu_time;

/// The numbers of values of the two givens.
const SIZES: [(u64, u64); 4] = [(10, 10), (25, 40), (100, 100), (250, 400)];

/// The number of measurements per size.
const N_ROUNDS: usize = 9;

/// The target for simple cases per second of processor time.
const BUDGET: f64 = 1e6;

const COLUMNS: TextTable<6> = TextTable::new([
    ("", ColumnAlign::Left(26)),
    ("cases", ColumnAlign::Right(8)),
    ("ms", ColumnAlign::Right(9)),
    ("cases /s", ColumnAlign::Right(12)),
    ("ns /case", ColumnAlign::Right(9)),
    ("of Rust", ColumnAlign::Right(8)),
]);

/// A measured law: the text around its two givens.
struct BenchLaw {
    name: &'static str,
    head: &'static str,
    tail: &'static str,
    /// Whether the budget applies to it.
    is_simple: bool,
}

const LAWS: [BenchLaw; 3] = [
    BenchLaw {
        name: "pure, without a guard",
        head: "fn add(a: Int, b: Int) -> Int { a + b }\nverify add law commutes {",
        tail: "  add(a, b) => add(b, a)\n}",
        is_simple: true,
    },
    BenchLaw {
        name: "pure, with a guard",
        head: "fn add(a: Int, b: Int) -> Int { a + b }\nverify add law grows {",
        tail: "  when b > 0\n  add(a, b) > a => true\n}",
        is_simple: true,
    },
    BenchLaw {
        name: "in a world",
        head: "fn fair(path: BranchPath, n: Int, min: Int, max: Int) -> Int { min + n }\n\
               fn roll(a: Int, b: Int) -> Int ! [Random.int] { Random.int(a, a + b) }\n\
               verify roll law asks_once {\n  given rnd: Random.int = [fair]",
        tail: "  roll(a, b) => rnd(BranchPath.root, 0, a, a + b)\n}",
        is_simple: false,
    },
];

/// Prints cases per second by number of cases, and the cost of hostile cases.
pub(super) fn run() -> Result<(), String> {
    println!(
        "\nLaws: whole runs on one thread in processor time, from the checked program to the\n\
         report, with compiling; the ratio is to the same comparisons in Rust.\n"
    );
    println!("{}", COLUMNS.titles());
    let mut n_missed = 0;
    for BenchLaw { name, head, tail, is_simple } in LAWS {
        let mut runs = Vec::new();
        for (n_a, n_b) in SIZES {
            let text = format!(
                "{head}\n  given a: Int = 0..{n_a}\n  given b: Int = 0..{n_b}\n{tail}\n"
            );
            let program = checked(SourceModule { name: "laws.say".to_owned(), text })?;
            let n_cases = n_a * n_b;
            let seconds =
                median(|| measured(&program, n_cases, HostileMode::None).map(|it| it.0))?;
            let by_hand = median(|| Ok(in_rust(n_a, n_b)))?;
            println!(
                "{}",
                COLUMNS.row([
                    name.to_owned(),
                    grouped(n_cases as f64),
                    format!("{:.2}", seconds * 1e3),
                    grouped(n_cases as f64 / seconds),
                    brief(seconds * 1e9 / n_cases as f64),
                    format!("{:.4}", by_hand / seconds),
                ])
            );
            runs.push((n_cases as f64, seconds));
        }
        // Differences of runs cancel the cost of compilation.
        let per_case = |from: usize, to: usize| {
            let ((n, before), (m, after)) = (runs[from], runs[to]);
            (after - before) / (m - n)
        };
        let (early, late) = (per_case(0, 2), per_case(2, 3));
        println!(
            "{:26} one more case: {} ns up to 10,000, {} ns up to 100,000{}\n",
            "",
            brief(early * 1e9),
            brief(late * 1e9),
            match (is_simple, late <= 1.0 / BUDGET) {
                (true, true) => "; a million per second: met",
                (true, false) => "; a million per second: missed",
                (false, _) => "",
            }
        );
        n_missed += usize::from(is_simple && late > 1.0 / BUDGET);
    }
    hostile_example()?;
    println!("budgets missed: {n_missed} of 2");
    Ok(())
}

fn hostile_example() -> Result<(), String> {
    let path = root().join("examples").join("lease.say");
    let text = std::fs::read_to_string(&path)
        .map_err(|error| format!("examples/lease.say: {error}"))?;
    let program = checked(SourceModule { name: "lease.say".to_owned(), text })?;
    let mut n_cases = 0;
    let seconds = median(|| {
        let (seconds, report) = measured(&program, u64::MAX, HostileMode::Profiles)?;
        n_cases = report.claims.iter().map(|it| it.cases).sum();
        Ok(seconds)
    })?;
    println!(
        "examples/lease.say with --hostile: {} cases in {:.0} ms of processor time (at most a second)",
        grouped(n_cases as f64),
        seconds * 1e3
    );
    Ok(())
}

/// The processor time of a whole run in which nothing may fail.
fn measured(
    program: &Arc<Program>,
    most: u64,
    hostility: HostileMode,
) -> Result<(f64, Report), String> {
    let claims = own_claims(program);
    let before = cpu_time::used();
    let is_hostile = hostility > HostileMode::None;
    let lowered = lower_with_options(
        program,
        &LoweringOptions { is_hostile, ..LoweringOptions::default() },
    );
    let job = job(&lowered, &claims);
    let defaults = Settings::new(0);
    let max_block_cases = if most == u64::MAX { defaults.max_block_cases } else { most };
    let report =
        run_claims(&job, &Settings { max_block_cases, hostile_mode: hostility, ..defaults });
    let seconds = (cpu_time::used() - before).as_secs_f64();
    let failed = report.claims.iter().find(|it| !it.failures.is_empty());
    match failed {
        Some(claim) => Err(format!("{} fails", claim.name)),
        None => Ok((seconds, report)),
    }
}

/// The same comparisons in Rust.
fn in_rust(n_a: u64, n_b: u64) -> f64 {
    let before = cpu_time::used();
    let mut n_same = 0_u64;
    // A single round would be shorter than the resolution of the clock.
    for _ in 0..100 {
        for a in 0..n_a {
            for b in 0..n_b {
                let (left, right) = (black_box(a) + black_box(b), black_box(b) + black_box(a));
                n_same += u64::from(left == right);
            }
        }
    }
    black_box(n_same);
    (cpu_time::used() - before).as_secs_f64() / 100.0
}

fn median(mut measure: impl FnMut() -> Result<f64, String>) -> Result<f64, String> {
    let mut seconds = (0..N_ROUNDS).map(|_| measure()).collect::<Result<Vec<_>, _>>()?;
    seconds.sort_by(f64::total_cmp);
    Ok(seconds[N_ROUNDS / 2])
}
