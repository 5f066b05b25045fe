//! A hand-written report that covers every feature, for the tests of all formats.

use gainsay::core::{ClaimId, FunctionId, ObserveStrength, TermId};
use gainsay::mutate::{
    CallOutcome, ClaimMutationReport, ClauseReport, ContractBoundary, ExcludedFunction,
    HighLeverageTest, KillingCase, Mutant, MutantGroup, MutantReport, MutantStatus,
    MutationReport, SurvivalReason, SurvivorExplanation, TestSuggestion,
};
use gainsay::source::{FileId, SourceFile, SourceMap, Span};

use super::{MutationReportData, SurvivorExplanations};
use crate::exit::Exit;
use crate::report::{Verbosity, golden};

/// The number of mutants in the report.
pub(super) const N_MUTANTS: usize = 11;

/// The number of survivors; for one of them no difference was found.
pub(super) const N_SURVIVED: usize = 5;

const SOURCE: &str = r#"// "größe 😀"
fn split(cents: Int, people: Int) -> List<Int>
  in { people > 0 }
  out (r) { r.sum() == cents }
{
  let share = cents / people
  let extra = cents % people
  List.range(0, people).map(|at| if at < extra { share + 1 } else { share })
}

fn tag(name: Str) -> Str { "😀" ++ name ++ "</script><!--<script>" }

fn rounds(n: Int) -> Int { if n == 0 { 0 } else { 1 + rounds(n - 1) } }

test "ten euros for two" {
  observe split(1000, 2) == [500, 500]
}

test "rounds" { observe rounds(5) > 0 }

@property
fn rounds(n: Int{0 <= it && it < 9}) {
  observe rounds(n)
    >= 0
}
"#;

struct MutationReportFixture {
    files: SourceMap,
    file: FileId,
    n_mutants: u32,
}

impl MutationReportFixture {
    fn new() -> Self {
        let mut files = SourceMap::default();
        let file = files.add(SourceFile::new("shop/bill.say", SOURCE));
        Self { files, file, n_mutants: 0 }
    }

    /// The span of the first occurrence of a text.
    fn span(&self, text: &str) -> Span {
        let start = SOURCE.find(text).expect("the source has it") as u32;
        Span::new(self.file, start, start + text.len() as u32)
    }

    fn mutant(&mut self, declaration: &str, from: &str, to: &str, what: &str) -> MutantReport {
        self.n_mutants += 1;
        let mutant = Mutant {
            id: format!("m-{:08x}", self.n_mutants),
            operator: "comparison",
            group: MutantGroup::Code,
            declaration: FunctionId(0),
            function: FunctionId(0),
            term: TermId(0),
            replacement_term: TermId(1),
            span: self.span(from),
            replacement: to.to_owned(),
            description: what.to_owned(),
            suppressed: None,
        };
        MutantReport {
            mutant,
            declaration: declaration.to_owned(),
            status: MutantStatus::Killed,
            reached_by: vec![0],
            detected_by: vec![0],
            killing_case: Some(KillingCase { claim: 0, inputs: Vec::new() }),
            explanation: None,
        }
    }

    /// Killed mutants.
    fn killed(&mut self) -> Vec<MutantReport> {
        let out = self.span("r.sum() == cents");
        let mut of_clause = self.mutant(
            "split",
            "r.sum() == cents",
            "r.sum() >= cents",
            "replace `==` with `>=`",
        );
        of_clause.mutant.group = MutantGroup::Contract;
        let killed =
            self.mutant("split", "cents / people", "cents * people", "replace `/` with `*`");
        let refused =
            self.mutant("split", "cents % people", "people", "remove the left operand of `%`");
        let outside = self.mutant("split", "0, people", "1, people", "replace `0` with `1`");
        let endless = self.mutant("rounds", "n - 1", "n + 1", "replace `-` with `+`");
        vec![
            of_clause,
            killed,
            MutantReport {
                status: MutantStatus::KilledByContract(ContractBoundary::Out(out)),
                ..refused
            },
            MutantReport {
                status: MutantStatus::KilledByContract(ContractBoundary::Refinement),
                ..outside
            },
            MutantReport {
                status: MutantStatus::Timeout,
                reached_by: vec![1, 2],
                detected_by: vec![2],
                killing_case: Some(KillingCase {
                    claim: 2,
                    inputs: vec![("n".to_owned(), "3".to_owned())],
                }),
                ..endless
            },
        ]
    }

