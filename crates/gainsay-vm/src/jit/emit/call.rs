//! Calls: known functions, function values, tail calls and constants.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, FuncRef, InstBuilder as _, Signature, Value, types};
use cranelift_codegen::isa::CallConv;
use gainsay_core::{ConstId, FunctionId, Term, TermId};

use super::int_expression::IntExpression;
use super::{Emitter, Operand};
use crate::jit::base_case::BaseCase;
use crate::jit::calling_convention::convention;
use crate::jit::codegen_unit::signature_of;
use crate::jit::context::offset;
use crate::jit::runtime::RuntimeCall;
use crate::jit::specialization::{IntAssumption, Specialization};
use crate::jit::word::Word;

impl Emitter<'_, '_> {
    /// Refers to a function of the program.
    pub(super) fn callee(&mut self, function: FunctionId) -> FuncRef {
        self.specialization_ref(Specialization::from(function))
    }

    fn specialization_ref(&mut self, copied: Specialization) -> FuncRef {
        if let Some((_, cached)) = self.callees.iter().find(|(it, _)| *it == copied) {
            return *cached;
        }
        let callee = self.unit.callee(&copied, self.builder.func);
        self.callees.push((copied, callee));
        callee
    }

    /// The specialization of a function for given arguments, or else the function itself.
    fn specialization_for(&self, function: FunctionId, args: &[TermId]) -> Specialization {
        if function == self.specialization.function {
            // A recursive call passes on the closures that the function is specialized for.
            return Specialization {
                // Not the assumption of the caller: the arguments of this call may have another
                // size, which `call_or_fault` decides.
                int_assumption: IntAssumption::Any,
                ..self.specialization.clone()
            };
        }
        self.unit
            .specialization_for(function, args.iter().map(|arg| self.closure_of_term(*arg)))
    }

    /// The function that a term is a closure of, if known.
    pub(super) fn closure_of_term(&self, term: TermId) -> Option<FunctionId> {
        // The mutant could be a different closure.
        if self.has_pending_instrumentation(term) {
            return None;
        }
        let term = self.function.body.term(term);
        if let Term::Closure { function, .. } | Term::Function { function, .. } = term {
            Some(*function)
        } else if let Term::Local(local) = term {
            self.closures[local.index()]
        } else {
            None
        }
    }

    /// The depth available to callees of this function.
    pub(super) fn callee_depth(&mut self) -> Value {
        self.builder.ins().iadd_imm_s(self.depth, -1)
    }

    pub(super) fn call(&mut self, function: FunctionId, args: &[TermId]) -> Value {
        let copied = self.specialization_for(function, args);
        let operands = self.operands_of(args);
        match self.base_case {
            Some(base) if function == self.id => {
                self.call_or_base_case(base, copied, &operands)
            }
            Some(_) | None => self.call_specialization(copied, &operands),
        }
    }

    /// Branches on the result of a call.
    pub(super) fn branch_on_call(
        &mut self,
        (function, args): (FunctionId, &[TermId]),
        yes: Block,
        no: Block,
    ) {
        let copied = self.specialization_for(function, args);
        let operands = self.operands_of(args);
        if let Some(base) = self.base_case
            && function == self.id
        {
            // The base result is a constant boolean, so the branch is decided at compile time.
            let block = if base.result == Word::TRUE { yes } else { no };
            self.inline_base_case(base, &operands, |it| it.jump(block, &[]));
        }
        // Not through `call_specialization`: the fault test would come first, on the path that is
        // hot.
        let result = self.call_or_fault(copied, &operands);
        // Test for true first, and for a fault only if the result is not true.
        let not = self.builder.create_block();
        let is_true = self.equals_word(result, Word::TRUE);
        self.builder.ins().brif(is_true, yes, &[], not, &[]);
        self.switch_to(not);
        self.builder.ins().brif(result, no, &[], self.fault_exit, &[]);
    }

    /// Calls the function itself, unless its base case applies.
    fn call_or_base_case(
        &mut self,
        base: BaseCase,
        copied: Specialization,
        operands: &[Operand],
    ) -> Value {
        let meet = self.join_block();
        self.inline_base_case(base, operands, |it| {
            let answer = it.word_constant(base.result);
            it.jump(meet, &[answer]);
        });
        let result = self.call_specialization(copied, operands);
        self.jump(meet, &[result]);
        let result = self.join_value(meet);
        self.word(result)
    }

