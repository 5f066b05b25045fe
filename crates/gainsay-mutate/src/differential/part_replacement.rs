//! Systematic inputs: replaces each part of a seed input in turn by every value that the code may
//! treat specially.

use gainsay_core::{Datum, Literal, Program, Ty, TyId};

use super::dictionary::InputDictionary;
use super::input_variation::field_types;

/// Parts of one input that are replaced.
const MAX_PARTS: usize = 12;

/// Both ends of common character classes: digits of several bases, letters.
const CHARACTER_CLASS_SAMPLES: &str = "019aefgzAFGZ_ é";

/// Positions of a string at which pieces are inserted, and at which characters are removed or
/// replaced by samples.
const MAX_POSITIONS: usize = 6;
const MAX_REPLACED_CHARS: usize = 10;

/// Words and characters that are combined in pairs.
const MAX_PAIRED_WORDS: usize = 16;

/// The inputs that differ from a base in one part, taking the parts in turn.
struct PartReplacements {
    base: Datum,
    /// The replacements of each part. A part is addressed by its path of positions.
    replacements: Vec<(Vec<usize>, std::vec::IntoIter<Datum>)>,
    next: usize,
}

impl PartReplacements {
    /// The replacements in a tuple of arguments.
    fn new(
        program: &Program,
        vocabulary: &InputDictionary,
        base: &Datum,
        types: &[TyId],
    ) -> Self {
        let (chars, pieces) = (vocabulary.all_chars(), vocabulary.pieces());
        let mut parts = PartCollector {
            program,
            vocabulary,
            chars,
            pieces,
            path: Vec::new(),
            found: Vec::new(),
        };
        if let Datum::Tuple(arguments) = base {
            parts.visit_parts(arguments, &|at| types.get(at).copied());
        }
        Self { base: base.clone(), replacements: parts.found, next: 0 }
    }
}

impl Iterator for PartReplacements {
    type Item = Datum;

    fn next(&mut self) -> Option<Datum> {
        while !self.replacements.is_empty() {
            // One from each part in turn, because the budget usually ends before the replacements
            // do.
            let at = self.next % self.replacements.len();
            let (path, line) = &mut self.replacements[at];
            if let Some(part) = line.next() {
                self.next = at + 1;
                let mut input = self.base.clone();
                replace_part(&mut input, path, part);
                return Some(input);
            }
            // The one behind it moves to this index.
            self.replacements.remove(at);
            self.next = at;
        }
        None
    }
}

/// Replacements in several inputs, taken in turn so that none uses up the whole budget.
pub(super) fn interleaved_replacements(
    program: &Program,
    vocabulary: &InputDictionary,
    bases: &[Datum],
    types: &[TyId],
) -> impl Iterator<Item = Datum> {
    let lines = bases.iter().map(|it| PartReplacements::new(program, vocabulary, it, types));
    let mut lines: Vec<PartReplacements> = lines.collect();
    let mut next = 0;
    std::iter::from_fn(move || {
        while !lines.is_empty() {
            let at = next % lines.len();
            if let Some(input) = lines[at].next() {
                next = at + 1;
                return Some(input);
            }
            // As above: the one behind it moves here.
            lines.remove(at);
            next = at;
        }
        None
    })
}

/// Replaces the part at a path.
fn replace_part(whole: &mut Datum, path: &[usize], part: Datum) {
    let mut at = whole;
    for step in path {
        let (Datum::Tuple(parts) | Datum::Data(_, parts) | Datum::List(parts)) = at else {
            return;
        };
        let Some(inside) = parts.get_mut(*step) else { return };
        at = inside;
    }
    *at = part;
}

/// Collects the replaceable parts of an input.
struct PartCollector<'a> {
    program: &'a Program,
    vocabulary: &'a InputDictionary,
    chars: Vec<char>,
    pieces: Vec<String>,
    path: Vec<usize>,
    found: Vec<(Vec<usize>, std::vec::IntoIter<Datum>)>,
}

