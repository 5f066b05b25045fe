//! The mutation run: which claims reach each mutant, and which of them detect it.
//!
//! The program is compiled once, with a switch per mutant. A baseline run with all switches off
//! records which claims reach which mutants. Each mutant is then run by the claims that reach it,
//! starting with the claim, and its case, that most recently killed a mutant of the same
//! declaration.
//!
//! What a claim detects is the strongest detection over its cases, and a mutant's status is the
//! strongest over its claims. So neither depends on the order, and the run can stop at the first
//! failed assertion.

mod separate_programs;

pub use self::separate_programs::apply_mutant;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use gainsay_core::{
    ClaimId, ClaimKind, FunctionId, ObserveSite, ObserveStrength, Program, observe_sites,
};
use gainsay_gen::LoweredProgram;
use gainsay_source::SourceMap;
use gainsay_test::{Settings, parallel_map};
use gainsay_vm::{EngineKind, Instrumentation, MutantId, can_switch_mutants};

use crate::find_mutants::{Mutant, Mutants};
use crate::mutant_runner::{
    BaselineTrace, ClaimDetection, DetectingCase, MutantProgram, MutantRunReport, MutantRunner,
};
use crate::mutated_functions::enclosing_declaration;
use crate::mutation_listener::{MutationListener, MutationStage};
use crate::report::{
    BaselineFailed, ClaimMutationReport, ClaimWeakness, ClauseReport, ExcludedFunction,
    KillingCase, MutantReport, MutantStatus, MutationReport,
};
use crate::survivor_analysis::{AnalysisDepth, explain_survivors};

/// The inputs of a mutation run.
pub struct MutationRun<'a> {
    /// The checked program.
    pub program: &'a Program,
    /// The same, lowered for running cases.
    pub lowered: &'a LoweredProgram,
    /// Its source files.
    pub files: &'a SourceMap,
    /// Its mutants.
    pub mutants: &'a Mutants,
    /// The claims to run, by their position in the program.
    pub claims: &'a [ClaimId],
    /// The display names of modules, by their number.
    pub modules: &'a [String],
    /// How claims are run.
    pub settings: &'a Settings,
    /// The engine that runs them.
    pub engine: EngineKind,
    /// How mutants are executed.
    pub execution: MutantExecution,
    /// How thoroughly survivors are analysed.
    pub depth: AnalysisDepth,
    /// Whether to report the inputs that killed mutants.
    pub with_inputs: bool,
    /// Receives progress.
    pub listener: &'a dyn MutationListener,
    /// Stops the run soon after it is set.
    pub interrupt: Arc<AtomicBool>,
}

/// How mutants are executed.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum MutantExecution {
    /// All are compiled into one program, behind switches; claims that do not reach a mutant are
    /// skipped, and the first that kills it is the last.
    Switches,
    /// Each is a program of its own, and every claim runs on it to the end.
    SeparatePrograms,
}

/// Step limit of a case on a mutant, as a multiple of its steps on the original.
const STEPS_FACTOR: u64 = 10;
/// Lower bound of that limit: ten times a few steps would kill mutants that are merely slower.
const MIN_STEPS: u64 = 10_000;

/// The baseline of a claim: its result on the original.
#[derive(Default)]
struct ClaimBaseline {
    /// What it detected there.
    detection: ClaimDetection,
    /// Whether it tests nothing, and so cannot detect anything.
    is_vacuous: bool,
    /// Step limit of its cases on mutants.
    max_steps: u64,
    /// The steps of all its cases.
    cost: u64,
    /// Whether it reaches each mutant.
    reached_mutants: Vec<bool>,
    /// The outcomes of its cases.
    trace: BaselineTrace,
}

impl ClaimBaseline {
    /// Whether the claim reaches a mutant.
    fn reaches(&self, mutant: MutantId) -> bool {
        self.reached_mutants.get(mutant.index()).copied().unwrap_or(false)
    }
}

