//! Types with a default generator: values are what it returns.

use gainsay_core::{FunctionId, LocalId, Statement, TermId, TypeTable};

use super::Deriver;
use crate::core_builder::CoreBuilder;
use crate::generator_plan::PlanNodeId;

impl Deriver<'_> {
    /// `{ let before = Gen.size(); Gen.set_size(size); let value = f(); Gen.set_size(before); value }`:
    /// inside other values, the function is asked for values of the size that is left.
    pub(super) fn emit_declared(
        &mut self,
        it: &mut CoreBuilder,
        id: PlanNodeId,
        function: FunctionId,
        size: LocalId,
    ) -> TermId {
        let ty = self.value_type(id);
        let value = it.call(function, Vec::new(), ty);
        let (Some(get), Some(set)) = (self.ops.gen_.size, self.ops.gen_.set_size) else {
            return value;
        };
        let now = it.perform(get, Vec::new(), TypeTable::INT);
        let (before, bind_before) = it.bind("before", now);
        let size = it.local(size);
        let shrink = it.perform(set, vec![size], TypeTable::UNIT);
        let (made, bind_made) = it.bind("made", value);
        let before = it.local(before);
        let restore = it.perform(set, vec![before], TypeTable::UNIT);
        let made = it.local(made);
        let statements =
            vec![bind_before, Statement::Drop(shrink), bind_made, Statement::Drop(restore)];
        it.block(statements, made)
    }
}
