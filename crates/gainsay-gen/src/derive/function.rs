//! Generated functions: what they give is drawn when it is first asked for, and remembered.

use gainsay_core::{
    Function, FunctionId, FunctionKind, LocalId, Statement, TermId, Ty, TyId, TypeTable,
};

use super::{Deriver, Mode};
use crate::emit::{Emit, Header};
use crate::plan::NodeId;

impl Deriver<'_> {
    /// A closure over the number of the function and the size of what it gives.
    pub(super) fn function(
        &mut self,
        it: &mut Emit,
        id: NodeId,
        (params, result): (&[TyId], NodeId),
        size: LocalId,
        mode: Mode,
    ) -> TermId {
        let lambda = self.part_function(id, 0);
        let function = self.lambda(id, (params, result), mode);
        self.define(mode, lambda, function);
        let number = self.new_function(it, self.plan.node(id).ty);
        let size = it.local(size);
        let ty = self.value_type(id);
        it.closure(lambda, vec![number, size], ty)
    }

    /// Asks for the number of a new function of a type.
    pub(crate) fn new_function(&mut self, it: &mut Emit, ty: TyId) -> TermId {
        let known = self.functions.iter().position(|it| *it == ty);
        let at = known.unwrap_or_else(|| {
            self.functions.push(ty);
            self.functions.len() - 1
        });
        it.ask(self.ops.function, &[at as i64])
    }

    /// What a function gives for its arguments.
    fn lambda(
        &mut self,
        id: NodeId,
        (params, result): (&[TyId], NodeId),
        mode: Mode,
    ) -> Function {
        let mut it = Emit::new(self.span);
        let number = it.param("function", TypeTable::INT);
        let size = it.param("size", TypeTable::INT);
        let tys: Vec<TyId> = params.iter().map(|ty| self.types.erase(*ty)).collect();
        let locals: Vec<LocalId> = tys.iter().map(|ty| it.param("x", *ty)).collect();
        let args = self.arguments(&mut it, &tys, &locals);
        let (args, bind_args) = it.bind("args", args);
        let result_ty = self.value_type(result);
        let mut value = self.value(&mut it, result, size, mode);
        if mode == Mode::Record {
            value = self.spanned(&mut it, "result", value);
        }
        let root = self.remembered(&mut it, (number, args), value);
        let root = it.block(vec![bind_args], root);
        let parent: FunctionId = self.generator(id);
        let kind = FunctionKind::Lambda(parent);
        let header = Header { kind, n_captures: 2, ..self.header("function", result_ty) };
        it.finish(header, root)
    }

    /// `match lookup(f, args) { Some(known) => known, None => { draw, remember } }`.
    pub(crate) fn remembered(
        &mut self,
        it: &mut Emit,
        (number, args): (LocalId, LocalId),
        value: TermId,
    ) -> TermId {
        let result = it.body.ty(value);
        let type_args = [it.body.local(args).ty, result];
        let asked = vec![it.local(number), it.local(args)];
        let option = self.option_of(result);
        let found = it.generic_perform(self.ops.lookup, type_args.into(), asked, option);
        let (drawn, bind) = it.bind("result", value);
        let told = vec![it.local(number), it.local(args), it.local(drawn)];
        let remember =
            it.generic_perform(self.ops.remember, type_args.into(), told, TypeTable::UNIT);
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
    pub(crate) fn arguments(
        &mut self,
        it: &mut Emit,
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