/// What claims detected of a mutant.
#[derive(Debug, Clone, Default)]
struct MutantResult {
    detection: ClaimDetection,
    /// Positions among the claims of the run.
    detected_by: Vec<usize>,
    /// The claim with the strongest detection, and the detecting case.
    killing: Option<(usize, Option<DetectingCase>)>,
    /// The inputs of that case.
    inputs: Vec<(String, String)>,
}

impl MutantResult {
    /// Adds the report of a claim.
    fn add_detection(&mut self, at: usize, tried: MutantRunReport) {
        if tried.detection > self.detection {
            self.killing = Some((at, tried.detecting_case));
            self.detection = tried.detection;
        }
    }
}

/// Runs all mutants. Fails if a claim does not hold on the original: then nothing follows.
pub fn run_mutants(job: &MutationRun<'_>) -> Result<MutationReport, BaselineFailed> {
    gainsay_vm::run_on_big_stack(|| {
        let lowered = with_mutants(job.lowered, job.mutants);
        // Switches exist in compiled code only; the interpreter defines the program without
        // mutants.
        let runs_switches = job.engine == EngineKind::Jit
            && job.engine.is_available()
            && can_switch_mutants(&lowered.search);
        match job.execution {
            MutantExecution::Switches if runs_switches => {
                let instruments = mutant_switches(&job.mutants.list).with_infections();
                let trials = job.mutant_program(&lowered, instruments);
                let baselines = job.baseline(&trials)?;
                let (mut found, idle) = job.run_switched(&trials, &baselines);
                if job.with_inputs {
                    job.add_killing_inputs(&lowered, &baselines, &mut found);
                }
                let mut report = job.report(&baselines, found, &idle);
                explain_survivors(job, &mut report);
                Ok(report)
            }
            MutantExecution::Switches | MutantExecution::SeparatePrograms => {
                let baselines = job.baseline_separately(&lowered)?;
                let found = job.run_separately(&lowered, &baselines);
                let has_detected =
                    |at| found.iter().flatten().any(|it| it.detected_by.contains(&at));
                let idle: Vec<bool> =
                    (0..baselines.len()).map(|at| !has_detected(at)).collect();
                Ok(job.report(&baselines, found, &idle))
            }
        }
    })
}

/// The program with replacement terms appended to the bodies of its functions.
pub fn with_mutants(lowered: &LoweredProgram, mutants: &Mutants) -> LoweredProgram {
    let extended = |program: &Arc<Program>| {
        let mut program = Program::clone(program);
        for (function, body) in &mutants.bodies {
            program.functions[function.index()].body = body.clone();
        }
        Arc::new(program)
    };
    LoweredProgram {
        search: extended(&lowered.search),
        record: extended(&lowered.record),
        ..lowered.clone()
    }
}

