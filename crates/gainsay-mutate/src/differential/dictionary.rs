//! The fuzzing dictionary of a function: literals that its code compares with, and their
//! neighbors, which make promising inputs.

use std::collections::BTreeSet;

use gainsay_core::{Body, FunctionId, Literal, Pattern, PatternId, Program, Term};

/// Functions whose literals are collected, breadth-first along calls.
const MAX_FUNCTIONS: usize = 60;

/// Limits on the literals collected of each type.
const MAX_WORDS: usize = 40;
const MAX_NUMBERS: usize = 150;

/// Longer strings are taken for messages.
const MAX_WORD_LENGTH: usize = 24;

/// Characters beyond ASCII at boundaries: letter case, white space, non-ASCII digits, letters whose
/// case mapping changes their length, and the ends of Unicode's ranges.
const BEYOND_ASCII: [char; 30] = [
    '\u{80}',
    '\u{85}',
    '\u{a0}',
    'ª',
    '²',
    'µ',
    'º',
    '¼',
    'À',
    '×',
    'Þ',
    'ß',
    'à',
    '÷',
    'ÿ',
    '\u{100}',
    'İ',
    'ı',
    'ǅ',
    'ǆ',
    '٣',
    '\u{2028}',
    '\u{3000}',
    '中',
    '\u{d7ff}',
    '\u{e000}',
    '\u{feff}',
    '\u{ffff}',
    '😀',
    '\u{10ffff}',
];

/// The literals of a function and of those that it calls.
#[derive(Debug, Default)]
pub(super) struct InputDictionary {
    pub(super) ints: Vec<i64>,
    pub(super) floats: Vec<f64>,
    /// The characters in the code, and their neighbors.
    chars: Vec<char>,
    adjacent_chars: Vec<char>,
    /// The strings in the code, unchanged.
    pub(super) words: Vec<String>,
    /// Lists of strings that patterns match.
    pub(super) word_lists: Vec<Vec<String>>,
}

impl InputDictionary {
    /// The dictionary of a function. Replacement terms are part of the bodies, so the literals of
    /// mutants are included.
    pub(super) fn of_function(program: &Program, function: FunctionId) -> Self {
        let mut found = Self::default();
        let mut pending = vec![function];
        let mut seen: BTreeSet<FunctionId> = [function].into();
        let mut next = 0;
        // Breadth-first, so that the literals nearest to the function come before a limit is
        // reached.
        while next < pending.len().min(MAX_FUNCTIONS) {
            let function = program.function(pending[next]);
            next += 1;
            for term in &function.body.terms {
                if let Term::Literal(literal) = term {
                    found.add(literal);
                }
                let named = program.referenced_function(term).filter(|it| seen.insert(*it));
                let is_own =
                    |it: &FunctionId| !program.module(program.function(*it).module).is_std;
                // The library compares with literals that say nothing about this program.
                pending.extend(named.filter(is_own));
            }
            for pattern in &function.body.patterns {
                if let Pattern::Literal(literal) = pattern {
                    found.add(literal);
                } else if let Pattern::List(items, _) = pattern {
                    found.add_list(&function.body, items);
                }
            }
        }
        found
    }

    fn add(&mut self, literal: &Literal) {
        match literal {
            Literal::Int(int) => {
                for near in [*int, int.saturating_add(1), int.saturating_sub(1)] {
                    add_new(&mut self.ints, near, MAX_NUMBERS);
                }
            }
            Literal::Float(float) => {
                // The adjacent floats, where a comparison with the literal changes.
                for near in [*float, float.next_up(), float.next_down(), float + 1.0] {
                    add_new(&mut self.floats, near, MAX_NUMBERS);
                }
            }
            Literal::Char(char) => {
                add_new(&mut self.chars, *char, MAX_NUMBERS);
                let beside = [1, -1].map(|it| u32::from(*char).checked_add_signed(it));
                for near in beside.into_iter().flatten().filter_map(char::from_u32) {
                    add_new(&mut self.adjacent_chars, near, MAX_NUMBERS);
                }
            }
            Literal::Str(text) if text.len() <= MAX_WORD_LENGTH && !text.is_empty() => {
                add_new(&mut self.words, text.to_string(), MAX_WORDS);
                for char in text.chars() {
                    add_new(&mut self.chars, char, MAX_NUMBERS);
                }
            }
            // Long strings are messages. Variation needs no pool for the others: it flips booleans
            // and steps from one big number to the next.
            Literal::Str(_) | Literal::Bool(_) | Literal::Big(_) => {}
        }
    }

    /// Adds a list that a pattern matches, with a simple filler where the pattern takes anything.
    fn add_list(&mut self, body: &Body, items: &[PatternId]) {
        let literals: Vec<Option<&Literal>> = items
            .iter()
            .map(|it| {
                let pattern = body.pattern(*it);
                if let Pattern::Literal(literal) = pattern { Some(literal) } else { None }
            })
            .collect();
        // Parsers match on the characters of a word one by one: together they are the word.
        let is_char = literals.iter().flatten().any(|it| matches!(it, Literal::Char(_)));
        let is_text = literals.iter().flatten().any(|it| matches!(it, Literal::Str(_)));
        if is_char && literals.len() <= MAX_WORD_LENGTH {
            let char = |it: &Option<&Literal>| match it {
                Some(Literal::Char(char)) => *char,
                _ => '0',
            };
            add_new(&mut self.words, literals.iter().map(char).collect(), MAX_WORDS);
        } else if is_text {
            let text = |it: &Option<&Literal>| match it {
                Some(Literal::Str(text)) => text.to_string(),
                _ => "1".to_owned(),
            };
            add_new(&mut self.word_lists, literals.iter().map(text).collect(), MAX_WORDS);
        }
    }

    /// All characters to try: those in the code, ASCII, and the boundaries of character classes.
    pub(super) fn all_chars(&self) -> Vec<char> {
        let mut seen = BTreeSet::new();
        let ascii = (0..128_u8).map(char::from);
        let all = self.chars.iter().chain(&self.adjacent_chars).copied();
        let all = all.chain(ascii).chain(BEYOND_ASCII);
        all.filter(|it| seen.insert(*it)).collect()
    }

    /// Building blocks of strings: words and characters in the code, and characters that strings
    /// are often trimmed or split at.
    pub(super) fn pieces(&self) -> Vec<String> {
        let mut seen = BTreeSet::new();
        let words = self.words.iter().cloned();
        let all = words.chain(self.short_pieces());
        all.filter(|it| seen.insert(it.clone())).collect()
    }

    /// The building blocks that are single characters.
    pub(super) fn short_pieces(&self) -> Vec<String> {
        let mut seen = BTreeSet::new();
        let common = [' ', '\n', '0', '-', 'a', 'A', '.'];
        let all = self.chars.iter().copied().chain(common);
        all.filter(|it| seen.insert(*it)).map(String::from).collect()
    }

    /// The dictionary as literals.
    pub(super) fn literals(&self) -> Vec<Literal> {
        let ints = self.ints.iter().map(|it| Literal::Int(*it));
        let floats = self.floats.iter().map(|it| Literal::Float(*it));
        let chars = self.chars.iter().chain(&self.adjacent_chars).map(|it| Literal::Char(*it));
        let texts = self.pieces().into_iter().map(|it| Literal::Str(it.into()));
        ints.chain(floats).chain(chars).chain(texts).collect()
    }
}

fn add_new<T: PartialEq>(all: &mut Vec<T>, it: T, most: usize) {
    if all.len() < most && !all.contains(&it) {
        all.push(it);
    }
}
