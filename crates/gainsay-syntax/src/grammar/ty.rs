//! Grammar of types.
#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a rule names the tokens it begins with; a new token begins nothing until a rule says so"
)]

use super::{ListExpectations, angle_list, exprs, foreign_syntax, list, path};
use crate::kind::{NodeKind, TokenKind};
use crate::parser::{CompletedMarker, NewlineMode, Parser};

/// Whether a type can start at the current token.
pub(super) fn starts_type(p: &Parser<'_>) -> bool {
    p.at_any(&[TokenKind::Ident, TokenKind::LParen])
}

pub(super) fn ty(p: &mut Parser<'_>) {
    if opt_ty(p).is_some() {
        return;
    }
    if p.at(TokenKind::LBracket) {
        foreign_syntax::bracket_type(p);
    } else {
        p.report_expected("a type");
    }
}

// type = primary { "?" | refinement }
pub(super) fn opt_ty(p: &mut Parser<'_>) -> Option<CompletedMarker> {
    if !starts_type(p) || !p.enter_nesting() {
        return None;
    }
    let closed = primary(p).and_then(|primary| suffixes(p, primary));
    p.leave_nesting();
    closed
}

fn suffixes(p: &mut Parser<'_>, mut inner: CompletedMarker) -> Option<CompletedMarker> {
    loop {
        let is_option = p.at(TokenKind::Question) && !p.newline_before();
        // The brace of a refinement touches its type; the brace of a body does not.
        let is_refined = p.at(TokenKind::LBrace) && p.nth_touches(0);
        if !is_option && !is_refined {
            return Some(inner);
        }
        if p.exceeds_max_height(inner) {
            return None;
        }
        let marker = p.wrap(inner);
        inner = if is_option {
            p.bump();
            p.close(marker, NodeKind::OptionType)
        } else {
            let bracket = p.open_bracket(NewlineMode::Ignored);
            exprs::expr(p, "a condition on `it`");
            p.close_bracket(bracket, "`}`");
            p.close(marker, NodeKind::RefinedType)
        };
    }
}

// primary = path [ type_args ] | tuple_type | fn_type
fn primary(p: &mut Parser<'_>) -> Option<CompletedMarker> {
    match p.current() {
        TokenKind::Ident => {
            let marker = p.open();
            path(p, "a type");
            if p.at(TokenKind::Less) && p.nth_touches(0) {
                type_args(p);
            }
            Some(p.close(marker, NodeKind::PathType))
        }
        TokenKind::LParen => Some(tuple_or_fn(p)),
        _ => None,
    }
}

// type_args = "<" type , .. ">"
pub(super) fn type_args(p: &mut Parser<'_>) {
    let marker = p.open();
    angle_list(p, |p| {
        let found = opt_ty(p).is_some();
        if !found {
            p.report_expected("a type");
        }
        found
    });
    p.close(marker, NodeKind::TypeArgs);
}

// tuple_type = "(" type , .. ")"
// fn_type = "(" type , .. ")" "->" type [ effect_row ]
fn tuple_or_fn(p: &mut Parser<'_>) -> CompletedMarker {
    let marker = p.open();
    let words = ListExpectations { item: "a type", end: "`,` or `)`" };
    let n_items = list(p, &words, |p| opt_ty(p).is_some());
    if p.at(TokenKind::Arrow) {
        let params = p.close(marker, NodeKind::FnTypeParams);
        let marker = p.wrap(params);
        p.bump();
        ty(p);
        if p.at(TokenKind::Bang) && p.nth(1) == TokenKind::LBracket {
            effect_row(p);
        }
        return p.close(marker, NodeKind::FnType);
    }
    let kind = if n_items == 1 { NodeKind::ParenType } else { NodeKind::TupleType };
    p.close(marker, kind)
}

// effect_row = "!" "[" path , .. "]"
pub(super) fn effect_row(p: &mut Parser<'_>) {
    let marker = p.open();
    p.bump();
    if p.at(TokenKind::LBracket) {
        list(p, &ListExpectations { item: "an effect", end: "`,` or `]`" }, |p| {
            p.at(TokenKind::Ident) && path(p, "an effect").is_some()
        });
    } else {
        p.report_expected("`[` and effects");
        if p.at(TokenKind::Ident) {
            path(p, "an effect");
        }
    }
    p.close(marker, NodeKind::EffectRow);
}
