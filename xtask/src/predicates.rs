//! Searches for solutions of random predicates, compared with enumeration: `cargo xtask predicates
//! [n] [--seed s]`.
//!
//! Predicates come from consecutive seeds starting at `s`, so that `cargo xtask predicates 1 --seed
//! s` repeats one.

use gainsay_ui::map_in_parallel;
use gainsay_ui::predicates::{AgreementCounts, check_agreement};

/// The default number of predicates.
const N_PREDICATES: u64 = 10_000;
/// Predicates between two lines of progress.
const CHUNK: u64 = 500;

/// Compares; fails if a search misses a solution or finds what is none.
pub(crate) fn run(arguments: &[&str]) -> Result<(), String> {
    let (n_predicates, first) = read(arguments).ok_or_else(|| crate::USAGE.to_owned())?;
    let end = first.saturating_add(n_predicates);
    let mut counts = AgreementCounts::default();
    let mut n_complaints = 0;
    let mut seed = first;
    while seed < end {
        let seeds: Vec<u64> = (seed..end.min(seed.saturating_add(CHUNK))).collect();
        seed += seeds.len() as u64;
        for outcome in map_in_parallel(&seeds, |seed| check_agreement(*seed)) {
            match outcome.and_then(|it| it) {
                Ok(found) => counts.add(found),
                Err(complaint) => {
                    n_complaints += 1;
                    println!("{complaint}");
                }
            }
        }
        println!(
            "{} predicates: {} small solutions, all found except in {n_complaints} predicates; \
             {} samples gave up, {} proved that there is no solution",
            seed - first,
            counts.n_solutions,
            counts.n_given_up,
            counts.n_unsatisfiable
        );
    }
    if n_complaints == 0 { Ok(()) } else { Err(format!("{n_complaints} predicates disagree")) }
}

fn read(arguments: &[&str]) -> Option<(u64, u64)> {
    match arguments {
        [] => Some((N_PREDICATES, 0)),
        [n] => Some((n.parse().ok()?, 0)),
        ["--seed", seed] => Some((N_PREDICATES, seed.parse().ok()?)),
        [n, "--seed", seed] => Some((n.parse().ok()?, seed.parse().ok()?)),
        _ => None,
    }
}
