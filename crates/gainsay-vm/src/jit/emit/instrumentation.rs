//! Instruments: counters of branches, and switches between a term and its mutants. Plain
//! code has neither and pays for neither.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder as _, Value, types};
use gainsay_core::{Body, Term, TermId};

use super::{Emitter, Operand};
use crate::jit::context::offset;
use crate::jit::instrumentation::MutantSwitch;

impl Emitter<'_, '_> {
    /// A block that counts how often a branch is taken and goes on in one of its own.
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

    /// Whether a term has mutants that may be switched on or compared here, or has been evaluated
    /// already.
    pub(super) fn has_pending_instrumentation(&self, id: TermId) -> bool {
        self.evaluated_operand(id).is_some() || self.has_instrumentation(id)
    }

    fn has_instrumentation(&self, id: TermId) -> bool {
        let instruments = self.unit.instruments;
        !self.is_mutated
            && (instruments.switch(self.id, id).is_some()
                || instruments.infection(self.id, id).is_some())
    }

    /// The value of a term whose instruments have been emitted.
    pub(super) fn word_after_instrumentation(&mut self, id: TermId) -> Value {
        self.unswitched = self.has_instrumentation(id).then_some(id);
        self.word_of(id)
    }

    fn evaluated_operand(&self, id: TermId) -> Option<Value> {
        self.evaluated.iter().rev().find(|it| it.0 == id).map(|it| it.1)
    }

    /// A term with mutants: the value of the one that is on, or of the term itself.
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
        if self.is_mutated || self.unswitched.take_if(|it| *it == id).is_some() {
            return None;
        }
        self.unit.switch(self.id, id).cloned()
    }

    /// Chooses between a term and its mutants. What is inside a mutant is emitted plainly, because
    /// only one is ever on.
    ///
    /// A large operand that the term evaluates first, and mutants of it as well, is evaluated
    /// before they are chosen from: a long chain would otherwise be emitted once for each of its
    /// links and their mutants.
    fn switch(
        &mut self,
        id: TermId,
        switch: &MutantSwitch,
        emit: &mut dyn FnMut(&mut Self, TermId),
    ) {
        let body = &self.function.body;
        let first = first_operand(body, id).filter(|it| is_large(body, *it));
        let mutants: Vec<(u64, TermId)> =
            (switch.first_mutant..).zip(switch.replacements.iter().copied()).collect();
        let (late, early): (Vec<_>, Vec<_>) = mutants
            .into_iter()
            .partition(|it| first.is_some_and(|first| begins_with(body, it.1, first)));
        let Some(first) = first.filter(|_| !late.is_empty()) else {
            self.select_mutant(switch.number, &early, None, emit);
            self.unswitched = Some(id);
            emit(self, id);
            return;
        };
        if !early.is_empty() {
            self.select_mutant(switch.number, &early, None, emit);
        }
        let word = self.word_of(first);
        self.select_mutant(switch.number, &late, Some((first, word)), emit);
        self.evaluated.push((first, word));
        self.unswitched = Some(id);
        emit(self, id);
        self.evaluated.pop();
    }

    /// One flag says whether to look which mutant is on, and goes down if none is, so that whoever
    /// put it up sees that the term was come to.
    fn select_mutant(
        &mut self,
        number: u32,
        mutants: &[(u64, TermId)],
        evaluated: Option<(TermId, Value)>,
        emit: &mut dyn FnMut(&mut Self, TermId),
    ) {
        let (chosen, original) = (self.cold_block(), self.builder.create_block());
        let table = self.load_context(offset::SWITCHES);
        let is_up =
            self.builder.ins().load(types::I8, self.context_flags, table, number as i32);
        self.builder.ins().brif(is_up, chosen, &[], original, &[]);
        self.switch_to(chosen);
        let on = self.load_context(offset::MUTANT);
        // What was evaluated around the term is no part of its mutants.
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
        // One that is on may be chosen further on.
        let is_up = self.builder.ins().icmp_imm_s(IntCC::NotEqual, on, 0);
        let table = self.load_context(offset::SWITCHES);
        self.builder.ins().store(self.context_flags, is_up, table, number as i32);
        self.jump(original, &[]);
        self.switch_to(original);
    }
}

/// Terms from which on an operand is large.
const LARGE_OPERAND_TERMS: usize = 12;
/// Terms in which an operand is looked for.
const MAX_SEARCHED_TERMS: usize = 64;

/// Whether nothing happens in a term that could come before or after something else.
fn is_leaf(body: &Body, id: TermId) -> bool {
    matches!(body.term(id), Term::Local(_) | Term::Literal(_))
}

/// The part that a term evaluates before anything else happens in it.
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
        Term::Literal(_)
        | Term::Local(_)
        | Term::Constant(_)
        | Term::Function { .. }
        | Term::Closure { .. }
        | Term::CallValue { .. }
        | Term::Perform { .. }
        | Term::Update { .. }
        | Term::Block { .. }
        | Term::Refine { .. }
        | Term::Observe { .. }
        | Term::Assume(_)
        | Term::Throws { .. }
        | Term::Under { .. }
        | Term::Par { .. }
        | Term::Sample { .. }
        | Term::Traced { .. }
        | Term::Across { .. }
        | Term::CheckRel { .. }
        | Term::Hole => &[],
    };
    parts.iter().copied().find(|it| !is_leaf(body, *it))
}

/// Whether a term evaluates another before anything else happens, and only then.
fn begins_with(body: &Body, id: TermId, first: TermId) -> bool {
    let mut leading = Some(id);
    while let Some(at) = leading.filter(|it| *it != first) {
        leading = first_operand(body, at);
    }
    leading == Some(first) && occurrences(body, id, first, MAX_SEARCHED_TERMS) == Some(1)
}

/// How often a term is a part of another; nothing if that is too large to say.
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
