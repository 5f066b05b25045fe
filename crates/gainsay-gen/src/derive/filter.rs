//! Refinements that are not solved: draw, look, and throw away.

use gainsay_core::{FunctionId, LocalId, Statement, TermId, TyId, TypeTable, builtin};

use super::{Deriver, Mode};
use crate::emit::Emit;
use crate::lowered::{Filter, FilterReason};
use crate::plan::NodeId;

impl Deriver<'_> {
    /// The number of a filter.
    pub(super) fn filter(&mut self, filter: Filter) -> i64 {
        let known = self.filters.iter().position(|it| *it == filter);
        let at = known.unwrap_or_else(|| {
            self.filters.push(filter);
            self.filters.len() - 1
        });
        at as i64
    }

    /// `let x = inner(); if holds(x) { x } else if reject() == 1 { again } else { discard }`.
    /// A value that is thrown away stands in a span of its own that came to nothing.
    pub(super) fn filtered(
        &mut self,
        it: &mut Emit,
        id: NodeId,
        (inner, predicate, args): (NodeId, FunctionId, Box<[TyId]>),
        size: LocalId,
        mode: Mode,
    ) -> TermId {
        let span = self.program.function(predicate).span;
        let filter = self.filter(Filter { span, why: FilterReason::Refinement(predicate) });
        let value = self.value(it, inner, size, mode);
        let (made, bind) = it.bind("made", value);
        let looked_at = it.local(made);
        let holds = it.generic_call(predicate, args, vec![looked_at], TypeTable::BOOL);
        let mut kept = it.local(made);
        if mode == Mode::Search {
            let accept = it.ask(self.ops.accept, &[filter]);
            kept = it.block(vec![Statement::Drop(accept)], kept);
        }
        let again = {
            // A little larger, in case that nothing small will do.
            let function = self.generator(id);
            let size = it.local(size);
            let size = it.arithmetic(builtin::INT_ADD, size, 1);
            let ty = self.value_type(id);
            it.call(function, vec![size], ty)
        };
        let answer = it.ask(self.ops.reject, &[filter]);
        let tries = it.is(answer, 1);
        let given_up = self.discard(it, id);
        let mut otherwise = it.if_(tries, again, given_up);
        let mut statements = vec![bind];
        if mode == Mode::Record {
            let label = self.labels.intern("try");
            let open = it.ask(self.ops.open, &[i64::from(label.0)]);
            statements.insert(0, Statement::Drop(open));
            let close = it.ask(self.ops.close, &[]);
            kept = it.block(vec![Statement::Drop(close)], kept);
            let drop = it.ask(self.ops.drop, &[]);
            otherwise = it.block(vec![Statement::Drop(drop)], otherwise);
        }
        let root = it.if_(holds, kept, otherwise);
        it.block(statements, root)
    }
}
