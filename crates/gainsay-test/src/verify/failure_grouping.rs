//! Groups hostile cases that fail for the same reason, and minimizes one of each group.
//!
//! A failing case is first reset to declared choices, axis by axis, as long as it fails in the same
//! way: every remaining hostile choice is needed for the failure. Cases that need the same choices
//! are one failure.

use std::collections::{HashMap, HashSet};
use std::mem::Discriminant;

use gainsay_core::VerifyBlock;
use gainsay_vm::FaultKind;

use super::axes::{Axes, AxisChoices, Combination};
use super::failure::FailedCase;
use super::verify_case::{VerifyCaseRunner, VerifyFailure, VerifyOutcome, VerifyPart};
use crate::claim_runner::ClaimRunner;

/// Maximum number of hostile failure groups of one block.
pub(super) const MAX_GROUPS: usize = 50;
/// Maximum number of cases to run for grouping, besides those that have already run.
const MAX_GROUPING_RUNS: u64 = 2_000;
/// Maximum number of declared choices of an axis that a case is reset to.
const MAX_DECLARED_CHOICES: usize = 8;

/// How a case fails, as far as that distinguishes failures.
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

/// The outcome of a case.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
enum CachedOutcome {
    Passed,
    Failed(FailureSignature),
    /// It does not count, or it was not run.
    Undecided,
}

impl ClaimRunner<'_> {
    /// Groups failures. The declared ones come first, ungrouped; then the minimal case of each
    /// hostile group, with the number of others like it, at most [`MAX_GROUPS`].
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
        let cached =
            failing.chain(passed.into_iter().map(|it| (it, CachedOutcome::Passed))).collect();
        let case = VerifyCaseRunner::new(self.engines.program(), verify);
        let mut trials = FailureGrouper {
            claim_runner: self,
            axes,
            case,
            cache: cached,
            runs_left: MAX_GROUPING_RUNS,
        };
        let mut hostile: Vec<(usize, FailedCase)> = hostile
            .into_iter()
            .map(|it| (axes.hostile_axes(&it.combination).count(), it))
            .collect();
        // Start with the cases that have the fewest hostile choices: they are the cheapest to
        // minimize, and most others then just join their groups.
        hostile.sort_by_key(|(n_hostile, _)| *n_hostile);
        let mut groups: Vec<FailedCase> = Vec::new();
        for (_, mut it) in hostile {
            if trials.add_to_group(&mut groups, &it.combination, it.failure.signature()) {
                continue;
            }
            // Not `break`: later cases may still join the groups that there are.
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

/// Runs cases to find out which choices matter.
struct FailureGrouper<'a, 'l> {
    claim_runner: &'a mut ClaimRunner<'l>,
    axes: &'a Axes,
    case: VerifyCaseRunner<'a>,
    cache: HashMap<Combination, CachedOutcome>,
    /// How many cases may still run.
    runs_left: u64,
}

impl FailureGrouper<'_, '_> {
    /// Adds a failing case to the group it belongs to, if there is one.
    fn add_to_group(
        &mut self,
        groups: &mut [FailedCase],
        choice: &[usize],
        signature: FailureSignature,
    ) -> bool {
        for group in groups {
            if self.has_same_cause(group, choice, signature) {
                group.others += 1;
                return true;
            }
        }
        false
    }

    /// Whether a case fails because of the same hostile choices as a group.
    fn has_same_cause(
        &mut self,
        group: &FailedCase,
        choice: &[usize],
        signature: FailureSignature,
    ) -> bool {
        if group.failure.signature() != signature {
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
        // One boundary value stands for all others that fail by themselves.
        other == group.combination
            || self.cached_outcome(&other) == CachedOutcome::Failed(signature)
    }

    /// Resets a case to declared choices as long as it fails in the same way. At least one hostile
    /// choice stays.
    fn minimize_hostility(&mut self, it: &mut FailedCase) {
        let signature = it.failure.signature();
        let mut now = it.combination.clone();
        let mut is_simpler = true;
        // Repeat until nothing changes: resetting one axis may make another one irrelevant.
        while is_simpler {
            is_simpler = false;
            let hostile: Vec<usize> = self.axes.hostile_axes(&now).collect();
            for at in hostile {
                // Without any hostile choice it would be a declared case, and those have run.
                if self.axes.hostile_axes(&now).count() == 1 {
                    break;
                }
                let mut other = now.clone();
                for declared in 0..self.axes.0[at].n_declared.min(MAX_DECLARED_CHOICES) {
                    other[at] = declared;
                    if self.cached_outcome(&other) == CachedOutcome::Failed(signature) {
                        now = other;
                        is_simpler = true;
                        break;
                    }
                }
            }
        }
        if now != it.combination
            // Runs once more, because the cache keeps only the kind of a failure.
            && let Some(how) = self.failure_of(&now)
        {
            (it.combination, it.failure) = (now, how);
        }
    }

    /// The number of other choices of an axis that fail, if all that were tried do: then the choice
    /// does not matter. Choices that `when` skips were not tried.
    fn others_that_fail(&mut self, at: usize, it: &FailedCase) -> Option<u64> {
        let mut other = it.combination.clone();
        let mut n_failed = 0;
        for choice in (0..self.axes.0[at].len()).filter(|choice| *choice != it.combination[at])
        {
            other[at] = choice;
            match self.cached_outcome(&other) {
                CachedOutcome::Passed => return None,
                CachedOutcome::Failed(_) => n_failed += 1,
                // Out of budget: not every choice was tried.
                CachedOutcome::Undecided if self.runs_left == 0 => return None,
                CachedOutcome::Undecided => {}
            }
        }
        (n_failed > 0).then_some(n_failed)
    }

    /// The outcome of a case, which runs unless it is cached.
    fn cached_outcome(&mut self, choice: &[usize]) -> CachedOutcome {
        if let Some(cached) = self.cache.get(choice) {
            return *cached;
        }
        if self.runs_left == 0 {
            return CachedOutcome::Undecided;
        }
        self.runs_left -= 1;
        let went = match self.run_case(choice) {
            VerifyOutcome::Passed => CachedOutcome::Passed,
            VerifyOutcome::Failed(how) => CachedOutcome::Failed(how.signature()),
            VerifyOutcome::Interrupted => {
                // Also stops all later trials, so that an interrupt takes effect at once.
                self.runs_left = 0;
                CachedOutcome::Undecided
            }
            VerifyOutcome::Skipped | VerifyOutcome::Declined(_) => CachedOutcome::Undecided,
        };
        self.cache.insert(choice.into(), went);
        went
    }

    /// The failure of a case.
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
            // Hostile cases belong to laws, and a law has one assertion.
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
    /// The axes with a hostile choice, in order.
    pub(super) fn hostile_axes<'a>(
        &'a self,
        choice: &'a [usize],
    ) -> impl Iterator<Item = usize> + 'a {
        let axes = self.0.iter().zip(choice).enumerate();
        axes.filter(|(_, (axis, choice))| axis.is_hostile(**choice)).map(|(at, _)| at)
    }
}
