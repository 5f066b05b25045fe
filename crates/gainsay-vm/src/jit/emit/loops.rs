//! Loops: functions that end with a call of themselves and count or sum up along the way.
//!
//! The body of such a function is emitted twice. In one version all integer parameters are small,
//! and the loop carries twice their values, so that no iteration checks tags. The other version
//! handles all words. An iteration in which an integer grows too large continues there.
//!
//! A function with other recursive calls and much arithmetic on its parameters also has two
//! versions, selected at its entry; or two specializations
//! ([`integer_specialization`](crate::jit::integer_specialization)), if it never calls itself in
//! tail position.

use cranelift_codegen::ir::{Block, InstBuilder as _, Value, types};
use cranelift_frontend::Variable;
use gainsay_core::{LocalId, Term, TermId, Ty, TyId};

use super::Emitter;
use super::int_expression::IntExpression;
use crate::jit::int_range::SmallIntRange;
use crate::jit::integer_specialization::{is_arithmetic_heavy, is_recursive, tail_terms};
use crate::jit::specialization::{IntAssumption, Specialization};

/// Maximum number of terms and locals of a body that is emitted twice: this bounds the code size,
/// and keeps the frame small with the values of both versions.
const MAX_SIZE: usize = 64;

/// The small-integer version of a body, while it is being emitted.
#[derive(Clone)]
pub(super) struct SmallIntLoop {
    /// The start of an iteration.
    header: Block,
    /// For each integer parameter, the variable that holds twice its value.
    doubled: Vec<Option<Variable>>,
}

impl SmallIntLoop {
    /// The variable that holds twice the value of a local.
    pub(super) fn doubled(&self, local: LocalId) -> Option<Variable> {
        self.doubled.get(local.index()).copied().flatten()
    }
}

impl Emitter<'_, '_> {
    /// Emits the small-integer version of a body, if there is one, and continues where the general
    /// version begins.
    pub(super) fn emit_small_int_version(&mut self, root: TermId) {
        if self.is_counting_loop() {
            self.emit_loop_version(root);
        } else if self.specialization.int_assumption == IntAssumption::Any
            && self.has_small_int_version()
        {
            // `guard_params` branches to `loop_entry`, where the general version is emitted next.
            self.guard_params();
            self.assume_small_params();
            // Each version charges the step itself, because a call runs only one of them.
            self.step();
            self.tail(root);
            self.clear_small_locals();
        } else {
            self.jump(self.loop_entry, &[]);
        }
        self.switch_to(self.loop_entry);
    }

    /// Dispatches to the specialization for the integers that the function is called with.
    pub(super) fn tail_call_int_specialization(&mut self, params: &[Value]) {
        self.guard_params();
        self.tail_call_direct(Specialization::with_ints(self.id, IntAssumption::Small), params);
        self.switch_to(self.loop_entry);
        self.tail_call_direct(Specialization::with_ints(self.id, IntAssumption::Large), params);
    }

    /// Assumes that all integer parameters are small.
    pub(super) fn assume_small_params(&mut self) {
        for (at, param) in self.function.params.iter().enumerate() {
            // Reset by `clear_small_locals`, unless the whole function is the specialization.
            self.small_locals[at] = self.is_int(param.ty);
        }
    }

    /// Branches to the general version unless all integer parameters are small.
    fn guard_params(&mut self) {
        let mut expression = IntExpression::default();
        for (at, param) in self.function.params.iter().enumerate() {
            if self.is_int(param.ty) {
                let word = self.local(LocalId(at as u32));
                let part = expression.add_input(word);
                expression.require_small(part);
            }
        }
        self.guard_inputs(&expression, self.loop_entry);
    }

    fn emit_loop_version(&mut self, root: TermId) {
        let header = self.builder.create_block();
        let mut turns = SmallIntLoop { header, doubled: Vec::new() };
        self.guard_params();
        for (at, param) in self.function.params.iter().enumerate() {
            let variable = self.is_int(param.ty).then(|| self.builder.declare_var(types::I64));
            if let Some(variable) = variable {
                let word = self.local(LocalId(at as u32));
                // Removing the tag of `2n + 1` leaves `2n`.
                let doubled = self.builder.ins().iadd_imm_s(word, -1);
                self.builder.def_var(variable, doubled);
            }
            turns.doubled.push(variable);
        }
        self.small_int_loop = Some(turns);
        self.jump(header, &[]);
        self.switch_to(header);
        self.step();
        // Calls of the function itself in tail position jump to `header`.
        self.tail(root);
        self.small_int_loop = None;
        self.clear_small_locals();
    }

