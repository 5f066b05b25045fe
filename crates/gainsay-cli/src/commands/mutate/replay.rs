//! `gainsay mutate --replay`: how the claims fail that notice a mutant.

use std::time::Duration;

use gainsay::mutate::{Mutants, Report};
use gainsay::source::Style;
use gainsay::test::{Job, Settings};

use super::super::test::Project;
use super::plan::Plan;
use crate::config::Format;
use crate::report::claims::{self, Account, Durations};
use crate::{engine, interrupt, output};

/// Runs the claims that noticed a mutant on it as `gainsay test` would, and tells how they fail.
pub(super) fn tell(plan: &Plan, project: &Project, mutants: &Mutants, report: &Report) {
    let (Some(program), Ok(engine)) = (project.program(), engine::chosen()) else { return };
    let (Some(mutant), Some(found)) = (mutants.list.first(), report.mutants.first()) else {
        return;
    };
    let claims: Vec<usize> =
        found.noticed_by.iter().map(|at| report.claims[*at].claim).collect();
    if claims.is_empty() {
        return;
    }
    let lowered = gainsay::generate::lower(program);
    let mutated = gainsay::mutate::mutated(&lowered, mutants, mutant);
    let settings = Settings { max_failures: None, time: None, ..plan.settings.clone() };
    let job = Job {
        lowered: &mutated,
        files: Some(&project.checked.files),
        claims: &claims,
        engine,
        clock: &|| Duration::ZERO,
        interrupt: interrupt::ask_first(),
        audience: &(),
        modules: &project.modules,
        keeper: None,
    };
    let failed = gainsay::test::run(&job, &settings);
    let account = Account {
        files: &project.checked.files,
        n_standard: gainsay::std_modules().len(),
        diagnostics: &[],
        troubles: &[],
        report: &failed,
        profile: settings.profile,
        deny: &[],
        times: Durations::Hidden,
        // What the claims make of the mutant; the exit code is that of the command.
        exit: claims::exit(&failed, &[]),
    };
    // What became of the output is asked when the command ends.
    let _ = output::write(b"\nWhat the claims make of it:\n\n");
    let _ = output::write(claims::render(Format::Human, &account, Style::Plain).as_bytes());
}
