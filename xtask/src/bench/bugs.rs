//! In how many of 30 seeds each bug of `tests/bugs` is found with default settings, and how often
//! the counterexample is minimal.

use gainsay_ui::{buggy_programs, map_in_parallel};

use super::run::text_table::{ColumnAlign, TextTable, brief};

/// The seeds of each program.
const SEEDS: std::ops::Range<u64> = 0..30;

/// The number of seeds that must find each bug.
const WANTED: u64 = 27;

const COLUMNS: TextTable<4> = TextTable::new([
    ("", ColumnAlign::Left(24)),
    ("found", ColumnAlign::Right(8)),
    ("minimal", ColumnAlign::Right(8)),
    ("cases", ColumnAlign::Right(9)),
]);

/// Prints the table; with a name only that program, and the results of its seeds.
pub(super) fn run(only: Option<&str>) -> Result<(), String> {
    println!(
        "\nBugs: small programs with one seeded bug, run with the defaults over {} seeds.\n\
         found: seeds that refute the claim; minimal: of these, counterexamples that are the\n\
         smallest; cases: on average, up to the one that fails.\n",
        SEEDS.end
    );
    let mut programs = buggy_programs();
    programs.retain(|it| only.is_none_or(|only| it.name == only));
    if programs.is_empty() {
        return Err("no program of tests/bugs has this name".to_owned());
    }
    println!("{}", COLUMNS.titles());
    let detections = map_in_parallel(&programs, |it| it.detection(SEEDS));
    let mut n_missed = 0;
    let mut n_larger = 0;
    for (program, detection) in programs.iter().zip(detections) {
        let detection = detection.map_err(|panic| format!("{}: {panic}", program.name))?;
        let found = detection.found;
        println!(
            "{}",
            COLUMNS.row([
                program.name.clone(),
                format!("{found}/{}", SEEDS.end),
                format!("{}/{found}", detection.at_minimum),
                brief(detection.cases as f64 / found.max(1) as f64),
            ])
        );
        n_missed += usize::from(found < WANTED);
        n_larger += usize::from(detection.at_minimum < found);
        if only.is_some() {
            for (seed, text) in &detection.others {
                println!("  seed {seed}: {text}");
            }
        }
    }
    let n = programs.len();
    println!("\nfound in at least {WANTED} seeds: {} of {n} programs", n - n_missed);
    println!("always minimal: {} of {n} programs", n - n_larger);
    if n_missed > 0 { Err(format!("bugs: {n_missed} missed")) } else { Ok(()) }
}