    /// Nothing is known about integers in the general version.
    fn clear_small_locals(&mut self) {
        self.small_locals.fill(false);
        self.ranges.fill(SmallIntRange::SMALL);
    }

    pub(super) fn is_int(&self, ty: TyId) -> bool {
        matches!(self.unit.program.types.get(ty), Ty::Int)
    }

    /// Twice the value of a local that is known to be small.
    pub(super) fn doubled_local(&mut self, local: LocalId) -> Option<Value> {
        let variable = self.small_int_loop.as_ref()?.doubled(local)?;
        Some(self.builder.use_var(variable))
    }

    /// Emits a tail call of the function to itself.
    pub(super) fn emit_self_tail_call(&mut self, args: &[TermId]) {
        // In the general version there is nothing to track.
        // Cloned, because emitting the arguments reads the loop again.
        let Some(turns) = self.small_int_loop.clone() else {
            let words = self.words_of(args);
            self.jump_to_loop_entry(&words);
            return;
        };
        let (mut expression, parts) = self.expression_of(args);
        for (part, variable) in parts.iter().zip(&turns.doubled) {
            // Parameters of other types are passed through as words, whatever they are.
            if variable.is_some() {
                expression.require_small(*part);
            }
        }
        let slow = self.cold_block();
        self.guard_inputs(&expression, slow);
        let mut results = Vec::new();
        self.operate_fast(&expression, &mut results, usize::MAX, slow);
        // All results are computed before any variable is redefined: arguments may refer to each
        // other's parameters.
        for (at, (part, variable)) in parts.iter().zip(&turns.doubled).enumerate() {
            let small = expression.small(*part, &results);
            match *variable {
                Some(variable) => {
                    let doubled = self.doubled(small);
                    self.builder.def_var(variable, doubled);
                }
                None => {
                    let word = self.small_word(small);
                    self.bind(LocalId(at as u32), word);
                }
            }
        }
        self.jump(turns.header, &[]);
        if !self.is_taken(slow) {
            return;
        }
        // The fast path may have left in the middle: the operations are repeated from the start.
        let mut results = Vec::new();
        self.operate_slow(&expression, &mut results, usize::MAX);
        let words: Vec<Value> =
            parts.iter().map(|part| expression.word(*part, &results)).collect();
        self.jump_to_loop_entry(&words);
    }

    /// Continues with the next iteration in the general version.
    fn jump_to_loop_entry(&mut self, words: &[Value]) {
        for (at, word) in words.iter().enumerate() {
            self.bind(LocalId(at as u32), *word);
        }
        self.jump(self.loop_entry, &[]);
    }

    /// Whether a body is short, has no checks around it, and no mutants.
    fn may_have_two_versions(&self) -> bool {
        let function = self.function;
        function.n_captures == 0
            && self.specialization.size(self.unit.program) <= MAX_SIZE
            // A check after the body would have to run in both versions, and no call would be a
            // tail call.
            && !self.checks_result()
            && function.requires.is_empty()
            && !function.params.iter().any(|param| self.is_refined(param.ty))
            && !self.unit.instruments.has_mutants_in(self.id)
    }

    /// Whether a body has a tail call of the function to itself with a computed integer argument.
    fn is_counting_loop(&self) -> bool {
        // Without arithmetic in the arguments, a second version would gain nothing.
        let is_turn = |term: &Term| {
            matches!(term, Term::Call { function, args, .. }
                if *function == self.id && args.iter().any(|arg| self.inner_operation(*arg).is_some()))
        };
        self.may_have_two_versions()
            && tail_terms(self.unit.program, &self.function.body).into_iter().any(is_turn)
    }

    /// Whether a function is recursive and does much arithmetic on its parameters alone.
    pub(super) fn has_small_int_version(&self) -> bool {
        self.may_have_two_versions()
            && is_recursive(self.function, self.id)
            && is_arithmetic_heavy(self.function)
    }
}
