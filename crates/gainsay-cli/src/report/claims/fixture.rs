//! A hand-written report that covers every feature, shared by the tests of all formats.

use std::collections::BTreeMap;
use std::time::Duration;

use gainsay::source::{Diagnostic, SourceFile, SourceMap, Span, codes};
use gainsay::test::{
    BranchCoverage, CaseRunEnd, CaseRunReport, ClaimReport, ClaimStatus, ClaimType,
    ClaimWarning, ClassCount, ComparisonSides, CoverReport, CoverVerdict, DiscardCounts,
    Failure, FailureCause, Flake, LabelCount, RelatedFailure, Report, ReportedInput,
    RunProfile, SavedCaseReport, SavedCaseState, ShrinkOutcome, ShrinkSummary, SiteReport,
    SiteStopReason,
};

use super::{DurationDisplay, TestReportData};
use crate::cli_error::CliError;
use crate::exit::Exit;
use crate::report::golden;

/// The number of claims in the report.
pub(super) const N_CLAIMS: usize = 13;

const SOURCE: &str = r#"fn split(cents: Int, people: Int) -> List<Int> {
  List.range(0, people).map(|_| cents / people)
}

test "ten euros for two" {
  observe split(1000, 2) == [500, 500]
}

@property
fn sums_are_kept(cents: Nat, people: Pos, note: Str) {
  observe split(cents, people).sum() == cents
}
"#;

/// A report without claims.
pub(super) fn empty() -> Report {
    Report {
        seed: 42,
        claims: Vec::new(),
        interrupted: false,
        time: Duration::from_millis(1_500),
    }
}

/// A claim with mostly empty fields.
pub(super) fn claim(module: &str, name: &str, status: ClaimStatus) -> ClaimReport {
    ClaimReport {
        module: module.to_owned(),
        name: name.to_owned(),
        ty: ClaimType::Property,
        span: Span::new(gainsay::source::FileId(0), 0, 0),
        status,
        cases: 0,
        discards: DiscardCounts::default(),
        n_observations: 0,
        branch_coverage: None,
        sites: Vec::new(),
        failures: Vec::new(),
        narrowed: Vec::new(),
        walks: None,
        warnings: Vec::new(),
        against: Vec::new(),
        system_calls: BTreeMap::new(),
        verify: None,
        reason: None,
        flake: None,
        time: Duration::from_millis(120),
    }
}

struct TestReportFixture {
    files: SourceMap,
    file: gainsay::source::FileId,
}

impl TestReportFixture {
    fn new() -> Self {
        let mut files = SourceMap::default();
        let file = files.add(SourceFile::new("bill.say", SOURCE));
        Self { files, file }
    }

    /// The span of the first occurrence of a text.
    fn span(&self, text: &str) -> Span {
        let start = SOURCE.find(text).expect("the source has it") as u32;
        Span::new(self.file, start, start + text.len() as u32)
    }

    fn claim(&self, name: &str, status: ClaimStatus) -> ClaimReport {
        ClaimReport { span: self.span("sums_are_kept"), ..claim("bill", name, status) }
    }

    fn site(&self, cases: u64, conclusion: SiteStopReason) -> SiteReport {
        SiteReport {
            span: self.span("sums_are_kept"),
            cases,
            discards: 0,
            duplicates: 0,
            compared: cases,
            exhaustive: false,
            stop_reason: conclusion,
            labels: Vec::new(),
            classes: Vec::new(),
            covers: Vec::new(),
            best_score: None,
            hill_climbing_runs: 0,
            inputs: vec![("cents".to_owned(), "Nat".to_owned())],
        }
    }

    fn passed_test(&self) -> ClaimReport {
        ClaimReport {
            ty: ClaimType::Test,
            span: self.span("\"ten euros for two\""),
            cases: 1,
            n_observations: 1,
            branch_coverage: Some(BranchCoverage { reached: 1, total: 1 }),
            ..self.claim("ten euros for two", ClaimStatus::Pass)
        }
    }

    fn passed_property(&self) -> ClaimReport {
        let place = self.span("cents / people");
        let site = SiteReport {
            discards: 60,
            duplicates: 2,
            labels: vec![label("0", 58), label("1", 30), label("[\"<&>\"]", 12)],
            classes: vec![ClassCount { name: "tiny".to_owned(), cases: 58 }],
            covers: vec![CoverReport {
                name: "large".to_owned(),
                percent: 10,
                cases: 12,
                interval: (5.1, 23.4),
                verdict: CoverVerdict::Unclear,
            }],
            best_score: Some(12.5),
            hill_climbing_runs: 200,
            ..self.site(100, SiteStopReason::EnoughCases)
        };
        ClaimReport {
            cases: 100,
            discards: DiscardCounts {
                assumptions: 57,
                generators: 3,
                cut_off: 0,
                filtered: 40,
                places: vec![(place, 57)],
            },
            n_observations: 100,
            branch_coverage: Some(BranchCoverage { reached: 6, total: 7 }),
            sites: vec![site],
            warnings: vec![
                ClaimWarning::ManyDiscards,
                ClaimWarning::Filtered {
                    span: place,
                    predicate: "is_prime(it)".to_owned(),
                    tried: 140,
                    kept: 100,
                },
                ClaimWarning::UnclearCover("large".to_owned()),
                ClaimWarning::SavedCase(SavedCaseReport {
                    path: "gainsay-cases/bill/shares_are_fair/observe-1.case".to_owned(),
                    state: SavedCaseState::Stale("there is no input `person`".to_owned()),
                }),
                ClaimWarning::SavedCase(SavedCaseReport {
                    path: "gainsay-cases/bill/shares_are_fair/observe-2.case".to_owned(),
                    state: SavedCaseState::Fixed,
                }),
            ],
            ..self.claim("shares_are_fair", ClaimStatus::Pass)
        }
    }

