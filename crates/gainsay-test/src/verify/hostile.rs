//! `--hostile`: runs more cases of a law than it declares, with boundary values, hostile stubs and
//! other orders of `par`.

use gainsay_core::{Datum, VerifyBlock, par_groups};
use gainsay_gen::{HostilePlan, HostileProfile};
use gainsay_vm::{Fields, Value, same};

use super::BlockRun;
use super::axes::{
    self, Axes, Axis, AxisChoices, AxisRanges, Combination, EnumerationError, StubChoice,
    StubProfile, n_combinations,
};
use super::covering_array::CoveringArray;
use super::par_orders::orders;
use super::verify_case::{VerifyCaseRunner, VerifyOutcome};
use super::world_host::WorldHost;
use crate::claim_runner::ClaimRunner;
use crate::datum_conversion::datum_to_value;
use crate::report::CombinationCoverage;

/// Number of combinations whose `when` is evaluated to find out how many count, per case that may
/// run.
const GUARDS_PER_CASE: u64 = 10;
/// Where there are too many combinations, any this many choices are made to meet.
const MAX_STRENGTH: usize = 3;

impl ClaimRunner<'_> {
    /// Adds the hostile choices to the axes.
    pub(super) fn add_hostile_choices(
        &mut self,
        verify: &VerifyBlock,
        axes: &mut Axes,
        hostility: &HostilePlan,
    ) {
        for (at, boundaries) in hostility.boundaries.iter().enumerate() {
            for datum in boundaries {
                let Some(value) = datum_value(datum) else { continue };
                let fits = hostility.input_checks[at];
                if fits.is_none_or(|fits| self.is_accepted(fits, &value))
                    && let AxisChoices::Values(values) = &mut axes.0[at].choices
                    // A boundary that is declared anyway would run twice, and count as hostile.
                    && !values.iter().any(|it| same(it, &value))
                {
                    values.push(value);
                }
            }
        }
        for (op, profiles) in &hostility.profiles {
            let profiles = profiles.iter().filter_map(stub_of);
            // Of several givens for an operation, the last one is effective.
            let given = axes.0.iter_mut().rev().find_map(|axis| match &mut axis.choices {
                AxisChoices::Stubs(answered, stubs) if *answered == *op => Some(stubs),
                AxisChoices::Values(_)
                | AxisChoices::Stubs(..)
                | AxisChoices::World(_)
                | AxisChoices::Profiles(..)
                | AxisChoices::Orders(_) => None,
            });
            if let Some(stubs) = given {
                stubs.extend(profiles);
            } else {
                let name = self.engines.program().op_name(*op);
                let what = AxisChoices::Profiles(*op, profiles.collect());
                axes.0.push(Axis { name, choices: what, n_declared: 1 });
            }
        }
        let groups = par_groups(self.engines.program(), verify.function);
        // One order serves all groups: a group of fewer branches ignores the larger numbers.
        let orders = orders(groups.into_iter().max().unwrap_or(0));
        if !orders.is_empty() {
            let name = "orders of `par`".to_owned();
            axes.0.push(Axis { name, choices: AxisChoices::Orders(orders), n_declared: 1 });
        }
    }

    /// Whether a value belongs to a refined type.
    fn is_accepted(&mut self, fits: gainsay_core::FunctionId, value: &Value) -> bool {
        let mut host = WorldHost::new(self.engines.program());
        self.search.worker.probe(fits, std::slice::from_ref(value), &mut host).result.is_ok()
    }

    /// Runs the hostile cases of a law: all combinations if they are few enough, or as many as it
    /// takes for any two choices to meet, and any three.
    pub(super) fn run_hostile(
        &mut self,
        verify: &VerifyBlock,
        axes: &Axes,
        most: u64,
        block: &mut BlockRun,
    ) -> Result<(), EnumerationError> {
        let bounds = axes.all_ranges();
        let n_all = n_combinations(&bounds);
        let n_hostile = n_all - n_combinations(&axes.declared_ranges()).min(n_all);
        if n_hostile <= most {
            return self.run_combinations(verify, axes, &bounds, block);
        }
        if verify.when.is_some()
            // `when` alone is cheap, and often leaves few enough combinations to run them all.
            && n_all <= most.saturating_mul(GUARDS_PER_CASE)
            && let Some(guarded) = self.guarded_combinations(verify, axes, &bounds, most)?
        {
            block.report.skipped += n_hostile - guarded.len() as u64;
            let mut case = VerifyCaseRunner::new(self.engines.program(), verify);
            for choice in &guarded {
                self.run_combination(axes, choice, &mut case, block)?;
            }
            return Ok(());
        }
        let mut coverage =
            CombinationCoverage { combinations: n_all, ..CombinationCoverage::default() };
        self.run_covering(verify, axes, most, block, &mut coverage)?;
        block.report.coverage = Some(coverage);
        Ok(())
    }

    /// The hostile combinations that `when` does not skip, unless there are too many.
    fn guarded_combinations(
        &mut self,
        verify: &VerifyBlock,
        axes: &Axes,
        bounds: &AxisRanges,
        most: u64,
    ) -> Result<Option<Vec<Combination>>, EnumerationError> {
        let mut found = Vec::new();
        let mut case = VerifyCaseRunner::new(self.engines.program(), verify);
        let mut choice = axes::first_combination(bounds);
        while let Some(now) = &mut choice {
            if axes.is_hostile(now) {
                case.begin(&mut self.search.worker, axes, now);
                match case.guard(&mut self.search.worker) {
                    VerifyOutcome::Skipped => {}
                    VerifyOutcome::Interrupted => return Err(EnumerationError::Interrupted),
                    VerifyOutcome::Passed
                    | VerifyOutcome::Failed(_)
                    | VerifyOutcome::Declined(_) => {
                        if found.len() as u64 >= most {
                            return Ok(None);
                        }
                        found.push(now.clone());
                    }
                }
            }
            if !axes::next_combination(bounds, now) {
                break;
            }
        }
        Ok(Some(found))
    }

    /// Runs combinations until any two choices have met, then any three, within a budget of `most`
    /// cases. Strength 1 comes first: every single choice among declared ones.
    fn run_covering(
        &mut self,
        verify: &VerifyBlock,
        axes: &Axes,
        most: u64,
        block: &mut BlockRun,
        coverage: &mut CombinationCoverage,
    ) -> Result<(), EnumerationError> {
        let sizes: Vec<usize> = axes.0.iter().map(Axis::len).collect();
        let mut case = VerifyCaseRunner::new(self.engines.program(), verify);
        // The declared cases cover tuples, too, and need not run again for them.
        let mut ran: Vec<Combination> = block.passed_combinations().collect();
        let mut left =
            CoveringBudget { cases: most, tries: most.saturating_mul(GUARDS_PER_CASE) };
        for strength in 1..=MAX_STRENGTH {
            let Some(mut covering) = CoveringArray::new(&sizes, strength) else { break };
            for row in &ran {
                covering.cover(row);
            }
            while left.cases > 0 && left.tries > 0 {
                let Some(tuple) = covering.next_uncovered() else { break };
                // Choice 0 of every axis is a declared one.
                let mut plain = vec![0; sizes.len()];
                for (axis, choice) in &tuple {
                    plain[*axis] = *choice;
                }
                let filled = if strength == 1 { None } else { covering.fill_row(&tuple) };
                // The lookup budget is used up: this strength stays partial.
                if strength > 1 && filled.is_none() {
                    break;
                }
                // `when` may skip a filled row; the same tuple may count among declared choices.
                let rows = filled.into_iter().chain([plain.into()]);
                let mut is_covered = false;
                for row in rows {
                    left.tries = left.tries.saturating_sub(1);
                    if self.run_combination(axes, &row, &mut case, block)? {
                        left.cases -= 1;
                        covering.cover(&row);
                        ran.push(row);
                        is_covered = true;
                        break;
                    }
                }
                if !is_covered {
                    covering.exclude();
                }
            }
            if covering.is_complete() {
                coverage.strength = strength as u32;
                coverage.excluded = covering.n_excluded();
            } else {
                coverage.partial = Some((covering.n_covered(), covering.n_tuples()));
                break;
            }
        }
        Ok(())
    }
}

/// The remaining budget for covering tuples.
struct CoveringBudget {
    /// Cases that count.
    cases: u64,
    /// Cases in total, including skipped ones.
    tries: u64,
}

fn stub_of(profile: &HostileProfile) -> Option<StubChoice> {
    let captures = profile.captures.iter().map(datum_value).collect::<Option<Vec<_>>>()?;
    let value = Value::Closure(profile.function, Fields::new(captures.clone()));
    let (name, rule) = (profile.name.to_string(), profile.rule);
    let profiled = StubProfile { name, rule, captures };
    Some(StubChoice { value, profile: Some(profiled) })
}

fn datum_value(datum: &Datum) -> Option<Value> {
    datum_to_value(datum, &mut |_| None)
}
