//! Generates inputs that are nearly programs.

use gainsay_ui::TestRandom;

/// The maximum length of an input: a slow one is then slow for another reason.
const MAX_BYTES: usize = 16 << 10;

/// Pieces that are hard on parsers.
const PIECES: [&str; 44] = [
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    "|",
    "||",
    "|>",
    "=>",
    "->",
    "<-",
    "..",
    "..=",
    "\"",
    "'",
    "\\",
    "\\u{",
    "//",
    "///",
    "//~",
    "@",
    "!",
    "?",
    "%",
    "_",
    "0x",
    "1e",
    "-",
    "\n",
    "\r\n",
    "\t",
    "\0",
    "\u{feff}",
    "é",
    "🙂",
    "\u{202e}",
    "match x {",
    "if x {",
    "fn f(",
    "99999999999999999999",
    "9223372036854775807",
];

/// Generates inputs by mutating a corpus.
pub(super) struct InputMutator {
    random: TestRandom,
    corpus: Vec<String>,
}

impl InputMutator {
    /// A mutator whose inputs depend only on the seed and the corpus.
    pub(super) fn new(seed: u64, corpus: Vec<String>) -> Self {
        Self { random: TestRandom::new(seed), corpus }
    }

    /// The next input.
    pub(super) fn next_input(&mut self) -> String {
        let mut text = self.fragment();
        for _ in 0..=self.random.below(6) {
            text = self.mutated(text);
            truncate(&mut text, MAX_BYTES);
        }
        text
    }

    /// A file of the corpus, or whole lines of a long one.
    fn fragment(&mut self) -> String {
        let Some(text) = self.random.pick(&self.corpus) else { return String::new() };
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        if text.len() <= MAX_BYTES / 2 {
            return text.clone();
        }
        let start = self.random.index(lines.len());
        let length = 1 + self.random.index(120);
        lines[start..].iter().take(length).copied().collect()
    }

    fn mutated(&mut self, text: String) -> String {
        match self.random.below(9) {
            0 => self.flip_byte(&text),
            1 => self.insert_piece(&text),
            2 => self.delete_range(&text),
            3 => self.repeat_range(&text),
            4 => self.cut(text),
            5 => self.splice(&text),
            6 => self.replace_word(&text),
            7 => self.swap_words(&text),
            _ => self.nest(&text),
        }
    }

    fn flip_byte(&mut self, text: &str) -> String {
        let mut bytes = text.as_bytes().to_vec();
        let at = self.random.index(bytes.len());
        if let Some(byte) = bytes.get_mut(at) {
            *byte ^= 1 << self.random.below(8);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }

    fn insert_piece(&mut self, text: &str) -> String {
        let piece = self.random.pick(&PIECES).copied().unwrap_or_default();
        let (before, after) = text.split_at(self.place(text));
        [before, piece, after].concat()
    }

    fn delete_range(&mut self, text: &str) -> String {
        let (start, end) = self.range(text);
        [&text[..start], &text[end..]].concat()
    }

    fn repeat_range(&mut self, text: &str) -> String {
        let (start, end) = self.range(text);
        let n_times = 1 + self.random.index(4);
        [&text[..end], &text[start..end].repeat(n_times), &text[end..]].concat()
    }

    fn cut(&mut self, mut text: String) -> String {
        text.truncate(self.place(&text));
        text
    }

    /// Replaces a piece with a piece of another file.
    fn splice(&mut self, text: &str) -> String {
        let other = self.fragment();
        let (from, to) = self.range(&other);
        let (start, end) = self.range(text);
        [&text[..start], &other[from..to], &text[end..]].concat()
    }

    /// Replaces a word with another word of the text.
    fn replace_word(&mut self, text: &str) -> String {
        let words = words(text);
        let other = self.fragment();
        let others = self::words(&other);
        let at = self.random.index(words.len());
        let replacement = self.random.pick(&others).copied().unwrap_or_default();
        (0..).zip(&words).map(|(i, word)| if i == at { replacement } else { *word }).collect()
    }

    fn swap_words(&mut self, text: &str) -> String {
        let mut words = words(text);
        if !words.is_empty() {
            let (left, right) =
                (self.random.index(words.len()), self.random.index(words.len()));
            words.swap(left, right);
        }
        words.concat()
    }

    /// Repeats a piece until it nests too deep.
    fn nest(&mut self, text: &str) -> String {
        let openers =
            ["(", "[", "{", "-", "!", "Some(", "if a {", "|x| ", "List<", "..", "f(", "a."];
        let opener = self.random.pick(&openers).copied().unwrap_or_default();
        let (before, after) = text.split_at(self.place(text));
        let n_times = 1 + self.random.index(1_500);
        [before, &opener.repeat(n_times), after].concat()
    }

    /// A character boundary.
    fn place(&mut self, text: &str) -> usize {
        let mut at = self.random.index(text.len() + 1);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    }

    /// A short range between character boundaries.
    fn range(&mut self, text: &str) -> (usize, usize) {
        let start = self.place(text);
        let mut end = (start + self.random.index(200)).min(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        (start, end.max(start))
    }
}

/// A text split at word boundaries.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut start = 0;
    let mut last = None;
    for (at, character) in text.char_indices() {
        let is_word = character.is_alphanumeric() || character == '_';
        if last.is_some_and(|it| it != is_word || !is_word) {
            words.push(&text[start..at]);
            start = at;
        }
        last = Some(is_word);
    }
    words.push(&text[start..]);
    words
}

fn truncate(text: &mut String, n_bytes: usize) {
    let mut end = n_bytes.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.truncate(end);
}

#[cfg(test)]
mod tests {
    use super::{InputMutator, words};

    #[test]
    fn words_print_back_the_text() {
        let text = "fn f(x: Int) -> é { x+1 }";
        assert_eq!(words(text).concat(), text);
        assert!(words(text).contains(&"Int"));
    }

    #[test]
    fn inputs_depend_on_the_seed_alone() {
        let corpus = vec!["fn f() { 1 }\n".to_owned(), "type T = A | B(Int)\n".to_owned()];
        let inputs = |seed| {
            let mut mutator = InputMutator::new(seed, corpus.clone());
            (0..500).map(|_| mutator.next_input()).collect::<Vec<_>>()
        };
        assert_eq!(inputs(7), inputs(7));
        assert_ne!(inputs(7), inputs(8));
    }
}