    /// Continues with `go_on` if the base case applies, and else falls through to the call. The
    /// base case still charges a step and checks the depth; if one is exhausted, it raises the
    /// fault that the call would have raised.
    fn inline_base_case(
        &mut self,
        base: BaseCase,
        operands: &[Operand],
        go_on: impl FnOnce(&mut Self),
    ) {
        let (calls, at_once) = (self.builder.create_block(), self.builder.create_block());
        let decides = self.word(operands[base.param]);
        let is_base = self.equals_word(decides, base.word);
        self.builder.ins().brif(is_base, at_once, &[], calls, &[]);
        self.switch_to(at_once);
        let deeper = self.callee_depth();
        self.enter_function(deeper);
        go_on(self);
        self.switch_to(calls);
    }

    /// The slow path of a call that lacks depth or a step. Depth takes precedence, and then no step
    /// is charged. Otherwise the runtime may grant more steps.
    pub(super) fn raise_step_or_depth_limit(&mut self, fuel: Value, depth: Value) {
        let (deep, look) = (self.cold_block(), self.cold_block());
        let too_deep = self.builder.ins().icmp_imm_s(IntCC::SignedLessThan, depth, 0);
        self.builder.ins().brif(too_deep, deep, &[], look, &[]);
        self.switch_to(deep);
        // The caller has charged the step already; undo it.
        self.set_fuel(fuel);
        let site = self.function_site();
        self.call_rarely(RuntimeCall::TooDeep, &[site]);
        self.jump(self.fault_exit, &[]);
        self.switch_to(look);
        let site = self.function_site();
        self.call_rarely_or_exit(RuntimeCall::RefillSteps, &[site]);
    }

    /// Calls a function without captures.
    pub(super) fn call_words(&mut self, function: FunctionId, words: &[Value]) -> Value {
        let operands: Vec<Operand> = words.iter().map(|word| Operand::Word(*word)).collect();
        self.call_specialization(Specialization::from(function), &operands)
    }

    fn call_specialization(&mut self, copied: Specialization, operands: &[Operand]) -> Value {
        let result = self.call_or_fault(copied, operands);
        self.exit_on_fault(result);
        result
    }

    /// The result of a call, which may be a fault. If the function has a specialization for small
    /// integers and all arguments are small, that one is called directly; where the specialization
    /// calls itself, it checks the arguments whose size is unknown.
    fn call_or_fault(&mut self, copied: Specialization, operands: &[Operand]) -> Value {
        let words: Vec<Value> = operands.iter().map(|it| self.word(*it)).collect();
        let function = copied.function;
        if !copied.is_original() || !self.unit.has_small_int_specialization(function) {
            return self.call_directly(copied, &words);
        }
        // Only the tags are used: an expression without operations is a list of inputs to guard.
        let mut unknown = IntExpression::default();
        let params = &self.unit.program.function(function).params;
        for (param, (operand, word)) in params.iter().zip(operands.iter().zip(&words)) {
            if operand.range().is_none() && self.is_int(param.ty) {
                let part = unknown.add_input(*word);
                unknown.require_small(part);
            }
        }
        let small = Specialization::with_ints(function, IntAssumption::Small);
        // Every integer argument is small by range analysis, whoever the caller is.
        if unknown.is_empty() {
            return self.call_directly(small, &words);
        }
        if function != self.id || self.specialization.int_assumption != IntAssumption::Small {
            // Any other caller goes through the original, which checks the arguments once itself.
            return self.call_directly(copied, &words);
        }
        let (large, meet) = (self.cold_block(), self.join_block());
        self.guard_inputs(&unknown, large);
        let result = self.call_directly(small, &words);
        self.jump(meet, &[result]);
        self.switch_to(large);
        let result = self
            .call_directly(Specialization::with_ints(function, IntAssumption::Large), &words);
        self.jump(meet, &[result]);
        let result = self.join_value(meet);
        self.word(result)
    }

