//! Edits of the source: how tightly texts bind, and where operators stand.

use gainsay_core::{Term, builtin};
use gainsay_source::Span;

use crate::source_scan::{after_blanks, without_comment};

/// Another text in place of a part of the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SourceEdit {
    pub(crate) span: Span,
    pub(crate) text: String,
}

/// How tightly a text binds; more binds tighter.
#[derive(Debug, Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Precedence(u8);

impl Precedence {
    /// `if`, `match`, lambdas and the like: they reach as far to the right as they can.
    const OPEN_ENDED: Self = Self(0);
    const UNARY: Self = Self(8);
    /// Names, calls, literals, and what has brackets around it.
    const ATOMIC: Self = Self(9);

    /// How tightly an operator binds.
    pub(crate) fn of_symbol(symbol: &str) -> Self {
        Self(match symbol {
            "||" => 2,
            "&&" => 3,
            "==" | "!=" | "<" | "<=" | ">" | ">=" => 4,
            "++" => 5,
            "+" | "-" => 6,
            "*" | "/" | "%" => 7,
            _ => 1,
        })
    }

    /// How tightly the text of a term binds.
    pub(crate) fn of_text(text: &str, term: &Term) -> Self {
        if Self::is_atomic(text) {
            return Self::ATOMIC;
        }
        if let Term::And(..) = term {
            Self::of_symbol("&&")
        } else if let Term::Or(..) = term {
            Self::of_symbol("||")
        } else if let Term::Builtin { builtin, args, .. } = term {
            match builtin::get(*builtin).infix {
                Some(symbol) => Self::of_symbol(symbol),
                None if args.len() == 1 && text.starts_with(['-', '!']) => Self::UNARY,
                None => Self::OPEN_ENDED,
            }
        } else if let Term::Literal(_) = term {
            Self::UNARY
        } else {
            Self::OPEN_ENDED
        }
    }

    /// Whether nothing that stands beside a text can take hold of a part of it.
    pub(crate) fn is_atomic(text: &str) -> bool {
        let mut depth = 0_u32;
        let mut chars = text.chars();
        while let Some(char) = chars.next() {
            match char {
                // Before a block, a brace would be taken for that of the block.
                '{' if depth == 0 => return false,
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth = depth.saturating_sub(1),
                '"' | '\'' => skip_quoted(&mut chars, char),
                _ if depth > 0 => {}
                '.' | '_' | '?' => {}
                _ if char.is_alphanumeric() => {}
                _ => return false,
            }
        }
        true
    }
}

fn skip_quoted(chars: &mut std::str::Chars<'_>, quote: char) {
    while let Some(char) = chars.next() {
        if char == '\\' {
            chars.next();
        } else if char == quote {
            return;
        }
    }
}

/// A text in parentheses.
pub(crate) fn in_parentheses(text: &str) -> String {
    // A parenthesis behind a remark would be part of it.
    let end = if text.contains("//") { "\n" } else { "" };
    format!("({text}{end})")
}

/// Whether nothing before a place can take hold of what begins there.
pub(crate) fn is_delimited_before(text: &str, at: usize) -> bool {
    let mut before = &text[..at];
    let mut is_same_line = true;
    loop {
        let line_start = before.rfind('\n').map_or(0, |it| it + 1);
        let line = &before[line_start..];
        let code = if is_same_line { line.trim_end() } else { without_comment(line) };
        if !code.trim().is_empty() {
            return is_closing(code) || (!is_same_line && !ends_with_operator(code));
        }
        if line_start == 0 {
            return true;
        }
        before = &before[..line_start - 1];
        is_same_line = false;
    }
}

/// Whether an expression begins behind a text, whatever follows.
fn is_closing(code: &str) -> bool {
    let comparisons = ["==", "!=", "<=", ">="];
    code.ends_with(['(', '[', '{', ',', ';', ':'])
        || code.ends_with("=>")
        || (code.ends_with('=') && !comparisons.iter().any(|it| code.ends_with(it)))
        // The parameters of a lambda.
        || (code.ends_with('|') && !code.ends_with("||"))
        || ends_before_branch(code)
}

