//! Grammar of expressions and statements.
#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a rule names the tokens it begins with; a new token begins nothing until a rule says so"
)]

use super::{
    ListExpectations, claims, foreign_syntax, list, operators, path, patterns, ty, word,
};
use crate::ast::is_upper;
use crate::findings::SyntaxHint;
use crate::kind::{NodeKind, TokenKind};
use crate::parser::{CompletedMarker, NewlineMode, Parser, RecordLiterals};

/// The lookahead for the `%` of a weight. A bound keeps parsing linear.
const MAX_WEIGHT: usize = 128;

pub(super) fn expr(p: &mut Parser<'_>, expected: &'static str) -> bool {
    let found = opt_expr(p);
    if !found {
        p.report_expected(expected);
    }
    found
}

pub(super) fn opt_expr(p: &mut Parser<'_>) -> bool {
    opt_expr_marker(p).is_some()
}

fn opt_expr_marker(p: &mut Parser<'_>) -> Option<CompletedMarker> {
    if !starts_expr(p) || !p.enter_nesting() {
        return None;
    }
    let closed = operators::opt_binary(p, 0);
    p.leave_nesting();
    closed
}

// range = expr [ ( ".." | "..=" ) expr ]
pub(super) fn expr_or_range(p: &mut Parser<'_>, expected: &'static str) {
    let Some(start) = opt_expr_marker(p) else {
        p.report_expected(expected);
        return;
    };
    if p.at_any(&[TokenKind::DotDot, TokenKind::DotDotEq]) && !p.line_ends() {
        let marker = p.wrap(start);
        p.bump();
        expr(p, "the end of the range");
        p.close(marker, NodeKind::RangeExpr);
    }
}

/// Whether an expression can start at the current token.
pub(super) fn starts_expr(p: &Parser<'_>) -> bool {
    let kind = p.current();
    let starts = matches!(
        kind,
        TokenKind::Ident
            | TokenKind::Int
            | TokenKind::Float
            | TokenKind::Str
            | TokenKind::Char
            | TokenKind::TrueKw
            | TokenKind::FalseKw
            | TokenKind::Underscore
            | TokenKind::LParen
            | TokenKind::LBracket
            | TokenKind::Bar
            | TokenKind::OrOr
            | TokenKind::Minus
            | TokenKind::Bang
            | TokenKind::IfKw
            | TokenKind::MatchKw
            | TokenKind::ObserveKw
            | TokenKind::AssumeKw
            | TokenKind::ThrowsKw
            | TokenKind::UnderKw
            | TokenKind::AcrossKw
            | TokenKind::ParKw
    );
    // The brace after the head of an `if` opens its block, even if the condition is missing.
    starts || (kind == TokenKind::LBrace && p.record_literals == RecordLiterals::Allowed)
}

pub(super) fn opt_primary(p: &mut Parser<'_>) -> Option<CompletedMarker> {
    if !starts_expr(p) {
        return None;
    }
    if let Some(quantifier) = foreign_syntax::opt_quantifier(p) {
        return Some(quantifier);
    }
    let kind = match p.current() {
        TokenKind::Ident if starts_record(p) => return Some(record(p)),
        TokenKind::Ident => NodeKind::NameExpr,
        TokenKind::Underscore => NodeKind::HoleExpr,
        TokenKind::LParen => return Some(tuple(p)),
        TokenKind::LBracket => return Some(list_expr(p)),
        TokenKind::LBrace if p.nth(1) == TokenKind::DotDot => return Some(update(p)),
        TokenKind::LBrace => return Some(block(p)),
        TokenKind::Bar | TokenKind::OrOr => return Some(lambda(p)),
        TokenKind::IfKw => return if_expr(p),
        TokenKind::MatchKw => return Some(match_expr(p)),
        TokenKind::ObserveKw => return Some(prefixed(p, NodeKind::ObserveExpr, "a claim")),
        TokenKind::AssumeKw => return Some(prefixed(p, NodeKind::AssumeExpr, "a condition")),
        TokenKind::ThrowsKw => return Some(throws(p)),
        TokenKind::UnderKw => return Some(under(p)),
        TokenKind::AcrossKw => return Some(across(p)),
        TokenKind::ParKw => return Some(par(p)),
        _ => NodeKind::LiteralExpr,
    };
    let marker = p.open();
    p.bump();
    Some(p.close(marker, kind))
}