impl MutationRun<'_> {
    pub(crate) fn mutant_program<'l>(
        &'l self,
        lowered: &'l LoweredProgram,
        instruments: Instrumentation,
    ) -> MutantProgram<'l> {
        let interrupt = Arc::clone(&self.interrupt);
        MutantProgram::new(lowered, self.engine, instruments, self.settings, interrupt)
    }

    /// Reports that one more item of a stage is done.
    pub(crate) fn report_progress(
        &self,
        stage: MutationStage,
        n_done: &AtomicUsize,
        of: usize,
    ) {
        // Relaxed suffices: the counter orders no other memory.
        let done = n_done.fetch_add(1, Ordering::Relaxed) + 1;
        self.listener.progress(stage, done, of);
    }

    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }

    /// Runs each claim on the original and records which mutants it reaches.
    fn baseline(
        &self,
        trials: &MutantProgram<'_>,
    ) -> Result<Vec<ClaimBaseline>, BaselineFailed> {
        let n_mutants = self.mutants.list.len();
        let n_done = AtomicUsize::new(0);
        let baselines = self.on_threads(self.claims.len(), trials, &|trial, at| {
            let (tried, trace) = trial.record_baseline(self.claims[at]);
            self.report_progress(MutationStage::Claims, &n_done, self.claims.len());
            ClaimBaseline {
                detection: tried.detection,
                is_vacuous: tried.is_vacuous,
                // Relative to the claim: a fixed limit would let a fast claim spin for long.
                max_steps: max_steps(tried.max_case_steps),
                cost: tried.steps,
                reached_mutants: MutantId::all(n_mutants)
                    .map(|it| trial.is_reached(&trace, it))
                    .collect(),
                trace,
            }
        });
        self.check_baseline(baselines)
    }

    /// The baselines of all claims, unless one of them fails. An undecided or vacuous claim reaches
    /// no mutant.
    fn check_baseline(
        &self,
        baselines: Vec<Option<ClaimBaseline>>,
    ) -> Result<Vec<ClaimBaseline>, BaselineFailed> {
        let mut unfit = Vec::new();
        let mut fit = Vec::new();
        for (baseline, claim) in baselines.into_iter().zip(self.claims) {
            let nothing =
                ClaimBaseline { detection: ClaimDetection::Limit, ..ClaimBaseline::default() };
            let mut baseline = baseline.unwrap_or(nothing);
            match baseline.detection {
                ClaimDetection::Nothing => {}
                // A claim that does not pass here cannot show that a mutant changes its result. It
                // stays in the report, but runs on no mutant.
                ClaimDetection::Limit | ClaimDetection::Interrupted => {
                    baseline.reached_mutants.clear()
                }
                ClaimDetection::Assertion if baseline.is_vacuous => {
                    baseline.reached_mutants.clear()
                }
                ClaimDetection::Boundary(_) | ClaimDetection::Assertion => unfit.push(*claim),
            }
            fit.push(baseline);
        }
        if unfit.is_empty() { Ok(fit) } else { Err(BaselineFailed { claims: unfit }) }
    }

    /// Runs each mutant behind its switch; also returns which claims detect none.
    fn run_switched(
        &self,
        trials: &MutantProgram<'_>,
        baselines: &[ClaimBaseline],
    ) -> (Vec<Option<MutantResult>>, Vec<bool>) {
        let list = &self.mutants.list;
        let groups = self.mutants_by_declaration();
        let n_done = AtomicUsize::new(0);
        // A thread takes a whole declaration: which claims run on a mutant depends on the kills
        // before it, and these must not depend on the number of threads.
        let found = self.on_threads(groups.len(), trials, &|trial, at| {
            let mut killers = RecentKillers::default();
            groups[at]
                .iter()
                .map(|mutant| {
                    let is_tried =
                        list[mutant.index()].suppressed.is_none() && !self.is_interrupted();
                    let found = is_tried
                        .then(|| self.run_mutant(trial, *mutant, baselines, &mut killers));
                    self.report_progress(MutationStage::Mutants, &n_done, list.len());
                    found
                })
                .collect::<Vec<_>>()
        });
        let mut all: Vec<Option<MutantResult>> = vec![None; list.len()];
        for (group, found) in groups.iter().zip(found) {
            for (mutant, found) in group.iter().zip(found.into_iter().flatten()) {
                all[mutant.index()] = found;
            }
        }
        let idle = self.idle_claims(trials, baselines, &all);
        (all, idle)
    }

    /// Which claims detect no mutant at all. A claim that killed none in the run is retried on the
    /// mutants it reaches that another claim killed before its turn.
    fn idle_claims(
        &self,
        trials: &MutantProgram<'_>,
        baselines: &[ClaimBaseline],
        found: &[Option<MutantResult>],
    ) -> Vec<bool> {
        let mut idle = vec![true; baselines.len()];
        for at in found.iter().flatten().flat_map(|it| &it.detected_by) {
            idle[*at] = false;
        }
        let asked: Vec<usize> = (0..baselines.len()).filter(|at| idle[*at]).collect();
        let detected = self.on_threads(asked.len(), trials, &|trial, number| {
            let at = asked[number];
            let mut reached = MutantId::all(found.len()).filter(|mutant| {
                // Only an assertion ends the loop over claims early. On every other mutant this
                // claim has had its turn and detected nothing.
                let is_refused = |it: &MutantResult| it.detection >= ClaimDetection::Assertion;
                found[mutant.index()].as_ref().is_some_and(is_refused)
                    && baselines[at].reaches(*mutant)
            });
            trial.set_step_limit(Some(baselines[at].max_steps));
            let detected = reached.any(|mutant| {
                trial.set_mutant(Some(mutant));
                trial.run_mutant(self.claims[at], None, &baselines[at].trace).detection
                    != ClaimDetection::Nothing
            });
            trial.set_mutant(None);
            detected
        });
        for (at, detected) in asked.into_iter().zip(detected) {
            idle[at] = detected == Some(false);
        }
        idle
    }

    /// Reruns the detecting cases on the program that records its inputs.
    fn add_killing_inputs(
        &self,
        lowered: &LoweredProgram,
        baselines: &[ClaimBaseline],
        found: &mut [Option<MutantResult>],
    ) {
        // The search program reports no inputs, and running every case on the one that does would
        // cost more than running one case per mutant twice. Ids of mutants fit both programs,
        // because the switches come from the same list.
        let recording = recording_program(lowered);
        let trials = self.mutant_program(&recording, mutant_switches(&self.mutants.list));
        let inputs = self.on_threads(found.len(), &trials, &|trial, at| {
            let (claim, culprit) = found[at].as_ref()?.killing.as_ref()?;
            trial.set_mutant(Some(MutantId(at as u32)));
            trial.set_step_limit(Some(baselines[*claim].max_steps));
            culprit.as_ref().map(|it| trial.detecting_inputs(it))
        });
        for (found, inputs) in found.iter_mut().zip(inputs) {
            if let (Some(found), Some(Some(inputs))) = (found, inputs) {
                found.inputs = inputs;
            }
        }
    }

    /// The mutants of each declaration.
    fn mutants_by_declaration(&self) -> Vec<Vec<MutantId>> {
        let mut groups: BTreeMap<FunctionId, Vec<MutantId>> = BTreeMap::new();
        for (id, mutant) in self.mutants.numbered() {
            groups.entry(mutant.declaration).or_default().push(id);
        }
        groups.into_values().collect()
    }

    fn run_mutant(
        &self,
        trial: &mut MutantRunner<'_>,
        mutant: MutantId,
        baselines: &[ClaimBaseline],
        killers: &mut RecentKillers,
    ) -> MutantResult {
        let mut found = MutantResult::default();
        let reaching = (0..baselines.len()).filter(|at| baselines[*at].reaches(mutant));
        for at in killers.order(reaching.collect(), baselines) {
            trial.set_mutant(Some(mutant));
            trial.set_step_limit(Some(baselines[at].max_steps));
            let (claim, hint) = (self.claims[at], killers.hint(at));
            let tried = trial.run_mutant(claim, hint, &baselines[at].trace);
            if tried.detection == ClaimDetection::Nothing {
                continue;
            }
            found.detected_by.push(at);
            // Weaker detections do not stop the loop: a later claim may detect more.
            let is_enough = tried.detection >= ClaimDetection::Assertion;
            let hint = tried.detecting_case_number;
            found.add_detection(at, tried);
            if is_enough {
                killers.remember(at, hint);
                break;
            }
        }
        trial.set_mutant(None);
        found
    }

    /// Runs a task for each index on the configured number of threads; `None` after an
    /// interruption.
    fn on_threads<'l, T: Send>(
        &self,
        n: usize,
        trials: &'l MutantProgram<'l>,
        work: &(dyn Fn(&mut MutantRunner<'l>, usize) -> T + Sync),
    ) -> Vec<Option<T>> {
        let is_over = || self.is_interrupted();
        parallel_map(self.settings.jobs, n, &is_over, &|| trials.runner(), work)
    }

    fn report(
        &self,
        baselines: &[ClaimBaseline],
        found: Vec<Option<MutantResult>>,
        idle: &[bool],
    ) -> MutationReport {
        let program = &self.lowered.search;
        let mut claims: Vec<ClaimMutationReport> = self
            .claims
            .iter()
            .zip(baselines)
            .map(|(at, baseline)| self.claim_report(*at, baseline))
            .collect();
        let mut mutants = Vec::new();
        let mut clauses = clause_reports(program, self.mutants);
        let mut n_left = 0;
        for ((id, mutant), found) in self.mutants.numbered().zip(found) {
            let reached_by: Vec<usize> =
                (0..baselines.len()).filter(|it| baselines[*it].reaches(id)).collect();
            let verdict = match &mutant.suppressed {
                Some(reason) => Some(MutantStatus::Suppressed(reason.clone())),
                None => found.as_ref().and_then(|it| mutant_status(&it.detection, &reached_by)),
            };
            let Some(verdict) = verdict else {
                n_left += 1;
                continue;
            };
            let MutantResult { detected_by, killing, inputs, .. } = found.unwrap_or_default();
            let killing = killing.map(|(claim, _)| KillingCase { claim, inputs });
            // A suppressed mutant was not run, and says nothing about the claims that reach it.
            if mutant.suppressed.is_none() {
                reached_by.iter().for_each(|it| claims[*it].n_reached += 1);
            }
            // The last one is where the run ended: those before it detected less.
            if let Some(it) = detected_by.last() {
                claims[*it].n_detected += 1;
            }
            if let MutantStatus::KilledByContract(boundary) = &verdict {
                for clause in clauses.iter_mut().filter(|it| it.is_at(*boundary)) {
                    clause.n_detected += 1;
                }
            }
            let declaration = program.function(mutant.declaration).name.to_string();
            let mutant = mutant.clone();
            let explanation = None;
            mutants.push(MutantReport {
                mutant,
                declaration,
                status: verdict,
                reached_by,
                detected_by,
                killing_case: killing,
                explanation,
            });
        }
        let interrupted = self.is_interrupted();
        let judged = claims.iter_mut().zip(idle).filter(|it| *it.1 && !it.0.is_excluded());
        // An interrupted run did not try every mutant, so no claim can be called weak.
        for (claim, _) in judged.filter(|_| !interrupted) {
            claim.weakness = Some(claim_weakness(program, claim));
        }
        let (dropped, leverage) = (self.mutants.n_equivalent, Vec::new());
        let left_out = self.excluded_functions();
        MutationReport {
            mutants,
            claims,
            clauses,
            leverage,
            n_equivalent: dropped,
            excluded: left_out,
            interrupted,
            n_remaining: n_left,
        }
    }

    fn excluded_functions(&self) -> Vec<ExcludedFunction> {
        let left_out = self.mutants.excluded.iter().map(|it| {
            let function = self.lowered.search.function(*it);
            let module = self.modules.get(function.module.index());
            let module = module.cloned().unwrap_or_default();
            ExcludedFunction { module, name: function.name.to_string() }
        });
        left_out.collect()
    }

    fn claim_report(&self, id: ClaimId, baseline: &ClaimBaseline) -> ClaimMutationReport {
        let program = &self.lowered.search;
        let claim = program.claim(id);
        let module = self.modules.get(claim.module.index());
        ClaimMutationReport {
            claim: id,
            module: module
                .map_or_else(|| program.module(claim.module).name.to_string(), Clone::clone),
            name: claim.name.to_string(),
            span: claim.span,
            is_undecided: baseline.detection != ClaimDetection::Nothing && !baseline.is_vacuous,
            is_vacuous: baseline.is_vacuous,
            n_reached: 0,
            n_detected: 0,
            weakness: None,
        }
    }
}

