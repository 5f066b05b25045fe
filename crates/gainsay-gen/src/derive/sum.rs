//! Sums and records: draws the constructor, and then its fields.

use gainsay_core::{ConstructorWeight, CtorId, LocalId, TermId, TypeId, builtin};

use super::{Deriver, GeneratorMode};
use crate::core_builder::CoreBuilder;
use crate::generator_plan::PlanNodeId;

/// Sizes at which weights are computed: each applies up to the next.
const STEPS: [u32; 8] = [0, 1, 2, 4, 8, 16, 32, 64];

impl Deriver<'_> {
    pub(super) fn emit_sum(
        &mut self,
        it: &mut CoreBuilder,
        id: PlanNodeId,
        (named, cases): (TypeId, &[Option<Vec<PlanNodeId>>]),
        size: LocalId,
        mode: GeneratorMode,
    ) -> TermId {
        let program = self.program;
        let ctors = &program.nominal(named).ctors;
        // A record: there is no constructor to choose.
        if let ([ctor], [Some(fields)]) = (&**ctors, cases) {
            return self.emit_constructor(it, id, (*ctor, fields), size, mode);
        }
        let weights = self.plan.weights(program, named, cases);
        let height = |fields: &Vec<PlanNodeId>| {
            let height = self.plan.case_height(fields)?;
            Some((height, self.count_sized(fields) > 0))
        };
        let heights: Vec<Option<(u32, bool)>> =
            cases.iter().map(|it| it.as_ref().and_then(height)).collect();
        // Declared weights apply as they are in every case.
        let favours = program.nominal(named).weights.is_none();
        let favours = favours.then(|| (named, recursive_constructors(&heights)));
        let is_sized = self.plan.node(id).is_sized;
        let how = (&weights[..], favours, is_sized);
        let number = self.emit_constructor_index(it, how, &heights, size);
        let mut terms = Vec::new();
        for ((ctor, fields), height) in ctors.iter().zip(cases).zip(&heights) {
            terms.push(match fields {
                Some(fields) if height.is_some() => {
                    self.emit_constructor(it, id, (*ctor, fields), size, mode)
                }
                Some(_) | None => self.emit_discard(it, id),
            });
        }
        it.choose_by_index(number, terms)
    }

    /// Draws the index of a constructor. With no size left, only those that end soonest are
    /// possible: of the least height, and preferably without recursive fields.
    pub(super) fn emit_constructor_index(
        &mut self,
        it: &mut CoreBuilder,
        (weights, sum, is_sized): (&[ConstructorWeight], Option<(TypeId, u64)>, bool),
        heights: &[Option<(u32, bool)>],
        size: LocalId,
    ) -> TermId {
        let least = heights.iter().flatten().min().copied();
        let possible = |at: usize, size: u32| {
            heights[at].is_some() && (size > 0 || !is_sized || heights[at] == least)
        };
        let at_size = |size: u32| -> Vec<u32> {
            let weigh = |(at, it): (usize, &ConstructorWeight)| {
                if possible(at, size) { it.at(size) } else { 0 }
            };
            let weighed: Vec<u32> = weights.iter().enumerate().map(weigh).collect();
            if weighed.iter().any(|it| *it > 0) {
                return weighed;
            }
            // All possible weights are zero: draw evenly, since some constructor has to be drawn.
            (0..weights.len()).map(|at| u32::from(possible(at, size))).collect()
        };
        let depends = weights.iter().any(ConstructorWeight::depends_on_size);
        let steps: &[u32] = match (depends, is_sized) {
            (true, _) => &STEPS,
            (false, true) => &STEPS[..2],
            (false, false) => &STEPS[1..2],
        };
        let (first, rest) = steps.split_first().expect("there is a step");
        let mut number = self.emit_constructor_choice(it, &at_size(*first), sum);
        // A chain of tests `size >= step`; the last that holds wins, since later tests wrap
        // earlier ones.
        for step in rest {
            let now = it.local(size);
            let is_larger = it.compare(builtin::GE, now, i64::from(*step));
            let larger = self.emit_constructor_choice(it, &at_size(*step), sum);
            number = it.if_(is_larger, larger, number);
        }
        number
    }

    /// A constructor with its fields, which share what is left of the size.
    fn emit_constructor(
        &mut self,
        it: &mut CoreBuilder,
        id: PlanNodeId,
        (ctor, fields): (CtorId, &[PlanNodeId]),
        size: LocalId,
        mode: GeneratorMode,
    ) -> TermId {
        let (statements, size) = self.emit_size_share(it, size, 1, self.count_sized(fields));
        let program = self.program;
        let definitions = &program.ctor(ctor).fields;
        let mut args = Vec::new();
        for (definition, field) in definitions.iter().zip(fields) {
            let value = self.emit_value(it, *field, size, mode);
            args.push(match &definition.name {
                Some(name) if mode == GeneratorMode::Record => {
                    self.wrap_in_span(it, name, value)
                }
                Some(_) | None => value,
            });
        }
        let ty = self.value_type(id);
        let made = it.construct(ctor, args.into(), ty);
        it.block(statements, made)
    }

    pub(super) fn emit_one_of(
        &mut self,
        it: &mut CoreBuilder,
        id: PlanNodeId,
        nodes: &[PlanNodeId],
        size: LocalId,
        mode: GeneratorMode,
    ) -> TermId {
        if let [only] = nodes {
            return self.emit_value(it, *only, size, mode);
        }
        let height = |it: &PlanNodeId| {
            let node = self.plan.node(*it);
            node.height.map(|height| (height, node.is_sized))
        };
        let heights: Vec<Option<(u32, bool)>> = nodes.iter().map(height).collect();
        let weights = vec![ConstructorWeight::Number(1); nodes.len()];
        let is_sized = self.plan.node(id).is_sized;
        let how = (&weights[..], None, is_sized);
        let number = self.emit_constructor_index(it, how, &heights, size);
        let mut terms = Vec::new();
        for (node, height) in nodes.iter().zip(heights) {
            terms.push(match height {
                Some(_) => self.emit_value(it, *node, size, mode),
                None => self.emit_discard(it, id),
            });
        }
        it.choose_by_index(number, terms)
    }
}

/// The recursive constructors, as a bit mask of the first 64.
pub(super) fn recursive_constructors(heights: &[Option<(u32, bool)>]) -> u64 {
    let bits = heights.iter().take(64).zip(0u32..);
    bits.filter(|(it, _)| it.is_some_and(|(_, goes_on)| goes_on))
        .fold(0, |mask, (_, at)| mask | 1 << at)
}
