//! Integer expressions: one tag check for all inputs instead of one per operation.
//!
//! ```text
//!             words in
//!                │
//!          all small? ──no──► all operations again,
//!                │            by the runtime
//!       inline operations ──overflow──►  │
//!                │                       │
//!                ▼                       ▼
//!                       words out
//! ```
//!
//! Inputs are evaluated once, and operations have no side effects, so the slow path can restart
//! from the beginning wherever the fast path leaves. To preserve the evaluation order, only the
//! first input may be more than a local or a literal: everything else that occurs in an expression
//! is evaluated before it.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder as _, Value, types};
use gainsay_core::builtin::{BOOL_NOT, INT_ADD, INT_DIV, INT_MUL, INT_NEG, INT_REM, INT_SUB};
use gainsay_core::{BuiltinId, Literal, Term, TermId};

use super::int::SmallInt;
use super::{Emitter, Operand};
use crate::jit::int_range::SmallIntRange;
use crate::jit::word::Word;

/// Maximum number of terms in an expression besides the first input.
const MAX_TERMS: usize = 24;

/// An operand of an operation.
#[derive(Copy, Clone)]
pub(super) enum IntOperand {
    Input(usize),
    /// The result of an earlier operation.
    Result(usize),
}

struct IntInput {
    word: Value,
    /// The same as a small integer, valid only if it is one.
    small: SmallInt,
    /// Whether it is known to be small.
    is_small: bool,
    /// Whether the fast path requires it to be small.
    is_guarded: bool,
}

impl IntInput {
    fn operand(&self) -> Operand {
        if self.is_small {
            Operand::Small(self.word, self.small.range())
        } else {
            Operand::Word(self.word)
        }
    }
}

struct IntOperation {
    id: TermId,
    builtin: BuiltinId,
    a: IntOperand,
    /// The same as `a` for a negation.
    b: IntOperand,
}

/// A comparison of integers.
struct IntComparison {
    id: TermId,
    builtin: BuiltinId,
    condition: IntCC,
    a: IntOperand,
    b: IntOperand,
    /// Whether comparing the words decides, whatever they are.
    is_word_comparable: bool,
    /// The number of operations that precede it.
    n_operations: usize,
}

enum IntCondition {
    Comparison(IntComparison),
    And(Box<IntCondition>, Box<IntCondition>),
    Or(Box<IntCondition>, Box<IntCondition>),
    Not(Box<IntCondition>),
}

/// Inputs, and operations in evaluation order.
#[derive(Default)]
pub(super) struct IntExpression {
    inputs: Vec<IntInput>,
    operations: Vec<IntOperation>,
}

/// The results of operations so far, on one of the two paths.
type IntResults<T> = Vec<T>;