/// Why a claim detects no mutant.
fn claim_weakness(program: &Program, claim: &ClaimMutationReport) -> ClaimWeakness {
    let function = match &program.claim(claim.claim).kind {
        ClaimKind::Test(function) | ClaimKind::Property(function, _) => *function,
        ClaimKind::Verify(_) if claim.n_reached == 0 => return ClaimWeakness::ReachesNone,
        ClaimKind::Verify(_) => return ClaimWeakness::DetectsNone,
    };
    let observes = observe_sites(program, function);
    let is_loose = |it: &ObserveSite| it.strength == ObserveStrength::Relation;
    if observes.is_empty() {
        ClaimWeakness::Placebo
    } else if claim.n_reached == 0 {
        ClaimWeakness::ReachesNone
    } else if observes.iter().all(is_loose) {
        ClaimWeakness::WeaklyObserves
    } else {
        ClaimWeakness::DetectsNone
    }
}

/// The recording program in place of the search program.
fn recording_program(lowered: &LoweredProgram) -> LoweredProgram {
    LoweredProgram { search: Arc::clone(&lowered.record), ..lowered.clone() }
}

/// A switch for each mutant, in their order.
pub fn mutant_switches<'m>(mutants: impl IntoIterator<Item = &'m Mutant>) -> Instrumentation {
    let switch = |mutant: &Mutant| {
        let Mutant { function, term, replacement_term: instead, .. } = *mutant;
        gainsay_vm::TermMutant { function, term, replacement: instead }
    };
    let switches: Vec<gainsay_vm::TermMutant> = mutants.into_iter().map(switch).collect();
    Instrumentation::default().with_mutants(&switches)
}