/// Whether `Name {` or `m.Name {` starts a record here.
fn starts_record(p: &Parser<'_>) -> bool {
    if p.record_literals == RecordLiterals::Forbidden {
        return false;
    }
    let upper_then_brace = |n: usize| {
        p.nth(n) == TokenKind::Ident
            && is_upper(p.nth_text(n))
            && p.nth(n + 1) == TokenKind::LBrace
            && !p.nth_newline_before(n + 1)
    };
    upper_then_brace(0) || (p.nth(1) == TokenKind::Dot && upper_then_brace(2))
}

// record = path "{" field , .. "}"
fn record(p: &mut Parser<'_>) -> CompletedMarker {
    let marker = p.open();
    path(p, "a record");
    list(p, &ListExpectations { item: "a field", end: "`,` or `}`" }, opt_record_field);
    p.close(marker, NodeKind::RecordExpr)
}

// field = word [ ":" expr ]
fn opt_record_field(p: &mut Parser<'_>) -> bool {
    if !p.current().is_word() {
        return foreign_syntax::named_update(p);
    }
    let marker = p.open();
    p.bump();
    if p.at_any(&[TokenKind::Colon, TokenKind::Eq]) {
        p.expect_or_replace(TokenKind::Colon, &[TokenKind::Eq], "`:` and a value");
        expr(p, "a value");
    }
    p.close(marker, NodeKind::RecordField);
    true
}

// update = "{" ".." expr { "," field } "}"
fn update(p: &mut Parser<'_>) -> CompletedMarker {
    let marker = p.open();
    list(p, &ListExpectations { item: "a field", end: "`,` or `}`" }, |p| {
        if p.eat(TokenKind::DotDot) {
            return expr(p, "a record");
        }
        opt_record_field(p)
    });
    p.close(marker, NodeKind::UpdateExpr)
}

// tuple = "(" expr , .. ")"
fn tuple(p: &mut Parser<'_>) -> CompletedMarker {
    let marker = p.open();
    let words = ListExpectations { item: "an expression", end: "`,` or `)`" };
    let n_items = list(p, &words, opt_expr);
    let kind = if n_items == 1 { NodeKind::ParenExpr } else { NodeKind::TupleExpr };
    p.close(marker, kind)
}

// list = "[" ( expr | ".." expr ) , .. "]"
fn list_expr(p: &mut Parser<'_>) -> CompletedMarker {
    let marker = p.open();
    list(p, &ListExpectations { item: "an expression", end: "`,` or `]`" }, |p| {
        if !p.at(TokenKind::DotDot) {
            return opt_expr(p);
        }
        let marker = p.open();
        p.bump();
        expr(p, "a list");
        p.close(marker, NodeKind::Spread);
        true
    });
    p.close(marker, NodeKind::ListExpr)
}

// lambda = "|" [ lambda_param , .. ] "|" expr
fn lambda(p: &mut Parser<'_>) -> CompletedMarker {
    let marker = p.open();
    let params = p.open();
    if !p.eat(TokenKind::OrOr) {
        p.bump();
        while patterns::opt_lambda_param(p) {
            if !p.eat(TokenKind::Comma) {
                break;
            }
        }
        p.expect(TokenKind::Bar, "`,` or `|`");
    }
    p.close(params, NodeKind::LambdaParams);
    expr(p, "the body of the lambda");
    p.close(marker, NodeKind::LambdaExpr)
}

// if_expr = "if" expr block { "else" "if" expr block } [ "else" block ]
//
// Each `else if` is nested in the one before it. One loop opens the nodes and another closes them,
// because recursion over a long chain would need a deep stack.
fn if_expr(p: &mut Parser<'_>) -> Option<CompletedMarker> {
    if !p.enter_nesting() {
        return None;
    }
    let first = p.open();
    condition_and_branch(p);
    let mut rungs = Vec::new();
    loop {
        let is_foreign = foreign_syntax::at_else_if(p);
        if !is_foreign && !p.eat(TokenKind::ElseKw) {
            break;
        }
        if !is_foreign && !p.at(TokenKind::IfKw) {
            required_block(p, "`{` or `if`");
            break;
        }
        if !p.enter_else_if() {
            break;
        }
        rungs.push(p.open());
        condition_and_branch(p);
    }
    while let Some(rung) = rungs.pop() {
        p.close(rung, NodeKind::IfExpr);
        p.leave_else_if();
    }
    p.leave_nesting();
    Some(p.close(first, NodeKind::IfExpr))
}

