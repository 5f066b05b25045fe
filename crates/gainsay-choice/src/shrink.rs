//! Shrinking: from a failing case to a locally minimal case that fails in the same way.
//!
//! Cases are ordered by shortlex: fewer choices are simpler, and among equally many the one whose
//! first difference has the lower rank. A *pass* proposes candidates; the *gate* (`attempt.rs`)
//! runs them and adopts what was really drawn if it fails with the same identity and is simpler.
//! So passes can be bold: a nonsensical candidate costs one run and nothing else. Whatever a pass
//! does, the best case only becomes simpler, which is why shrinking terminates.
//!
//! Passes go from large steps to small ones. *Structure* passes delete runs of choices that are as
//! long as possible; *value* passes lower values; when neither helps, *escapes* change two things
//! at once, because some failures have no simpler neighbor. After an escape everything starts
//! again. A case that no pass improves is a fixpoint: it is locally minimal, and known to be the
//! smallest only where all simpler cases were run.
//!
//! All randomness comes from fixed seeds, so the same case always shrinks to the same result.

mod attempt;
mod candidate_cache;
mod integer_search;
mod passes;
mod repair;
mod span_forest;
mod values;

use std::collections::VecDeque;
use std::rc::Rc;

use num_bigint::BigInt;

use self::attempt::{CandidateFilter, CandidatePatch};
use self::candidate_cache::CandidateCache;
pub(crate) use self::integer_search::find_integer;
pub use self::passes::{PASSES, PassStage, ShrinkPass};
use crate::case::{Case, Choice, ChoiceSequence};
use crate::kind::ChoiceClass;
use crate::source::{ReplayTail, Source};
use crate::subject::{FailureIdentity, RunVerdict, Subject};
use crate::value::ValueRank;

/// The budget of a shrink.
pub struct Budget<'a> {
    /// The maximum number of runs.
    pub max_executions: u64,
    /// Called before each run; deadlines and interrupts return false here.
    pub should_continue: &'a mut dyn FnMut() -> bool,
}

/// Why shrinking ended.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum TerminationReason {
    /// No pass finds a simpler failing case.
    Converged,
    /// The maximum number of runs was reached.
    ExecutionLimit,
    /// `should_continue` returned false.
    Interrupted,
    /// The first case did not fail with the given identity.
    NotReproduced,
}

/// The result of shrinking.
#[derive(Debug, Clone)]
pub struct ShrunkCase {
    /// The simplest failing case that was found.
    pub case: Case,
    /// The number of runs.
    pub executions: u64,
    /// Why shrinking ended. Unless it converged, shrinking the case again continues from here.
    pub termination: TerminationReason,
    /// Whether every simpler case was run and did not fail in the same way. If so, the case is the
    /// smallest failing one; otherwise it is locally minimal at best.
    pub is_smallest: bool,
    /// Failures with other identities found on the way, each with its simplest case.
    pub other_failures: Vec<(FailureIdentity, Case)>,
    /// The last three cases before the result, oldest first.
    pub history: Vec<Case>,
}

/// Shrinks a case that fails with `identity` to the simplest such case that the passes find.
pub fn shrink<'a>(
    subject: &'a mut dyn Subject,
    source: &'a mut Source,
    first: &Case,
    identity: FailureIdentity,
    budget: Budget<'a>,
) -> ShrunkCase {
    let mut shrinker = Shrinker::new(subject, source, first, identity, budget);
    let end = match shrinker.reproduce() {
        Ok(true) => shrinker.run().err().unwrap_or(TerminationReason::Converged),
        Ok(false) => TerminationReason::NotReproduced,
        Err(end) => end,
    };
    shrinker.finish(end)
}

/// Whether a candidate was adopted, or why no further run is possible.
type AttemptResult = Result<bool, TerminationReason>;

/// The number of intermediate cases in `ShrunkCase::history`.
const HISTORY_LENGTH: usize = 3;

/// A case is checked for being the smallest only if it has at most this many simpler values.
const MAX_EXHAUSTIVE_RANK: u128 = 1024;

/// The state of a shrink: the best case so far, and what is known about candidates.
struct Shrinker<'a> {
    subject: &'a mut dyn Subject,
    source: &'a mut Source,
    best: Rc<ChoiceSequence>,
    forest: Option<Rc<span_forest::SpanForest>>,
    identity: FailureIdentity,
    budget: Budget<'a>,
    n_executions: u64,
    candidate_cache: CandidateCache,
    other_failures: Vec<(FailureIdentity, ChoiceSequence)>,
    history: VecDeque<Rc<ChoiceSequence>>,
    /// A buffer that the gate reuses for each candidate.
    candidate: Vec<Choice>,
}

impl<'a> Shrinker<'a> {
    fn new(
        subject: &'a mut dyn Subject,
        source: &'a mut Source,
        first: &Case,
        identity: FailureIdentity,
        budget: Budget<'a>,
    ) -> Self {
        let mut trail = first.sequence.clone();
        // Ids of big integers in a case are its own; move them into the arena of the source.
        trail.choices = first.import_choices(source.kinds_mut());
        Shrinker {
            subject,
            source,
            best: Rc::new(trail),
            forest: None,
            identity,
            budget,
            n_executions: 0,
            candidate_cache: CandidateCache::default(),
            other_failures: Vec::new(),
            history: VecDeque::new(),
            candidate: Vec::new(),
        }
    }

