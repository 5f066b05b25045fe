//! `gainsay test`: runs claims and reports counterexamples.

mod console_progress;
mod last_failed;
mod list;
mod orphaned_cases;
mod plan;
pub(super) mod reports;
mod select;
mod watch;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use gainsay::core::ClaimId;
use gainsay::source::Diagnostic;
use gainsay::source::codes::PLACEBO_TEST;
use gainsay::test::{Report, SystemCallCounts};
use gainsay::vm::EngineKind;
use gainsay::{
    CheckedSources, NamedClaim, PartialCheck, RunnableProgram, SavedCaseAccess, TestRequest,
};

use self::console_progress::ConsoleProgress;
use self::plan::TestPlan;
use self::select::ClaimOrder;
use crate::arguments::TestArguments;
use crate::case_files::DiskCaseFiles;
use crate::cli_error::CliError;
use crate::exit::Exit;
use crate::files::{self, DiskSources};
use crate::report::DeniableLint;
use crate::report::claims::{self as report, TestReportData};
use crate::reporter::Reporter;
use crate::systems::{AdapterSettings, BoundSystems};
use crate::{engine, interrupt, world};

/// Runs, lists or watches claims.
pub(super) fn test(args: &TestArguments, reporter: &mut Reporter) -> Exit {
    let plan = match TestPlan::new(args, reporter) {
        Ok(plan) => plan,
        Err(error) => return reporter.error(&error),
    };
    if let Some(form) = args.list {
        return list::list(&plan, form, reporter);
    }
    if args.watch {
        return watch::watch(&plan, reporter);
    }
    run(&plan, &mut ClaimOrder::default(), reporter)
}

/// The checked sources of a project.
pub(super) struct CheckedProject {
    /// The entry files, in order.
    pub(super) entries: Vec<String>,
    pub(super) checked: CheckedSources,
    /// Errors about other files.
    errors: Vec<CliError>,
    /// Whether files that do not compile were left out.
    is_partial: bool,
}

impl CheckedProject {
    /// Reads the sources to test. Files that do not compile are reported and left out, so that the
    /// claims of the others still run.
    fn read(plan: &TestPlan) -> Self {
        Self::check_with(&plan.paths, &plan.root, |entries, sources| {
            gainsay::check_partially(entries, sources)
        })
    }

    /// Reads the sources in files and folders, or in the current folder if there are none. Module
    /// names are relative to the project folder.
    pub(super) fn of(paths: &[PathBuf], root: &Path) -> Self {
        Self::check_with(paths, root, |entries, sources| {
            PartialCheck::whole(gainsay::check(entries, sources))
        })
    }

    fn check_with(
        paths: &[PathBuf],
        root: &Path,
        check: impl FnOnce(&[String], &DiskSources) -> PartialCheck,
    ) -> Self {
        let found = files::find_sources(paths);
        let mut errors = found.errors;
        if found.files.is_empty() && errors.is_empty() {
            errors.push(
                CliError::nothing_to_run("no `.say` files found").with_help(
                    "name a file or a folder, or create a project with `gainsay new`",
                ),
            );
        }
        let (sources, unreadable) = DiskSources::read(&found.files);
        errors.extend(unreadable);
        let PartialCheck { mut checked, is_partial, left_out } =
            check(sources.entries(), &sources);
        errors.extend(left_out.iter().map(|file| {
            let why = format!("cannot run `{file}`: it uses a file that does not compile");
            CliError::new(Exit::DoesNotCompile, why)
        }));
        // Relative to the project, so that ids do not depend on where the command is run.
        checked.name_modules(|file| files::module_name(root, file));
        let entries = sources.entries().to_vec();
        Self { entries, checked, errors, is_partial }
    }

    /// All files that were read, including those that others use.
    fn files_read(&self) -> BTreeSet<String> {
        let files = self.checked.files.iter().skip(gainsay::std_modules().len());
        files.map(|(_, file)| file.name.clone()).collect()
    }

