//! Random predicates over random types: a search finds all small solutions and only such, and all
//! ways of finding solutions agree.

mod generator;

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use gainsay::generate::SearchMode;
use gainsay::test::SampleEnd;
use gainsay::{CheckedSample, MemorySources, SampleSettings, check_completeness, check_sample};

pub use self::generator::RandomPredicate;

/// Values that are sampled in each way.
const N_SAMPLES: u64 = 12;

/// The height of the values that are all tried.
const HEIGHT: u32 = 3;

/// What was looked at.
#[derive(Debug, Copy, Clone, Default)]
pub struct AgreementCounts {
    /// Predicates.
    pub n_predicates: u64,
    /// Small solutions, each of which a search came to.
    pub n_solutions: u64,
    /// Predicates with small solutions that a sample gave up on.
    pub n_given_up: u64,
    /// Predicates that were proved to have no solution.
    pub n_unsatisfiable: u64,
}

impl AgreementCounts {
    /// Adds what another part of the work has seen.
    pub fn add(&mut self, other: AgreementCounts) {
        self.n_predicates += other.n_predicates;
        self.n_solutions += other.n_solutions;
        self.n_given_up += other.n_given_up;
        self.n_unsatisfiable += other.n_unsatisfiable;
    }
}

/// Checks the predicate of a seed.
///
/// # Errors
///
/// What does not agree, with the program and the query.
pub fn check_agreement(seed: u64) -> Result<AgreementCounts, String> {
    let predicate = RandomPredicate::new(seed);
    let complain = |what: String| {
        format!("seed {seed}: {what}\nquery: {}\n{}", predicate.query, predicate.program)
    };
    let sources = MemorySources::new([("it.say", &*predicate.program)]);
    let sample = check_sample(&predicate.query, Some("it.say"), &sources);
    if sample.checked.program.is_none() {
        let messages: Vec<&str> =
            sample.checked.diagnostics.iter().map(|it| &*it.message).collect();
        return Err(complain(format!("does not compile: {messages:?}")));
    }
    let completeness = check_completeness(&sample, HEIGHT, &settings(seed, SearchMode::Usual));
    let completeness = match completeness {
        Some(Ok(it)) => it,
        Some(Err(error)) => return Err(complain(format!("cannot be searched: {error:?}"))),
        None => return Err(complain("is not a query".to_owned())),
    };
    if !completeness.missed.is_empty() {
        let missed = completeness.missed.iter().take(3).collect::<Vec<_>>();
        return Err(complain(format!("a search misses {missed:?}")));
    }
    if !completeness.invalid.is_empty() {
        return Err(complain(format!("a search finds {:?}", completeness.invalid)));
    }
    let mut counts = AgreementCounts {
        n_predicates: 1,
        n_solutions: completeness.n_solutions as u64,
        ..AgreementCounts::default()
    };
    for mode in [SearchMode::Solutions, SearchMode::Narrowed] {
        // A sample checks each value once more, so one that is found is a solution.
        let end = sampled_end(&sample, seed, mode);
        let has_solutions = completeness.n_solutions > 0;
        if matches!(end, SampleEnd::Unsatisfiable) {
            if has_solutions {
                return Err(complain("is said to have no solution, but has".to_owned()));
            }
            counts.n_unsatisfiable += 1;
        }
        if matches!(end, SampleEnd::GaveUp) && has_solutions {
            counts.n_given_up += 1;
        }
    }
    Ok(counts)
}

fn settings(seed: u64, search_mode: SearchMode) -> SampleSettings {
    SampleSettings {
        n_wanted: N_SAMPLES,
        seed,
        search_mode,
        engine: gainsay::vm::EngineKind::Interpreter,
        interrupt: Arc::new(AtomicBool::new(false)),
    }
}

/// How sampling solutions ends.
fn sampled_end(sample: &CheckedSample, seed: u64, mode: SearchMode) -> SampleEnd {
    let report =
        gainsay::sample(sample, &settings(seed, mode), &mut |_| ControlFlow::Continue(()));
    report.map_or(SampleEnd::GaveUp, |it| it.end)
}
