//! Calls: known functions, function values, tail calls and constants.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, FuncRef, InstBuilder as _, Signature, Value, types};
use cranelift_codegen::isa::CallConv;
use gainsay_core::{ConstId, FunctionId, Term, TermId};

use super::expression::Expression;
use super::{Emitter, Operand};
use crate::jit::base::Base;
use crate::jit::context::offset;
use crate::jit::copies::{Copied, Ints};
use crate::jit::frames::convention;
use crate::jit::runtime::Call;
use crate::jit::unit::signature_of;
use crate::jit::word::Word;

impl Emitter<'_, '_> {
    /// A function of the program, to be called or pointed to from this one.
    pub(super) fn callee(&mut self, function: FunctionId) -> FuncRef {
        self.callee_of(Copied::from(function))
    }

    fn callee_of(&mut self, copied: Copied) -> FuncRef {
        if let Some((_, known)) = self.callees.iter().find(|(it, _)| *it == copied) {
            return *known;
        }
        let callee = self.unit.callee(&copied, self.builder.func);
        self.callees.push((copied, callee));
        callee
    }

    /// The copy of a function that is made for arguments, or else the function itself.
    fn copy_for(&self, function: FunctionId, args: &[TermId]) -> Copied {
        if function == self.copied.function {
            // A function hands on to itself what it is known to have got.
            return Copied { ints: Ints::Any, ..self.copied.clone() };
        }
        self.unit.copy_for(function, args.iter().map(|arg| self.closure_in(*arg)))
    }