    /// The program, if there are no errors at all.
    pub(super) fn program(&self) -> Option<RunnableProgram<'_>> {
        self.checked.runnable().filter(|_| self.errors.is_empty())
    }

    /// All claims of the files that were named, in source order.
    pub(super) fn claims(&self) -> Vec<NamedClaim> {
        self.checked.runnable().map(|it| it.claims()).unwrap_or_default()
    }

    /// Drops the warnings about claims that observe nothing if those claims are about to run: the
    /// run reports the same.
    fn drop_placebo_warnings(&mut self, wanted: &[NamedClaim]) {
        if self.checked.has_errors() {
            return;
        }
        let is_run = |it: &Diagnostic| {
            it.code == PLACEBO_TEST
                && wanted
                    .iter()
                    .any(|claim| claim.span == it.primary.span && claim.ignored.is_none())
        };
        self.checked.diagnostics.retain(|it| !is_run(it));
    }

    /// Reports the errors, and returns the exit status.
    pub(super) fn report(&self, reporter: &mut Reporter) -> Exit {
        let mut exit = Exit::Success;
        for error in &self.errors {
            exit = exit.combine(reporter.error(error));
        }
        reporter.diagnostics(&self.checked.files, &self.checked.diagnostics);
        let has_errors = self.checked.has_errors() || self.is_partial;
        let does_not_compile = has_errors && !self.entries.is_empty();
        if does_not_compile { exit.combine(Exit::DoesNotCompile) } else { exit }
    }
}

/// Runs the selected claims once.
fn run(plan: &TestPlan, order: &mut ClaimOrder, reporter: &mut Reporter) -> Exit {
    plan.configure_reporter(reporter);
    let mut project = CheckedProject::read(plan);
    // Even if nothing compiles: watching goes on with the files that were read.
    order.read = project.files_read();
    let wanted = select::select(plan, &project, order).and_then(|wanted| {
        let engine = engine::select_engine()?;
        Ok((wanted, engine))
    });
    if let Ok((wanted, _)) = &wanted {
        project.drop_placebo_warnings(wanted);
    }
    let exit = project.report(reporter);
    let (wanted, engine) = match wanted {
        Ok(wanted) => wanted,
        Err(error) => {
            let exit = exit.combine(reporter.error(&error));
            project.errors.push(error);
            return report_not_run(plan, &project, exit, reporter);
        }
    };
    if project.checked.has_errors() || wanted.is_empty() {
        return report_not_run(plan, &project, exit, reporter);
    }
    // Denied warnings fail the run, but do not prevent it: the claims have their own results.
    let exit = exit.combine(report_denied(plan, &mut project, reporter));
    let systems = match bind_systems(plan, &project) {
        Ok(systems) => systems,
        Err(error) => {
            let exit = exit.combine(reporter.error(&error));
            project.errors.push(error);
            return report_not_run(plan, &project, exit, reporter);
        }
    };
    let (report, stage) = run_claims(plan, &project, &wanted, (engine, &systems), reporter);
    let exit = exit.combine(report::exit(&report, &plan.deny));
    let mut errors = project.errors.clone();
    let exit = exit.combine(report_untested_operations(&mut errors, &report, reporter));
    last_failed::save_failed(plan, &report, reporter);
    // The claims of files that do not compile are unknown, so their cases must not count as
    // orphaned.
    if !project.is_partial {
        orphaned_cases::report_orphans(plan, &project, reporter);
    }
    order.record_failures(&report, &plan.deny);
    let all = RunResults { report: &report, errors: &errors, exit };
    write_reports(plan, &project, &all, Some(&stage), reporter)
}

/// What answers for the systems of a project.
fn bind_systems<'p>(
    plan: &TestPlan,
    project: &'p CheckedProject,
) -> Result<BoundSystems<'p>, CliError> {
    let program = project.checked.runnable().expect("errors were looked for").program;
    let settings = AdapterSettings {
        is_fresh: plan.fresh,
        ..AdapterSettings::new(interrupt::stop_gracefully())
    };
    BoundSystems::new(program, &plan.systems, settings)
}

/// Runs claims with progress output.
fn run_claims<'a>(
    plan: &'a TestPlan,
    project: &'a CheckedProject,
    wanted: &'a [NamedClaim],
    (engine, systems): (EngineKind, &BoundSystems<'_>),
    reporter: &Reporter,
) -> (Report, ConsoleProgress<'a>) {
    let program = project.checked.runnable().expect("errors were looked for");
    let claims: Vec<ClaimId> = wanted.iter().map(|it| it.claim).collect();
    let stage = ConsoleProgress::new(plan, &project.checked.files, wanted, reporter);
    stage.start();
    let saved_cases = SavedCaseAccess {
        files: &DiskCaseFiles::new(&plan.root),
        folder: folder_prefix(&plan.root),
        today: world::today(),
    };
    let watch = world::Stopwatch::start();
    let report = gainsay::test(&TestRequest {
        engine,
        saved_cases: Some(saved_cases),
        clock: &|| watch.elapsed(),
        listener: &stage,
        interrupt: interrupt::stop_gracefully(),
        systems: Some(systems),
        ..TestRequest::new(program, &claims, &plan.settings)
    });
    stage.finish(&report);
    (report, stage)
}

