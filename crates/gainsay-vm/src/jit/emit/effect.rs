//! Effects: they leave through the host, or through what answers instead of it.

use cranelift_codegen::ir::{
    AbiParam, InstBuilder as _, MemFlagsData, Signature, Value, types,
};
use gainsay_core::{Answer, OpId, TermId, TypeTable};

use super::Emitter;
use crate::jit::context::offset;
use crate::jit::runtime::Call;
use crate::jit::word::Word;

impl Emitter<'_, '_> {
    pub(super) fn perform(&mut self, id: TermId, op: OpId, args: &[TermId]) -> Value {
        let words = self.words_of(args);
        if !self.is_quick(op) {
            return self.perform_slowly(id, &words);
        }
        let unit = self.word_constant(Word::UNIT);
        let a = words.first().copied().unwrap_or(unit);
        let b = words.get(1).copied().unwrap_or(unit);
        let quick = self.load_own(offset::QUICK);
        let mut signature = Signature::new(self.unit.host_convention());
        signature.params = vec![AbiParam::new(types::I64); 4];
        signature.returns = vec![AbiParam::new(types::I64)];
        let signature = self.builder.import_signature(signature);
        let number = self.constant(u64::from(op.0));
        let call =
            self.builder.ins().call_indirect(signature, quick, &[self.context, number, a, b]);
        let answer = self.builder.inst_results(call)[0];
        let (declined, meet) = (self.cold_block(), self.meeting());
        let arg = [cranelift_codegen::ir::BlockArg::Value(answer)];
        self.builder.ins().brif(answer, meet, &arg, declined, &[]);
        self.switch_to(declined);
        let row = self.spread(&words);
        let site = self.site(id);
        let answer = self.ask_rarely(Call::Perform, &[site, row, self.depth]);
        self.jump(meet, &[answer]);
        let answer = self.met(meet);
        self.word(answer)
    }

    /// Whether an operation is on so few integers that a host may answer it quickly.
    fn is_quick(&self, op: OpId) -> bool {
        let program = self.unit.program;
        let op = program.op(op);
        let is_int = |ty| program.types.base(ty) == TypeTable::INT;
        op.n_type_params == 0
            && op.params.len() <= 2
            && op.params.iter().all(|(_, ty)| is_int(*ty))
            && is_int(op.result)
    }

    fn perform_slowly(&mut self, id: TermId, words: &[Value]) -> Value {
        let row = self.spread(words);
        let site = self.site(id);
        self.ask_runtime(Call::Perform, &[site, row, self.depth])
    }

    pub(super) fn under(&mut self, id: TermId, answers: &[Answer], body: TermId) -> Value {
        let mut stubs = Vec::new();
        for answer in answers {
            match answer {
                Answer::Stub(_, stub) => stubs.push(self.word_of(*stub)),
                Answer::World(world) => {
                    let program = self.unit.program;
                    for (_, function) in &program.world(*world).answers {
                        stubs.push(self.call_words(*function, &[]));
                    }
                }
            }
        }
        let body = self.word_of(body);
        let row = self.spread(&stubs);
        let site = self.site(id);
        self.ask_runtime(Call::Under, &[site, row, body, self.depth])
    }

    /// The results of all branches of a `par`, as written. The runtime decides in which order
    /// they run.
    fn run_branches(&mut self, id: TermId, branches: &[TermId]) -> Vec<Value> {
        let bodies = self.words_of(branches);
        let row = self.spread(&bodies);
        let (site, n_branches) = (self.site(id), self.constant(bodies.len() as u64));
        self.ask_runtime(Call::Par, &[site, row, n_branches, self.depth]);
        let flags = MemFlagsData::trusted();
        let result = |at| self.builder.ins().load(types::I64, flags, row, at as i32 * 8);
        (0..bodies.len()).map(result).collect()
    }

    pub(super) fn par(&mut self, id: TermId, branches: &[TermId]) -> Value {
        let results = self.run_branches(id, branches);
        self.tuple_of(id, &results)
    }

    /// `par?`: once all branches have run, the leftmost `Err`.
    pub(super) fn par_cancelling(&mut self, id: TermId, branches: &[TermId]) -> Value {
        let is_result = self.is_named(id);
        let ok = self.unit.program.lang.ok;
        let meet = self.meeting();
        let mut contents = Vec::new();
        for result in self.run_branches(id, branches) {
            let is_ok = self.has_ctor(result, ok);
            let (go_on, stop) = (self.builder.create_block(), self.builder.create_block());
            self.builder.ins().brif(is_ok, go_on, &[], stop, &[]);
            self.switch_to(stop);
            if is_result {
                self.jump(meet, &[result]);
            } else {
                self.leave(result);
            }
            self.switch_to(go_on);
            contents.push(self.load(result, 1));
        }
        let tuple = self.tuple_of(id, &contents);
        let all = match ok {
            Some(ok) if is_result => self.data_of(id, ok, &[tuple]),
            Some(_) | None => tuple,
        };
        self.jump(meet, &[all]);
        let result = self.met(meet);
        self.word(result)
    }

    pub(super) fn traced(&mut self, id: TermId, call: TermId) -> Value {
        let site = self.site(id);
        self.ask_runtime(Call::TraceBegin, &[site]);
        self.n_traced += 1;
        let result = self.word_of(call);
        self.n_traced -= 1;
        self.ask_runtime(Call::TraceEnd, &[site, result])
    }
}
