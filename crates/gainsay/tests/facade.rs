//! The library as an editor would use it: everything in memory.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use gainsay::core::ClaimId;
use gainsay::mutate::{AnalysisDepth, MutantStatus, MutationScope};
use gainsay::test::{
    ClaimStatus, MemoryCaseFiles, ReplayCase, ReplayEnd, ReplayRequest, RunListener, Settings,
};
use gainsay::vm::EngineKind;
use gainsay::{
    CheckedSources, MemorySources, MutationRequest, ReplaySession, SampleSettings,
    SavedCaseAccess, TestRequest,
};

const MONEY: &str = "fn fee(cents: Int) -> Int { if cents > 100 { 2 } else { 1 } }\n\
    test \"small sums cost one\" { observe fee(5) == 1 }\n\
    @property fn fees_are_small(cents: Int) { observe fee(cents) < 3 }\n\
    @property fn fees_are_one(cents: Int) { observe fee(cents) == 1 }\n";

fn checked() -> CheckedSources {
    let sources = MemorySources::new([("money.say", MONEY)]);
    gainsay::check(&["money.say".to_owned()], &sources)
}

#[test]
fn a_failing_claim_is_saved_and_can_be_replayed() {
    let checked = checked();
    let program = checked.runnable().unwrap();
    let claims: Vec<ClaimId> = program.claims().iter().map(|it| it.claim).collect();
    let settings = Settings::new(1);
    let files = MemoryCaseFiles::new([]);
    let saved_cases =
        SavedCaseAccess { files: &files, folder: String::new(), today: "2026-11-18".into() };
    let report = gainsay::test(&TestRequest {
        saved_cases: Some(saved_cases),
        ..TestRequest::new(program, &claims, &settings)
    });
    let statuses: Vec<ClaimStatus> = report.claims.iter().map(|it| it.status.clone()).collect();
    assert_eq!(statuses, [ClaimStatus::Pass, ClaimStatus::Pass, ClaimStatus::Fail]);
    assert_eq!(files.all().len(), 1);

    let token = report.claims[2].failures[0].replay_token.clone();
    let session = ReplaySession {
        program,
        engine: EngineKind::best(),
        interrupt: Arc::default(),
        systems: None,
    };
    let case = ReplayCase::from_token(&token.unwrap()).unwrap();
    let replayed = gainsay::replay(&session, &[ReplayRequest { claim: claims[2], case }]);
    assert!(matches!(replayed[0].end, ReplayEnd::Fails));
}

/// Remembers the largest number of cases that was reported to it.
#[derive(Default)]
struct CaseCounter(AtomicU64);

impl RunListener for CaseCounter {
    fn cases_ran(&self, claim: usize, cases: u64) {
        assert_eq!(claim, 0);
        self.0.fetch_max(cases, Ordering::Relaxed);
    }
}

#[test]
fn a_listener_gets_the_number_of_cases() {
    let checked = checked();
    let program = checked.runnable().unwrap();
    let claims = [program.claims()[1].claim];
    for jobs in [1, 4] {
        let settings = Settings { cases: Some(5000), jobs, ..Settings::new(1) };
        let counter = CaseCounter::default();
        gainsay::test(&TestRequest {
            listener: &counter,
            ..TestRequest::new(program, &claims, &settings)
        });
        let n_cases = counter.0.into_inner();
        assert!((4900..=5000).contains(&n_cases), "{n_cases} of 5000 with {jobs} threads");
    }
}

#[test]
fn mutants_are_found_run_and_tested() {
    let checked = checked();
    let program = checked.runnable().unwrap();
    let claims: Vec<ClaimId> = program.claims().iter().map(|it| it.claim).take(2).collect();
    let settings = Settings::new(1);
    let mutants = gainsay::find_mutants(program, MutationScope::Tested);
    let report = gainsay::mutate(&MutationRequest {
        program,
        mutants: &mutants,
        claims: &claims,
        settings: &settings,
        engine: EngineKind::best(),
        depth: AnalysisDepth::Everything,
        with_inputs: false,
        listener: &(),
        interrupt: Arc::default(),
    });
    let report = report.unwrap_or_else(|_| panic!("the claims hold on the original"));
    let status_of = |wanted| report.mutants.iter().position(|it| it.status == wanted);
    assert!(status_of(MutantStatus::Survived).is_some());
    let killed = status_of(MutantStatus::Killed).unwrap();
    let request = TestRequest::new(program, &claims, &settings);
    let failed = gainsay::test_mutant(&request, &mutants, &mutants.list[killed]);
    assert!(failed.claims.iter().any(|it| it.status == ClaimStatus::Fail));
}

#[test]
fn values_are_sampled_until_the_visitor_has_enough() {
    let sample = gainsay::check_sample("Bool", None, &MemorySources::default());
    let settings = SampleSettings {
        search_mode: gainsay::generate::SearchMode::Usual,
        n_wanted: 10,
        seed: 1,
        engine: EngineKind::best(),
        interrupt: Arc::default(),
    };
    let mut texts = Vec::new();
    let report = gainsay::sample(&sample, &settings, &mut |it| {
        texts.push(it.text.clone());
        if texts.len() == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert!(report.is_some());
    assert_eq!(texts.len(), 3);
}

#[test]
fn files_that_do_not_compile_leave_the_others_running() {
    let sources = MemorySources::new([("money.say", MONEY), ("broken.say", "fn f( {")]);
    let entries = ["broken.say".to_owned(), "money.say".to_owned()];
    assert!(gainsay::check(&entries, &sources).has_errors());
    let partial = gainsay::check_partially(&entries, &sources);
    assert!(partial.is_partial);
    assert_eq!(partial.checked.runnable().unwrap().claims().len(), 3);
}
