//! Expressions of integers: one look at all that goes in, not one at each operation.
//!
//! ```text
//!            words in
//!               │
//!         are all small? ──no──► each operation again,
//!               │                by the runtime
//!        operations in place ──overflow──►  │
//!               │                           │
//!               ▼                           ▼
//!                      words out
//! ```
//!
//! What goes in is evaluated once, and the operations change nothing, so that the slow way
//! may begin from the start, wherever the fast way leaves. For the order of what can be seen
//! it matters that nothing but the first thing to go in is more than a local or a literal:
//! whatever else stands in an expression is evaluated before it.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder as _, Value, types};
use gainsay_core::builtin::{BOOL_NOT, INT_ADD, INT_DIV, INT_MUL, INT_NEG, INT_REM, INT_SUB};
use gainsay_core::{BuiltinId, Literal, Term, TermId};

use super::int::Small;
use super::{Emitter, Operand};
use crate::jit::range::Range;
use crate::jit::word::Word;

/// How many terms an expression has at most besides the first that goes in.
const MAX_TERMS: usize = 24;

/// What an operation works on.
#[derive(Copy, Clone)]
pub(super) enum Part {
    Input(usize),
    /// The result of an operation.
    Result(usize),
}

struct Input {
    word: Value,
    /// The same as a small integer, if it is one.
    small: Small,
    /// Whether it is known to be small.
    is_small: bool,
    /// Whether it matters that it is small.
    is_guarded: bool,
}

impl Input {
    fn operand(&self) -> Operand {
        if self.is_small {
            Operand::Small(self.word, self.small.range())
        } else {
            Operand::Word(self.word)
        }
    }
}

struct Operation {
    id: TermId,
    builtin: BuiltinId,
    a: Part,
    /// The same as `a` for a negation.
    b: Part,
}

/// A comparison of integers.
struct Comparison {
    id: TermId,
    builtin: BuiltinId,
    condition: IntCC,
    a: Part,
    b: Part,
    /// Whether words tell without a look at what they are.
    is_plain: bool,
    /// The operations that come before it, but not before another one.
    n_operations: usize,
}

enum Condition {
    Comparison(Comparison),
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
    Not(Box<Condition>),
}

/// Integers that go in, and operations in the order in which they are evaluated.
#[derive(Default)]
pub(super) struct Expression {
    inputs: Vec<Input>,
    operations: Vec<Operation>,
}

/// The results of operations so far, on one of both ways.
type Results<T> = Vec<T>;

