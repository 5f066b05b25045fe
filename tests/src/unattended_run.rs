//! Runs of claims without a clock, without files, and without saving cases.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use gainsay_core::{ClaimId, Program};
use gainsay_gen::LoweredProgram;
use gainsay_test::TestJob;
use gainsay_vm::EngineKind;

/// The claims of a program, without those of the standard library.
pub fn own_claims(program: &Program) -> Vec<ClaimId> {
    let is_own = |it: &ClaimId| !program.module(program.claim(*it).module).is_std;
    program.claim_ids().filter(is_own).collect()
}

/// A run of these claims.
pub fn job<'a>(lowered: &'a LoweredProgram, claims: &'a [ClaimId]) -> TestJob<'a> {
    TestJob {
        lowered,
        files: None,
        claims,
        engine: EngineKind::best(),
        clock: &|| Duration::ZERO,
        interrupt: Arc::new(AtomicBool::new(false)),
        listener: &(),
        modules: &[],
        saved_cases: None,
        systems: None,
    }
}
