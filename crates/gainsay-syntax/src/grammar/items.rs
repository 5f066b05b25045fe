//! Grammar of declarations.
#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a rule names the tokens it begins with; a new token begins nothing until a rule says so"
)]

use super::{
    ListExpectations, angle_list, claims, exprs, foreign_syntax, list, name, path, specs, ty,
    word,
};
use crate::ast::is_upper;
use crate::kind::{NodeKind, TokenKind};
use crate::parser::{
    DocAttachment, Marker, NewlineMode, Parser, RecordLiterals, is_item_keyword,
};

// file = { item }
pub(crate) fn file(p: &mut Parser<'_>) {
    let marker = p.open();
    loop {
        p.limit_to_item();
        if p.at_text_end() {
            break;
        }
        if p.at(TokenKind::Semicolon) {
            p.bump();
        } else if p.at_stray_closer() {
            p.report_stray_closer();
        } else {
            p.resume_reporting();
            item(p);
        }
    }
    p.close(marker, NodeKind::File);
}

// item = { doc } { attribute } declaration
fn item(p: &mut Parser<'_>) {
    p.newline_mode = NewlineMode::Ignored;
    p.record_literals = RecordLiterals::Allowed;
    let marker = p.open_with(DocAttachment::Attach);
    while p.at(TokenKind::At) {
        attribute(p);
        // The keyword after the attributes starts a line and would count as the next declaration.
        p.limit_to_item();
    }
    let kind = match p.current() {
        TokenKind::UseKw => use_item(p),
        TokenKind::TypeKw => type_item(p),
        TokenKind::ConstKw => const_item(p),
        TokenKind::FnKw => fn_item(p),
        TokenKind::EffectKw => effect_item(p),
        TokenKind::TestKw => claims::test_item(p),
        TokenKind::VerifyKw => claims::verify_item(p),
        TokenKind::RelKw => claims::rel_item(p),
        TokenKind::Ident if p.at_word("world") && p.nth(1).is_word() => claims::world_item(p),
        TokenKind::Ident if p.at_word("system") && p.nth(1).is_word() => effect_item(p),
        TokenKind::Ident if p.at_word("spec") && p.nth(1).is_word() => specs::spec_item(p),
        TokenKind::Ident if p.at_word("weaken") && p.nth(1).is_word() => specs::weaken_item(p),
        _ => return no_item(p, marker),
    };
    p.close(marker, kind);
    p.newline_mode = NewlineMode::TerminatesStatement;
    if !p.line_ends() && !p.at(TokenKind::Semicolon) && !p.at_stray_closer() {
        p.report_expected("a new line");
        p.skip_until(|p| p.line_ends() || p.at_stray_closer());
    }
}

/// Reports that no declaration starts here, and skips to the next one.
fn no_item(p: &mut Parser<'_>, marker: Marker) {
    p.report_expected_here("a declaration such as `fn`, `type` or `test`");
    if p.at(TokenKind::Eof) {
        // Attributes at the end of the text, with no declaration after them.
        p.close(marker, NodeKind::Error);
        return;
    }
    p.bump_balanced();
    while !p.at(TokenKind::Eof)
        && !(p.newline_before() && (is_item_keyword(p.current()) || p.at(TokenKind::At)))
    {
        p.bump_balanced();
    }
    p.close(marker, NodeKind::Error);
}

pub(super) fn attributes(p: &mut Parser<'_>) {
    while p.at(TokenKind::At) {
        attribute(p);
    }
}

// attribute = "@" word [ "(" attribute_arg , .. ")" ]
fn attribute(p: &mut Parser<'_>) {
    let marker = p.open();
    p.bump();
    word(p, "the name of an attribute");
    if p.at(TokenKind::LParen) && !p.newline_before() {
        let args = p.open();
        list(p, &ListExpectations { item: "an argument", end: "`,` or `)`" }, attribute_arg);
        p.close(args, NodeKind::AttributeArgs);
    }
    p.close(marker, NodeKind::Attribute);
}

// attribute_arg = [ word "=" ] expr
fn attribute_arg(p: &mut Parser<'_>) -> bool {
    let marker = p.open();
    if p.current().is_word() && p.nth(1) == TokenKind::Eq {
        p.bump();
        p.bump();
        exprs::expr(p, "a value");
    } else if !exprs::opt_expr(p) {
        p.abandon(marker);
        return false;
    }
    p.close(marker, NodeKind::AttributeArg);
    true
}