fn ends_with_operator(code: &str) -> bool {
    code.ends_with(['+', '-', '*', '/', '%', '<', '>', '=', '!', '&', '|', '.'])
}

/// Whether a text ends with a `-` that has nothing to subtract from.
pub(crate) fn ends_with_sign(before: &str) -> bool {
    let Some(before) = before.trim_end().strip_suffix('-') else { return false };
    let is_operand = |it: char| it == '_' || it.is_alphanumeric() || ")]}\"'?".contains(it);
    !before.trim_end().ends_with(is_operand) || ends_before_branch(before)
}

/// Whether a text ends with a word behind which a brace would begin a branch.
pub(crate) fn ends_before_branch(before: &str) -> bool {
    let before = before.trim_end();
    ["if", "match"].iter().any(|word| {
        let rest = before.strip_suffix(word);
        rest.is_some_and(|it| !it.ends_with(|it: char| it == '_' || it.is_alphanumeric()))
    })
}

/// Whether nothing behind a place can take hold of what ends there.
pub(crate) fn is_delimited_after(text: &str, at: usize) -> bool {
    let next = &text[after_blanks(text, at)..];
    let is_same_line = !text[at..text.len() - next.len()].contains('\n');
    if next.is_empty() || next.starts_with([')', ']', '}', ',', ';']) || next.starts_with("=>")
    {
        return true;
    }
    if is_same_line {
        return next.starts_with('{');
    }
    !next.starts_with(['.', '?', '+', '-', '*', '/', '%', '<', '>', '=', '!', '&', '|'])
}

/// What stands between two operands.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) struct OperatorPosition {
    /// Where the operator begins.
    pub(crate) start: usize,
}

impl OperatorPosition {
    /// Finds an operator in what stands between two operands, which may be parentheses and
    /// remarks besides.
    pub(crate) fn find(between: &str, symbol: &str) -> Option<Self> {
        let mut rest = between;
        loop {
            rest = rest.trim_start();
            if let Some(inner) = rest.strip_prefix(')') {
                rest = inner;
            } else if rest.starts_with("//") {
                rest = rest.split_once('\n').map_or("", |it| it.1);
            } else {
                break;
            }
        }
        let start = between.len() - rest.len();
        let mut after = rest.strip_prefix(symbol)?;
        loop {
            after = after.trim_start();
            if let Some(inner) = after.strip_prefix('(') {
                after = inner;
            } else if after.starts_with("//") {
                after = after.split_once('\n').map_or("", |it| it.1);
            } else {
                break;
            }
        }
        after.is_empty().then_some(Self { start })
    }
}

#[cfg(test)]
mod tests {
    use super::{OperatorPosition, Precedence};

    #[test]
    fn an_operator_is_found_between_parentheses_and_remarks() {
        let found =
            |between: &str, symbol| OperatorPosition::find(between, symbol).map(|it| it.start);
        assert_eq!(found(" + ", "+"), Some(1));
        assert_eq!(found(") * (", "*"), Some(2));
        assert_eq!(found(" // one + two\n  + (", "+"), Some(16));
        assert_eq!(found(" ++ ", "+"), None);
        assert_eq!(found(".add(", "+"), None);
    }

    #[test]
    fn calls_and_literals_are_tight() {
        for text in ["x", "f(a + b)", "xs.map(|x| x + 1)", "\"a b\"", "'-'", "[1, 2]"] {
            assert!(Precedence::is_atomic(text), "{text}");
        }
        for text in ["a + b", "-x", "!x", "if a { b }", "|x| x", "a b", "{ a }", "A{a: 1}"] {
            assert!(!Precedence::is_atomic(text), "{text}");
        }
    }
}
