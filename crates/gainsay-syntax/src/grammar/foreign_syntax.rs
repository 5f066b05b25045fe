//! Recovery for syntax of other languages: the parser recognizes it, reports the Gainsay
//! counterpart by name, and continues as if the counterpart had been written.

use super::{claims, exprs, items, path, ty};
use crate::findings::{ForeignForm, ForeignSyntax};
use crate::kind::{NodeKind, TokenKind};
use crate::parser::{CompletedMarker, Parser, RecordLiterals};

/// The longest excerpt of the source that a message quotes.
const MAX_QUOTE: usize = 24;

/// Reports a foreign form at the current token.
fn report_here(p: &mut Parser<'_>, form: ForeignForm) {
    let span = p.current_span();
    p.report_once(ForeignSyntax { span, form });
}

/// Parses a statement of another language; returns whether there was one.
pub(super) fn stmt(p: &mut Parser<'_>) -> bool {
    // Parsed in full, so that the errors inside it are reported, too.
    if p.at(TokenKind::FnKw) && p.nth(1) == TokenKind::Ident {
        report_here(p, ForeignForm::NestedFunction);
        let marker = p.open();
        items::fn_item(p);
        p.close(marker, NodeKind::Error);
        return true;
    }
    if !p.at(TokenKind::Ident) {
        return false;
    }
    let word = p.nth_text(0).to_owned();
    let form = match word.as_str() {
        "for" | "foreach" if p.nth(1) == TokenKind::Ident => ForeignForm::Loop { word },
        "for" | "foreach" | "while" if heads_block(p) => ForeignForm::Loop { word },
        "while" if follows_operand(p) => ForeignForm::Loop { word },
        "loop" if p.nth(1) == TokenKind::LBrace => ForeignForm::Loop { word },
        "return" if follows_operand(p) => ForeignForm::Return,
        "assert" | "expect" | "check" | "ensure" if follows_operand(p) => {
            ForeignForm::Assertion { word }
        }
        _ => return false,
    };
    report_here(p, form);
    p.skip_one();
    p.skip_until(|p| p.line_ends() || p.at_stray_closer() || p.at(TokenKind::Semicolon));
    true
}

/// Whether the current word is followed by an operand on its line, like a prefix keyword.
fn follows_operand(p: &Parser<'_>) -> bool {
    let starts = [
        TokenKind::Ident,
        TokenKind::Int,
        TokenKind::Float,
        TokenKind::Str,
        TokenKind::Char,
        TokenKind::TrueKw,
        TokenKind::FalseKw,
        TokenKind::IfKw,
        TokenKind::MatchKw,
        TokenKind::LBrace,
    ];
    starts.contains(&p.nth(1)) && !p.nth_newline_before(1)
}

/// Whether `word (..) {` is next.
fn heads_block(p: &Parser<'_>) -> bool {
    p.nth(1) == TokenKind::LParen
        && p.nth_after_bracket(1).is_some_and(|n| p.nth(n) == TokenKind::LBrace)
}

/// Parses `forall (x: Int) { .. }` as an `across`.
pub(super) fn opt_quantifier(p: &mut Parser<'_>) -> Option<CompletedMarker> {
    const WORDS: [&str; 3] = ["forall", "for_all", "forAll"];
    let is_binder = p.nth(2).is_word() && p.nth(3) == TokenKind::Colon;
    let is_quantifier = p.at(TokenKind::Ident) && WORDS.contains(&p.nth_text(0));
    if !is_quantifier || !is_binder || !heads_block(p) {
        return None;
    }
    let word = p.nth_text(0).to_owned();
    report_here(p, ForeignForm::Quantifier { word });
    let marker = p.open();
    p.bump();
    claims::binders(p);
    exprs::block(p);
    Some(p.close(marker, NodeKind::Error))
}

/// Reports `mut` after `let`.
pub(super) fn mutable(p: &mut Parser<'_>) {
    if p.at_word("mut") && p.nth(1) == TokenKind::Ident && !p.nth_newline_before(1) {
        report_here(p, ForeignForm::Mutable);
        p.skip_one();
    }
}

/// Reports an assignment after an expression statement; returns whether there was one.
pub(super) fn assignment(p: &mut Parser<'_>) -> bool {
    if !p.at(TokenKind::Eq) {
        return false;
    }
    let name = p.previous_text();
    let is_name = name.chars().all(|it| it.is_alphanumeric() || it == '_');
    let starts_statement = p.previous_starts_line();
    let name =
        (is_name && starts_statement && name.len() <= MAX_QUOTE).then(|| name.to_owned());
    report_here(p, ForeignForm::Assignment { name });
    true
}

/// Reports `+=` and the like where an operand is expected; returns whether there was one.
pub(super) fn compound_assignment(p: &mut Parser<'_>) -> bool {
    // With a space between, `a + = b` is a missing operand and not another language.
    if !p.at(TokenKind::Eq) || !p.nth_touches(0) {
        return false;
    }
    let span = p.previous_span().to(p.current_span());
    let operator = p.previous_text().to_owned();
    p.report_once(ForeignSyntax { span, form: ForeignForm::CompoundAssignment { operator } });
    true
}

/// Whether `elif` or a variant is written for `else if`; reports it.
pub(super) fn at_else_if(p: &mut Parser<'_>) -> bool {
    const WORDS: [&str; 3] = ["elif", "elsif", "elseif"];
    let found = p.at(TokenKind::Ident) && WORDS.contains(&p.nth_text(0));
    if found {
        let word = p.nth_text(0).to_owned();
        report_here(p, ForeignForm::ElseIf { word });
    }
    found
}

