//! Grammar of tests, `verify` blocks, worlds and relations.

use super::{ListExpectations, exprs, list, name, operators, path, patterns, ty, word};
use crate::kind::{NodeKind, TokenKind};
use crate::parser::{DocAttachment, Parser};

// test_item = "test" string ( block | "against" against )
pub(super) fn test_item(p: &mut Parser<'_>) -> NodeKind {
    p.bump();
    if !p.eat(TokenKind::Str) {
        p.report_expected("the name of the test in quotes");
        if p.at(TokenKind::Ident) && p.nth(1) == TokenKind::LBrace {
            p.skip_one();
            p.resume_reporting();
        }
    }
    if p.at_word("against") {
        against(p);
        return NodeKind::AgainstTest;
    }
    exprs::required_block(p, "`{` and a body");
    NodeKind::TestItem
}

// against = path "{" { against_line } "}"
fn against(p: &mut Parser<'_>) {
    p.bump();
    path(p, "a specification or one of its goals");
    if !p.at(TokenKind::LBrace) {
        p.report_expected("`{` and what the system does");
        p.skip_until(|p| p.at(TokenKind::LBrace));
    }
    if p.at(TokenKind::LBrace) {
        p.resume_reporting();
        exprs::braced_lines(p, |p| {
            against_line(p);
            p.eat(TokenKind::Comma);
        });
    }
}

// against_line = state | pending | event_arm
// state        = "state" ":" type "=" expr
// pending      = "pending" "=>" expr
fn against_line(p: &mut Parser<'_>) {
    if p.at_word("state") && p.nth(1) == TokenKind::Colon {
        let marker = p.open();
        p.bump();
        p.bump();
        ty::ty(p);
        if p.expect_or_replace(TokenKind::Eq, &[TokenKind::FatArrow], "`=` and a value") {
            exprs::expr(p, "a value");
        }
        p.close(marker, NodeKind::SystemState);
    } else if p.at_word("pending") && p.nth(1) == TokenKind::FatArrow {
        let marker = p.open();
        p.bump();
        p.bump();
        exprs::expr(p, "a list of events");
        p.close(marker, NodeKind::PendingEvents);
    } else if p.at(TokenKind::Ident) {
        event_arm(p);
    } else {
        p.report_expected_here("`state`, `pending` or an operation");
    }
}

// event_arm = event_pat [ "if" expr ] "=>" expr
fn event_arm(p: &mut Parser<'_>) {
    let marker = p.open();
    patterns::event_pattern(p);
    exprs::arm_rest(p);
    p.close(marker, NodeKind::Arm);
}

// verify_item = "verify" path [ "trace" ] [ "law" word ] "{" { verify_stmt } "}"
pub(super) fn verify_item(p: &mut Parser<'_>) -> NodeKind {
    p.bump();
    path(p, "the name of a function");
    if p.at_word("trace") {
        p.bump();
    }
    if p.at_word("law") {
        p.bump();
        word(p, "the name of the law");
    }
    if !p.at(TokenKind::LBrace) {
        p.report_expected("`{` and cases");
        p.skip_until(|p| p.at(TokenKind::LBrace));
    }
    if p.at(TokenKind::LBrace) {
        p.resume_reporting();
        exprs::braced_lines(p, verify_stmt);
    }
    NodeKind::VerifyItem
}

// verify_stmt = given | let_stmt | "when" expr | case
fn verify_stmt(p: &mut Parser<'_>) {
    if p.at(TokenKind::LetKw) {
        exprs::let_stmt(p);
    } else if p.at_word("given") && p.nth(1).is_word() {
        given(p);
    } else if p.at_word("when") {
        let marker = p.open();
        p.bump();
        exprs::expr(p, "a condition");
        p.close(marker, NodeKind::When);
    } else {
        case(p);
    }
}

// given = "given" word ":" type "=" ( expr | range ) | "given" "world" ":" path
fn given(p: &mut Parser<'_>) {
    let marker = p.open();
    p.bump();
    if p.at_word("world") {
        p.bump();
        p.expect(TokenKind::Colon, "`:` and a world");
        path(p, "the name of a world");
        p.close(marker, NodeKind::GivenWorld);
        return;
    }
    p.bump();
    super::items::typed(p);
    if p.expect_or_replace(TokenKind::Eq, &[TokenKind::Colon], "`=` and values") {
        exprs::expr_or_range(p, "a list or a range");
    }
    p.close(marker, NodeKind::Given);
}

