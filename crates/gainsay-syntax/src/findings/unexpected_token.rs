//! A token that the grammar does not allow here.

use gainsay_source::codes::UNEXPECTED_TOKEN;
use gainsay_source::{Diagnostic, Span};

/// A place where the parser cannot continue.
pub(crate) struct UnexpectedToken {
    /// The span of the token, or the end of the one before it.
    pub(crate) span: Span,
    /// What was expected, in the user's words: "a type", "`=`".
    pub(crate) expected: &'static str,
    /// The token before, where mentioning it helps.
    pub(crate) after: Option<String>,
    /// What was found.
    pub(crate) found: FoundToken,
    /// How to fix it, where that is known.
    pub(crate) hint: Option<SyntaxHint>,
}

/// What was found instead of the expected token.
pub(crate) enum FoundToken {
    /// A token on the same line.
    Token(String),
    /// A keyword where a name is expected.
    Keyword(String),
    /// The end of the line.
    LineEnd,
    /// The end of the file.
    FileEnd,
    /// A closing bracket without an opening one.
    StrayBracket(String),
}

/// How to fix an unexpected token.
#[derive(Copy, Clone)]
pub(crate) enum SyntaxHint {
    /// Insert this text after the token before.
    Insert { at: Span, text: &'static str },
    /// Replace the found token by this text.
    Replace { with: &'static str },
    /// Advice in words.
    Advice(&'static str),
}

impl From<UnexpectedToken> for Diagnostic {
    fn from(it: UnexpectedToken) -> Self {
        if let FoundToken::StrayBracket(text) = it.found {
            let message = format!("unmatched `{text}`");
            return Self::new(UNEXPECTED_TOKEN, it.span, message).with_fix(
                "remove it, or add the opening bracket",
                it.span,
                "",
            );
        }
        let advice = foreign_syntax_advice(&it);
        let expected = it.expected;
        let message = match it.after {
            Some(after) => format!("expected {expected} after `{after}`"),
            None => format!("expected {expected}"),
        };
        let found = Self::new(UNEXPECTED_TOKEN, it.span, message);
        let found = match it.found {
            FoundToken::Token(text) | FoundToken::StrayBracket(text) => {
                found.with_primary_label(format!("found `{text}`"))
            }
            FoundToken::Keyword(text) => found
                .with_primary_label(format!("found the keyword `{text}`"))
                .with_note(format!("`{text}` is a reserved word and cannot be a name")),
            FoundToken::LineEnd => found.with_primary_label("the line ends here"),
            FoundToken::FileEnd => found.with_primary_label("the file ends here"),
        };
        match it.hint {
            Some(SyntaxHint::Insert { at, text }) => {
                found.with_fix(format!("add `{}`", text.trim()), at, text)
            }
            Some(SyntaxHint::Replace { with }) => {
                found.with_fix(format!("write `{with}`"), it.span, with)
            }
            Some(SyntaxHint::Advice(text)) => found.with_help(text),
            None => match advice {
                Some(text) => found.with_help(text),
                None => found,
            },
        }
    }
}

/// Keywords of other languages, and their counterparts.
const FOREIGN: [(&str, &str); 14] = [
    ("struct", "write `type Name = { field: T }`"),
    ("class", "write `type Name = { field: T }`"),
    ("record", "write `type Name = { field: T }`"),
    ("enum", "write `type Name = A | B(T)`"),
    ("data", "write `type Name = A | B(T)`"),
    ("var", "write `let`: variables are immutable"),
    ("def", "write `fn`"),
    ("func", "write `fn`"),
    ("function", "write `fn`"),
    ("pub", "remove it: every declaration is visible to other modules"),
    ("import", "write `use`"),
    ("switch", "write `match`"),
    ("and", "write `&&`"),
    ("or", "write `||`"),
];

/// The fix for a construct of another language.
fn foreign_syntax_advice(it: &UnexpectedToken) -> Option<&'static str> {
    let after = it.after.as_deref().unwrap_or_default();
    let found = match &it.found {
        FoundToken::Token(text)
        | FoundToken::Keyword(text)
        | FoundToken::StrayBracket(text) => text.as_str(),
        FoundToken::LineEnd | FoundToken::FileEnd => "",
    };
    if it.expected == "a condition on `it`" {
        return Some(
            "put a space before the `{` of a body: `{` right after a type starts a refinement",
        );
    }
    if found == "=>" && it.expected.contains("`)`") {
        return Some("write a lambda as `|x| x + 1`");
    }
    if after == "?" && it.expected.starts_with("a new line") {
        return Some("write a conditional as `if a { b } else { c }`");
    }
    let known = |word: &str| FOREIGN.iter().find(|(it, _)| *it == word).map(|(_, help)| *help);
    known(found).or_else(|| known(after))
}
