//! The systems of `examples/synthesis`, each with tests against its specification. They must pass;
//! those marked `// has the bug` must fail, and those marked `// tests nothing` must say so. Rules
//! that are too weak may miss a bug, which `// misses the bug` says.

use std::sync::{Arc, OnceLock};
use std::{fs, path::Path};

use gainsay::synth::TracePlan;
use gainsay_core::{ClaimId, ClaimKind, Program, TraceTest};
use gainsay_source::{RenderStyle, render};
use gainsay_test::{ClaimReport, Settings, run};

use crate::program::check;
use crate::repository::{files_below, root};
use crate::test_file::SourceModule;
use crate::unattended_run::{job, own_claims};

/// The marks of tests that must not pass.
const MARKS: [(&str, ExpectedStatus); 3] = [
    ("// has the bug", ExpectedStatus::Fail),
    ("// misses the bug", ExpectedStatus::Missed),
    ("// tests nothing", ExpectedStatus::Vacuous),
];

/// What must become of a test.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum ExpectedStatus {
    /// No bug is found.
    Pass,
    /// The bug is found.
    Fail,
    /// No bug is found, although there is one.
    Missed,
    /// No trace reaches the goal.
    Vacuous,
}

/// A file of the folder.
pub struct TraceExample {
    /// The file name without extension.
    pub name: String,
    /// Its tests against goals, in source order.
    pub tests: Vec<TraceExampleTest>,
    program: Arc<Program>,
}

/// A test against a goal.
pub struct TraceExampleTest {
    /// The name of the test.
    pub name: String,
    /// The specification.
    pub spec: String,
    /// The goal.
    pub goal: String,
    /// What must become of it.
    pub expected: ExpectedStatus,
    claim: ClaimId,
    /// The number of what it follows.
    number: usize,
    /// What its runs follow, once there was one: many runs share a synthesis.
    synthesized: Arc<OnceLock<Option<TracePlan>>>,
    random: Arc<OnceLock<Option<TracePlan>>>,
}

/// What decides what happens next in a run.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum WalkKind {
    /// The generators that the goal is synthesized to.
    Synthesized,
    /// Chance alone.
    Random,
}

/// All examples, by name. Panics if one does not check.
pub fn trace_examples() -> Vec<TraceExample> {
    let mut files = files_below(&root().join("examples/synthesis"), "say");
    files.sort();
    let modules: Vec<SourceModule> = files.iter().map(|it| module(it)).collect();
    let examples = (0..modules.len()).map(|at| {
        let mut modules = modules.clone();
        modules.swap(0, at);
        TraceExample::new(&modules)
    });
    examples.filter(|it| !it.tests.is_empty()).collect()
}

fn module(path: &Path) -> SourceModule {
    let name = path.file_name().expect("a file has a name").to_string_lossy().into_owned();
    let text = fs::read_to_string(path).expect("a file that was just listed");
    SourceModule { name, text }
}

impl TraceExample {
    /// The first module, which may use the others.
    fn new(modules: &[SourceModule]) -> Self {
        let checked = check(modules);
        let complaints: String = checked
            .diagnostics
            .iter()
            .map(|it| render(&checked.files, it, RenderStyle::Plain))
            .collect();
        let program = checked.program.unwrap_or_else(|| panic!("{complaints}"));
        let text = &modules[0].text;
        let claims = own_claims(&program).into_iter();
        let tests = claims.filter_map(|it| test(&program, it, text)).collect();
        let name = modules[0].name.trim_end_matches(".say").to_owned();
        Self { name, tests, program }
    }

    /// The text from which a test reads its specification.
    pub fn source(&self, test: &TraceExampleTest) -> &str {
        &self.program.trace_tests[test.number].source
    }

    /// Runs a test.
    pub fn run(
        &self,
        test: &TraceExampleTest,
        kind: WalkKind,
        settings: &Settings,
    ) -> ClaimReport {
        let mut lowered = gainsay_gen::lower(&self.program);
        let plan = match kind {
            WalkKind::Synthesized => &test.synthesized,
            WalkKind::Random => {
                test.random.get_or_init(|| {
                    TracePlan::random(self.source(test), &test.spec, &test.goal)
                });
                &test.random
            }
        };
        lowered.trace_tests[test.number] = Arc::clone(plan);
        let claims = [test.claim];
        let mut report = run(&job(&lowered, &claims), settings);
        report.claims.pop().expect("a claim has a report")
    }
}

fn test(program: &Program, claim: ClaimId, text: &str) -> Option<TraceExampleTest> {
    let ClaimKind::Test(function) = program.claim(claim).kind else { return None };
    let is_it = |it: &TraceTest| it.function == function;
    let number = program.trace_tests.iter().position(is_it)?;
    let test = &program.trace_tests[number];
    let name = program.claim(claim).name.to_string();
    let opens = format!("test \"{name}\"");
    let line = text.lines().find(|it| it.starts_with(&opens))?;
    let mark = MARKS.iter().find(|it| line.ends_with(it.0));
    let expected = mark.map_or(ExpectedStatus::Pass, |it| it.1);
    Some(TraceExampleTest {
        spec: test.spec.to_string(),
        goal: test.goal.as_deref()?.to_owned(),
        expected,
        name,
        claim,
        number,
        synthesized: Arc::default(),
        random: Arc::default(),
    })
}
