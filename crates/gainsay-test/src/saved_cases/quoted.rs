//! Text in double quotes, with the escapes of the language.

/// Quotes a text, on one line.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            // `escape_debug` escapes it, too, but in double quotes that only disturbs the reader.
            '\'' => quoted.push(letter),
            _ => quoted.extend(letter.escape_debug()),
        }
    }
    quoted.push('"');
    quoted
}

/// Unquotes the text at the start, and returns what follows the closing quote.
pub(super) fn unquoted(text: &str) -> Option<(String, &str)> {
    let mut rest = text.strip_prefix('"')?.chars();
    let mut inner = String::new();
    loop {
        match rest.next()? {
            '"' => return Some((inner, rest.as_str())),
            '\\' => inner.push(unescape(&mut rest)?),
            letter => inner.push(letter),
        }
    }
}

/// Decodes an escape after its backslash.
fn unescape(rest: &mut std::str::Chars<'_>) -> Option<char> {
    match rest.next()? {
        'n' => Some('\n'),
        't' => Some('\t'),
        'r' => Some('\r'),
        '0' => Some('\0'),
        same @ ('\\' | '"' | '\'') => Some(same),
        'u' => {
            let (digits, after) = rest.as_str().strip_prefix('{')?.split_once('}')?;
            *rest = after.chars();
            u32::from_str_radix(digits, 16).ok().and_then(char::from_u32)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{quoted, unquoted};

    #[test]
    fn every_character_reads_back() {
        let all: String =
            ('\0'..='\u{3000}').chain(['\u{feff}', '\u{e000}', '\u{10ffff}']).collect();
        let text = quoted(&all);
        assert_eq!(text.lines().count(), 1);
        assert_eq!(unquoted(&format!("{text} rest")), Some((all, " rest")));
    }

    #[test]
    fn broken_quotes_are_refused() {
        for text in
            ["", "a", "\"", "\"a", "\"\\", "\"\\q\"", "\"\\u{}\"", "\"\\u{d800}\"", "\"\\u{1\""]
        {
            assert_eq!(unquoted(text), None, "{text}");
        }
    }
}