// use_item = "use" path [ "." "{" word , .. "}" ]
fn use_item(p: &mut Parser<'_>) -> NodeKind {
    p.bump();
    path(p, "the name of a module");
    if p.at(TokenKind::Dot) && p.nth(1) == TokenKind::LBrace {
        p.bump();
        let marker = p.open();
        list(p, &ListExpectations { item: "a name", end: "`,` or `}`" }, |p| {
            let found = p.current().is_word();
            if found {
                p.bump();
            }
            found
        });
        p.close(marker, NodeKind::UseList);
    }
    NodeKind::UseItem
}

// type_item = "type" name [ type_params ] [ "=" type_body ]
fn type_item(p: &mut Parser<'_>) -> NodeKind {
    p.bump();
    name(p, "the name of the type");
    opt_type_params(p);
    if p.at(TokenKind::Eq) || !p.line_ends_in(NewlineMode::TerminatesStatement) {
        p.expect(TokenKind::Eq, "`=`");
        type_body(p);
    }
    NodeKind::TypeItem
}

// type_body = sum_body | record_body | type
fn type_body(p: &mut Parser<'_>) {
    let is_ctor = p.at(TokenKind::Ident) && is_upper(p.nth_text(0));
    let is_sum = p.at_any(&[TokenKind::Bar, TokenKind::At])
        || (is_ctor && matches!(p.nth(1), TokenKind::Bar | TokenKind::LParen));
    if is_sum {
        sum_body(p);
    } else if p.at(TokenKind::LBrace) {
        let marker = p.open();
        list(p, &ListExpectations { item: "a field", end: "`,` or `}`" }, field_decl);
        p.close(marker, NodeKind::RecordBody);
    } else {
        ty::ty(p);
    }
}

// sum_body = [ "|" ] ctor { "|" ctor }
fn sum_body(p: &mut Parser<'_>) {
    let marker = p.open_with(DocAttachment::Attach);
    ctor(p);
    while p.at(TokenKind::Bar) {
        ctor(p);
    }
    p.close(marker, NodeKind::SumBody);
}

// ctor = { doc } [ "|" ] { attribute } name [ "(" ctor_field , .. ")" ]
fn ctor(p: &mut Parser<'_>) {
    let marker = p.open_with(DocAttachment::Attach);
    p.eat(TokenKind::Bar);
    attributes(p);
    name(p, "the name of a constructor");
    if p.at(TokenKind::LParen) && !p.newline_before() {
        let fields = p.open();
        list(p, &ListExpectations { item: "a type", end: "`,` or `)`" }, ctor_field);
        p.close(fields, NodeKind::CtorFields);
    }
    p.close(marker, NodeKind::Ctor);
}

// ctor_field = { doc } [ word ":" ] type
fn ctor_field(p: &mut Parser<'_>) -> bool {
    let marker = p.open_with(DocAttachment::Attach);
    if p.current().is_word() && p.nth(1) == TokenKind::Colon {
        p.bump();
        p.bump();
        ty::ty(p);
    } else if ty::opt_ty(p).is_none() {
        p.abandon(marker);
        return false;
    }
    p.close(marker, NodeKind::CtorField);
    true
}

// field_decl = { doc } { attribute } word ":" type
fn field_decl(p: &mut Parser<'_>) -> bool {
    if !p.current().is_word() && !p.at(TokenKind::At) {
        return false;
    }
    let marker = p.open_with(DocAttachment::Attach);
    attributes(p);
    word(p, "the name of a field");
    typed(p);
    p.close(marker, NodeKind::FieldDecl);
    true
}

// typed = ":" type
pub(super) fn typed(p: &mut Parser<'_>) {
    if p.at(TokenKind::Colon) || ty::starts_type(p) {
        p.expect(TokenKind::Colon, "`:` and a type");
        ty::ty(p);
    } else {
        p.report_expected("`:` and a type");
    }
}

// const_item = "const" name ":" type "=" expr
fn const_item(p: &mut Parser<'_>) -> NodeKind {
    p.bump();
    name(p, "the name of the constant");
    typed(p);
    p.newline_mode = NewlineMode::TerminatesStatement;
    if p.expect_or_replace(TokenKind::Eq, &[TokenKind::Colon], "`=` and a value") {
        exprs::expr(p, "a value");
    }
    NodeKind::ConstItem
}

