//! Which hostile cases fail for the same reason, and the simplest of them.
//!
//! A failing case is first brought back to what is written, axis by axis, as far as it goes on
//! failing in the same way: what is left is to blame, all of it. Cases that have the same to
//! blame are one failure.

use std::collections::{HashMap, HashSet};
use std::mem::Discriminant;

use gainsay_core::Verify;
use gainsay_vm::FaultKind;

use super::case::{CaseEnd, CaseRun, How, Part};
use super::domain::{Axes, Choice, Varied};
use super::told::Failed;
use crate::attack::Attacker;

/// Failures of one block that are told apart.
pub(super) const MOST_GROUPS: usize = 50;
/// Cases that are run to find out what is to blame, besides those that were run already.
const MOST_TRIALS: u64 = 2_000;
/// Choices of an axis that are written which a case is brought back to.
const MOST_DECLARED: usize = 8;

/// How a case fails, as far as it tells failures apart.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum Way {
    Mismatch,
    UnexpectedErr,
    Fault(Part, Discriminant<FaultKind>),
}

impl How {
    pub(super) fn way(&self) -> Way {
        match self {
            Self::Mismatch { .. } => Way::Mismatch,
            Self::UnexpectedErr(_) => Way::UnexpectedErr,
            Self::Fault(part, kind) => Way::Fault(*part, std::mem::discriminant(kind)),
        }
    }
}

/// How a case went.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
enum Went {
    Passed,
    Failed(Way),
    /// It does not count, or nobody knows.
    Otherwise,
}

impl Attacker<'_> {
    /// Failures, those that are written first: the simplest of each group, which knows how many
    /// are like it. At most [`MOST_GROUPS`] are of hostility.
    pub(super) fn grouped(
        &mut self,
        verify: &Verify,
        axes: &Axes,
        failed: Vec<Failed>,
        passed: HashSet<Choice>,
    ) -> Vec<Failed> {
        let (hostile, declared): (Vec<Failed>, Vec<Failed>) =
            failed.into_iter().partition(|it| axes.is_hostile(&it.choice));
        if hostile.is_empty() {
            return declared;
        }
        let all = declared.iter().chain(&hostile);
        let failing = all.map(|it| (it.choice.clone(), Went::Failed(it.how.way())));
        let known = failing.chain(passed.into_iter().map(|it| (it, Went::Passed))).collect();
        let case = CaseRun::new(self.engines.program(), verify);
        let mut trials = Trials { attacker: self, axes, case, known, left: MOST_TRIALS };
        let mut hostile: Vec<(usize, Failed)> =
            hostile.into_iter().map(|it| (axes.hostile_at(&it.choice).count(), it)).collect();
        hostile.sort_by_key(|(n_hostile, _)| *n_hostile);
        let mut groups: Vec<Failed> = Vec::new();
        for (_, mut it) in hostile {
            if trials.join(&mut groups, &it.choice, it.how.way()) {
                continue;
            }
            if groups.len() >= MOST_GROUPS {
                continue;
            }
            trials.simplify(&mut it);
            if !trials.join(&mut groups, &it.choice, it.how.way()) {
                it.free =
                    (0..axes.0.len()).map(|at| trials.others_that_fail(at, &it)).collect();
                groups.push(it);
            }
        }
        declared.into_iter().chain(groups).collect()
    }
}

/// Runs cases to find out what matters.
struct Trials<'a, 'l> {
    attacker: &'a mut Attacker<'l>,
    axes: &'a Axes,
    case: CaseRun<'a>,
    known: HashMap<Choice, Went>,
    /// How many cases may still be run.
    left: u64,
}

impl Trials<'_, '_> {
    /// Counts a failing case to the group it belongs to, if there is one.
    fn join(&mut self, groups: &mut [Failed], choice: &[usize], way: Way) -> bool {
        for group in groups {
            if self.is_alike(group, choice, way) {
                group.others += 1;
                return true;
            }
        }
        false
    }

