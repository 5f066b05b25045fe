//! Inlining of known closures: their bodies replace their calls.

use cranelift_codegen::ir::{InstBuilder as _, Value};
use gainsay_core::{FunctionId, Term, TermId};

use super::Emitter;
use crate::jit::int_range::SmallIntRange;

/// A call of a function value: callee and arguments.
type ClosureCall<'t> = (TermId, &'t [TermId]);

impl Emitter<'_, '_> {
    /// The function to inline at calls of a function value, if the specialization being emitted
    /// knows it.
    pub(super) fn inlined_function(&self, callee: TermId) -> Option<FunctionId> {
        // Inside an inlined body, locals are those of another function, and nothing is known about
        // them.
        if self.id != self.specialization.function {
            return None;
        }
        let Term::Local(local) = self.function.body.term(callee) else { return None };
        self.specialization.closure_of_param(*local)
    }

    /// Inlines a function body in place of a call. It charges a step and depth like a call, and its
    /// faults are located in the inlined function.
    pub(super) fn inline_call<T>(
        &mut self,
        function: FunctionId,
        (callee, args): ClosureCall<'_>,
        emit: impl FnOnce(&mut Self, TermId) -> T,
    ) -> T {
        let words = self.closure_call_words(callee, args);
        let depth = self.callee_depth();
        self.with_function(function, depth, |it, root| {
            // The inlined call counts toward the depth limit, so that faults do not depend on
            // optimization.
            it.check_depth();
            it.begin_inlined(&words);
            emit(it, root)
        })
    }

    /// The same in tail position, where the depth does not change.
    pub(super) fn inline_tail_call(
        &mut self,
        function: FunctionId,
        (callee, args): ClosureCall<'_>,
    ) {
        let words = self.closure_call_words(callee, args);
        let result = self.with_function(function, self.depth, |it, root| {
            it.begin_inlined(&words);
            // Not `tail`: the body is pure (`is_inlinable`), and no call in it could replace the
            // frame.
            it.word_of(root)
        });
        self.builder.ins().return_(&[result]);
    }

    /// The callee and its arguments as words.
    fn closure_call_words(&mut self, callee: TermId, args: &[TermId]) -> Vec<Value> {
        let mut words = vec![self.word_of(callee)];
        words.extend(self.words_of(args));
        words
    }

    fn begin_inlined(&mut self, words: &[Value]) {
        // The inlined body charges its own step, as the call would have.
        self.step();
        // A function without captures does not use its closure.
        let n_dropped = usize::from(self.function.n_captures == 0);
        self.bind_params(&words[n_dropped..]);
    }

    /// Emits code as part of another function, and restores the state of the current one.
    fn with_function<T>(
        &mut self,
        id: FunctionId,
        depth: Value,
        emit: impl FnOnce(&mut Self, TermId) -> T,
    ) -> T {
        let function = self.unit.program.function(id);
        let n_locals = function.body.locals.len().max(function.params.len());
        let root = function.body.root.expect("only a function with a body stands in place");
        let outer_id = std::mem::replace(&mut self.id, id);
        let outer_function = std::mem::replace(&mut self.function, function);
        let outer_depth = std::mem::replace(&mut self.depth, depth);
        let outer_locals = std::mem::replace(&mut self.locals, vec![None; n_locals]);
        let outer_closures = std::mem::replace(&mut self.closures, vec![None; n_locals]);
        let outer_small = std::mem::replace(&mut self.small_locals, vec![false; n_locals]);
        let outer_ranges =
            std::mem::replace(&mut self.ranges, vec![SmallIntRange::SMALL; n_locals]);
        // Base case and loop belong to the outer function.
        let (base, turns) = (self.base_case.take(), self.small_int_loop.take());
        let result = emit(self, root);
        self.id = outer_id;
        self.function = outer_function;
        self.depth = outer_depth;
        self.locals = outer_locals;
        self.closures = outer_closures;
        self.small_locals = outer_small;
        self.ranges = outer_ranges;
        (self.base_case, self.small_int_loop) = (base, turns);
        result
    }
}
