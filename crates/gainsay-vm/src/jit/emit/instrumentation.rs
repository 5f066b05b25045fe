//! Instrumentation: branch counters, and switches between a term and its mutants. Plain code has
//! neither and pays for neither.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder as _, Value, types};
use gainsay_core::{Body, Term, TermId};

use super::{Emitter, Operand};
use crate::jit::context::offset;
use crate::jit::instrumentation::MutantSwitch;
use crate::mutant_ids::SwitchId;

impl Emitter<'_, '_> {
    /// Makes a branch count how often it is taken; returns the block where it continues.
    pub(super) fn counted_block(&mut self, id: TermId, branch: u32, block: Block) -> Block {
        let Some(counter) = self.unit.counter(self.id, id, branch) else { return block };
        self.switch_to(block);
        self.count(counter);
        let after = self.builder.create_block();
        self.jump(after, &[]);
        after
    }

    fn count(&mut self, counter: u32) {
        let table = self.load_context(offset::COUNTERS);
        let place = counter as i32 * 8;
        let count = self.builder.ins().load(types::I64, self.context_flags, table, place);
        let more = self.builder.ins().iadd_imm_s(count, 1);
        self.builder.ins().store(self.context_flags, more, table, place);
    }

    /// Whether a term still has mutants to switch or compare here, or has been evaluated ahead.
    /// Optimizations that look into a term must not look into such a one.
    pub(super) fn has_pending_instrumentation(&self, id: TermId) -> bool {
        self.evaluated_operand(id).is_some() || self.has_instrumentation(id)
    }

    fn has_instrumentation(&self, id: TermId) -> bool {
        let instruments = self.unit.instruments;
        !self.is_mutated
            && (instruments.switch(self.id, id).is_some()
                || instruments.infection(self.id, id).is_some())
    }

    /// Evaluates a term whose instrumentation has already been emitted.
    pub(super) fn word_after_instrumentation(&mut self, id: TermId) -> Value {
        self.unswitched = self.has_instrumentation(id).then_some(id);
        self.word_of(id)
    }

    fn evaluated_operand(&self, id: TermId) -> Option<Value> {
        // The innermost first, in case a term was evaluated ahead twice.
        self.evaluated.iter().rev().find(|it| it.0 == id).map(|it| it.1)
    }

    /// Emits a term with mutants: evaluates the active mutant, or else the term itself.
    pub(super) fn emit_mutants(&mut self, id: TermId) -> Option<Operand> {
        if let Some(word) = self.evaluated_operand(id) {
            return Some(Operand::Word(word));
        }
        self.emit_infection_check(id);
        let switch = self.switch_at(id)?;
        let meet = self.join_block();
        self.switch(id, &switch, &mut |it, alternative| {
            let word = it.word_of(alternative);
            it.jump(meet, &[word]);
        });
        Some(self.join_value(meet))
    }

    /// The same in tail position.
    pub(super) fn emit_tail_mutants(&mut self, id: TermId) -> Option<()> {
        if let Some(word) = self.evaluated_operand(id) {
            self.builder.ins().return_(&[word]);
            return Some(());
        }
        self.emit_infection_check(id);
        let switch = self.switch_at(id)?;
        self.switch(id, &switch, &mut Self::tail);
        Some(())
    }

    fn switch_at(&mut self, id: TermId) -> Option<MutantSwitch> {
        // Taken, so that the mark skips one emission only: the same term may be emitted again in
        // another version of the body.
        if self.is_mutated || self.unswitched.take_if(|it| *it == id).is_some() {
            return None;
        }
        self.unit.switch(self.id, id).cloned()
    }

    /// Selects between a term and its mutants. Inside a mutant nothing is instrumented, because
    /// only one mutant is ever active.
    ///
    /// A large operand that the term and some of its mutants evaluate first is evaluated before the
    /// selection: otherwise a long chain would be emitted once for each of its links and their
    /// mutants, which is quadratic.
    fn switch(
        &mut self,
        id: TermId,
        switch: &MutantSwitch,
        emit: &mut dyn FnMut(&mut Self, TermId),
    ) {
        let body = &self.function.body;
        // Only a large first operand is worth evaluating ahead.
        let first = first_operand(body, id).filter(|it| is_large(body, *it));
        let mutants: Vec<(u64, TermId)> =
            (switch.first_mutant..).zip(switch.replacements.iter().copied()).collect();
        let (late, early): (Vec<_>, Vec<_>) = mutants
            .into_iter()
            .partition(|it| first.is_some_and(|first| begins_with(body, it.1, first)));
        // Without mutants that share the operand there is nothing to gain from evaluating it ahead.
        let Some(first) = first.filter(|_| !late.is_empty()) else {
            self.select_mutant(switch.id, &early, None, emit);
            self.unswitched = Some(id);
            emit(self, id);
            return;
        };
        // Mutants that do not start with the operand are tested before it is evaluated.
        if !early.is_empty() {
            self.select_mutant(switch.id, &early, None, emit);
        }
        let word = self.word_of(first);
        self.select_mutant(switch.id, &late, Some((first, word)), emit);
        self.evaluated.push((first, word));
        self.unswitched = Some(id);
        emit(self, id);
        self.evaluated.pop();
    }

