//! Suggested lines kill their mutant: added to the file, the original program passes the new test
//! and the mutant does not. And a line that is said to kill many survivors kills exactly those.
//!
//! Mutants are run behind switches, and every n-th of them as an edit of the source that is checked
//! and run anew. `EVERY=1` does that for all of them.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use gainsay_core::ClaimId;
use gainsay_mutate::{
    AnalysisDepth, ClaimDetection, Mutant, MutantProgram, MutantRunner, MutantStatus,
    MutationReport,
};
use gainsay_test::Settings;
use gainsay_ui::{
    ExampleProject, MutationFixture, MutationRunOptions, SourceModule, check_all,
    example_projects, map_in_parallel,
};
use gainsay_vm::{EngineKind, Instrumentation, MutantId, run_on_big_stack};

/// One in this many mutants with a suggestion is run as an edit of the source.
const EVERY: usize = 3;

/// The step limit of a test.
const MAX_STEPS: u64 = 1_000_000;

/// A line that is added to a file as a test.
struct SuggestedTestLine {
    file: String,
    text: String,
    /// The name of the test.
    name: String,
    /// The mutants that it must kill, as indices into the report.
    kills: BTreeSet<usize>,
    /// The mutants that it must not kill.
    leaves: BTreeSet<usize>,
}

/// The lines of all suggestions, each with its mutant.
fn suggested(fixture: &MutationFixture, report: &MutationReport) -> Vec<SuggestedTestLine> {
    let mut lines = Vec::new();
    for (at, it) in report.mutants.iter().enumerate() {
        let Some(suggestion) = it.explanation.as_ref().and_then(|it| it.suggestion.as_ref())
        else {
            continue;
        };
        lines.push(SuggestedTestLine {
            file: fixture.module_in(it.mutant.span.file).to_owned(),
            text: suggestion.line.clone(),
            name: format!("suggested {}", lines.len()),
            kills: [at].into(),
            leaves: BTreeSet::new(),
        });
    }
    lines
}

/// The lines that kill many survivors. Each one is credited only with survivors of the lines before
/// it, so it may also kill mutants that those kill, but no others.
fn of_leverage(
    report: &MutationReport,
    suggested: &[SuggestedTestLine],
) -> Vec<SuggestedTestLine> {
    let mut killed = BTreeSet::new();
    let mut lines = Vec::new();
    for it in &report.leverage {
        let kills: BTreeSet<usize> = it.kills.iter().copied().collect();
        let found = suggested.iter().find(|line| line.text == it.line);
        let file = found.expect("it is one of the suggestions").file.clone();
        killed.extend(kills.iter().copied());
        let is_left = |at: &usize| {
            let verdict = &report.mutants[*at].status;
            matches!(verdict, MutantStatus::Survived | MutantStatus::Unreached)
                && !killed.contains(at)
        };
        let leaves = (0..report.mutants.len()).filter(is_left).collect();
        let name = format!("leverage {}", lines.len());
        lines.push(SuggestedTestLine { file, text: it.line.clone(), name, kills, leaves });
    }
    lines
}

/// The modules with lines added as tests.
fn with_lines(modules: &[SourceModule], lines: &[SuggestedTestLine]) -> Vec<SourceModule> {
    let mut modules = modules.to_vec();
    for module in &mut modules {
        for line in lines.iter().filter(|it| it.file == module.name) {
            module.text += &format!("\ntest \"{}\" {{ {} }}\n", line.name, line.text);
        }
    }
    modules
}

/// The modules with the edit of a mutant applied.
fn with_mutant(modules: &[SourceModule], file: &str, mutant: &Mutant) -> Vec<SourceModule> {
    let mut modules = modules.to_vec();
    let module = modules.iter_mut().find(|it| it.name == file).expect("it is in a module");
    let (start, end) = (mutant.span.start as usize, mutant.span.end as usize);
    module.text.replace_range(start..end, &mutant.replacement);
    modules
}

/// Whether a claim detects a change, when it is run on some program.
fn detection(
    trial: &mut MutantRunner<'_>,
    claims: &BTreeMap<String, ClaimId>,
    line: &SuggestedTestLine,
) -> ClaimDetection {
    trial.set_step_limit(Some(MAX_STEPS));
    trial.run(claims[&line.name]).detection
}

fn claims_by_name(program: &gainsay_core::Program) -> BTreeMap<String, ClaimId> {
    let claims = program.claim_ids().zip(&program.claims);
    claims.map(|(id, it)| (it.name.to_string(), id)).collect()
}

