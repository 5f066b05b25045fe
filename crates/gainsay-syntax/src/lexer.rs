//! The lexer: splits text into tokens.
//!
//! Every byte is in exactly one token. A malformed token is still a token, but marked, so that the
//! parser does not report the same place again.

use gainsay_source::{Diagnostic, FileId, Span};

use crate::ast::{split_radix, unescape};
use crate::findings::{
    BadCharacter, BadEscape, BadNumber, ForeignForm, ForeignSyntax, NumberError, QuoteKind,
    UnclosedString, UnknownCharacter,
};
use crate::kind::TokenKind;

/// A token without its end: it ends where the next one starts.
#[derive(Debug, Copy, Clone)]
pub(crate) struct RawToken {
    pub(crate) kind: TokenKind,
    pub(crate) state: TokenState,
    pub(crate) start: u32,
}

/// Whether an error was already reported for a token.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum TokenState {
    Valid,
    Malformed,
}

/// The tokens of a text, terminated by an `Eof`.
pub(crate) struct LexOutput {
    pub(crate) tokens: Vec<RawToken>,
    pub(crate) errors: Vec<Diagnostic>,
}

/// Splits a text into tokens.
pub(crate) fn lex(file: FileId, text: &str) -> LexOutput {
    let mut lexer = Lexer {
        file,
        text,
        at: 0,
        state: TokenState::Valid,
        tokens: Vec::with_capacity(text.len() / 3 + 1),
        errors: Vec::new(),
    };
    while lexer.at < text.len() {
        let start = lexer.at;
        lexer.state = TokenState::Valid;
        let kind = lexer.token();
        debug_assert!(lexer.at > start, "a token has at least one byte");
        lexer.tokens.push(RawToken { kind, state: lexer.state, start: start as u32 });
    }
    let state = TokenState::Valid;
    lexer.tokens.push(RawToken { kind: TokenKind::Eof, state, start: text.len() as u32 });
    LexOutput { tokens: lexer.tokens, errors: lexer.errors }
}

struct Lexer<'s> {
    file: FileId,
    text: &'s str,
    at: usize,
    state: TokenState,
    tokens: Vec<RawToken>,
    errors: Vec<Diagnostic>,
}

/// Punctuation, longest first where one is a prefix of another. `<-` and `>=` are missing on
/// purpose: the parser joins them, because `x<-1` is a comparison and `List<Int>= e` is not.
const PUNCTUATION: [(&str, TokenKind); 36] = [
    ("..=", TokenKind::DotDotEq),
    ("==>", TokenKind::Implies),
    ("<=>", TokenKind::Iff),
    ("++", TokenKind::PlusPlus),
    ("==", TokenKind::EqEq),
    ("!=", TokenKind::NotEq),
    ("<=", TokenKind::LessEq),
    ("&&", TokenKind::AndAnd),
    ("||", TokenKind::OrOr),
    ("|>", TokenKind::Pipe),
    ("->", TokenKind::Arrow),
    ("=>", TokenKind::FatArrow),
    ("..", TokenKind::DotDot),
    ("+", TokenKind::Plus),
    ("-", TokenKind::Minus),
    ("*", TokenKind::Star),
    ("/", TokenKind::Slash),
    ("%", TokenKind::Percent),
    ("<", TokenKind::Less),
    (">", TokenKind::Greater),
    ("!", TokenKind::Bang),
    ("|", TokenKind::Bar),
    ("&", TokenKind::Amp),
    ("=", TokenKind::Eq),
    (".", TokenKind::Dot),
    (",", TokenKind::Comma),
    (";", TokenKind::Semicolon),
    (":", TokenKind::Colon),
    ("?", TokenKind::Question),
    ("@", TokenKind::At),
    ("(", TokenKind::LParen),
    (")", TokenKind::RParen),
    ("[", TokenKind::LBracket),
    ("]", TokenKind::RBracket),
    ("{", TokenKind::LBrace),
    ("}", TokenKind::RBrace),
];

/// The punctuation at the start of a text.
fn punctuation(text: &str) -> Option<(&'static str, TokenKind)> {
    let first = *text.as_bytes().first()?;
    // Comparing the first byte first rejects most rows without a string comparison.
    PUNCTUATION
        .iter()
        .find(|(symbol, _)| symbol.as_bytes()[0] == first && text.starts_with(symbol))
        .copied()
}

/// The spelling of a kind of punctuation that the lexer produces.
pub(crate) fn symbol(kind: TokenKind) -> Option<&'static str> {
    PUNCTUATION.into_iter().find(|row| row.1 == kind).map(|row| row.0)
}

