//! Makes mutants, and runs claims on them.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use gainsay_core::ClaimId;
use gainsay_gen::lower;
use gainsay_mutate::{
    AnalysisDepth, BaselineFailed, Mutant, MutantExecution, Mutants, MutationListener,
    MutationReport, MutationRun, MutationScope, apply_mutant, run_mutants,
};
use gainsay_test::{Report, Settings, TestJob};
use gainsay_vm::EngineKind;

use crate::{RunnableProgram, TestRequest};

/// Which mutants to run, and how.
pub struct MutationRequest<'a> {
    /// The program.
    pub program: RunnableProgram<'a>,
    /// Its mutants, or some of them.
    pub mutants: &'a Mutants,
    /// The claims to run on them.
    pub claims: &'a [ClaimId],
    /// How claims are run.
    pub settings: &'a Settings,
    /// The engine that runs them.
    pub engine: EngineKind,
    /// How thoroughly survivors are analysed.
    pub depth: AnalysisDepth,
    /// Whether to report the inputs that killed mutants.
    pub with_inputs: bool,
    /// Receives progress.
    pub listener: &'a dyn MutationListener,
    /// Stops the run soon after it is set; the results so far are reported.
    pub interrupt: Arc<AtomicBool>,
}

/// The mutants of a program.
pub fn find_mutants(program: RunnableProgram<'_>, scope: MutationScope) -> Mutants {
    gainsay_mutate::find_mutants(program.program, program.files, program.modules, scope)
}

/// Runs claims on mutants. Fails if a claim does not hold on the original program: then it says
/// nothing about mutants.
pub fn mutate(request: &MutationRequest<'_>) -> Result<MutationReport, BaselineFailed> {
    run_mutants(&MutationRun {
        program: request.program.program,
        lowered: &lower(request.program.program),
        files: request.program.files,
        mutants: request.mutants,
        claims: request.claims,
        modules: request.program.modules,
        settings: request.settings,
        engine: request.engine,
        execution: MutantExecution::Switches,
        depth: request.depth,
        with_inputs: request.with_inputs,
        listener: request.listener,
        interrupt: Arc::clone(&request.interrupt),
    })
}

/// Runs claims on one mutant, as [`test`](crate::test()) runs them on the original. Saved cases are
/// about the original, so they are left alone.
pub fn test_mutant(request: &TestRequest<'_>, mutants: &Mutants, mutant: &Mutant) -> Report {
    let mutated = apply_mutant(&lower(request.program.program), mutants, mutant);
    let job = TestJob {
        lowered: &mutated,
        files: Some(request.program.files),
        claims: request.claims,
        engine: request.engine,
        clock: request.clock,
        interrupt: Arc::clone(&request.interrupt),
        listener: request.listener,
        modules: request.program.modules,
        saved_cases: None,
        systems: request.systems,
    };
    gainsay_test::run(&job, request.settings)
}
