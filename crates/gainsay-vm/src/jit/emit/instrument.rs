//! Instruments: counters of branches, and switches between a term and its mutants. Plain
//! code has neither and pays for neither.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder as _, types};
use gainsay_core::TermId;

use super::{Emitter, Operand};
use crate::jit::context::offset;

impl Emitter<'_, '_> {
    /// A block that counts how often a branch is taken and goes on in one of its own.
    pub(super) fn counted(&mut self, id: TermId, branch: u32, block: Block) -> Block {
        let Some(counter) = self.unit.counter(self.id, id, branch) else { return block };
        self.switch_to(block);
        self.count(counter);
        let after = self.builder.create_block();
        self.jump(after, &[]);
        after
    }

    fn count(&mut self, counter: u32) {
        let table = self.load_own(offset::COUNTERS);
        let place = counter as i32 * 8;
        let count = self.builder.ins().load(types::I64, self.own, table, place);
        let more = self.builder.ins().iadd_imm_s(count, 1);
        self.builder.ins().store(self.own, more, table, place);
    }

    /// Whether a term has mutants that may be switched on here.
    pub(super) fn is_switched(&self, id: TermId) -> bool {
        !self.is_mutated && self.unit.mutants_of(self.id, id).is_some()
    }

    /// A term with mutants: the value of the one that is on, or of the term itself.
    pub(super) fn mutated(&mut self, id: TermId) -> Option<Operand> {
        let alternatives = self.alternatives(id)?;
        let meet = self.meeting();
        self.switch(id, &alternatives, |it, alternative| {
            let word = it.word_of(alternative);
            it.jump(meet, &[word]);
        });
        Some(self.met(meet))
    }

    /// The same in tail position.
    pub(super) fn tail_mutated(&mut self, id: TermId) -> Option<()> {
        let alternatives = self.alternatives(id)?;
        self.switch(id, &alternatives, Self::tail);
        Some(())
    }

    fn alternatives(&mut self, id: TermId) -> Option<(u64, Vec<TermId>)> {
        if self.is_mutated || self.unswitched.take_if(|it| *it == id).is_some() {
            return None;
        }
        self.unit.mutants_of(self.id, id).map(|(first, terms)| (first, terms.to_vec()))
    }

    /// One comparison asks whether any mutant of a term is on. What is inside a mutant is
    /// emitted plainly, because only one is ever on.
    fn switch(
        &mut self,
        id: TermId,
        (first, alternatives): &(u64, Vec<TermId>),
        mut emit: impl FnMut(&mut Self, TermId),
    ) {
        if let Some(counter) = self.unit.point(self.id, id) {
            self.count(counter);
        }
        if alternatives.is_empty() {
            self.unswitched = Some(id);
            emit(self, id);
            return;
        }
        let (mutants, original) = (self.cold_block(), self.builder.create_block());
        let on = self.load_own(offset::MUTANT);
        let relative = self.builder.ins().iadd_imm_s(on, -(*first as i64));
        let count = alternatives.len() as i64;
        let is_on = self.builder.ins().icmp_imm_s(IntCC::UnsignedLessThan, relative, count);
        self.builder.ins().brif(is_on, mutants, &[], original, &[]);
        self.switch_to(mutants);
        self.is_mutated = true;
        for (at, alternative) in alternatives.iter().enumerate() {
            let (this, next) = (self.cold_block(), self.cold_block());
            let is_this = self.builder.ins().icmp_imm_s(IntCC::Equal, relative, at as i64);
            self.builder.ins().brif(is_this, this, &[], next, &[]);
            self.switch_to(this);
            emit(self, *alternative);
            self.switch_to(next);
        }
        self.jump(original, &[]);
        self.switch_to(original);
        self.is_mutated = false;
        self.unswitched = Some(id);
        emit(self, id);
    }
}
