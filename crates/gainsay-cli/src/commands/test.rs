//! `gainsay test`: looks for the case against every claim.

mod last;
mod list;
mod orphans;
mod plan;
pub(super) mod reports;
mod run;
mod select;
mod sound;
mod stage;
mod watch;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gainsay::core::Program;
use gainsay::source::Diagnostic;
use gainsay::source::codes::PLACEBO_TEST;
use gainsay::test::Report;
use gainsay::{Checked, vm::EngineKind};

pub(super) use self::select::{Wanted, claims};

use self::plan::Plan;
use self::select::Order;
use self::sound::Sound;
use self::stage::Stage;
use crate::arguments::TestArguments;
use crate::config::Lint;
use crate::exit::Exit;
use crate::files::{self, Sources};
use crate::report::Reporter;
use crate::report::claims::{self as report, Account};
use crate::trouble::Trouble;
use crate::{engine, interrupt};

/// Runs, lists or watches claims.
pub(super) fn test(args: &TestArguments, reporter: &mut Reporter) -> Exit {
    let plan = match Plan::new(args, reporter) {
        Ok(plan) => plan,
        Err(trouble) => return reporter.trouble(&trouble),
    };
    if let Some(form) = args.list {
        return list::list(&plan, form, reporter);
    }
    if args.watch {
        return watch::watch(&plan, reporter);
    }
    run(&plan, &mut Order::default(), reporter)
}

/// The sources as they stand, checked.
pub(super) struct Project {
    /// The files that were read, in order.
    pub(super) entries: Vec<String>,
    pub(super) checked: Checked,
    /// What its modules are called, by their number.
    pub(super) modules: Vec<String>,
    /// What is wrong with other files.
    troubles: Vec<Trouble>,
    /// Whether some files do not compile and were left out.
    is_partial: bool,
}

impl Project {
    /// The sources that are tested. Those that do not compile are reported and left out, so that
    /// the claims of the others are run.
    fn read(plan: &Plan) -> Self {
        Self::checked_by(&plan.paths, &plan.root, sound::check)
    }

    /// The sources in files and folders; those of the current folder if there are none. What they
    /// are called is seen from the folder of the project.
    pub(super) fn of(paths: &[PathBuf], root: &Path) -> Self {
        Self::checked_by(paths, root, |entries, sources| {
            Sound::whole(gainsay::check(entries, sources))
        })
    }

    fn checked_by(
        paths: &[PathBuf],
        root: &Path,
        check: impl FnOnce(&[String], &Sources) -> Sound,
    ) -> Self {
        let found = files::find(paths);
        let mut troubles = found.troubles;
        if found.files.is_empty() && troubles.is_empty() {
            troubles.push(Trouble::nothing_to_run("there are no `.say` files here").with_help(
                "name a file or a folder that has some, or start with `gainsay new`",
            ));
        }
        let (sources, unreadable) = Sources::read(&found.files);
        troubles.extend(unreadable);
        let Sound { checked, is_partial, left_out } = check(sources.entries(), &sources);
        troubles.extend(left_out.iter().map(|file| {
            let why = format!("`{file}` is not run: it uses a file that does not compile");
            Trouble::new(Exit::DoesNotCompile, why)
        }));
        let modules = modules(&checked, root);
        let entries = sources.entries().to_vec();
        Self { entries, checked, modules, troubles, is_partial }
    }

    /// All files that were read, also those that others use.
    fn files_read(&self) -> BTreeSet<String> {
        let files = self.checked.files.iter().skip(gainsay::std_modules().len());
        files.map(|(_, file)| file.name.clone()).collect()
    }

    /// The program, if nothing at all is wrong.
    pub(super) fn program(&self) -> Option<&Arc<Program>> {
        self.checked.program.as_ref().filter(|_| self.troubles.is_empty())
    }