/// The step limit of a claim's cases on a mutant.
fn max_steps(most: u64) -> u64 {
    most.saturating_mul(STEPS_FACTOR).max(MIN_STEPS)
}

fn mutant_status(detection: &ClaimDetection, reached_by: &[usize]) -> Option<MutantStatus> {
    match detection {
        ClaimDetection::Interrupted => None,
        ClaimDetection::Assertion => Some(MutantStatus::Killed),
        ClaimDetection::Boundary(boundary) => Some(MutantStatus::KilledByContract(*boundary)),
        ClaimDetection::Limit => Some(MutantStatus::Timeout),
        ClaimDetection::Nothing if reached_by.is_empty() => Some(MutantStatus::Unreached),
        ClaimDetection::Nothing => Some(MutantStatus::Survived),
    }
}

/// The contract clauses of functions that have mutants.
fn clause_reports(program: &Program, mutants: &Mutants) -> Vec<ClauseReport> {
    let mut homes: Vec<FunctionId> =
        mutants.bodies.keys().map(|it| enclosing_declaration(program, *it)).collect();
    homes.sort_unstable();
    homes.dedup();
    let of = |it: FunctionId| {
        let function = program.function(it);
        let clauses = function.requires.iter().chain(&function.ensures);
        clauses.map(|clause| ClauseReport {
            span: clause.span,
            function: function.name.to_string(),
            n_detected: 0,
        })
    };
    homes.into_iter().flat_map(of).collect()
}

/// The claims that killed mutants of the same declaration, most recent first.
#[derive(Default)]
struct RecentKillers {
    claims: Vec<(usize, Option<u64>)>,
}

impl RecentKillers {
    fn remember(&mut self, claim: usize, hint: Option<u64>) {
        // Moved to the front, so that the list stays as short as there are claims.
        self.claims.retain(|it| it.0 != claim);
        self.claims.insert(0, (claim, hint));
    }

    fn hint(&self, claim: usize) -> Option<u64> {
        self.claims.iter().find(|it| it.0 == claim).and_then(|it| it.1)
    }

    /// Recent killers first, then the cheapest. This affects only the running time; the order of
    /// claims in reports is the caller's.
    fn order(&self, mut claims: Vec<usize>, baselines: &[ClaimBaseline]) -> Vec<usize> {
        let rank = |claim: &usize| {
            let place = self.claims.iter().position(|it| it.0 == *claim);
            (place.unwrap_or(usize::MAX), baselines[*claim].cost, *claim)
        };
        claims.sort_by_key(rank);
        claims
    }
}
