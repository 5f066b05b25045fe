//! The systems of `examples/synthesis`: tests of correct systems pass, those of systems with a bug
//! fail, and random runs are told apart from runs of generators.

use gainsay_test::{ClaimStatus, Settings};
use gainsay_ui::{
    ExpectedStatus, TraceExample, TraceExampleTest, WalkKind, map_in_parallel, trace_examples,
};

/// The cases of each correct system; `cargo xtask bench synth` runs 10,000.
const CASES: u64 = 40;

#[test]
fn correct_systems_pass_and_bugs_are_found() {
    let examples = trace_examples();
    assert!(examples.len() > 20, "{} examples", examples.len());
    let tests: Vec<(&TraceExample, &TraceExampleTest)> =
        examples.iter().flat_map(|it| it.tests.iter().map(move |test| (it, test))).collect();
    let statuses = map_in_parallel(&tests, |(example, test)| {
        // A bug that only deep runs show needs the usual number of cases.
        let cases = (test.expected != ExpectedStatus::Fail).then_some(CASES);
        let settings = Settings { cases, max_shrinks: 50, ..Settings::new(1) };
        example.run(test, WalkKind::Synthesized, &settings).status
    });
    for ((example, test), status) in tests.iter().zip(statuses) {
        let name = format!("{}: {}", example.name, test.name);
        let status = status.unwrap_or_else(|it| panic!("{name}: {it}"));
        let expected = match test.expected {
            ExpectedStatus::Pass | ExpectedStatus::Missed => ClaimStatus::Pass,
            ExpectedStatus::Fail => ClaimStatus::Fail,
            ExpectedStatus::Vacuous => ClaimStatus::Vacuous,
        };
        assert_eq!(status, expected, "{name}");
    }
}