// case = expr "=>" expr
fn case(p: &mut Parser<'_>) {
    let marker = p.open();
    if !exprs::opt_expr(p) {
        p.abandon(marker);
        p.report_expected_here("`given`, `let`, `when` or a case");
        return;
    }
    if p.expect_or_replace(
        TokenKind::FatArrow,
        &[TokenKind::Arrow, TokenKind::Eq],
        "`=>` and a value",
    ) {
        exprs::expr(p, "a value");
    }
    p.close(marker, NodeKind::Case);
}

// world_item = "world" word "{" { binding } "}"
pub(super) fn world_item(p: &mut Parser<'_>) -> NodeKind {
    p.bump();
    name(p, "the name of the world");
    if !p.at(TokenKind::LBrace) {
        p.report_expected("`{` and bindings");
        return NodeKind::WorldItem;
    }
    exprs::braced_lines(p, |p| {
        if !opt_binding(p) {
            p.report_expected_here("an effect such as `Time.now`");
        }
        p.eat(TokenKind::Comma);
    });
    NodeKind::WorldItem
}

// binding = path "=" expr
pub(super) fn opt_binding(p: &mut Parser<'_>) -> bool {
    if !p.at(TokenKind::Ident) {
        return false;
    }
    let marker = p.open();
    path(p, "an effect");
    if p.expect_or_replace(TokenKind::Eq, &[TokenKind::Colon], "`=` and a stub") {
        exprs::expr(p, "a stub");
    }
    p.close(marker, NodeKind::Binding);
    true
}

// rel_item = "rel" name [ type_params ] params "{" { rule } "}"
pub(super) fn rel_item(p: &mut Parser<'_>) -> NodeKind {
    p.bump();
    name(p, "the name of the relation");
    super::items::opt_type_params(p);
    super::items::params(p);
    if !p.at(TokenKind::LBrace) {
        p.report_expected("`{` and rules");
        return NodeKind::RelItem;
    }
    exprs::braced_lines(p, rule);
    NodeKind::RelItem
}

// rule = { doc } word ":" [ unary "%" ] postfix [ "<-" expr , .. ]
fn rule(p: &mut Parser<'_>) {
    if !p.current().is_word() {
        p.report_expected_here("a rule: a label and `:`");
        return;
    }
    let marker = p.open_with(DocAttachment::Attach);
    p.bump();
    p.expect(TokenKind::Colon, "`:` and the conclusion of the rule");
    let Some(first) = operators::opt_unary(p) else {
        p.report_expected("the conclusion of the rule");
        p.close(marker, NodeKind::Rule);
        return;
    };
    if p.at(TokenKind::Percent) {
        let weight = p.wrap(first);
        p.bump();
        p.close(weight, NodeKind::Weight);
        if operators::opt_unary(p).is_none() {
            p.report_expected("the conclusion of the rule");
        }
    }
    if p.at_left_arrow() {
        p.bump_as(TokenKind::LeftArrow, 2);
        exprs::expr(p, "a premise");
        while p.eat(TokenKind::Comma) {
            if p.line_ends() && !exprs::starts_expr(p) {
                break;
            }
            exprs::expr(p, "a premise");
        }
    }
    p.close(marker, NodeKind::Rule);
}

// across_binder = name ( ":" type | "<-" expr ) [ "where" expr ]
pub(super) fn opt_binder(p: &mut Parser<'_>) -> bool {
    if !p.current().is_word() {
        return false;
    }
    let marker = p.open();
    name(p, "the name of a variable");
    if p.at_left_arrow() {
        binder_generator(p);
    } else if p.eat(TokenKind::Colon) {
        ty::ty(p);
    } else {
        p.report_expected("`:` and a type, or `<-` and a generator");
    }
    opt_binder_condition(p);
    p.close(marker, NodeKind::Binder);
    true
}

/// `<- generator`.
pub(super) fn binder_generator(p: &mut Parser<'_>) {
    p.bump_as(TokenKind::LeftArrow, 2);
    exprs::expr(p, "a generator");
}

/// `where condition`, if it is there.
pub(super) fn opt_binder_condition(p: &mut Parser<'_>) {
    if p.at_word("where") {
        p.bump();
        exprs::expr(p, "a condition");
    }
}

/// The binders in the parentheses of `across`.
pub(super) fn binders(p: &mut Parser<'_>) {
    list(p, &ListExpectations { item: "a variable", end: "`,` or `)`" }, opt_binder);
}
