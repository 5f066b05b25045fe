//! Lists, sets and maps: draw "one more?" before each element, so that shrinking can delete one
//! element without touching the others.

use gainsay_choice::Kind;
use gainsay_core::{Function, LocalId, Statement, TermId, TyId, TypeTable, builtin};

use super::text::more_elements_kind;
use super::{Deriver, GeneratorMode};
use crate::core_builder::CoreBuilder;
use crate::domain::LengthRange;
use crate::generator_plan::PlanNodeId;
use crate::lowered::{ContainerKind, FilterReason, RejectionFilter};

/// The usual number of elements in large cases; containers of containers have fewer.
pub(super) const AVERAGE_LEN: u32 = 10;

/// A number of elements at which every container ends.
pub(super) const ENOUGH: i64 = 1 << 30;

/// What the loop over the elements of a container needs.
struct ContainerLoop {
    id: PlanNodeId,
    ty: TyId,
    lens: LengthRange,
    /// Its elements, or its keys and values.
    parts: Vec<PlanNodeId>,
    mode: GeneratorMode,
}

impl Deriver<'_> {
    pub(super) fn emit_list(
        &mut self,
        it: &mut CoreBuilder,
        id: PlanNodeId,
        size: LocalId,
        mode: GeneratorMode,
    ) -> TermId {
        let each = self.container_loop(id, mode);
        let grow = self.auxiliary_function(id, 0);
        let function = self.list_loop_function(id, &each);
        self.define(mode, grow, function);
        let n = it.int(0);
        let left = it.local(size);
        it.call(grow, vec![n, left], each.ty)
    }

    fn container_loop(&mut self, id: PlanNodeId, mode: GeneratorMode) -> ContainerLoop {
        let mut parts = Vec::new();
        let shape = &self.plan.node(id).shape;
        shape.each_part(&mut |part| parts.push(part));
        let lens = shape.lens().unwrap_or(LengthRange::ANY);
        ContainerLoop { id, ty: self.value_type(id), lens, parts, mode }
    }

    /// The number of a container; equal ones share one.
    pub(super) fn container_number(&mut self, container: ContainerKind) -> i64 {
        let existing = self.containers.iter().position(|it| *it == container);
        let at = existing.unwrap_or_else(|| {
            self.containers.push(container);
            self.containers.len() - 1
        });
        at as i64
    }

    /// Draws whether one more element follows.
    fn emit_more_check(
        &mut self,
        it: &mut CoreBuilder,
        each: &ContainerLoop,
        n: LocalId,
        left: LocalId,
    ) -> TermId {
        let node = self.plan.node(each.id);
        let is_sized = node.is_sized;
        // Half as long for each further level of nesting, down to a quarter.
        let average_len = (AVERAGE_LEN >> node.nesting.saturating_sub(1).min(2)).max(2);
        let mut lens = each.lens;
        if is_sized {
            lens.max = Some(lens.max.unwrap_or(u32::MAX).min(ENOUGH as u32));
        }
        let kind = self.intern_kind(Kind::MoreElements(more_elements_kind(lens, average_len)));
        let (op, first) = match each.mode {
            GeneratorMode::Search => (self.ops.more, i64::from(kind.number())),
            GeneratorMode::Record => {
                let element =
                    self.labels.intern(&format!("{}[]", self.value_name(each.parts[0])));
                let container = ContainerKind { more: kind, element };
                (self.ops.element, self.container_number(container))
            }
        };
        let first = it.int(first);
        let mut count = it.local(n);
        if is_sized {
            // With no size left, the container ends as soon as its minimum length allows. Counting
            // as `ENOUGH` elements, which is above the maximum, makes the answer forced: a "no"
            // without chance.
            let left = it.local(left);
            let is_over = it.compare(builtin::LE, left, 0);
            let n_now = it.local(n);
            let has_enough = it.compare(builtin::GE, n_now, i64::from(each.lens.min));
            let ends = it.and(is_over, has_enough);
            let enough = it.int(ENOUGH);
            count = it.if_(ends, enough, count);
        }
        let answer = it.perform(op, vec![first, count], TypeTable::INT);
        it.equals_int(answer, 1)
    }

    /// Draws the parts of one element; also returns the size that is left for the elements after
    /// it.
    fn emit_element(
        &mut self,
        it: &mut CoreBuilder,
        each: &ContainerLoop,
        left: LocalId,
    ) -> (Vec<Statement>, Vec<LocalId>, LocalId) {
        let mut statements = Vec::new();
        let (mut size, mut rest) = (left, left);
        if self.plan.node(each.id).is_sized {
            // Half for this element, the other half for all others: every element halves what is
            // left, so the total size of a container of containers stays bounded.
            let now = it.local(left);
            let half =
                it.arithmetic(builtin::INT_DIV, now, 2 * self.count_sized(&each.parts).max(1));
            let (local, bind) = it.bind("share", half);
            statements.push(bind);
            size = local;
            let now = it.local(left);
            let half = it.arithmetic(builtin::INT_DIV, now, 2);
            let now = it.local(left);
            let other = it.builtin(builtin::INT_SUB, &[], &[now, half], TypeTable::INT);
            // One for the element itself, so that the size runs out even where halves round to 0.
            let other = it.arithmetic(builtin::INT_SUB, other, 1);
            let (local, bind) = it.bind("rest", other);
            statements.push(bind);
            rest = local;
        }
        let mut locals = Vec::new();
        for part in &each.parts {
            let value = self.emit_value(it, *part, size, each.mode);
            let (local, bind) = it.bind("element", value);
            statements.push(bind);
            locals.push(local);
        }
        if each.mode == GeneratorMode::Record {
            let close = it.perform_with_ints(self.ops.close, &[]);
            statements.push(Statement::Drop(close));
        }
        (statements, locals, rest)
    }

    /// `if more(n) { [item, ..grow(n + 1)] } else { [] }`.
    fn list_loop_function(&mut self, id: PlanNodeId, each: &ContainerLoop) -> Function {
        let grow = self.auxiliary_function(id, 0);
        let mut it = CoreBuilder::new(self.span);
        let n = it.param("n", TypeTable::INT);
        let left = it.param("left", TypeTable::INT);
        let goes_on = self.emit_more_check(&mut it, each, n, left);
        let (statements, locals, rest) = self.emit_element(&mut it, each, left);
        let items = it.locals(&locals);
        let count = it.local(n);
        let next = it.arithmetic(builtin::INT_ADD, count, 1);
        let rest = it.local(rest);
        let rest = it.call(grow, vec![next, rest], each.ty);
        let longer = it.list(&items, Some(rest), each.ty);
        let longer = it.block(statements, longer);
        let end = it.list(&[], None, each.ty);
        let root = it.if_(goes_on, longer, end);
        it.finish(self.header("elements", each.ty), root)
    }

    pub(super) fn emit_table(
        &mut self,
        it: &mut CoreBuilder,
        id: PlanNodeId,
        size: LocalId,
        mode: GeneratorMode,
    ) -> TermId {
        let each = self.container_loop(id, mode);
        let grow = self.auxiliary_function(id, 0);
        let function = self.table_loop_function(id, &each);
        self.define(mode, grow, function);
        let type_args = self.table_args(&each);
        let empty = if each.parts.len() == 1 { builtin::SET_EMPTY } else { builtin::MAP_EMPTY };
        let empty = it.builtin(empty, &type_args, &[], each.ty);
        let left = it.local(size);
        it.call(grow, vec![empty, left], each.ty)
    }

    fn table_args(&mut self, each: &ContainerLoop) -> Vec<TyId> {
        each.parts.iter().map(|it| self.value_type(*it)).collect()
    }

    /// `if more(len) { grow(insert(made, item)) } else { made }`. While elements are missing, a
    /// duplicate counts as a rejected draw.
    fn table_loop_function(&mut self, id: PlanNodeId, each: &ContainerLoop) -> Function {
        let grow = self.auxiliary_function(id, 0);
        let type_args = self.table_args(each);
        let is_set = each.parts.len() == 1;
        let (len, insert) = if is_set {
            (builtin::SET_LEN, builtin::SET_INSERT)
        } else {
            (builtin::MAP_LEN, builtin::MAP_PUT)
        };
        let mut it = CoreBuilder::new(self.span);
        let made = it.param("made", each.ty);
        let left = it.param("left", TypeTable::INT);
        let table = it.local(made);
        let count = it.builtin(len, &type_args, &[table], TypeTable::INT);
        let (n, bind_n) = it.bind("n", count);
        let goes_on = self.emit_more_check(&mut it, each, n, left);
        let (mut statements, locals, rest) = self.emit_element(&mut it, each, left);
        let mut args = vec![it.local(made)];
        args.extend(it.locals(&locals));
        let larger = it.builtin(insert, &type_args, &args, each.ty);
        let (larger, bind_larger) = it.bind("larger", larger);
        statements.push(bind_larger);
        let table = it.local(larger);
        let rest = it.local(rest);
        let mut next = it.call(grow, vec![table, rest], each.ty);
        if each.lens.min > 0 {
            let table = it.local(larger);
            let now = it.builtin(len, &type_args, &[table], TypeTable::INT);
            next = self.emit_unless_stuck(&mut it, each, (n, now), next);
        }
        let longer = it.block(statements, next);
        let end = it.local(made);
        let root = it.if_(goes_on, longer, end);
        let root = it.block(vec![bind_n], root);
        it.finish(self.header("elements", each.ty), root)
    }

    /// Continues unless a required element was a duplicate, too many times.
    fn emit_unless_stuck(
        &mut self,
        it: &mut CoreBuilder,
        each: &ContainerLoop,
        (n, now): (LocalId, TermId),
        next: TermId,
    ) -> TermId {
        let ty = self.plan.node(each.id).ty;
        let filter = self
            .add_filter(RejectionFilter { span: self.span, why: FilterReason::Duplicate(ty) });
        let before = it.local(n);
        let is_lacking = it.compare(builtin::LT, before, i64::from(each.lens.min));
        let before = it.local(n);
        let int = [TypeTable::INT];
        let is_same = it.builtin(builtin::EQ, &int, &[now, before], TypeTable::BOOL);
        let answer = it.perform_with_ints(self.ops.reject, &[filter]);
        let is_hopeless = it.equals_int(answer, 0);
        // `and` short-circuits: `reject` counts a rejection only if an element is missing and the
        // table has not grown.
        let is_stuck = it.and(is_same, is_hopeless);
        let is_stuck = it.and(is_lacking, is_stuck);
        let given_up = self.emit_discard(it, each.id);
        it.if_(is_stuck, given_up, next)
    }
}
