//! Shrinking: from a case that fails to the simplest case that fails in the same way.
//!
//! Cases are ordered by shortlex: fewer choices are simpler, and among equally many the one whose
//! first difference has the lower rank. A *pass* proposes candidates; the *gate* runs them and
//! adopts what was really drawn, if it fails with the same identity and is simpler. So passes can
//! be bold: a candidate that makes no sense costs one run and nothing else, and whatever a pass
//! does, the best case only becomes simpler, which is why it ends.
//!
//! The order of passes is from large to small. *Structure* is removed first, in runs as long as
//! possible; then *values* are lowered; and where nothing helps any more, *escapes* change two
//! things at once, because some failures have no neighbour that is simpler. After an escape all
//! begins again. A case that no pass improves is a fixed point: it is locally minimal, and known to be
//! the smallest only where all simpler cases were run.
//!
//! Nothing is random but what a fixed seed gives, so the same case always shrinks to the same.

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

/// How long shrinking may take.
pub struct Budget<'a> {
    /// The most runs.
    pub max_executions: u64,
    /// Asked before each run: time limits and interrupts enter here.
    pub should_continue: &'a mut dyn FnMut() -> bool,
}

/// Why shrinking ended.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum TerminationReason {
    /// No pass finds anything simpler.
    Converged,
    /// All runs were used up.
    ExecutionLimit,
    /// The caller said so.
    Interrupted,
    /// The first case did not fail in the given way.
    NotReproduced,
}

/// What came of shrinking.
#[derive(Debug, Clone)]
pub struct ShrunkCase {
    /// The simplest failing case that was found.
    pub case: Case,
    /// How many runs it took.
    pub executions: u64,
    /// Why it ended. If not minimal, shrinking the case further resumes.
    pub termination: TerminationReason,
    /// Whether every simpler case was run and did not fail in the same way: if so, the case is the
    /// smallest there is, and else it is locally minimal at most.
    pub is_smallest: bool,
    /// Failures with other identities that came up, each with its simplest case.
    pub other_failures: Vec<(FailureIdentity, Case)>,
    /// The last three cases on the way, the oldest first.
    pub history: Vec<Case>,
}

/// The simplest case found that still fails with an identity, starting from one that does.
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

/// Whether a candidate was adopted, or why there can be no more.
type AttemptResult = Result<bool, TerminationReason>;

/// How many cases on the way are kept.
const HISTORY_LENGTH: usize = 3;

/// Up to so many simpler values are looked up to say that a case is the smallest.
const MAX_EXHAUSTIVE_RANK: u128 = 1024;

/// The state of shrinking: the best case so far, and what is known of candidates.
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
    /// Buffers of the gate.
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

    /// Runs the first case, and takes what it really draws as the best.
    fn reproduce(&mut self) -> AttemptResult {
        let first = Rc::clone(&self.best);
        // The recorded case may come from a generator that has changed: leave it some room.
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
        self.history.clear();
        Ok(true)
    }

    /// All passes, until none of them helps.
    fn run(&mut self) -> Result<(), TerminationReason> {
        let mut last_escape: Option<Rc<ChoiceSequence>> = None;
        loop {
            let before = Rc::clone(&self.best);
            self.run_while_shorter(PassStage::Structure)?;
            self.run_stage(PassStage::Values)?;
            if !Rc::ptr_eq(&before, &self.best) {
                self.extrapolate(&before)?;
                continue;
            }
            // An escape that values undo halfway would take as many rounds.
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

    /// Runs a stage as long as it makes the case shorter; where it lowers values only, the passes
    /// that know how to do that should.
    fn run_while_shorter(&mut self, stage: PassStage) -> Result<(), TerminationReason> {
        loop {
            let before = self.best.choices.len();
            self.run_stage(stage)?;
            if self.best.choices.len() >= before {
                return Ok(());
            }
        }
    }

    /// If a round moved integers and nothing else, moves them on as far as it goes: passes that
    /// undo each other's work halfway would otherwise take a round for each step.
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
            if new.class() != ChoiceClass::Integer || old.class() != ChoiceClass::Integer {
                return Ok(());
            }
            let bigs = &self.source.kinds().bigs;
            let (old, new) = (bigs.integer(old.value()), bigs.integer(new.value()));
            let step = &new - old;
            moves.push((at, new, step));
        }
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
    /// in every case, so of a case with a single choice these are the simpler values of it.
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
                (0..rank).all(|it| {
                    let simpler = kinds.unrank(choice.kind(), &ValueRank::Small(it));
                    simpler.is_none_or(|it| {
                        self.candidate_cache.look_up(&[choice.with_value(it)]).is_ok()
                    })
                })
            }
            _ => false,
        }
    }

    fn finish(mut self, end: TerminationReason) -> ShrunkCase {
        let is_smallest = end != TerminationReason::NotReproduced && self.is_smallest();
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