impl PartCollector<'_> {
    fn visit_parts(&mut self, parts: &[Datum], ty: &dyn Fn(usize) -> Option<TyId>) {
        for (at, part) in parts.iter().enumerate() {
            self.path.push(at);
            self.visit(part, ty(at));
            self.path.pop();
        }
    }

    fn add_replacements(&mut self, line: Vec<Datum>) {
        self.found.push((self.path.clone(), line.into_iter()));
    }

    fn visit(&mut self, datum: &Datum, ty: Option<TyId>) {
        // The first parts only: a long list would use up the budget of all other inputs.
        if self.found.len() >= MAX_PARTS {
            return;
        }
        let program = self.program;
        let base = ty.map(|it| program.types.base(it));
        let of = base.map(|it| program.types.get(it));
        match datum {
            Datum::Literal(literal) => {
                self.add_replacements(
                    self.literals(literal).into_iter().map(Datum::Literal).collect(),
                );
            }
            Datum::Tuple(parts) => {
                let types = match of {
                    Some(Ty::Tuple(types)) => &**types,
                    _ => &[],
                };
                self.visit_parts(parts, &|at| types.get(at).copied());
            }
            Datum::Data(ctor, fields) => {
                let types = field_types(program, *ctor, base);
                self.visit_parts(fields, &|at| types.get(at).copied().flatten());
            }
            Datum::List(items) => {
                let item = match of {
                    Some(Ty::List(item)) => Some(*item),
                    _ => None,
                };
                match item.map(|it| program.types.get(program.types.base(it))) {
                    // A list of characters is treated as a string.
                    Some(Ty::Char) => {
                        let texts = self.texts(&text_of(items));
                        self.add_replacements(texts.iter().map(|it| chars_of(it)).collect());
                        return;
                    }
                    Some(Ty::Str) => self.add_replacements(self.word_lists(items)),
                    _ => {}
                }
                let without = |at: usize| {
                    let mut items = items.clone();
                    items.remove(at);
                    Datum::List(items)
                };
                self.add_replacements(
                    (0..items.len().min(MAX_REPLACED_CHARS)).map(without).collect(),
                );
                self.visit_parts(items, &|_| item);
            }
            // `replace_part` does not reach into these: their parts have no lasting positions.
            Datum::Map(_) | Datum::Set(_) | Datum::Function(_) => {}
        }
    }

    fn literals(&self, literal: &Literal) -> Vec<Literal> {
        match literal {
            Literal::Int(_) | Literal::Big(_) => {
                self.vocabulary.ints.iter().map(|it| Literal::Int(*it)).collect()
            }
            Literal::Float(_) => {
                self.vocabulary.floats.iter().map(|it| Literal::Float(*it)).collect()
            }
            Literal::Bool(truth) => vec![Literal::Bool(!truth)],
            Literal::Char(_) => self.chars.iter().map(|it| Literal::Char(*it)).collect(),
            Literal::Str(text) => {
                self.texts(text).into_iter().map(|it| Literal::Str(it.into())).collect()
            }
        }
    }

    /// Variations of a string: with pieces of the dictionary in it or in its place, the most
    /// promising ones first.
    fn texts(&self, text: &str) -> Vec<String> {
        let chars: Vec<char> = text.chars().collect();
        // At both ends, where scanners begin and stop.
        let mut places: Vec<usize> = (0..=chars.len().min(MAX_POSITIONS / 2)).collect();
        places.extend(chars.len().saturating_sub(MAX_POSITIONS / 2)..=chars.len());
        places.sort_unstable();
        places.dedup();
        let with = |from: usize, to: usize, piece: &str| {
            let (before, after) = (chars[..from].iter(), chars[to..].iter());
            before.copied().chain(piece.chars()).chain(after.copied()).collect::<String>()
        };
        let removed = (0..chars.len()).rev().take(MAX_REPLACED_CHARS);
        // Deletions first, for there are few of them.
        let mut made: Vec<String> = removed.map(|at| with(at, at + 1, "")).collect();
        for piece in &self.pieces {
            made.extend(places.iter().map(|at| with(*at, *at, piece)));
        }
        // From the end: a scanner's last character often decides.
        for at in (0..chars.len()).rev().take(MAX_REPLACED_CHARS) {
            made.extend(
                CHARACTER_CLASS_SAMPLES.chars().map(|it| with(at, at + 1, &it.to_string())),
            );
        }
        for piece in &self.pieces {
            let inside = places.iter().filter(|at| **at < chars.len());
            made.extend(inside.map(|at| with(*at, at + 1, piece)));
        }
        made.extend(self.pieces.iter().cloned());
        let paired = self.vocabulary.short_pieces();
        for first in paired.iter().take(MAX_PAIRED_WORDS) {
            for second in paired.iter().take(MAX_PAIRED_WORDS) {
                // Two pieces in a row, for code that looks one character ahead.
                made.push(format!("{text}{first}{second}"));
            }
        }
        made.extend(self.chars.iter().map(|it| it.to_string()));
        for at in [0, chars.len().saturating_sub(1)] {
            let end = chars.len().min(at + 1);
            made.extend(self.chars.iter().map(|it| with(at, end, &it.to_string())));
        }
        made
    }

    /// Lists of words: those of patterns, the list with one word inserted, and pairs of words.
    fn word_lists(&self, items: &[Datum]) -> Vec<Datum> {
        let word = |it: &String| Datum::Literal(Literal::Str(it.as_str().into()));
        let rows = self.vocabulary.word_lists.iter();
        let mut lists: Vec<Datum> =
            rows.map(|row| Datum::List(row.iter().map(word).collect())).collect();
        for at in 0..=items.len().min(MAX_POSITIONS) {
            for piece in &self.pieces {
                let mut longer = items.to_vec();
                longer.insert(at, word(piece));
                lists.push(Datum::List(longer));
            }
        }
        let words: Vec<Datum> = self.vocabulary.words.iter().map(word).collect();
        for first in words.iter().take(MAX_PAIRED_WORDS) {
            lists.push(Datum::List(vec![first.clone()]));
            for second in words.iter().take(MAX_PAIRED_WORDS) {
                lists.push(Datum::List(vec![first.clone(), second.clone()]));
            }
        }
        lists
    }
}

fn text_of(items: &[Datum]) -> String {
    let char = |it: &Datum| {
        if let Datum::Literal(Literal::Char(char)) = it { Some(*char) } else { None }
    };
    items.iter().filter_map(char).collect()
}

fn chars_of(text: &str) -> Datum {
    Datum::List(text.chars().map(|it| Datum::Literal(Literal::Char(it))).collect())
}
