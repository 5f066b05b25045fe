//! Climbing: from a case to one that scores higher, one choice at a time.
//!
//! A subject reports scores with [`Source::target`]. Changes that score more are kept, and so are
//! those that score the same with no more choices, which leads across plateaus.

use crate::case::{Case, Choice};
use crate::kind::Class;
use crate::label::Label;
use crate::random::Seed;
use crate::shrink::{Budget, End, find_integer};
use crate::source::{Source, Tail};
use crate::subject::{Identity, Subject, Verdict};
use crate::value::{Rank, Value};

/// What came of climbing.
#[derive(Debug, Clone, PartialEq)]
pub struct Climbed {
    /// The best case.
    pub case: Case,
    /// Its score.
    pub score: f64,
    /// How many runs it took.
    pub executions: u64,
    /// Why it ended: at a peak, or before.
    pub end: End,
    /// The first failure that came up; climbing ends with it.
    pub failure: Option<(Identity, Case)>,
}

/// How many more choices a changed case may have.
const ROOM: usize = 200;

/// Climbs from a case as high as it goes by changing single choices, the last one first.
pub fn climb<'a>(
    subject: &'a mut dyn Subject,
    source: &'a mut Source,
    start: &Case,
    label: Label,
    budget: Budget<'a>,
) -> Climbed {
    let best = start.choices_in(source.kinds_mut());
    let mut climber = Climber {
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
    let end = climber.run().err().unwrap_or(End::Minimal);
    Climbed {
        case: climber.result,
        score: climber.score,
        executions: climber.n_executions,
        end,
        failure: climber.failure,
    }
}

struct Climber<'a> {
    subject: &'a mut dyn Subject,
    source: &'a mut Source,
    label: Label,
    budget: Budget<'a>,
    best: Vec<Choice>,
    score: f64,
    result: Case,
    failure: Option<(Identity, Case)>,
    n_executions: u64,
}

impl Climber<'_> {
    fn run(&mut self) -> Result<(), End> {
        let start = self.best.clone();
        if !self.attempt(&start)? {
            return Ok(());
        }
        loop {
            let before = self.score;
            for at in (0..self.best.len()).rev() {
                if at < self.best.len() && !self.best[at].is_forced() {
                    self.change(at)?;
                }
            }
            if self.score <= before || self.failure.is_some() {
                return Ok(());
            }
        }
    }

    fn change(&mut self, at: usize) -> Result<(), End> {
        let base = self.best.clone();
        match base[at].class() {
            Class::Integer | Class::Char => {
                for direction in [1, -1] {
                    find_integer(|k| {
                        let Ok(k) = i64::try_from(k) else { return Ok(false) };
                        let Value::Small(value) = base[at].value() else { return Ok(false) };
                        match k.checked_mul(direction).and_then(|it| value.checked_add(it)) {
                            Some(moved) => self.attempt_value(&base, at, Value::Small(moved)),
                            None => Ok(false),
                        }
                    })?;
                }
            }
            Class::Float => {
                let Value::Small(bits) = base[at].value() else { return Ok(()) };
                let float = f64::from_bits(bits as u64);
                for other in [float + 1.0, float - 1.0, float * 2.0, float / 2.0, -float] {
                    self.attempt_value(&base, at, Value::Small(other.to_bits() as i64))?;
                }
            }
            Class::Boolean | Class::Selector | Class::More | Class::Reference => {
                for rank in 0..8 {
                    let kind = base[at].kind();
                    let value = self.source.kinds_mut().unrank(kind, &Rank::Small(rank));
                    let Some(value) = value else { break };
                    self.attempt_value(&base, at, value)?;
                }
            }
        }
        Ok(())
    }

    fn attempt_value(&mut self, base: &[Choice], at: usize, value: Value) -> Result<bool, End> {
        if base[at].value() == value || self.failure.is_some() {
            return Ok(false);
        }
        let mut choices = base.to_vec();
        choices[at] = choices[at].with(value);
        self.attempt(&choices)
    }

    /// Runs some choices; whether the score went up.
    fn attempt(&mut self, choices: &[Choice]) -> Result<bool, End> {
        if self.n_executions >= self.budget.executions {
            return Err(End::Executions);
        }
        if !(self.budget.keep_going)() {
            return Err(End::Interrupted);
        }
        self.n_executions += 1;
        let tail = Tail::Random(Seed { run: 2, claim: 0, case: self.n_executions });
        self.source.replay_choices(choices, tail, choices.len() + ROOM);
        match self.subject.run(self.source) {
            Verdict::Fail(identity) => {
                self.failure.get_or_insert((identity, self.source.case()));
                return Ok(false);
            }
            Verdict::Invalid | Verdict::Stopped => return Ok(false),
            Verdict::Pass => {}
        }
        let score = self.source.scores().iter().find(|it| it.0 == self.label).map(|it| it.1);
        let Some(score) = score.filter(|it| !it.is_nan()) else { return Ok(false) };
        let is_higher = score > self.score;
        let n_choices = self.source.trail().choices.len();
        if is_higher || (score == self.score && n_choices <= self.best.len()) {
            self.score = score;
            self.result = self.source.case();
            self.best.clone_from(&self.source.trail().choices);
        }
        Ok(is_higher)
    }
}
