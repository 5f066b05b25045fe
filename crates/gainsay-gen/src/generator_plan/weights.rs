//! How likely each constructor is: as `@weights` declares, or so that recursion goes on for a
//! while.

use gainsay_core::{ConstructorWeight, Program, TypeId, usual_weights};

use super::{GeneratorPlan, PlanNodeId};

impl GeneratorPlan {
    /// The weights of the constructors of a sum, 0 for those that are excluded.
    pub(crate) fn weights(
        &self,
        program: &Program,
        named: TypeId,
        cases: &[Option<Vec<PlanNodeId>>],
    ) -> Vec<ConstructorWeight> {
        let declared = program.nominal(named).weights.as_deref().unwrap_or_default();
        let declared = declared.iter().cloned().chain(std::iter::repeat(None));
        let default = self.usual_weights(cases);
        let is_out = |case: &Option<Vec<PlanNodeId>>| {
            case.as_ref().is_none_or(|it| self.case_height(it).is_none())
        };
        let each = cases.iter().zip(default).zip(declared);
        each.map(|((case, default), declared)| {
            if is_out(case) {
                ConstructorWeight::Number(0)
            } else {
                declared.unwrap_or(ConstructorWeight::Number(default))
            }
        })
        .collect()
    }

    /// Weights for constructors without declared weights.
    fn usual_weights(&self, cases: &[Option<Vec<PlanNodeId>>]) -> Vec<u32> {
        let width =
            |fields: &[PlanNodeId]| fields.iter().map(|it| self.width(*it)).sum::<usize>();
        let widths: Vec<Option<usize>> =
            cases.iter().map(|it| it.as_ref().map(|fields| width(fields))).collect();
        usual_weights(&widths)
    }
}

impl GeneratorPlan {
    /// The number of recursive positions in values of a node: a container counts as two.
    fn width(&self, id: PlanNodeId) -> usize {
        let node = self.node(id);
        if !node.is_sized {
            return 0;
        }
        match node.shape.inner() {
            Some(inner) => self.width(inner),
            None if node.shape.lens().is_some() => 2,
            None => 1,
        }
    }
}
