//! Cells: construction of tuples, constructors, lists and closures, and access to their parts.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder as _, Value, types};
use gainsay_core::{CtorId, FunctionId, TermId, Ty};

use super::{Emitter, Operand};
use crate::jit::context::offset;
use crate::jit::runtime::RuntimeCall;
use crate::jit::word::{CellKind, LEN_SHIFT, NUMBER_SHIFT, Word, header, header_of_len};

/// Lists with more elements than this are built by the runtime.
const LONG_LIST: usize = 16;

impl Emitter<'_, '_> {
    /// Allocates a cell; if that fails, the fault is at the given term.
    fn allocate(&mut self, id: TermId, n_words: usize) -> Value {
        let at = self.load_context(offset::BUMP);
        let next = self.builder.ins().iadd_imm_s(at, n_words as i64 * 8);
        let (full, fits) = (self.cold_block(), self.builder.create_block());
        // Store the new bump pointer before the limit check, and undo it in the cold path: that way
        // it need not stay live across the check. The limit is loaded right where it is compared.
        self.builder.ins().store(self.context_flags, next, self.context, offset::BUMP);
        let limit = self.load_context(offset::LIMIT);
        let is_full = self.builder.ins().icmp(IntCC::UnsignedLessThan, limit, next);
        self.builder.ins().brif(is_full, full, &[], fits, &[]);
        self.switch_to(full);
        self.builder.ins().store(self.context_flags, at, self.context, offset::BUMP);
        let (site, words) = (self.site(id), self.constant(n_words as u64));
        // Either more memory has been granted, and the pointer is set once more, or the fault
        // leaves here.
        self.call_rarely_or_exit(RuntimeCall::ArenaFull, &[site, words]);
        self.builder.ins().store(self.context_flags, next, self.context, offset::BUMP);
        self.jump(fits, &[]);
        self.switch_to(fits);
        at
    }

    fn build_cell(&mut self, id: TermId, header: u64, words: &[Value]) -> Value {
        let cell = self.allocate(id, words.len() + 1);
        let header = self.constant(header);
        self.store(cell, 0, header);
        for (at, word) in words.iter().enumerate() {
            self.store(cell, at + 1, *word);
        }
        cell
    }

    pub(super) fn tuple(&mut self, id: TermId, items: &[TermId]) -> Value {
        let words = self.words_of(items);
        self.tuple_from_words(id, &words)
    }

    pub(super) fn tuple_from_words(&mut self, id: TermId, words: &[Value]) -> Value {
        if words.is_empty() {
            return self.word_constant(Word::UNIT);
        }
        self.build_cell(id, header(CellKind::Tuple, words.len() as u64, 0), words)
    }

    pub(super) fn construct(&mut self, id: TermId, ctor: CtorId, args: &[TermId]) -> Value {
        let words = self.words_of(args);
        self.data_from_words(id, ctor, &words)
    }

    pub(super) fn data_from_words(
        &mut self,
        id: TermId,
        ctor: CtorId,
        words: &[Value],
    ) -> Value {
        if words.is_empty() {
            return self.word_constant(Word::nullary(ctor));
        }
        self.build_cell(id, header(CellKind::Data, words.len() as u64, ctor.0), words)
    }

    pub(super) fn update(
        &mut self,
        id: TermId,
        base: TermId,
        changes: &[(u32, TermId)],
    ) -> Value {
        let program = self.unit.program;
        let ty = self.ty(base);
        let (ctor, n_fields) = if let Ty::Named(named, _) = ty {
            // Only records are updated, and a record has one constructor.
            let ctor = program.nominal(*named).ctors.first().copied();
            (ctor, ctor.map_or(0, |ctor| program.ctor(ctor).fields.len()))
        } else if let Ty::Tuple(parts) = ty {
            (None, parts.len())
        } else {
            (None, 0)
        };
        // In source order: the base first, then the changes as written.
        let base = self.word_of(base);
        let changed: Vec<(usize, Value)> =
            changes.iter().map(|(at, term)| (*at as usize, self.word_of(*term))).collect();
        // A field changed twice takes its last value, hence `rev`.
        let words: Vec<Value> = (0..n_fields)
            .map(|at| match changed.iter().rev().find(|(changed, _)| *changed == at) {
                Some((_, word)) => *word,
                None => self.load(base, at + 1),
            })
            .collect();
        match ctor {
            Some(ctor) => self.data_from_words(id, ctor, &words),
            None => self.tuple_from_words(id, &words),
        }
    }

