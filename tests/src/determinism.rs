//! Determinism: what a report says when a case does not repeat.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use gainsay_core::ClaimId;
use gainsay_gen::LoweredProgram;
use gainsay_test::{
    CaseRunEnd, ClaimReport, ClaimStatus, FailureCause, Flake, FlakeInjection, Report,
    Settings, TestJob, run, run_with_flakes,
};
use gainsay_ui::{SourceModule, check, job, own_claims};

const SMALL: &str = "@property\nfn small(n: Int) { observe n < 50 }\n";

/// A lowered program and its claims.
fn ready(text: &str) -> (LoweredProgram, Vec<ClaimId>) {
    let checked =
        check(&[SourceModule { name: "small.say".to_owned(), text: text.to_owned() }]);
    let program = checked.program.expect("it has no errors");
    let claims = own_claims(&program);
    (gainsay_gen::lower(&program), claims)
}

/// The result of the only claim of a program.
fn report(text: &str, by: Option<FlakeInjection>) -> ClaimReport {
    let (lowered, claims) = ready(text);
    let job = job(&lowered, &claims);
    let settings = Settings::new(7);
    let report = match by {
        Some(by) => run_with_flakes(&job, &settings, by),
        None => run(&job, &settings),
    };
    report.claims.into_iter().next().expect("there is a claim")
}

fn flake(text: &str, by: FlakeInjection) -> Flake {
    let claim = report(text, Some(by));
    assert_eq!(claim.status, ClaimStatus::Flaky);
    assert!(claim.failures.is_empty(), "a failure that does not come again is not reported");
    claim.flake.expect("it says what differed")
}

/// The report of the only claim of a program, interrupted at the n-th reading of the clock.
fn interrupted(text: &str, n: u64) -> Report {
    let (lowered, claims) = ready(text);
    let interrupt = Arc::new(AtomicBool::new(false));
    let looks = AtomicU64::new(0);
    let clock = || {
        if looks.fetch_add(1, Ordering::Relaxed) + 1 >= n {
            interrupt.store(true, Ordering::Relaxed);
        }
        Duration::ZERO
    };
    let job =
        TestJob { clock: &clock, interrupt: Arc::clone(&interrupt), ..job(&lowered, &claims) };
    run(&job, &Settings::new(7))
}

#[test]
fn an_interrupt_leaves_the_best_counterexample_there_is() {
    let reports = (2..).map(|n| (n, interrupted(SMALL, n)));
    // From the last reading of the clock on, the report is complete.
    let reports: Vec<(u64, Report)> = reports.take_while(|it| it.1.interrupted).collect();
    assert!(reports.len() > 20);
    for (n, report) in &reports {
        let claim = &report.claims[0];
        assert_eq!(claim.flake, None, "{n}");
        for failure in &claim.failures {
            assert_eq!(failure.cause, FailureCause::Observe, "{n}: {:?}", failure.fault);
            assert!(!failure.arguments.is_empty(), "{n}");
        }
        assert_eq!(claim.failures.len(), usize::from(claim.status == ClaimStatus::Fail), "{n}");
    }
    let found = interrupted(SMALL, 5);
    assert_eq!(found.claims[0].status, ClaimStatus::Fail);
}

#[test]
fn a_claim_whose_runs_repeat_is_not_flaky() {
    let claim = report(SMALL, None);
    assert_eq!((claim.status, claim.flake), (ClaimStatus::Fail, None));
}

#[test]
fn two_runs_that_end_differently_are_distinguished() {
    let Flake { runs, first, second, .. } = flake(SMALL, FlakeInjection::Observations);
    assert_eq!(runs, 2);
    assert_eq!(first.arguments, second.arguments);
    assert_eq!(first.drawn, second.drawn);
    assert!(!first.drawn.is_empty());
    let ends = [&first.end, &second.end];
    assert!(ends.iter().any(|it| matches!(it, CaseRunEnd::Failed(Some(_)))), "{ends:?}");
    assert!(ends.contains(&&CaseRunEnd::Passed), "{ends:?}");
    assert_eq!((first.observed, second.observed), (Some(1), Some(1)));
}

#[test]
fn two_runs_that_draw_differently_are_distinguished() {
    let Flake { first, second, .. } = flake(SMALL, FlakeInjection::Draws);
    assert_ne!(first.arguments, second.arguments);
    assert_ne!(first.drawn, second.drawn);
}

#[test]
fn a_test_without_inputs_can_be_flaky_too() {
    let text = "test \"one\" { observe 1 + 1 == 3 }\n";
    let Flake { case, first, second, .. } = flake(text, FlakeInjection::Observations);
    assert_eq!(case, 1);
    assert!(first.arguments.is_empty() && first.end != second.end);
}