// fn_item = "fn" name [ type_params ] params [ return_type ] { clause } [ block ]
pub(super) fn fn_item(p: &mut Parser<'_>) -> NodeKind {
    p.bump();
    name(p, "the name of the function");
    signature(p);
    loop {
        if p.at(TokenKind::Bang) {
            ty::effect_row(p);
        } else if p.at_word("in") && p.nth(1) == TokenKind::LBrace {
            in_clause(p);
        } else if p.at_word("out") && matches!(p.nth(1), TokenKind::LParen | TokenKind::LBrace)
        {
            out_clause(p);
        } else if !foreign_syntax::condition(p) {
            break;
        }
    }
    if p.at(TokenKind::LBrace) {
        exprs::block(p);
    } else if !p.line_ends_in(NewlineMode::TerminatesStatement) {
        p.report_expected("`{` and a body");
        p.skip_until(|p| p.at(TokenKind::LBrace) || p.at_stray_closer());
        if p.at(TokenKind::LBrace) {
            exprs::block(p);
        }
    }
    NodeKind::FnItem
}

// signature = [ type_params ] params [ "->" type ]
pub(super) fn signature(p: &mut Parser<'_>) {
    opt_type_params(p);
    params(p);
    if p.at(TokenKind::Arrow) {
        let marker = p.open();
        p.bump();
        ty::ty(p);
        p.close(marker, NodeKind::ReturnType);
    } else {
        foreign_syntax::result_type(p);
    }
}

// params = "(" param , .. ")"
// param  = name ":" type | binder
pub(super) fn params(p: &mut Parser<'_>) {
    if !p.at(TokenKind::LParen) {
        p.report_expected("`(` and parameters");
        return;
    }
    let marker = p.open();
    list(p, &ListExpectations { item: "a parameter", end: "`,` or `)`" }, |p| {
        if !p.current().is_word() {
            return false;
        }
        let marker = p.open();
        name(p, "the name of a parameter");
        // Only the parameters of a property can have these; the checker rejects the others.
        let kind = if p.at_left_arrow() {
            claims::binder_generator(p);
            NodeKind::Binder
        } else {
            typed(p);
            if p.at_word("where") { NodeKind::Binder } else { NodeKind::Param }
        };
        claims::opt_binder_condition(p);
        p.close(marker, kind);
        true
    });
    p.close(marker, NodeKind::Params);
}

// type_params = "<" name , .. ">"
pub(super) fn opt_type_params(p: &mut Parser<'_>) {
    if !p.at(TokenKind::Less) {
        return;
    }
    let marker = p.open();
    angle_list(p, |p| {
        let marker = p.open();
        if !name(p, "the name of a type parameter") {
            p.abandon(marker);
            return false;
        }
        foreign_syntax::bound(p);
        p.close(marker, NodeKind::TypeParam);
        true
    });
    p.close(marker, NodeKind::TypeParams);
}

// in_clause = "in" block
fn in_clause(p: &mut Parser<'_>) {
    let marker = p.open();
    p.bump();
    exprs::block(p);
    p.close(marker, NodeKind::InClause);
}

// out_clause = "out" [ "(" name ")" ] block
fn out_clause(p: &mut Parser<'_>) {
    let marker = p.open();
    p.bump();
    if p.at(TokenKind::LParen) {
        let bracket = p.open_bracket(NewlineMode::Ignored);
        name(p, "a name for the result");
        p.close_bracket(bracket, "`)`");
    }
    exprs::required_block(p, "`{` and a condition");
    p.close(marker, NodeKind::OutClause);
}

// effect_item = ( "effect" | "system" ) name "{" { operation } "}"
fn effect_item(p: &mut Parser<'_>) -> NodeKind {
    let expected = match p.current() {
        TokenKind::EffectKw => "the name of the effect",
        _ => "the name of the system",
    };
    p.bump();
    name(p, expected);
    if !p.at(TokenKind::LBrace) {
        p.report_expected("`{` and operations");
        return NodeKind::EffectItem;
    }
    exprs::braced_lines(p, |p| {
        if !p.current().is_word() && !p.at(TokenKind::At) {
            p.report_expected_here("an operation");
            return;
        }
        let marker = p.open_with(DocAttachment::Attach);
        attributes(p);
        word(p, "the name of an operation");
        signature(p);
        p.close(marker, NodeKind::Operation);
    });
    NodeKind::EffectItem
}
