//! Terms: the dispatch over all terms, branches and tail positions.

use cranelift_codegen::ir::{Block, BlockArg, InstBuilder as _, types};
use gainsay_core::builtin::BOOL_NOT;
use gainsay_core::{Literal, Statement, Term, TermId, TryKind, Ty};

use super::condition_facts::ConditionHolds;
use super::{Emitter, Operand};
use crate::jit::int_range::SmallIntRange;
use crate::jit::runtime::RuntimeCall;
use crate::jit::word::Word;

impl Emitter<'_, '_> {
    /// Emits a term.
    pub(super) fn term(&mut self, id: TermId) -> Operand {
        if let Some(operand) = self.emit_mutants(id) {
            return operand;
        }
        let function = self.function;
        match function.body.term(id) {
            Term::Literal(literal) => self.literal(literal),
            Term::Local(local) => {
                let word = self.local(*local);
                match self.small_local(id) {
                    Some(local) => Operand::Small(word, self.ranges[local.index()]),
                    None => Operand::Word(word),
                }
            }
            Term::Constant(constant) => Operand::Word(self.constant_value(id, *constant)),
            Term::Function { function, .. } => {
                let cell = self.unit.function_value(*function);
                Operand::Word(self.word_constant(cell))
            }
            Term::Closure { function, captures } => self.closure(id, *function, captures),
            Term::Call { function, args, .. } => Operand::Word(self.call(*function, args)),
            Term::CallValue { callee, args } => self.call_value(*callee, args),
            Term::Builtin { builtin, args, .. } => self.builtin(id, *builtin, args),
            Term::Perform { op, args, .. } => Operand::Word(self.perform(id, *op, args)),
            Term::Tuple(items) => Operand::Word(self.tuple(id, items)),
            Term::List { items, rest } => Operand::Word(self.list(id, items, *rest)),
            Term::Construct { ctor, args } => Operand::Word(self.construct(id, *ctor, args)),
            Term::Field { base, index } => {
                let base = self.word_of(*base);
                Operand::Word(self.load(base, *index as usize + 1))
            }
            Term::Update { base, fields } => Operand::Word(self.update(id, *base, fields)),
            Term::If { .. } | Term::And(..) | Term::Or(..) => self.branch_value(id),
            Term::Match { scrutinee, arms } => self.match_value(id, *scrutinee, arms),
            Term::Block { statements, result } => {
                self.statements(statements);
                self.term(*result)
            }
            Term::Try { value, kind } => Operand::Word(self.try_(*value, *kind)),
            Term::Refine { value, ty } => Operand::Word(self.refine(id, *value, *ty)),
            Term::Observe { condition, .. } => Operand::Word(self.observe(id, *condition)),
            Term::Assume(condition) => Operand::Word(self.assume(id, *condition)),
            Term::Throws { body, .. } => Operand::Word(self.throws(id, *body)),
            Term::Under { handlers: answers, body } => {
                Operand::Word(self.under(id, answers, *body))
            }
            Term::Par { branches, cancelling: false } => Operand::Word(self.par(id, branches)),
            Term::Par { branches, cancelling: true } => {
                Operand::Word(self.par_cancelling(id, branches))
            }
            // Sampling marks are for generators and mean nothing at run time.
            Term::Sample { condition, .. } => self.term(*condition),
            Term::Traced { call } => Operand::Word(self.traced(id, *call)),
            Term::CheckRel { rel, args } => Operand::Word(self.check_relation(id, *rel, args)),
            Term::Across { .. } | Term::Hole => {
                let site = self.site(id);
                // `across` is lowered before anything runs, and a hole stops the checker: only
                // direct callers of the engine get here.
                self.call_runtime(RuntimeCall::Unsupported, &[site]);
                Operand::Word(self.unreachable())
            }
        }
    }

    fn literal(&mut self, literal: &Literal) -> Operand {
        match literal {
            Literal::Bool(truth) => Operand::Word(self.word_constant(Word::from(*truth))),
            Literal::Float(float) => Operand::Float(self.builder.ins().f64const(*float)),
            Literal::Int(int) if let Some(word) = Word::from_small_int(*int) => {
                Operand::Small(self.word_constant(word), SmallIntRange::exactly(*int))
            }
            Literal::Int(_) | Literal::Big(_) | Literal::Char(_) | Literal::Str(_) => {
                let word = self.unit.literal(literal);
                Operand::Word(self.word_constant(word))
            }
        }
    }

