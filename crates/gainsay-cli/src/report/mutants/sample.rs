//! A report made by hand, with something of everything, for the tests of formats.

use gainsay::core::{FunctionId, Strength, TermId};
use gainsay::mutate::{
    ClaimReport, ClauseReport, Explanation, Group, Killing, LeftOut, Leverage, Mutant,
    MutantReport, Reason, Report, Suggestion, Verdict,
};
use gainsay::source::{FileId, Files, SourceFile, Span};
use gainsay::test::Boundary;

use super::{Account, Explained};
use crate::exit::Exit;
use crate::report::{Detail, golden};

/// How many mutants the report has.
pub(super) const N_MUTANTS: usize = 11;

/// How many of them nothing noticed; for one of them no difference was found.
pub(super) const N_OPEN: usize = 5;

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

struct Sample {
    files: Files,
    file: FileId,
    n_mutants: u32,
}

impl Sample {
    fn new() -> Self {
        let mut files = Files::default();
        let file = files.add(SourceFile::new("shop/bill.say", SOURCE));
        Self { files, file, n_mutants: 0 }
    }

    /// The place of the first such text.
    fn span(&self, text: &str) -> Span {
        let start = SOURCE.find(text).expect("the source has it") as u32;
        Span::new(self.file, start, start + text.len() as u32)
    }

    fn mutant(&mut self, declaration: &str, from: &str, to: &str, what: &str) -> MutantReport {
        self.n_mutants += 1;
        let mutant = Mutant {
            id: format!("m-{:08x}", self.n_mutants),
            operator: "comparison",
            group: Group::Code,
            home: FunctionId(0),
            function: FunctionId(0),
            term: TermId(0),
            instead: TermId(1),
            span: self.span(from),
            replacement: to.to_owned(),
            description: what.to_owned(),
            suppressed: None,
        };
        MutantReport {
            mutant,
            declaration: declaration.to_owned(),
            verdict: Verdict::Killed,
            reached_by: vec![0],
            noticed_by: vec![0],
            killing: Some(Killing { claim: 0, inputs: Vec::new() }),
            explanation: None,
        }
    }

    /// Mutants that were noticed.
    fn noticed(&mut self) -> Vec<MutantReport> {
        let out = self.span("r.sum() == cents");
        let mut of_clause =
            self.mutant("split", "r.sum() == cents", "r.sum() >= cents", "`==` becomes `>=`");
        of_clause.mutant.group = Group::Contract;
        let killed =
            self.mutant("split", "cents / people", "cents * people", "`/` becomes `*`");
        let refused = self.mutant("split", "cents % people", "people", "`%` is left out");
        let outside = self.mutant("split", "0, people", "1, people", "`0` becomes `1`");
        let endless = self.mutant("rounds", "n - 1", "n + 1", "`-` becomes `+`");
        vec![
            of_clause,
            killed,
            MutantReport { verdict: Verdict::KilledByContract(Boundary::Out(out)), ..refused },
            MutantReport {
                verdict: Verdict::KilledByContract(Boundary::Refinement),
                ..outside
            },
            MutantReport {
                verdict: Verdict::Timeout,
                reached_by: vec![1, 2],
                noticed_by: vec![2],
                killing: Some(Killing {
                    claim: 2,
                    inputs: vec![("n".to_owned(), "3".to_owned())],
                }),
                ..endless
            },
        ]
    }