    /// What a term is a closure of, if that is known.
    pub(super) fn closure_in(&self, term: TermId) -> Option<FunctionId> {
        if self.is_switched(term) {
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

    /// The depth that is left for what this function calls.
    pub(super) fn deeper(&mut self) -> Value {
        self.builder.ins().iadd_imm_s(self.depth, -1)
    }

    pub(super) fn call(&mut self, function: FunctionId, args: &[TermId]) -> Value {
        let copied = self.copy_for(function, args);
        let operands = self.operands_of(args);
        match self.base {
            Some(base) if function == self.id => self.call_or_answer(base, copied, &operands),
            Some(_) | None => self.call_copy(copied, &operands),
        }
    }

    /// Goes to one block when a call gives true, and to another when it gives false.
    pub(super) fn branch_on_call(
        &mut self,
        (function, args): (FunctionId, &[TermId]),
        yes: Block,
        no: Block,
    ) {
        let copied = self.copy_for(function, args);
        let operands = self.operands_of(args);
        if let Some(base) = self.base
            && function == self.id
        {
            let block = if base.answer == Word::TRUE { yes } else { no };
            self.answer_at_once(base, &operands, |it| it.jump(block, &[]));
        }
        let result = self.call_plainly(copied, &operands);
        let not = self.builder.create_block();
        let is_true = self.is_word(result, Word::TRUE);
        self.builder.ins().brif(is_true, yes, &[], not, &[]);
        self.switch_to(not);
        self.builder.ins().brif(result, no, &[], self.faulty, &[]);
    }

    /// Calls the function itself, unless it would answer at once.
    fn call_or_answer(&mut self, base: Base, copied: Copied, operands: &[Operand]) -> Value {
        let meet = self.meeting();
        self.answer_at_once(base, operands, |it| {
            let answer = it.word_constant(base.answer);
            it.jump(meet, &[answer]);
        });
        let result = self.call_copy(copied, operands);
        self.jump(meet, &[result]);
        let result = self.met(meet);
        self.word(result)
    }

    /// Goes on where the answer is known, if the function would give it at once, and else
    /// where it is called. An answer takes a step, and some depth; where one of them is
    /// missing, that is what the call would have said.
    fn answer_at_once(
        &mut self,
        base: Base,
        operands: &[Operand],
        go_on: impl FnOnce(&mut Self),
    ) {
        let (calls, at_once) = (self.builder.create_block(), self.builder.create_block());
        let decides = self.word(operands[base.param]);
        let is_base = self.is_word(decides, base.word);
        self.builder.ins().brif(is_base, at_once, &[], calls, &[]);
        self.switch_to(at_once);
        let deeper = self.deeper();
        self.begin(deeper);
        go_on(self);
        self.switch_to(calls);
    }

    /// What a call says for which depth or a step is missing: the depth comes first, and then no
    /// step is taken. There may be more steps.
    pub(super) fn miss(&mut self, fuel: Value, depth: Value) {
        let (deep, look) = (self.cold_block(), self.cold_block());
        let too_deep = self.builder.ins().icmp_imm_s(IntCC::SignedLessThan, depth, 0);
        self.builder.ins().brif(too_deep, deep, &[], look, &[]);
        self.switch_to(deep);
        self.set_fuel(fuel);
        let site = self.whole_site();
        self.call_rarely(Call::TooDeep, &[site]);
        self.jump(self.faulty, &[]);
        self.switch_to(look);
        let site = self.whole_site();
        self.ask_rarely(Call::Look, &[site]);
    }

    /// Calls a function that has no captures.
    pub(super) fn call_words(&mut self, function: FunctionId, words: &[Value]) -> Value {
        let operands: Vec<Operand> = words.iter().map(|word| Operand::Word(*word)).collect();
        self.call_copy(Copied::from(function), &operands)
    }

    fn call_copy(&mut self, copied: Copied, operands: &[Operand]) -> Value {
        let result = self.call_plainly(copied, operands);
        self.unless_fault(result);
        result
    }

    /// The result of a call, which may be a fault. Where a function has a copy for small
    /// integers, and all are, that is what is called; and where that copy calls itself, it looks
    /// at those of which it does not know.
    fn call_plainly(&mut self, copied: Copied, operands: &[Operand]) -> Value {
        let words: Vec<Value> = operands.iter().map(|it| self.word(*it)).collect();
        let function = copied.function;
        if !copied.is_original() || !self.unit.has_small_copy(function) {
            return self.call_directly(copied, &words);
        }
        let mut unknown = Expression::default();
        let params = &self.unit.program.function(function).params;
        for (param, (operand, word)) in params.iter().zip(operands.iter().zip(&words)) {
            if operand.range().is_none() && self.is_int(param.ty) {
                let part = unknown.input(*word);
                unknown.guard(part);
            }
        }
        let small = Copied::for_ints(function, Ints::Small);
        if unknown.is_empty() {
            return self.call_directly(small, &words);
        }
        if function != self.id || self.copied.ints != Ints::Small {
            return self.call_directly(copied, &words);
        }
        let (large, meet) = (self.cold_block(), self.meeting());
        self.guard(&unknown, large);
        let result = self.call_directly(small, &words);
        self.jump(meet, &[result]);
        self.switch_to(large);
        let result = self.call_directly(Copied::for_ints(function, Ints::Large), &words);
        self.jump(meet, &[result]);
        let result = self.met(meet);
        self.word(result)
    }

    fn call_directly(&mut self, copied: Copied, words: &[Value]) -> Value {
        let callee = self.callee_of(copied);
        let depth = self.deeper();
        let mut all = vec![self.context, depth];
        all.extend_from_slice(words);
        let call = self.builder.ins().call(callee, &all);
        self.builder.inst_results(call)[0]
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

    pub(super) fn call_value(&mut self, callee: TermId, args: &[TermId]) -> Operand {
        if let Some(closure) = self.stands_in_place(callee) {
            return self.in_place(closure, (callee, args), Self::term);
        }
        let (code, mut words, signature) = self.prepare(callee, args);
        words[1] = self.deeper();
        let signature = self.builder.import_signature(signature);
        let call = self.builder.ins().call_indirect(signature, code, &words);
        let result = self.builder.inst_results(call)[0];
        self.unless_fault(result);
        Operand::Word(result)
    }

    pub(super) fn tail_call(&mut self, function: FunctionId, args: &[TermId]) {
        if function == self.id && self.function.n_captures == 0 {
            self.turn(args);
            return;
        }
        let copied = self.copy_for(function, args);
        let words = self.words_of(args);
        self.go_on_in(copied, &words);
    }

    /// Returns what another function does, which takes no more depth than this one.
    pub(super) fn go_on_in(&mut self, copied: Copied, words: &[Value]) {
        let function = copied.function;
        let callee = self.callee_of(copied);
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
        if let Some(closure) = self.stands_in_place(callee) {
            self.tail_in_place(closure, (callee, args));
            return;
        }
        let (code, words, signature) = self.prepare(callee, args);
        let signature = self.builder.import_signature(signature);
        self.builder.ins().return_call_indirect(signature, code, &words);
    }

    /// The value of a constant, which is computed at its first use.
    pub(super) fn constant_value(&mut self, id: TermId, constant: ConstId) -> Value {
        let known = self.constant_if_known(constant);
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

    /// The word of a constant, or 0 before it has been evaluated.
    pub(super) fn constant_if_known(&mut self, constant: ConstId) -> Value {
        let table = self.load_own(offset::CONSTANTS);
        self.builder.ins().load(types::I64, self.own, table, constant.0 as i32 * 8)
    }
}
