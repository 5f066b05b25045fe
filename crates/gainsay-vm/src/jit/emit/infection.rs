//! Infection checks: compares a term with its mutants while the original program runs.
//!
//! The term is simple: it is computed here a second time, and once for each mutant, from the same
//! leaves. If an integer is not of moderate size, or on division by zero, nothing is compared, and
//! each mutant counts as a possible infection.

use std::collections::BTreeMap;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder as _, Value, types};
use gainsay_core::builtin::{
    BOOL_NOT, INT_ADD, INT_DIV, INT_MUL, INT_NEG, INT_REM, INT_SUB, LIST_LEN, STR_LEN,
};
use gainsay_core::{BuiltinId, Literal, Term, TermId, Ty};

use super::Emitter;
use super::compare::int_condition;
use crate::jit::context::offset;
use crate::jit::infection::{InfectionEdit, InfectionSite, MAX_COMPARED_BITS};
use crate::jit::word::Word;

/// The values that a term is computed from.
struct InfectionLeaves {
    words: BTreeMap<TermId, Value>,
    /// All ones if the integers among them are of moderate size, else zero.
    in_range_mask: Value,
}

impl Emitter<'_, '_> {
    /// Compares a term with its mutants before it is evaluated, if infections are being recorded.
    pub(super) fn emit_infection_check(&mut self, id: TermId) {
        // Inside a mutant nothing is compared; and a switch has already emitted the check.
        if self.is_mutated || self.unswitched == Some(id) {
            return;
        }
        // Cloned, because emitting borrows the unit mutably.
        let Some(site) = self.unit.instruments.infection(self.id, id).cloned() else { return };
        let (looks, goes_on) = (self.cold_block(), self.builder.create_block());
        let table = self.load_context(offset::SWITCHES);
        let is_watched = self.builder.ins().load(
            types::I8,
            self.context_flags,
            table,
            site.compare_flag.0 as i32,
        );
        self.builder.ins().brif(is_watched, looks, &[], goes_on, &[]);
        self.switch_to(looks);
        // Operands evaluated ahead belong to the enclosing term and must not be reused here.
        let around = std::mem::take(&mut self.evaluated);
        self.is_mutated = true;
        // Marked as mutated, so that the terms computed here get no switches and checks of their
        // own.
        self.compare_with_mutants(id, &site);
        self.is_mutated = false;
        self.evaluated = around;
        self.jump(goes_on, &[]);
        self.switch_to(goes_on);
    }

    //   t ⇓ v    t[m] ⇓ v
    //   ─────────────────  the flag of m stays set
    fn compare_with_mutants(&mut self, id: TermId, site: &InfectionSite) {
        // Leaves are shared by the original and all mutants, which differ in how they combine them.
        let leaves = self.leaves(id, &site.edits);
        let all = self.constant(u64::MAX);
        let mut computed = InfectionEvaluator {
            leaves: &leaves,
            edit: None,
            valid_mask: leaves.in_range_mask,
        };
        let original = computed.evaluate(self, id);
        let is_sound = computed.valid_mask;
        // One flag per mutant, in the order of the edits.
        for (mark, edit) in (site.first_flag.0..).zip(&site.edits) {
            let mut computed =
                // A mutant starts with the validity of the original: if that is unknown, so is
                // every comparison with it.
                InfectionEvaluator { leaves: &leaves, edit: Some(*edit), valid_mask: is_sound };
            let mutated = computed.evaluate(self, id);
            let changes = self.builder.ins().bxor(original, mutated);
            // What is unknown counts as infected, so that no mutant is dismissed for lack of
            // evidence.
            let unknown = self.builder.ins().bxor(computed.valid_mask, all);
            let infected = self.builder.ins().bor(changes, unknown);
            let is_same = self.builder.ins().icmp_imm_s(IntCC::Equal, infected, 0);
            let table = self.load_context(offset::SWITCHES);
            let is_up =
                self.builder.ins().load(types::I8, self.context_flags, table, mark as i32);
            // A flag is cleared by the first difference and stays cleared.
            let stays_up = self.builder.ins().band(is_up, is_same);
            self.builder.ins().store(self.context_flags, stays_up, table, mark as i32);
        }
    }

    /// Evaluates all leaves of the term and its mutants.
    fn leaves(&mut self, id: TermId, edits: &[InfectionEdit]) -> InfectionLeaves {
        let mut words = BTreeMap::new();
        let odd = self.constant(1);
        let (mut tags, mut excess) = (odd, self.constant(0));
        let mut pending = vec![id];
        pending.extend(edits.iter().map(|it| it.replacement));
        while let Some(id) = pending.pop() {
            if words.contains_key(&id) || self.is_literal_term(id) {
                continue;
            }
            if !self.is_leaf(id) {
                self.function.body.term(id).for_each_subterm(&mut |part| pending.push(part));
                continue;
            }
            let word = self.evaluate_leaf(id);
            if self.is_number(id) {
                // One conjunction and one disjunction over all integers: a single pair of tests at
                // the end.
                tags = self.builder.ins().band(tags, word);
                // Zero after the shift exactly if `-2^(B+1) <= word < 2^(B+1)` with
                // `B = MAX_COMPARED_BITS`: an addition and a shift test both bounds.
                let moved = self.builder.ins().iadd_imm_s(word, 1 << (MAX_COMPARED_BITS + 1));
                let beyond =
                    self.builder.ins().ushr_imm_s(moved, i64::from(MAX_COMPARED_BITS) + 2);
                excess = self.builder.ins().bor(excess, beyond);
            }
            words.insert(id, word);
        }
        let is_small = self.builder.ins().icmp(IntCC::Equal, tags, odd);
        let is_near = self.builder.ins().icmp_imm_s(IntCC::Equal, excess, 0);
        let is_moderate = self.builder.ins().band(is_small, is_near);
        let moderate = self.mask(is_moderate);
        InfectionLeaves { words, in_range_mask: moderate }
    }