fn condition_and_branch(p: &mut Parser<'_>) {
    p.bump();
    if !foreign_syntax::if_let(p) {
        head_expr(p, "a condition");
    }
    foreign_syntax::then(p);
    required_block(p, "`{` and a branch");
}

/// An expression before a block: in it, `Name {` does not start a record.
pub(super) fn head_expr(p: &mut Parser<'_>, expected: &'static str) {
    let records = std::mem::replace(&mut p.record_literals, RecordLiterals::Forbidden);
    expr(p, expected);
    // `if x = 1 {`: the user most likely means `==`.
    if p.at(TokenKind::Eq) {
        p.report_expected_with("`{`", Some(SyntaxHint::Replace { with: "==" }));
        p.skip_until(|p| p.at(TokenKind::LBrace) || p.line_ends());
    }
    p.record_literals = records;
}

// match_expr = "match" expr "{" { arm } "}"
fn match_expr(p: &mut Parser<'_>) -> CompletedMarker {
    let marker = p.open();
    p.bump();
    head_expr(p, "a value to match");
    if p.at(TokenKind::LBrace) {
        braced_lines(p, |p| {
            arm(p);
            p.eat(TokenKind::Comma);
        });
    } else {
        p.report_expected("`{` and arms");
    }
    p.close(marker, NodeKind::MatchExpr)
}

// arm = [ unary "%" ] pattern [ "if" expr ] "=>" expr
fn arm(p: &mut Parser<'_>) {
    let marker = p.open();
    if weight_ahead(p) {
        let weight = p.open();
        if operators::opt_unary(p).is_none() {
            p.report_expected("a weight");
        }
        p.expect(TokenKind::Percent, "`%`");
        p.close(weight, NodeKind::Weight);
    }
    if !patterns::opt_pattern(p) {
        p.report_expected_here("a pattern");
        p.skip_until(|p| p.at_any(&[TokenKind::FatArrow, TokenKind::IfKw]) || p.line_ends());
    }
    arm_rest(p);
    p.close(marker, NodeKind::Arm);
}

/// What follows the pattern of an arm.
pub(super) fn arm_rest(p: &mut Parser<'_>) {
    if p.at(TokenKind::IfKw) {
        let guard = p.open();
        p.bump();
        expr(p, "a condition");
        p.close(guard, NodeKind::Guard);
    }
    let mistaken = [TokenKind::Arrow, TokenKind::Eq, TokenKind::Colon];
    if p.expect_or_replace(TokenKind::FatArrow, &mistaken, "`=>` and a value") {
        p.resume_reporting();
        expr(p, "a value");
    }
}

/// Whether a weight precedes the pattern: a `%` comes before `=>` and `if`.
fn weight_ahead(p: &Parser<'_>) -> bool {
    let mut depth = 0_usize;
    for n in 0..MAX_WEIGHT {
        match p.nth(n) {
            TokenKind::LParen | TokenKind::LBracket => depth += 1,
            TokenKind::RParen | TokenKind::RBracket if depth > 0 => depth -= 1,
            TokenKind::Percent if depth == 0 => return n > 0,
            TokenKind::FatArrow
            | TokenKind::IfKw
            | TokenKind::LBrace
            | TokenKind::RBrace
            | TokenKind::RParen
            | TokenKind::RBracket
            | TokenKind::Eof => return false,
            _ => {}
        }
    }
    false
}

fn prefixed(p: &mut Parser<'_>, kind: NodeKind, expected: &'static str) -> CompletedMarker {
    let marker = p.open();
    p.bump();
    expr(p, expected);
    p.close(marker, kind)
}

// throws = "throws" [ "(" word ")" ] block
fn throws(p: &mut Parser<'_>) -> CompletedMarker {
    let marker = p.open();
    p.bump();
    if p.at(TokenKind::LParen) {
        let bracket = p.open_bracket(NewlineMode::Ignored);
        word(p, "a kind of failure such as `Contract`");
        p.close_bracket(bracket, "`)`");
    }
    required_block(p, "`{` and what fails");
    p.close(marker, NodeKind::ThrowsExpr)
}

// under = "under" ( "(" binding , .. ")" | path ) block
fn under(p: &mut Parser<'_>) -> CompletedMarker {
    let marker = p.open();
    p.bump();
    if p.at(TokenKind::LParen) {
        let words =
            ListExpectations { item: "an effect such as `Time.now`", end: "`,` or `)`" };
        list(p, &words, claims::opt_binding);
    } else {
        path(p, "a world, or `(` and bindings");
    }
    required_block(p, "`{` and a body");
    p.close(marker, NodeKind::UnderExpr)
}

