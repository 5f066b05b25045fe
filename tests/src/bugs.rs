//! The suite of `tests/bugs`: small programs with one bug each, and how many seeds find it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gainsay_core::Program;
use gainsay_gen::{LoweredProgram, LoweringOptions, lower_with_options};
use gainsay_source::{RenderStyle, render};
use gainsay_test::{ClaimReport, Failure, HostileMode, Report, Settings, run};

use crate::program::check;
use crate::repository::{files_below, root};
use crate::test_file::SourceModule;
use crate::unattended_run::{job, own_claims};

/// A program with one bug, described by its header.
pub struct BuggyProgram {
    /// The file name without extension.
    pub name: String,
    /// The claim that the bug breaks.
    pub claim: String,
    /// The minimal counterexamples, as printed; none where minimality has no meaning.
    pub minima: Vec<String>,
    runnable: RunnableProgram,
}

/// The results for a set of seeds.
#[derive(Debug, Default)]
pub struct BugDetection {
    /// Seeds whose run refuted the claim.
    pub found: u64,
    /// Seeds whose counterexample is one of the minima.
    pub at_minimum: u64,
    /// Cases up to the failing one, over all seeds that found it.
    pub cases: u64,
    /// Other counterexamples and other failures, with their seeds.
    pub others: Vec<(u64, String)>,
}

/// A checked program, ready to be run.
struct RunnableProgram {
    program: Arc<Program>,
    lowered: LoweredProgram,
    hostility: HostileMode,
}

/// The programs of the suite, by name. Panics if one does not check.
pub fn buggy_programs() -> Vec<BuggyProgram> {
    let mut files = files_below(&folder(), "say");
    files.retain(|it| it.parent() == Some(folder().as_path()));
    files.sort();
    files.iter().map(|it| BuggyProgram::read(it)).collect()
}

fn folder() -> PathBuf {
    root().join("tests/bugs")
}

impl BuggyProgram {
    fn read(path: &Path) -> Self {
        let text = fs::read_to_string(path).expect("a file that was just listed");
        let header = |key: &str| {
            let line = text.lines().find_map(|it| it.strip_prefix("// ")?.strip_prefix(key));
            line.unwrap_or_else(|| panic!("{path:?} has no line `// {key}`")).trim().to_owned()
        };
        let minimum = header("minimum:");
        let minima = match minimum.as_str() {
            "any" => Vec::new(),
            _ => minimum.split(" | ").map(str::to_owned).collect(),
        };
        let claim = header("claim:");
        let name = stem(path);
        Self { claim, minima, runnable: RunnableProgram::of(&name, text), name }
    }

    /// Runs all claims with default settings, once per seed.
    pub fn detection(&self, seeds: impl IntoIterator<Item = u64>) -> BugDetection {
        let mut detection = BugDetection::default();
        for seed in seeds {
            detection.add(self, seed, &self.runnable.report(seed));
        }
        detection
    }

    /// The failures of the program without its bug, for a seed.
    pub fn failures_of_fixed(&self, seed: u64) -> Vec<String> {
        let path = folder().join("fixed").join(format!("{}.say", self.name));
        let text = fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("{path:?}: a bug needs its correction: {error}"));
        let report = RunnableProgram::of(&self.name, text).report(seed);
        let failing = report.claims.iter().filter(|it| !it.failures.is_empty());
        failing.map(|it| it.name.clone()).collect()
    }
}

impl RunnableProgram {
    fn of(name: &str, text: String) -> Self {
        let checked = check(&[SourceModule { name: format!("{name}.say"), text }]);
        let complaints: String = checked
            .diagnostics
            .iter()
            .map(|it| render(&checked.files, it, RenderStyle::Plain))
            .collect();
        let program = checked.program.unwrap_or_else(|| panic!("{complaints}"));
        // Laws about effects fail in hostile worlds, not for particular values.
        let has_law = program.claims.iter().any(|it| {
            !program.module(it.module).is_std
                && matches!(it.kind, gainsay_core::ClaimKind::Verify(_))
        });
        let hostility = if has_law { HostileMode::Profiles } else { HostileMode::None };
        let lowered = lower_with_options(
            &program,
            &LoweringOptions { is_hostile: has_law, ..LoweringOptions::default() },
        );
        Self { program, lowered, hostility }
    }

    fn report(&self, seed: u64) -> Report {
        let claims = own_claims(&self.program);
        let settings = Settings { hostile_mode: self.hostility, ..Settings::new(seed) };
        run(&job(&self.lowered, &claims), &settings)
    }
}

impl BugDetection {
    fn add(&mut self, program: &BuggyProgram, seed: u64, report: &Report) {
        for claim in report.claims.iter().filter(|it| !is_named(it, &program.claim)) {
            if !claim.failures.is_empty() {
                self.others.push((seed, format!("{} fails too", claim.name)));
            }
        }
        let claim = report.claims.iter().find(|it| is_named(it, &program.claim));
        let Some(failure) = claim.and_then(|it| it.failures.first()) else { return };
        self.found += 1;
        self.cases += failure.shrink.as_ref().map_or(0, |it| it.case);
        let text = counterexample(failure);
        if program.minima.is_empty() || program.minima.contains(&text) {
            self.at_minimum += 1;
        } else {
            self.others.push((seed, text));
        }
    }
}

fn is_named(claim: &ClaimReport, name: &str) -> bool {
    claim.name == name || claim.name.ends_with(&format!("::{name}"))
}

/// A counterexample, in the notation of the program's header.
fn counterexample(failure: &Failure) -> String {
    let lines = failure.arguments.iter().map(|it| format!("let {} = {}", it.name, it.value));
    lines.collect::<Vec<_>>().join("; ")
}

fn stem(path: &Path) -> String {
    path.file_stem().expect("a file has a name").to_string_lossy().into_owned()
}
