//! A case that did not go the same way twice: run again until two runs can be shown that differ.

use gainsay_choice::Case;
use gainsay_core::FunctionId;
use gainsay_vm::FaultKind;

use super::cases::SitePlan;
use super::sampling::is_limit;
use super::{Attacker, End};
use crate::host::{Entered, Start};
use crate::report::{Flake, Went, WentEnd};

/// How often a case is run to see it go another way.
const RUNS: u64 = 20;

/// The same case did not go the same way twice.
#[derive(Debug)]
pub(crate) struct Flaky(Box<Flake>);

impl Flaky {
    /// What there is to tell of it.
    pub(crate) fn told(self) -> Flake {
        *self.0
    }
}

/// How a case begins.
#[derive(Debug, Clone, Copy)]
pub(super) enum Begin<'a> {
    /// Without inputs.
    Plain,
    /// As it was drawn.
    Drawn(Start<'a>),
    /// With the choices of a case.
    Replayed(&'a Case, u32),
}

/// A case that is run again.
#[derive(Debug, Clone, Copy)]
pub(super) struct Again<'a> {
    pub(super) entry: FunctionId,
    pub(super) entered: Entered,
    pub(super) begin: Begin<'a>,
    /// Which case it is, from 0.
    pub(super) number: u64,
}

impl<'a> Again<'a> {
    /// A case of a site.
    pub(super) fn of(plan: &SitePlan, begin: Begin<'a>, number: u64) -> Self {
        let (entry, entered) = (plan.entry, plan.entered());
        Self { entry, entered, begin, number }
    }

    /// A claim of which no `across` is entered.
    pub(super) fn plain(entry: FunctionId) -> Self {
        let begin = Begin::Plain;
        Self { entry, entered: Entered::None, begin, number: 0 }
    }
}

impl Attacker<'_> {
    /// What is known of a case that went one way and then another. It is run until two runs
    /// differ. If they do not any more, the way it went first is told as far as it is known.
    pub(super) fn flaky(&mut self, again: &Again<'_>, seen: &End) -> Flaky {
        let first = self.went(again);
        let flake = |first, second, runs| {
            Flaky(Box::new(Flake { case: again.number + 1, runs, first, second }))
        };
        for runs in 2..=RUNS {
            let next = self.went(again);
            if next != first {
                return flake(first, next, runs);
            }
            if self.engines.is_interrupted() {
                break;
            }
        }
        let end = match seen {
            End::Passed | End::Missed | End::Interrupted => WentEnd::Passed,
            End::Failed(_) => WentEnd::Failed(None),
            End::Declined(_) => WentEnd::Unfinished(None),
            End::Assumed(_) | End::GaveUp(_) | End::CutOff => WentEnd::Discarded,
        };
        let unknown =
            Went { arguments: Vec::new(), drawn: Vec::new(), observed: None, steps: None, end };
        flake(unknown, first, RUNS + 1)
    }

    /// Runs a case for all that it does.
    fn went(&mut self, again: &Again<'_>) -> Went {
        let host = &mut self.record.host;
        match again.begin {
            Begin::Plain => host.record(Start::NOTHING),
            Begin::Drawn(start) => host.record(start),
            Begin::Replayed(case, size) => host.replay(case, size),
        }
        host.n_observed = 0;
        host.begin();
        host.entered = again.entered;
        let outcome = self.record.worker.call(again.entry, &[], host);
        let n_heard = std::mem::take(&mut host.n_observed);
        let drawn = host.source.case().to_lines(&self.engines.lowered.labels);
        let program = self.engines.program();
        let end = match outcome.result {
            Ok(_) => WentEnd::Passed,
            Err(fault) if fault.kind == FaultKind::Discarded => WentEnd::Discarded,
            Err(fault) if is_limit(&fault.kind) => {
                WentEnd::Unfinished(Some(fault.to_diagnostic(program)))
            }
            Err(fault) => WentEnd::Failed(Some(fault.to_diagnostic(program))),
        };
        Went {
            arguments: self.arguments(),
            drawn: drawn.lines().map(str::to_owned).collect(),
            observed: Some(self.record.worker.n_unheard() + n_heard),
            steps: Some(outcome.steps),
            end,
        }
    }
}
