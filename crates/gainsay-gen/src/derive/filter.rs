//! Refinements that are not solved: draw, test, and reject.

use gainsay_core::{FunctionId, LocalId, Statement, TermId, TyId, TypeTable, builtin};

use super::{Deriver, FoundBy, GeneratorMode};
use crate::core_builder::CoreBuilder;
use crate::generator_plan::PlanNodeId;
use crate::lowered::{FilterReason, RejectionFilter};

impl Deriver<'_> {
    /// The number of a filter; equal filters share one.
    pub(super) fn add_filter(&mut self, filter: RejectionFilter) -> i64 {
        let existing = self.filters.iter().position(|it| *it == filter);
        let at = existing.unwrap_or_else(|| {
            self.filters.push(filter);
            self.filters.len() - 1
        });
        at as i64
    }

    /// `let x = inner(); if holds(x) { x } else if reject() == 1 { again } else { discard }`.
    /// A rejected value is in a span of its own, which ends as discarded.
    pub(super) fn emit_filtered(
        &mut self,
        it: &mut CoreBuilder,
        id: PlanNodeId,
        (inner, predicate, args): (PlanNodeId, FunctionId, Box<[TyId]>),
        size: LocalId,
        mode: GeneratorMode,
    ) -> TermId {
        let span = self.program.function(predicate).span;
        let filter =
            self.add_filter(RejectionFilter { span, why: FilterReason::Refinement(predicate) });
        let value = match self.refinement_query(id, (inner, predicate, &args)) {
            FoundBy::Recipe(recipe) => {
                let ty = self.value_type(id);
                self.emit_recipe(it, recipe, size, Vec::new(), ty)
            }
            FoundBy::Query(query) => {
                let nothing = (it.unit(), TypeTable::UNIT);
                let ty = self.value_type(id);
                self.emit_narrow(it, query, size, nothing, ty)
            }
            FoundBy::Filter => self.emit_value(it, inner, size, mode),
        };
        let (made, bind) = it.bind("made", value);
        let looked_at = it.local(made);
        let holds = it.generic_call(predicate, args, vec![looked_at], TypeTable::BOOL);
        let mut kept = it.local(made);
        // Only the search program counts acceptances; `DrawOps::accept` is not performed while
        // recording.
        if mode == GeneratorMode::Search {
            let accept = it.perform_with_ints(self.ops.accept, &[filter]);
            kept = it.block(vec![Statement::Drop(accept)], kept);
        }
        let again = {
            // A little larger, in case no small value satisfies the predicate.
            let function = self.generator(id);
            let size = it.local(size);
            let size = it.arithmetic(builtin::INT_ADD, size, 1);
            let ty = self.value_type(id);
            it.call(function, vec![size], ty)
        };
        let answer = it.perform_with_ints(self.ops.reject, &[filter]);
        let tries = it.equals_int(answer, 1);
        let given_up = self.emit_discard(it, id);
        let mut otherwise = it.if_(tries, again, given_up);
        let mut statements = vec![bind];
        if mode == GeneratorMode::Record {
            let label = self.labels.intern("try");
            let open = it.perform_with_ints(self.ops.open, &[i64::from(label.0)]);
            statements.insert(0, Statement::Drop(open));
            let close = it.perform_with_ints(self.ops.close, &[]);
            kept = it.block(vec![Statement::Drop(close)], kept);
            let drop = it.perform_with_ints(self.ops.drop, &[]);
            otherwise = it.block(vec![Statement::Drop(drop)], otherwise);
        }
        let root = it.if_(holds, kept, otherwise);
        it.block(statements, root)
    }
}
