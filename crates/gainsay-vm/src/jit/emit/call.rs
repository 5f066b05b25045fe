//! Calls: known functions, function values, tail calls and constants.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{FuncRef, InstBuilder as _, Signature, Value, types};
use cranelift_codegen::isa::CallConv;
use gainsay_core::{ConstId, FunctionId, TermId};

use super::Emitter;
use crate::jit::base::Base;
use crate::jit::context::offset;
use crate::jit::frames::convention;
use crate::jit::runtime::Call;
use crate::jit::unit::signature_of;

impl Emitter<'_, '_> {
    /// A function of the program, to be called or pointed to from this one.
    pub(super) fn callee(&mut self, function: FunctionId) -> FuncRef {
        if let Some((_, known)) = self.callees.iter().find(|(id, _)| *id == function) {
            return *known;
        }
        let callee = self.unit.callee(function, self.builder.func);
        self.callees.push((function, callee));
        callee
    }

    /// The depth that is left for what this function calls.
    fn deeper(&mut self) -> Value {
        self.builder.ins().iadd_imm_s(self.depth, -1)
    }

    pub(super) fn call(&mut self, function: FunctionId, args: &[TermId]) -> Value {
        let words = self.words_of(args);
        match self.base {
            Some(base) if function == self.id => self.call_or_answer(base, &words),
            Some(_) | None => self.call_words(function, &words),
        }
    }

    /// Calls the function itself, unless it would answer at once. That takes a step, and some
    /// depth; where one of them is missing, the call is made and says so.
    fn call_or_answer(&mut self, base: Base, words: &[Value]) -> Value {
        let (calls, at_once) = (self.builder.create_block(), self.builder.create_block());
        let (fits, meet) = (self.builder.create_block(), self.meeting());
        let is_base = self.is_word(words[base.param], base.word);
        self.builder.ins().brif(is_base, at_once, &[], calls, &[]);
        self.switch_to(at_once);
        let fuel = self.load_own(offset::FUEL);
        let left = self.builder.ins().iadd_imm_s(fuel, -1);
        let deeper = self.deeper();
        let either = self.builder.ins().bor(left, deeper);
        let is_missing = self.builder.ins().icmp_imm_s(IntCC::SignedLessThan, either, 0);
        self.builder.ins().brif(is_missing, calls, &[], fits, &[]);
        self.switch_to(fits);
        self.builder.ins().store(self.own, left, self.context, offset::FUEL);
        let answer = self.word_constant(base.answer);
        self.jump(meet, &[answer]);
        self.switch_to(calls);
        let result = self.call_words(self.id, words);
        self.jump(meet, &[result]);
        let result = self.met(meet);
        self.word(result)
    }

    /// Calls a function that has no captures.
    pub(super) fn call_words(&mut self, function: FunctionId, words: &[Value]) -> Value {
        let callee = self.callee(function);
        let depth = self.deeper();
        let mut all = vec![self.context, depth];
        all.extend_from_slice(words);
        let call = self.builder.ins().call(callee, &all);
        let result = self.builder.inst_results(call)[0];
        self.unless_fault(result);
        result
    }

    /// The code of a closure, and what is passed to it.
    fn prepare(&mut self, callee: TermId, args: &[TermId]) -> (Value, Vec<Value>, Signature) {
        let closure = self.word_of(callee);
        let mut words = vec![self.context, self.depth, closure];
        let args = self.words_of(args);
        words.extend(args);
        let code = self.load(closure, 1);
        let signature = signature_of(CallConv::Tail, words.len());
        (code, words, signature)
    }

    pub(super) fn call_value(&mut self, callee: TermId, args: &[TermId]) -> Value {
        let (code, mut words, signature) = self.prepare(callee, args);
        words[1] = self.deeper();
        let signature = self.builder.import_signature(signature);
        let call = self.builder.ins().call_indirect(signature, code, &words);
        let result = self.builder.inst_results(call)[0];
        self.unless_fault(result);
        result
    }

    pub(super) fn tail_call(&mut self, function: FunctionId, args: &[TermId]) {
        if function == self.id && self.function.n_captures == 0 {
            self.turn(args);
            return;
        }
        let words = self.words_of(args);
        let callee = self.callee(function);
        let mut all = vec![self.context, self.depth];
        all.extend(words);
        if convention(self.unit.program, self.unit.instruments, function) == CallConv::Tail {
            self.builder.ins().return_call(callee, &all);
        } else {
            // What is called makes no tail calls: this frame is the only one left behind.
            let call = self.builder.ins().call(callee, &all);
            let result = self.builder.inst_results(call)[0];
            self.builder.ins().return_(&[result]);
        }
    }

    pub(super) fn tail_call_value(&mut self, callee: TermId, args: &[TermId]) {
        let (code, words, signature) = self.prepare(callee, args);
        let signature = self.builder.import_signature(signature);
        self.builder.ins().return_call_indirect(signature, code, &words);
    }

    /// The value of a constant, which is computed at its first use.
    pub(super) fn constant_value(&mut self, id: TermId, constant: ConstId) -> Value {
        let table = self.load_own(offset::CONSTANTS);
        let place = constant.0 as i32 * 8;
        let known = self.builder.ins().load(types::I64, self.own, table, place);
        let (missing, meet) = (self.cold_block(), self.meeting());
        let arg = [cranelift_codegen::ir::BlockArg::Value(known)];
        self.builder.ins().brif(known, meet, &arg, missing, &[]);
        self.switch_to(missing);
        let number = self.constant(u64::from(constant.0));
        let (depth, site) = (self.deeper(), self.site(id));
        let word = self.ask_rarely(Call::Constant, &[number, depth, site]);
        self.jump(meet, &[word]);
        let word = self.met(meet);
        self.word(word)
    }
}
