//! The hunt: which claims reach each mutant, and which of them notice it.
//!
//! The program is compiled once, with switches. With all of them off, it is watched which claims
//! come to which mutants. A mutant is then tried by the claims that reach it, the one that
//! noticed a mutant of the same declaration last first, on the case that did.
//!
//! What a claim notices is the strongest of what its cases show, and what becomes of a mutant is
//! the strongest of what its claims notice. So neither depends on the order, and the first
//! assertion that fails is the end.

mod naive;

pub use self::naive::mutated;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use gainsay_core::{ClaimKind, FunctionId, ObserveSite, Program, Strength, observes};
use gainsay_gen::Lowered;
use gainsay_source::Files;
use gainsay_test::{Course, Culprit, Noticed, Settings, Trial, Trials, Tried, numbered};
use gainsay_vm::{EngineKind, Instruments, can_switch_mutants};

use crate::find::{Mutant, Mutants};
use crate::report::{
    ClaimReport, ClauseReport, Judgement, Killing, LeftOut, MutantReport, Report, Unfit,
    Verdict,
};
use crate::subjects::home;
use crate::watcher::{Stage, Watcher};
use crate::why::{Depth, explain};

/// What a hunt needs.
pub struct Hunt<'a> {
    /// The program as it was checked.
    pub program: &'a Program,
    /// The same, ready for cases.
    pub lowered: &'a Lowered,
    /// Its texts.
    pub files: &'a Files,
    /// Its mutants.
    pub mutants: &'a Mutants,
    /// The claims that are tried, by their position in the program.
    pub claims: &'a [usize],
    /// What modules are called, by their number.
    pub modules: &'a [String],
    /// How claims are run.
    pub settings: &'a Settings,
    /// What runs them.
    pub engine: EngineKind,
    /// How mutants are made to run.
    pub way: Way,
    /// How much is found out about survivors.
    pub depth: Depth,
    /// Whether the inputs that killed mutants are told.
    pub with_inputs: bool,
    /// Who is told how far it has come.
    pub watcher: &'a dyn Watcher,
    /// Ends the hunt soon after it is set.
    pub interrupt: Arc<AtomicBool>,
}

/// How mutants are made to run.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum Way {
    /// All are compiled into one program, behind switches; claims that do not reach one are left
    /// out, and the first that notices it is the last.
    Switches,
    /// Each is a program of its own, and every claim is run on it to the end.
    Apart,
}

/// Steps that a case may take for each that it takes without a mutant.
const STEPS_FACTOR: u64 = 10;
/// Steps that a case may take in any case.
const MIN_STEPS: u64 = 10_000;

/// What is known of a claim from running it on the program itself.
#[derive(Default)]
struct Known {
    /// What it made of that.
    noticed: Noticed,
    /// Whether it tests nothing, so that it can notice nothing either.
    is_vacuous: bool,
    /// Steps that a case of it may take.
    max_steps: u64,
    /// Steps of all its cases.
    cost: u64,
    /// Whether it comes to each mutant.
    reaches: Vec<bool>,
    /// How its cases go.
    course: Course,
}

/// What claims noticed of a mutant.
#[derive(Debug, Clone, Default)]
struct Found {
    noticed: Noticed,
    /// Positions among the claims of the hunt.
    by: Vec<usize>,
    /// The claim that noticed most, and the case in which it did.
    killing: Option<(usize, Option<Culprit>)>,
    /// The inputs of that case.
    inputs: Vec<(String, String)>,
}

impl Found {
    /// Takes down what a claim noticed.
    fn notice(&mut self, at: usize, tried: Tried) {
        if tried.noticed > self.noticed {
            self.killing = Some((at, tried.culprit));
            self.noticed = tried.noticed;
        }
    }
}

