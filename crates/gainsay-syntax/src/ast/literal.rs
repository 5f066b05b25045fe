//! Literal tokens and the values they denote.

use gainsay_source::Span;

use crate::kind::TokenKind;
use crate::tree::Token;

/// The token of a literal.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
pub struct LiteralToken<'t>(Token<'t>);

/// The type of a literal.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
pub enum LiteralKind {
    /// `1_000`, `0xff`.
    Int,
    /// `1.5`, `1e-9`.
    Float,
    /// `"text"`.
    Str,
    /// `'c'`.
    Char,
    /// `true`, `false`.
    Bool,
}

/// The digits of a whole number, in lower case, without prefix and underscores; never empty.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct IntDigits {
    /// The digits, most significant first.
    pub digits: String,
    /// 2, 8, 10 or 16.
    pub radix: u32,
}

impl<'t> LiteralToken<'t> {
    /// The literal a token is, if it is one.
    pub fn cast(token: Token<'t>) -> Option<Self> {
        kind_of(token.kind()).map(|_| Self(token))
    }

    /// The token.
    pub fn token(self) -> Token<'t> {
        self.0
    }

    /// The range of its text.
    pub fn span(self) -> Span {
        self.0.span()
    }

    /// The text as written.
    pub fn text(self) -> &'t str {
        self.0.text()
    }

    /// The type of the literal.
    pub fn kind(self) -> LiteralKind {
        kind_of(self.0.kind()).expect("`cast` admits only literals")
    }

    /// The digits of a whole number; `None` for other literals and for malformed ones.
    pub fn int_digits(self) -> Option<IntDigits> {
        if self.kind() != LiteralKind::Int {
            return None;
        }
        let (radix, digits) = split_radix(self.text());
        let digits: String = digits.chars().filter(|it| *it != '_').collect();
        let well_formed = !digits.is_empty() && digits.chars().all(|it| it.is_digit(radix));
        well_formed.then(|| IntDigits { digits: digits.to_ascii_lowercase(), radix })
    }

    /// The value of a number with a fraction or an exponent.
    pub fn float_value(self) -> Option<f64> {
        if self.kind() != LiteralKind::Float {
            return None;
        }
        let text: String = self.text().chars().filter(|it| *it != '_').collect();
        text.parse().ok()
    }

    /// The value of a string literal; malformed escapes are left out.
    pub fn string_value(self) -> Option<String> {
        if self.kind() != LiteralKind::Str {
            return None;
        }
        let mut value = String::new();
        unescape(inner(self.text(), '"'), |_, part| value.extend(part.ok()));
        Some(value)
    }

    /// The value of a character literal.
    pub fn char_value(self) -> Option<char> {
        if self.kind() != LiteralKind::Char {
            return None;
        }
        let mut value = None;
        unescape(inner(self.text(), '\''), |_, part| value = value.or(part.ok()));
        value
    }

    /// The value of `true` and `false`.
    pub fn bool_value(self) -> Option<bool> {
        match self.kind() {
            LiteralKind::Bool => Some(self.0.kind() == TokenKind::TrueKw),
            LiteralKind::Int | LiteralKind::Float | LiteralKind::Str | LiteralKind::Char => {
                None
            }
        }
    }
}

fn kind_of(kind: TokenKind) -> Option<LiteralKind> {
    const KINDS: [(TokenKind, LiteralKind); 6] = [
        (TokenKind::Int, LiteralKind::Int),
        (TokenKind::Float, LiteralKind::Float),
        (TokenKind::Str, LiteralKind::Str),
        (TokenKind::Char, LiteralKind::Char),
        (TokenKind::TrueKw, LiteralKind::Bool),
        (TokenKind::FalseKw, LiteralKind::Bool),
    ];
    KINDS.iter().find(|row| row.0 == kind).map(|row| row.1)
}

/// The radix of a whole number and its text after the prefix.
pub(crate) fn split_radix(text: &str) -> (u32, &str) {
    match text.as_bytes() {
        [b'0', b'x' | b'X', ..] => (16, &text[2..]),
        [b'0', b'o' | b'O', ..] => (8, &text[2..]),
        [b'0', b'b' | b'B', ..] => (2, &text[2..]),
        _ => (10, text),
    }
}

/// The text between the quotes; the closing quote may be missing.
fn inner(text: &str, quote: char) -> &str {
    let text = text.strip_prefix(quote).unwrap_or(text);
    // `"a\"` is unclosed: its last quote is escaped. An odd number of backslashes escapes it.
    let Some(body) = text.strip_suffix(quote) else { return text };
    let n_slashes = body.bytes().rev().take_while(|it| *it == b'\\').count();
    if n_slashes % 2 == 0 { body } else { text }
}

/// Why an escape sequence denotes no character.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum EscapeError {
    /// No such letter after the backslash.
    Unknown,
    /// `\u` without `{`, digits and `}`.
    Malformed,
    /// The number in `\u{..}` is no Unicode scalar value.
    NoCharacter,
}

/// Calls `part` with the byte range and value of each character between the quotes.
pub(crate) fn unescape(
    text: &str,
    mut part: impl FnMut(std::ops::Range<usize>, Result<char, EscapeError>),
) {
    let mut rest = text.char_indices();
    while let Some((start, first)) = rest.next() {
        let meaning = if first == '\\' { escape(&mut rest) } else { Ok(first) };
        part(start..rest.offset(), meaning);
    }
}

/// Parses what follows a backslash.
fn escape(rest: &mut std::str::CharIndices<'_>) -> Result<char, EscapeError> {
    match rest.next().map(|(_, letter)| letter) {
        Some('n') => Ok('\n'),
        Some('t') => Ok('\t'),
        Some('r') => Ok('\r'),
        Some('0') => Ok('\0'),
        Some(same @ ('\\' | '"' | '\'')) => Ok(same),
        Some('u') => code_point(rest),
        Some(_) | None => Err(EscapeError::Unknown),
    }
}

/// Parses `{1F600}` after `\u`.
fn code_point(rest: &mut std::str::CharIndices<'_>) -> Result<char, EscapeError> {
    let text = rest.as_str();
    let digits = text.strip_prefix('{').ok_or(EscapeError::Malformed)?;
    let length = digits.bytes().take_while(u8::is_ascii_hexdigit).count();
    let closed = digits[length..].starts_with('}');
    let consumed = 1 + length + usize::from(closed);
    for _ in 0..consumed {
        rest.next();
    }
    if length == 0 || !closed {
        return Err(EscapeError::Malformed);
    }
    u32::from_str_radix(&digits[..length], 16)
        .ok()
        .and_then(char::from_u32)
        .ok_or(EscapeError::NoCharacter)
}
