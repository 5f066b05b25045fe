//! The grammar: one function per production, named after it.
//!
//! `opt_x` may take nothing and then says nothing; the others complain when what they are
//! named after is not there. The production stands above its function.

mod claims;
mod exprs;
mod foreign;
mod items;
mod operators;
mod patterns;
mod ty;

use crate::findings::Hint;
use crate::kind::{NodeKind, TokenKind};
use crate::parser::{Closed, Lines, Parser};

pub(crate) use self::items::file;

/// The root of a lone expression.
pub(crate) fn lone_expression(p: &mut Parser<'_>) {
    lone(p, |p| {
        exprs::expr(p, "an expression");
    });
}

/// The root of a lone type.
pub(crate) fn lone_type(p: &mut Parser<'_>) {
    lone(p, |p| {
        ty::ty(p);
    });
}

fn lone(p: &mut Parser<'_>, production: fn(&mut Parser<'_>)) {
    let marker = p.open();
    production(p);
    while !p.at(TokenKind::Eof) {
        if p.at_stray_closer() {
            p.stray_closer();
        } else {
            p.expected("the end");
            p.skip_until(Parser::at_stray_closer);
        }
    }
    p.close(marker, NodeKind::File);
}

/// A name that is declared or bound. A keyword in its place is taken, and complained about.
fn name(p: &mut Parser<'_>, expected: &'static str) -> bool {
    if p.eat(TokenKind::Ident) {
        return true;
    }
    p.expected(expected);
    if p.current().is_keyword() && !p.newline_before() {
        p.skip_one();
    }
    false
}

/// A name or keyword, where no keyword can be meant.
fn word(p: &mut Parser<'_>, expected: &'static str) -> bool {
    if p.current().is_word() {
        p.bump();
        return true;
    }
    p.expected(expected);
    false
}

// path = word { "." word }
fn path(p: &mut Parser<'_>, expected: &'static str) -> Option<Closed> {
    if !p.at(TokenKind::Ident) {
        p.expected(expected);
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
        p.expected("a name");
    }
    Some(p.close(marker, NodeKind::Path))
}

/// What a list is made of, in the user's words.
struct ListWords {
    item: &'static str,
    /// "`,` or `)`".
    end: &'static str,
}

// list = open [ item { "," item } [ "," ] ] close
//
// The item function says whether it found an item; it may complain and still say yes. Gives
// how many were found: one in parentheses is no tuple.
fn list(p: &mut Parser<'_>, words: &ListWords, item: fn(&mut Parser<'_>) -> bool) -> usize {
    let bracket = p.open_bracket(Lines::Free);
    let mut n_items = 0;
    while !p.at_end_of(&bracket) {
        let before = p.position();
        if p.at_stray_closer() {
            p.stray_closer();
            continue;
        }
        if item(p) {
            n_items += 1;
        } else {
            p.expected(words.item);
        }
        if p.at_end_of(&bracket) {
            break;
        }
        if p.eat(TokenKind::Comma) {
            continue;
        }
        if Parser::is_unclosed(&bracket) {
            break;
        }
        missing_comma(p, words, before);
    }
    p.close_bracket(bracket, words.end);
    n_items
}

/// Complains, and finds the next item: on the next line, or after the next comma.
fn missing_comma(p: &mut Parser<'_>, words: &ListWords, before: usize) {
    let starts_line = p.newline_before() && p.position() > before;
    let at = p.previous_span().after();
    let hint = starts_line.then_some(Hint::Insert { at, text: "," });
    p.expected_with(words.end, hint);
    if starts_line {
        return;
    }
    p.skip_until(|p| p.at(TokenKind::Comma) || p.at_stray_closer() || p.line_ends());
    p.eat(TokenKind::Comma);
    p.speak();
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
