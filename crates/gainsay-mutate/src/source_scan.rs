//! Source text, read as far as edits need it: what is a remark, what is quoted, and which brackets
//! belong together.

/// What stands at a place of a text.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum ScanToken {
    /// Blanks and line ends.
    Space,
    /// From `//` to the end of the line.
    Comment,
    /// A text or character in its quotes.
    Quoted,
    /// `(`, `[` or `{`.
    Open,
    /// `)`, `]` or `}`.
    Close,
    /// A name, a number or a keyword.
    Word,
    /// Any other character.
    Symbol,
}

/// What stands at a place, and where it ends; nothing at the end of the text.
pub(crate) fn next_token(text: &str, at: usize) -> Option<(ScanToken, usize)> {
    let rest = text.get(at..)?;
    let first = rest.chars().next()?;
    let after = |length: Option<usize>| at + length.unwrap_or(rest.len());
    let found = match first {
        '(' | '[' | '{' => (ScanToken::Open, at + 1),
        ')' | ']' | '}' => (ScanToken::Close, at + 1),
        '"' | '\'' => (ScanToken::Quoted, after(quoted(rest, first))),
        '/' if rest.starts_with("//") => (ScanToken::Comment, after(rest.find('\n'))),
        _ if first.is_whitespace() => {
            (ScanToken::Space, after(rest.find(|it: char| !it.is_whitespace())))
        }
        _ if is_word(first) => (ScanToken::Word, after(rest.find(|it| !is_word(it)))),
        _ => (ScanToken::Symbol, at + first.len_utf8()),
    };
    Some(found)
}

fn is_word(char: char) -> bool {
    char == '_' || char.is_alphanumeric()
}

/// How long the text in quotes is with which another begins.
fn quoted(text: &str, quote: char) -> Option<usize> {
    let mut chars = text.char_indices().skip(1);
    while let Some((at, char)) = chars.next() {
        match char {
            '\\' => drop(chars.next()),
            '\n' => return Some(at),
            _ if char == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// The first place that is neither blank nor in a remark.
pub(crate) fn after_blanks(text: &str, mut at: usize) -> usize {
    while let Some((ScanToken::Space | ScanToken::Comment, end)) = next_token(text, at) {
        at = end;
    }
    at
}

/// The same, with `,` and `;` passed over as well.
pub(crate) fn after_separators(text: &str, mut at: usize) -> usize {
    loop {
        at = after_blanks(text, at);
        if !text[at..].starts_with([',', ';']) {
            return at;
        }
        at += 1;
    }
}

/// How many brackets a text leaves open; nothing if it closes one that it did not open.
pub(crate) fn count_unclosed(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut at = 0;
    while let Some((bit, end)) = next_token(text, at) {
        match bit {
            ScanToken::Open => depth += 1,
            ScanToken::Close => depth = depth.checked_sub(1)?,
            ScanToken::Space
            | ScanToken::Comment
            | ScanToken::Quoted
            | ScanToken::Word
            | ScanToken::Symbol => {}
        }
        at = end;
    }
    Some(depth)
}

/// The place behind so many closing brackets, with nothing but separators between them.
pub(crate) fn after_closing(text: &str, mut at: usize, n_brackets: usize) -> Option<usize> {
    for _ in 0..n_brackets {
        at = after_separators(text, at);
        let (ScanToken::Close, end) = next_token(text, at)? else { return None };
        at = end;
    }
    Some(at)
}

/// Where a sign stands first, not counting what is in brackets, quotes and remarks.
pub(crate) fn find_outside(text: &str, from: usize, sign: &str) -> Option<usize> {
    let (mut at, mut depth) = (from, 0_usize);
    while let Some((bit, end)) = next_token(text, at) {
        match bit {
            ScanToken::Open => depth += 1,
            ScanToken::Close => depth = depth.checked_sub(1)?,
            ScanToken::Symbol if depth == 0 && text[at..].starts_with(sign) => return Some(at),
            ScanToken::Space
            | ScanToken::Comment
            | ScanToken::Quoted
            | ScanToken::Word
            | ScanToken::Symbol => {}
        }
        at = end;
    }
    None
}

/// The names, numbers and keywords of a text.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut at = 0;
    std::iter::from_fn(move || {
        while let Some((bit, end)) = next_token(text, at) {
            let word = &text[at..end];
            at = end;
            if bit == ScanToken::Word {
                return Some(word);
            }
        }
        None
    })
}

/// The part of a line that is no remark, without blanks at its end.
pub(crate) fn without_comment(line: &str) -> &str {
    let mut at = 0;
    while let Some((bit, end)) = next_token(line, at) {
        if bit == ScanToken::Comment {
            break;
        }
        at = end;
    }
    line[..at.min(line.len())].trim_end()
}

#[cfg(test)]
mod tests {
    use super::{after_closing, count_unclosed, find_outside, without_comment, words};

    #[test]
    fn brackets_in_quotes_and_remarks_do_not_count() {
        assert_eq!(count_unclosed("(a, [\")\", ')' // }\n"), Some(2));
        assert_eq!(count_unclosed("a)"), None);
        assert_eq!(after_closing("x ; // )\n } )", 1, 2), Some(13));
        assert_eq!(after_closing("x + )", 1, 1), None);
    }

    #[test]
    fn signs_are_found_outside_of_brackets() {
        let text = "Some(f(|x| a => b)) if \"=>\" == y => z";
        assert_eq!(find_outside(text, 0, "=>"), Some(33));
        assert_eq!(find_outside("(a => b", 0, "=>"), None);
    }

    #[test]
    fn words_are_names_numbers_and_keywords() {
        let found: Vec<&str> = words("if x_1 >= 20 { \"no\" } // nor this").collect();
        assert_eq!(found, ["if", "x_1", "20"]);
        assert_eq!(without_comment("let a = \"//\"  // b"), "let a = \"//\"");
    }
}
