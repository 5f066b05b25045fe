//! Claims and contracts: `observe`, `assume`, `throws`, and the checks around a body.

use cranelift_codegen::ir::{InstBuilder as _, Value};
use gainsay_core::{Clause, LocalId, Term, TermId, builtin};

use super::refine::RefinedRoleCode;
use super::{Emitter, Operand};
use crate::jit::calling_convention::checks_result;
use crate::jit::context::{TermSite, offset};
use crate::jit::runtime::RuntimeCall;
use crate::jit::word::Word;

impl Emitter<'_, '_> {
    /// `observe`: reports to the host, with both sides of a comparison that does not hold; a
    /// passing one is only counted if the host does not want it.
    pub(super) fn observe(&mut self, id: TermId, condition: TermId) -> Value {
        let body = &self.function.body;
        let condition = self.strip_wrappers(condition);
        let (holds, sides) = if let Term::Builtin { builtin, args, .. } = body.term(condition)
            && let [a, b] = **args
            // Only comparisons have two sides of one type that are worth showing.
            && builtin::get(*builtin).total_comparison.is_some()
            && !self.has_pending_instrumentation(condition)
        {
            let (x, y) = (self.word_of(a), self.word_of(b));
            (self.compare(condition, *builtin, ((a, x), (b, y))), (x, y))
        } else {
            let none = self.constant(0);
            (self.term(condition), (none, none))
        };
        let (holding, report, meet) =
            (self.builder.create_block(), self.cold_block(), self.builder.create_block());
        let truth = self.truth(holds);
        // A failing observation is always reported: the host decides whether the case goes on.
        self.builder.ins().brif(truth, holding, &[], report, &[]);
        self.switch_to(holding);
        // Passing observations are the hot path: they cost a load, a branch and an increment.
        let unreported = self.builder.create_block();
        let reports_passing = self.load_context(offset::REPORTS_PASSING);
        self.builder.ins().brif(reports_passing, report, &[], unreported, &[]);
        self.switch_to(unreported);
        let count = self.load_context(offset::N_UNREPORTED);
        let count = self.builder.ins().iadd_imm_s(count, 1);
        self.builder.ins().store(self.context_flags, count, self.context, offset::N_UNREPORTED);
        self.jump(meet, &[]);
        self.switch_to(report);
        let (site, holds) = (self.site(id), self.word(holds));
        self.call_rarely_or_exit(RuntimeCall::Observe, &[site, holds, sides.0, sides.1]);
        self.jump(meet, &[]);
        self.switch_to(meet);
        self.word_constant(Word::UNIT)
    }

    /// Strips wrappers that have no effect from a term.
    fn strip_wrappers(&self, mut id: TermId) -> TermId {
        let body = &self.function.body;
        loop {
            let term = body.term(id);
            if self.has_pending_instrumentation(id) {
                return id;
            } else if let Term::Sample { condition, .. } = term {
                id = *condition;
            } else if let Term::Refine { value, ty } = term
                && !self.is_refined(*ty)
            {
                id = *value;
            } else {
                return id;
            }
        }
    }

    pub(super) fn assume(&mut self, id: TermId, condition: TermId) -> Value {
        let (holds, fails) = (self.builder.create_block(), self.cold_block());
        self.branch(condition, holds, fails);
        self.switch_to(fails);
        let site = self.site(id);
        self.call_rarely_or_exit(RuntimeCall::AssumeFailed, &[site]);
        self.jump(holds, &[]);
        self.switch_to(holds);
        self.word_constant(Word::UNIT)
    }

    pub(super) fn throws(&mut self, id: TermId, body: TermId) -> Value {
        let body = self.word_of(body);
        let site = self.site(id);
        self.call_runtime_or_exit(RuntimeCall::Throws, &[site, body, self.depth])
    }

    /// Whether something is checked after the body, so that no call in it is a tail call.
    pub(super) fn checks_result(&self) -> bool {
        checks_result(self.unit.program, self.function)
    }

    /// Checks arguments and `in` clauses.
    pub(super) fn check_entry(&mut self) {
        let function = self.function;
        let params = function.params.iter().enumerate();
        // Captures were checked where they were bound.
        for (at, param) in params.skip(function.n_captures as usize) {
            if self.is_refined(param.ty) {
                let word = self.local(LocalId(at as u32));
                let site = self.function_site();
                self.check_refinement(
                    word,
                    param.ty,
                    site,
                    RefinedRoleCode::Argument(at as u32),
                );
            }
        }
        for (at, clause) in function.requires.iter().enumerate() {
            self.check_clause(clause, at as u32);
        }
    }

    /// Checks the result and `out` clauses.
    pub(super) fn check_result(&mut self, result: Value) {
        let function = self.function;
        if self.is_refined(function.result) {
            let site = self.function_site();
            self.check_refinement(result, function.result, site, RefinedRoleCode::Result);
        }
        // Clauses are numbered `in` first, then `out`, as the runtime expects.
        let n_requires = function.requires.len() as u32;
        for (at, clause) in function.ensures.iter().enumerate() {
            // Each clause names the result by a local of its own.
            if let Some(local) = clause.result {
                self.bind(local, result);
            }
            self.check_clause(clause, n_requires + at as u32);
        }
    }

    /// Checks a clause; on failure, its index goes to the runtime in place of a term.
    fn check_clause(&mut self, clause: &Clause, number: u32) {
        let (holds, fails) = (self.builder.create_block(), self.cold_block());
        self.branch(clause.term, holds, fails);
        self.switch_to(fails);
        let site = self.constant(TermSite { function: self.id, node: number }.packed());
        // No observer decides here: a violated contract ends the case, unlike an `observe`.
        self.call_rarely(RuntimeCall::ContractViolated, &[site]);
        self.jump(self.fault_exit, &[]);
        self.switch_to(holds);
    }

    /// Propagates a fault unless a word is true.
    pub(super) fn fault_unless(&mut self, word: Value, fault: impl FnOnce(&mut Self)) {
        let (holds, fails) = (self.builder.create_block(), self.cold_block());
        let truth = self.truth(Operand::Word(word));
        self.builder.ins().brif(truth, holds, &[], fails, &[]);
        self.switch_to(fails);
        fault(self);
        self.jump(self.fault_exit, &[]);
        self.switch_to(holds);
    }
}
