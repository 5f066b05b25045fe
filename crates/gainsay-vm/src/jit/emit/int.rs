//! Integers: small ones in place, with everything else left to the runtime.
//!
//! A small integer `n` is the word `2n + 1`. Sums and differences of words need the tag
//! taken off one side, products both a tag and a factor of two; a quotient of even numbers
//! is that of their halves. What overflows a word is beyond the small range as well, so that
//! one flag tells both.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder as _, Value, types};
use gainsay_core::builtin::{INT_ADD, INT_DIV, INT_MUL, INT_NEG, INT_REM, INT_SUB};
use gainsay_core::{BuiltinId, Literal, Term, TermId};

use super::{Emitter, Operand};
use crate::jit::runtime::Call;
use crate::jit::word::Word;

impl Emitter<'_, '_> {
    /// Arithmetic on integers, if a builtin is that.
    pub(super) fn arithmetic(
        &mut self,
        id: TermId,
        builtin: BuiltinId,
        args: &[TermId],
    ) -> Option<Operand> {
        match (builtin, args) {
            (INT_ADD | INT_SUB | INT_MUL | INT_DIV | INT_REM, [a, b]) => {
                let (x, y) = (self.word_of(*a), self.word_of(*b));
                let slow = self.cold_block();
                let meet = self.meeting();
                self.guard_small((*a, x), (*b, y), slow);
                let result = match builtin {
                    INT_ADD if let Some(n) = self.small_literal(*b) => self.move_by(x, n, slow),
                    INT_ADD if let Some(n) = self.small_literal(*a) => self.move_by(y, n, slow),
                    INT_SUB if let Some(n) = self.small_literal(*b) => {
                        self.move_by(x, -n, slow)
                    }
                    INT_ADD => self.add(x, y, slow),
                    INT_SUB => self.subtract(x, y, slow),
                    INT_MUL => self.multiply(x, y, slow),
                    INT_DIV => self.divide(x, y, slow),
                    _ => self.remainder(x, y, slow),
                };
                self.jump(meet, &[result]);
                self.switch_to(slow);
                let result = self.slow_binary(id, builtin, x, y);
                self.jump(meet, &[result]);
                Some(self.met(meet))
            }
            (INT_NEG, [a]) => {
                let x = self.word_of(*a);
                // 2 - (2n + 1) = 2(-n) + 1
                let two = self.constant(2);
                let slow = self.cold_block();
                let meet = self.meeting();
                self.guard_small((*a, x), (*a, x), slow);
                let result = self.checked(|it| it.builder.ins().ssub_overflow(two, x), slow);
                self.jump(meet, &[result]);
                self.switch_to(slow);
                let result = self.ask_builtin(id, builtin, &[x]);
                self.jump(meet, &[result]);
                Some(self.met(meet))
            }
            _ => None,
        }
    }

