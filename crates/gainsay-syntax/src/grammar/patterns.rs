//! Grammar of patterns.
#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a rule names the tokens it begins with; a new token begins nothing until a rule says so"
)]

use super::{ListExpectations, list, path, ty};
use crate::ast::is_upper;
use crate::kind::{NodeKind, TokenKind};
use crate::parser::{CompletedMarker, Parser};

pub(super) fn pattern(p: &mut Parser<'_>) -> bool {
    let found = opt_pattern(p);
    if !found {
        p.report_expected("a pattern");
    }
    found
}

// pattern = single { "|" single }
pub(super) fn opt_pattern(p: &mut Parser<'_>) -> bool {
    let Some(first) = opt_single(p) else { return false };
    if p.at(TokenKind::Bar) {
        let marker = p.wrap(first);
        while p.eat(TokenKind::Bar) {
            if opt_single(p).is_none() {
                p.report_expected("a pattern");
            }
        }
        p.close(marker, NodeKind::OrPat);
    }
    true
}

/// A pattern without alternatives: between the bars of a lambda, `|` would be ambiguous.
pub(super) fn opt_single(p: &mut Parser<'_>) -> Option<CompletedMarker> {
    if !starts_pattern(p) || !p.enter_nesting() {
        return None;
    }
    let closed = single(p);
    p.leave_nesting();
    closed
}

// lambda_param = single [ ":" type ]
pub(super) fn opt_lambda_param(p: &mut Parser<'_>) -> bool {
    let marker = p.open();
    if opt_single(p).is_none() {
        p.abandon(marker);
        return false;
    }
    if p.eat(TokenKind::Colon) {
        ty::ty(p);
    }
    p.close(marker, NodeKind::LambdaParam);
    true
}

/// Whether a pattern can start at the current token.
fn starts_pattern(p: &Parser<'_>) -> bool {
    p.at_any(&[
        TokenKind::Underscore,
        TokenKind::Ident,
        TokenKind::Int,
        TokenKind::Float,
        TokenKind::Str,
        TokenKind::Char,
        TokenKind::TrueKw,
        TokenKind::FalseKw,
        TokenKind::Minus,
        TokenKind::LParen,
        TokenKind::LBracket,
    ])
}

// single = "_" | name | literal | tuple | list | ctor | record
fn single(p: &mut Parser<'_>) -> Option<CompletedMarker> {
    match p.current() {
        TokenKind::Ident => {
            let is_ctor = is_upper(p.nth_text(0)) || p.nth(1) == TokenKind::Dot;
            Some(if is_ctor { ctor_or_record(p) } else { leaf(p, NodeKind::BindPat) })
        }
        TokenKind::Underscore => Some(leaf(p, NodeKind::WildcardPat)),
        TokenKind::LParen => Some(tuple(p)),
        TokenKind::LBracket => {
            let marker = p.open();
            list(
                p,
                &ListExpectations { item: "a pattern", end: "`,` or `]`" },
                pattern_or_rest,
            );
            Some(p.close(marker, NodeKind::ListPat))
        }
        TokenKind::Minus => {
            let marker = p.open();
            p.bump();
            if p.at_any(&[TokenKind::Int, TokenKind::Float]) {
                p.bump();
            } else {
                p.report_expected("a number");
            }
            Some(p.close(marker, NodeKind::LiteralPat))
        }
        _ => Some(leaf(p, NodeKind::LiteralPat)),
    }
}

fn leaf(p: &mut Parser<'_>, kind: NodeKind) -> CompletedMarker {
    let marker = p.open();
    p.bump();
    p.close(marker, kind)
}

// tuple = "(" pattern , .. ")"
fn tuple(p: &mut Parser<'_>) -> CompletedMarker {
    let marker = p.open();
    let words = ListExpectations { item: "a pattern", end: "`,` or `)`" };
    let n_items = list(p, &words, opt_pattern);
    let kind = if n_items == 1 { NodeKind::ParenPat } else { NodeKind::TuplePat };
    p.close(marker, kind)
}

// ctor = path [ "(" ctor_arg , .. ")" ]
// record = path "{" field , .. "}"
fn ctor_or_record(p: &mut Parser<'_>) -> CompletedMarker {
    let marker = p.open();
    path(p, "a constructor");
    if p.at(TokenKind::LParen) && !p.newline_before() {
        list(p, &ListExpectations { item: "a pattern", end: "`,` or `)`" }, ctor_arg);
        return p.close(marker, NodeKind::CtorPat);
    }
    if p.at(TokenKind::LBrace) && !p.newline_before() {
        list(p, &ListExpectations { item: "a field", end: "`,` or `}`" }, field);
        return p.close(marker, NodeKind::RecordPat);
    }
    p.close(marker, NodeKind::CtorPat)
}

// event_pat = path [ "(" ctor_arg , .. ")" ]
pub(super) fn event_pattern(p: &mut Parser<'_>) {
    let marker = p.open();
    path(p, "an operation");
    if p.at(TokenKind::LParen) && !p.newline_before() {
        list(p, &ListExpectations { item: "a pattern", end: "`,` or `)`" }, ctor_arg);
    }
    p.close(marker, NodeKind::CtorPat);
}

// ctor_arg = ".." | [ word ":" ] pattern
fn ctor_arg(p: &mut Parser<'_>) -> bool {
    if p.at(TokenKind::DotDot) {
        leaf(p, NodeKind::RestPat);
        return true;
    }
    let marker = p.open();
    if p.current().is_word() && p.nth(1) == TokenKind::Colon {
        p.bump();
        p.bump();
        pattern(p);
    } else if !opt_pattern(p) {
        p.abandon(marker);
        return false;
    }
    p.close(marker, NodeKind::PatArg);
    true
}

// field = ".." | word [ ":" pattern ]
fn field(p: &mut Parser<'_>) -> bool {
    if p.at(TokenKind::DotDot) {
        leaf(p, NodeKind::RestPat);
        return true;
    }
    if !p.current().is_word() {
        return false;
    }
    let marker = p.open();
    p.bump();
    if p.eat(TokenKind::Colon) {
        pattern(p);
    }
    p.close(marker, NodeKind::PatField);
    true
}

// pattern_or_rest = ".." [ name ] | pattern
fn pattern_or_rest(p: &mut Parser<'_>) -> bool {
    if !p.at(TokenKind::DotDot) {
        return opt_pattern(p);
    }
    let marker = p.open();
    p.bump();
    p.eat(TokenKind::Ident);
    p.close(marker, NodeKind::RestPat);
    true
}
