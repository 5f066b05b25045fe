//! Draws of characters and texts.

use gainsay_choice::{Chars, Kind, KindId, More, TextKind};
use gainsay_core::{ModuleId, TermId, TypeTable, builtin};

use super::Deriver;
use crate::domain::{Codes, Domain, Lens, Texts};
use crate::emit::Emit;

/// How many more characters than it must have a text has in the mean, in large cases.
const USUAL_LEN: u32 = 8;

impl Deriver<'_> {
    pub(super) fn char(&mut self, it: &mut Emit, codes: &Codes, module: ModuleId) -> TermId {
        let chars = Chars::of(&codes.chars()).unwrap_or_else(Chars::any);
        let kind = self.kind(Kind::Char(chars));
        let mut terms = vec![self.one_char(it, kind)];
        let constants = self.constants(module).chars;
        let is_member = |char: &char| !Codes::one(*char).0.meet(&codes.0).is_empty();
        terms.extend(constants.into_iter().filter(is_member).map(|char| it.char(char)));
        self.mostly(it, terms, 1)
    }

    /// A character by its code point: a number is answered faster than anything else.
    fn one_char(&mut self, it: &mut Emit, kind: KindId) -> TermId {
        let Some(some) = self.program.lang.some else {
            let kind = it.int(i64::from(kind.number()));
            return it.perform(self.ops.char, vec![kind], TypeTable::CHAR);
        };
        let code = self.of_kind(it, self.ops.int, kind);
        let option = self.option_of(TypeTable::CHAR);
        let found = it.builtin(builtin::CHAR_FROM_CODE, &[], &[code], option);
        let char = it.new_local("char", TypeTable::CHAR);
        let then = it.local(char);
        let never = it.char('\u{fffd}');
        it.match_option(found, (some, char, then), never)
    }

    pub(super) fn text(&mut self, it: &mut Emit, texts: &Texts, module: ModuleId) -> TermId {
        if let Some(words) = &texts.words {
            let number = self.alternative(it, &vec![1; words.len()]);
            let terms = words.iter().map(|word| it.str(word)).collect();
            return it.choose(number, terms);
        }
        let mut terms = vec![self.any_text(it, texts)];
        let all = Domain::Text(texts.clone());
        for word in self.constants(module).texts {
            let met = all.meet(&Domain::Text(Texts::word(&word)));
            if met.is_some_and(|it| it != Domain::Never) {
                terms.push(it.str(&word));
            }
        }
        self.mostly(it, terms, 1)
    }

    fn any_text(&mut self, it: &mut Emit, texts: &Texts) -> TermId {
        let is_empty = texts.chars.0.is_empty();
        let chars = Chars::of(&texts.chars.chars()).unwrap_or_else(Chars::any);
        let lens = if is_empty { Lens { min: 0, max: Some(0) } } else { texts.lens };
        let more = more(lens, USUAL_LEN);
        let kind = TextKind {
            chars: self.kind(Kind::Char(chars)),
            more: self.kind(Kind::More(more)),
            element: self.labels.intern("char"),
        };
        let known = self.texts.iter().position(|it| *it == kind);
        let at = known.unwrap_or_else(|| {
            self.texts.push(kind);
            self.texts.len() - 1
        });
        let at = it.int(at as i64);
        it.perform(self.ops.text, vec![at], TypeTable::STR)
    }
}

/// The question "one more?" for so many elements, of which there are usually a few more than
/// there must be.
pub(super) fn more(lens: Lens, usual: u32) -> More {
    let average = lens.min.saturating_add(usual);
    let average = lens.max.map_or(average, |max| average.min(max));
    More { min: lens.min, max: lens.max, average }
}
