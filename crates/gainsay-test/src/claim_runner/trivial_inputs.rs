//! Warns of conditions that leave hardly anything but trivial inputs: empty lists, single leaves. A
//! claim about these passes, and says next to nothing.

use std::collections::BTreeSet;

use gainsay_core::{Program, SearchStep, Ty, TyId, TypeId};
use gainsay_gen::FilterReason;
use gainsay_vm::Value;

use super::ClaimRunner;
use super::random_cases::{SitePlan, SiteRun};
use crate::report::{ClaimWarning, SiteStopReason};

/// The number of inputs that are looked at.
const N_SAMPLED: u64 = 40;

/// The share of trivial ones that is warned about, in percent. By-type generators leave 20 to 30 %.
const MAX_TRIVIAL_PERCENT: u64 = 80;

/// The minimum number of cases of a site.
const MIN_CASES: u64 = 100;

/// The largest size of a trivial value: one element, or one inner node.
const MAX_TRIVIAL_SIZE: u64 = 1;

impl ClaimRunner<'_> {
    /// The inputs of a site that are trivial nearly always, although their types are not. Looks at
    /// cases that are evenly spread over those that ran, so that the result depends on the seed alone.
    pub(super) fn trivial_inputs(
        &mut self,
        plan: &SitePlan,
        run: &SiteRun,
    ) -> Vec<ClaimWarning> {
        let n_run = run.tally.n_run();
        let is_worth_it = run.failing.is_empty()
            && run.stop_reason == SiteStopReason::EnoughCases
            && run.tally.cases >= MIN_CASES
            && plan.pinned_seed.is_none();
        if !is_worth_it || !self.is_restricted(plan, run) {
            return Vec::new();
        }
        let lowered = self.engines.lowered;
        let program = self.engines.program();
        let site = lowered.site(plan.site);
        let growing = GrowingTypes::of(program);
        let binders = site.binders.iter().filter(|it| growing.can_grow(program, it.ty));
        let binders: Vec<_> = binders.collect();
        if binders.is_empty() {
            return Vec::new();
        }
        let mut n_trivial = vec![0; binders.len()];
        let mut n_seen = 0;
        // Discarded cases are passed over: four tries for each input that is wanted.
        let n_tries = n_run.min(4 * N_SAMPLED);
        for at in 0..n_tries {
            if n_seen == N_SAMPLED || self.engines.is_interrupted() {
                break;
            }
            self.record.host.record(plan.case_start(at * n_run / n_tries));
            if self.rerun_for_fault(plan).is_err() {
                continue;
            }
            n_seen += 1;
            for (binder, n) in binders.iter().zip(&mut n_trivial) {
                let value = self.record.host.inputs.first(binder.id);
                let is_trivial = |it| growing.size(program, it) <= MAX_TRIVIAL_SIZE;
                *n += u64::from(value.is_some_and(is_trivial));
            }
        }
        let counted = binders.iter().zip(n_trivial);
        let many = counted.filter(|(_, n)| {
            n_seen >= N_SAMPLED / 2 && n * 100 >= MAX_TRIVIAL_PERCENT * n_seen
        });
        let warning = |(binder, n_trivial): (&&gainsay_gen::InputBinder, u64)| {
            let (span, name) = (binder.span, binder.name.to_string());
            ClaimWarning::TrivialInputs { span, name, n_trivial, n_seen }
        };
        many.map(warning).collect()
    }

    /// Whether there are conditions on the inputs of a site.
    fn is_restricted(&self, plan: &SitePlan, run: &SiteRun) -> bool {
        let lowered = self.engines.lowered;
        let site = lowered.site(plan.site);
        let is_refinement =
            |it: &usize| matches!(lowered.filters[*it].why, FilterReason::Refinement(_));
        site.condition.is_some()
            || site.filters.iter().any(is_refinement)
            || run.tally.discarded() * 3 > run.tally.n_run()
    }
}

/// The declared types whose values can have any size, because they contain themselves.
struct GrowingTypes(BTreeSet<TypeId>);

impl GrowingTypes {
    fn of(program: &Program) -> Self {
        let ids = (0..program.nominals.len() as u32).map(TypeId);
        let is_recursive = |it: &TypeId| {
            let mut reached = BTreeSet::new();
            add_parts(program, *it, &mut reached);
            reached.contains(it)
        };
        Self(ids.filter(is_recursive).collect())
    }

    /// Whether values of a type can have any size.
    fn can_grow(&self, program: &Program, ty: TyId) -> bool {
        let look = |ty: &Ty| {
            let is_growing = matches!(ty, Ty::List(_) | Ty::Set(_) | Ty::Map(..))
                || matches!(ty, Ty::Named(id, _) if self.0.contains(id));
            if is_growing { SearchStep::Found } else { SearchStep::Descend }
        };
        let mut reached = BTreeSet::new();
        let mut is_found = program.types.find(ty, &mut |_, it| look(it));
        add_types(program, ty, &mut reached);
        for id in reached {
            is_found |= self.0.contains(&id)
                || field_types(program, id)
                    .any(|it| program.types.find(it, &mut |_, it| look(it)));
        }
        is_found
    }

    /// The number of elements and of inner nodes.
    fn size(&self, program: &Program, value: &Value) -> u64 {
        let mut size = 0;
        let mut pending = vec![value];
        while let Some(next) = pending.pop() {
            match next {
                Value::Tuple(fields) => pending.extend(fields.as_slice()),
                Value::Data(ctor, fields) => {
                    let is_node = self.0.contains(&program.ctor(*ctor).ty);
                    size += u64::from(is_node && !fields.as_slice().is_empty());
                    pending.extend(fields.as_slice());
                }
                Value::List(items) => {
                    size += items.len();
                    pending.extend(items.iter());
                }
                Value::Map(table) | Value::Set(table) => {
                    size += table.len();
                    pending.extend(table.iter().map(|(_, value)| value));
                }
                Value::Int(_) | Value::Big(_) | Value::Float(_) | Value::Bool(_) => {}
                Value::Char(_) | Value::Str(_) | Value::Closure(..) => {}
            }
            if size > MAX_TRIVIAL_SIZE {
                break;
            }
        }
        size
    }
}

fn field_types(program: &Program, id: TypeId) -> impl Iterator<Item = TyId> {
    let ctors = program.nominal(id).ctors.iter();
    ctors.flat_map(|ctor| program.ctor(*ctor).fields.iter().map(|it| it.ty))
}

/// Adds the declared types that values of a declared type contain.
fn add_parts(program: &Program, id: TypeId, reached: &mut BTreeSet<TypeId>) {
    let mut pending: Vec<TypeId> = vec![id];
    while let Some(next) = pending.pop() {
        for ty in field_types(program, next) {
            program.types.find(ty, &mut |_, it| {
                if let Ty::Named(part, _) = it
                    && reached.insert(*part)
                {
                    pending.push(*part);
                }
                SearchStep::Descend
            });
        }
    }
}

/// Adds the declared types in a type, and those that their values contain.
fn add_types(program: &Program, ty: TyId, reached: &mut BTreeSet<TypeId>) {
    let mut named = Vec::new();
    program.types.find(ty, &mut |_, it| {
        if let Ty::Named(id, _) = it {
            named.push(*id);
        }
        SearchStep::Descend
    });
    for id in named {
        reached.insert(id);
        add_parts(program, id, reached);
    }
}
