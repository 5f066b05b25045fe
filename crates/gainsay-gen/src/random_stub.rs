//! Random stubs: functions whose answers are drawn on the first call with their arguments, within
//! the domain of the operation.

use gainsay_core::{
    FunctionId, FunctionKind, LocalId, ModuleId, OpId, TermId, Ty, TyId, TypeTable, builtin,
};
use num_bigint::BigInt;

use crate::core_builder::{CoreBuilder, FunctionHeader};
use crate::derive::GeneratorMode;
use crate::domain::{Domain, IntSet};
use crate::hostile::NEW_YEAR;
use crate::library_domains::{DAY, answer_domain, library_operation_name};
use crate::rewrite::Rewriter;

impl Rewriter<'_> {
    /// Draws one of the values of a list.
    pub(crate) fn draw_listed(
        &mut self,
        it: &mut CoreBuilder,
        list: FunctionId,
        ty: TyId,
    ) -> TermId {
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
    pub(crate) fn random_stub(
        &mut self,
        it: &mut CoreBuilder,
        asked: (OpId, ModuleId),
        size: LocalId,
        mode: GeneratorMode,
    ) -> TermId {
        let lambda = match self.random_stubs.get(&asked) {
            Some(lambda) => *lambda,
            None => {
                let lambda = self.deriver.reserve();
                self.random_stubs.insert(asked, lambda);
                lambda
            }
        };
        let (function, ty) = self.random_stub_function(asked, mode);
        self.deriver.define(mode, lambda, function);
        let number = self.deriver.emit_new_function(it, ty);
        let size = it.local(size);
        it.closure(lambda, vec![number, size], ty)
    }

    /// The function of a stub, and its type.
    fn random_stub_function(
        &mut self,
        (op, module): (OpId, ModuleId),
        mode: GeneratorMode,
    ) -> (gainsay_core::Function, TyId) {
        let program = self.deriver.program;
        let operation = program.op(op);
        let mut it = CoreBuilder::new(self.deriver.span);
        let number = it.param("function", TypeTable::INT);
        let size = it.param("size", TypeTable::INT);
        let mut tys: Vec<(&str, TyId)> = Vec::new();
        if operation.kind.stub_takes_path_and_count() {
            tys.push(("path", self.deriver.branch_path()));
            tys.push(("n", TypeTable::INT));
        }
        for (name, ty) in &operation.params {
            tys.push((name, self.deriver.types.erase_refinements(*ty)));
        }
        let locals: Vec<LocalId> = tys.iter().map(|(name, ty)| it.param(name, *ty)).collect();
        let tys: Vec<TyId> = tys.into_iter().map(|(_, ty)| ty).collect();
        let result = self.deriver.types.erase_refinements(operation.result);
        let args = self.deriver.emit_arguments(&mut it, &tys, &locals);
        let (args, bind_args) = it.bind("args", args);
        let mut value = self.draw_answer(&mut it, (op, module), &locals, size, mode);
        if mode == GeneratorMode::Record {
            value = self.deriver.wrap_in_span(&mut it, "answer", value);
        }
        let root = self.deriver.emit_memoized(&mut it, (number, args), value);
        let root = it.block(vec![bind_args], root);
        let ty = Ty::Function { params: tys.into(), result, row: TypeTable::PURE };
        let ty = self.deriver.types.intern(ty);
        let kind = FunctionKind::Lambda(self.placeholder_function());
        let header =
            FunctionHeader { kind, n_captures: 2, ..self.deriver.header("function", result) };
        (it.finish(header, root), ty)
    }

    /// Draws an answer within the domain of the operation. Constants are those of the law's module.
    fn draw_answer(
        &mut self,
        it: &mut CoreBuilder,
        (op, module): (OpId, ModuleId),
        locals: &[LocalId],
        size: LocalId,
        mode: GeneratorMode,
    ) -> TermId {
        let program = self.deriver.program;
        let constants = self.deriver.constants(module);
        let name = library_operation_name(program, op);
        // The first two parameters are the branch path and the call count.
        if let (Some("Random.int"), Some(int), [_, _, min, max]) =
            (name.as_deref(), self.deriver.ops.gen_.int, locals)
        {
            return self.draw_in_range(it, int, (*min, *max), &constants.ints);
        }
        let domain = answer_domain(program, op, &constants);
        let result = program.op(op).result;
        let drawn = match self.deriver.request_node(result, &domain, module) {
            Ok(node) => self.deriver.emit_value(it, node, size, mode),
            Err(_) => {
                let ty = self.deriver.types.erase_refinements(result);
                let discard = self.deriver.ops.discard;
                return it.generic_perform(discard, [ty].into(), Vec::new(), ty);
            }
        };
        if name.as_deref() != Some("Time.unix_ms") {
            return drawn;
        }
        // Clocks mostly show times that are near each other: forward, backward, or the same.
        let near = IntSet::between(Some(NEW_YEAR.into()), Some((NEW_YEAR + DAY).into()));
        match self.deriver.request_node(result, &Domain::of_ints(near), module) {
            Ok(node) => {
                let near = self.deriver.emit_value(it, node, size, mode);
                let number = self.deriver.emit_alternative(it, &[1, 1]);
                it.choose_by_index(number, vec![drawn, near])
            }
            Err(_) => drawn,
        }
    }

    /// Draws a number from a range that is known only at run time; sometimes a constant of the code
    /// under test.
    fn draw_in_range(
        &mut self,
        it: &mut CoreBuilder,
        int: OpId,
        (min, max): (LocalId, LocalId),
        constants: &[BigInt],
    ) -> TermId {
        let range = it.locals(&[min, max]);
        let drawn = it.perform(int, range, TypeTable::INT);
        if constants.is_empty() {
            return drawn;
        }
        let which = self.deriver.emit_alternative(it, &vec![1; constants.len()]);
        let words = constants.iter().map(|constant| it.big(constant)).collect();
        let constant = it.choose_by_index(which, words);
        let (constant, bind) = it.bind("constant", constant);
        let pairs = [(min, constant), (constant, max)].map(|(low, high)| {
            let pair = it.locals(&[low, high]);
            it.builtin(builtin::LE, &[TypeTable::INT], &pair, TypeTable::BOOL)
        });
        // The range is not known when constants are collected, so each is checked when it is drawn.
        let is_inside = it.and(pairs[0], pairs[1]);
        let found = it.local(constant);
        let range = it.locals(&[min, max]);
        let otherwise = it.perform(int, range, TypeTable::INT);
        let mentioned = it.if_(is_inside, found, otherwise);
        let mentioned = it.block(vec![bind], mentioned);
        let number = self.deriver.emit_alternative(it, &CONSTANT_WEIGHTS);
        it.choose_by_index(number, vec![drawn, mentioned])
    }
}

/// The weights of a random number, and of a constant of the code under test.
const CONSTANT_WEIGHTS: [u32; 2] = [3, 1];