impl<'u> Emitter<'_, 'u> {
    /// Emits an integer operation; `None` if the term is not one.
    pub(super) fn arithmetic(&mut self, id: TermId) -> Option<Operand> {
        let (builtin, args) = self.operation(id)?;
        let mut expression = IntExpression::default();
        let whole = self.add_operation(&mut expression, id, builtin, args);
        let words = self.evaluate(&expression, &[whole]);
        Some(words[0])
    }

    /// The words of terms that are evaluated in sequence. Trailing terms that are expressions are
    /// combined into one.
    pub(super) fn words_of(&mut self, terms: &[TermId]) -> Vec<Value> {
        let operands = self.operands_of(terms);
        operands.into_iter().map(|it| self.word(it)).collect()
    }

    /// The same, with what is known about small integers.
    pub(super) fn operands_of(&mut self, terms: &[TermId]) -> Vec<Operand> {
        // Later terms must not be evaluated before earlier ones, so only a suffix can be combined.
        let (first, last) = self.split_simple(terms);
        let n_operations =
            last.iter().filter(|it| self.inner_operation(**it).is_some()).count();
        // A single operation gains nothing from a shared guard.
        if n_operations < 2 {
            return terms.iter().map(|term| self.word_operand(*term)).collect();
        }
        let mut operands: Vec<Operand> =
            first.iter().map(|term| self.word_operand(*term)).collect();
        let mut expression = IntExpression::default();
        let parts: Vec<IntOperand> =
            last.iter().map(|term| self.add_term(&mut expression, *term)).collect();
        operands.extend(self.evaluate(&expression, &parts));
        operands
    }

    fn word_operand(&mut self, term: TermId) -> Operand {
        match self.term(term) {
            operand @ (Operand::Word(_) | Operand::Small(..)) => operand,
            operand @ (Operand::Truth(_) | Operand::Float(_)) => {
                Operand::Word(self.word(operand))
            }
        }
    }

    /// Builds an expression from terms that are evaluated in sequence; returns the operand of each.
    pub(super) fn expression_of(
        &mut self,
        terms: &[TermId],
    ) -> (IntExpression, Vec<IntOperand>) {
        let (first, last) = self.split_simple(terms);
        let mut expression = IntExpression::default();
        let mut parts = Vec::new();
        for term in first {
            // These come first in evaluation order and may have effects; each is an input as it is.
            let word = self.word_of(*term);
            parts.push(expression.add_input(word));
        }
        parts.extend(last.iter().map(|term| self.add_term(&mut expression, *term)));
        (expression, parts)
    }

    /// Splits off the trailing terms that consist only of operations.
    fn split_simple<'t>(&self, terms: &'t [TermId]) -> (&'t [TermId], &'t [TermId]) {
        let mut budget = MAX_TERMS;
        // The budget is shared by all terms: it bounds the whole expression.
        let n_simple = terms.iter().rev().take_while(|it| self.is_simple(**it, &mut budget));
        terms.split_at(terms.len() - n_simple.count())
    }

    /// Branches on a condition over integers; `None` if the term is not one.
    pub(super) fn branch_on_ints(&mut self, id: TermId, yes: Block, no: Block) -> Option<()> {
        // Decided before anything is emitted: from here on there is no way back.
        if !self.is_condition(id) {
            return None;
        }
        let mut expression = IntExpression::default();
        // Inputs are emitted here, before the guard.
        let condition = self.add_condition(&mut expression, id)?;
        let slow = self.cold_block();
        self.guard_inputs(&expression, slow);
        self.branch_fast(&expression, &mut Vec::new(), &condition, (yes, no), slow);
        if self.is_taken(slow) {
            // The slow path ends in the same two blocks; see `cold_jump_to`.
            let targets = (self.cold_jump_to(yes), self.cold_jump_to(no));
            self.switch_to(slow);
            self.branch_slow(&expression, &mut Vec::new(), &condition, targets);
        }
        Some(())
    }

    /// The boolean value of a comparison of integers; `None` if the term is not one.
    pub(super) fn truth_of_ints(&mut self, id: TermId) -> Option<Operand> {
        let mut expression = IntExpression::default();
        self.comparison_of_ints(id)?;
        let condition = self.add_condition(&mut expression, id)?;
        let IntCondition::Comparison(comparison) = condition else { return None };
        let (slow, fast) = (self.cold_block(), self.builder.create_block());
        self.guard_inputs(&expression, slow);
        let truth = self.compare_fast(&expression, &mut Vec::new(), &comparison, slow);
        self.jump(fast, &[]);
        if !self.is_taken(slow) {
            self.switch_to(fast);
            return Some(Operand::Truth(truth));
        }
        let meet = self.builder.create_block();
        self.builder.append_block_param(meet, types::I8);
        self.switch_to(fast);
        self.jump(meet, &[truth]);
        self.switch_to(slow);
        let truth = self.compare_slow(&expression, &mut Vec::new(), &comparison);
        self.jump(meet, &[truth]);
        self.switch_to(meet);
        Some(Operand::Truth(self.builder.block_params(meet)[0]))
    }

    /// An integer operation and its arguments.
    fn operation(&self, id: TermId) -> Option<(BuiltinId, &'u [TermId])> {
        let function = self.function;
        let Term::Builtin { builtin, args, .. } = function.body.term(id) else {
            return None;
        };
        let is_operation = match *builtin {
            INT_ADD | INT_SUB | INT_MUL | INT_DIV | INT_REM => args.len() == 2,
            INT_NEG => args.len() == 1,
            _ => false,
        };
        is_operation.then_some((*builtin, &**args))
    }

    /// An operation that can be part of an expression.
    pub(super) fn inner_operation(&self, id: TermId) -> Option<(BuiltinId, &'u [TermId])> {
        self.operation(id).filter(|_| !self.has_pending_instrumentation(id))
    }

    /// Whether a term consists only of operations on locals and literals.
    fn is_simple(&self, id: TermId, budget: &mut usize) -> bool {
        let Some(left) = budget.checked_sub(1) else { return false };
        *budget = left;
        if let Some((_, args)) = self.inner_operation(id) {
            return args.iter().all(|arg| self.is_simple(*arg, budget));
        }
        let term = self.function.body.term(id);
        let is_simple = matches!(term, Term::Local(_) | Term::Literal(Literal::Int(_)));
        is_simple && !self.has_pending_instrumentation(id)
    }

    /// Adds a term to an expression. Only the first one may be other than simple.
    fn add_term(&mut self, expression: &mut IntExpression, id: TermId) -> IntOperand {
        if let Some((builtin, args)) = self.inner_operation(id) {
            return self.add_operation(expression, id, builtin, args);
        }
        self.add_term_input(expression, id)
    }

    fn add_term_input(&mut self, expression: &mut IntExpression, id: TermId) -> IntOperand {
        let word = self.word_of(id);
        // In the small-integer loop the doubled value is at hand: `SmallInt::Doubled` avoids
        // retagging it.
        if let Term::Local(local) = *self.function.body.term(id)
            && let Some(doubled) = self.doubled_local(local)
        {
            let range = self.ranges[local.index()];
            return expression.add_small_input(word, SmallInt::Doubled(doubled, range));
        }
        if let Some(local) = self.small_local(id) {
            let range = self.ranges[local.index()];
            return expression.add_small_input(word, SmallInt::Word(word, range));
        }
        match self.small_literal(id) {
            Some(literal) => expression
                .add_small_input(word, SmallInt::Word(word, SmallIntRange::exactly(literal))),
            None => expression.add_input(word),
        }
    }

    fn add_operation(
        &mut self,
        expression: &mut IntExpression,
        id: TermId,
        builtin: BuiltinId,
        args: &[TermId],
    ) -> IntOperand {
        let (a, b) = match *args {
            [a, b] => {
                let a = self.add_left_term(expression, a, b);
                (a, self.add_term(expression, b))
            }
            _ => {
                let a = self.add_term(expression, args[0]);
                (a, a)
            }
        };
        // Results of operations need no guard: they are small, or the fast path has been left.
        for part in [a, b] {
            expression.require_small(part);
        }
        expression.operations.push(IntOperation { id, builtin, a, b });
        IntOperand::Result(expression.operations.len() - 1)
    }

    /// Adds the left one of two terms. If the right one is not simple, the left one must be fully
    /// evaluated before it, so it becomes an input.
    fn add_left_term(
        &mut self,
        expression: &mut IntExpression,
        a: TermId,
        b: TermId,
    ) -> IntOperand {
        let mut budget = MAX_TERMS;
        if self.is_simple(b, &mut budget) {
            return self.add_term(expression, a);
        }
        self.add_term_input(expression, a)
    }

    /// Whether a term is a comparison of integers, or a combination of several with simple
    /// operands.
    fn is_condition(&self, id: TermId) -> bool {
        let mut budget = MAX_TERMS;
        // A single comparison may have any left operand; in `&&` and `||`, the operands of the
        // right side must not be evaluated ahead unless that has no effect.
        self.comparison_of_ints(id).is_some() || self.is_simple_condition(id, &mut budget)
    }

    fn is_simple_condition(&self, id: TermId, budget: &mut usize) -> bool {
        let Some(left) = budget.checked_sub(1) else { return false };
        *budget = left;
        if self.has_pending_instrumentation(id) {
            return false;
        }
        if let Some((_, _, [a, b])) = self.comparison_of_ints(id) {
            return self.is_simple(a, budget) && self.is_simple(b, budget);
        }
        let term = self.function.body.term(id);
        if let Term::And(a, b) | Term::Or(a, b) = term {
            // A counted branch must be emitted as one.
            self.unit.counter(self.id, id, 0).is_none()
                && self.is_simple_condition(*a, budget)
                && self.is_simple_condition(*b, budget)
        } else if let Term::Builtin { builtin: BOOL_NOT, args, .. } = term {
            self.is_simple_condition(args[0], budget)
        } else {
            false
        }
    }

    fn add_condition(
        &mut self,
        expression: &mut IntExpression,
        id: TermId,
    ) -> Option<IntCondition> {
        if let Some((builtin, condition, [a, b])) = self.comparison_of_ints(id) {
            // A word comparison is valid for boxed integers, too, so it needs no guard.
            let is_plain = self.is_word_comparable(condition, a, b);
            let a = self.add_left_term(expression, a, b);
            let b = self.add_term(expression, b);
            if !is_plain {
                expression.require_small(a);
                expression.require_small(b);
            }
            let n_operations = expression.operations.len();
            let comparison = IntComparison {
                id,
                builtin,
                condition,
                a,
                b,
                is_word_comparable: is_plain,
                n_operations,
            };
            return Some(IntCondition::Comparison(comparison));
        }
        let function = self.function;
        let term = function.body.term(id);
        if let Term::And(a, b) | Term::Or(a, b) = term {
            let left = Box::new(self.add_condition(expression, *a)?);
            let right = Box::new(self.add_condition(expression, *b)?);
            let is_and = matches!(term, Term::And(..));
            Some(if is_and {
                IntCondition::And(left, right)
            } else {
                IntCondition::Or(left, right)
            })
        } else if let Term::Builtin { builtin: BOOL_NOT, args, .. } = term {
            Some(IntCondition::Not(Box::new(self.add_condition(expression, args[0])?)))
        } else {
            None
        }
    }

    /// Evaluates parts of an expression to words.
    fn evaluate(&mut self, expression: &IntExpression, parts: &[IntOperand]) -> Vec<Operand> {
        let (slow, fast) = (self.cold_block(), self.builder.create_block());
        self.guard_inputs(expression, slow);
        let mut results = Vec::new();
        self.operate_fast(expression, &mut results, usize::MAX, slow);
        self.jump(fast, &[]);
        // Range analysis may have removed every branch to the slow path.
        let has_slow_path = self.is_taken(slow);
        self.switch_to(fast);
        if !has_slow_path {
            return self.evaluate_small(expression, parts, &results);
        }
        let meet = self.builder.create_block();
        let mut words = Vec::new();
        for part in parts {
            // Inputs are the same on both paths; only results need block parameters.
            if let IntOperand::Result(at) = *part {
                words.push(self.small_word(results[at]));
            }
        }
        self.jump(meet, &words);
        self.switch_to(slow);
        let mut results = Vec::new();
        self.operate_slow(expression, &mut results, usize::MAX);
        words.clear();
        for part in parts {
            if let IntOperand::Result(at) = *part {
                words.push(results[at]);
                self.builder.append_block_param(meet, types::I64);
            }
        }
        self.jump(meet, &words);
        self.switch_to(meet);
        let met = self.builder.block_params(meet).to_vec();
        let mut met = met.into_iter();
        let operand = |part: &IntOperand| match *part {
            IntOperand::Input(at) => Some(expression.inputs[at].operand()),
            IntOperand::Result(_) => met.next().map(Operand::Word),
        };
        parts.iter().filter_map(operand).collect()
    }

    /// Evaluates parts of an expression that has no slow path, so that all results are small.
    fn evaluate_small(
        &mut self,
        expression: &IntExpression,
        parts: &[IntOperand],
        results: &IntResults<SmallInt>,
    ) -> Vec<Operand> {
        let operand = |part: &IntOperand| match *part {
            IntOperand::Input(at) => expression.inputs[at].operand(),
            IntOperand::Result(at) => {
                let word = self.small_word(results[at]);
                Operand::Small(word, results[at].range())
            }
        };
        parts.iter().map(operand).collect()
    }

    /// Whether anything branches to a slow path. Seals the block, so everything that might branch
    /// there must have been emitted.
    pub(super) fn is_taken(&mut self, slow: Block) -> bool {
        self.switch_to(slow);
        // Without predecessors, the sealed block is unreachable.
        self.builder.seal_block(slow);
        !self.builder.is_unreachable()
    }

    /// Branches to the slow path unless all guarded inputs are small.
    pub(super) fn guard_inputs(&mut self, expression: &IntExpression, slow: Block) {
        let mut guarded: Vec<Value> = Vec::new();
        for input in &expression.inputs {
            // The same word may be an input several times but is tested once.
            if input.is_guarded && !input.is_small && !guarded.contains(&input.word) {
                guarded.push(input.word);
            }
        }
        // All tag bits are set if and only if the tag bit of the conjunction is.
        let tags = guarded.into_iter().reduce(|a, b| self.builder.ins().band(a, b));
        let Some(tags) = tags else { return };
        let small = self.builder.ins().band_imm_s(tags, 1);
        let fast = self.builder.create_block();
        self.builder.ins().brif(small, fast, &[], slow, &[]);
        self.switch_to(fast);
    }

    /// Emits operations inline, up to a given one.
    pub(super) fn operate_fast(
        &mut self,
        expression: &IntExpression,
        results: &mut IntResults<SmallInt>,
        n_operations: usize,
        slow: Block,
    ) {
        // Continues after the operations that earlier comparisons have emitted.
        for at in results.len()..n_operations.min(expression.operations.len()) {
            let operation = &expression.operations[at];
            let a = expression.small(operation.a, results);
            let b = expression.small(operation.b, results);
            results.push(self.operate(operation.builtin, a, b, slow));
        }
    }

    /// Emits operations as runtime calls, up to a given one.
    pub(super) fn operate_slow(
        &mut self,
        expression: &IntExpression,
        results: &mut IntResults<Value>,
        n_operations: usize,
    ) {
        for at in results.len()..n_operations.min(expression.operations.len()) {
            let IntOperation { id, builtin, a, b } = expression.operations[at];
            let a = expression.word(a, results);
            let b = expression.word(b, results);
            results.push(match builtin {
                // `RuntimeCall::Binary` takes two words.
                INT_NEG => self.call_builtin(id, builtin, &[a]),
                _ => self.slow_binary(id, builtin, a, b),
            });
        }
    }

    fn branch_fast(
        &mut self,
        expression: &IntExpression,
        results: &mut IntResults<SmallInt>,
        condition: &IntCondition,
        (yes, no): (Block, Block),
        slow: Block,
    ) {
        // `results` may contain operations that the path to a later comparison skips. That is
        // sound, because every comparison adds operations of its own and none uses the results of
        // another.
        match condition {
            IntCondition::Comparison(it) => {
                let truth = self.compare_fast(expression, results, it, slow);
                self.builder.ins().brif(truth, yes, &[], no, &[]);
            }
            IntCondition::And(a, b) => {
                let more = self.builder.create_block();
                self.branch_fast(expression, results, a, (more, no), slow);
                self.switch_to(more);
                self.branch_fast(expression, results, b, (yes, no), slow);
            }
            IntCondition::Or(a, b) => {
                let more = self.builder.create_block();
                self.branch_fast(expression, results, a, (yes, more), slow);
                self.switch_to(more);
                self.branch_fast(expression, results, b, (yes, no), slow);
            }
            IntCondition::Not(a) => self.branch_fast(expression, results, a, (no, yes), slow),
        }
    }

    fn branch_slow(
        &mut self,
        expression: &IntExpression,
        results: &mut IntResults<Value>,
        condition: &IntCondition,
        (yes, no): (Block, Block),
    ) {
        match condition {
            IntCondition::Comparison(it) => {
                let truth = self.compare_slow(expression, results, it);
                self.builder.ins().brif(truth, yes, &[], no, &[]);
            }
            IntCondition::And(a, b) => {
                let more = self.cold_block();
                self.branch_slow(expression, results, a, (more, no));
                self.switch_to(more);
                self.branch_slow(expression, results, b, (yes, no));
            }
            IntCondition::Or(a, b) => {
                let more = self.cold_block();
                self.branch_slow(expression, results, a, (yes, more));
                self.switch_to(more);
                self.branch_slow(expression, results, b, (yes, no));
            }
            IntCondition::Not(a) => self.branch_slow(expression, results, a, (no, yes)),
        }
    }

    fn compare_fast(
        &mut self,
        expression: &IntExpression,
        results: &mut IntResults<SmallInt>,
        it: &IntComparison,
        slow: Block,
    ) -> Value {
        self.operate_fast(expression, results, it.n_operations, slow);
        let (a, b) = (expression.small(it.a, results), expression.small(it.b, results));
        self.compare_small(it.condition, a, b)
    }

    fn compare_slow(
        &mut self,
        expression: &IntExpression,
        results: &mut IntResults<Value>,
        it: &IntComparison,
    ) -> Value {
        self.operate_slow(expression, results, it.n_operations);
        let a = expression.word(it.a, results);
        let b = expression.word(it.b, results);
        // Boxed integers never equal a small literal, which is what the words are compared with.
        if it.is_word_comparable {
            return self.builder.ins().icmp(it.condition, a, b);
        }
        let word = self.slow_binary(it.id, it.builtin, a, b);
        self.equals_word(word, Word::TRUE)
    }

    /// The value of a term that is a literal small integer.
    pub(super) fn small_literal(&self, term: TermId) -> Option<i64> {
        if let Term::Literal(Literal::Int(int)) = self.function.body.term(term)
            && !self.has_pending_instrumentation(term)
        {
            Word::from_small_int(*int).map(|_| *int)
        } else {
            None
        }
    }
}

