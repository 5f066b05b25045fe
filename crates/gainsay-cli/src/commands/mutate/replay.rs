//! `gainsay mutate --replay`: shows how claims fail on a mutant.

use gainsay::TestRequest;
use gainsay::core::ClaimId;
use gainsay::mutate::{Mutants, MutationReport};
use gainsay::source::RenderStyle;
use gainsay::test::Settings;

use super::super::test::CheckedProject;
use super::plan::MutationPlan;
use crate::report::ReportFormat;
use crate::report::claims::{self, DurationDisplay, TestReportData};
use crate::{engine, interrupt, output};

/// Runs the claims that killed a mutant on it, as `gainsay test` would, and reports how they fail.
pub(super) fn report_failures(
    plan: &MutationPlan,
    project: &CheckedProject,
    mutants: &Mutants,
    report: &MutationReport,
) {
    let (Some(program), Ok(engine)) = (project.program(), engine::select_engine()) else {
        return;
    };
    let (Some(mutant), Some(found)) = (mutants.list.first(), report.mutants.first()) else {
        return;
    };
    let claims: Vec<ClaimId> =
        found.detected_by.iter().map(|at| report.claims[*at].claim).collect();
    if claims.is_empty() {
        return;
    }
    let settings = Settings { max_failures: None, time: None, ..plan.settings.clone() };
    let request = TestRequest {
        engine,
        interrupt: interrupt::stop_gracefully(),
        ..TestRequest::new(program, &claims, &settings)
    };
    let failed = gainsay::test_mutant(&request, mutants, mutant);
    let data = TestReportData {
        files: &project.checked.files,
        n_standard: gainsay::std_modules().len(),
        diagnostics: &[],
        errors: &[],
        report: &failed,
        profile: settings.profile,
        deny: &[],
        durations: DurationDisplay::Hidden,
        // The verdict on the mutant; the exit code of the command is decided elsewhere.
        exit: claims::exit(&failed, &[]),
    };
    // Output errors are reported once, when the command ends.
    let _ = output::write(b"\nResult of each claim:\n\n");
    let _ = output::write(
        claims::render(ReportFormat::Human, &data, RenderStyle::Plain).as_bytes(),
    );
}