    /// Emits a branching term; the values of its branches meet in a join block.
    fn branch_value(&mut self, id: TermId) -> Operand {
        let meet = self.join_block();
        let term = self.function.body.term(id);
        if let Term::If { condition, then, otherwise } = term {
            let (yes, no) = self.branches(id, *condition);
            for (block, term, truth) in [(yes, *then, true), (no, *otherwise, false)] {
                self.switch_to(block);
                let word = self
                    .with_condition(*condition, ConditionHolds(truth), |it| it.word_of(term));
                self.jump(meet, &[word]);
            }
        } else if let Term::And(a, b) = term {
            self.short_circuit(id, (*a, *b), ShortCircuitValue(false), meet);
        } else if let Term::Or(a, b) = term {
            self.short_circuit(id, (*a, *b), ShortCircuitValue(true), meet);
        }
        self.join_value(meet)
    }

    /// A block with one word as parameter.
    pub(super) fn join_block(&mut self) -> Block {
        let meet = self.builder.create_block();
        self.builder.append_block_param(meet, types::I64);
        meet
    }

    /// Continues in a join block with its value.
    pub(super) fn join_value(&mut self, meet: Block) -> Operand {
        self.switch_to(meet);
        Operand::Word(self.builder.block_params(meet)[0])
    }

    fn short_circuit(
        &mut self,
        id: TermId,
        (a, b): (TermId, TermId),
        short_circuit: ShortCircuitValue,
        meet: Block,
    ) {
        let (yes, no) = self.branches(id, a);
        let (short_circuit_block, other) = match short_circuit {
            ShortCircuitValue(true) => (yes, no),
            ShortCircuitValue(false) => (no, yes),
        };
        self.switch_to(short_circuit_block);
        let word = self.word_constant(Word::from(short_circuit.0));
        self.jump(meet, &[word]);
        self.switch_to(other);
        let word = self.word_of(b);
        self.jump(meet, &[word]);
    }

    /// Emits the condition of a branch; returns blocks for both outcomes, counted if instrumented.
    fn branches(&mut self, id: TermId, condition: TermId) -> (Block, Block) {
        let (yes, no) = (self.builder.create_block(), self.builder.create_block());
        self.branch(condition, yes, no);
        (self.counted_block(id, 0, yes), self.counted_block(id, 1, no))
    }

    /// Branches on a condition.
    pub(super) fn branch(&mut self, condition: TermId, yes: Block, no: Block) {
        // Instrumented terms must be evaluated as a whole.
        if self.has_pending_instrumentation(condition) {
            self.branch_on_value(condition, yes, no);
            return;
        }
        // Before `&&` and `||` are taken apart, so that all comparisons in them share one tag
        // check.
        if self.branch_on_ints(condition, yes, no).is_some() {
            return;
        }
        let term = self.function.body.term(condition);
        if let Term::And(a, b) = term {
            // Through `branches`, because each operand of `&&` is a branch of its own to the
            // counters.
            let (more, not) = self.branches(condition, *a);
            self.switch_to(not);
            self.jump(no, &[]);
            self.switch_to(more);
            self.branch(*b, yes, no);
        } else if let Term::Or(a, b) = term {
            let (holds, more) = self.branches(condition, *a);
            self.switch_to(holds);
            self.jump(yes, &[]);
            self.switch_to(more);
            self.branch(*b, yes, no);
        } else if let Term::Builtin { builtin: BOOL_NOT, args, .. } = term {
            // Negation costs nothing: the targets are swapped.
            self.branch(args[0], no, yes);
        } else if let Term::Literal(Literal::Bool(truth)) = term {
            self.jump(if *truth { yes } else { no }, &[]);
        } else if let Term::Call { function, args, .. } = term {
            self.branch_on_call((*function, args), yes, no);
        } else if let Term::CallValue { callee, args } = term
            && let Some(closure) = self.inlined_function(*callee)
        {
            self.inline_call(closure, (*callee, args), |it, root| it.branch(root, yes, no));
        } else {
            self.branch_on_value(condition, yes, no);
        }
    }

    fn branch_on_value(&mut self, condition: TermId, yes: Block, no: Block) {
        let operand = self.term(condition);
        let truth = self.truth(operand);
        self.builder.ins().brif(truth, yes, &[], no, &[]);
    }

