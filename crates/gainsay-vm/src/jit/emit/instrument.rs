//! Instruments: counters of branches, and switches between a term and its mutants. Plain
//! code has neither and pays for neither.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder as _, types};
use gainsay_core::TermId;

use super::{Emitter, Operand};
use crate::jit::context::offset;
use crate::jit::instruments::Switch;

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
        !self.is_mutated && self.unit.switch(self.id, id).is_some()
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

    fn alternatives(&mut self, id: TermId) -> Option<Switch> {
        if self.is_mutated || self.unswitched.take_if(|it| *it == id).is_some() {
            return None;
        }
        self.unit.switch(self.id, id).cloned()
    }

    /// One flag says whether to look which mutant of a term is on. If none is, the flag goes
    /// down, and whoever put it up sees that the term was come to. What is inside a mutant is
    /// emitted plainly, because only one is ever on.
    fn switch(&mut self, id: TermId, switch: &Switch, mut emit: impl FnMut(&mut Self, TermId)) {
        let (mutants, original) = (self.cold_block(), self.builder.create_block());
        let table = self.load_own(offset::SWITCHES);
        let place = switch.number as i32;
        let is_up = self.builder.ins().load(types::I8, self.own, table, place);
        self.builder.ins().brif(is_up, mutants, &[], original, &[]);
        self.switch_to(mutants);
        let on = self.load_own(offset::MUTANT);
        self.is_mutated = true;
        for (number, alternative) in (switch.first..).zip(&switch.terms) {
            let (this, next) = (self.cold_block(), self.cold_block());
            let is_this = self.builder.ins().icmp_imm_s(IntCC::Equal, on, number as i64);
            self.builder.ins().brif(is_this, this, &[], next, &[]);
            self.switch_to(this);
            emit(self, *alternative);
            self.switch_to(next);
        }
        let down = self.builder.ins().iconst(types::I8, 0);
        let table = self.load_own(offset::SWITCHES);
        self.builder.ins().store(self.own, down, table, place);
        self.jump(original, &[]);
        self.switch_to(original);
        self.is_mutated = false;
        self.unswitched = Some(id);
        emit(self, id);
    }
}
