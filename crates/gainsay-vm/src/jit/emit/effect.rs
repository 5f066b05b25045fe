//! Effects: performed by the host, or by stubs in its place.

use cranelift_codegen::ir::{
    AbiParam, BlockArg, InstBuilder as _, MemFlagsData, Signature, Value, types,
};
use gainsay_core::{EffectHandler, OpId, TermId, TypeTable};

use super::Emitter;
use super::int::SmallInt;
use crate::jit::context::offset;
use crate::jit::runtime::RuntimeCall;

impl Emitter<'_, '_> {
    pub(super) fn perform(&mut self, id: TermId, op: OpId, args: &[TermId]) -> Value {
        if self.has_fast_path(op) {
            return self.perform_fast(id, op, args);
        }
        let words = self.words_of(args);
        let row = self.store_row(&words);
        let site = self.site(id);
        self.call_runtime_or_exit(RuntimeCall::Perform, &[site, row, self.depth])
    }

    /// Calls the fast path if all arguments are small. If one is not, or the fast path declines,
    /// the operation is performed the regular way.
    fn perform_fast(&mut self, id: TermId, op: OpId, args: &[TermId]) -> Value {
        let (mut expression, parts) = self.expression_of(args);
        for part in &parts {
            expression.require_small(*part);
        }
        let (slow, performs) = (self.cold_block(), self.cold_block());
        // Both ways to `performs` pass the arguments as words.
        for _ in &parts {
            self.builder.append_block_param(performs, types::I64);
        }
        self.guard_inputs(&expression, slow);
        let mut results = Vec::new();
        // Nothing has been performed when this leaves for `slow`, which starts over.
        self.operate_fast(&expression, &mut results, usize::MAX, slow);
        let smalls: Vec<SmallInt> =
            parts.iter().map(|part| expression.small(*part, &results)).collect();
        let answer = self.call_fast_answer(op, &smalls);
        // An answer is a word and never 0, so 0 can stand for a refusal.
        let (declined, meet) = (self.cold_block(), self.join_block());
        self.builder.ins().brif(answer, meet, &[BlockArg::Value(answer)], declined, &[]);
        self.switch_to(declined);
        let words: Vec<Value> = smalls.iter().map(|small| self.small_word(*small)).collect();
        self.jump(performs, &words);
        // Emitted only if something branches there, since all arguments may be known to be small.
        if self.is_taken(slow) {
            let mut results = Vec::new();
            self.operate_slow(&expression, &mut results, usize::MAX);
            let words: Vec<Value> =
                parts.iter().map(|part| expression.word(*part, &results)).collect();
            self.jump(performs, &words);
        }
        self.switch_to(performs);
        let words = self.builder.block_params(performs).to_vec();
        let row = self.store_row(&words);
        let site = self.site(id);
        let answer = self.call_rarely_or_exit(RuntimeCall::Perform, &[site, row, self.depth]);
        self.jump(meet, &[answer]);
        let answer = self.join_value(meet);
        self.word(answer)
    }

    /// The fast-path answer to an operation, or 0 if there is none.
    fn call_fast_answer(&mut self, op: OpId, args: &[SmallInt]) -> Value {
        let quick = self.load_context(offset::FAST_ANSWERS + args.len() as i32 * 8);
        let mut all = vec![self.context, self.constant(u64::from(op.0))];
        all.extend(args.iter().map(|arg| self.untagged(*arg)));
        let mut signature = Signature::new(self.unit.host_convention());
        signature.params = vec![AbiParam::new(types::I64); all.len()];
        signature.returns = vec![AbiParam::new(types::I64)];
        let signature = self.builder.import_signature(signature);
        // Unlike other calls into the runtime, this one charges no steps, so the counter stays in
        // its register.
        let call = self.builder.ins().call_indirect(signature, quick, &all);
        self.builder.inst_results(call)[0]
    }