/// Reports operations of systems that never succeeded: claims that expect nothing but errors would
/// pass with any broken adapter.
fn report_untested_operations(
    errors: &mut Vec<CliError>,
    report: &Report,
    reporter: &mut Reporter,
) -> Exit {
    let mut all: BTreeMap<&str, SystemCallCounts> = BTreeMap::new();
    for (operation, counts) in report.claims.iter().flat_map(|it| &it.system_calls) {
        let all = all.entry(operation).or_default();
        all.answered += counts.answered;
        all.succeeded += counts.succeeded;
    }
    let mut exit = Exit::Success;
    for (operation, counts) in all.iter().filter(|(_, it)| it.succeeded == 0) {
        let calls = match counts.answered {
            1 => "its only call".to_owned(),
            n => format!("all {n} calls"),
        };
        let message = format!("`{operation}` was not tested: {calls} failed");
        let error = CliError::new(Exit::Inconclusive, message).with_help(
            "check that the adapter knows the operation, and that a claim reaches it",
        );
        exit = exit.combine(reporter.error(&error));
        errors.push(error);
    }
    exit
}

/// A folder as a prefix for the paths of files in it.
fn folder_prefix(root: &Path) -> String {
    let shown = files::display_path(root).unwrap_or_default();
    if shown.is_empty() || shown.ends_with('/') { shown } else { format!("{shown}/") }
}

/// Reports denied warnings of the checker, which make the run fail.
fn report_denied(
    plan: &TestPlan,
    project: &mut CheckedProject,
    reporter: &mut Reporter,
) -> Exit {
    let mut exit = Exit::Success;
    for (lint, n) in report::denied_warnings(&project.checked.diagnostics, &plan.deny) {
        let error = denied_error(lint, n);
        exit = exit.combine(reporter.error(&error));
        project.errors.push(error);
    }
    exit
}

fn denied_error(lint: DeniableLint, n: usize) -> CliError {
    let name = lint.name();
    let (message, remedy) = if lint == DeniableLint::Placebo {
        let what = if n == 1 { "claim observes" } else { "claims observe" };
        (format!("{n} {what} nothing, and `{name}` is denied"), "add an `observe` to each")
    } else {
        let what = if n == 1 { "warning" } else { "warnings" };
        (format!("{n} denied {what}: `{name}`"), "fix each one")
    };
    let help = format!("{remedy}, or remove `{name}` from `deny`");
    CliError::new(Exit::Failed, message).with_help(help)
}

/// Writes the reports of a run that could not take place.
fn report_not_run(
    plan: &TestPlan,
    project: &CheckedProject,
    exit: Exit,
    reporter: &mut Reporter,
) -> Exit {
    let report = Report {
        seed: plan.settings.seed,
        claims: Vec::new(),
        interrupted: false,
        time: std::time::Duration::ZERO,
    };
    if project.checked.has_errors() && !project.entries.is_empty() {
        reporter.note(&reporter.summary_line("checked", project.entries.len()));
    }
    let all = RunResults { report: &report, errors: &project.errors, exit };
    write_reports(plan, project, &all, None, reporter)
}

/// What a run found out.
struct RunResults<'a> {
    report: &'a Report,
    /// Errors without a location.
    errors: &'a [CliError],
    exit: Exit,
}

/// Writes the remaining output: the rest of the report on stdout, and all report files.
fn write_reports(
    plan: &TestPlan,
    project: &CheckedProject,
    results: &RunResults<'_>,
    stage: Option<&ConsoleProgress<'_>>,
    reporter: &mut Reporter,
) -> Exit {
    let data = TestReportData {
        files: &project.checked.files,
        n_standard: gainsay::std_modules().len(),
        diagnostics: &project.checked.diagnostics,
        errors: results.errors,
        report: results.report,
        profile: plan.settings.profile,
        deny: &plan.deny,
        durations: plan.times_elsewhere,
        exit: results.exit,
    };
    reports::write(plan, &data, stage, reporter)
}