    /// Drops the warnings that claims observe nothing which are about to be run: that is told of
    /// them then, and once is enough.
    fn leave_placebos_to_the_run(&mut self, wanted: &[Wanted]) {
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

    /// Tells what is wrong, and gives the exit it calls for.
    pub(super) fn tell(&self, reporter: &mut Reporter) -> Exit {
        let mut exit = Exit::Held;
        for trouble in &self.troubles {
            exit = exit.and(reporter.trouble(trouble));
        }
        reporter.diagnostics(&self.checked.files, &self.checked.diagnostics);
        let has_errors = self.checked.has_errors() || self.is_partial;
        let does_not_compile = has_errors && !self.entries.is_empty();
        if does_not_compile { exit.and(Exit::DoesNotCompile) } else { exit }
    }
}

fn modules(checked: &Checked, root: &Path) -> Vec<String> {
    let Some(program) = &checked.program else { return Vec::new() };
    let modules = program.modules.iter().map(|module| {
        if module.is_std {
            module.name.to_string()
        } else {
            files::module_below(root, &checked.files.get(module.file).name)
        }
    });
    modules.collect()
}

/// Runs the claims that are wanted, once.
fn run(plan: &Plan, order: &mut Order, reporter: &mut Reporter) -> Exit {
    plan.choose_voice(reporter);
    let mut project = Project::read(plan);
    order.read = project.files_read();
    let wanted = select::select(plan, &project, order).and_then(|wanted| {
        let engine = engine::chosen()?;
        Ok((wanted, engine))
    });
    if let Ok((wanted, _)) = &wanted {
        project.leave_placebos_to_the_run(wanted);
    }
    let exit = project.tell(reporter);
    let (wanted, engine) = match wanted {
        Ok(wanted) => wanted,
        Err(trouble) => {
            let exit = exit.and(reporter.trouble(&trouble));
            project.troubles.push(trouble);
            return not_run(plan, &project, exit, reporter);
        }
    };
    if project.checked.has_errors() || wanted.is_empty() {
        return not_run(plan, &project, exit, reporter);
    }
    let exit = exit.and(denied(plan, &mut project, reporter));
    let (report, stage) = perform(plan, &project, &wanted, engine, reporter);
    let exit = exit.and(report::exit(&report, &plan.deny));
    last::remember(plan, &report, reporter);
    // The claims of files that do not compile are not known, but their cases are no orphans.
    if !project.is_partial {
        orphans::tell(plan, &project, reporter);
    }
    order.learn(&report, &plan.deny);
    deliver(plan, &project, &report, exit, Some(&stage), reporter)
}

/// Runs claims, while whoever watches is told.
fn perform<'a>(
    plan: &'a Plan,
    project: &'a Project,
    wanted: &'a [Wanted],
    engine: EngineKind,
    reporter: &Reporter,
) -> (Report, Stage<'a>) {
    let program = project.checked.program.as_ref().expect("errors were looked for");
    let claims: Vec<usize> = wanted.iter().map(|it| it.claim).collect();
    let stage = Stage::new(plan, &project.checked.files, wanted, reporter);
    stage.opens();
    let job = run::Job {
        program,
        files: &project.checked.files,
        claims: &claims,
        modules: &project.modules,
        settings: &plan.settings,
        engine,
        root: &plan.root,
        stop: interrupt::ask_first(),
    };
    let report = run::run_claims(&job, &stage);
    stage.closes(&report);
    (report, stage)
}

/// Warnings of the checker that make the run fail.
fn denied(plan: &Plan, project: &mut Project, reporter: &mut Reporter) -> Exit {
    let mut exit = Exit::Held;
    for (lint, n) in report::denied(&project.checked.diagnostics, &plan.deny) {
        let trouble = denied_trouble(lint, n);
        exit = exit.and(reporter.trouble(&trouble));
        project.troubles.push(trouble);
    }
    exit
}

fn denied_trouble(lint: Lint, n: usize) -> Trouble {
    let name = lint.name();
    let (message, remedy) = if lint == Lint::Placebo {
        let what = if n == 1 { "claim observes" } else { "claims observe" };
        (format!("{n} {what} nothing, which is denied"), "add an `observe` to each")
    } else {
        let what = if n == 1 { "warning is" } else { "warnings are" };
        (format!("{n} {what} `{name}`, which is denied"), "do what the help of each says")
    };
    let help = format!("{remedy}, or allow it: take `{name}` out of `deny`");
    Trouble::new(Exit::Gainsaid, message).with_help(help)
}

/// Writes reports of a run that could not take place.
fn not_run(plan: &Plan, project: &Project, exit: Exit, reporter: &mut Reporter) -> Exit {
    let report = Report {
        seed: plan.settings.seed,
        claims: Vec::new(),
        interrupted: false,
        time: std::time::Duration::ZERO,
    };
    if project.checked.has_errors() && !project.entries.is_empty() {
        reporter.remark(&reporter.tally("checked", project.entries.len()));
    }
    deliver(plan, project, &report, exit, None, reporter)
}

/// Writes what is still to be written: the rest of the report on the output, and all others.
fn deliver(
    plan: &Plan,
    project: &Project,
    report: &Report,
    exit: Exit,
    stage: Option<&Stage<'_>>,
    reporter: &mut Reporter,
) -> Exit {
    let account = Account {
        files: &project.checked.files,
        n_standard: gainsay::std_modules().len(),
        diagnostics: &project.checked.diagnostics,
        troubles: &project.troubles,
        report,
        profile: plan.settings.profile,
        deny: &plan.deny,
        times: plan.times_elsewhere,
        exit,
    };
    reports::write(plan, &account, stage, reporter)
}