    /// Survivors.
    fn survived(&mut self) -> Vec<MutantReport> {
        let loose = SurvivalReason::WeaklyObserved {
            observe: self.span("rounds(n)\n    >= 0"),
            strength: ObserveStrength::Relation,
            claim: 2,
        };
        let suggestion = TestSuggestion {
            line: "observe rounds(1) == 1".to_owned(),
            call: "rounds(1)".to_owned(),
            original: CallOutcome::Value("1".to_owned()),
            mutant: CallOutcome::Value("2".to_owned()),
        };
        let survives = |it: MutantReport, reached_by: Vec<usize>, reason, suggestion| {
            let explanation = Some(SurvivorExplanation { reason, suggestion });
            let (verdict, detected_by) = (MutantStatus::Survived, Vec::new());
            let killing = None;
            MutantReport {
                status: verdict,
                reached_by,
                detected_by,
                killing_case: killing,
                explanation,
                ..it
            }
        };
        let unexplained =
            self.mutant("split", "at < extra", "at <= extra", "replace `<` with `<=`");
        let unreached =
            self.mutant("tag", "\"😀\" ++ name", "name", "remove the left operand of `++`");
        let observed = self.mutant("rounds", "n == 0", "n == 1", "replace `0` with `1`");
        let unobserved =
            self.mutant("rounds", "1 + rounds", "2 + rounds", "replace `1` with `2`");
        let same = self.mutant("rounds", "{ 0 }", "{ -0 }", "replace `0` with `-0`");
        vec![
            MutantReport {
                status: MutantStatus::Survived,
                detected_by: Vec::new(),
                killing_case: None,
                ..unexplained
            },
            MutantReport {
                status: MutantStatus::Unreached,
                ..survives(unreached, Vec::new(), SurvivalReason::Unreached, None)
            },
            survives(observed, vec![1, 2], loose, Some(suggestion)),
            survives(unobserved, vec![1], SurvivalReason::Unobserved, None),
            MutantReport {
                status: MutantStatus::NoDifference { n_inputs: 2_520 },
                ..survives(same, vec![1, 2], SurvivalReason::SameOnClaimInputs, None)
            },
        ]
    }

    fn claim(&self, name: &str, place: &str) -> ClaimMutationReport {
        ClaimMutationReport {
            claim: ClaimId(0),
            module: "bill".to_owned(),
            name: name.to_owned(),
            span: self.span(place),
            is_undecided: false,
            is_vacuous: false,
            n_reached: 1,
            n_detected: 1,
            weakness: None,
        }
    }

    fn report(&mut self) -> MutationReport {
        let mut mutants = self.killed();
        mutants.extend(self.survived());
        let mut skipped = self.mutant("tag", "++ name", "", "remove the right operand of `++`");
        skipped.status = MutantStatus::Suppressed("only for people, \"&\" <all>".to_owned());
        (skipped.reached_by, skipped.detected_by) = (Vec::new(), Vec::new());
        skipped.killing_case = None;
        mutants.push(skipped);
        mutants.sort_by_key(|it| (it.mutant.span.start, it.mutant.span.end));
        assert_eq!(mutants.len(), N_MUTANTS);
        let at = |id: &str| mutants.iter().position(|it| it.mutant.id == id).unwrap();
        let leverage = HighLeverageTest {
            line: "observe rounds(1) == 1".to_owned(),
            kills: vec![at("m-00000008"), at("m-00000009")],
        };
        let clause = ClauseReport {
            span: self.span("r.sum() == cents"),
            function: "split".to_owned(),
            n_detected: 1,
        };
        MutationReport {
            claims: vec![
                self.claim("ten euros for two", "\"ten euros for two\""),
                self.claim("rounds", "\"rounds\""),
                self.claim("rounds", "rounds(n: Int{"),
            ],
            mutants,
            clauses: vec![clause],
            leverage: vec![leverage],
            n_equivalent: 3,
            excluded: vec![ExcludedFunction {
                module: "bill".to_owned(),
                name: "model".to_owned(),
            }],
            interrupted: false,
            n_remaining: 0,
        }
    }
}

/// Applies a function to the report.
pub(super) fn with_report_data<T>(make: impl Fn(&MutationReportData<'_>) -> T) -> T {
    let mut sample = MutationReportFixture::new();
    let report = sample.report();
    make(&MutationReportData {
        files: &sample.files,
        paths: &["bill.say".to_owned()],
        n_standard: 0,
        report: &report,
        explanations: SurvivorExplanations::Hidden,
        verbosity: Verbosity::Normal,
        min_score: Some(80.0),
        exit: Exit::Failed,
    })
}

/// Compares a text with its golden file, or writes the file if GAINSAY_BLESS is set.
#[track_caller]
pub(super) fn assert_golden(name: &str, text: &str) {
    golden::assert_golden("mutants", name, text);
}