/// Tries all mutants. Nothing can be said if a claim does not hold of the program itself.
pub fn hunt(job: &Hunt<'_>) -> Result<Report, Unfit> {
    gainsay_vm::run_on_big_stack(|| {
        let lowered = with_mutants(job.lowered, job.mutants);
        let runs_switches = job.engine == EngineKind::Jit
            && job.engine.is_available()
            && can_switch_mutants(&lowered.search);
        match job.way {
            Way::Switches if runs_switches => {
                let instruments = switches(&job.mutants.list).with_infections();
                let trials = job.trials(&lowered, instruments);
                let known = job.known(&trials)?;
                let (mut found, idle) = job.switched(&trials, &known);
                if job.with_inputs {
                    job.add_inputs(&lowered, &known, &mut found);
                }
                let mut report = job.report(&known, found, &idle);
                explain(job, &mut report);
                Ok(report)
            }
            Way::Switches | Way::Apart => {
                let known = job.known_apart(&lowered)?;
                let found = job.apart(&lowered, &known);
                let has_noticed = |at| found.iter().flatten().any(|it| it.by.contains(&at));
                let idle: Vec<bool> = (0..known.len()).map(|at| !has_noticed(at)).collect();
                Ok(job.report(&known, found, &idle))
            }
        }
    })
}

/// The program with what stands in place of terms behind the bodies of its functions.
pub fn with_mutants(lowered: &Lowered, mutants: &Mutants) -> Lowered {
    let extended = |program: &Arc<Program>| {
        let mut program = Program::clone(program);
        for (function, body) in &mutants.bodies {
            program.functions[function.index()].body = body.clone();
        }
        Arc::new(program)
    };
    Lowered {
        search: extended(&lowered.search),
        record: extended(&lowered.record),
        ..lowered.clone()
    }
}

