//! Generated functions: a result is drawn on the first call with its arguments, and memoized.

use gainsay_core::{
    Function, FunctionId, FunctionKind, LocalId, Statement, TermId, Ty, TyId, TypeTable,
};

use super::{Deriver, GeneratorMode};
use crate::core_builder::{CoreBuilder, FunctionHeader};
use crate::generator_plan::PlanNodeId;

impl Deriver<'_> {
    /// A closure over the number of the function and the size of its results.
    pub(super) fn emit_function_value(
        &mut self,
        it: &mut CoreBuilder,
        id: PlanNodeId,
        (params, result): (&[TyId], PlanNodeId),
        size: LocalId,
        mode: GeneratorMode,
    ) -> TermId {
        let lambda = self.auxiliary_function(id, 0);
        let function = self.lambda_function(id, (params, result), mode);
        self.define(mode, lambda, function);
        let number = self.emit_new_function(it, self.plan.node(id).ty);
        // Results are drawn when the function is called, where another size may be in force: they
        // take the size from here.
        let size = it.local(size);
        let ty = self.value_type(id);
        it.closure(lambda, vec![number, size], ty)
    }

    /// Performs the request for the number of a new function of a type.
    pub(crate) fn emit_new_function(&mut self, it: &mut CoreBuilder, ty: TyId) -> TermId {
        let existing = self.functions.iter().position(|it| *it == ty);
        let at = existing.unwrap_or_else(|| {
            self.functions.push(ty);
            self.functions.len() - 1
        });
        it.perform_with_ints(self.ops.function, &[at as i64])
    }

    /// The function that a closure calls: returns a result for its arguments.
    fn lambda_function(
        &mut self,
        id: PlanNodeId,
        (params, result): (&[TyId], PlanNodeId),
        mode: GeneratorMode,
    ) -> Function {
        let mut it = CoreBuilder::new(self.span);
        let number = it.param("function", TypeTable::INT);
        let size = it.param("size", TypeTable::INT);
        let tys: Vec<TyId> =
            params.iter().map(|ty| self.types.erase_refinements(*ty)).collect();
        let locals: Vec<LocalId> = tys.iter().map(|ty| it.param("x", *ty)).collect();
        let args = self.emit_arguments(&mut it, &tys, &locals);
        let (args, bind_args) = it.bind("args", args);
        let result_ty = self.value_type(result);
        let mut value = self.emit_value(&mut it, result, size, mode);
        if mode == GeneratorMode::Record {
            value = self.wrap_in_span(&mut it, "result", value);
        }
        let root = self.emit_memoized(&mut it, (number, args), value);
        let root = it.block(vec![bind_args], root);
        let parent: FunctionId = self.generator(id);
        let kind = FunctionKind::Lambda(parent);
        let header =
            FunctionHeader { kind, n_captures: 2, ..self.header("function", result_ty) };
        it.finish(header, root)
    }

    /// `match lookup(f, args) { Some(known) => known, None => { draw, remember } }`.
    pub(crate) fn emit_memoized(
        &mut self,
        it: &mut CoreBuilder,
        (number, args): (LocalId, LocalId),
        value: TermId,
    ) -> TermId {
        let result = it.body.ty(value);
        let type_args = [it.body.local(args).ty, result];
        let asked = vec![it.local(number), it.local(args)];
        let option = self.option_of(result);
        let found = it.generic_perform(self.ops.lookup, type_args.into(), asked, option);
        let (drawn, bind) = it.bind("result", value);
        let args_to_remember = vec![it.local(number), it.local(args), it.local(drawn)];
        let remember = it.generic_perform(
            self.ops.remember,
            type_args.into(),
            args_to_remember,
            TypeTable::UNIT,
        );
        let drawn = it.local(drawn);
        let fresh = it.block(vec![bind, Statement::Drop(remember)], drawn);
        match self.program.lang.some {
            Some(some) => {
                let known = it.new_local("known", result);
                let then = it.local(known);
                it.match_option(found, (some, known, then), fresh)
            }
            None => fresh,
        }
    }

    /// The arguments as one value.
    pub(crate) fn emit_arguments(
        &mut self,
        it: &mut CoreBuilder,
        tys: &[TyId],
        locals: &[LocalId],
    ) -> TermId {
        if let [only] = locals {
            return it.local(*only);
        }
        let parts = it.locals(locals);
        let ty = self.types.intern(Ty::Tuple(tys.into()));
        it.tuple(parts.into(), ty)
    }

    /// `Option` of a type.
    pub(crate) fn option_of(&mut self, content: TyId) -> TyId {
        match self.program.lang.option {
            Some(option) => self.types.intern(Ty::Named(option, [content].into())),
            None => content,
        }
    }
}
