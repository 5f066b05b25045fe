//! Refinement checks: predicates of a simple type are called directly, and the runtime walks all
//! other types.

use cranelift_codegen::ir::Value;
use gainsay_core::{FunctionId, TermId, Ty, TyId};

use super::Emitter;
use crate::jit::runtime::RuntimeCall;

/// The role of a value that is checked, as compiled code passes it.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum RefinedRoleCode {
    /// A parameter, by index.
    Argument(u32),
    Result,
    Part,
}

impl RefinedRoleCode {
    /// Packed into one integer.
    fn packed(self) -> u64 {
        match self {
            Self::Part => 0,
            Self::Result => 1,
            Self::Argument(param) => u64::from(param) + 2,
        }
    }

    /// The inverse of [`Self::packed`].
    pub(crate) fn unpacked(packed: u64) -> Self {
        match packed {
            0 => Self::Part,
            1 => Self::Result,
            param => Self::Argument(param as u32 - 2),
        }
    }
}

impl Emitter<'_, '_> {
    pub(super) fn refine(&mut self, id: TermId, value: TermId, ty: TyId) -> Value {
        let word = self.word_of(value);
        if self.is_refined(ty) {
            let site = self.site(id);
            self.check_refinement(word, ty, site, RefinedRoleCode::Part);
        }
        word
    }

    /// Propagates a fault if a word is outside its type.
    pub(super) fn check_refinement(
        &mut self,
        word: Value,
        ty: TyId,
        site: Value,
        role: RefinedRoleCode,
    ) {
        let role = self.constant(role.packed());
        // A refinement inside a list or field: only the runtime can find all values to check.
        let Some(predicates) = self.predicates(ty) else {
            let ty = self.constant(u64::from(ty.0));
            self.call_runtime_or_exit(
                RuntimeCall::CheckRefinement,
                &[site, ty, role, word, self.depth],
            );
            return;
        };
        // An outer predicate may rely on what an inner one has established.
        for (refined, predicate) in predicates {
            // A call like any other: a predicate may fault or run out of steps.
            let holds = self.call_words(predicate, &[word]);
            let ty = self.constant(u64::from(refined.0));
            self.fault_unless(holds, |it| {
                it.call_rarely(RuntimeCall::RefinementFailed, &[site, ty, role]);
            });
        }
    }

    /// The predicates around a type that has no refinements inside, innermost first.
    fn predicates(&self, mut ty: TyId) -> Option<Vec<(TyId, FunctionId)>> {
        let types = &self.unit.program.types;
        let mut predicates = Vec::new();
        while let Ty::Refined { base, predicate, .. } = types.get(ty) {
            predicates.push((ty, *predicate));
            ty = *base;
        }
        // Collected from the outside in, but checked from the inside out.
        predicates.reverse();
        (!types.flags(ty).has_refinement()).then_some(predicates)
    }
}
