//! A sample of `cargo xtask bench bugs`: the bugs of `tests/bugs` are found with default settings,
//! and the fixed programs pass.

use gainsay_ui::{buggy_programs, map_in_parallel};

/// The seeds of the sample.
const SEEDS: std::ops::Range<u64> = 0..5;

/// Seeds of the sample that may miss a bug: the bench asks for 27 of 30.
const MAX_MISSES: u64 = 1;

#[test]
fn bugs_are_found_at_the_defaults() {
    let programs = buggy_programs();
    let detections = map_in_parallel(&programs, |it| it.detection(SEEDS));
    let mut missed = Vec::new();
    for (program, detection) in programs.iter().zip(detections) {
        let detection = detection.unwrap_or_else(|panic| panic!("{}: {panic}", program.name));
        if detection.found + MAX_MISSES < SEEDS.end {
            missed.push(format!("{}: in {} of {}", program.name, detection.found, SEEDS.end));
        }
    }
    assert!(missed.is_empty(), "bugs that are not found:\n{}", missed.join("\n"));
}

#[test]
fn corrected_programs_hold() {
    let programs = buggy_programs();
    let failures = map_in_parallel(&programs, |it| it.failures_of_fixed(1));
    let mut failed = Vec::new();
    for (program, failures) in programs.iter().zip(failures) {
        let failures = failures.unwrap_or_else(|panic| panic!("{}: {panic}", program.name));
        failed.extend(failures.iter().map(|claim| format!("{}: {claim}", program.name)));
    }
    assert!(failed.is_empty(), "claims that fail without the bug:\n{}", failed.join("\n"));
}