    /// Whether a case has to blame what a group has to blame.
    fn is_alike(&mut self, group: &Failed, choice: &[usize], way: Way) -> bool {
        if group.how.way() != way {
            return false;
        }
        let mut other = group.choice.clone();
        for at in self.axes.hostile_at(&group.choice) {
            let axis = &self.axes.0[at];
            let is_value = matches!(axis.what, Varied::Values(_));
            if choice[at] != other[at] && !(is_value && axis.is_hostile(choice[at])) {
                return false;
            }
            other[at] = choice[at];
        }
        // One value at a boundary stands for all of them that fail by themselves.
        other == group.choice || self.went(&other) == Went::Failed(way)
    }

    /// Brings a case back to what is written as far as it fails in the same way. Something of
    /// hostility stays.
    fn simplify(&mut self, it: &mut Failed) {
        let way = it.how.way();
        let mut now = it.choice.clone();
        let mut is_simpler = true;
        while is_simpler {
            is_simpler = false;
            let hostile: Vec<usize> = self.axes.hostile_at(&now).collect();
            for at in hostile {
                if self.axes.hostile_at(&now).count() == 1 {
                    break;
                }
                let mut other = now.clone();
                for declared in 0..self.axes.0[at].n_declared.min(MOST_DECLARED) {
                    other[at] = declared;
                    if self.went(&other) == Went::Failed(way) {
                        now = other;
                        is_simpler = true;
                        break;
                    }
                }
            }
        }
        if now != it.choice
            && let Some(how) = self.how(&now)
        {
            (it.choice, it.how) = (now, how);
        }
    }

    /// How many other choices of an axis fail, if all do that were tried: then it does not matter
    /// which one is made. What `when` leaves out was not tried.
    fn others_that_fail(&mut self, at: usize, it: &Failed) -> Option<u64> {
        let mut other = it.choice.clone();
        let mut n_failed = 0;
        for choice in (0..self.axes.0[at].len()).filter(|choice| *choice != it.choice[at]) {
            other[at] = choice;
            match self.went(&other) {
                Went::Passed => return None,
                Went::Failed(_) => n_failed += 1,
                Went::Otherwise if self.left == 0 => return None,
                Went::Otherwise => {}
            }
        }
        (n_failed > 0).then_some(n_failed)
    }

    /// How a case goes, which is run if it was not.
    fn went(&mut self, choice: &[usize]) -> Went {
        if let Some(known) = self.known.get(choice) {
            return *known;
        }
        if self.left == 0 {
            return Went::Otherwise;
        }
        self.left -= 1;
        let went = match self.end(choice) {
            CaseEnd::Passed => Went::Passed,
            CaseEnd::Failed(how) => Went::Failed(how.way()),
            CaseEnd::Interrupted => {
                self.left = 0;
                Went::Otherwise
            }
            CaseEnd::Skipped | CaseEnd::Declined(_) => Went::Otherwise,
        };
        self.known.insert(choice.into(), went);
        went
    }

    /// What goes wrong in a case.
    fn how(&mut self, choice: &[usize]) -> Option<How> {
        match self.end(choice) {
            CaseEnd::Failed(how) => Some(how),
            CaseEnd::Passed
            | CaseEnd::Skipped
            | CaseEnd::Declined(_)
            | CaseEnd::Interrupted => None,
        }
    }

    fn end(&mut self, choice: &[usize]) -> CaseEnd {
        let worker = &mut self.attacker.search.worker;
        self.case.begin(worker, self.axes, choice);
        match self.case.guard(worker) {
            // A law claims one thing.
            CaseEnd::Passed => self.case.compare(worker, self.attacker.engines.program(), 0),
            end @ (CaseEnd::Skipped
            | CaseEnd::Failed(_)
            | CaseEnd::Declined(_)
            | CaseEnd::Interrupted) => end,
        }
    }
}

impl Axes {
    /// The axes whose choice is not written, in order.
    pub(super) fn hostile_at<'a>(
        &'a self,
        choice: &'a [usize],
    ) -> impl Iterator<Item = usize> + 'a {
        let axes = self.0.iter().zip(choice).enumerate();
        axes.filter(|(_, (axis, choice))| axis.is_hostile(**choice)).map(|(at, _)| at)
    }
}
