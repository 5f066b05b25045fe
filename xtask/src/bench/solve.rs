//! Benchmark of solving: values per second from a checker, compared with a generator written by hand
//! in Gainsay for the same values.
//!
//! Both are whole runs of a claim on one thread that does next to nothing with its input, compiling
//! included. A claim `name: sizes` collects the sizes of the same inputs, and checks them.

use super::bench_claims::{BenchClaim, BenchClaims};
use super::run::text_table::{ColumnAlign, TextTable, brief, grouped};
use super::run::throughput::{Contender, run_rounds};

/// The minimum duration of a run in seconds.
const RUN: f64 = 0.3;

/// The claim that each of the others is compared with.
const BY_HAND: &str = "by hand";

/// The programs of `bench/solve`, and their claims from checkers, with the ratio that each should
/// reach.
const WORKLOADS: [(&str, &[(&str, f64)]); 6] = [
    ("search_tree", &[("bounds", 0.9), ("natural", 0.9), ("sorted keys", 0.03)]),
    (
        "red_black",
        &[
            ("natural", 0.8),
            ("black height 2", 0.8),
            ("black height 3", 0.8),
            ("black height 4", 0.8),
        ],
    ),
    ("heap", &[("natural", 0.8)]),
    ("avl", &[("natural", 0.8)]),
    (
        "lists",
        &[("ascending", 0.8), ("no duplicates", 0.8), ("both", 0.8), ("length and sum", 0.03)],
    ),
    (
        "lambda_terms",
        &[
            ("rules", 0.8),
            ("rules, known type", 0.8),
            ("checker", 0.5),
            ("checker, known type", 0.5),
        ],
    ),
];

const COLUMNS: TextTable<9> = TextTable::new([
    ("", ColumnAlign::Left(13)),
    ("", ColumnAlign::Left(20)),
    ("values /s", ColumnAlign::Right(10)),
    ("ratio", ColumnAlign::Right(7)),
    ("goal", ColumnAlign::Right(5)),
    ("size", ColumnAlign::Right(6)),
    ("by size", ColumnAlign::Right(8)),
    ("dead ends", ColumnAlign::Right(10)),
    ("lower ms", ColumnAlign::Right(9)),
]);

/// Prints the table; with a name only that program.
pub(super) fn run(only: Option<&str>) -> Result<(), String> {
    println!(
        "\nSolving: values per second of processor time, and their ratio to a generator written\n\
         by hand in Gainsay. size: mean; by size: the ratio of sizes made per second; dead ends:\n\
         choices taken back per value; lower ms: to make the generators of the whole program.\n"
    );
    println!("{}", COLUMNS.titles());
    let mut workloads = WORKLOADS.iter().filter(|it| only.is_none_or(|only| it.0 == only));
    let mut n_missed = 0;
    workloads.try_for_each(|(name, claims)| {
        n_missed += compare(name, claims).map_err(|it| format!("{name}: {it}"))?;
        Ok::<_, String>(())
    })?;
    println!("\nratios below their goal: {n_missed}");
    Ok(())
}

/// Compares the claims of a program; returns how many miss their goal.
fn compare(name: &str, claims: &[(&'static str, f64)]) -> Result<usize, String> {
    let program = BenchClaims::load(&format!("solve/{name}"))?;
    let names = [(BY_HAND, 1.0)].into_iter().chain(claims.iter().copied());
    let mut contenders = Vec::new();
    for (claim, _) in names.clone() {
        let batch = program.claim(claim)?.batch();
        contenders.push(Contender::with_batches_of(RUN, claim, batch)?);
    }
    run_rounds(&mut contenders)?;
    let mut n_missed = 0;
    let lowering = program.milliseconds_to_lower();
    let mut size_by_hand = 1.0;
    for (at, (claim, goal)) in names.enumerate() {
        let ratio = contenders[at].ratio(&contenders[0]).median();
        let (size, dead_ends) = sizes(&program.claim(&format!("{claim}: sizes"))?)?;
        n_missed += usize::from(ratio < goal);
        if at == 0 {
            size_by_hand = size;
        }
        println!(
            "{}",
            COLUMNS.row([
                if at == 0 { name } else { "" }.to_owned(),
                claim.to_owned(),
                grouped(contenders[at].rate().median()),
                format!("{ratio:.3}"),
                if at == 0 { String::new() } else { brief(goal) },
                format!("{size:.1}"),
                format!("{:.3}", ratio * size / size_by_hand),
                if at == 0 { String::new() } else { format!("{dead_ends:.1}") },
                if at == 0 { format!("{lowering:.1}") } else { String::new() },
            ])
        );
    }
    Ok(n_missed)
}

/// The mean size of the inputs of a claim, and the dead ends per value.
fn sizes(claim: &BenchClaim) -> Result<(f64, f64), String> {
    let (report, mean) = claim.measured()?;
    let found: u64 = report.narrowed.iter().map(|it| it.counts.n_found).sum();
    let dead_ends: u64 = report.narrowed.iter().map(|it| it.counts.n_dead_ends).sum();
    Ok((mean, dead_ends as f64 / found.max(1) as f64))
}
