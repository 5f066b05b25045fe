//! `gainsay mutate`: mutation testing.

mod baseline;
mod diff;
mod list;
mod plan;
mod progress;
mod replay;
mod select;

use gainsay::core::ClaimId;
use gainsay::mutate::{AnalysisDepth, BaselineFailed, Mutants, MutationReport};
use gainsay::source::RenderStyle;
use gainsay::{MutationRequest, NamedClaim};

use self::baseline::BaselineSurvivors;
use self::plan::MutationPlan;
use self::progress::MutationProgress;
use super::test::CheckedProject;
use super::test::reports::write_file;
use crate::arguments::MutateArguments;
use crate::cli_error::CliError;
use crate::exit::Exit;
use crate::report::MutantReportFormat;
use crate::report::Verbosity;
use crate::report::mutants::{self as report, MutationReportData, SurvivorExplanations};
use crate::reporter::Reporter;
use crate::{engine, files, interrupt, output};

/// Looks for mutants that survive all claims.
pub(super) fn mutate(args: &MutateArguments, reporter: &mut Reporter) -> Exit {
    match MutationPlan::new(args, reporter) {
        Ok(plan) => run(&plan, reporter),
        Err(error) => reporter.error(&error),
    }
}

fn run(plan: &MutationPlan, reporter: &mut Reporter) -> Exit {
    // With a report on stdout, nothing else may be printed there.
    if plan.list.is_none() {
        reporter.switch_to_human();
    }
    let paths = select::with_tests(&plan.paths);
    let project = CheckedProject::of(&paths, &plan.root);
    let exit = project.report(reporter);
    let Some(program) = project.program() else { return exit };
    let found = gainsay::find_mutants(program, plan.scope);
    let mutants = match select::select(plan, &project, found) {
        Ok(mutants) => mutants,
        Err(error) => return exit.combine(reporter.error(&error)),
    };
    if let Some(form) = plan.list {
        list::list(&project, &mutants, form, reporter);
        return exit;
    }
    let baseline = match plan.baseline.as_deref().map(BaselineSurvivors::read).transpose() {
        Ok(baseline) => baseline,
        Err(error) => return exit.combine(reporter.error(&error)),
    };
    match run_mutation(plan, &project, &mutants, reporter.verbosity()) {
        Ok(mut report) => {
            if plan.is_subset() {
                // A claim may well kill mutants that were not selected, so it is not called weak.
                report.claims.iter_mut().for_each(|it| it.weakness = None);
            }
            let exit =
                exit.combine(check_gates(plan, &project, &report, baseline.as_ref(), reporter));
            let exit = write_reports(plan, &project, &report, exit, reporter);
            if plan.replay.is_some() && plan.on_output == Some(MutantReportFormat::Human) {
                replay::report_failures(plan, &project, &mutants, &report);
            }
            exit
        }
        Err(error) => exit.combine(reporter.error(&error)),
    }
}

fn run_mutation(
    plan: &MutationPlan,
    project: &CheckedProject,
    mutants: &Mutants,
    detail: Verbosity,
) -> Result<MutationReport, CliError> {
    let program = project.program().expect("errors were looked for");
    let engine = engine::select_engine()?;
    let wanted: Vec<NamedClaim> =
        project.claims().into_iter().filter(|it| it.ignored.is_none()).collect();
    if wanted.is_empty() {
        return Err(CliError::nothing_to_run("no claims in these files")
            .with_help("add a `test \"..\" { .. }` or a `@property fn`"));
    }
    let claims: Vec<ClaimId> = wanted.iter().map(|it| it.claim).collect();
    let progress = MutationProgress::new(detail);
    let report = gainsay::mutate(&MutationRequest {
        program,
        mutants,
        claims: &claims,
        settings: &plan.settings,
        engine,
        depth: if plan.explanations == SurvivorExplanations::Shown {
            AnalysisDepth::Everything
        } else {
            AnalysisDepth::Differences
        },
        with_inputs: plan.shows_inputs(detail),
        listener: &progress,
        interrupt: interrupt::stop_gracefully(),
    });
    progress.erase();
    report.map_err(|unfit| baseline_error(&unfit, &wanted))
}

/// The error if claims fail on the original program: then they say nothing about mutants.
fn baseline_error(unfit: &BaselineFailed, wanted: &[NamedClaim]) -> CliError {
    let names = wanted.iter().filter(|it| unfit.claims.contains(&it.claim));
    let names: Vec<String> = names.map(|it| format!("`{}`", it.id)).collect();
    let (what, them) =
        if names.len() == 1 { ("a claim fails", "it") } else { ("some claims fail", "them") };
    let message = format!("{what} on the original program: {}", names.join(", "));
    CliError::new(Exit::Failed, message).with_help(format!(
        "see why with `gainsay test`, or exclude {them} with `@ignore(reason = ..)`"
    ))
}

/// Checks the conditions under which the run fails.
fn check_gates(
    plan: &MutationPlan,
    project: &CheckedProject,
    report: &MutationReport,
    baseline: Option<&BaselineSurvivors>,
    reporter: &mut Reporter,
) -> Exit {
    let mut exit = if report.interrupted { Exit::Interrupted } else { Exit::Success };
    if report.claims.iter().any(|it| it.is_vacuous) {
        exit = exit.combine(Exit::Inconclusive);
    }
    let score = report.counts(gainsay::mutate::MutantGroup::Code).score().unwrap_or(100.0);
    if let Some(least) = plan.min_score.filter(|least| score < *least) {
        let message =
            format!("the score {} is below the minimum of {least} %", report::percent(score));
        let error = CliError::new(Exit::Failed, message)
            .with_help("run again with `--why` to see why each mutant survived");
        exit = exit.combine(reporter.error(&error));
    }
    if let Some(baseline) = baseline {
        let fresh = baseline.new_survivors(&project.checked.files, report);
        if !fresh.is_empty() {
            let ids: Vec<&str> = fresh.iter().map(|it| it.mutant.id.as_str()).collect();
            let message = format!(
                "{} {} not in the baseline: {}",
                crate::report::pluralize(ids.len() as u64, "survivor"),
                if ids.len() == 1 { "is" } else { "are" },
                ids.join(", ")
            );
            let error = CliError::new(Exit::Failed, message)
                .with_help("inspect each with `gainsay mutate --replay ID`");
            exit = exit.combine(reporter.error(&error));
        }
    }
    exit
}

/// Writes all reports.
fn write_reports(
    plan: &MutationPlan,
    project: &CheckedProject,
    found: &MutationReport,
    exit: Exit,
    reporter: &mut Reporter,
) -> Exit {
    let files = project.checked.files.iter().map(|(_, file)| &*file.name);
    let paths: Vec<String> = files.map(|it| files::relative_path(&plan.root, it)).collect();
    let data = MutationReportData {
        files: &project.checked.files,
        paths: &paths,
        n_standard: gainsay::std_modules().len(),
        report: found,
        explanations: plan.explanations,
        verbosity: reporter.verbosity(),
        min_score: plan.min_score,
        exit,
    };
    let mut exit = exit;
    for (format, file) in &plan.in_files {
        let text = report::render(*format, &data, RenderStyle::Plain);
        exit = exit.combine(write_file(file, &text, reporter));
    }
    if let Some(format) = plan.on_output {
        let is_human = format == MutantReportFormat::Human;
        let style = if is_human { reporter.output_style() } else { RenderStyle::Plain };
        // Output errors are reported once, when the command ends.
        let _ = output::write(report::render(format, &data, style).as_bytes());
    }
    exit
}
