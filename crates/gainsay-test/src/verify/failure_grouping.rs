//! Which hostile cases fail for the same reason, and the simplest of them.
//!
//! A failing case is first brought back to what is written, axis by axis, as far as it goes on
//! failing in the same way: what is left is to blame, all of it. Cases that have the same to
//! blame are one failure.

use std::collections::{HashMap, HashSet};
use std::mem::Discriminant;

use gainsay_core::VerifyBlock;
use gainsay_vm::FaultKind;

use super::axes::{Axes, AxisChoices, Combination};
use super::failure::FailedCase;
use super::verify_case::{VerifyCaseRunner, VerifyFailure, VerifyOutcome, VerifyPart};
use crate::claim_runner::ClaimRunner;

/// Failures of one block that are told apart.
pub(super) const MAX_GROUPS: usize = 50;
/// Cases that are run to find out what is to blame, besides those that were run already.
const MAX_GROUPING_RUNS: u64 = 2_000;
/// Choices of an axis that are written which a case is brought back to.
const MAX_DECLARED_CHOICES: usize = 8;

/// How a case fails, as far as it tells failures apart.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum FailureSignature {
    Mismatch,
    UnexpectedErr,
    Fault(VerifyPart, Discriminant<FaultKind>),
}

impl VerifyFailure {
    pub(super) fn signature(&self) -> FailureSignature {
        match self {
            Self::Mismatch { .. } => FailureSignature::Mismatch,
            Self::UnexpectedErr(_) => FailureSignature::UnexpectedErr,
            Self::Fault(part, kind) => {
                FailureSignature::Fault(*part, std::mem::discriminant(kind))
            }
        }
    }
}

/// How a case went.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
enum CachedOutcome {
    Passed,
    Failed(FailureSignature),
    /// It does not count, or nobody knows.
    Undecided,
}

impl ClaimRunner<'_> {
    /// Failures, those that are written first: the simplest of each group, which knows how many
    /// are like it. At most [`MAX_GROUPS`] are of hostility.
    pub(super) fn group_failures(
        &mut self,
        verify: &VerifyBlock,
        axes: &Axes,
        failed: Vec<FailedCase>,
        passed: HashSet<Combination>,
    ) -> Vec<FailedCase> {
        let (hostile, declared): (Vec<FailedCase>, Vec<FailedCase>) =
            failed.into_iter().partition(|it| axes.is_hostile(&it.combination));
        if hostile.is_empty() {
            return declared;
        }
        let all = declared.iter().chain(&hostile);
        let failing = all
            .map(|it| (it.combination.clone(), CachedOutcome::Failed(it.failure.signature())));
        let known =
            failing.chain(passed.into_iter().map(|it| (it, CachedOutcome::Passed))).collect();
        let case = VerifyCaseRunner::new(self.engines.program(), verify);
        let mut trials = FailureGrouper {
            claim_runner: self,
            axes,
            case,
            cache: known,
            runs_left: MAX_GROUPING_RUNS,
        };
        let mut hostile: Vec<(usize, FailedCase)> = hostile
            .into_iter()
            .map(|it| (axes.hostile_axes(&it.combination).count(), it))
            .collect();
        hostile.sort_by_key(|(n_hostile, _)| *n_hostile);
        let mut groups: Vec<FailedCase> = Vec::new();
        for (_, mut it) in hostile {
            if trials.add_to_group(&mut groups, &it.combination, it.failure.signature()) {
                continue;
            }
            if groups.len() >= MAX_GROUPS {
                continue;
            }
            trials.minimize_hostility(&mut it);
            if !trials.add_to_group(&mut groups, &it.combination, it.failure.signature()) {
                it.free =
                    (0..axes.0.len()).map(|at| trials.others_that_fail(at, &it)).collect();
                groups.push(it);
            }
        }
        declared.into_iter().chain(groups).collect()
    }
}

/// Runs cases to find out what matters.
struct FailureGrouper<'a, 'l> {
    claim_runner: &'a mut ClaimRunner<'l>,
    axes: &'a Axes,
    case: VerifyCaseRunner<'a>,
    cache: HashMap<Combination, CachedOutcome>,
    /// How many cases may still be run.
    runs_left: u64,
}

impl FailureGrouper<'_, '_> {
    /// Counts a failing case to the group it belongs to, if there is one.
    fn add_to_group(
        &mut self,
        groups: &mut [FailedCase],
        choice: &[usize],
        way: FailureSignature,
    ) -> bool {
        for group in groups {
            if self.has_same_cause(group, choice, way) {
                group.others += 1;
                return true;
            }
        }
        false
    }

