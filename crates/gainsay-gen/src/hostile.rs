//! Hostile worlds: values at the boundaries of types, and profiles that answer effects in ways that
//! do occur and are easily forgotten.

mod boundary_values;
mod combinations;
mod derived_profiles;
mod library_profiles;
mod profile_stubs;

pub(crate) use self::library_profiles::{LAST_MS, NEW_YEAR, rfc3339};

use std::collections::HashMap;

use gainsay_core::{ClaimKind, Datum, FunctionId, GivenSource, OpId, VerifyBlock, VerifyForm};

use crate::domain::Domain;
use crate::rewrite::Rewriter;

/// What hostility can do to a law.
#[derive(Debug, Clone, Default)]
pub struct HostilePlan {
    /// For each given its values at the boundary of its type, simplest first; none for stubs and
    /// worlds.
    pub boundaries: Vec<Vec<Datum>>,
    /// For each given a function of one parameter with the type of the given: it fails for values
    /// that violate a refinement.
    pub input_checks: Vec<Option<FunctionId>>,
    /// The profiles for each operation that the function declares.
    pub profiles: Vec<(OpId, Vec<HostileProfile>)>,
}

/// A hostile stub.
#[derive(Debug, Clone)]
pub struct HostileProfile {
    /// Its name, as in `frozen`.
    pub name: Box<str>,
    /// The function.
    pub function: FunctionId,
    /// The values it captures.
    pub captures: Vec<Datum>,
    /// How it answers.
    pub rule: ProfileRule,
}

/// How a profile answers.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum ProfileRule {
    /// The captured answers in order, and then the last one forever.
    Sequence,
    /// The captured answers, repeatedly.
    Cycle,
    /// A captured number, increased by another captured number each time.
    Steps,
    /// The middle of the requested range.
    Middle,
    /// The least of the range.
    Least,
    /// The greatest of the range.
    Greatest,
    /// The least, the greatest, the least, ..
    Extremes,
    /// As a function with `@profile` does.
    Declared,
}

/// The profiles of operations that were requested before.
pub(crate) type ProfileCache = HashMap<OpId, Vec<HostileProfile>>;

impl Rewriter<'_> {
    /// The hostile plan of each claim that is a law.
    pub(crate) fn hostile_plans(&mut self) -> Vec<Option<HostilePlan>> {
        let program = self.deriver.program;
        let mut cache = ProfileCache::new();
        let claims = program.claims.iter().map(|claim| match &claim.kind {
            ClaimKind::Verify(verify) if verify.form != VerifyForm::Cases => {
                Some(self.hostile_plan(verify, claim.module, &mut cache))
            }
            ClaimKind::Verify(_) | ClaimKind::Test(_) | ClaimKind::Property(..) => None,
        });
        claims.collect()
    }

    fn hostile_plan(
        &mut self,
        verify: &VerifyBlock,
        module: gainsay_core::ModuleId,
        cache: &mut ProfileCache,
    ) -> HostilePlan {
        let mut found = HostilePlan::default();
        for given in &verify.givens {
            let (values, fits) = match given.source {
                GivenSource::Values(_) | GivenSource::Range { .. } => {
                    let values = self.boundaries(given.ty, module);
                    let is_refined = self.deriver.types.erase_refinements(given.ty) != given.ty;
                    (values, is_refined.then(|| self.input_check(given.ty)))
                }
                GivenSource::Stubs(..) | GivenSource::World(_) => (Vec::new(), None),
            };
            found.boundaries.push(values);
            found.input_checks.push(fits);
        }
        let program = self.deriver.program;
        let row = program.function(verify.function).row;
        for op in program.types.get_row(row).ops.clone() {
            if !program.op(op).kind.is_stubbable() || program.op(op).n_type_params > 0 {
                continue;
            }
            let profiles = match cache.get(&op) {
                Some(profiles) => profiles.clone(),
                None => self.profiles(op, module),
            };
            cache.insert(op, profiles.clone());
            found.profiles.push((op, profiles));
        }
        found
    }

    fn boundaries(
        &mut self,
        ty: gainsay_core::TyId,
        module: gainsay_core::ModuleId,
    ) -> Vec<Datum> {
        let node = self.deriver.request_node(ty, &Domain::Any, module);
        node.map_or_else(
            |_| Vec::new(),
            |node| boundary_values::boundary_values(&self.deriver, node),
        )
    }
}
