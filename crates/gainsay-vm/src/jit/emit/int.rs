//! Integers: inline operations on small integers.
//!
//! A small integer `n` is the word `2n + 1`, or `2n` between operations if the next one prefers
//! that: a sum needs the tag removed from one side, a product from one side and a factor of two
//! from the other, and a quotient of even numbers is that of their halves. What overflows a word is
//! also beyond the small range, so one overflow flag covers both.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder as _, Value, types};
use gainsay_core::builtin::{INT_ADD, INT_DIV, INT_MUL, INT_NEG, INT_SUB};
use gainsay_core::{BuiltinId, TermId};

use super::Emitter;
use crate::jit::int_range::SmallIntRange;
use crate::jit::runtime::RuntimeCall;

/// A small integer in generated code.
#[derive(Copy, Clone)]
pub(super) enum SmallInt {
    /// As a word.
    Word(Value, SmallIntRange),
    /// Twice the number.
    Doubled(Value, SmallIntRange),
}

/// Which result of a division is needed.
#[derive(Copy, Clone)]
enum DivisionPart {
    Quotient,
    Remainder,
}

impl SmallInt {
    /// The range of the number.
    pub(super) fn range(self) -> SmallIntRange {
        match self {
            Self::Word(_, range) | Self::Doubled(_, range) => range,
        }
    }

    fn literal(self) -> Option<i64> {
        self.range().literal()
    }

    /// The raw value in either representation.
    fn value(self) -> Value {
        match self {
            Self::Word(value, _) | Self::Doubled(value, _) => value,
        }
    }

    /// The same value with a narrower range.
    fn within(self, range: SmallIntRange) -> Self {
        match self {
            Self::Word(value, _) => Self::Word(value, range),
            Self::Doubled(value, _) => Self::Doubled(value, range),
        }
    }

    /// Another value in the same representation.
    fn with_value(self, value: Value) -> Self {
        match self {
            Self::Word(..) => Self::Word(value, SmallIntRange::SMALL),
            Self::Doubled(..) => Self::Doubled(value, SmallIntRange::SMALL),
        }
    }
}

impl Emitter<'_, '_> {
    /// An operation on small integers; branches to `slow` if the result is not small or does not
    /// exist.
    pub(super) fn operate(
        &mut self,
        builtin: BuiltinId,
        a: SmallInt,
        b: SmallInt,
        slow: Block,
    ) -> SmallInt {
        let outcome = SmallIntRange::result_of(builtin, a.range(), b.range());
        // Range analysis removes the overflow check if the result is always small.
        let too_large = (!outcome.is_small).then_some(slow);
        let result = match builtin {
            INT_NEG => self.negate(a, too_large),
            INT_ADD if let Some(n) = b.literal() => self.add_constant(a, n, too_large),
            INT_ADD if let Some(n) = a.literal() => self.add_constant(b, n, too_large),
            INT_ADD => self.add(a, b, too_large),
            // Subtraction of a literal is addition of its negation, which is small unless the
            // literal is the least small integer; `add_constant` handles that.
            INT_SUB if let Some(n) = b.literal() => self.add_constant(a, -n, too_large),
            INT_SUB => self.subtract(a, b, too_large),
            INT_MUL => self.multiply(a, b, too_large),
            INT_DIV => self.divide(a, b, slow, too_large),
            // A remainder is never larger than the dividend, so it is small whenever it exists.
            _ => self.remainder(a, b, slow),
        };
        result.within(outcome.range)
    }

    /// A small integer as a word.
    pub(super) fn small_word(&mut self, small: SmallInt) -> Value {
        match small {
            SmallInt::Word(word, _) => word,
            SmallInt::Doubled(value, _) => self.builder.ins().bor_imm_s(value, 1),
        }
    }

    /// The untagged number.
    pub(super) fn untagged(&mut self, small: SmallInt) -> Value {
        match small.literal() {
            Some(n) => self.constant(n as u64),
            // The arithmetic shift drops the tag, if there is one, along with the factor of two.
            None => self.builder.ins().sshr_imm_s(small.value(), 1),
        }
    }

    /// Compares small integers. Doubled operands are compared as they are if both are doubled or
    /// the other one is a literal.
    pub(super) fn compare_small(
        &mut self,
        condition: IntCC,
        a: SmallInt,
        b: SmallInt,
    ) -> Value {
        let (x, y) = match (a, b) {
            (SmallInt::Doubled(x, _), SmallInt::Doubled(y, _)) => (x, y),
            // A literal changes its representation at compile time, at no cost.
            (SmallInt::Doubled(x, _), SmallInt::Word(..)) if b.literal().is_some() => {
                (x, self.doubled(b))
            }
            (SmallInt::Word(..), SmallInt::Doubled(y, _)) if a.literal().is_some() => {
                (self.doubled(a), y)
            }
            _ => (self.small_word(a), self.small_word(b)),
        };
        self.builder.ins().icmp(condition, x, y)
    }

    pub(super) fn doubled(&mut self, small: SmallInt) -> Value {
        if let Some(n) = small.literal() {
            return self.constant((2 * n) as u64);
        }
        match small {
            SmallInt::Word(word, _) => self.builder.ins().iadd_imm_s(word, -1),
            SmallInt::Doubled(value, _) => value,
        }
    }