/// Reports `if let P = e` and skips to the branch; returns whether there was one.
pub(super) fn if_let(p: &mut Parser<'_>) -> bool {
    let found = p.at(TokenKind::LetKw);
    if found {
        report_here(p, ForeignForm::IfLet);
        p.skip_until(|p| p.at(TokenKind::LBrace) || p.line_ends());
    }
    found
}

/// Reports `then` after a condition.
pub(super) fn then(p: &mut Parser<'_>) {
    if p.at_word("then") {
        report_here(p, ForeignForm::Then);
        p.skip_until(|p| p.at(TokenKind::LBrace) || p.line_ends());
    }
}

/// Whether `::` and a name are next; reports it.
pub(super) fn at_path_separator(p: &mut Parser<'_>) -> bool {
    let found = p.at(TokenKind::Colon)
        && p.nth(1) == TokenKind::Colon
        && p.nth_touches(1)
        && p.nth(2).is_word();
    if found {
        let span = p.current_span().to(p.nth_span(1));
        p.report_once(ForeignSyntax { span, form: ForeignForm::PathSeparator });
    }
    found
}

/// Reports `..p` in a named record; returns whether there was one.
pub(super) fn named_update(p: &mut Parser<'_>) -> bool {
    let found = p.at(TokenKind::DotDot);
    if found {
        report_here(p, ForeignForm::NamedUpdate);
        p.bump();
        exprs::expr(p, "a record");
    }
    found
}

/// Reports `[T]` where a type is expected.
pub(super) fn bracket_type(p: &mut Parser<'_>) -> CompletedMarker {
    let item = p.bracketed_text().trim();
    let item = (!item.is_empty() && item.len() <= MAX_QUOTE).then(|| item.to_owned());
    report_here(p, ForeignForm::BracketType { item });
    let marker = p.open();
    p.bump_balanced();
    p.close(marker, NodeKind::Error)
}

/// Reports `: T` or `T` after the parameters; returns whether there was one.
pub(super) fn result_type(p: &mut Parser<'_>) -> bool {
    let is_colon = p.at(TokenKind::Colon) && p.nth(1) == TokenKind::Ident;
    let is_bare =
        p.at(TokenKind::Ident) && crate::ast::is_upper(p.nth_text(0)) && !p.newline_before();
    if is_colon {
        report_here(p, ForeignForm::ColonResult);
        p.skip_one();
    } else if is_bare {
        let after = p.previous_span().after();
        report_here(p, ForeignForm::MissingArrow { after });
    } else {
        return false;
    }
    ty::ty(p);
    // The type was understood: what follows it can be checked again.
    p.resume_reporting();
    true
}

/// Reports `requires c`, `ensures c` or `in c` before a function body; returns whether there was
/// one.
pub(super) fn condition(p: &mut Parser<'_>) -> bool {
    if !p.at(TokenKind::Ident) {
        return false;
    }
    let word = p.nth_text(0).to_owned();
    let form = match word.as_str() {
        "requires" | "require" | "pre" => ForeignForm::Precondition { word },
        "ensures" | "ensure" | "post" => ForeignForm::Postcondition { word },
        "in" => ForeignForm::BareIn,
        _ => return false,
    };
    report_here(p, form);
    let marker = p.open();
    p.bump();
    // Otherwise the body of the function would be taken for a record.
    let records = std::mem::replace(&mut p.record_literals, RecordLiterals::Forbidden);
    exprs::opt_expr(p);
    p.record_literals = records;
    p.close(marker, NodeKind::Error);
    true
}

/// Reports `: Ord` after a type parameter.
pub(super) fn bound(p: &mut Parser<'_>) {
    if p.at(TokenKind::Colon) {
        report_here(p, ForeignForm::Bound);
        p.skip_one();
        path(p, "a bound");
        while p.at(TokenKind::Plus) {
            p.skip_one();
            path(p, "a bound");
        }
    }
}

/// Reports what other languages allow after a name: the rest of a macro call, or a string. Returns
/// whether there was one.
pub(super) fn suffix(p: &mut Parser<'_>) -> bool {
    macro_call(p) || prefixed_string(p)
}

/// Reports `name!(..)` after the name; returns whether there was one.
fn macro_call(p: &mut Parser<'_>) -> bool {
    let opens = matches!(p.nth(1), TokenKind::LParen | TokenKind::LBracket);
    // Touching, because `f !(..)` on a line may be an effect row or a negation.
    let found = p.at(TokenKind::Bang) && p.nth_touches(0) && p.nth_touches(1) && opens;
    if found {
        let span = p.previous_span().to(p.current_span());
        let name = p.previous_text().to_owned();
        p.report_once(ForeignSyntax { span, form: ForeignForm::Macro { name } });
        p.skip_one();
        p.skip_one();
    }
    found
}

/// Reports a string that touches the name before it; returns whether there was one.
fn prefixed_string(p: &mut Parser<'_>) -> bool {
    // Touching, because a name and a string apart are two arguments without a comma.
    let found = p.at(TokenKind::Str) && p.nth_touches(0);
    if found {
        let span = p.previous_span().to(p.current_span());
        p.report_once(ForeignSyntax { span, form: ForeignForm::PrefixedString });
        p.skip_one();
    }
    found
}