    /// Whether a case has to blame what a group has to blame.
    fn has_same_cause(
        &mut self,
        group: &FailedCase,
        choice: &[usize],
        way: FailureSignature,
    ) -> bool {
        if group.failure.signature() != way {
            return false;
        }
        let mut other = group.combination.clone();
        for at in self.axes.hostile_axes(&group.combination) {
            let axis = &self.axes.0[at];
            let is_value = matches!(axis.choices, AxisChoices::Values(_));
            if choice[at] != other[at] && !(is_value && axis.is_hostile(choice[at])) {
                return false;
            }
            other[at] = choice[at];
        }
        // One value at a boundary stands for all of them that fail by themselves.
        other == group.combination || self.cached_outcome(&other) == CachedOutcome::Failed(way)
    }

    /// Brings a case back to what is written as far as it fails in the same way. Something of
    /// hostility stays.
    fn minimize_hostility(&mut self, it: &mut FailedCase) {
        let way = it.failure.signature();
        let mut now = it.combination.clone();
        let mut is_simpler = true;
        while is_simpler {
            is_simpler = false;
            let hostile: Vec<usize> = self.axes.hostile_axes(&now).collect();
            for at in hostile {
                if self.axes.hostile_axes(&now).count() == 1 {
                    break;
                }
                let mut other = now.clone();
                for declared in 0..self.axes.0[at].n_declared.min(MAX_DECLARED_CHOICES) {
                    other[at] = declared;
                    if self.cached_outcome(&other) == CachedOutcome::Failed(way) {
                        now = other;
                        is_simpler = true;
                        break;
                    }
                }
            }
        }
        if now != it.combination
            && let Some(how) = self.failure_of(&now)
        {
            (it.combination, it.failure) = (now, how);
        }
    }

    /// How many other choices of an axis fail, if all do that were tried: then it does not matter
    /// which one is made. What `when` leaves out was not tried.
    fn others_that_fail(&mut self, at: usize, it: &FailedCase) -> Option<u64> {
        let mut other = it.combination.clone();
        let mut n_failed = 0;
        for choice in (0..self.axes.0[at].len()).filter(|choice| *choice != it.combination[at])
        {
            other[at] = choice;
            match self.cached_outcome(&other) {
                CachedOutcome::Passed => return None,
                CachedOutcome::Failed(_) => n_failed += 1,
                CachedOutcome::Undecided if self.runs_left == 0 => return None,
                CachedOutcome::Undecided => {}
            }
        }
        (n_failed > 0).then_some(n_failed)
    }

    /// How a case goes, which is run if it was not.
    fn cached_outcome(&mut self, choice: &[usize]) -> CachedOutcome {
        if let Some(known) = self.cache.get(choice) {
            return *known;
        }
        if self.runs_left == 0 {
            return CachedOutcome::Undecided;
        }
        self.runs_left -= 1;
        let went = match self.run_case(choice) {
            VerifyOutcome::Passed => CachedOutcome::Passed,
            VerifyOutcome::Failed(how) => CachedOutcome::Failed(how.signature()),
            VerifyOutcome::Interrupted => {
                self.runs_left = 0;
                CachedOutcome::Undecided
            }
            VerifyOutcome::Skipped | VerifyOutcome::Declined(_) => CachedOutcome::Undecided,
        };
        self.cache.insert(choice.into(), went);
        went
    }

    /// What goes wrong in a case.
    fn failure_of(&mut self, choice: &[usize]) -> Option<VerifyFailure> {
        match self.run_case(choice) {
            VerifyOutcome::Failed(how) => Some(how),
            VerifyOutcome::Passed
            | VerifyOutcome::Skipped
            | VerifyOutcome::Declined(_)
            | VerifyOutcome::Interrupted => None,
        }
    }

    fn run_case(&mut self, choice: &[usize]) -> VerifyOutcome {
        let worker = &mut self.claim_runner.search.worker;
        self.case.begin(worker, self.axes, choice);
        match self.case.guard(worker) {
            // A law claims one thing.
            VerifyOutcome::Passed => {
                self.case.compare(worker, self.claim_runner.engines.program(), 0)
            }
            end @ (VerifyOutcome::Skipped
            | VerifyOutcome::Failed(_)
            | VerifyOutcome::Declined(_)
            | VerifyOutcome::Interrupted) => end,
        }
    }
}

impl Axes {
    /// The axes whose choice is not written, in order.
    pub(super) fn hostile_axes<'a>(
        &'a self,
        choice: &'a [usize],
    ) -> impl Iterator<Item = usize> + 'a {
        let axes = self.0.iter().zip(choice).enumerate();
        axes.filter(|(_, (axis, choice))| axis.is_hostile(**choice)).map(|(at, _)| at)
    }
}