    /// Runs the first case, and makes what it really draws the best case.
    fn reproduce(&mut self) -> AttemptResult {
        let first = Rc::clone(&self.best);
        // The recorded case may come from an older version of the generator: allow some more
        // choices.
        self.source.replay_choices(
            &first.choices,
            ReplayTail::Simplest,
            first.choices.len() + 1000,
        );
        let verdict = self.execute()?;
        if verdict != RunVerdict::Fail(self.identity) {
            return Ok(false);
        }
        self.adopt();
        // The reproduced case is where shrinking starts, not a step of it.
        self.history.clear();
        Ok(true)
    }

    /// Runs all passes until none of them helps.
    fn run(&mut self) -> Result<(), TerminationReason> {
        let mut last_escape: Option<Rc<ChoiceSequence>> = None;
        loop {
            let before = Rc::clone(&self.best);
            self.run_while_shorter(PassStage::Structure)?;
            // Values come second: a value that a deletion removes need not be lowered first.
            self.run_stage(PassStage::Values)?;
            // Only `adopt` replaces `best`, so another pointer means progress.
            if !Rc::ptr_eq(&before, &self.best) {
                self.extrapolate(&before)?;
                continue;
            }
            // A value pass may take back half of what an escape gained, so that each step costs a
            // whole round. Compare with the case before the last escape and repeat that
            // difference.
            if let Some(escaped) = last_escape.replace(Rc::clone(&self.best)) {
                self.extrapolate(&escaped)?;
                if !Rc::ptr_eq(&before, &self.best) {
                    continue;
                }
            }
            if !self.run_until_better(PassStage::Escapes)? {
                return Ok(());
            }
        }
    }

    /// Repeats a stage while it makes the case shorter. Where it only lowers values, the value
    /// passes do so in fewer runs.
    fn run_while_shorter(&mut self, stage: PassStage) -> Result<(), TerminationReason> {
        loop {
            let before = self.best.choices.len();
            self.run_stage(stage)?;
            if self.best.choices.len() >= before {
                return Ok(());
            }
        }
    }

    /// If a round changed only integers, repeats the same change as often as possible: passes that
    /// undo half of each other's work would otherwise take a round for each step.
    fn extrapolate(&mut self, before: &ChoiceSequence) -> Result<(), TerminationReason> {
        let base = Rc::clone(&self.best);
        if !base.has_same_structure(before) {
            return Ok(());
        }
        let mut moves = Vec::new();
        for (at, (old, new)) in before.choices.iter().zip(&base.choices).enumerate() {
            if old == new {
                continue;
            }
            // Only integers have differences that can be repeated.
            if new.class() != ChoiceClass::Integer || old.class() != ChoiceClass::Integer {
                return Ok(());
            }
            let bigs = &self.source.kinds().bigs;
            let (old, new) = (bigs.integer(old.value()), bigs.integer(new.value()));
            let step = &new - old;
            moves.push((at, new, step));
        }
        // `k` counts from `base`: if even the first repetition fails, this costs one run.
        find_integer(|k| {
            let kinds = self.source.kinds_mut();
            let moved = moves.iter().map(|(at, integer, step)| {
                (*at, kinds.intern_integer(integer + step * BigInt::from(k)))
            });
            let patch = CandidatePatch::set(moved);
            self.attempt(&base, &patch, CandidateFilter::IfSimpler)
        })?;
        Ok(())
    }

    fn run_stage(&mut self, stage: PassStage) -> Result<(), TerminationReason> {
        PASSES.iter().filter(|it| it.stage == stage).try_for_each(|it| (it.run)(self))
    }

    // Escapes are expensive: once one helps, the cheaper stages should go on from there.
    fn run_until_better(&mut self, stage: PassStage) -> AttemptResult {
        let before = Rc::clone(&self.best);
        for pass in PASSES.iter().filter(|it| it.stage == stage) {
            (pass.run)(self)?;
            if !Rc::ptr_eq(&before, &self.best) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether all simpler cases are known to be rejected. A generator makes the same first choice
    /// in every case, so for a case with a single choice the simpler cases are its simpler values.
    fn is_smallest(&mut self) -> bool {
        let best = Rc::clone(&self.best);
        match best.choices.as_slice() {
            [] => true,
            [choice] if choice.is_forced() => true,
            [choice] => {
                let Some(rank) = self.rank_at(&best, 0).filter(|it| *it <= MAX_EXHAUSTIVE_RANK)
                else {
                    return false;
                };
                let kinds = self.source.kinds_mut();
                // The cache is the proof: no case is run here, and one that no pass tried does not
                // count.
                (0..rank).all(|it| {
                    let simpler = kinds.unrank(choice.kind(), &ValueRank::Small(it));
                    simpler.is_none_or(|it| {
                        self.candidate_cache.look_up(&[choice.with_value(it)]).is_ok()
                    })
                })
            }
            // With two choices or more, the simpler cases depend on each other and are too many.
            _ => false,
        }
    }

    fn finish(mut self, end: TerminationReason) -> ShrunkCase {
        // Without a run, nothing is known of simpler cases, nor the source of the kinds of this one.
        let has_run = self.n_executions > 0 && end != TerminationReason::NotReproduced;
        let is_smallest = has_run && self.is_smallest();
        let kinds = self.source.kinds();
        ShrunkCase {
            case: Case::from_sequence(&self.best, kinds),
            executions: self.n_executions,
            termination: end,
            is_smallest,
            other_failures: self
                .other_failures
                .iter()
                .map(|(id, it)| (*id, Case::from_sequence(it, kinds)))
                .collect(),
            history: self.history.iter().map(|it| Case::from_sequence(it, kinds)).collect(),
        }
    }
}