    /// Whether an operation takes at most three integers and returns one, so that it has a fast
    /// path.
    fn has_fast_path(&self, op: OpId) -> bool {
        let program = self.unit.program;
        let op = program.op(op);
        let is_int = |ty| program.types.base(ty) == TypeTable::INT;
        op.n_type_params == 0
            // The context has one function pointer per arity, up to three.
            && op.params.len() <= 3
            && op.params.iter().all(|(_, ty)| is_int(*ty))
            && is_int(op.result)
    }

    pub(super) fn under(
        &mut self,
        id: TermId,
        answers: &[EffectHandler],
        body: TermId,
    ) -> Value {
        let mut stubs = Vec::new();
        for answer in answers {
            match answer {
                EffectHandler::Stub(_, stub) => stubs.push(self.word_of(*stub)),
                EffectHandler::World(world) => {
                    let program = self.unit.program;
                    // The order in which the runtime reads the row: handlers as written, and the
                    // stubs of a world as declared.
                    for (_, function) in &program.world(*world).stubs {
                        stubs.push(self.call_words(*function, &[]));
                    }
                }
            }
        }
        let body = self.word_of(body);
        let row = self.store_row(&stubs);
        let site = self.site(id);
        self.call_runtime_or_exit(RuntimeCall::Under, &[site, row, body, self.depth])
    }

    /// The results of all branches of a `par`, in source order. The runtime decides in which order
    /// they run.
    fn run_branches(&mut self, id: TermId, branches: &[TermId]) -> Vec<Value> {
        let bodies = self.words_of(branches);
        let row = self.store_row(&bodies);
        let (site, n_branches) = (self.site(id), self.constant(bodies.len() as u64));
        self.call_runtime_or_exit(RuntimeCall::Par, &[site, row, n_branches, self.depth]);
        // The runtime has replaced the closures in the array with the results.
        let flags = MemFlagsData::trusted();
        let result = |at| self.builder.ins().load(types::I64, flags, row, at as i32 * 8);
        (0..bodies.len()).map(result).collect()
    }

    pub(super) fn par(&mut self, id: TermId, branches: &[TermId]) -> Value {
        let results = self.run_branches(id, branches);
        self.tuple_from_words(id, &results)
    }

    /// `par?`: after all branches have run, the leftmost `Err`.
    pub(super) fn par_cancelling(&mut self, id: TermId, branches: &[TermId]) -> Value {
        let is_result = self.is_nominal(id);
        let ok = self.unit.program.lang.ok;
        let meet = self.join_block();
        let mut contents = Vec::new();
        // All branches have run by now: cancelling only decides which result is seen, so that
        // effects do not depend on which branch fails.
        for result in self.run_branches(id, branches) {
            let is_ok = self.has_ctor(result, ok);
            let (go_on, stop) = (self.builder.create_block(), self.builder.create_block());
            self.builder.ins().brif(is_ok, go_on, &[], stop, &[]);
            self.switch_to(stop);
            // `par?` in a `Result` context is a value; otherwise it returns from the function.
            if is_result {
                self.jump(meet, &[result]);
            } else {
                self.return_word(result);
            }
            self.switch_to(go_on);
            contents.push(self.load(result, 1));
        }
        let tuple = self.tuple_from_words(id, &contents);
        let all = match ok {
            Some(ok) if is_result => self.data_from_words(id, ok, &[tuple]),
            Some(_) | None => tuple,
        };
        self.jump(meet, &[all]);
        let result = self.join_value(meet);
        self.word(result)
    }

    pub(super) fn traced(&mut self, id: TermId, call: TermId) -> Value {
        let site = self.site(id);
        // A fault in the call skips `TraceEnd`; `throws`, or the reset before the next case, then
        // removes the recorder.
        self.call_runtime_or_exit(RuntimeCall::TraceBegin, &[site]);
        self.n_traced += 1;
        let result = self.word_of(call);
        self.n_traced -= 1;
        self.call_runtime_or_exit(RuntimeCall::TraceEnd, &[site, result])
    }
}
