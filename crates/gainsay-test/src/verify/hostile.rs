//! `--hostile`: more cases of a law than are written, and which of them fail for the same
//! reason.

use std::collections::HashSet;

use gainsay_core::{Datum, Verify, par_groups};
use gainsay_gen::Hostility;
use gainsay_vm::{Fields, Value, same};

use super::case::How;
use super::domain::{Axes, Axis, Bounds, Choice, Trouble, Varied};
use super::orders::orders;
use super::told::Failed;
use super::world_host::WorldHost;
use super::{BlockRun, MOST_TOLD};
use crate::attack::Attacker;
use crate::data::value_of;
use crate::findings::Scope;

impl Attacker<'_> {
    /// Adds what hostility varies.
    pub(super) fn add_hostility(
        &mut self,
        verify: &Verify,
        axes: &mut Axes,
        hostility: &Hostility,
    ) {
        for (at, boundaries) in hostility.boundaries.iter().enumerate() {
            for datum in boundaries {
                let Some(value) = plain(datum) else { continue };
                let fits = hostility.fits[at];
                if fits.is_none_or(|fits| self.is_accepted(fits, &value))
                    && let Varied::Values(values) = &mut axes.0[at].what
                    && !values.iter().any(|it| same(it, &value))
                {
                    values.push(value);
                }
            }
        }
        for (op, profiles) in &hostility.profiles {
            let stubs = profiles.iter().filter_map(|it| {
                let captures = it.captures.iter().map(plain).collect::<Option<Vec<_>>>()?;
                let stub = Value::Closure(it.function, Fields::new(captures));
                Some((it.name.to_string(), stub))
            });
            let stubs: Vec<(String, Value)> = stubs.collect();
            let name = self.engines.program().op_name(*op);
            axes.0.push(Axis { name, what: Varied::Profiles(*op, stubs), n_declared: 1 });
        }
        let groups = par_groups(self.engines.program(), verify.function);
        let orders = orders(groups.into_iter().max().unwrap_or(0));
        if !orders.is_empty() {
            let name = "orders of `par`".to_owned();
            axes.0.push(Axis { name, what: Varied::Orders(orders), n_declared: 1 });
        }
    }

    /// Whether a value is of a refined type.
    fn is_accepted(&mut self, fits: gainsay_core::FunctionId, value: &Value) -> bool {
        let mut host = WorldHost::new(self.engines.program());
        self.search.worker.probe(fits, std::slice::from_ref(value), &mut host).result.is_ok()
    }

    /// Runs what hostility adds to a law.
    pub(super) fn run_hostile(
        &mut self,
        verify: &Verify,
        axes: &Axes,
        most: u64,
        block: &mut BlockRun,
    ) -> Result<(), Trouble> {
        let worlds = axes.hostile_bounds();
        let mut n_all = 0_u64;
        for bounds in &worlds {
            let sizes = bounds.iter().map(|it| it.len() as u64);
            n_all = n_all.saturating_add(sizes.fold(1, u64::saturating_mul));
        }
        if n_all > most {
            // The larger of the two says why there are so many.
            let worst = worlds.iter().max_by_key(|it| {
                it.iter().map(|it| it.len() as u64).fold(1, u64::saturating_mul)
            });
            let factors = worst.map_or_else(Vec::new, |bounds| axes.factors(bounds));
            return Err(Trouble::TooMany(factors, Scope::Hostile));
        }
        for bounds in &worlds {
            self.run_combinations(verify, axes, bounds, block)?;
        }
        Ok(())
    }
}

fn plain(datum: &Datum) -> Option<Value> {
    value_of(datum, &mut |_| None)
}