impl<'u> Emitter<'_, 'u> {
    /// The value of an operation on integers; nothing if a term is none.
    pub(super) fn arithmetic(&mut self, id: TermId) -> Option<Operand> {
        let (builtin, args) = self.operation(id)?;
        let mut expression = Expression::default();
        let whole = self.gather_operation(&mut expression, id, builtin, args);
        let words = self.evaluate(&expression, &[whole]);
        Some(words[0])
    }

    /// The words of terms that are evaluated one after another. Those at the end that are
    /// expressions make a common one.
    pub(super) fn words_of(&mut self, terms: &[TermId]) -> Vec<Value> {
        let operands = self.operands_of(terms);
        operands.into_iter().map(|it| self.word(it)).collect()
    }

    /// The same with what is known of them: words, whether or not of small integers.
    pub(super) fn operands_of(&mut self, terms: &[TermId]) -> Vec<Operand> {
        let (first, last) = self.split_simple(terms);
        let n_operations = last.iter().filter(|it| self.inner(**it).is_some()).count();
        if n_operations < 2 {
            return terms.iter().map(|term| self.word_operand(*term)).collect();
        }
        let mut operands: Vec<Operand> =
            first.iter().map(|term| self.word_operand(*term)).collect();
        let mut expression = Expression::default();
        let parts: Vec<Part> =
            last.iter().map(|term| self.gather(&mut expression, *term)).collect();
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

    /// An expression of terms that are evaluated one after another, and where each of them is
    /// in it.
    pub(super) fn gather_all(&mut self, terms: &[TermId]) -> (Expression, Vec<Part>) {
        let (first, last) = self.split_simple(terms);
        let mut expression = Expression::default();
        let mut parts = Vec::new();
        for term in first {
            let word = self.word_of(*term);
            parts.push(expression.input(word));
        }
        parts.extend(last.iter().map(|term| self.gather(&mut expression, *term)));
        (expression, parts)
    }

    /// Terms, and those at their end in which nothing happens but operations.
    fn split_simple<'t>(&self, terms: &'t [TermId]) -> (&'t [TermId], &'t [TermId]) {
        let mut budget = MAX_TERMS;
        let n_simple = terms.iter().rev().take_while(|it| self.is_simple(**it, &mut budget));
        terms.split_at(terms.len() - n_simple.count())
    }

    /// Goes to one block when a condition on integers holds, and to another when it does not;
    /// nothing if a term is no such condition.
    pub(super) fn branch_on_ints(&mut self, id: TermId, yes: Block, no: Block) -> Option<()> {
        if !self.is_condition(id) {
            return None;
        }
        let mut expression = Expression::default();
        let condition = self.gather_condition(&mut expression, id)?;
        let slow = self.cold_block();
        self.guard(&expression, slow);
        self.decide_fast(&expression, &mut Vec::new(), &condition, (yes, no), slow);
        if self.is_taken(slow) {
            let ways = (self.cold_way_to(yes), self.cold_way_to(no));
            self.switch_to(slow);
            self.decide_slowly(&expression, &mut Vec::new(), &condition, ways);
        }
        Some(())
    }

    /// The truth value of a comparison of integers; nothing if a term is none.
    pub(super) fn truth_of_ints(&mut self, id: TermId) -> Option<Operand> {
        let mut expression = Expression::default();
        self.comparison_of_ints(id)?;
        let condition = self.gather_condition(&mut expression, id)?;
        let Condition::Comparison(comparison) = condition else { return None };
        let (slow, fast) = (self.cold_block(), self.builder.create_block());
        self.guard(&expression, slow);
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
        let truth = self.compare_slowly(&expression, &mut Vec::new(), &comparison);
        self.jump(meet, &[truth]);
        self.switch_to(meet);
        Some(Operand::Truth(self.builder.block_params(meet)[0]))
    }

    /// An operation on integers and what it works on.
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
    pub(super) fn inner(&self, id: TermId) -> Option<(BuiltinId, &'u [TermId])> {
        self.operation(id).filter(|_| !self.is_switched(id))
    }

    /// Whether nothing happens in a term but operations on locals and literals.
    fn is_simple(&self, id: TermId, budget: &mut usize) -> bool {
        let Some(left) = budget.checked_sub(1) else { return false };
        *budget = left;
        if let Some((_, args)) = self.inner(id) {
            return args.iter().all(|arg| self.is_simple(*arg, budget));
        }
        let term = self.function.body.term(id);
        let is_simple = matches!(term, Term::Local(_) | Term::Literal(Literal::Int(_)));
        is_simple && !self.is_switched(id)
    }

    /// Adds a term to an expression. Only a first one may be anything but simple.
    fn gather(&mut self, expression: &mut Expression, id: TermId) -> Part {
        if let Some((builtin, args)) = self.inner(id) {
            return self.gather_operation(expression, id, builtin, args);
        }
        self.gather_input(expression, id)
    }

    fn gather_input(&mut self, expression: &mut Expression, id: TermId) -> Part {
        let word = self.word_of(id);
        if let Term::Local(local) = *self.function.body.term(id)
            && let Some(doubled) = self.doubled_local(local)
        {
            let range = self.ranges[local.index()];
            return expression.small_input(word, Small::Doubled(doubled, range));
        }
        if let Some(local) = self.small_local(id) {
            let range = self.ranges[local.index()];
            return expression.small_input(word, Small::Word(word, range));
        }
        match self.small_literal(id) {
            Some(literal) => {
                expression.small_input(word, Small::Word(word, Range::exactly(literal)))
            }
            None => expression.input(word),
        }
    }

    fn gather_operation(
        &mut self,
        expression: &mut Expression,
        id: TermId,
        builtin: BuiltinId,
        args: &[TermId],
    ) -> Part {
        let (a, b) = match *args {
            [a, b] => {
                let a = self.gather_before(expression, a, b);
                (a, self.gather(expression, b))
            }
            _ => {
                let a = self.gather(expression, args[0]);
                (a, a)
            }
        };
        for part in [a, b] {
            expression.guard(part);
        }
        expression.operations.push(Operation { id, builtin, a, b });
        Part::Result(expression.operations.len() - 1)
    }

    /// Adds the left one of two terms. What is right of it may have to wait for all of it.
    fn gather_before(&mut self, expression: &mut Expression, a: TermId, b: TermId) -> Part {
        let mut budget = MAX_TERMS;
        if self.is_simple(b, &mut budget) {
            return self.gather(expression, a);
        }
        self.gather_input(expression, a)
    }

    /// Whether a term is a comparison of integers, or several whose operands are simple.
    fn is_condition(&self, id: TermId) -> bool {
        let mut budget = MAX_TERMS;
        self.comparison_of_ints(id).is_some() || self.is_simple_condition(id, &mut budget)
    }

    fn is_simple_condition(&self, id: TermId, budget: &mut usize) -> bool {
        let Some(left) = budget.checked_sub(1) else { return false };
        *budget = left;
        if self.is_switched(id) {
            return false;
        }
        if let Some((_, _, [a, b])) = self.comparison_of_ints(id) {
            return self.is_simple(a, budget) && self.is_simple(b, budget);
        }
        let term = self.function.body.term(id);
        if let Term::And(a, b) | Term::Or(a, b) = term {
            self.unit.counter(self.id, id, 0).is_none()
                && self.is_simple_condition(*a, budget)
                && self.is_simple_condition(*b, budget)
        } else if let Term::Builtin { builtin: BOOL_NOT, args, .. } = term {
            self.is_simple_condition(args[0], budget)
        } else {
            false
        }
    }

    fn gather_condition(
        &mut self,
        expression: &mut Expression,
        id: TermId,
    ) -> Option<Condition> {
        if let Some((builtin, condition, [a, b])) = self.comparison_of_ints(id) {
            let is_plain = self.is_plain(condition, a, b);
            let a = self.gather_before(expression, a, b);
            let b = self.gather(expression, b);
            if !is_plain {
                expression.guard(a);
                expression.guard(b);
            }
            let n_operations = expression.operations.len();
            let comparison =
                Comparison { id, builtin, condition, a, b, is_plain, n_operations };
            return Some(Condition::Comparison(comparison));
        }
        let function = self.function;
        let term = function.body.term(id);
        if let Term::And(a, b) | Term::Or(a, b) = term {
            let left = Box::new(self.gather_condition(expression, *a)?);
            let right = Box::new(self.gather_condition(expression, *b)?);
            let is_and = matches!(term, Term::And(..));
            Some(if is_and { Condition::And(left, right) } else { Condition::Or(left, right) })
        } else if let Term::Builtin { builtin: BOOL_NOT, args, .. } = term {
            Some(Condition::Not(Box::new(self.gather_condition(expression, args[0])?)))
        } else {
            None
        }
    }

    /// The words of parts of an expression.
    fn evaluate(&mut self, expression: &Expression, parts: &[Part]) -> Vec<Operand> {
        let (slow, fast) = (self.cold_block(), self.builder.create_block());
        self.guard(expression, slow);
        let mut results = Vec::new();
        self.operate_fast(expression, &mut results, usize::MAX, slow);
        self.jump(fast, &[]);
        let has_slow_way = self.is_taken(slow);
        self.switch_to(fast);
        if !has_slow_way {
            return self.small_parts(expression, parts, &results);
        }
        let meet = self.builder.create_block();
        let mut words = Vec::new();
        for part in parts {
            if let Part::Result(at) = *part {
                words.push(self.small_word(results[at]));
            }
        }
        self.jump(meet, &words);
        self.switch_to(slow);
        let mut results = Vec::new();
        self.operate_slowly(expression, &mut results, usize::MAX);
        words.clear();
        for part in parts {
            if let Part::Result(at) = *part {
                words.push(results[at]);
                self.builder.append_block_param(meet, types::I64);
            }
        }
        self.jump(meet, &words);
        self.switch_to(meet);
        let met = self.builder.block_params(meet).to_vec();
        let mut met = met.into_iter();
        let operand = |part: &Part| match *part {
            Part::Input(at) => Some(expression.inputs[at].operand()),
            Part::Result(_) => met.next().map(Operand::Word),
        };
        parts.iter().filter_map(operand).collect()
    }

    /// The words of parts of an expression whose results are small whatever goes in.
    fn small_parts(
        &mut self,
        expression: &Expression,
        parts: &[Part],
        results: &Results<Small>,
    ) -> Vec<Operand> {
        let operand = |part: &Part| match *part {
            Part::Input(at) => expression.inputs[at].operand(),
            Part::Result(at) => {
                let word = self.small_word(results[at]);
                Operand::Small(word, results[at].range())
            }
        };
        parts.iter().map(operand).collect()
    }

    /// Whether anything goes to a slow way, once all that might is emitted.
    pub(super) fn is_taken(&mut self, slow: Block) -> bool {
        self.switch_to(slow);
        self.builder.seal_block(slow);
        !self.builder.is_unreachable()
    }

    /// Goes to the slow way unless all that matters is small.
    pub(super) fn guard(&mut self, expression: &Expression, slow: Block) {
        let mut guarded: Vec<Value> = Vec::new();
        for input in &expression.inputs {
            if input.is_guarded && !input.is_small && !guarded.contains(&input.word) {
                guarded.push(input.word);
            }
        }
        let tags = guarded.into_iter().reduce(|a, b| self.builder.ins().band(a, b));
        let Some(tags) = tags else { return };
        let small = self.builder.ins().band_imm_s(tags, 1);
        let fast = self.builder.create_block();
        self.builder.ins().brif(small, fast, &[], slow, &[]);
        self.switch_to(fast);
    }

    /// Emits operations up to one, in place.
    pub(super) fn operate_fast(
        &mut self,
        expression: &Expression,
        results: &mut Results<Small>,
        n_operations: usize,
        slow: Block,
    ) {
        for at in results.len()..n_operations.min(expression.operations.len()) {
            let operation = &expression.operations[at];
            let a = expression.small(operation.a, results);
            let b = expression.small(operation.b, results);
            results.push(self.operate(operation.builtin, a, b, slow));
        }
    }

    /// The same by the runtime.
    pub(super) fn operate_slowly(
        &mut self,
        expression: &Expression,
        results: &mut Results<Value>,
        n_operations: usize,
    ) {
        for at in results.len()..n_operations.min(expression.operations.len()) {
            let Operation { id, builtin, a, b } = expression.operations[at];
            let a = expression.word(a, results);
            let b = expression.word(b, results);
            results.push(match builtin {
                INT_NEG => self.ask_builtin(id, builtin, &[a]),
                _ => self.slow_binary(id, builtin, a, b),
            });
        }
    }

    fn decide_fast(
        &mut self,
        expression: &Expression,
        results: &mut Results<Small>,
        condition: &Condition,
        (yes, no): (Block, Block),
        slow: Block,
    ) {
        match condition {
            Condition::Comparison(it) => {
                let truth = self.compare_fast(expression, results, it, slow);
                self.builder.ins().brif(truth, yes, &[], no, &[]);
            }
            Condition::And(a, b) => {
                let more = self.builder.create_block();
                self.decide_fast(expression, results, a, (more, no), slow);
                self.switch_to(more);
                self.decide_fast(expression, results, b, (yes, no), slow);
            }
            Condition::Or(a, b) => {
                let more = self.builder.create_block();
                self.decide_fast(expression, results, a, (yes, more), slow);
                self.switch_to(more);
                self.decide_fast(expression, results, b, (yes, no), slow);
            }
            Condition::Not(a) => self.decide_fast(expression, results, a, (no, yes), slow),
        }
    }

    fn decide_slowly(
        &mut self,
        expression: &Expression,
        results: &mut Results<Value>,
        condition: &Condition,
        (yes, no): (Block, Block),
    ) {
        match condition {
            Condition::Comparison(it) => {
                let truth = self.compare_slowly(expression, results, it);
                self.builder.ins().brif(truth, yes, &[], no, &[]);
            }
            Condition::And(a, b) => {
                let more = self.cold_block();
                self.decide_slowly(expression, results, a, (more, no));
                self.switch_to(more);
                self.decide_slowly(expression, results, b, (yes, no));
            }
            Condition::Or(a, b) => {
                let more = self.cold_block();
                self.decide_slowly(expression, results, a, (yes, more));
                self.switch_to(more);
                self.decide_slowly(expression, results, b, (yes, no));
            }
            Condition::Not(a) => self.decide_slowly(expression, results, a, (no, yes)),
        }
    }

    fn compare_fast(
        &mut self,
        expression: &Expression,
        results: &mut Results<Small>,
        it: &Comparison,
        slow: Block,
    ) -> Value {
        self.operate_fast(expression, results, it.n_operations, slow);
        let (a, b) = (expression.small(it.a, results), expression.small(it.b, results));
        self.compare_small(it.condition, a, b)
    }

    fn compare_slowly(
        &mut self,
        expression: &Expression,
        results: &mut Results<Value>,
        it: &Comparison,
    ) -> Value {
        self.operate_slowly(expression, results, it.n_operations);
        let a = expression.word(it.a, results);
        let b = expression.word(it.b, results);
        if it.is_plain {
            return self.builder.ins().icmp(it.condition, a, b);
        }
        let word = self.slow_binary(it.id, it.builtin, a, b);
        self.is_word(word, Word::TRUE)
    }

    /// The value of a term that is a small integer written in the source.
    pub(super) fn small_literal(&self, term: TermId) -> Option<i64> {
        if let Term::Literal(Literal::Int(int)) = self.function.body.term(term)
            && !self.is_switched(term)
        {
            Word::small(*int).map(|_| *int)
        } else {
            None
        }
    }
}

impl Expression {
    pub(super) fn input(&mut self, word: Value) -> Part {
        let small = Small::Word(word, Range::SMALL);
        self.inputs.push(Input { word, small, is_small: false, is_guarded: false });
        Part::Input(self.inputs.len() - 1)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.inputs.is_empty()
    }

    /// What is known to be small.
    fn small_input(&mut self, word: Value, small: Small) -> Part {
        self.inputs.push(Input { word, small, is_small: true, is_guarded: false });
        Part::Input(self.inputs.len() - 1)
    }

    /// It matters that something is small.
    pub(super) fn guard(&mut self, part: Part) {
        if let Part::Input(at) = part {
            self.inputs[at].is_guarded = true;
        }
    }

    pub(super) fn small(&self, part: Part, results: &[Small]) -> Small {
        match part {
            Part::Input(at) => self.inputs[at].small,
            Part::Result(at) => results[at],
        }
    }

    pub(super) fn word(&self, part: Part, results: &[Value]) -> Value {
        match part {
            Part::Input(at) => self.inputs[at].word,
            Part::Result(at) => results[at],
        }
    }
}