    /// `[a, b, ..rest]`: allocates all cells at once, with the last list cell first in memory.
    pub(super) fn list(&mut self, id: TermId, items: &[TermId], rest: Option<TermId>) -> Value {
        let heads = self.words_of(items);
        let nil = self.word_constant(Word::NIL);
        let tail = rest.map_or(nil, |rest| self.word_of(rest));
        if heads.is_empty() {
            return tail;
        }
        // Each element costs three stores, which would bloat the code of long literals for little
        // gain.
        if heads.len() > LONG_LIST {
            let row = self.store_row(&heads);
            let count = self.constant(heads.len() as u64);
            let site = self.site(id);
            return self.call_runtime_or_exit(RuntimeCall::List, &[site, row, count, tail]);
        }
        let first = self.allocate(id, heads.len() * 3);
        // The length is in the header, so each cell's header is that of its tail plus one element.
        let mut header = match rest {
            None => self.constant(header_of_len(CellKind::Cons, 0)),
            Some(_) => self.list_header(tail),
        };
        let mut tail = tail;
        // Back to front, so that each cell knows its tail and its length.
        for (at, head) in heads.iter().rev().enumerate() {
            header = self.builder.ins().iadd_imm_s(header, 1 << LEN_SHIFT);
            self.store(first, at * 3, header);
            self.store(first, at * 3 + 1, *head);
            self.store(first, at * 3 + 2, tail);
            tail = self.builder.ins().iadd_imm_s(first, at as i64 * 24);
        }
        tail
    }

    /// The header of a list, as if the empty list had a cell.
    fn list_header(&mut self, list: Value) -> Value {
        let (cell, meet) = (self.builder.create_block(), self.join_block());
        let none = self.constant(header_of_len(CellKind::Cons, 0));
        let is_nil = self.equals_word(list, Word::NIL);
        let none = [cranelift_codegen::ir::BlockArg::Value(none)];
        self.builder.ins().brif(is_nil, meet, &none, cell, &[]);
        self.switch_to(cell);
        let header = self.load(list, 0);
        self.jump(meet, &[header]);
        let header = self.join_value(meet);
        self.word(header)
    }

    pub(super) fn closure(
        &mut self,
        id: TermId,
        function: FunctionId,
        captures: &[TermId],
    ) -> Operand {
        if captures.is_empty() {
            // Without captures all closures of a function are equal, so one static cell serves
            // every case.
            let cell = self.unit.function_value(function);
            return Operand::Word(self.word_constant(cell));
        }
        let captures = self.words_of(captures);
        let callee = self.callee(function);
        // Stored in the cell, so that a call needs no lookup by function id.
        let code = self.builder.ins().func_addr(types::I64, callee);
        let header = header(CellKind::Closure, captures.len() as u64, function.0);
        let mut words = vec![code];
        words.extend(captures);
        Operand::Word(self.build_cell(id, header, &words))
    }

    /// Whether a word is the address of a cell.
    pub(super) fn is_cell(&mut self, word: Value) -> Value {
        // Cells are aligned to eight bytes and all other words have a tag bit.
        let tag = self.builder.ins().band_imm_s(word, 0b111);
        self.builder.ins().icmp_imm_s(IntCC::Equal, tag, 0)
    }

    /// The constructor id of a cell.
    pub(super) fn ctor_number(&mut self, cell: Value) -> Value {
        let header = self.load(cell, 0);
        self.builder.ins().ushr_imm_s(header, i64::from(NUMBER_SHIFT))
    }

    /// Whether a cell of a constructor with fields has a given constructor.
    pub(super) fn has_ctor(&mut self, word: Value, ctor: Option<CtorId>) -> Value {
        let number = self.ctor_number(word);
        let wanted = ctor.map_or(-1, |ctor| i64::from(ctor.0));
        self.builder.ins().icmp_imm_s(IntCC::Equal, number, wanted)
    }
}