impl Hunt<'_> {
    pub(crate) fn trials<'l>(
        &'l self,
        lowered: &'l Lowered,
        instruments: Instruments,
    ) -> Trials<'l> {
        let interrupt = Arc::clone(&self.interrupt);
        Trials::new(lowered, self.engine, instruments, self.settings, interrupt)
    }

    /// Tells that one more is done.
    pub(crate) fn tell(&self, stage: Stage, n_done: &AtomicUsize, of: usize) {
        let done = n_done.fetch_add(1, Ordering::Relaxed) + 1;
        self.watcher.goes_on(stage, done, of);
    }

    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }

    /// Runs each claim on the program itself, and watches what it comes to.
    fn known(&self, trials: &Trials<'_>) -> Result<Vec<Known>, Unfit> {
        let n_mutants = self.mutants.list.len();
        let n_done = AtomicUsize::new(0);
        let known = self.on_threads(self.claims.len(), trials, &|trial, at| {
            let (tried, course) = trial.watch(self.claims[at]);
            self.tell(Stage::Claims, &n_done, self.claims.len());
            Known {
                noticed: tried.noticed,
                is_vacuous: tried.is_vacuous,
                max_steps: max_steps(tried.most_steps),
                cost: tried.steps,
                reaches: (0..n_mutants).map(|it| trial.is_reached(&course, it)).collect(),
                course,
            }
        });
        self.fit(known)
    }

    /// What is known of all claims, if none fails. One that cannot be decided reaches nothing, and
    /// so does one that is vacuous.
    fn fit(&self, known: Vec<Option<Known>>) -> Result<Vec<Known>, Unfit> {
        let mut unfit = Vec::new();
        let mut fit = Vec::new();
        for (known, claim) in known.into_iter().zip(self.claims) {
            let nothing = Known { noticed: Noticed::Limit, ..Known::default() };
            let mut known = known.unwrap_or(nothing);
            match known.noticed {
                Noticed::Nothing => {}
                Noticed::Limit | Noticed::Interrupted => known.reaches.clear(),
                Noticed::Assertion if known.is_vacuous => known.reaches.clear(),
                Noticed::Boundary(_) | Noticed::Assertion => unfit.push(*claim),
            }
            fit.push(known);
        }
        if unfit.is_empty() { Ok(fit) } else { Err(Unfit { claims: unfit }) }
    }

    /// Tries each mutant behind its switch; and which claims notice none.
    fn switched(
        &self,
        trials: &Trials<'_>,
        known: &[Known],
    ) -> (Vec<Option<Found>>, Vec<bool>) {
        let list = &self.mutants.list;
        let groups = self.groups();
        let n_done = AtomicUsize::new(0);
        let found = self.on_threads(groups.len(), trials, &|trial, at| {
            let mut killers = Killers::default();
            groups[at]
                .iter()
                .map(|mutant| {
                    let is_tried = list[*mutant].suppressed.is_none() && !self.is_interrupted();
                    let found =
                        is_tried.then(|| self.try_mutant(trial, *mutant, known, &mut killers));
                    self.tell(Stage::Mutants, &n_done, list.len());
                    found
                })
                .collect::<Vec<_>>()
        });
        let mut all: Vec<Option<Found>> = vec![None; list.len()];
        for (group, found) in groups.iter().zip(found) {
            for (mutant, found) in group.iter().zip(found.into_iter().flatten()) {
                all[*mutant] = found;
            }
        }
        let idle = self.idle(trials, known, &all);
        (all, idle)
    }

    /// Which claims notice no mutant at all. Those that were not the first to notice one are
    /// asked about all that they reach and that another claim refused before they were asked.
    fn idle(&self, trials: &Trials<'_>, known: &[Known], found: &[Option<Found>]) -> Vec<bool> {
        let mut idle = vec![true; known.len()];
        for at in found.iter().flatten().flat_map(|it| &it.by) {
            idle[*at] = false;
        }
        let asked: Vec<usize> = (0..known.len()).filter(|at| idle[*at]).collect();
        let noticed = self.on_threads(asked.len(), trials, &|trial, number| {
            let at = asked[number];
            let mut reached = (0..found.len()).filter(|mutant| {
                let is_refused = |it: &Found| it.noticed >= Noticed::Assertion;
                found[*mutant].as_ref().is_some_and(is_refused)
                    && known[at].reaches.get(*mutant) == Some(&true)
            });
            trial.set_steps(Some(known[at].max_steps));
            let noticed = reached.any(|mutant| {
                trial.set_mutant(Some(mutant));
                trial.try_mutant(self.claims[at], None, &known[at].course).noticed
                    != Noticed::Nothing
            });
            trial.set_mutant(None);
            noticed
        });
        for (at, noticed) in asked.into_iter().zip(noticed) {
            idle[at] = noticed == Some(false);
        }
        idle
    }

    /// Runs the cases that noticed mutants once more, in the program that tells its inputs.
    fn add_inputs(&self, lowered: &Lowered, known: &[Known], found: &mut [Option<Found>]) {
        let recording = recording(lowered);
        let trials = self.trials(&recording, switches(&self.mutants.list));
        let inputs = self.on_threads(found.len(), &trials, &|trial, at| {
            let (claim, culprit) = found[at].as_ref()?.killing.as_ref()?;
            trial.set_mutant(Some(at));
            trial.set_steps(Some(known[*claim].max_steps));
            culprit.as_ref().map(|it| trial.inputs(it))
        });
        for (found, inputs) in found.iter_mut().zip(inputs) {
            if let (Some(found), Some(Some(inputs))) = (found, inputs) {
                found.inputs = inputs;
            }
        }
    }

    /// The mutants of each declaration.
    fn groups(&self) -> Vec<Vec<usize>> {
        let mut groups: BTreeMap<FunctionId, Vec<usize>> = BTreeMap::new();
        for (at, mutant) in self.mutants.list.iter().enumerate() {
            groups.entry(mutant.home).or_default().push(at);
        }
        groups.into_values().collect()
    }

    fn try_mutant(
        &self,
        trial: &mut Trial<'_>,
        mutant: usize,
        known: &[Known],
        killers: &mut Killers,
    ) -> Found {
        let mut found = Found::default();
        let reaching = (0..known.len())
            .filter(|at| known[*at].reaches.get(mutant).copied().unwrap_or(false));
        for at in killers.order(reaching.collect(), known) {
            trial.set_mutant(Some(mutant));
            trial.set_steps(Some(known[at].max_steps));
            let (claim, hint) = (self.claims[at], killers.hint(at));
            let tried = trial.try_mutant(claim, hint, &known[at].course);
            if tried.noticed == Noticed::Nothing {
                continue;
            }
            found.by.push(at);
            let is_enough = tried.noticed >= Noticed::Assertion;
            let hint = tried.hint;
            found.notice(at, tried);
            if is_enough {
                killers.remember(at, hint);
                break;
            }
        }
        trial.set_mutant(None);
        found
    }

    /// Does something for each number, on as many threads as wanted; nothing after an
    /// interruption.
    fn on_threads<'l, T: Send>(
        &self,
        n: usize,
        trials: &'l Trials<'l>,
        work: &(dyn Fn(&mut Trial<'l>, usize) -> T + Sync),
    ) -> Vec<Option<T>> {
        let is_over = || self.is_interrupted();
        numbered(self.settings.jobs, n, &is_over, &|| trials.trial(), work)
    }

    fn report(&self, known: &[Known], found: Vec<Option<Found>>, idle: &[bool]) -> Report {
        let program = &self.lowered.search;
        let mut claims: Vec<ClaimReport> =
            self.claims.iter().zip(known).map(|(at, known)| self.claim(*at, known)).collect();
        let mut mutants = Vec::new();
        let mut clauses = clauses(program, self.mutants);
        let mut n_left = 0;
        for (at, (mutant, found)) in self.mutants.list.iter().zip(found).enumerate() {
            let reaches = |it: &usize| known[*it].reaches.get(at).copied().unwrap_or(false);
            let reached_by: Vec<usize> = (0..known.len()).filter(reaches).collect();
            let verdict = match &mutant.suppressed {
                Some(reason) => Some(Verdict::Suppressed(reason.clone())),
                None => found.as_ref().and_then(|it| verdict(&it.noticed, &reached_by)),
            };
            let Some(verdict) = verdict else {
                n_left += 1;
                continue;
            };
            let Found { by: noticed_by, killing, inputs, .. } = found.unwrap_or_default();
            let killing = killing.map(|(claim, _)| Killing { claim, inputs });
            if mutant.suppressed.is_none() {
                reached_by.iter().for_each(|it| claims[*it].n_reached += 1);
            }
            if let Some(it) = noticed_by.last() {
                claims[*it].n_noticed += 1;
            }
            if let Verdict::KilledByContract(boundary) = &verdict {
                for clause in clauses.iter_mut().filter(|it| it.is_at(*boundary)) {
                    clause.n_noticed += 1;
                }
            }
            let declaration = program.function(mutant.home).name.to_string();
            let mutant = mutant.clone();
            let explanation = None;
            mutants.push(MutantReport {
                mutant,
                declaration,
                verdict,
                reached_by,
                noticed_by,
                killing,
                explanation,
            });
        }
        let interrupted = self.is_interrupted();
        let judged = claims.iter_mut().zip(idle).filter(|it| *it.1 && !it.0.is_left_out());
        // A claim that was not asked about all mutants may notice one of the others.
        for (claim, _) in judged.filter(|_| !interrupted) {
            claim.judgement = Some(judgement(program, claim));
        }
        let (dropped, leverage) = (self.mutants.dropped, Vec::new());
        let left_out = self.left_out();
        Report { mutants, claims, clauses, leverage, dropped, left_out, interrupted, n_left }
    }

    fn left_out(&self) -> Vec<LeftOut> {
        let left_out = self.mutants.left_out.iter().map(|it| {
            let function = self.lowered.search.function(*it);
            let module = self.modules.get(function.module.index());
            let module = module.cloned().unwrap_or_default();
            LeftOut { module, name: function.name.to_string() }
        });
        left_out.collect()
    }

    fn claim(&self, at: usize, known: &Known) -> ClaimReport {
        let program = &self.lowered.search;
        let claim = &program.claims[at];
        let module = self.modules.get(claim.module.index());
        ClaimReport {
            claim: at,
            module: module
                .map_or_else(|| program.module(claim.module).name.to_string(), Clone::clone),
            name: claim.name.to_string(),
            span: claim.span,
            is_undecided: known.noticed != Noticed::Nothing && !known.is_vacuous,
            is_vacuous: known.is_vacuous,
            n_reached: 0,
            n_noticed: 0,
            judgement: None,
        }
    }
}

