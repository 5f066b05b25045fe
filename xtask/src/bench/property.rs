//! Benchmark of properties: cases per second of whole runs, from the checked program to the report,
//! compared with hand-written Rust and with Rust's property testing libraries.
//!
//! Lists have the same mean length for all contenders: ours is measured first, and the others draw
//! lengths uniformly from 0 to twice that.

use bumpalo::Bump;
use gainsay_ui::TestRandom;

use super::bench_claims::{BenchClaim, BenchClaims};
use super::run::text_table::{ColumnAlign, TextTable, brief, grouped};
use super::run::throughput::{BenchBatch, Contender, Measurements, run_rounds};
use super::run::{native, with_proptest, with_quickcheck};
use crate::cpu_time;

/// The minimum duration of one of our runs in seconds; includes compilation.
const RUN: f64 = 0.3;

/// The number of cases of a short run, and the number of measurements.
const N_DEFAULT_CASES: u32 = 100;
const N_SHORT_RUNS: u64 = 15;

const BY_HAND: &str = "Rust with an arena";
const OURS: &str = "gainsay";

const COLUMNS: TextTable<6> = TextTable::new([
    ("", ColumnAlign::Left(22)),
    ("", ColumnAlign::Left(18)),
    ("cases /s", ColumnAlign::Right(11)),
    ("ns /case", ColumnAlign::Right(9)),
    ("ratio", ColumnAlign::Right(6)),
    ("in rounds", ColumnAlign::Right(15)),
]);

/// Prints cases per second of all contenders, and their ratios.
pub(super) fn run() -> Result<(), String> {
    println!(
        "\nProperties: cases per second of processor time, and their ratio to {BY_HAND}. Ours\n\
         are whole runs on one thread, with generators from types, and with compiling.\n"
    );
    let [trees, lists, numbers] = [
        BenchClaims::load_with("p1_search_tree", "w1_search_tree")?,
        BenchClaims::load_with("p2_list_sort", "w2_list_sort")?,
        BenchClaims::load_with("p3_arithmetic", "w3_loop")?,
    ];
    let [n_keys, n_elements] =
        [trees.claim("lengths")?.measured()?.1, lists.claim("lengths")?.measured()?.1];
    println!(
        "Lists of keys have {n_keys:.1} elements in the mean, lists to sort {n_elements:.1}.\n"
    );
    let [most_keys, most] = [n_keys, n_elements].map(|it| (2.0 * it).round() as usize);
    println!("{}", COLUMNS.titles());
    compare(
        "P1 search tree, grown",
        &trees.claim("grown")?,
        by_hand(native::search_tree),
        vec![
            ("proptest", Box::new(with_proptest::search_tree)),
            ("quickcheck", Box::new(with_quickcheck::search_tree)),
        ],
    )?;
    compare(
        "P1 tree of a list",
        &trees.claim("inserted")?,
        by_hand(move |random, arena| native::inserted_keys(random, arena, most_keys as i64)),
        vec![
            ("proptest", Box::new(move |s, n| with_proptest::inserted(s, n, most_keys))),
            ("quickcheck", Box::new(move |s, n| with_quickcheck::inserted(s, n, most_keys))),
        ],
    )?;
    compare(
        "P2 list sort",
        &lists.claim("sorted")?,
        by_hand(move |random, arena| native::sorted_list(random, arena, most as i64)),
        vec![
            ("proptest", Box::new(move |s, n| with_proptest::sorted(s, n, most))),
            ("quickcheck", Box::new(move |s, n| with_quickcheck::sorted(s, n, most))),
        ],
    )?;
    compare(
        "P3 distributive law",
        &numbers.claim("distributive")?,
        by_hand(native::distributive),
        vec![
            ("proptest", Box::new(with_proptest::distributive)),
            ("quickcheck", Box::new(with_quickcheck::distributive)),
        ],
    )?;
    compare(
        "P3 loop of squares",
        &numbers.claim("loop")?,
        by_hand(native::loop_of_squares),
        vec![
            ("proptest", Box::new(with_proptest::loop_of_squares)),
            ("quickcheck", Box::new(with_quickcheck::loop_of_squares)),
        ],
    )
}

/// Lets all contenders test a property in turns, and prints their rates.
fn compare(
    title: &str,
    ours: &BenchClaim,
    by_hand: BenchBatch,
    others: Vec<(&'static str, BenchBatch)>,
) -> Result<(), String> {
    let complaint = |it| format!("{title}: {it}");
    let mut contenders = vec![
        Contender::new(BY_HAND, by_hand).map_err(complaint)?,
        Contender::with_batches_of(RUN, OURS, ours.batch()).map_err(complaint)?,
    ];
    for (name, batch) in others {
        contenders.push(Contender::new(name, batch).map_err(complaint)?);
    }
    run_rounds(&mut contenders).map_err(complaint)?;
    for (at, contender) in contenders.iter().enumerate() {
        let rate = contender.rate().median();
        let ratio = contender.ratio(&contenders[0]);
        let range = format!("{} to {}", brief(ratio.least()), brief(ratio.greatest()));
        println!(
            "{}",
            COLUMNS.row([
                if at == 0 { title } else { "" }.to_owned(),
                contender.name.to_owned(),
                grouped(rate),
                brief(1e9 / rate),
                brief(ratio.median()),
                if at == 0 { String::new() } else { range },
            ])
        );
    }
    println!(
        "{:23}{N_DEFAULT_CASES} cases of ours, from the program on: {} ms",
        "",
        short_run(ours)?
    );
    Ok(())
}

fn by_hand(work: impl Fn(&mut TestRandom, &Bump) -> i64 + 'static) -> BenchBatch {
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

/// The duration of a run of the usual length in milliseconds.
fn short_run(claim: &BenchClaim) -> Result<String, String> {
    let mut batch = claim.batch();
    let mut times = Vec::new();
    for seed in 0..N_SHORT_RUNS {
        let start = cpu_time::used();
        batch(seed, N_DEFAULT_CASES)?;
        times.push((cpu_time::used() - start).as_secs_f64() * 1e3);
    }
    Ok(brief(Measurements::of(times).median()))
}