/// The violations for one project.
fn complaints(project: &ExampleProject) -> Vec<String> {
    let fixture = MutationFixture::new(&project.modules).unwrap_or_else(|it| panic!("{it}"));
    let report = fixture
        .run(&MutationRunOptions::with_depth(AnalysisDepth::Everything))
        .expect("its claims hold");
    let suggested = suggested(&fixture, &report);
    let leverage = of_leverage(&report, &suggested);
    let mut lines: Vec<SuggestedTestLine> = suggested.into_iter().chain(leverage).collect();
    let mut wrong = Vec::new();
    if check_all(&with_lines(&project.modules, &lines)).is_err() {
        lines.retain(|line| {
            let alone = SuggestedTestLine {
                file: line.file.clone(),
                text: line.text.clone(),
                name: line.name.clone(),
                kills: BTreeSet::new(),
                leaves: BTreeSet::new(),
            };
            match check_all(&with_lines(&project.modules, &[alone])) {
                Ok(_) => true,
                Err(complaint) => {
                    wrong.push(format!("`{}` does not check:\n{complaint}", line.text));
                    false
                }
            }
        });
    }
    let modules = with_lines(&project.modules, &lines);
    let extended = MutationFixture::new(&modules).unwrap_or_else(|it| panic!("{it}"));
    wrong.extend(by_switch(&extended, &report, &lines));
    wrong.extend(by_text(&fixture, &modules, &report, &lines));
    wrong
}

/// Runs each line on the program, and on its mutants behind their switches.
fn by_switch(
    extended: &MutationFixture,
    report: &MutationReport,
    lines: &[SuggestedTestLine],
) -> Vec<String> {
    let list = &extended.mutants.list;
    let ids = MutantId::all(list.len());
    let numbers: BTreeMap<&str, MutantId> =
        list.iter().zip(ids).map(|(it, id)| (it.id.as_str(), id)).collect();
    let number = |at: &usize| numbers[report.mutants[*at].mutant.id.as_str()];
    let lowered = extended.with_mutants();
    let settings = Settings::new(0);
    let interrupt = Arc::new(AtomicBool::new(false));
    let (engine, instruments) = (EngineKind::best(), extended.switches());
    let trials = MutantProgram::new(&lowered, engine, instruments, &settings, interrupt);
    let mut trial = trials.runner();
    let claims = claims_by_name(&extended.program);
    let mut wrong = Vec::new();
    for line in lines {
        trial.set_mutant(None);
        let found = detection(&mut trial, &claims, line);
        if found != ClaimDetection::Nothing {
            wrong.push(format!("{}: the program itself does not pass: {found:?}", line.text));
        }
        for at in line.kills.iter().chain(&line.leaves) {
            trial.set_mutant(Some(number(at)));
            let is_killed = detection(&mut trial, &claims, line) != ClaimDetection::Nothing;
            if is_killed != line.kills.contains(at) {
                let what = if is_killed { "kills, and does not say so," } else { "leaves" };
                wrong.push(format!("{} {what} {}", line.text, suggestion_text(report, *at)));
            }
        }
    }
    wrong
}

/// Runs the lines of suggestions on the source of their mutants.
fn by_text(
    fixture: &MutationFixture,
    modules: &[SourceModule],
    report: &MutationReport,
    lines: &[SuggestedTestLine],
) -> Vec<String> {
    let every = env::var("EVERY").ok().and_then(|it| it.parse().ok()).unwrap_or(EVERY);
    let mut wrong = Vec::new();
    for line in lines.iter().filter(|it| it.leaves.is_empty()).step_by(every) {
        for at in &line.kills {
            let mutant = &report.mutants[*at].mutant;
            let file = fixture.module_in(mutant.span.file);
            let checked = match check_all(&with_mutant(modules, file, mutant)) {
                Ok(checked) => checked,
                Err(complaint) => {
                    wrong.push(format!(
                        "{} does not check:\n{complaint}",
                        suggestion_text(report, *at)
                    ));
                    continue;
                }
            };
            let program = checked.program.expect("nothing was complained of");
            let lowered = gainsay_gen::lower(&program);
            let claims = claims_by_name(&program);
            let settings = Settings::new(0);
            let (engine, instruments) = (EngineKind::Interpreter, Instrumentation::default());
            let interrupt = Arc::new(AtomicBool::new(false));
            let trials =
                MutantProgram::new(&lowered, engine, instruments, &settings, interrupt);
            if detection(&mut trials.runner(), &claims, line) == ClaimDetection::Nothing {
                wrong.push(format!(
                    "as text, {} leaves {}",
                    line.text,
                    suggestion_text(report, *at)
                ));
            }
        }
    }
    wrong
}

fn suggestion_text(report: &MutationReport, at: usize) -> String {
    let mutant = &report.mutants[at].mutant;
    format!("{} ({}, `{}`)", mutant.id, mutant.description, mutant.replacement)
}

#[test]
fn each_line_kills_the_mutants_it_claims() {
    let projects = example_projects();
    let answers = map_in_parallel(&projects, |it| run_on_big_stack(|| complaints(it)));
    let wrong = projects.iter().zip(answers).flat_map(|(project, answer)| {
        let complaints = answer.unwrap_or_else(|panic| vec![panic]);
        complaints.into_iter().map(|it| format!("{}: {it}", project.name))
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