    fn call_directly(&mut self, copied: Specialization, words: &[Value]) -> Value {
        let callee = self.specialization_ref(copied);
        let depth = self.callee_depth();
        let mut all = vec![self.context, depth];
        all.extend_from_slice(words);
        let call = self.builder.ins().call(callee, &all);
        self.builder.inst_results(call)[0]
    }

    /// The code pointer of a closure, and the words passed to it.
    fn prepare_closure_call(
        &mut self,
        callee: TermId,
        args: &[TermId],
    ) -> (Value, Vec<Value>, Signature) {
        let closure = self.word_of(callee);
        // The callee is evaluated before its arguments, as the interpreter does.
        let mut words = vec![self.context, self.depth, closure];
        let args = self.words_of(args);
        words.extend(args);
        let code = self.load(closure, 1);
        // All code that can be reached through a closure has this convention; functions with
        // another one are wrapped (`define_value_wrapper`).
        let signature = signature_of(CallConv::Tail, words.len());
        (code, words, signature)
    }

    pub(super) fn call_value(&mut self, callee: TermId, args: &[TermId]) -> Operand {
        if let Some(closure) = self.inlined_function(callee) {
            return self.inline_call(closure, (callee, args), Self::term);
        }
        let (code, mut words, signature) = self.prepare_closure_call(callee, args);
        // The closure call runs one level deeper; `prepare_closure_call` assumes a tail call.
        words[1] = self.callee_depth();
        let signature = self.builder.import_signature(signature);
        let call = self.builder.ins().call_indirect(signature, code, &words);
        let result = self.builder.inst_results(call)[0];
        self.exit_on_fault(result);
        Operand::Word(result)
    }

    pub(super) fn tail_call(&mut self, function: FunctionId, args: &[TermId]) {
        // With captures, the call passes a closure, whose captures need not be those of this
        // activation.
        if function == self.id && self.function.n_captures == 0 {
            self.emit_self_tail_call(args);
            return;
        }
        let copied = self.specialization_for(function, args);
        let words = self.words_of(args);
        self.tail_call_direct(copied, &words);
    }

    /// Returns the result of another function, which runs at the same depth.
    pub(super) fn tail_call_direct(&mut self, copied: Specialization, words: &[Value]) {
        let function = copied.function;
        let callee = self.specialization_ref(copied);
        let mut all = vec![self.context, self.depth];
        all.extend(words);
        if convention(self.unit.program, self.unit.instruments, function) == CallConv::Tail {
            self.builder.ins().return_call(callee, &all);
        } else {
            // The callee makes no tail calls, so this frame is the only one left behind.
            let call = self.builder.ins().call(callee, &all);
            let result = self.builder.inst_results(call)[0];
            self.builder.ins().return_(&[result]);
        }
    }

    pub(super) fn tail_call_value(&mut self, callee: TermId, args: &[TermId]) {
        if let Some(closure) = self.inlined_function(callee) {
            self.inline_tail_call(closure, (callee, args));
            return;
        }
        let (code, words, signature) = self.prepare_closure_call(callee, args);
        let signature = self.builder.import_signature(signature);
        self.builder.ins().return_call_indirect(signature, code, &words);
    }

    /// The value of a constant, which is computed at its first use.
    pub(super) fn constant_value(&mut self, id: TermId, constant: ConstId) -> Value {
        let cached = self.load_constant(constant);
        let (missing, meet) = (self.cold_block(), self.join_block());
        // Zero means that the constant has not been evaluated.
        let arg = [cranelift_codegen::ir::BlockArg::Value(cached)];
        self.builder.ins().brif(cached, meet, &arg, missing, &[]);
        self.switch_to(missing);
        // The runtime caches a fault of the constant as well, and raises it at each use.
        let number = self.constant(u64::from(constant.0));
        let (depth, site) = (self.callee_depth(), self.site(id));
        let word = self.call_rarely_or_exit(RuntimeCall::Constant, &[number, depth, site]);
        self.jump(meet, &[word]);
        let word = self.join_value(meet);
        self.word(word)
    }

    /// The word of a constant, or 0 before it has been evaluated.
    pub(super) fn load_constant(&mut self, constant: ConstId) -> Value {
        let table = self.load_context(offset::CONSTANTS);
        self.builder.ins().load(types::I64, self.context_flags, table, constant.0 as i32 * 8)
    }
}
