//! Sums and records: which constructor, and then its fields.

use gainsay_core::{CtorId, LocalId, TermId, TypeId, builtin};

use super::{Deriver, Mode};
use crate::emit::Emit;
use crate::plan::{NodeId, Weight, is_weighed};

/// Sizes at which weights are computed: each counts up to the next.
const STEPS: [u32; 8] = [0, 1, 2, 4, 8, 16, 32, 64];

impl Deriver<'_> {
    pub(super) fn sum(
        &mut self,
        it: &mut Emit,
        id: NodeId,
        (named, cases): (TypeId, &[Option<Vec<NodeId>>]),
        size: LocalId,
        mode: Mode,
    ) -> TermId {
        let program = self.program;
        let ctors = &program.nominal(named).ctors;
        if let ([ctor], [Some(fields)]) = (&**ctors, cases) {
            return self.case(it, id, (*ctor, fields), size, mode);
        }
        let weights = self.plan.weights(program, named, cases);
        let height = |fields: &Vec<NodeId>| {
            let height = self.plan.case_height(fields)?;
            Some((height, self.n_sized(fields) > 0))
        };
        let heights: Vec<Option<(u32, bool)>> =
            cases.iter().map(|it| it.as_ref().and_then(height)).collect();
        // What somebody weighs is drawn by these weights in every case.
        let favours = (!is_weighed(program, named)).then(|| (named, recursive(&heights)));
        let number = self.which(it, id, (&weights, favours), &heights, size);
        let mut terms = Vec::new();
        for ((ctor, fields), height) in ctors.iter().zip(cases).zip(&heights) {
            terms.push(match fields {
                Some(fields) if height.is_some() => {
                    self.case(it, id, (*ctor, fields), size, mode)
                }
                Some(_) | None => self.discard(it, id),
            });
        }
        it.choose(number, terms)
    }

    /// Asks which constructor. With no size left it is one that ends soonest, by the height of
    /// what it makes and whether it could go on.
    fn which(
        &mut self,
        it: &mut Emit,
        id: NodeId,
        (weights, sum): (&[Weight], Option<(TypeId, u64)>),
        heights: &[Option<(u32, bool)>],
        size: LocalId,
    ) -> TermId {
        let is_sized = self.plan.node(id).is_sized;
        let least = heights.iter().flatten().min().copied();
        let possible = |at: usize, size: u32| {
            heights[at].is_some() && (size > 0 || !is_sized || heights[at] == least)
        };
        let at_size = |size: u32| -> Vec<u32> {
            let weigh =
                |(at, it): (usize, &Weight)| if possible(at, size) { it.at(size) } else { 0 };
            let weighed: Vec<u32> = weights.iter().enumerate().map(weigh).collect();
            if weighed.iter().any(|it| *it > 0) {
                return weighed;
            }
            (0..weights.len()).map(|at| u32::from(possible(at, size))).collect()
        };
        let depends = weights.iter().any(Weight::depends_on_size);
        let steps: &[u32] = match (depends, is_sized) {
            (true, _) => &STEPS,
            (false, true) => &STEPS[..2],
            (false, false) => &STEPS[1..2],
        };
        let (first, rest) = steps.split_first().expect("there is a step");
        let mut number = self.alternative_of(it, &at_size(*first), sum);
        for step in rest {
            let now = it.local(size);
            let is_larger = it.compare(builtin::GE, now, i64::from(*step));
            let larger = self.alternative_of(it, &at_size(*step), sum);
            number = it.if_(is_larger, larger, number);
        }
        number
    }

    /// A constructor with its fields, which share what is left of the size.
    fn case(
        &mut self,
        it: &mut Emit,
        id: NodeId,
        (ctor, fields): (CtorId, &[NodeId]),
        size: LocalId,
        mode: Mode,
    ) -> TermId {
        let (statements, size) = self.share(it, size, 1, self.n_sized(fields));
        let program = self.program;
        let definitions = &program.ctor(ctor).fields;
        let mut args = Vec::new();
        for (definition, field) in definitions.iter().zip(fields) {
            let value = self.value(it, *field, size, mode);
            args.push(match &definition.name {
                Some(name) if mode == Mode::Record => self.spanned(it, name, value),
                Some(_) | None => value,
            });
        }
        let ty = self.value_type(id);
        let made = it.construct(ctor, args.into(), ty);
        it.block(statements, made)
    }

    pub(super) fn one_of(
        &mut self,
        it: &mut Emit,
        id: NodeId,
        nodes: &[NodeId],
        size: LocalId,
        mode: Mode,
    ) -> TermId {
        if let [only] = nodes {
            return self.value(it, *only, size, mode);
        }
        let height = |it: &NodeId| {
            let node = self.plan.node(*it);
            node.height.map(|height| (height, node.is_sized))
        };
        let heights: Vec<Option<(u32, bool)>> = nodes.iter().map(height).collect();
        let weights = vec![Weight::Number(1); nodes.len()];
        let number = self.which(it, id, (&weights, None), &heights, size);
        let mut terms = Vec::new();
        for (node, height) in nodes.iter().zip(heights) {
            terms.push(match height {
                Some(_) => self.value(it, *node, size, mode),
                None => self.discard(it, id),
            });
        }
        it.choose(number, terms)
    }
}

/// Which constructors could go on, one bit for each of the first 64.
fn recursive(heights: &[Option<(u32, bool)>]) -> u64 {
    let bits = heights.iter().take(64).zip(0u32..);
    bits.filter(|(it, _)| it.is_some_and(|(_, goes_on)| goes_on))
        .fold(0, |mask, (_, at)| mask | 1 << at)
}
