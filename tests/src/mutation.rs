//! Hunts for mutants that nobody watches: the projects of the examples, and everything a hunt in
//! one of them needs.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use gainsay::{Checked, MemorySources};
use gainsay_core::Program;
use gainsay_gen::Lowered;
use gainsay_mutate::{Depth, Hunt, Mutants, Report, Scope, Unfit, Way, switches, with_mutants};
use gainsay_source::{FileId, Style, render};
use gainsay_test::Settings;
use gainsay_vm::{EngineKind, Instruments};

use crate::case::Module;
use crate::job::own_claims;
use crate::repository::{files_below, root};

/// Modules that are hunted in together.
#[derive(Debug, Clone)]
pub struct Project {
    /// What it is called, as in `examples/ledger`.
    pub name: String,
    /// All of its modules.
    pub modules: Vec<Module>,
}

/// Each example that is one file, and each that is a folder, in the order of their names.
pub fn example_projects() -> Vec<Project> {
    let folder = root().join("examples");
    let entries = fs::read_dir(&folder).expect("the examples are there");
    let mut names: Vec<String> = entries
        .map(|it| it.expect("an entry of a folder").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    let projects = names.into_iter().map(|name| {
        let path = folder.join(&name);
        let files = if path.is_dir() { files_below(&path, "say") } else { vec![path] };
        let modules = files.iter().map(|it| module(it)).collect();
        Project { name: format!("examples/{name}"), modules }
    });
    projects.filter(|it: &Project| !it.modules.is_empty()).collect()
}

fn module(path: &Path) -> Module {
    let text = fs::read_to_string(path).expect("a file that was just listed");
    let name = path.file_name().expect("a file has a name").to_string_lossy().into_owned();
    Module { name, text }
}

/// A project in which mutants were found.
pub struct Ground {
    /// What checking gave.
    pub checked: Checked,
    /// The program.
    pub program: Arc<Program>,
    /// The program, ready for cases.
    pub lowered: Lowered,
    /// Its mutants.
    pub mutants: Mutants,
    /// Its claims that are run.
    pub claims: Vec<usize>,
    /// What its modules are called.
    pub names: Vec<String>,
}

/// How a ground is hunted in.
#[derive(Debug, Clone)]
pub struct Manner {
    /// How mutants are made to run.
    pub way: Way,
    /// How much is found out about survivors.
    pub depth: Depth,
    /// What runs the claims.
    pub engine: EngineKind,
    /// Threads.
    pub jobs: usize,
}

impl Manner {
    /// As the command does it, on one thread.
    pub fn usual(depth: Depth) -> Self {
        Self { way: Way::Switches, depth, engine: EngineKind::best(), jobs: 1 }
    }
}

impl Ground {
    /// Checks all modules, and finds their mutants; complaints if they do not check.
    pub fn new(modules: &[Module]) -> Result<Self, String> {
        let checked = check_all(modules)?;
        let program = Arc::clone(checked.program.as_ref().expect("nothing was complained of"));
        let names: Vec<String> = program.modules.iter().map(|it| it.name.to_string()).collect();
        let mutants = gainsay_mutate::find(&program, &checked.files, &names, Scope::All);
        let is_run = |it: &usize| {
            let claim = &program.claims[*it];
            claim.attributes.iter().all(|it| &*it.name != "ignore")
        };
        let claims = own_claims(&program).into_iter().filter(is_run).collect();
        let lowered = gainsay_gen::lower(&program);
        Ok(Self { checked, program, lowered, mutants, claims, names })
    }

    /// Hunts all mutants.
    pub fn hunt(&self, manner: &Manner) -> Result<Report, Unfit> {
        self.hunt_some(&self.mutants, manner)
    }

    /// Hunts some of the mutants.
    pub fn hunt_some(&self, mutants: &Mutants, manner: &Manner) -> Result<Report, Unfit> {
        let settings = Settings { jobs: manner.jobs, ..Settings::new(0) };
        gainsay_mutate::hunt(&Hunt {
            program: &self.program,
            lowered: &self.lowered,
            files: &self.checked.files,
            mutants,
            claims: &self.claims,
            modules: &self.names,
            settings: &settings,
            engine: manner.engine,
            way: manner.way,
            depth: manner.depth,
            with_inputs: false,
            watcher: &(),
            interrupt: Arc::new(AtomicBool::new(false)),
        })
    }

    /// The program with what stands in place of terms behind the bodies of its functions, to be
    /// run with switches.
    pub fn with_mutants(&self) -> Lowered {
        with_mutants(&self.lowered, &self.mutants)
    }

    /// A switch for each mutant, in their order.
    pub fn switches(&self) -> Instruments {
        switches(&self.mutants.list)
    }

    /// Every n-th of the mutants, by position.
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
pub fn check_all(modules: &[Module]) -> Result<Checked, String> {
    let texts = modules.iter().map(|it| (it.name.as_str(), it.text.as_str()));
    let entries: Vec<String> = modules.iter().map(|it| it.name.clone()).collect();
    let checked = gainsay::check(&entries, &MemorySources::new(texts));
    if checked.has_errors() {
        let complaints = checked.diagnostics.iter().filter(|it| it.is_error());
        return Err(complaints.map(|it| render(&checked.files, it, Style::Plain)).collect());
    }
    Ok(checked)
}