    /// Mutants that nothing noticed.
    fn open(&mut self) -> Vec<MutantReport> {
        let loose = Reason::Loose {
            observe: self.span("rounds(n)\n    >= 0"),
            strength: Strength::Relation,
            claim: 2,
        };
        let suggestion = Suggestion {
            line: "observe rounds(1) == 1".to_owned(),
            call: "rounds(1)".to_owned(),
            original: "1".to_owned(),
            mutant: "2".to_owned(),
        };
        let survives = |it: MutantReport, reached_by: Vec<usize>, reason, suggestion| {
            let explanation = Some(Explanation { reason, suggestion });
            let (verdict, noticed_by) = (Verdict::Survived, Vec::new());
            let killing = None;
            MutantReport { verdict, reached_by, noticed_by, killing, explanation, ..it }
        };
        let unexplained = self.mutant("split", "at < extra", "at <= extra", "`<` becomes `<=`");
        let unreached = self.mutant("tag", "\"😀\" ++ name", "name", "the left is left out");
        let observed = self.mutant("rounds", "n == 0", "n == 1", "`0` becomes `1`");
        let unobserved = self.mutant("rounds", "1 + rounds", "2 + rounds", "`1` becomes `2`");
        let same = self.mutant("rounds", "{ 0 }", "{ -0 }", "`0` becomes `-0`");
        vec![
            MutantReport {
                verdict: Verdict::Survived,
                noticed_by: Vec::new(),
                killing: None,
                ..unexplained
            },
            MutantReport {
                verdict: Verdict::Unreached,
                ..survives(unreached, Vec::new(), Reason::Unreached, None)
            },
            survives(observed, vec![1, 2], loose, Some(suggestion)),
            survives(unobserved, vec![1], Reason::Unobserved, None),
            MutantReport {
                verdict: Verdict::NoDifference { n_inputs: 2_520 },
                ..survives(same, vec![1, 2], Reason::Same, None)
            },
        ]
    }

    fn claim(&self, name: &str, place: &str) -> ClaimReport {
        ClaimReport {
            claim: 0,
            module: "bill".to_owned(),
            name: name.to_owned(),
            span: self.span(place),
            is_undecided: false,
            is_vacuous: false,
            n_reached: 1,
            n_noticed: 1,
            judgement: None,
        }
    }

    fn report(&mut self) -> Report {
        let mut mutants = self.noticed();
        mutants.extend(self.open());
        let mut skipped = self.mutant("tag", "++ name", "", "it is left out");
        skipped.verdict = Verdict::Suppressed("only for people, \"&\" <all>".to_owned());
        (skipped.reached_by, skipped.noticed_by) = (Vec::new(), Vec::new());
        skipped.killing = None;
        mutants.push(skipped);
        mutants.sort_by_key(|it| (it.mutant.span.start, it.mutant.span.end));
        assert_eq!(mutants.len(), N_MUTANTS);
        let at = |id: &str| mutants.iter().position(|it| it.mutant.id == id).unwrap();
        let leverage = Leverage {
            line: "observe rounds(1) == 1".to_owned(),
            kills: vec![at("m-00000008"), at("m-00000009")],
        };
        let clause = ClauseReport {
            span: self.span("r.sum() == cents"),
            function: "split".to_owned(),
            n_noticed: 1,
        };
        Report {
            claims: vec![
                self.claim("ten euros for two", "\"ten euros for two\""),
                self.claim("rounds", "\"rounds\""),
                self.claim("rounds", "rounds(n: Int{"),
            ],
            mutants,
            clauses: vec![clause],
            leverage: vec![leverage],
            dropped: 3,
            left_out: vec![LeftOut { module: "bill".to_owned(), name: "model".to_owned() }],
            interrupted: false,
            n_left: 0,
        }
    }
}

/// What is made of the report.
pub(super) fn with_account<T>(make: impl Fn(&Account<'_>) -> T) -> T {
    let mut sample = Sample::new();
    let report = sample.report();
    make(&Account {
        files: &sample.files,
        paths: &["bill.say".to_owned()],
        n_standard: 0,
        report: &report,
        why: Explained::None,
        detail: Detail::Usual,
        min_score: Some(80.0),
        exit: Exit::Gainsaid,
    })
}

/// Compares a text with its file in `golden/`, or writes it if GAINSAY_BLESS is set.
#[track_caller]
pub(super) fn assert_golden(name: &str, text: &str) {
    golden::assert_golden("mutants", name, text);
}
