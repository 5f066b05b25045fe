//! Comparing a term with its mutants while the program itself is watched.
//!
//! The term is simple: it is computed here a second time, and once for each mutant, from the same
//! places. Integers that are not of a moderate size, and divisions by zero, are not compared: each
//! mutant may have changed something then.

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

/// What a term is computed from.
struct InfectionLeaves {
    words: BTreeMap<TermId, Value>,
    /// All bits if the integers among them are moderate, else none.
    in_range_mask: Value,
}

impl Emitter<'_, '_> {
    /// Compares a term with its mutants where somebody watches, before it is evaluated.
    pub(super) fn emit_infection_check(&mut self, id: TermId) {
        if self.is_mutated || self.unswitched == Some(id) {
            return;
        }
        let Some(site) = self.unit.instruments.infection(self.id, id).cloned() else { return };
        let (looks, goes_on) = (self.cold_block(), self.builder.create_block());
        let table = self.load_context(offset::SWITCHES);
        let is_watched = self.builder.ins().load(
            types::I8,
            self.context_flags,
            table,
            site.compare_flag as i32,
        );
        self.builder.ins().brif(is_watched, looks, &[], goes_on, &[]);
        self.switch_to(looks);
        let around = std::mem::take(&mut self.evaluated);
        self.is_mutated = true;
        self.compare_with_mutants(id, &site);
        self.is_mutated = false;
        self.evaluated = around;
        self.jump(goes_on, &[]);
        self.switch_to(goes_on);
    }

    //   t ⇓ v    t[m] ⇓ v
    //   ─────────────────  the mark of m stays up
    fn compare_with_mutants(&mut self, id: TermId, site: &InfectionSite) {
        let leaves = self.leaves(id, &site.edits);
        let all = self.constant(u64::MAX);
        let mut computed = InfectionEvaluator {
            leaves: &leaves,
            edit: None,
            valid_mask: leaves.in_range_mask,
        };
        let original = computed.evaluate(self, id);
        let is_sound = computed.valid_mask;
        for (mark, edit) in (site.first_flag..).zip(&site.edits) {
            let mut computed =
                InfectionEvaluator { leaves: &leaves, edit: Some(*edit), valid_mask: is_sound };
            let mutated = computed.evaluate(self, id);
            let changes = self.builder.ins().bxor(original, mutated);
            let unknown = self.builder.ins().bxor(computed.valid_mask, all);
            let infected = self.builder.ins().bor(changes, unknown);
            let is_same = self.builder.ins().icmp_imm_s(IntCC::Equal, infected, 0);
            let table = self.load_context(offset::SWITCHES);
            let is_up =
                self.builder.ins().load(types::I8, self.context_flags, table, mark as i32);
            let stays_up = self.builder.ins().band(is_up, is_same);
            self.builder.ins().store(self.context_flags, stays_up, table, mark as i32);
        }
    }

    /// Evaluates everything that the term and its mutants are computed from.
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
                tags = self.builder.ins().band(tags, word);
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

    /// All bits of a word for what is true.
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

    /// Whether a term is evaluated as it is: a place, a constant, or a length.
    fn is_leaf(&self, id: TermId) -> bool {
        let term = self.function.body.term(id);
        if let Term::Builtin { builtin, .. } = term {
            return matches!(*builtin, LIST_LEN | STR_LEN);
        }
        !matches!(term, Term::And(..) | Term::Or(..))
    }

    fn evaluate_leaf(&mut self, id: TermId) -> Value {
        if let Term::Constant(constant) = self.function.body.term(id) {
            // One without a value is 0, which is no integer.
            return self.load_constant(*constant);
        }
        self.word_of(id)
    }
}

/// Computes a term, or what it is in a mutant.
struct InfectionEvaluator<'l> {
    leaves: &'l InfectionLeaves,
    edit: Option<InfectionEdit>,
    /// All bits as long as nothing is wrong with what was computed, else none.
    valid_mask: Value,
}

impl InfectionEvaluator<'_> {
    /// An integer as a number, and everything else as a word.
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
                it.builder.ins().bxor_imm_s(*a, (Word::TRUE.0 ^ Word::FALSE.0) as i64)
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

    /// Something to divide by: there is nothing sound about a quotient by zero.
    fn divisor(&mut self, it: &mut Emitter<'_, '_>, by: Value) -> Value {
        let is_zero = it.builder.ins().icmp_imm_s(IntCC::Equal, by, 0);
        let wide = it.builder.ins().uextend(types::I64, is_zero);
        let others = it.builder.ins().iadd_imm_s(wide, -1);
        self.valid_mask = it.builder.ins().band(self.valid_mask, others);
        it.builder.ins().bor(by, wide)
    }
}
