//! Mutation runs without a user: the example projects, and everything a run in one of them needs.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use gainsay::{CheckedSources, MemorySources};
use gainsay_core::{ClaimId, Program};
use gainsay_gen::LoweredProgram;
use gainsay_mutate::{
    AnalysisDepth, BaselineFailed, MutantExecution, Mutants, MutationReport, MutationRun,
    MutationScope, mutant_switches, with_mutants,
};
use gainsay_source::{FileId, RenderStyle, render};
use gainsay_test::Settings;
use gainsay_vm::{EngineKind, Instrumentation};

use crate::repository::{files_below, root};
use crate::test_file::SourceModule;
use crate::unattended_run::own_claims;

/// Modules that are mutated together.
#[derive(Debug, Clone)]
pub struct ExampleProject {
    /// Its name, as in `examples/ledger`.
    pub name: String,
    /// All of its modules.
    pub modules: Vec<SourceModule>,
}

/// The example with a bug on purpose: mutation testing needs claims that pass.
const BUGGY: &str = "account.say";

/// Examples whose claims search for their inputs: running all of their mutants takes too long.
const SEARCHING: [&str; 3] = ["ifc", "lambda", "solving"];

/// The examples of systems: half of them have a bug on purpose.
const SYSTEMS: &str = "synthesis";

/// All examples without a bug whose inputs are drawn, files and folders, sorted by name.
pub fn example_projects() -> Vec<ExampleProject> {
    let folder = root().join("examples");
    let entries = fs::read_dir(&folder).expect("the examples are there");
    let mut names: Vec<String> = entries
        .map(|it| it.expect("an entry of a folder").file_name().to_string_lossy().into_owned())
        .collect();
    names.retain(|it| it != BUGGY && it != SYSTEMS && !SEARCHING.contains(&it.as_str()));
    names.sort();
    let projects = names.into_iter().map(|name| {
        let path = folder.join(&name);
        let files = if path.is_dir() { files_below(&path, "say") } else { vec![path] };
        let modules = files.iter().map(|it| module(it)).collect();
        ExampleProject { name: format!("examples/{name}"), modules }
    });
    projects.filter(|it: &ExampleProject| !it.modules.is_empty()).collect()
}

fn module(path: &Path) -> SourceModule {
    let text = fs::read_to_string(path).expect("a file that was just listed");
    let name = path.file_name().expect("a file has a name").to_string_lossy().into_owned();
    SourceModule { name, text }
}

/// A project with its mutants.
pub struct MutationFixture {
    /// The result of the check.
    pub checked: CheckedSources,
    /// The program.
    pub program: Arc<Program>,
    /// The lowered program.
    pub lowered: LoweredProgram,
    /// Its mutants.
    pub mutants: Mutants,
    /// The claims to run.
    pub claims: Vec<ClaimId>,
    /// The names of its modules.
    pub names: Vec<String>,
}

/// How a mutation run is performed.
#[derive(Debug, Clone)]
pub struct MutationRunOptions {
    /// How mutants are executed.
    pub execution: MutantExecution,
    /// How deeply survivors are analysed.
    pub depth: AnalysisDepth,
    /// The engine.
    pub engine: EngineKind,
    /// The number of threads.
    pub jobs: usize,
}

impl MutationRunOptions {
    /// As the command does it, on one thread.
    pub fn with_depth(depth: AnalysisDepth) -> Self {
        Self {
            execution: MutantExecution::Switches,
            depth,
            engine: EngineKind::best(),
            jobs: 1,
        }
    }
}

impl MutationFixture {
    /// Checks all modules, and finds their mutants; returns diagnostics if they do not check.
    pub fn new(modules: &[SourceModule]) -> Result<Self, String> {
        let checked = check_all(modules)?;
        let program = Arc::clone(checked.program.as_ref().expect("nothing was complained of"));
        let names: Vec<String> = program.modules.iter().map(|it| it.name.to_string()).collect();
        let mutants =
            gainsay_mutate::find_mutants(&program, &checked.files, &names, MutationScope::All);
        let is_run = |it: &ClaimId| program.claim(*it).ignore.is_none();
        let claims = own_claims(&program).into_iter().filter(is_run).collect();
        let lowered = gainsay_gen::lower(&program);
        Ok(Self { checked, program, lowered, mutants, claims, names })
    }

    /// Runs all mutants.
    pub fn run(&self, options: &MutationRunOptions) -> Result<MutationReport, BaselineFailed> {
        self.run_some(&self.mutants, options)
    }

    /// Runs some of the mutants.
    pub fn run_some(
        &self,
        mutants: &Mutants,
        options: &MutationRunOptions,
    ) -> Result<MutationReport, BaselineFailed> {
        let settings = Settings { jobs: options.jobs, ..Settings::new(0) };
        gainsay_mutate::run_mutants(&MutationRun {
            program: &self.program,
            lowered: &self.lowered,
            files: &self.checked.files,
            mutants,
            claims: &self.claims,
            modules: &self.names,
            settings: &settings,
            engine: options.engine,
            execution: options.execution,
            depth: options.depth,
            with_inputs: false,
            listener: &(),
            interrupt: Arc::new(AtomicBool::new(false)),
        })
    }

    /// The program with the replacement terms appended to the bodies of its functions, to be run
    /// with switches.
    pub fn with_mutants(&self) -> LoweredProgram {
        with_mutants(&self.lowered, &self.mutants)
    }

    /// A switch for each mutant, in their order.
    pub fn switches(&self) -> Instrumentation {
        mutant_switches(&self.mutants.list)
    }

    /// Every n-th mutant, by position.
    pub fn every(&self, n: usize) -> Mutants {
        let mut mutants = self.mutants.clone();
        mutants.list = mutants.list.into_iter().step_by(n).collect();
        mutants
    }

    /// The module whose text is in a file.
    pub fn module_in(&self, file: FileId) -> &str {
        &self.checked.files.get(file).name
    }
}

/// Checks modules together, each of them an entry.
pub fn check_all(modules: &[SourceModule]) -> Result<CheckedSources, String> {
    let texts = modules.iter().map(|it| (it.name.as_str(), it.text.as_str()));
    let entries: Vec<String> = modules.iter().map(|it| it.name.clone()).collect();
    let checked = gainsay::check(&entries, &MemorySources::new(texts));
    if checked.has_errors() {
        let complaints = checked.diagnostics.iter().filter(|it| it.is_error());
        return Err(complaints
            .map(|it| render(&checked.files, it, RenderStyle::Plain))
            .collect());
    }
    Ok(checked)
}