    fn failed(&self) -> ClaimReport {
        ClaimReport {
            cases: 37,
            n_observations: 37,
            branch_coverage: Some(BranchCoverage { reached: 3, total: 7 }),
            sites: vec![self.site(37, SiteStopReason::Failed)],
            failures: vec![self.counterexample()],
            ..self.claim("sums_are_kept", ClaimStatus::Fail)
        }
    }

    fn counterexample(&self) -> Failure {
        let argument = |name: &str, ty: &str, value: &str| ReportedInput {
            occurrence: 1,
            others_tried: None,
            name: name.to_owned(),
            ty: ty.to_owned(),
            value: value.to_owned(),
            is_irrelevant: false,
        };
        let fault = Diagnostic::new(
            codes::OBSERVE_FAILED,
            self.span("split(cents, people).sum() == cents"),
            "this observation does not hold",
        );
        Failure {
            id: "observe-1".to_owned(),
            fault: fault.with_primary_label("this is false"),
            cause: FailureCause::Observe,
            sides: Some(ComparisonSides {
                operator: "==".to_owned(),
                left: "Bill { sum: 0, shares: [0, 0] }".to_owned(),
                right: "Bill { sum: 1, shares: [0, 1] }".to_owned(),
                differences: vec![
                    (".sum".to_owned(), "0".to_owned(), "1".to_owned()),
                    (".shares[1]".to_owned(), "0".to_owned(), "1".to_owned()),
                ],
            }),
            locals: vec![("rest".to_owned(), "-1".to_owned())],
            drawn: Vec::new(),
            system_calls: Vec::new(),
            subexpressions: vec![
                (self.span("split(cents, people)"), "[0, 0]".to_owned()),
                (self.span("cents / people"), "0".to_owned()),
            ],
            arguments: vec![
                argument("cents", "Nat", "1"),
                argument("people", "Pos", "2"),
                ReportedInput {
                    is_irrelevant: true,
                    others_tried: Some(50),
                    ..argument("note", "Str", "\"100 %, ::x\"")
                },
            ],
            site: Some(self.span("sums_are_kept")),
            shrink: Some(ShrinkSummary {
                case: 37,
                original_choices: 402,
                choices: 4,
                executions: 173,
                outcome: ShrinkOutcome::Minimal,
                original_inputs: vec![argument("cents", "Nat", "7391")],
                seed: Some(0x8a00_0002_0000_002a),
            }),
            replay_token: Some("gs1-2f7c90aa".to_owned()),
            saved: Some(SavedCaseReport {
                path: "gainsay-cases/bill/sums_are_kept/observe-1.case".to_owned(),
                state: SavedCaseState::New,
            }),
            verify_case: None,
            related: vec![RelatedFailure {
                fault: Diagnostic::new(
                    codes::DIVISION_BY_ZERO,
                    self.span("cents / people"),
                    "division by zero",
                ),
            }],
        }
    }

    fn failed_twice(&self) -> ClaimReport {
        let second = Failure {
            id: "fault-1".to_owned(),
            fault: Diagnostic::new(
                codes::DIVISION_BY_ZERO,
                self.span("cents / people"),
                "division by zero",
            ),
            cause: FailureCause::Fault,
            sides: None,
            subexpressions: Vec::new(),
            locals: Vec::new(),
            drawn: Vec::new(),
            system_calls: Vec::new(),
            shrink: None,
            saved: None,
            related: Vec::new(),
            ..self.counterexample()
        };
        ClaimReport {
            failures: vec![self.counterexample(), second],
            sites: vec![self.site(5, SiteStopReason::Failed)],
            cases: 5,
            ..self.claim("it's split \"well\"", ClaimStatus::Fail)
        }
    }

    /// A claim that does not meet its `cover`.
    fn uncovered(&self) -> ClaimReport {
        let site = SiteReport {
            covers: vec![CoverReport {
                name: "large".to_owned(),
                percent: 10,
                cases: 2,
                interval: (0.1, 1.4),
                verdict: CoverVerdict::Fails,
            }],
            ..self.site(400, SiteStopReason::EnoughCases)
        };
        ClaimReport {
            cases: 400,
            n_observations: 400,
            sites: vec![site],
            ..self.claim("large_bills_are_split", ClaimStatus::Fail)
        }
    }

