//! The door to the runner.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use gainsay::core::{ClaimKind, Program};
use gainsay::source::{Diagnostic, Files, codes};
use gainsay::test::{Audience, ClaimReport, ClaimType, Discards, Report, Settings, Status};
use gainsay::vm::EngineKind;

/// What is run, and how.
pub(super) struct Job<'a> {
    /// The program.
    pub(super) program: &'a Arc<Program>,
    /// Its texts.
    #[expect(dead_code, reason = "the runner will show source text")]
    pub(super) files: &'a Files,
    /// Which of its claims, in the order in which they are reported.
    pub(super) claims: &'a [usize],
    /// How.
    pub(super) settings: &'a Settings,
    /// By which engine.
    #[expect(dead_code, reason = "the runner will run")]
    pub(super) engine: EngineKind,
    /// The folder in which cases are kept.
    #[expect(dead_code, reason = "the runner will keep cases")]
    pub(super) root: &'a Path,
    /// Becomes true when the user wants it to stop: what is known by then is reported.
    pub(super) stop: &'a AtomicBool,
}

/// Runs claims. This stands in for the runner: it declines them all.
pub(super) fn run_claims(job: &Job<'_>, audience: &dyn Audience) -> Report {
    let mut claims = Vec::new();
    for (at, claim) in job.claims.iter().enumerate() {
        audience.begins(at);
        let report = declined(job.program, *claim);
        audience.ends(at, &report);
        claims.push(report);
    }
    let interrupted = job.stop.load(Ordering::Relaxed);
    Report { seed: job.settings.seed, claims, interrupted, time: Duration::ZERO }
}

fn declined(program: &Program, claim: usize) -> ClaimReport {
    let claim = &program.claims[claim];
    let ignored = claim.attributes.iter().find(|it| &*it.name == "ignore");
    let reason = ignored.map(|it| {
        let reason = it.args.iter().find(|(name, _)| &**name == "reason");
        reason.map_or_else(String::new, |(_, text)| text.trim_matches('"').to_owned())
    });
    let why = Diagnostic::new(codes::CANNOT_RUN_YET, claim.span, "claims cannot be run yet");
    ClaimReport {
        module: program.module(claim.module).name.to_string(),
        name: claim.name.to_string(),
        ty: match claim.kind {
            ClaimKind::Test(_) => ClaimType::Test,
            ClaimKind::Property(..) => ClaimType::Property,
            ClaimKind::Verify(_) => ClaimType::Verify,
        },
        span: claim.span,
        reason: reason.is_none().then_some(why),
        status: reason.map_or(Status::Declined, Status::Ignored),
        cases: 0,
        discards: Discards::default(),
        observed: 0,
        reach: None,
        sites: Vec::new(),
        failures: Vec::new(),
        warnings: Vec::new(),
        flake: None,
        time: Duration::ZERO,
    }
}
