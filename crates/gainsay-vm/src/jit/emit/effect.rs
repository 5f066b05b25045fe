//! Effects: they leave through the host, or through what answers instead of it.

use cranelift_codegen::ir::{
    AbiParam, BlockArg, InstBuilder as _, MemFlagsData, Signature, Value, types,
};
use gainsay_core::{Answer, OpId, TermId, TypeTable};

use super::Emitter;
use super::int::Small;
use crate::jit::context::offset;
use crate::jit::runtime::Call;

impl Emitter<'_, '_> {
    pub(super) fn perform(&mut self, id: TermId, op: OpId, args: &[TermId]) -> Value {
        if self.is_quick(op) {
            return self.perform_quickly(id, op, args);
        }
        let words = self.words_of(args);
        let row = self.spread(&words);
        let site = self.site(id);
        self.ask_runtime(Call::Perform, &[site, row, self.depth])
    }

    /// Asks for a quick answer if all arguments are small. If one is not, or there is no such
    /// answer, the operation is performed.
    fn perform_quickly(&mut self, id: TermId, op: OpId, args: &[TermId]) -> Value {
        let (mut expression, parts) = self.gather_all(args);
        for part in &parts {
            expression.guard(*part);
        }
        let (slow, performs) = (self.cold_block(), self.cold_block());
        for _ in &parts {
            self.builder.append_block_param(performs, types::I64);
        }
        self.guard(&expression, slow);
        let mut results = Vec::new();
        self.operate_fast(&expression, &mut results, usize::MAX, slow);
        let smalls: Vec<Small> =
            parts.iter().map(|part| expression.small(*part, &results)).collect();
        let answer = self.ask_quickly(op, &smalls);
        let (declined, meet) = (self.cold_block(), self.meeting());
        self.builder.ins().brif(answer, meet, &[BlockArg::Value(answer)], declined, &[]);
        self.switch_to(declined);
        let words: Vec<Value> = smalls.iter().map(|small| self.small_word(*small)).collect();
        self.jump(performs, &words);
        if self.is_taken(slow) {
            let mut results = Vec::new();
            self.operate_slowly(&expression, &mut results, usize::MAX);
            let words: Vec<Value> =
                parts.iter().map(|part| expression.word(*part, &results)).collect();
            self.jump(performs, &words);
        }
        self.switch_to(performs);
        let words = self.builder.block_params(performs).to_vec();
        let row = self.spread(&words);
        let site = self.site(id);
        let answer = self.ask_rarely(Call::Perform, &[site, row, self.depth]);
        self.jump(meet, &[answer]);
        let answer = self.met(meet);
        self.word(answer)
    }

    /// The quick answer to an operation, or 0 if there is none.
    fn ask_quickly(&mut self, op: OpId, args: &[Small]) -> Value {
        let quick = self.load_own(offset::QUICK + args.len() as i32 * 8);
        let mut all = vec![self.context, self.constant(u64::from(op.0))];
        all.extend(args.iter().map(|arg| self.halved(*arg)));
        let mut signature = Signature::new(self.unit.host_convention());
        signature.params = vec![AbiParam::new(types::I64); all.len()];
        signature.returns = vec![AbiParam::new(types::I64)];
        let signature = self.builder.import_signature(signature);
        let call = self.builder.ins().call_indirect(signature, quick, &all);
        self.builder.inst_results(call)[0]
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