// across = "across" "(" binder , .. ")" block
fn across(p: &mut Parser<'_>) -> CompletedMarker {
    let marker = p.open();
    p.bump();
    if p.at(TokenKind::LParen) {
        claims::binders(p);
    } else {
        p.report_expected("`(` and variables");
        p.skip_until(|p| p.at(TokenKind::LBrace) || p.line_ends());
        p.resume_reporting();
    }
    required_block(p, "`{` and a body");
    p.close(marker, NodeKind::AcrossExpr)
}

// par = "par" [ "?" ] "(" expr , .. ")"
fn par(p: &mut Parser<'_>) -> CompletedMarker {
    let marker = p.open();
    p.bump();
    p.eat(TokenKind::Question);
    if p.at(TokenKind::LParen) {
        list(p, &ListExpectations { item: "a branch", end: "`,` or `)`" }, opt_expr);
    } else {
        p.report_expected("`(` and branches");
    }
    p.close(marker, NodeKind::ParExpr)
}

// block = "{" { stmt } "}"
pub(super) fn block(p: &mut Parser<'_>) -> CompletedMarker {
    let marker = p.open();
    braced_lines(p, stmt);
    p.close(marker, NodeKind::Block)
}

pub(super) fn required_block(p: &mut Parser<'_>, expected: &'static str) {
    if !p.at(TokenKind::LBrace) {
        p.report_expected(expected);
        // Resume at a block on the same line: it is most likely the intended one.
        p.skip_until(|p| {
            p.at_any(&[TokenKind::LBrace, TokenKind::Comma])
                || p.line_ends_in(NewlineMode::TerminatesStatement)
        });
    }
    if p.at(TokenKind::LBrace) {
        p.resume_reporting();
        block(p);
    }
}

/// `{` lines `}`; each line ends at a line break or `;`.
pub(super) fn braced_lines(p: &mut Parser<'_>, line: fn(&mut Parser<'_>)) {
    let bracket = p.open_bracket(NewlineMode::TerminatesStatement);
    while !p.at_end_of(&bracket) {
        if p.eat(TokenKind::Semicolon) {
            continue;
        }
        if p.at_stray_closer() {
            p.report_stray_closer();
            continue;
        }
        let before = p.position();
        p.resume_reporting();
        line(p);
        report_trailing_tokens(p);
        if p.position() == before {
            p.skip_one();
        }
    }
    p.close_bracket(bracket, "`}`");
}

/// Reports what follows a statement on its line.
fn report_trailing_tokens(p: &mut Parser<'_>) {
    let at_end = |p: &Parser<'_>| {
        p.line_ends()
            || p.at(TokenKind::Semicolon)
            || p.at_outer_closer()
            || p.at_stray_closer()
    };
    if at_end(p) || p.follows_comma() {
        return;
    }
    if foreign_syntax::assignment(p) {
        p.skip_until(at_end);
        return;
    }
    let hint = match p.current() {
        TokenKind::LBracket if p.nth_touches(0) => {
            Some(SyntaxHint::Advice("write `.at(i)` for an element of a list"))
        }
        _ => None,
    };
    p.report_expected_with("a new line or `;`", hint);
    p.skip_until(at_end);
}

// stmt = let_stmt | expr
fn stmt(p: &mut Parser<'_>) {
    if p.at(TokenKind::LetKw) {
        let_stmt(p);
    } else if !foreign_syntax::stmt(p) && !opt_expr(p) {
        p.report_expected_here("a statement");
    }
}

// let_stmt = "let" pattern [ ":" type ] "=" expr
pub(super) fn let_stmt(p: &mut Parser<'_>) {
    let marker = p.open();
    p.bump();
    foreign_syntax::mutable(p);
    let found = patterns::pattern(p);
    if !found {
        p.skip_until(|p| p.at(TokenKind::Eq) || p.line_ends());
    }
    if p.eat(TokenKind::Colon) {
        ty::ty(p);
    }
    if p.expect_or_replace(TokenKind::Eq, &[TokenKind::EqEq], "`=` and a value") {
        p.resume_reporting();
        expr(p, "a value");
    }
    p.close(marker, NodeKind::LetStmt);
}
