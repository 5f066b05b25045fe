//! Shrink quality: a collection of failing properties, each with its simplest failing case.
//!
//! `cargo test --release --test shrink_specimens -- --nocapture` prints the table.

#![expect(clippy::print_stdout, reason = "the table is for people to read")]

mod coupled_values;
mod held_out;
mod specimen_source;
mod specimens;

use std::collections::BTreeMap;
use std::time::Duration;

use cpu_time::ThreadTime;

use gainsay_choice::{
    Budget, Case, FailureIdentity, KindTable, RunVerdict, Seed, Source, TerminationReason,
    case_size, shrink,
};

use self::coupled_values::LINKED;
use self::held_out::HELD_OUT;
use self::specimen_source::{SpecimenKinds, SpecimenSource, ValueDisplay};
use self::specimens::{SPECIMENS, ShrinkSpecimen};

const N_CASES: u64 = 20_000;

struct ShrinkBench {
    kit: SpecimenKinds,
    source: Source,
}

impl ShrinkBench {
    fn new() -> Self {
        let mut kinds = KindTable::new();
        let kit = SpecimenKinds::new(&mut kinds);
        ShrinkBench { kit, source: Source::new(kinds) }
    }

    fn judge(&mut self, specimen: &ShrinkSpecimen, show: ValueDisplay) -> (RunVerdict, String) {
        judge(&self.kit, &mut self.source, specimen, show)
    }

    /// The first failing case of a seed, if there is any.
    fn find(&mut self, specimen: &ShrinkSpecimen, run: u64) -> Option<Case> {
        for case in 0..N_CASES {
            let seed = Seed { run, claim: 0, case };
            let size = case_size(case, 1000);
            self.source.search(seed, size);
            if self.judge(specimen, ValueDisplay::Hidden).0
                == RunVerdict::Fail(FailureIdentity(1))
            {
                self.source.record(seed, size);
                let again = self.judge(specimen, ValueDisplay::Hidden).0;
                assert_eq!(
                    again,
                    RunVerdict::Fail(FailureIdentity(1)),
                    "recording draws the same"
                );
                return Some(self.source.recorded_case());
            }
        }
        None
    }

    fn shown(&mut self, specimen: &ShrinkSpecimen, case: &Case) -> String {
        self.source.replay(case, case.choices().len());
        self.judge(specimen, ValueDisplay::Shown).1
    }
}

fn judge(
    kit: &SpecimenKinds,
    source: &mut Source,
    specimen: &ShrinkSpecimen,
    show: ValueDisplay,
) -> (RunVerdict, String) {
    let mut draw = SpecimenSource { source, kit, show, shown: String::new() };
    let verdict = (specimen.run)(&mut draw).unwrap_or(RunVerdict::Stopped);
    (verdict, draw.shown)
}

struct ShrinkMeasurement {
    n_minimal: u64,
    n_failed: u64,
    executions: u64,
    choices: u64,
    time: Duration,
    results: BTreeMap<String, u64>,
}

fn measure(specimen: &ShrinkSpecimen, n_seeds: u64) -> ShrinkMeasurement {
    let mut lab = ShrinkBench::new();
    let mut row = ShrinkMeasurement {
        n_minimal: 0,
        n_failed: 0,
        executions: 0,
        choices: 0,
        time: Duration::ZERO,
        results: BTreeMap::new(),
    };
    for seed in 0..n_seeds {
        let Some(case) = lab.find(specimen, seed) else { continue };
        row.choices += case.choices().len() as u64;
        row.n_failed += 1;
        let ShrinkBench { kit, source } = &mut lab;
        let mut subject =
            |source: &mut Source| judge(kit, source, specimen, ValueDisplay::Hidden).0;
        let start = ThreadTime::now();
        let budget = Budget { max_executions: 100_000, should_continue: &mut || true };
        let shrunk = shrink(&mut subject, source, &case, FailureIdentity(1), budget);
        row.time += start.elapsed();
        assert_eq!(shrunk.termination, TerminationReason::Converged, "{}", specimen.name);
        row.executions += shrunk.executions;
        let shown = lab.shown(specimen, &shrunk.case);
        *row.results.entry(shown).or_default() += 1;
    }
    row.n_minimal = row.results.get(specimen.minimum).copied().unwrap_or(0);
    row
}

#[test]
fn failing_cases_become_minimal() {
    let n_seeds =
        std::env::var("SPECIMENS_SEEDS").ok().and_then(|it| it.parse().ok()).unwrap_or(50);
    let only = std::env::var("SPECIMENS_ONLY").unwrap_or_default();
    println!("specimen            minimal   runs  choices  µs/run");
    let mut bad = Vec::new();
    let specimens = SPECIMENS.iter().chain(HELD_OUT).chain(LINKED);
    for specimen in specimens.filter(|it| it.name.contains(&only)) {
        let row = measure(specimen, n_seeds);
        let n = row.n_failed.max(1);
        let share = 100.0 * row.n_minimal as f64 / n as f64;
        println!(
            "{:20}{:6.1} % {:6} {:8} {:7.2}  {}",
            specimen.name,
            share,
            row.executions / n,
            row.choices / n,
            row.time.as_secs_f64() * 1e6 / row.executions.max(1) as f64,
            if row.n_failed < n_seeds {
                format!("found {}", row.n_failed)
            } else {
                String::new()
            },
        );
        if share < 98.0 || row.n_failed == 0 {
            bad.push(specimen.name);
            let mut results: Vec<_> = row.results.iter().collect();
            results.sort_by_key(|it| std::cmp::Reverse(it.1));
            for (shown, count) in results.iter().take(6) {
                println!("    {count} × {shown}");
            }
        }
    }
    assert!(bad.is_empty(), "not minimal often enough: {bad:?}");
}
