//! The fast way to run mutants agrees with the plain way: the same verdict for each, and the same
//! claims that reach it. Its results do not depend on threads or on the run.
//!
//! The plain way compiles a program per mutant, so it only gets every n-th; `EVERY=1 cargo test
//! --release -p gainsay-ui --test mutation_parity` gives it all of them.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use gainsay_mutate::{
    AnalysisDepth, MutantExecution, MutantReport, MutationReport, MutationRun,
};
use gainsay_test::Settings;
use gainsay_ui::{
    ExampleProject, MutationFixture, MutationRunOptions, SourceModule, example_projects,
    map_in_parallel, root,
};
use gainsay_vm::EngineKind;

/// One in this many mutants is run the plain way.
const EVERY: usize = 23;

/// One in this many mutants is explained several times.
const EXPLAINED_EVERY: usize = 7;

/// The example with the fewest mutants.
const SMALLEST: &str = "examples/hello.say";

/// Terms with mutants that are compared without running them.
const SIMPLE: &str = "tests/mutation/simple/terms.say";

fn every(default: usize) -> usize {
    env::var("EVERY").ok().and_then(|it| it.parse().ok()).unwrap_or(default)
}

fn fixture(project: &ExampleProject) -> MutationFixture {
    MutationFixture::new(&project.modules).unwrap_or_else(|it| panic!("{}: {it}", project.name))
}

fn verdicts(
    depth: AnalysisDepth,
    execution: MutantExecution,
    engine: EngineKind,
) -> MutationRunOptions {
    MutationRunOptions { execution, engine, ..MutationRunOptions::with_depth(depth) }
}

/// The disagreements of two reports about the same mutants. The first may contain more of them.
fn disagreements(
    fixture: &MutationFixture,
    quick: &MutationReport,
    plain: &MutationReport,
) -> Vec<String> {
    let quick: BTreeMap<&str, &MutantReport> =
        quick.mutants.iter().map(|it| (it.mutant.id.as_str(), it)).collect();
    let mut found = Vec::new();
    for plain in &plain.mutants {
        let mutant = &plain.mutant;
        let quick = quick[mutant.id.as_str()];
        if quick.status != plain.status || quick.reached_by != plain.reached_by {
            let file = fixture.checked.files.get(mutant.span.file);
            found.push(format!(
                "{}:{} {} {} (`{}`): {:?} by switch and reached by {:?}, {:?} apart and reached by {:?}",
                file.name,
                file.position(mutant.span.start).line,
                mutant.id,
                mutant.description,
                mutant.replacement,
                quick.status,
                quick.reached_by,
                plain.status,
                plain.reached_by,
            ));
        }
    }
    found
}

/// The errors in any of the examples.
fn in_all_examples(work: impl Fn(&ExampleProject) -> Vec<String> + Sync) -> Vec<String> {
    let projects = example_projects();
    let answers = map_in_parallel(&projects, work);
    let complaints = projects.iter().zip(answers).flat_map(|(project, answer)| {
        let complaints = answer.unwrap_or_else(|panic| vec![panic]);
        complaints.into_iter().map(|it| format!("{}: {it}", project.name))
    });
    complaints.collect()
}

#[test]
fn switches_give_what_programs_apart_give() {
    let every = every(EVERY);
    let wrong = in_all_examples(|project| {
        let fixture = fixture(project);
        let run = |mutants, execution| {
            let options = verdicts(AnalysisDepth::None, execution, EngineKind::best());
            fixture.run_some(mutants, &options).expect("its claims hold")
        };
        let quick = run(&fixture.mutants, MutantExecution::Switches);
        assert_eq!(quick.mutants.len(), fixture.mutants.list.len());
        let plain = run(&fixture.every(every), MutantExecution::SeparatePrograms);
        assert!(!plain.mutants.is_empty());
        disagreements(&fixture, &quick, &plain)
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_interpreter_gives_what_switches_give() {
    let projects = example_projects();
    let smallest = projects.iter().find(|it| it.name == SMALLEST).expect("it is an example");
    assert_interpreter_agrees(&fixture(smallest));
}

/// Runs each mutant both ways; returns their number.
fn assert_interpreter_agrees(fixture: &MutationFixture) -> usize {
    let run = |execution, engine| {
        let options = verdicts(AnalysisDepth::None, execution, engine);
        fixture.run(&options).expect("its claims hold")
    };
    let quick = run(MutantExecution::Switches, EngineKind::best());
    let plain = run(MutantExecution::SeparatePrograms, EngineKind::Interpreter);
    let wrong = disagreements(fixture, &quick, &plain);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    quick.mutants.len()
}

/// Verdicts that are inferred without running a mutant are those that running it gives.
#[test]
fn simple_terms_are_compared_as_they_are_run() {
    let text = fs::read_to_string(root().join(SIMPLE)).expect("it is there");
    let module = SourceModule { name: "terms.say".to_owned(), text };
    let fixture = MutationFixture::new(&[module]).unwrap_or_else(|it| panic!("{it}"));
    assert!(assert_interpreter_agrees(&fixture) > 100);
}

/// An interrupted run says nothing about mutants that it did not reach.
#[test]
fn what_is_interrupted_is_left() {
    let projects = example_projects();
    let smallest = projects.iter().find(|it| it.name == SMALLEST).expect("it is an example");
    let fixture = fixture(smallest);
    let settings = Settings::new(0);
    let report = gainsay_mutate::run_mutants(&MutationRun {
        program: &fixture.program,
        lowered: &fixture.lowered,
        files: &fixture.checked.files,
        mutants: &fixture.mutants,
        claims: &fixture.claims,
        modules: &fixture.names,
        settings: &settings,
        engine: EngineKind::best(),
        execution: MutantExecution::Switches,
        depth: AnalysisDepth::Everything,
        with_inputs: false,
        listener: &(),
        interrupt: Arc::new(AtomicBool::new(true)),
    });
    let report = report.expect("no claim was seen to fail");
    assert!(report.interrupted && report.mutants.is_empty());
    assert_eq!(report.n_remaining, fixture.mutants.list.len());
    assert!(report.claims.iter().all(|it| it.weakness.is_none()));
}

#[test]
fn nothing_depends_on_threads_or_on_the_run() {
    let every = every(EXPLAINED_EVERY);
    let wrong = in_all_examples(|project| {
        let fixture = fixture(project);
        let mutants = fixture.every(every);
        let lines = |jobs| {
            let options = MutationRunOptions {
                jobs,
                ..MutationRunOptions::with_depth(AnalysisDepth::Everything)
            };
            let report = fixture.run_some(&mutants, &options).expect("its claims hold");
            report_lines(&report)
        };
        let first = lines(1);
        let mut wrong = Vec::new();
        for (jobs, when) in [(1, "the second time"), (4, "on four threads")] {
            let again = lines(jobs);
            let pairs = first.iter().zip(&again).filter(|(a, b)| a != b);
            wrong.extend(pairs.map(|(a, b)| format!("{when}: {b}\ninstead of {a}")));
            assert_eq!(first.len(), again.len());
        }
        wrong
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// All contents of a report, part by part.
fn report_lines(report: &MutationReport) -> Vec<String> {
    let mutants = report.mutants.iter().map(|it| format!("{it:?}"));
    let claims = report.claims.iter().map(|it| format!("{it:?}"));
    let clauses = report.clauses.iter().map(|it| format!("{it:?}"));
    let leverage = report.leverage.iter().map(|it| format!("{it:?}"));
    mutants.chain(claims).chain(clauses).chain(leverage).collect()
}