    /// All ones for true, zero for false.
    fn mask(&mut self, truth: Value) -> Value {
        let wide = self.builder.ins().uextend(types::I64, truth);
        self.builder.ins().ineg(wide)
    }

    fn is_number(&self, id: TermId) -> bool {
        *self.ty(id) == Ty::Int
    }

    fn is_literal_term(&self, id: TermId) -> bool {
        matches!(self.function.body.term(id), Term::Literal(_))
    }

    /// Whether a term is evaluated as a whole: a local or part of one, a constant, or a length.
    fn is_leaf(&self, id: TermId) -> bool {
        let term = self.function.body.term(id);
        if let Term::Builtin { builtin, .. } = term {
            return matches!(*builtin, LIST_LEN | STR_LEN);
        }
        !matches!(term, Term::And(..) | Term::Or(..))
    }

    fn evaluate_leaf(&mut self, id: TermId) -> Value {
        if let Term::Constant(constant) = self.function.body.term(id) {
            // An unevaluated constant is 0, which has no integer tag, so the comparison is not
            // valid.
            return self.load_constant(*constant);
        }
        self.word_of(id)
    }
}

/// Computes a term, or its mutated form.
struct InfectionEvaluator<'l> {
    leaves: &'l InfectionLeaves,
    edit: Option<InfectionEdit>,
    /// All ones as long as everything computed is valid, else zero.
    valid_mask: Value,
}

impl InfectionEvaluator<'_> {
    /// Computes integers untagged and everything else as words.
    fn evaluate(&mut self, it: &mut Emitter<'_, '_>, id: TermId) -> Value {
        let id = match self.edit {
            Some(edit) if edit.term == id => edit.replacement,
            Some(_) | None => id,
        };
        if let Some(word) = self.leaves.words.get(&id) {
            return self.leaf_value(it, id, *word);
        }
        let function = it.function;
        let term = function.body.term(id);
        if let Term::Literal(Literal::Int(int)) = term {
            it.constant(*int as u64)
        } else if let Term::And(a, b) = term {
            // Both sides are evaluated, since nothing here can fault. The words of booleans differ
            // in one bit, on which `band` and `bor` act.
            let (a, b) = (self.evaluate(it, *a), self.evaluate(it, *b));
            it.builder.ins().band(a, b)
        } else if let Term::Or(a, b) = term {
            let (a, b) = (self.evaluate(it, *a), self.evaluate(it, *b));
            it.builder.ins().bor(a, b)
        } else if let Term::Builtin { builtin, args, .. } = term {
            let args: Vec<Value> = args.iter().map(|arg| self.evaluate(it, *arg)).collect();
            self.operation(it, *builtin, &args)
        } else {
            it.word_of(id)
        }
    }

    fn leaf_value(&self, it: &mut Emitter<'_, '_>, id: TermId, word: Value) -> Value {
        if !it.is_number(id) {
            return word;
        }
        let number = it.builder.ins().sshr_imm_s(word, 1);
        // Masked, so that out-of-range garbage cannot make a division trap.
        it.builder.ins().band(number, self.leaves.in_range_mask)
    }

    fn operation(
        &mut self,
        it: &mut Emitter<'_, '_>,
        builtin: BuiltinId,
        args: &[Value],
    ) -> Value {
        match (builtin, args) {
            (INT_NEG, [a]) => it.builder.ins().ineg(*a),
            (BOOL_NOT, [a]) => {
                it.builder.ins().bxor_imm_s(*a, (Word::TRUE.bits() ^ Word::FALSE.bits()) as i64)
            }
            (INT_ADD, [a, b]) => it.builder.ins().iadd(*a, *b),
            (INT_SUB, [a, b]) => it.builder.ins().isub(*a, *b),
            (INT_MUL, [a, b]) => it.builder.ins().imul(*a, *b),
            (INT_DIV, [a, b]) => {
                let by = self.divisor(it, *b);
                it.builder.ins().sdiv(*a, by)
            }
            (INT_REM, [a, b]) => {
                let by = self.divisor(it, *b);
                it.builder.ins().srem(*a, by)
            }
            (_, [a, b]) => {
                let condition = int_condition(builtin).expect("a comparison is left");
                let truth = it.builder.ins().icmp(condition, *a, *b);
                it.word(super::Operand::Truth(truth))
            }
            _ => it.unreachable(),
        }
    }

    /// Replaces a zero divisor with 1 and marks the result as invalid.
    fn divisor(&mut self, it: &mut Emitter<'_, '_>, by: Value) -> Value {
        let is_zero = it.builder.ins().icmp_imm_s(IntCC::Equal, by, 0);
        let wide = it.builder.ins().uextend(types::I64, is_zero);
        let others = it.builder.ins().iadd_imm_s(wide, -1);
        self.valid_mask = it.builder.ins().band(self.valid_mask, others);
        it.builder.ins().bor(by, wide)
    }
}
