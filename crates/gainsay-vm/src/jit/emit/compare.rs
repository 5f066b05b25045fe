//! Builtins: comparisons are emitted inline where the type allows, everything else calls the
//! runtime.

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder as _, Value, types};
use gainsay_core::builtin::{BOOL_NOT, EQ, GE, GT, LE, LIST_LEN, LT, NE, SAME, STR_LEN};
use gainsay_core::{BuiltinId, RelId, Term, TermId, Ty};

use super::{Emitter, Operand};
use crate::jit::infection::is_immediate;
use crate::jit::runtime::RuntimeCall;
use crate::jit::word::{LEN_SHIFT, Word};

/// How values of a type are compared.
enum CompareStrategy {
    /// As words: all values are immediates whose words have the order of the values.
    Immediate,
    /// As words if both are small integers, else by the runtime.
    Int,
    Float,
    /// Possibly integers; only known at run time.
    Unknown,
    /// By the runtime.
    Structure,
}

impl Emitter<'_, '_> {
    /// A builtin.
    pub(super) fn builtin(
        &mut self,
        id: TermId,
        builtin: BuiltinId,
        args: &[TermId],
    ) -> Operand {
        // The fast forms evaluate the arguments themselves, so each is tried before any argument is
        // emitted.
        if let Some(operand) = self.arithmetic(id) {
            return operand;
        }
        if let Some(operand) = self.float_arithmetic(builtin, args) {
            return operand;
        }
        if let Some(operand) = self.comparison(id, builtin, args) {
            return operand;
        }
        match (builtin, args) {
            (BOOL_NOT, [a]) => {
                let word = self.word_of(*a);
                // The words of the two booleans differ in one bit, so flipping it negates.
                let flipped = self
                    .builder
                    .ins()
                    .bxor_imm_s(word, (Word::TRUE.bits() ^ Word::FALSE.bits()) as i64);
                Operand::Word(flipped)
            }
            (LIST_LEN, [list]) => {
                let list = self.word_of(*list);
                Operand::Word(self.list_len(list))
            }
            (STR_LEN, [text]) => {
                let text = self.word_of(*text);
                let len = self.load(text, 1);
                Operand::Word(self.len_word(len))
            }
            _ => {
                let words = self.words_of(args);
                Operand::Word(self.call_builtin(id, builtin, &words))
            }
        }
    }

    /// Calls the runtime for a builtin.
    pub(super) fn call_builtin(
        &mut self,
        id: TermId,
        builtin: BuiltinId,
        words: &[Value],
    ) -> Value {
        let row = self.store_row(words);
        let number = self.constant(u64::from(builtin.0));
        let count = self.constant(words.len() as u64);
        let site = self.site(id);
        self.call_runtime_or_exit(RuntimeCall::Builtin, &[number, site, row, count])
    }

    /// Calls the runtime for a relation.
    pub(super) fn check_relation(&mut self, id: TermId, rel: RelId, args: &[TermId]) -> Value {
        // The row is shared by all calls of the function: it is filled only when no evaluation is
        // left that could fill it with something else.
        let words: Vec<Value> = args.iter().map(|it| self.word_of(*it)).collect();
        let row = self.store_row(&words);
        let number = self.constant(u64::from(rel.0));
        let count = self.constant(words.len() as u64);
        let site = self.site(id);
        self.call_runtime_or_exit(RuntimeCall::CheckRelation, &[number, site, row, count])
    }

    /// The length of a list as a word.
    fn list_len(&mut self, list: Value) -> Value {
        let (cell, meet) = (self.builder.create_block(), self.join_block());
        // The word of the integer 0: a list without cells has no header to read the length from.
        let none = self.constant(1);
        let is_nil = self.equals_word(list, Word::NIL);
        let none = [cranelift_codegen::ir::BlockArg::Value(none)];
        self.builder.ins().brif(is_nil, meet, &none, cell, &[]);
        self.switch_to(cell);
        let header = self.load(list, 0);
        let len = self.builder.ins().ushr_imm_s(header, i64::from(LEN_SHIFT));
        let word = self.len_word(len);
        self.jump(meet, &[word]);
        let len = self.join_value(meet);
        self.word(len)
    }

    fn len_word(&mut self, len: Value) -> Value {
        let doubled = self.builder.ins().ishl_imm_s(len, 1);
        self.builder.ins().bor_imm_s(doubled, 1)
    }

    fn compare_strategy(&self, term: TermId) -> CompareStrategy {
        match self.ty(term) {
            Ty::Int => CompareStrategy::Int,
            Ty::Float => CompareStrategy::Float,
            Ty::Bool | Ty::Char => CompareStrategy::Immediate,
            // Not worth code of its own: the word of `()` is no integer, so the guard sends it to
            // the runtime.
            Ty::Tuple(parts) if parts.is_empty() => CompareStrategy::Unknown,
            ty @ Ty::Named(..) if is_immediate(self.unit.program, ty) => {
                CompareStrategy::Immediate
            }
            Ty::Named(..) => CompareStrategy::Structure,
            // All instances of a function share its code: integers take the fast path, everything
            // else goes to the runtime.
            Ty::Param(_) => CompareStrategy::Unknown,
            Ty::Str | Ty::Tuple(_) | Ty::List(_) | Ty::Map(..) | Ty::Set(_) => {
                CompareStrategy::Structure
            }
            Ty::Function { .. } | Ty::Refined { .. } | Ty::Var(_) | Ty::Error => {
                CompareStrategy::Structure
            }
        }
    }