/// What is the matter with a claim that notices no mutant.
fn judgement(program: &Program, claim: &ClaimReport) -> Judgement {
    let function = match &program.claims[claim.claim].kind {
        ClaimKind::Test(function) | ClaimKind::Property(function, _) => *function,
        ClaimKind::Verify(_) if claim.n_reached == 0 => return Judgement::Elsewhere,
        ClaimKind::Verify(_) => return Judgement::Idle,
    };
    let observes = observes(program, function);
    let is_loose = |it: &ObserveSite| it.strength == Strength::Relation;
    if observes.is_empty() {
        Judgement::Placebo
    } else if claim.n_reached == 0 {
        Judgement::Elsewhere
    } else if observes.iter().all(is_loose) {
        Judgement::Loose
    } else {
        Judgement::Idle
    }
}

/// The program that tells its inputs, in place of the one that is searched.
fn recording(lowered: &Lowered) -> Lowered {
    Lowered { search: Arc::clone(&lowered.record), ..lowered.clone() }
}

/// A switch for each of some mutants, in their order.
pub fn switches<'m>(mutants: impl IntoIterator<Item = &'m Mutant>) -> Instruments {
    let switch = |mutant: &Mutant| {
        let Mutant { function, term, instead, .. } = *mutant;
        gainsay_vm::Mutant { function, term, instead }
    };
    let switches: Vec<gainsay_vm::Mutant> = mutants.into_iter().map(switch).collect();
    Instruments::default().with_mutants(&switches)
}

