//! The heights of values: which nodes have values at all, and which constructors end a recursion
//! soonest.

use std::collections::HashSet;

use gainsay_core::TyId;

use super::{GeneratorPlan, PlanNode, PlanNodeId, PlanShape};
use crate::domain::LengthRange;
use crate::lowered::NoGenerator;

impl GeneratorPlan {
    /// Measures the nodes from `first` on; earlier ones are measured, and refer to none of these.
    pub(super) fn measure(&mut self, first: usize) {
        self.measure_heights(first);
        self.cap_lens(first);
        self.measure_sizes(first);
    }

    //   h(Int) = 0    h(C(x, ..)) = 1 + max h(x)    h(A | B) = min(h(A), h(B))
    //   h(List) = 0 if it may be empty, else 1 + h(item)
    //
    //   the least solution, reached from "no value at all" by fixpoint iteration
    fn measure_heights(&mut self, first: usize) {
        // From scratch: capping lengths may have taken values away.
        self.nodes[first..].iter_mut().for_each(|it| it.height = None);
        loop {
            let mut has_changed = false;
            for at in first..self.nodes.len() {
                let height = self.shape_height(&self.nodes[at].shape);
                has_changed |= height != self.nodes[at].height;
                self.nodes[at].height = height;
            }
            if !has_changed {
                return;
            }
        }
    }

    fn height(&self, id: PlanNodeId) -> Option<u32> {
        self.node(id).height
    }

    fn max_height(&self, parts: &[PlanNodeId]) -> Option<u32> {
        parts.iter().try_fold(0, |most, part| Some(self.height(*part)?.max(most)))
    }

    /// The height of the shallowest value of a constructor.
    pub(crate) fn case_height(&self, fields: &[PlanNodeId]) -> Option<u32> {
        self.max_height(fields).map(|it| it + 1)
    }

    fn shape_height(&self, shape: &PlanShape) -> Option<u32> {
        match shape {
            PlanShape::Int(_) | PlanShape::Float(_) | PlanShape::Bool(_) => Some(0),
            PlanShape::Char(_) | PlanShape::Text(_) => Some(0),
            PlanShape::Tuple(parts) => self.max_height(parts),
            PlanShape::List(item, lens) | PlanShape::Set(item, lens) => {
                self.items_height(*lens, &[*item])
            }
            PlanShape::Map(key, value, lens) => self.items_height(*lens, &[*key, *value]),
            PlanShape::Sum(_, cases) => {
                cases.iter().flatten().filter_map(|fields| self.case_height(fields)).min()
            }
            PlanShape::Function(_, result) => self.case_height(&[*result]),
            PlanShape::OneOf(nodes) => nodes.iter().filter_map(|it| self.height(*it)).min(),
            PlanShape::Filtered(inner, ..) => self.height(*inner),
            // Whatever it returns is a value; how deep it is, nobody knows.
            PlanShape::Declared(_) => Some(0),
            PlanShape::Ungeneratable(_) => None,
        }
    }

    fn items_height(&self, lens: LengthRange, items: &[PlanNodeId]) -> Option<u32> {
        if lens.min == 0 { Some(0) } else { self.case_height(items) }
    }

    /// Caps lengths: sets and maps have at most as many elements as there are distinct ones, and a
    /// container without possible elements is empty.
    fn cap_lens(&mut self, first: usize) {
        for at in first..self.nodes.len() {
            let PlanNode { ty, shape, .. } = &self.nodes[at];
            let (ty, Some(lens)) = (*ty, shape.lens()) else { continue };
            let Some(most) = self.n_different(shape) else { continue };
            let capped =
                LengthRange { max: Some(lens.max.map_or(most, |max| max.min(most))), ..lens };
            let shape = &mut self.nodes[at].shape;
            if capped.max < Some(capped.min) {
                *shape = PlanShape::Ungeneratable(NoGenerator::NoValue(ty));
            } else if let PlanShape::List(_, lens)
            | PlanShape::Set(_, lens)
            | PlanShape::Map(_, _, lens) = shape
            {
                *lens = capped;
            }
        }
        // A container that turned out to have no value may leave others without one.
        self.measure_heights(first);
    }

    /// The maximum number of distinct elements of a container, if there is such a bound.
    fn n_different(&self, shape: &PlanShape) -> Option<u32> {
        let mut is_empty = false;
        shape.each_part(&mut |part| is_empty |= self.height(part).is_none());
        if is_empty {
            return Some(0);
        }
        if let PlanShape::Set(key, _) | PlanShape::Map(key, ..) = shape {
            return self.count(*key).and_then(|it| u32::try_from(it).ok());
        }
        None
    }

    /// A node is sized if a cycle is reachable from it: computed as the complement of the nodes
    /// all of whose parts are not sized.
    fn measure_sizes(&mut self, first: usize) {
        self.nodes[first..].iter_mut().for_each(|it| it.is_sized = true);
        loop {
            let mut has_changed = false;
            for at in first..self.nodes.len() {
                // What a declared generator makes of a size is its own affair.
                let is_declared = matches!(self.nodes[at].shape, PlanShape::Declared(_));
                let (mut all_flat, mut nesting) = (!is_declared, 0);
                self.nodes[at].shape.each_part(&mut |part| {
                    all_flat &= !self.nodes[part.index()].is_sized;
                    nesting = nesting.max(self.nodes[part.index()].nesting);
                });
                let node = &mut self.nodes[at];
                if all_flat && node.is_sized {
                    has_changed = true;
                    node.is_sized = false;
                    node.nesting = nesting + u32::from(node.shape.lens().is_some());
                }
            }
            if !has_changed {
                return;
            }
        }
    }

    /// Why there is no generator for a node, if there is none: a part of it has no generator, or
    /// it has no values.
    pub(super) fn ungeneratable_reason(&self, id: PlanNodeId, ty: TyId) -> Option<NoGenerator> {
        let mut seen = HashSet::new();
        let mut pending = vec![id];
        while let Some(next) = pending.pop() {
            if !seen.insert(next) {
                continue;
            }
            let shape = &self.node(next).shape;
            shape.each_part(&mut |part| pending.push(part));
            if let PlanShape::Ungeneratable(why) = shape
                // A part without values is fine as long as other constructors avoid it.
                && !matches!(why, NoGenerator::NoValue(_))
            {
                return Some(why.clone());
            }
        }
        match (&self.node(id).shape, self.height(id)) {
            (PlanShape::Ungeneratable(why), None) => Some(why.clone()),
            (_, None) => Some(NoGenerator::NoValue(ty)),
            (_, Some(_)) => None,
        }
    }
}