impl IntExpression {
    pub(super) fn add_input(&mut self, word: Value) -> IntOperand {
        let small = SmallInt::Word(word, SmallIntRange::SMALL);
        self.inputs.push(IntInput { word, small, is_small: false, is_guarded: false });
        IntOperand::Input(self.inputs.len() - 1)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.inputs.is_empty()
    }

    /// Adds an input that is known to be small.
    fn add_small_input(&mut self, word: Value, small: SmallInt) -> IntOperand {
        self.inputs.push(IntInput { word, small, is_small: true, is_guarded: false });
        IntOperand::Input(self.inputs.len() - 1)
    }

    /// Marks an input that the fast path requires to be small.
    pub(super) fn require_small(&mut self, part: IntOperand) {
        if let IntOperand::Input(at) = part {
            self.inputs[at].is_guarded = true;
        }
    }

    pub(super) fn small(&self, part: IntOperand, results: &[SmallInt]) -> SmallInt {
        match part {
            IntOperand::Input(at) => self.inputs[at].small,
            IntOperand::Result(at) => results[at],
        }
    }

    pub(super) fn word(&self, part: IntOperand, results: &[Value]) -> Value {
        match part {
            IntOperand::Input(at) => self.inputs[at].word,
            IntOperand::Result(at) => results[at],
        }
    }
}