/// Steps that a case of a claim may take with a mutant.
fn max_steps(most: u64) -> u64 {
    most.saturating_mul(STEPS_FACTOR).max(MIN_STEPS)
}

fn verdict(noticed: &Noticed, reached_by: &[usize]) -> Option<Verdict> {
    match noticed {
        Noticed::Interrupted => None,
        Noticed::Assertion => Some(Verdict::Killed),
        Noticed::Boundary(boundary) => Some(Verdict::KilledByContract(*boundary)),
        Noticed::Limit => Some(Verdict::Timeout),
        Noticed::Nothing if reached_by.is_empty() => Some(Verdict::Unreached),
        Noticed::Nothing => Some(Verdict::Survived),
    }
}

/// The clauses of functions that have mutants.
fn clauses(program: &Program, mutants: &Mutants) -> Vec<ClauseReport> {
    let mut homes: Vec<FunctionId> =
        mutants.bodies.keys().map(|it| home(program, *it)).collect();
    homes.sort_unstable();
    homes.dedup();
    let of = |it: FunctionId| {
        let function = program.function(it);
        let clauses = function.requires.iter().chain(&function.ensures);
        clauses.map(|clause| ClauseReport {
            span: clause.span,
            function: function.name.to_string(),
            n_noticed: 0,
        })
    };
    homes.into_iter().flat_map(of).collect()
}

/// Who noticed mutants of the same declaration, the last first.
#[derive(Default)]
struct Killers {
    claims: Vec<(usize, Option<u64>)>,
}

impl Killers {
    fn remember(&mut self, claim: usize, hint: Option<u64>) {
        self.claims.retain(|it| it.0 != claim);
        self.claims.insert(0, (claim, hint));
    }

    fn hint(&self, claim: usize) -> Option<u64> {
        self.claims.iter().find(|it| it.0 == claim).and_then(|it| it.1)
    }

    /// Those that noticed something before, then the cheapest.
    fn order(&self, mut claims: Vec<usize>, known: &[Known]) -> Vec<usize> {
        let rank = |claim: &usize| {
            let place = self.claims.iter().position(|it| it.0 == *claim);
            (place.unwrap_or(usize::MAX), known[*claim].cost, *claim)
        };
        claims.sort_by_key(rank);
        claims
    }
}