    /// A case that failed once, then drew something else and passed.
    fn flake(&self) -> Flake {
        let Failure { fault, arguments, .. } = self.counterexample();
        let drawn = |cents: u32| vec![format!("cents 0 {cents}"), "people 0 2".to_owned()];
        let mut others = arguments.clone();
        "0".clone_into(&mut others[0].value);
        let first = CaseRunReport {
            arguments,
            drawn: drawn(1),
            observed: Some(1),
            steps: Some(61),
            end: CaseRunEnd::Failed(Some(fault.with_note("left = 0").with_note("right = 1"))),
        };
        let second = CaseRunReport {
            arguments: others,
            drawn: drawn(0),
            end: CaseRunEnd::Passed,
            ..first.clone()
        };
        Flake { case: 12, runs: 2, first, second }
    }

    fn others(&self) -> Vec<ClaimReport> {
        let vacuous = ClaimReport {
            cases: 0,
            discards: DiscardCounts {
                assumptions: 1_000,
                places: vec![(self.span("cents / people"), 1_000)],
                ..DiscardCounts::default()
            },
            sites: vec![self.site(0, SiteStopReason::TooManyDiscards)],
            warnings: vec![ClaimWarning::ManyDiscards],
            ..self.claim("primes_are_split", ClaimStatus::Vacuous)
        };
        let declined = ClaimReport {
            reason: Some(Diagnostic::new(
                codes::NO_GENERATOR,
                self.span("people: Pos"),
                "cannot generate values for `people`",
            )),
            ..self.claim("splitting_is_drawn", ClaimStatus::Declined)
        };
        let limit = ClaimReport {
            cases: 3,
            sites: vec![self.site(3, SiteStopReason::Failed)],
            failures: vec![Failure {
                id: "steps".to_owned(),
                fault: Diagnostic::new(
                    codes::STEP_LIMIT,
                    self.span("split(cents, people).sum()"),
                    "step limit exceeded",
                ),
                cause: FailureCause::Limit,
                sides: None,
                subexpressions: Vec::new(),
                locals: Vec::new(),
                related: Vec::new(),
                ..self.counterexample()
            }],
            ..self.claim("splitting_ends", ClaimStatus::Limit)
        };
        let interrupted = ClaimReport {
            cases: 7,
            sites: vec![self.site(7, SiteStopReason::Interrupted)],
            ..self.claim("splitting_goes_on", ClaimStatus::Interrupted)
        };
        let flaky = ClaimReport {
            cases: 12,
            sites: vec![self.site(12, SiteStopReason::Failed)],
            flake: Some(self.flake()),
            ..self.claim("splitting_repeats", ClaimStatus::Flaky)
        };
        vec![
            vacuous,
            declined,
            limit,
            interrupted,
            flaky,
            self.claim("splitting_scales", ClaimStatus::Ignored("slow on servers".to_owned())),
            self.claim("splitting_is_last", ClaimStatus::Skipped),
            self.claim("splitting_asks", ClaimStatus::Unbound("Queue".to_owned())),
        ]
    }

    fn report(&self) -> Report {
        let mut claims = vec![
            self.passed_test(),
            self.passed_property(),
            self.failed(),
            self.failed_twice(),
            self.uncovered(),
        ];
        claims.extend(self.others());
        assert_eq!(claims.len(), N_CLAIMS);
        Report { claims, ..empty() }
    }

    fn diagnostic(&self) -> Diagnostic {
        let span = self.span("note");
        Diagnostic::new(codes::UNUSED_VARIABLE, span, "`note` is never used")
    }
}

fn label(text: &str, cases: u64) -> LabelCount {
    LabelCount { text: text.to_owned(), cases }
}

/// Applies a function to the report.
pub(super) fn with_report_data<T>(
    times: DurationDisplay,
    make: impl Fn(&TestReportData<'_>) -> T,
) -> T {
    let sample = TestReportFixture::new();
    make(&TestReportData {
        files: &sample.files,
        n_standard: 0,
        diagnostics: &[sample.diagnostic()],
        errors: &[],
        report: &sample.report(),
        profile: RunProfile::Default,
        deny: &[],
        durations: times,
        exit: Exit::Failed,
    })
}

/// Applies a function to the report of sources that do not compile.
pub(super) fn with_broken_report_data<T>(make: impl Fn(&TestReportData<'_>) -> T) -> T {
    let sample = TestReportFixture::new();
    let error = Diagnostic::new(
        codes::TYPE_MISMATCH,
        sample.span("cents / people"),
        "this is no `Str`",
    );
    make(&TestReportData {
        files: &sample.files,
        n_standard: 0,
        diagnostics: &[error],
        errors: &[CliError::usage("cannot read `b.say`: no such file")],
        report: &empty(),
        profile: RunProfile::Ci,
        deny: &[],
        durations: DurationDisplay::Hidden,
        exit: Exit::Usage,
    })
}

/// Compares a text with its golden file, or writes the file if GAINSAY_BLESS is set.
#[track_caller]
pub(super) fn assert_golden(name: &str, text: &str) {
    golden::assert_golden("claims", name, text);
}