    /// Goes to the slow way unless both are small.
    pub(super) fn guard_small(
        &mut self,
        (a, x): (TermId, Value),
        (b, y): (TermId, Value),
        slow: Block,
    ) {
        let tags = match (self.small_literal(a), self.small_literal(b)) {
            (Some(_), Some(_)) => return,
            (Some(_), None) => y,
            (None, Some(_)) => x,
            (None, None) if x == y => x,
            (None, None) => self.builder.ins().band(x, y),
        };
        let small = self.builder.ins().band_imm_s(tags, 1);
        let fast = self.builder.create_block();
        self.builder.ins().brif(small, fast, &[], slow, &[]);
        self.switch_to(fast);
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

    /// Goes to the slow way when an operation overflows.
    fn checked(
        &mut self,
        operation: impl FnOnce(&mut Self) -> (Value, Value),
        slow: Block,
    ) -> Value {
        let (result, overflows) = operation(self);
        let fits = self.builder.create_block();
        self.builder.ins().brif(overflows, slow, &[], fits, &[]);
        self.switch_to(fits);
        result
    }

    /// Adds a number that is known: what overflows comes out on the wrong side, which costs
    /// less to see than a flag. Twice a small integer may be beyond a word only for the least
    /// one, which is added in the slow way.
    fn move_by(&mut self, x: Value, n: i64, slow: Block) -> Value {
        let (Some(by), fits) = (n.checked_mul(2), self.builder.create_block()) else {
            let y = self.constant((n as u64).wrapping_mul(2).wrapping_add(1));
            return self.add(x, y, slow);
        };
        let moved = self.builder.ins().iadd_imm_s(x, by);
        let wrong = if by < 0 { IntCC::SignedGreaterThan } else { IntCC::SignedLessThan };
        let overflows = self.builder.ins().icmp(wrong, moved, x);
        self.builder.ins().brif(overflows, slow, &[], fits, &[]);
        self.switch_to(fits);
        moved
    }

    fn add(&mut self, x: Value, y: Value, slow: Block) -> Value {
        let untagged = self.builder.ins().iadd_imm_s(y, -1);
        self.checked(|it| it.builder.ins().sadd_overflow(x, untagged), slow)
    }

    fn subtract(&mut self, x: Value, y: Value, slow: Block) -> Value {
        let untagged = self.builder.ins().iadd_imm_s(y, -1);
        self.checked(|it| it.builder.ins().ssub_overflow(x, untagged), slow)
    }

    fn multiply(&mut self, x: Value, y: Value, slow: Block) -> Value {
        let doubled = self.builder.ins().iadd_imm_s(x, -1);
        let factor = self.builder.ins().sshr_imm_s(y, 1);
        let product = self.checked(|it| it.builder.ins().smul_overflow(doubled, factor), slow);
        self.builder.ins().bor_imm_s(product, 1)
    }

    /// Even numbers on both sides of a division by something.
    fn divisible(&mut self, x: Value, y: Value, slow: Block) -> (Value, Value) {
        let divides = self.builder.create_block();
        let is_zero = self.builder.ins().icmp_imm_s(IntCC::Equal, y, 1);
        self.builder.ins().brif(is_zero, slow, &[], divides, &[]);
        self.switch_to(divides);
        (self.builder.ins().iadd_imm_s(x, -1), self.builder.ins().iadd_imm_s(y, -1))
    }

    fn divide(&mut self, x: Value, y: Value, slow: Block) -> Value {
        let (x, y) = self.divisible(x, y, slow);
        let quotient = self.builder.ins().sdiv(x, y);
        // The least small integer divided by -1 is not small.
        let doubled =
            self.checked(|it| it.builder.ins().sadd_overflow(quotient, quotient), slow);
        self.builder.ins().bor_imm_s(doubled, 1)
    }

    fn remainder(&mut self, x: Value, y: Value, slow: Block) -> Value {
        let (x, y) = self.divisible(x, y, slow);
        let (short, long) = (self.builder.create_block(), self.builder.create_block());
        let meet = self.meeting();
        let high = self.builder.ins().bor(x, y);
        let high = self.builder.ins().ushr_imm_s(high, 32);
        self.builder.ins().brif(high, long, &[], short, &[]);
        // Division by hardware takes much longer for 64 bits than for 32 on many machines.
        self.switch_to(short);
        let narrow_x = self.builder.ins().ireduce(types::I32, x);
        let narrow_y = self.builder.ins().ireduce(types::I32, y);
        let remainder = self.builder.ins().urem(narrow_x, narrow_y);
        let remainder = self.builder.ins().uextend(types::I64, remainder);
        self.jump(meet, &[remainder]);
        self.switch_to(long);
        let remainder = self.builder.ins().srem(x, y);
        self.jump(meet, &[remainder]);
        let Operand::Word(remainder) = self.met(meet) else { return x };
        self.builder.ins().bor_imm_s(remainder, 1)
    }

    /// A builtin of two words, by the runtime.
    pub(super) fn slow_binary(
        &mut self,
        id: TermId,
        builtin: BuiltinId,
        x: Value,
        y: Value,
    ) -> Value {
        let builtin = self.builder.ins().iconst(types::I64, i64::from(builtin.0));
        let site = self.site(id);
        self.ask_rarely(Call::Binary, &[builtin, site, x, y])
    }
}