    /// Emits a comparison, if the builtin is one.
    fn comparison(
        &mut self,
        id: TermId,
        builtin: BuiltinId,
        args: &[TermId],
    ) -> Option<Operand> {
        let condition = int_condition(builtin)?;
        let [a, b] = args else { return None };
        // `SAME` has no condition for floats, because there NaN equals itself: the runtime decides.
        if let (CompareStrategy::Float, Some(condition)) =
            (self.compare_strategy(*a), float_condition(builtin))
        {
            let x = self.float_of(*a);
            let y = self.float_of(*b);
            return Some(Operand::Truth(self.builder.ins().fcmp(condition, x, y)));
        }
        if let Some(truth) = self.truth_of_ints(id) {
            return Some(truth);
        }
        let (x, y) = (self.word_of(*a), self.word_of(*b));
        Some(self.compare_words(id, builtin, condition, ((*a, x), (*b, y))))
    }

    /// Compares operands that have already been evaluated.
    pub(super) fn compare(
        &mut self,
        id: TermId,
        builtin: BuiltinId,
        sides: ((TermId, Value), (TermId, Value)),
    ) -> Operand {
        match int_condition(builtin) {
            Some(condition) => self.compare_words(id, builtin, condition, sides),
            None => Operand::Word(self.call_binary_builtin(id, builtin, sides.0.1, sides.1.1)),
        }
    }

    fn compare_words(
        &mut self,
        id: TermId,
        builtin: BuiltinId,
        condition: IntCC,
        ((a, x), (b, y)): ((TermId, Value), (TermId, Value)),
    ) -> Operand {
        match self.compare_strategy(a) {
            CompareStrategy::Immediate => {
                return Operand::Truth(self.builder.ins().icmp(condition, x, y));
            }
            // Equality with a small literal needs no tag check.
            CompareStrategy::Int if self.is_word_comparable(condition, a, b) => {
                return Operand::Truth(self.builder.ins().icmp(condition, x, y));
            }
            CompareStrategy::Int | CompareStrategy::Unknown => {}
            CompareStrategy::Float | CompareStrategy::Structure => {
                return Operand::Word(self.call_binary_builtin(id, builtin, x, y));
            }
        }
        let meet = self.builder.create_block();
        self.builder.append_block_param(meet, types::I8);
        let slow = self.cold_block();
        self.guard_small((a, x), (b, y), slow);
        let truth = self.builder.ins().icmp(condition, x, y);
        self.jump(meet, &[truth]);
        self.switch_to(slow);
        // At least one side is not a small integer.
        let word = self.slow_binary(id, builtin, x, y);
        let truth = self.equals_word(word, Word::TRUE);
        self.jump(meet, &[truth]);
        self.switch_to(meet);
        Operand::Truth(self.builder.block_params(meet)[0])
    }

    /// Calls the runtime for a builtin of two words, on a path that is not cold.
    fn call_binary_builtin(
        &mut self,
        id: TermId,
        builtin: BuiltinId,
        x: Value,
        y: Value,
    ) -> Value {
        let builtin = self.constant(u64::from(builtin.0));
        let site = self.site(id);
        self.call_runtime_or_exit(RuntimeCall::Binary, &[builtin, site, x, y])
    }

    /// The parts of a comparison of values that are integers, or may be.
    pub(super) fn comparison_of_ints(
        &self,
        id: TermId,
    ) -> Option<(BuiltinId, IntCC, [TermId; 2])> {
        let Term::Builtin { builtin, args, .. } = self.function.body.term(id) else {
            return None;
        };
        let (condition, [a, b]) = (int_condition(*builtin)?, &**args) else { return None };
        // Of an unknown type, the inline comparison holds for integers; the tag test sends the rest
        // to the runtime.
        matches!(self.compare_strategy(*a), CompareStrategy::Int | CompareStrategy::Unknown)
            .then_some((*builtin, condition, [*a, *b]))
    }

    /// Whether comparing words decides equality of integers: a small integer equals only the same
    /// word, and here one side is known to be small.
    pub(super) fn is_word_comparable(&self, condition: IntCC, a: TermId, b: TermId) -> bool {
        matches!(condition, IntCC::Equal | IntCC::NotEqual)
            && self.small_literal(a).or(self.small_literal(b)).is_some()
            && matches!(self.compare_strategy(a), CompareStrategy::Int)
    }

    /// Whether a word equals a known one.
    pub(super) fn equals_word(&mut self, word: Value, known: Word) -> Value {
        self.builder.ins().icmp_imm_s(IntCC::Equal, word, known.bits() as i64)
    }
}

/// The condition code for comparing words. The tag preserves the order of small integers.
pub(super) fn int_condition(builtin: BuiltinId) -> Option<IntCC> {
    match builtin {
        EQ | SAME => Some(IntCC::Equal),
        NE => Some(IntCC::NotEqual),
        LT => Some(IntCC::SignedLessThan),
        LE => Some(IntCC::SignedLessThanOrEqual),
        GT => Some(IntCC::SignedGreaterThan),
        GE => Some(IntCC::SignedGreaterThanOrEqual),
        _ => None,
    }
}

/// The IEEE 754 condition code of a comparison; `None` for the total order.
fn float_condition(builtin: BuiltinId) -> Option<FloatCC> {
    match builtin {
        EQ => Some(FloatCC::Equal),
        NE => Some(FloatCC::NotEqual),
        LT => Some(FloatCC::LessThan),
        LE => Some(FloatCC::LessThanOrEqual),
        GT => Some(FloatCC::GreaterThan),
        GE => Some(FloatCC::GreaterThanOrEqual),
        _ => None,
    }
}
