//! Hill climbing: from a case to one with a higher score, one choice at a time.
//!
//! A subject reports scores with [`Source::target`]. Changes with a higher score are adopted, and
//! so are those with the same score and no more choices, which leads across plateaus.

use crate::case::{Case, Choice};
use crate::kind::ChoiceClass;
use crate::random::Seed;
use crate::shrink::{Budget, TerminationReason, find_integer};
use crate::source::{ReplayTail, Source};
use crate::span_label::SpanLabel;
use crate::subject::{FailureIdentity, RunVerdict, Subject};
use crate::value::{ChoiceValue, ValueRank};

/// The result of hill climbing.
#[derive(Debug, Clone, PartialEq)]
pub struct HillClimbOutcome {
    /// The best case.
    pub case: Case,
    /// Its score.
    pub score: f64,
    /// The number of runs.
    pub executions: u64,
    /// Why it ended: at a local maximum, or before.
    pub termination: TerminationReason,
    /// The first failure, if any; hill climbing ends with it.
    pub failure: Option<(FailureIdentity, Case)>,
}

/// How many more choices a changed case may have.
const MAX_EXTRA_CHOICES: usize = 200;

/// Climbs from a case by changing single choices, the last one first, until none helps.
pub fn hill_climb<'a>(
    subject: &'a mut dyn Subject,
    source: &'a mut Source,
    start: &Case,
    label: SpanLabel,
    budget: Budget<'a>,
) -> HillClimbOutcome {
    let best = start.import_choices(source.kinds_mut());
    let mut climber = HillClimber {
        subject,
        source,
        label,
        budget,
        best,
        score: f64::NEG_INFINITY,
        result: start.clone(),
        failure: None,
        n_executions: 0,
    };
    let end = climber.run().err().unwrap_or(TerminationReason::Converged);
    HillClimbOutcome {
        case: climber.result,
        score: climber.score,
        executions: climber.n_executions,
        termination: end,
        failure: climber.failure,
    }
}

struct HillClimber<'a> {
    subject: &'a mut dyn Subject,
    source: &'a mut Source,
    label: SpanLabel,
    budget: Budget<'a>,
    best: Vec<Choice>,
    score: f64,
    result: Case,
    failure: Option<(FailureIdentity, Case)>,
    n_executions: u64,
}

impl HillClimber<'_> {
    fn run(&mut self) -> Result<(), TerminationReason> {
        let start = self.best.clone();
        if !self.attempt(&start)? {
            return Ok(());
        }
        loop {
            let before = self.score;
            // From the back: changing a choice can change the meaning of those after it, which have
            // had their turn by then.
            for at in (0..self.best.len()).rev() {
                // The best case may have become shorter in this round.
                if at < self.best.len() && !self.best[at].is_forced() {
                    self.vary_choice(at)?;
                }
            }
            if self.score <= before || self.failure.is_some() {
                return Ok(());
            }
        }
    }

    fn vary_choice(&mut self, at: usize) -> Result<(), TerminationReason> {
        let base = self.best.clone();
        match base[at].class() {
            ChoiceClass::Integer | ChoiceClass::Char => {
                for direction in [1, -1] {
                    // Steps double while the score rises: a target may be millions away.
                    find_integer(|k| {
                        let Ok(k) = i64::try_from(k) else { return Ok(false) };
                        let ChoiceValue::Small(value) = base[at].value() else {
                            return Ok(false);
                        };
                        match k.checked_mul(direction).and_then(|it| value.checked_add(it)) {
                            Some(moved) => {
                                self.attempt_value(&base, at, ChoiceValue::Small(moved))
                            }
                            None => Ok(false),
                        }
                    })?;
                }
            }
            ChoiceClass::Float => {
                let ChoiceValue::Small(bits) = base[at].value() else { return Ok(()) };
                let float = f64::from_bits(bits as u64);
                // Floats have no natural step; these cover offsets, magnitudes and the sign.
                for other in [float + 1.0, float - 1.0, float * 2.0, float / 2.0, -float] {
                    self.attempt_value(&base, at, ChoiceValue::Small(other.to_bits() as i64))?;
                }
            }
            ChoiceClass::Boolean
            | ChoiceClass::Selector
            | ChoiceClass::MoreElements
            | ChoiceClass::Reference => {
                // The first alternatives only, because each costs a run.
                for rank in 0..8 {
                    let kind = base[at].kind();
                    let value = self.source.kinds_mut().unrank(kind, &ValueRank::Small(rank));
                    let Some(value) = value else { break };
                    self.attempt_value(&base, at, value)?;
                }
            }
        }
        Ok(())
    }

    fn attempt_value(
        &mut self,
        base: &[Choice],
        at: usize,
        value: ChoiceValue,
    ) -> Result<bool, TerminationReason> {
        // After a failure there is nothing left to climb to.
        if base[at].value() == value || self.failure.is_some() {
            return Ok(false);
        }
        let mut choices = base.to_vec();
        choices[at] = choices[at].with_value(value);
        self.attempt(&choices)
    }

    /// Runs some choices; whether the score went up.
    fn attempt(&mut self, choices: &[Choice]) -> Result<bool, TerminationReason> {
        if self.n_executions >= self.budget.max_executions {
            return Err(TerminationReason::ExecutionLimit);
        }
        if !(self.budget.should_continue)() {
            return Err(TerminationReason::Interrupted);
        }
        self.n_executions += 1;
        // Seeded by the number of the run: the tail is random, and climbing deterministic.
        let tail = ReplayTail::Random(Seed { run: 2, claim: 0, case: self.n_executions });
        self.source.replay_choices(choices, tail, choices.len() + MAX_EXTRA_CHOICES);
        match self.subject.run(self.source) {
            RunVerdict::Fail(identity) => {
                self.failure.get_or_insert((identity, self.source.recorded_case()));
                return Ok(false);
            }
            RunVerdict::Invalid | RunVerdict::Stopped => return Ok(false),
            RunVerdict::Pass => {}
        }
        let score = self.source.scores().iter().find(|it| it.0 == self.label).map(|it| it.1);
        let Some(score) = score.filter(|it| !it.is_nan()) else { return Ok(false) };
        let is_higher = score > self.score;
        let n_choices = self.source.sequence().choices.len();
        // A plateau step is adopted but does not count as progress, or the loop would not end.
        if is_higher || (score == self.score && n_choices <= self.best.len()) {
            self.score = score;
            self.result = self.source.recorded_case();
            self.best.clone_from(&self.source.sequence().choices);
        }
        Ok(is_higher)
    }
}