    /// Branches to `slow` unless both words are small integers.
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
            // Both have the tag bit set if and only if their conjunction does.
            (None, None) => self.builder.ins().band(x, y),
        };
        let small = self.builder.ins().band_imm_s(tags, 1);
        let fast = self.builder.create_block();
        self.builder.ins().brif(small, fast, &[], slow, &[]);
        self.switch_to(fast);
    }

    /// Branches to `slow` if an operation overflows.
    fn unless_overflow(&mut self, (result, overflows): (Value, Value), slow: Block) -> Value {
        let fits = self.builder.create_block();
        self.builder.ins().brif(overflows, slow, &[], fits, &[]);
        self.switch_to(fits);
        result
    }

    /// Adds a literal. Overflow wraps to the wrong side of the operand, which is cheaper to test
    /// than the overflow flag. `2n` itself only overflows if `n` is the negated least small
    /// integer, which is not small.
    fn add_constant(&mut self, a: SmallInt, n: i64, slow: Option<Block>) -> SmallInt {
        let x = a.value();
        let Some(by) = n.checked_mul(2) else {
            let least = self.constant(i64::MIN as u64);
            let Some(slow) = slow else {
                return a.with_value(self.builder.ins().isub(x, least));
            };
            let moved = self.builder.ins().ssub_overflow(x, least);
            return a.with_value(self.unless_overflow(moved, slow));
        };
        let moved = self.builder.ins().iadd_imm_s(x, by);
        let Some(slow) = slow else { return a.with_value(moved) };
        let fits = self.builder.create_block();
        let wrong = if by < 0 { IntCC::SignedGreaterThan } else { IntCC::SignedLessThan };
        let overflows = self.builder.ins().icmp(wrong, moved, x);
        self.builder.ins().brif(overflows, slow, &[], fits, &[]);
        self.switch_to(fits);
        a.with_value(moved)
    }

    /// `2a + 1` plus `2b` is `2(a + b) + 1`.
    fn add(&mut self, a: SmallInt, b: SmallInt, slow: Option<Block>) -> SmallInt {
        // The operand that keeps its tag comes first: the sum inherits the representation.
        let (a, b) = if let SmallInt::Doubled(..) = a { (b, a) } else { (a, b) };
        let (x, y) = (a.value(), self.doubled(b));
        let Some(slow) = slow else { return a.with_value(self.builder.ins().iadd(x, y)) };
        let sum = self.builder.ins().sadd_overflow(x, y);
        a.with_value(self.unless_overflow(sum, slow))
    }

    /// `2a + 1` minus `2b + 1` is `2(a - b)`.
    fn subtract(&mut self, a: SmallInt, b: SmallInt, slow: Option<Block>) -> SmallInt {
        let (x, y, difference) = match (a, b) {
            // The tags cancel, which saves removing either.
            (SmallInt::Word(x, range), SmallInt::Word(y, _)) => {
                (x, y, SmallInt::Doubled(x, range))
            }
            (_, SmallInt::Doubled(y, _)) => (a.value(), y, a),
            (SmallInt::Doubled(x, _), SmallInt::Word(..)) => (x, self.doubled(b), a),
        };
        let Some(slow) = slow else {
            return difference.with_value(self.builder.ins().isub(x, y));
        };
        let result = self.builder.ins().ssub_overflow(x, y);
        difference.with_value(self.unless_overflow(result, slow))
    }

    /// `0 - 2n`, or `2 - (2n + 1)`.
    fn negate(&mut self, a: SmallInt, slow: Option<Block>) -> SmallInt {
        let from = match a {
            SmallInt::Word(..) => self.constant(2),
            SmallInt::Doubled(..) => self.constant(0),
        };
        let Some(slow) = slow else {
            return a.with_value(self.builder.ins().isub(from, a.value()));
        };
        let opposite = self.builder.ins().ssub_overflow(from, a.value());
        a.with_value(self.unless_overflow(opposite, slow))
    }

    fn multiply(&mut self, a: SmallInt, b: SmallInt, slow: Option<Block>) -> SmallInt {
        // The doubled one needs no work as the left factor; the other one is shifted either way.
        let (a, b) = if let SmallInt::Doubled(..) = b { (b, a) } else { (a, b) };
        let doubled = self.doubled(a);
        let factor = self.untagged(b);
        let Some(slow) = slow else {
            return SmallInt::Doubled(
                self.builder.ins().imul(doubled, factor),
                SmallIntRange::SMALL,
            );
        };
        let product = self.builder.ins().smul_overflow(doubled, factor);
        SmallInt::Doubled(self.unless_overflow(product, slow), SmallIntRange::SMALL)
    }

    fn divide(
        &mut self,
        a: SmallInt,
        b: SmallInt,
        slow: Block,
        too_large: Option<Block>,
    ) -> SmallInt {
        // Division by 1 and by negative powers of two takes the general path.
        if let Some(n) = b.literal()
            && n > 1
            && n.count_ones() == 1
        {
            return self.divide_by_power_of_two(a, n.trailing_zeros());
        }
        let quotient = self.division(a, b, DivisionPart::Quotient, slow);
        // The least small integer divided by -1 is not small.
        let Some(too_large) = too_large else {
            return SmallInt::Doubled(
                self.builder.ins().iadd(quotient, quotient),
                SmallIntRange::SMALL,
            );
        };
        let doubled = self.builder.ins().sadd_overflow(quotient, quotient);
        SmallInt::Doubled(self.unless_overflow(doubled, too_large), SmallIntRange::SMALL)
    }

    /// Divides by a power of two with shifts. The shift applies to twice the number, which leaves
    /// one bit of the remainder at the tag's position, where the tag overwrites it. Division
    /// truncates toward zero, so the divisor minus one is added to negative numbers first.
    fn divide_by_power_of_two(&mut self, a: SmallInt, log: u32) -> SmallInt {
        // For `log == 1` only the sign bit survives the shift below.
        let sign = match log {
            1 => a.value(),
            _ => self.builder.ins().sshr_imm_s(a.value(), 63),
        };
        let raise = self.builder.ins().ushr_imm_s(sign, i64::from(64 - log));
        let raise = self.builder.ins().ishl_imm_s(raise, 1);
        let doubled = self.doubled(a);
        let raised = self.builder.ins().iadd(doubled, raise);
        let shifted = self.builder.ins().sshr_imm_s(raised, i64::from(log));
        SmallInt::Word(self.builder.ins().bor_imm_s(shifted, 1), SmallIntRange::SMALL)
    }

    fn remainder(&mut self, a: SmallInt, b: SmallInt, slow: Block) -> SmallInt {
        SmallInt::Doubled(
            self.division(a, b, DivisionPart::Remainder, slow),
            SmallIntRange::SMALL,
        )
    }

    /// Divides doubled numbers: the quotient is that of the numbers, the remainder is doubled.
    fn division(
        &mut self,
        a: SmallInt,
        b: SmallInt,
        wanted: DivisionPart,
        slow: Block,
    ) -> Value {
        // Range analysis may rule out a zero divisor.
        if b.range().contains(0) {
            let is_zero = match b {
                SmallInt::Word(y, _) => self.builder.ins().icmp_imm_s(IntCC::Equal, y, 1),
                SmallInt::Doubled(y, _) => self.builder.ins().icmp_imm_s(IntCC::Equal, y, 0),
            };
            let divides = self.builder.create_block();
            self.builder.ins().brif(is_zero, slow, &[], divides, &[]);
            self.switch_to(divides);
        }
        // Both are even, so the divisor is never -1 and the hardware division cannot overflow.
        let (x, y) = (self.doubled(a), self.doubled(b));
        // Cranelift can turn division by a constant into cheaper instructions, before which a test
        // of the width would not pay.
        if b.literal().is_some() {
            return self.divide_full_width(x, y, wanted);
        }
        let (short, long) = (self.builder.create_block(), self.builder.create_block());
        let meet = self.join_block();
        let (high_x, high_y) = (self.half_word_check(a), self.half_word_check(b));
        let high = self.builder.ins().bor(high_x, high_y);
        // One test for both: the upper half of the disjunction is 0 only if both are.
        let high = self.builder.ins().ushr_imm_s(high, 32);
        self.builder.ins().brif(high, long, &[], short, &[]);
        // On many machines, 64-bit division takes much longer than 32-bit division.
        self.switch_to(short);
        let narrow_x = self.builder.ins().ireduce(types::I32, x);
        let narrow_y = self.builder.ins().ireduce(types::I32, y);
        let narrow = self.divide_full_width(narrow_x, narrow_y, wanted);
        let wide = self.builder.ins().sextend(types::I64, narrow);
        self.jump(meet, &[wide]);
        self.switch_to(long);
        let result = self.divide_full_width(x, y, wanted);
        self.jump(meet, &[result]);
        let met = self.join_value(meet);
        self.word(met)
    }

    /// A value whose upper half is 0 if and only if twice the number fits a signed half word.
    fn half_word_check(&mut self, small: SmallInt) -> Value {
        match small {
            SmallInt::Word(word, _) => self.builder.ins().iadd_imm_s(word, (1 << 31) - 1),
            SmallInt::Doubled(value, _) => self.builder.ins().iadd_imm_s(value, 1 << 31),
        }
    }

    fn divide_full_width(&mut self, x: Value, y: Value, wanted: DivisionPart) -> Value {
        match wanted {
            DivisionPart::Quotient => self.builder.ins().sdiv(x, y),
            DivisionPart::Remainder => self.builder.ins().srem(x, y),
        }
    }

    /// Calls the runtime for a builtin of two words, on a cold path.
    pub(super) fn slow_binary(
        &mut self,
        id: TermId,
        builtin: BuiltinId,
        x: Value,
        y: Value,
    ) -> Value {
        let builtin = self.builder.ins().iconst(types::I64, i64::from(builtin.0));
        let site = self.site(id);
        self.call_rarely_or_exit(RuntimeCall::Binary, &[builtin, site, x, y])
    }
}
