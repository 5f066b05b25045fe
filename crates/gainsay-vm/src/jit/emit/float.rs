//! Floats: in float registers inside an expression, packed into words everywhere else.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder as _, MemFlagsData, Value, types};
use gainsay_core::builtin::{
    FLOAT_ADD, FLOAT_DIV, FLOAT_MUL, FLOAT_NEG, FLOAT_SQRT, FLOAT_SUB,
};
use gainsay_core::{BuiltinId, TermId};

use super::{Emitter, Operand};
use crate::jit::runtime::RuntimeCall;
use crate::jit::word::ZERO_FLOAT;

impl Emitter<'_, '_> {
    /// Arithmetic on floats, if the builtin is that.
    pub(super) fn float_arithmetic(
        &mut self,
        builtin: BuiltinId,
        args: &[TermId],
    ) -> Option<Operand> {
        match (builtin, args) {
            (FLOAT_ADD | FLOAT_SUB | FLOAT_MUL | FLOAT_DIV, [a, b]) => {
                // The first operand stays in a register while the second is evaluated: a float
                // needs no word, and no cell, until it leaves the expression.
                let x = self.float_of(*a);
                let y = self.float_of(*b);
                let ins = self.builder.ins();
                Some(Operand::Float(match builtin {
                    FLOAT_ADD => ins.fadd(x, y),
                    FLOAT_SUB => ins.fsub(x, y),
                    FLOAT_MUL => ins.fmul(x, y),
                    _ => ins.fdiv(x, y),
                }))
            }
            (FLOAT_NEG, [a]) => {
                let x = self.float_of(*a);
                Some(Operand::Float(self.builder.ins().fneg(x)))
            }
            (FLOAT_SQRT, [a]) => {
                let x = self.float_of(*a);
                Some(Operand::Float(self.builder.ins().sqrt(x)))
            }
            _ => None,
        }
    }

    /// Evaluates a term to a float register.
    pub(super) fn float_of(&mut self, term: TermId) -> Value {
        match self.term(term) {
            Operand::Float(float) => float,
            operand @ (Operand::Word(_) | Operand::Small(..) | Operand::Truth(_)) => {
                let word = self.word(operand);
                self.unpack_float(word)
            }
        }
    }

    /// Unpacks a float from a word; see
    /// [`Word::packed_float`](crate::jit::word::Word::packed_float) for the encoding.
    pub(super) fn unpack_float(&mut self, word: Value) -> Value {
        let meet = self.builder.create_block();
        self.builder.append_block_param(meet, types::I64);
        let (packed, boxed) = (self.builder.create_block(), self.cold_block());
        let tag = self.builder.ins().band_imm_s(word, 0b10);
        self.builder.ins().brif(tag, packed, &[], boxed, &[]);
        self.switch_to(packed);
        // Packing dropped the top two bits of the exponent, which the third one, now on top,
        // determines: `01` if it is 1, `10` if it is 0.
        let middle = self.builder.ins().ushr_imm_s(word, 63);
        let two = self.constant(2);
        // `2 - 1 = 0b01` and `2 - 0 = 0b10`.
        let dropped = self.builder.ins().isub(two, middle);
        let cleared = self.builder.ins().band_imm_s(word, !0b11);
        let whole = self.builder.ins().bor(cleared, dropped);
        let bits = self.builder.ins().rotr_imm_s(whole, 3);
        // Zero has an exponent outside the packed range and a word of its own.
        let is_zero = self.builder.ins().icmp_imm_s(IntCC::Equal, word, ZERO_FLOAT as i64);
        let zero = self.constant(0);
        let bits = self.builder.ins().select(is_zero, zero, bits);
        self.jump(meet, &[bits]);
        self.switch_to(boxed);
        let bits = self.load(word, 1);
        self.jump(meet, &[bits]);
        self.switch_to(meet);
        let bits = self.builder.block_params(meet)[0];
        self.builder.ins().bitcast(types::F64, MemFlagsData::new(), bits)
    }

    /// Packs a float into a word; one that does not fit gets a cell.
    pub(super) fn pack_float(&mut self, float: Value) -> Value {
        let bits = self.builder.ins().bitcast(types::I64, MemFlagsData::new(), float);
        let meet = self.join_block();
        let (packed, other) = (self.builder.create_block(), self.cold_block());
        let top = self.builder.ins().ushr_imm_s(bits, 60);
        // The sign is not part of the test: rotated to the low end, it survives packing.
        let top = self.builder.ins().band_imm_s(top, 7);
        // Packed are exponents whose top three bits are 3 or 4: magnitudes around 1.
        let from_three = self.builder.ins().iadd_imm_s(top, -3);
        let is_middle =
            self.builder.ins().icmp_imm_s(IntCC::UnsignedLessThanOrEqual, from_three, 1);
        self.builder.ins().brif(is_middle, packed, &[], other, &[]);
        self.switch_to(packed);
        let rotated = self.builder.ins().rotl_imm_s(bits, 3);
        let cleared = self.builder.ins().band_imm_s(rotated, !0b11);
        let word = self.builder.ins().bor_imm_s(cleared, 0b10);
        // The one float whose packed word would be that of zero goes the slow way.
        let taken = self.builder.ins().icmp_imm_s(IntCC::Equal, word, ZERO_FLOAT as i64);
        let fits = self.builder.create_block();
        self.builder.ins().brif(taken, other, &[], fits, &[]);
        self.switch_to(fits);
        self.jump(meet, &[word]);
        self.switch_to(other);
        let site = self.function_site();
        let word = self.call_rarely_or_exit(RuntimeCall::Float, &[bits, site]);
        self.jump(meet, &[word]);
        let word = self.join_value(meet);
        self.word(word)
    }
}
