//! `gainsay mutate`: would a claim notice?

mod baseline;
mod diff;
mod list;
mod plan;
mod progress;
mod replay;
mod select;

use gainsay::mutate::{Depth, Hunt, Mutants, Report, Unfit, Way};
use gainsay::source::Style;

use self::baseline::Baseline;
use self::plan::Plan;
use self::progress::Progress;
use super::test::reports::put;
use super::test::{Project, Wanted, claims};
use crate::arguments::MutateArguments;
use crate::config::MutantFormat;
use crate::exit::Exit;
use crate::report::mutants::{self as report, Account, Explained};
use crate::report::{Detail, Reporter};
use crate::trouble::Trouble;
use crate::{engine, files, interrupt, output};

/// Looks for mutants that no claim notices.
pub(super) fn mutate(args: &MutateArguments, reporter: &mut Reporter) -> Exit {
    match Plan::new(args, reporter) {
        Ok(plan) => run(&plan, reporter),
        Err(trouble) => reporter.trouble(&trouble),
    }
}

fn run(plan: &Plan, reporter: &mut Reporter) -> Exit {
    // Nothing may stand beside a report on the output.
    if plan.list.is_none() {
        reporter.speak_to_people();
    }
    let paths = select::with_tests(&plan.paths);
    let project = Project::of(&paths, &plan.root);
    let exit = project.tell(reporter);
    let Some(program) = project.program() else { return exit };
    let files = &project.checked.files;
    let found = gainsay::mutate::find(program, files, &project.modules, plan.scope);
    let mutants = match select::select(plan, &project, found) {
        Ok(mutants) => mutants,
        Err(trouble) => return exit.and(reporter.trouble(&trouble)),
    };
    if let Some(form) = plan.list {
        list::list(&project, &mutants, form, reporter);
        return exit;
    }
    let baseline = match plan.baseline.as_deref().map(Baseline::read).transpose() {
        Ok(baseline) => baseline,
        Err(trouble) => return exit.and(reporter.trouble(&trouble)),
    };
    match hunt(plan, &project, &mutants, reporter.detail()) {
        Ok(mut report) => {
            if plan.is_narrowed() {
                // A claim may well notice mutants that were not asked for.
                report.claims.iter_mut().for_each(|it| it.judgement = None);
            }
            let exit = exit.and(gates(plan, &project, &report, baseline.as_ref(), reporter));
            let exit = deliver(plan, &project, &report, exit, reporter);
            if plan.replay.is_some() && plan.on_output == Some(MutantFormat::Human) {
                replay::tell(plan, &project, &mutants, &report);
            }
            exit
        }
        Err(trouble) => exit.and(reporter.trouble(&trouble)),
    }
}

fn hunt(
    plan: &Plan,
    project: &Project,
    mutants: &Mutants,
    detail: Detail,
) -> Result<Report, Trouble> {
    let program = project.program().expect("errors were looked for");
    let engine = engine::chosen()?;
    let wanted: Vec<Wanted> =
        claims(project).into_iter().filter(|it| it.ignored.is_none()).collect();
    if wanted.is_empty() {
        return Err(Trouble::nothing_to_run("there are no claims in these files")
            .with_help("write a `test \"..\" { .. }` or a `@property fn`"));
    }
    let claims: Vec<usize> = wanted.iter().map(|it| it.claim).collect();
    let lowered = gainsay::generate::lower(program);
    let progress = Progress::new(detail);
    let job = Hunt {
        program,
        lowered: &lowered,
        files: &project.checked.files,
        mutants,
        claims: &claims,
        modules: &project.modules,
        settings: &plan.settings,
        engine,
        way: Way::Switches,
        depth: if plan.why == Explained::Each { Depth::Everything } else { Depth::Differences },
        with_inputs: plan.tells_inputs(detail),
        watcher: &progress,
        interrupt: interrupt::ask_first(),
    };
    let report = gainsay::mutate::hunt(&job);
    progress.erase();
    report.map_err(|unfit| not_held(&unfit, &wanted))
}

/// Claims that do not hold of the program itself say nothing of its mutants.
fn not_held(unfit: &Unfit, wanted: &[Wanted]) -> Trouble {
    let names = wanted.iter().filter(|it| unfit.claims.contains(&it.claim));
    let names: Vec<String> = names.map(|it| format!("`{}`", it.id)).collect();
    let (what, them) =
        if names.len() == 1 { ("a claim does", "it") } else { ("some claims do", "them") };
    let message = format!("{what} not hold of the program as it is: {}", names.join(", "));
    Trouble::new(Exit::Gainsaid, message).with_help(format!(
        "see why with `gainsay test`, or leave {them} out with `@ignore(reason = ..)`"
    ))
}

/// What makes the run fail.
fn gates(
    plan: &Plan,
    project: &Project,
    report: &Report,
    baseline: Option<&Baseline>,
    reporter: &mut Reporter,
) -> Exit {
    let mut exit = if report.interrupted { Exit::Interrupted } else { Exit::Held };
    if report.claims.iter().any(|it| it.is_vacuous) {
        exit = exit.and(Exit::Inconclusive);
    }
    let score = report.counts(gainsay::mutate::Group::Code).score().unwrap_or(100.0);
    if let Some(least) = plan.min_score.filter(|least| score < *least) {
        let message = format!("the score is {}, and {least} is wanted", report::percent(score));
        let trouble = Trouble::new(Exit::Gainsaid, message)
            .with_help("see what survived, and why, with `--why`");
        exit = exit.and(reporter.trouble(&trouble));
    }
    if let Some(baseline) = baseline {
        let fresh = baseline.fresh(&project.checked.files, report);
        if !fresh.is_empty() {
            let ids: Vec<&str> = fresh.iter().map(|it| it.mutant.id.as_str()).collect();
            let message = format!(
                "{} that {} not in the baseline: {}",
                crate::report::counted(ids.len() as u64, "survivor"),
                if ids.len() == 1 { "is" } else { "are" },
                ids.join(", ")
            );
            let trouble = Trouble::new(Exit::Gainsaid, message)
                .with_help("see each with `gainsay mutate --replay ID`");
            exit = exit.and(reporter.trouble(&trouble));
        }
    }
    exit
}

/// Writes all reports.
fn deliver(
    plan: &Plan,
    project: &Project,
    found: &Report,
    exit: Exit,
    reporter: &mut Reporter,
) -> Exit {
    let files = project.checked.files.iter().map(|(_, file)| &*file.name);
    let paths: Vec<String> = files.map(|it| files::path_below(&plan.root, it)).collect();
    let account = Account {
        files: &project.checked.files,
        paths: &paths,
        n_standard: gainsay::std_modules().len(),
        report: found,
        why: plan.why,
        detail: reporter.detail(),
        min_score: plan.min_score,
        exit,
    };
    let mut exit = exit;
    for (format, file) in &plan.in_files {
        let text = report::render(*format, &account, Style::Plain);
        exit = exit.and(put(file, &text, reporter));
    }
    if let Some(format) = plan.on_output {
        let is_human = format == MutantFormat::Human;
        let style = if is_human { reporter.output_style() } else { Style::Plain };
        // What became of the output is asked when the command ends.
        let _ = output::write(report::render(format, &account, style).as_bytes());
    }
    exit
}
