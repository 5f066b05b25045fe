//! Draws of characters and texts.

use std::sync::Arc;

use gainsay_choice::{CharKind, Kind, KindId, MoreElementsKind, TextKind};
use gainsay_core::{ModuleId, TermId, TypeTable, builtin};

use super::Deriver;
use crate::core_builder::CoreBuilder;
use crate::domain::{CodePointSet, Domain, LengthRange, TextSet};

/// The average number of characters beyond the minimum length, in large cases.
const AVERAGE_LEN: u32 = 8;

impl Deriver<'_> {
    pub(super) fn emit_char(
        &mut self,
        it: &mut CoreBuilder,
        codes: &CodePointSet,
        module: ModuleId,
    ) -> TermId {
        let chars = CharKind::from_ranges(&codes.chars()).unwrap_or_else(CharKind::any);
        let chars = chars.with_edges(self.constants(module).chars);
        let kind = self.intern_kind(Kind::Char(chars));
        self.emit_char_of_kind(it, kind)
    }

    /// Draws a character as a code point: the host returns integers faster than any other value.
    fn emit_char_of_kind(&mut self, it: &mut CoreBuilder, kind: KindId) -> TermId {
        let Some(some) = self.program.lang.some else {
            let kind = it.int(i64::from(kind.number()));
            return it.perform(self.ops.char, vec![kind], TypeTable::CHAR);
        };
        let code = self.emit_draw(it, self.ops.int, kind);
        let option = self.option_of(TypeTable::CHAR);
        let found = it.builtin(builtin::CHAR_FROM_CODE, &[], &[code], option);
        let char = it.new_local("char", TypeTable::CHAR);
        let then = it.local(char);
        let never = it.char('\u{fffd}');
        it.match_option(found, (some, char, then), never)
    }

    pub(super) fn emit_text(
        &mut self,
        it: &mut CoreBuilder,
        texts: &TextSet,
        module: ModuleId,
    ) -> TermId {
        if let Some(words) = &texts.listed {
            let number = self.emit_alternative(it, &vec![1; words.len()]);
            let terms = words.iter().map(|word| it.str(word)).collect();
            return it.choose_by_index(number, terms);
        }
        let at = self.text_kind(texts, module);
        let at = it.int(at as i64);
        it.perform(self.ops.text, vec![at], TypeTable::STR)
    }

    /// The number of the kind of all texts of a set.
    pub(super) fn text_kind(&mut self, texts: &TextSet, module: ModuleId) -> usize {
        let constants = self.constants(module);
        let all = Domain::Text(texts.clone());
        let is_member = |word: &Arc<str>| {
            let met = all.meet(&Domain::Text(TextSet::single(word)));
            met.is_some_and(|it| it != Domain::Empty)
        };
        let mut chars = constants.chars;
        // A text of one or two characters is often searched for inside others.
        let short = constants.texts.iter().filter(|it| it.chars().count() <= 2);
        chars.extend(short.flat_map(|it| it.chars()));
        let words = constants.texts.into_iter().filter(is_member).collect();
        self.text_kind_with(texts, chars, words)
    }

    fn text_kind_with(
        &mut self,
        texts: &TextSet,
        constants: Vec<char>,
        words: Box<[Arc<str>]>,
    ) -> usize {
        let is_empty = texts.chars.0.is_empty();
        let chars = CharKind::from_ranges(&texts.chars.chars()).unwrap_or_else(CharKind::any);
        let chars = chars.with_edges(constants);
        let lens = if is_empty { LengthRange { min: 0, max: Some(0) } } else { texts.lens };
        let more = more_elements_kind(lens, AVERAGE_LEN);
        let kind = TextKind {
            chars: self.intern_kind(Kind::Char(chars)),
            more: self.intern_kind(Kind::MoreElements(more)),
            element: self.labels.intern("char"),
            frequent_texts: words,
        };
        let existing = self.texts.iter().position(|it| *it == kind);
        existing.unwrap_or_else(|| {
            self.texts.push(kind);
            self.texts.len() - 1
        })
    }
}

/// The kind for "one more?" of a container with these lengths, which usually has a few elements
/// more than the minimum.
pub(super) fn more_elements_kind(lens: LengthRange, average_len: u32) -> MoreElementsKind {
    let average = lens.min.saturating_add(average_len);
    let average = lens.max.map_or(average, |max| average.min(max));
    MoreElementsKind { min: lens.min, max: lens.max, average }
}
