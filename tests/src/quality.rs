//! The quality of counterexamples: each program of `tests/quality` names the minimal case that
//! refutes its claim, and nearly every seed must shrink to exactly that.
//!
//! `cargo test -p gainsay-ui --test quality -- --nocapture` prints the table.

use std::fs;

use gainsay_source::{RenderStyle, render};
use gainsay_test::{Report, Settings, ShrinkOutcome, run};
use gainsay_ui::{SourceModule, check, files_below, job, map_in_parallel, own_claims, root};

/// The number of seeds per program.
const N_SEEDS: u64 = 200;

/// The percentage of seeds that must reach the minimal case.
const WANTED: u64 = 98;

/// One program and its expected result.
struct QualityProgram {
    name: String,
    text: String,
    minimal: String,
}

fn entries() -> Vec<QualityProgram> {
    let mut files = files_below(&root().join("tests/quality"), "say");
    files.sort();
    let entry = |path: std::path::PathBuf| {
        let text = fs::read_to_string(&path).expect("a file that was just listed");
        let minimal = text.lines().find_map(|line| line.strip_prefix("// minimal: "));
        let minimal = minimal.unwrap_or_else(|| panic!("{path:?} names no minimal case"));
        let name = path.file_stem().expect("a file has a name").to_string_lossy().into_owned();
        QualityProgram { name, minimal: minimal.to_owned(), text: text.clone() }
    };
    files.into_iter().map(entry).collect()
}

/// The results of all seeds of a program.
#[derive(Default)]
struct QualityResult {
    at_minimum: u64,
    unfinished: u64,
    executions: u64,
    others: Vec<(u64, String)>,
}

fn measure(entry: &QualityProgram) -> QualityResult {
    let module = SourceModule { name: format!("{}.say", entry.name), text: entry.text.clone() };
    let checked = check(&[module]);
    let complaints: String = checked
        .diagnostics
        .iter()
        .map(|it| render(&checked.files, it, RenderStyle::Plain))
        .collect();
    let program = checked.program.unwrap_or_else(|| panic!("{complaints}"));
    let lowered = gainsay_gen::lower(&program);
    let claims = own_claims(&program);
    let mut table = QualityResult::default();
    for seed in 0..N_SEEDS {
        let job = job(&lowered, &claims);
        table.add(seed, entry, &run(&job, &Settings::new(seed)));
    }
    table
}

impl QualityResult {
    fn add(&mut self, seed: u64, entry: &QualityProgram, report: &Report) {
        let failures = report.claims.iter().flat_map(|claim| &claim.failures);
        let Some(failure) = failures.into_iter().next() else {
            let words: Vec<&str> = report.claims.iter().map(|it| it.status.name()).collect();
            self.others.push((seed, words.join(" ")));
            return;
        };
        let arguments = failure.arguments.iter().filter(|it| !it.value.starts_with('|'));
        let texts: Vec<String> =
            arguments.map(|it| format!("{} = {}", it.name, it.value)).collect();
        let text = texts.join(", ");
        if let Some(found) = &failure.shrink {
            self.executions += found.executions;
            self.unfinished += u64::from(found.outcome != ShrinkOutcome::Minimal);
        }
        if text == entry.minimal {
            self.at_minimum += 1;
        } else {
            self.others.push((seed, text));
        }
    }
}

#[test]
#[expect(clippy::print_stdout, reason = "the table is for whoever asks for it")]
fn nearly_every_seed_comes_to_the_simplest_case() {
    let mut entries = entries();
    if let Ok(only) = std::env::var("ENTRY") {
        entries.retain(|e| e.name == only);
    }
    let tables = map_in_parallel(&entries, measure);
    let mut misses = Vec::new();
    println!("{:<16} {:>10} {:>12} {:>11}", "", "at minimum", "executions", "unfinished");
    for (entry, table) in entries.iter().zip(tables) {
        let table = match table {
            Ok(table) => table,
            Err(panic) => {
                misses.push(format!("{}: {panic}", entry.name));
                continue;
            }
        };
        println!(
            "{:<16} {:>8} % {:>12} {:>11}",
            entry.name,
            table.at_minimum * 100 / N_SEEDS,
            table.executions / N_SEEDS,
            table.unfinished,
        );
        if table.at_minimum * 100 < WANTED * N_SEEDS {
            let some: Vec<String> =
                table.others.iter().take(3).map(|(seed, it)| format!("{seed}: {it}")).collect();
            misses.push(format!("{}: {}", entry.name, some.join("\n    ")));
        }
    }
    assert!(misses.is_empty(), "not the simplest case:\n{}", misses.join("\n"));
}
