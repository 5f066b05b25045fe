//! Made-up stubs: functions whose answers are drawn when they are first asked for, within what
//! the operation promises.

use gainsay_core::{
    FunctionId, FunctionKind, LocalId, OpId, Program, TermId, Ty, TyId, TypeTable, builtin,
};
use num_bigint::BigInt;

use crate::derive::Mode;
use crate::domain::{Domain, Floats, Ints};
use crate::emit::{Emit, Header};
use crate::rewrite::Rewriter;

impl Rewriter<'_> {
    /// One of the values of a list.
    pub(crate) fn listed(&mut self, it: &mut Emit, list: FunctionId, ty: TyId) -> TermId {
        let list_ty = self.deriver.types.intern(Ty::List(ty));
        let all = it.call(list, Vec::new(), list_ty);
        let (all, bind) = it.bind("all", all);
        let items = it.local(all);
        let len = it.builtin(builtin::LIST_LEN, &[ty], &[items], TypeTable::INT);
        let at = it.perform(self.deriver.ops.index, vec![len], TypeTable::INT);
        let items = it.local(all);
        let item = it.builtin(builtin::LIST_AT, &[ty], &[items, at], ty);
        it.block(vec![bind], item)
    }

    /// A closure over the number of the stub and the size of its answers.
    pub(crate) fn oracle(
        &mut self,
        it: &mut Emit,
        op: OpId,
        size: LocalId,
        mode: Mode,
    ) -> TermId {
        let lambda = match self.oracles.get(&op) {
            Some(lambda) => *lambda,
            None => {
                let lambda = self.deriver.reserve();
                self.oracles.insert(op, lambda);
                lambda
            }
        };
        let (function, ty) = self.oracle_function(op, mode);
        self.deriver.define(mode, lambda, function);
        let number = self.deriver.new_function(it, ty);
        let size = it.local(size);
        it.closure(lambda, vec![number, size], ty)
    }

    /// What a stub answers, and its type.
    fn oracle_function(&mut self, op: OpId, mode: Mode) -> (gainsay_core::Function, TyId) {
        let program = self.deriver.program;
        let operation = program.op(op);
        let mut it = Emit::new(self.deriver.span);
        let number = it.param("function", TypeTable::INT);
        let size = it.param("size", TypeTable::INT);
        let mut tys: Vec<(&str, TyId)> = Vec::new();
        if operation.dimension.has_coordinates() {
            tys.push(("path", self.deriver.branch_path()));
            tys.push(("n", TypeTable::INT));
        }
        for (name, ty) in &operation.params {
            tys.push((name, self.deriver.types.erase(*ty)));
        }
        let locals: Vec<LocalId> = tys.iter().map(|(name, ty)| it.param(name, *ty)).collect();
        let tys: Vec<TyId> = tys.into_iter().map(|(_, ty)| ty).collect();
        let result = self.deriver.types.erase(operation.result);
        let args = self.deriver.arguments(&mut it, &tys, &locals);
        let (args, bind_args) = it.bind("args", args);
        let mut value = self.answer(&mut it, op, &locals, size, mode);
        if mode == Mode::Record {
            value = self.deriver.spanned(&mut it, "answer", value);
        }
        let root = self.deriver.remembered(&mut it, (number, args), value);
        let root = it.block(vec![bind_args], root);
        let ty = Ty::Function { params: tys.into(), result, row: TypeTable::PURE };
        let ty = self.deriver.types.intern(ty);
        let kind = FunctionKind::Lambda(self.nobody());
        let header = Header { kind, n_captures: 2, ..self.deriver.header("function", result) };
        (it.finish(header, root), ty)
    }

    /// Draws an answer within what the operation promises.
    fn answer(
        &mut self,
        it: &mut Emit,
        op: OpId,
        locals: &[LocalId],
        size: LocalId,
        mode: Mode,
    ) -> TermId {
        let program = self.deriver.program;
        let name = promised(program, op);
        if let (Some("Random.int"), Some(int), [_, _, min, max]) =
            (name.as_deref(), self.deriver.ops.gen_.int, locals)
        {
            let range = it.locals(&[*min, *max]);
            return it.perform(int, range, TypeTable::INT);
        }
        let domain = match name.as_deref() {
            Some("Random.float") => {
                Domain::of_floats(Floats::numbers(0.0, 1.0_f64.next_down()))
            }
            Some("Time.unix_ms") => Domain::of_ints(Ints::between(Some(BigInt::ZERO), None)),
            Some(_) | None => Domain::Any,
        };
        let operation = program.op(op);
        let module = program.effect(operation.effect).module;
        match self.deriver.request(operation.result, &domain, module) {
            Ok(node) => self.deriver.value(it, node, size, mode),
            Err(_) => {
                let ty = self.deriver.types.erase(operation.result);
                let discard = self.deriver.ops.discard;
                it.generic_perform(discard, [ty].into(), Vec::new(), ty)
            }
        }
    }
}

/// The name of an operation of the library, which may promise something of its answers.
fn promised(program: &Program, op: OpId) -> Option<String> {
    let effect = program.effect(program.op(op).effect);
    program.module(effect.module).is_std.then(|| program.op_name(op))
}