    /// Emits a term in tail position: returns its value; a call replaces the frame.
    #[expect(clippy::wildcard_enum_match_arm, reason = "any value can be returned")]
    pub(super) fn tail(&mut self, id: TermId) {
        let function = self.function;
        if self.emit_tail_mutants(id).is_some() {
            return;
        }
        match function.body.term(id) {
            Term::If { condition, then, otherwise } => {
                let (yes, no) = self.branches(id, *condition);
                self.switch_to(yes);
                self.with_condition(*condition, ConditionHolds(true), |it| it.tail(*then));
                self.switch_to(no);
                self.with_condition(*condition, ConditionHolds(false), |it| {
                    it.tail(*otherwise)
                });
            }
            Term::And(a, b) => self.tail_short_circuit(id, (*a, *b), ShortCircuitValue(false)),
            Term::Or(a, b) => self.tail_short_circuit(id, (*a, *b), ShortCircuitValue(true)),
            Term::Match { scrutinee, arms } => self.tail_match(id, *scrutinee, arms),
            Term::Block { statements, result } => {
                self.statements(statements);
                self.tail(*result);
            }
            Term::Sample { condition, .. } => self.tail(*condition),
            // Nothing is checked after the value, so a call in it is still a tail call.
            Term::Refine { value, ty } if !self.is_refined(*ty) => self.tail(*value),
            Term::Call { function, args, .. } => self.tail_call(*function, args),
            Term::CallValue { callee, args } => self.tail_call_value(*callee, args),
            // Marked, so that the instrumentation that `emit_tail_mutants` has emitted is not
            // emitted again.
            _ => {
                let word = self.word_after_instrumentation(id);
                self.builder.ins().return_(&[word]);
            }
        }
    }

    fn tail_short_circuit(
        &mut self,
        id: TermId,
        (a, b): (TermId, TermId),
        short_circuit: ShortCircuitValue,
    ) {
        let (yes, no) = self.branches(id, a);
        let (short_circuit_block, other) = if short_circuit.0 { (yes, no) } else { (no, yes) };
        self.switch_to(short_circuit_block);
        let word = self.word_constant(Word::from(short_circuit.0));
        self.builder.ins().return_(&[word]);
        self.switch_to(other);
        self.tail(b);
    }

    pub(super) fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            match statement {
                Statement::Drop(value) => {
                    self.term(*value);
                }
                Statement::Let(pattern, value) => self.let_(*pattern, *value),
            }
        }
    }

    //    e ⇓ Some(v)         e ⇓ None
    //   ─────────────   ──────────────────────
    //     e? ⇓ v         the function ⇓ None
    fn try_(&mut self, value: TermId, kind: TryKind) -> cranelift_codegen::ir::Value {
        let word = self.word_of(value);
        let lang = &self.unit.program.lang;
        let stops = match kind {
            TryKind::Option => {
                let none = lang.none.map_or(Word::UNIT, Word::nullary);
                self.equals_word(word, none)
            }
            TryKind::Result => {
                let err = lang.err;
                self.has_ctor(word, err)
            }
        };
        let (leave, go_on) = (self.builder.create_block(), self.builder.create_block());
        self.builder.ins().brif(stops, leave, &[], go_on, &[]);
        self.switch_to(leave);
        // Not a plain return: contracts on the result hold for early returns, too.
        self.return_word(word);
        self.switch_to(go_on);
        // `Some` and `Ok` have one field, right after the header.
        self.load(word, 1)
    }

    /// Returns a word from the function, past its result check.
    pub(super) fn return_word(&mut self, word: cranelift_codegen::ir::Value) {
        // Leaving through `?` skips the ends of the enclosing traced calls.
        if self.n_traced > 0 {
            let count = self.constant(self.n_traced);
            self.call_runtime(RuntimeCall::TraceLeave, &[count]);
        }
        match self.result_check {
            Some(checked) => {
                self.builder.ins().jump(checked, &[BlockArg::Value(word)]);
            }
            None => {
                self.builder.ins().return_(&[word]);
            }
        }
    }

    /// Whether the type of a term is a sum or record rather than a tuple.
    pub(super) fn is_nominal(&self, term: TermId) -> bool {
        matches!(self.ty(term), Ty::Named(..))
    }
}

/// The value of the left operand that decides the result.
#[derive(Copy, Clone)]
pub(super) struct ShortCircuitValue(bool);
