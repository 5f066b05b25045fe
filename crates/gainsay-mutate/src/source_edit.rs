//! Source edits: the spelling of operators, and when parentheses are needed.

use gainsay_core::{BuiltinId, builtin};
use gainsay_source::{FileId, Span};
use gainsay_syntax::ast::BinaryOp;
use gainsay_syntax::parse_expression;

/// A replacement for a part of the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SourceEdit {
    pub(crate) span: Span,
    pub(crate) text: String,
}

/// The builtins that are written as infix operators.
const INFIX: [(BuiltinId, BinaryOp); 18] = [
    (builtin::EQ, BinaryOp::Eq),
    (builtin::NE, BinaryOp::Ne),
    (builtin::LT, BinaryOp::Lt),
    (builtin::LE, BinaryOp::Le),
    (builtin::GT, BinaryOp::Gt),
    (builtin::GE, BinaryOp::Ge),
    (builtin::INT_ADD, BinaryOp::Add),
    (builtin::INT_SUB, BinaryOp::Sub),
    (builtin::INT_MUL, BinaryOp::Mul),
    (builtin::INT_DIV, BinaryOp::Div),
    (builtin::INT_REM, BinaryOp::Rem),
    (builtin::FLOAT_ADD, BinaryOp::Add),
    (builtin::FLOAT_SUB, BinaryOp::Sub),
    (builtin::FLOAT_MUL, BinaryOp::Mul),
    (builtin::FLOAT_DIV, BinaryOp::Div),
    (builtin::FLOAT_REM, BinaryOp::Rem),
    (builtin::STR_CONCAT, BinaryOp::Concat),
    (builtin::LIST_CONCAT, BinaryOp::Concat),
];

/// The infix operator of a builtin, if it has one.
pub(crate) fn infix_operator(builtin: BuiltinId) -> Option<BinaryOp> {
    INFIX.iter().find(|it| it.0 == builtin).map(|it| it.1)
}

/// Whether a text can stand beside any operator without parentheses.
pub(crate) fn is_atomic(text: &str) -> bool {
    let read = parse_expression(FileId(0), text);
    let expr = read.file().expr();
    // A comment after the expression would swallow what follows on its line.
    !read.has_errors() && expr.is_some_and(|it| it.is_atomic() && it.node().text() == text)
}

/// A text in parentheses.
pub(crate) fn in_parentheses(text: &str) -> String {
    // A parenthesis behind a line comment would be part of the comment.
    let end = if text.contains("//") { "\n" } else { "" };
    format!("({text}{end})")
}

#[cfg(test)]
mod tests {
    use super::is_atomic;

    #[test]
    fn calls_and_literals_are_atomic() {
        for text in ["x", "f(a + b)", "xs.map(|x| x + 1)", "\"a b\"", "'-'", "[1, 2]"] {
            assert!(is_atomic(text), "{text}");
        }
        let others = ["a + b", "-x", "!x", "if a { b }", "|x| x", "a b", "{ a }", "A{a: 1}"];
        for text in others.into_iter().chain(["A{a: 1}.a", "x // b"]) {
            assert!(!is_atomic(text), "{text}");
        }
    }
}
