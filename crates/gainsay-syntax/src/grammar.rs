//! The grammar: a recursive-descent parser with one function per production, which is shown above
//! it in EBNF.
//!
//! A function named `opt_x` may parse nothing and then reports nothing; the others report an error
//! if what they are named after is missing.

mod claims;
mod exprs;
mod foreign_syntax;
mod items;
mod operators;
mod patterns;
mod specs;
mod ty;

use crate::findings::SyntaxHint;
use crate::kind::{NodeKind, TokenKind};
use crate::parser::{CompletedMarker, NewlineMode, Parser};

pub(crate) use self::items::file;

/// The root of a standalone expression.
pub(crate) fn standalone_expression(p: &mut Parser<'_>) {
    standalone(p, |p| {
        exprs::expr(p, "an expression");
    });
}

/// The root of a standalone type.
pub(crate) fn standalone_type(p: &mut Parser<'_>) {
    standalone(p, |p| {
        ty::ty(p);
    });
}

fn standalone(p: &mut Parser<'_>, production: fn(&mut Parser<'_>)) {
    let marker = p.open();
    production(p);
    while !p.at(TokenKind::Eof) {
        if p.at_stray_closer() {
            p.report_stray_closer();
        } else {
            p.report_expected("the end");
            p.skip_until(Parser::at_stray_closer);
        }
    }
    p.close(marker, NodeKind::File);
}

/// A name that is declared or bound. A keyword in its place is consumed and reported.
fn name(p: &mut Parser<'_>, expected: &'static str) -> bool {
    if p.eat(TokenKind::Ident) {
        return true;
    }
    p.report_expected(expected);
    if p.current().is_keyword() && !p.newline_before() {
        p.skip_one();
    }
    false
}

/// A name, or a keyword where no keyword could be meant.
fn word(p: &mut Parser<'_>, expected: &'static str) -> bool {
    if p.current().is_word() {
        p.bump();
        return true;
    }
    p.report_expected(expected);
    false
}

// path = word { "." word }
fn path(p: &mut Parser<'_>, expected: &'static str) -> Option<CompletedMarker> {
    if !p.at(TokenKind::Ident) {
        p.report_expected(expected);
        return None;
    }
    let marker = p.open();
    p.bump();
    while p.at(TokenKind::Dot) && p.nth(1).is_word() {
        p.bump();
        p.bump();
    }
    if p.at(TokenKind::Dot) && p.nth(1) != TokenKind::LBrace {
        p.bump();
        p.report_expected("a name");
    }
    Some(p.close(marker, NodeKind::Path))
}

/// The parts of a list, as error messages call them.
struct ListExpectations {
    item: &'static str,
    /// "`,` or `)`".
    end: &'static str,
}

// list = open [ item { "," item } [ "," ] ] close
//
// The item function returns whether it found an item; it may report an error and still return true.
// Returns the number of items: one item in parentheses is not a tuple.
fn list(
    p: &mut Parser<'_>,
    words: &ListExpectations,
    item: fn(&mut Parser<'_>) -> bool,
) -> usize {
    let bracket = p.open_bracket(NewlineMode::Ignored);
    let mut n_items = 0;
    while !p.at_end_of(&bracket) {
        let before = p.position();
        if p.at_stray_closer() {
            p.report_stray_closer();
            continue;
        }
        if item(p) {
            n_items += 1;
        } else {
            p.report_expected(words.item);
        }
        if p.at_end_of(&bracket) {
            break;
        }
        if p.eat(TokenKind::Comma) {
            continue;
        }
        // The closer of an unclosed bracket is unknown, so guessing at commas would only cascade.
        if Parser::is_unclosed(&bracket) {
            break;
        }
        missing_comma(p, words, before);
    }
    p.close_bracket(bracket, words.end);
    n_items
}

/// Reports a missing comma and skips to the next item: on the next line, or after the next comma.
fn missing_comma(p: &mut Parser<'_>, words: &ListExpectations, before: usize) {
    let starts_line = p.newline_before() && p.position() > before;
    let at = p.previous_span().after();
    let hint = starts_line.then_some(SyntaxHint::Insert { at, text: "," });
    p.report_expected_with(words.end, hint);
    if starts_line {
        return;
    }
    p.skip_until(|p| p.at(TokenKind::Comma) || p.at_stray_closer() || p.line_ends());
    p.eat(TokenKind::Comma);
    p.resume_reporting();
    // Always make progress: `list` loops until the bracket ends.
    if p.position() == before {
        p.skip_one();
    }
}

// angles = "<" item { "," item } [ "," ] ">"
fn angle_list(p: &mut Parser<'_>, item: fn(&mut Parser<'_>) -> bool) {
    p.bump();
    while !p.at(TokenKind::Greater) {
        let before = p.position();
        if !item(p) || !p.eat(TokenKind::Comma) || p.position() == before {
            break;
        }
    }
    p.expect(TokenKind::Greater, "`,` or `>`");
}