impl Axes {
    /// The combinations with the worlds that are written, and those in which a profile answers
    /// every operation.
    fn hostile_bounds(&self) -> Vec<Bounds> {
        let written = self.0.iter().map(|axis| match axis.what {
            Varied::Profiles(..) => 0..1,
            Varied::Values(_) | Varied::Stubs(..) | Varied::World(_) | Varied::Orders(_) => {
                0..axis.len()
            }
        });
        let mut all = vec![written.collect()];
        if self.0.iter().any(|axis| matches!(axis.what, Varied::Profiles(..))) {
            let switched = self.0.iter().map(|axis| match axis.what {
                Varied::Profiles(..) => 1..axis.len(),
                Varied::Stubs(..) | Varied::World(_) => 0..1,
                Varied::Values(_) | Varied::Orders(_) => 0..axis.len(),
            });
            all.push(switched.collect());
        }
        all
    }
}

/// Puts together failures of hostile cases that need the same hostility: whatever fails in a
/// world that is nearly normal fails in many others for the same reason. What is left is the
/// simplest of each group, which knows how many are like it, as far as it is told.
pub(super) fn grouped(
    axes: &Axes,
    failed: Vec<Failed>,
    passed: &HashSet<Choice>,
) -> Vec<Failed> {
    let failing: HashSet<(usize, Choice)> =
        failed.iter().map(|it| (it.assertion, it.choice.clone())).collect();
    let (hostile, mut groups): (Vec<Failed>, Vec<Failed>) =
        failed.into_iter().partition(|it| axes.is_hostile(&it.choice));
    let mut hostile: Vec<(usize, Failed)> =
        hostile.into_iter().map(|it| (axes.n_deviations(&it.choice), it)).collect();
    hostile.sort_by_key(|(n_deviations, _)| *n_deviations);
    let n_declared = groups.len();
    for (_, mut it) in hostile {
        let known = groups[n_declared..].iter_mut().find(|group| is_alike(axes, group, &it));
        if let Some(group) = known {
            group.others += 1;
        } else if groups.len() < MOST_TOLD {
            let matters = |at| matters(axes, at, &it, &failing, passed);
            it.matters = (0..axes.0.len()).map(matters).collect();
            groups.push(it);
        }
    }
    groups
}

impl Axes {
    /// How far a case is from what is normal.
    fn n_deviations(&self, choice: &[usize]) -> usize {
        self.0.iter().zip(choice).filter(|(axis, choice)| axis.deviates(**choice)).count()
    }
}

impl Axis {
    /// Whether a choice is not normal. The first profile of an operation is.
    pub(super) fn deviates(&self, choice: usize) -> bool {
        match self.what {
            Varied::Profiles(..) => choice > 1,
            Varied::Values(_) | Varied::Orders(_) => self.is_hostile(choice),
            Varied::Stubs(..) | Varied::World(_) => false,
        }
    }
}

/// Whether the choice of an axis matters: another choice passes, or no other one was tried.
fn matters(
    axes: &Axes,
    at: usize,
    it: &Failed,
    failing: &HashSet<(usize, Choice)>,
    passed: &HashSet<Choice>,
) -> bool {
    let mut other = it.choice.clone();
    let mut fails_too = false;
    for choice in (0..axes.0[at].len()).filter(|choice| *choice != it.choice[at]) {
        other[at] = choice;
        if passed.contains(&other) {
            return true;
        }
        fails_too |= failing.contains(&(it.assertion, other.clone()));
    }
    !fails_too
}

fn is_alike(axes: &Axes, group: &Failed, it: &Failed) -> bool {
    let same_way = match (&group.how, &it.how) {
        (How::Mismatch { .. }, How::Mismatch { .. }) => true,
        (How::UnexpectedErr(_), How::UnexpectedErr(_)) => true,
        (How::Fault(a, x), How::Fault(b, y)) => {
            a == b && std::mem::discriminant(x) == std::mem::discriminant(y)
        }
        (How::Mismatch { .. } | How::UnexpectedErr(_) | How::Fault(..), _) => false,
    };
    let same_choice = |at: usize| {
        let (axis, a, b) = (&axes.0[at], group.choice[at], it.choice[at]);
        let both_boundary = matches!(axis.what, Varied::Values(_)) && axis.is_hostile(b);
        a == b || !axis.deviates(a) || !group.matters[at] || both_boundary
    };
    same_way && group.assertion == it.assertion && (0..axes.0.len()).all(same_choice)
}