impl<'s> Lexer<'s> {
    fn rest(&self) -> &'s str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn eat_while(&mut self, accept: impl Fn(char) -> bool) {
        let rest = self.rest();
        self.at += rest.find(|it| !accept(it)).unwrap_or(rest.len());
    }

    fn span_from(&self, start: usize) -> Span {
        Span::new(self.file, start as u32, self.at as u32)
    }

    fn report(&mut self, finding: impl Into<Diagnostic>) {
        self.state = TokenState::Malformed;
        // The token is malformed in any case: only the report is left out.
        if self.errors.len() < crate::MAX_ERRORS {
            self.errors.push(finding.into());
        }
    }

    fn token(&mut self) -> TokenKind {
        let Some(first) = self.peek() else { return TokenKind::Eof };
        if is_space(first) {
            return self.space();
        }
        if is_name_start(first) {
            return self.word();
        }
        if first.is_ascii_digit() {
            return self.number();
        }
        if first == '"' {
            return self.string();
        }
        if first == '\'' {
            return self.character();
        }
        if self.rest().starts_with("//") {
            return self.comment();
        }
        if self.rest().starts_with("/*") {
            return self.block_comment();
        }
        if self.at == 0 && self.rest().starts_with("#!") {
            self.eat_while(|it| it != '\n');
            return TokenKind::Shebang;
        }
        match punctuation(self.rest()) {
            Some((symbol, kind)) => {
                self.at += symbol.len();
                kind
            }
            None => self.unknown_characters(),
        }
    }

    fn space(&mut self) -> TokenKind {
        let start = self.at;
        self.eat_while(is_space);
        let has_newline = self.text[start..self.at].contains('\n');
        if has_newline { TokenKind::Newline } else { TokenKind::Whitespace }
    }

    fn comment(&mut self) -> TokenKind {
        let start = self.at;
        self.eat_while(|it| it != '\n');
        if self.text[start..self.at].ends_with('\r') {
            self.at -= 1;
        }
        // A line of slashes is a divider, not documentation.
        let text = &self.text[start..self.at];
        let is_doc = text.starts_with("///") && !text.starts_with("////");
        if is_doc { TokenKind::DocComment } else { TokenKind::Comment }
    }

    /// A block comment of another language: reported, and skipped to its end.
    fn block_comment(&mut self) -> TokenKind {
        let start = self.at;
        let length = self.rest().find("*/").map_or(self.rest().len(), |end| end + 2);
        // Only the opening is marked: a comment may be longer than the screen.
        self.at += 2;
        let span = self.span_from(start);
        self.at = start + length;
        self.report(ForeignSyntax { span, form: ForeignForm::BlockComment });
        TokenKind::Comment
    }

    fn word(&mut self) -> TokenKind {
        let start = self.at;
        self.eat_while(is_name_continue);
        let word = &self.text[start..self.at];
        if word == "_" {
            return TokenKind::Underscore;
        }
        TokenKind::keyword(word).unwrap_or(TokenKind::Ident)
    }

    fn unknown_characters(&mut self) -> TokenKind {
        let start = self.at;
        // A run of unknown characters is one error.
        while let Some(next) = self.peek() {
            let is_known = is_space(next)
                || is_name_continue(next)
                || matches!(next, '"' | '\'')
                || punctuation(self.rest()).is_some();
            // Checked after the first character: it may be known and still start nothing here.
            if is_known && self.at > start {
                break;
            }
            self.at += next.len_utf8();
        }
        let span = self.span_from(start);
        self.report(UnknownCharacter { span, text: self.text[start..self.at].to_owned() });
        TokenKind::Unknown
    }

    fn number(&mut self) -> TokenKind {
        let start = self.at;
        // `pair.0.1` has two tuple indices, not a fraction.
        let after_dot = self.tokens.last().is_some_and(|it| it.kind == TokenKind::Dot);
        if after_dot {
            self.eat_while(|it| it.is_ascii_digit());
            return self.finish_number(start, TokenKind::Int);
        }
        let (radix, _) = split_radix(self.rest());
        if radix != 10 {
            return self.prefixed_number(start, radix);
        }
        let mut kind = TokenKind::Int;
        self.eat_while(is_digit);
        // A digit must follow the dot: `1.max(2)` is a method call and `1..3` a range.
        if let [b'.', digit, ..] = self.rest().as_bytes()
            && digit.is_ascii_digit()
        {
            kind = TokenKind::Float;
            self.at += 1;
            self.eat_while(is_digit);
        }
        let sign = match self.rest().as_bytes() {
            [b'e' | b'E', b'+' | b'-', digit, ..] if digit.is_ascii_digit() => 2,
            [b'e' | b'E', digit, ..] if digit.is_ascii_digit() => 1,
            _ => 0,
        };
        if sign > 0 {
            kind = TokenKind::Float;
            self.at += sign;
            self.eat_while(is_digit);
        }
        self.finish_number(start, kind)
    }

    /// Letters after a number belong to it and make it malformed.
    fn finish_number(&mut self, start: usize, kind: TokenKind) -> TokenKind {
        let letters = self.at;
        // Covers an exponent without digits as well: `1e` is one malformed token, not two.
        self.eat_while(is_name_continue);
        if self.at > letters {
            let span = self.span_from(letters);
            let text = self.text[letters..self.at].to_owned();
            let digits = self.text[start..letters].to_owned();
            self.report(BadNumber { span, fault: NumberError::Letters { digits, text } });
        }
        kind
    }

    fn prefixed_number(&mut self, start: usize, radix: u32) -> TokenKind {
        self.at += 2;
        let digits = self.at;
        self.eat_while(is_name_continue);
        let text = &self.text[digits..self.at];
        let bad = text.char_indices().find(|(_, it)| *it != '_' && !it.is_digit(radix));
        if let Some((at, digit)) = bad {
            let from = (digits + at) as u32;
            let span = Span::new(self.file, from, from + digit.len_utf8() as u32);
            self.report(BadNumber { span, fault: NumberError::Digit { digit, radix } });
        } else if text.chars().all(|it| it == '_') {
            let span = self.span_from(start);
            self.report(BadNumber { span, fault: NumberError::NoDigits { radix } });
        }
        TokenKind::Int
    }

    fn string(&mut self) -> TokenKind {
        let start = self.at;
        self.at += 1;
        let closed = self.eat_quoted('"');
        let end = if closed { self.at - 1 } else { self.at };
        self.check_escapes(start + 1, end);
        if !closed {
            let span = self.span_from(start);
            self.report(UnclosedString { span, quote: QuoteKind::Double });
        }
        TokenKind::Str
    }

    fn character(&mut self) -> TokenKind {
        let start = self.at;
        self.at += 1;
        if !self.eat_quoted('\'') {
            let span = self.span_from(start);
            self.report(UnclosedString { span, quote: QuoteKind::Single });
            return TokenKind::Char;
        }
        let n_before = self.errors.len();
        self.check_escapes(start + 1, self.at - 1);
        let mut n_chars = 0;
        unescape(&self.text[start + 1..self.at - 1], |_, _| n_chars += 1);
        // A bad escape has been reported, and the number of characters is unknown because of it.
        if n_chars != 1 && self.errors.len() == n_before {
            let text = self.text[start + 1..self.at - 1].to_owned();
            let span = self.span_from(start);
            self.report(BadCharacter { span, text, n_chars });
        }
        TokenKind::Char
    }

    /// Reads past the closing quote; returns whether it came before the end of the line.
    fn eat_quoted(&mut self, quote: char) -> bool {
        let bytes = self.text.as_bytes();
        while let Some(byte) = bytes.get(self.at) {
            match byte {
                // A string ends with its line, so that a missing quote breaks one line and not the
                // rest of the file.
                b'\n' => return false,
                b'\r' if bytes.get(self.at + 1) == Some(&b'\n') => return false,
                // Skip the escaped character, which may be the quote; but an escaped line end does
                // not continue the string.
                b'\\' if !matches!(bytes.get(self.at + 1), None | Some(b'\n' | b'\r')) => {
                    self.at +=
                        1 + self.text[self.at + 1..].chars().next().map_or(0, char::len_utf8);
                }
                _ if *byte == quote as u8 => {
                    self.at += 1;
                    return true;
                }
                _ => self.at += 1,
            }
        }
        false
    }

    fn check_escapes(&mut self, start: usize, end: usize) {
        let inner = &self.text[start..end];
        if !inner.contains('\\') {
            return;
        }
        let mut faults = Vec::new();
        unescape(inner, |range, meaning| {
            if let Err(fault) = meaning {
                faults.push((range, fault));
            }
        });
        for (range, fault) in faults {
            let text = inner[range.clone()].to_owned();
            let (from, to) = ((start + range.start) as u32, (start + range.end) as u32);
            self.report(BadEscape { span: Span::new(self.file, from, to), text, fault });
        }
    }
}

fn is_space(it: char) -> bool {
    matches!(it, ' ' | '\t' | '\r' | '\n' | '\u{feff}')
}

fn is_digit(it: char) -> bool {
    it.is_ascii_digit() || it == '_'
}

fn is_name_start(it: char) -> bool {
    it.is_ascii_alphabetic() || it == '_' || (!it.is_ascii() && it.is_alphabetic())
}

fn is_name_continue(it: char) -> bool {
    it.is_ascii_alphanumeric() || it == '_' || (!it.is_ascii() && it.is_alphanumeric())
}