    /// Tests the switch of a term: if it is on, selects the active mutant. If no mutant is active,
    /// it turns the switch off, which records that the term was reached.
    fn select_mutant(
        &mut self,
        switch: SwitchId,
        mutants: &[(u64, TermId)],
        evaluated: Option<(TermId, Value)>,
        emit: &mut dyn FnMut(&mut Self, TermId),
    ) {
        let (chosen, original) = (self.cold_block(), self.builder.create_block());
        let table = self.load_context(offset::SWITCHES);
        let is_up =
            self.builder.ins().load(types::I8, self.context_flags, table, switch.0 as i32);
        self.builder.ins().brif(is_up, chosen, &[], original, &[]);
        self.switch_to(chosen);
        let on = self.load_context(offset::MUTANT);
        // Operands evaluated ahead for the enclosing term are not part of the mutants.
        let around = std::mem::replace(&mut self.evaluated, evaluated.into_iter().collect());
        self.is_mutated = true;
        for (mutant, alternative) in mutants {
            let (this, next) = (self.cold_block(), self.cold_block());
            let is_this = self.builder.ins().icmp_imm_s(IntCC::Equal, on, *mutant as i64);
            self.builder.ins().brif(is_this, this, &[], next, &[]);
            self.switch_to(this);
            emit(self, *alternative);
            self.switch_to(next);
        }
        self.is_mutated = false;
        self.evaluated = around;
        // Stay on while a mutant is active: it may be reached again, or be among those tested
        // later.
        let is_up = self.builder.ins().icmp_imm_s(IntCC::NotEqual, on, 0);
        let table = self.load_context(offset::SWITCHES);
        self.builder.ins().store(self.context_flags, is_up, table, switch.0 as i32);
        // No mutant of this term is active: the original runs, as if it had no switch.
        self.jump(original, &[]);
        self.switch_to(original);
    }
}

/// The number of terms from which on an operand counts as large.
const LARGE_OPERAND_TERMS: usize = 12;
/// The number of terms searched for an operand.
const MAX_SEARCHED_TERMS: usize = 64;

/// Whether evaluating a term has no observable order relative to others.
fn is_leaf(body: &Body, id: TermId) -> bool {
    matches!(body.term(id), Term::Local(_) | Term::Literal(_))
}

/// The subterm that a term evaluates before anything else; `None` also if that is not known.
#[expect(clippy::wildcard_enum_match_arm, reason = "evaluating ahead is only an optimization")]
fn first_operand(body: &Body, id: TermId) -> Option<TermId> {
    let parts: &[TermId] = match body.term(id) {
        Term::Builtin { args, .. } | Term::Call { args, .. } | Term::Construct { args, .. } => {
            args
        }
        Term::Tuple(items) => items,
        Term::List { items, .. } => items,
        Term::If { condition: first, .. }
        | Term::And(first, _)
        | Term::Or(first, _)
        | Term::Match { scrutinee: first, .. }
        | Term::Field { base: first, .. }
        | Term::Try { value: first, .. } => std::slice::from_ref(first),
        _ => &[],
    };
    parts.iter().copied().find(|it| !is_leaf(body, *it))
}

/// Whether a term evaluates `first` before anything else, and only once.
fn begins_with(body: &Body, id: TermId, first: TermId) -> bool {
    let mut leading = Some(id);
    // Follows first operands down to `first`.
    while let Some(at) = leading.filter(|it| *it != first) {
        leading = first_operand(body, at);
    }
    // More than one occurrence would evaluate it again.
    leading == Some(first) && occurrences(body, id, first, MAX_SEARCHED_TERMS) == Some(1)
}

/// How often a term occurs in another; `None` if that is too large to search.
fn occurrences(body: &Body, id: TermId, wanted: TermId, max_terms: usize) -> Option<usize> {
    let mut found = 0;
    let mut n_seen = 0;
    let mut pending = vec![id];
    while let Some(id) = pending.pop() {
        n_seen += 1;
        if n_seen > max_terms {
            return None;
        }
        if id == wanted {
            found += 1;
        } else {
            body.term(id).for_each_subterm(&mut |part| pending.push(part));
        }
    }
    Some(found)
}

fn is_large(body: &Body, id: TermId) -> bool {
    let mut n_seen = 0;
    let mut pending = vec![id];
    while let Some(id) = pending.pop() {
        n_seen += 1;
        if n_seen >= LARGE_OPERAND_TERMS {
            return true;
        }
        body.term(id).for_each_subterm(&mut |part| pending.push(part));
    }
    false
}
