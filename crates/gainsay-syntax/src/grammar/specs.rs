//! Grammar of trace specifications: `spec` and `weaken`.
#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a rule names the tokens it begins with; a new token begins nothing until a rule says so"
)]

use super::items::{params, typed};
use super::{ListExpectations, exprs, list, name, operators, ty, word};
use crate::kind::{NodeKind, TokenKind};
use crate::parser::{CompletedMarker, DocAttachment, Marker, NewlineMode, Parser};

// spec_item = "spec" name "{" { spec_line } "}"
pub(super) fn spec_item(p: &mut Parser<'_>) -> NodeKind {
    p.bump();
    name(p, "the name of the specification");
    lines_in_braces(p, "`{` and declarations", spec_lines);
    NodeKind::SpecItem
}

// weaken_item = "weaken" name "as" name "{" { weakening } "}"
pub(super) fn weaken_item(p: &mut Parser<'_>) -> NodeKind {
    p.bump();
    name(p, "the name of a specification");
    if p.at_word("as") {
        p.bump();
        name(p, "the name of the weaker specification");
    } else {
        p.report_expected("`as` and the name of the weaker specification");
    }
    lines_in_braces(p, "`{` and what is weaker", weakening);
    NodeKind::WeakenItem
}

fn lines_in_braces(p: &mut Parser<'_>, expected: &'static str, line: fn(&mut Parser<'_>)) {
    if !p.at(TokenKind::LBrace) {
        p.report_expected(expected);
        p.skip_until(|p| p.at(TokenKind::LBrace));
    }
    if p.at(TokenKind::LBrace) {
        p.resume_reporting();
        exprs::braced_lines(p, line);
    }
}

/// Declarations on a line: a closing brace ends one like a line break.
fn spec_lines(p: &mut Parser<'_>) {
    spec_line(p);
    while p.follows_brace() && p.at_any(&[TokenKind::Ident, TokenKind::FnKw]) && !p.line_ends()
    {
        spec_line(p);
    }
}

// spec_line = { doc } ( sort | data | fn | axiom | event | init | rule | goal )
fn spec_line(p: &mut Parser<'_>) {
    let marker = p.open_with(DocAttachment::Attach);
    let kind = match p.current() {
        TokenKind::FnKw => spec_fn(p),
        TokenKind::Ident => match p.nth_text(0) {
            "sort" => sort(p),
            "data" => data(p),
            "axiom" => axiom(p),
            "gen" | "obs" | "ghost" => event_decl(p),
            "init" => init(p),
            "rule" => rule(p),
            "violation" | "scenario" => goal(p),
            _ => return no_line(p, marker),
        },
        _ => return no_line(p, marker),
    };
    p.close(marker, kind);
}

/// Reports that no declaration starts here, and skips the line.
fn no_line(p: &mut Parser<'_>, marker: Marker) {
    p.report_expected_here("`gen`, `obs`, `ghost`, `rule`, `scenario` or `violation`");
    // The first token starts a line itself.
    p.bump_balanced();
    while !p.line_ends() && !p.at(TokenKind::Semicolon) && !p.at_outer_closer() {
        p.bump_balanced();
    }
    p.close(marker, NodeKind::Error);
}

// sort = "sort" name [ "{" name , .. "}" ]
fn sort(p: &mut Parser<'_>) -> NodeKind {
    p.bump();
    name(p, "the name of the sort");
    if p.at(TokenKind::LBrace) {
        let marker = p.open();
        list(p, &ListExpectations { item: "a value of the sort", end: "`,` or `}`" }, |p| {
            p.eat(TokenKind::Ident)
        });
        p.close(marker, NodeKind::SortValues);
    }
    NodeKind::SortDecl
}

// data  = "data" name "{" ctor , .. "}"
// ctor  = name [ "(" type , .. ")" ]
fn data(p: &mut Parser<'_>) -> NodeKind {
    p.bump();
    name(p, "the name of the type");
    if !p.at(TokenKind::LBrace) {
        p.report_expected("`{` and constructors");
        return NodeKind::DataDecl;
    }
    let marker = p.open();
    list(p, &ListExpectations { item: "a constructor", end: "`,` or `}`" }, |p| {
        if !p.at(TokenKind::Ident) {
            return false;
        }
        let marker = p.open();
        p.bump();
        if p.at(TokenKind::LParen) {
            list(p, &ListExpectations { item: "a type", end: "`,` or `)`" }, |p| {
                let starts = ty::starts_type(p);
                if starts {
                    ty::ty(p);
                }
                starts
            });
        }
        p.close(marker, NodeKind::DataCtor);
        true
    });
    p.close(marker, NodeKind::DataCtors);
    NodeKind::DataDecl
}

// fn = "fn" name params "->" type [ "=" expr ]
fn spec_fn(p: &mut Parser<'_>) -> NodeKind {
    p.bump();
    name(p, "the name of the function");
    params(p);
    if p.expect(TokenKind::Arrow, "`->` and a type") {
        ty::ty(p);
    }
    if p.eat(TokenKind::Eq) {
        exprs::expr(p, "the definition of the function");
    }
    NodeKind::SpecFn
}

// axiom = "axiom" [ "forall" params ] expr
fn axiom(p: &mut Parser<'_>) -> NodeKind {
    p.bump();
    if p.at_word("forall") {
        p.bump();
        params(p);
    }
    exprs::expr(p, "a condition");
    NodeKind::Axiom
}

// event_decl = ( "gen" | "obs" | "ghost" ) name params
fn event_decl(p: &mut Parser<'_>) -> NodeKind {
    p.bump();
    name(p, "the name of the operation");
    params(p);
    NodeKind::EventDecl
}

// init = "init" "[" event , .. "]"
fn init(p: &mut Parser<'_>) -> NodeKind {
    p.bump();
    if p.at(TokenKind::LBracket) {
        list(p, &ListExpectations { item: "an event", end: "`,` or `]`" }, opt_event);
    } else {
        p.report_expected("`[` and events");
    }
    NodeKind::InitDecl
}

// rule = "rule" name "(" rule_param , .. ")" [ "given" params ] [ "when" expr ]
//        [ "{" { clause } "}" ]
fn rule(p: &mut Parser<'_>) -> NodeKind {
    p.bump();
    name(p, "the name of an operation");
    if p.at(TokenKind::LParen) {
        let marker = p.open();
        list(p, &ListExpectations { item: "a parameter", end: "`,` or `)`" }, opt_rule_param);
        p.close(marker, NodeKind::RuleParams);
    } else {
        p.report_expected("`(` and parameters");
    }
    if p.at_word("given") {
        p.bump();
        params(p);
    }
    if p.at_word("when") {
        let marker = p.open();
        p.bump();
        // The brace after the condition opens the clauses.
        exprs::head_expr(p, "a condition");
        p.close(marker, NodeKind::When);
    }
    if p.at(TokenKind::LBrace) {
        exprs::braced_lines(p, clause);
    }
    NodeKind::SpecRule
}

// rule_param = "_" | name [ ":" type ]
fn opt_rule_param(p: &mut Parser<'_>) -> bool {
    if !p.at_any(&[TokenKind::Underscore, TokenKind::Ident]) {
        return false;
    }
    let marker = p.open();
    p.bump();
    if p.at(TokenKind::Colon) {
        typed(p);
    }
    p.close(marker, NodeKind::RuleParam);
    true
}

// clause = "history" pattern | "future" pattern | "emits" event , .. | "owes" event , ..
fn clause(p: &mut Parser<'_>) {
    let marker = p.open();
    let kind = match p.nth_text(0) {
        "history" => NodeKind::HistoryClause,
        "future" => NodeKind::FutureClause,
        "emits" => NodeKind::EmitsClause,
        "owes" => NodeKind::OwesClause,
        _ => {
            p.abandon(marker);
            p.report_expected_here("`history`, `future`, `emits` or `owes`");
            return;
        }
    };
    p.bump();
    if matches!(kind, NodeKind::HistoryClause | NodeKind::FutureClause) {
        pattern(p);
    } else {
        event(p);
        while p.eat(TokenKind::Comma) {
            event(p);
        }
    }
    p.close(marker, kind);
}

// goal = ( "violation" | "scenario" ) name params "=" pattern
fn goal(p: &mut Parser<'_>) -> NodeKind {
    p.bump();
    name(p, "the name of the goal");
    params(p);
    if p.expect(TokenKind::Eq, "`=` and a pattern of events") {
        pattern(p);
    }
    NodeKind::GoalDecl
}

// weakening = "replace" rule | "drop" word "of" name | "merge" name
fn weakening(p: &mut Parser<'_>) {
    let marker = p.open();
    let kind = match p.nth_text(0) {
        "replace" => {
            p.bump();
            if p.at_word("rule") {
                let inner = p.open();
                let kind = rule(p);
                p.close(inner, kind);
            } else {
                p.report_expected("a rule");
            }
            NodeKind::ReplaceRule
        }
        "drop" => {
            p.bump();
            word(p, "`when`, `history` or `future`");
            if p.at_word("of") {
                p.bump();
                name(p, "the name of an operation");
            } else {
                p.report_expected("`of` and the name of an operation");
            }
            NodeKind::DropPart
        }
        "merge" => {
            p.bump();
            name(p, "the name of an operation");
            NodeKind::MergeRules
        }
        _ => {
            p.abandon(marker);
            p.report_expected_here("`replace`, `drop` or `merge`");
            return;
        }
    };
    p.close(marker, kind);
}

// pattern = conjunction { ( "|" | "||" ) conjunction }
fn pattern(p: &mut Parser<'_>) -> Option<CompletedMarker> {
    chain(p, [TokenKind::Bar, TokenKind::OrOr], NodeKind::EitherTrace, |p| {
        // conjunction = atom { ( "&" | "&&" ) atom }
        chain(p, [TokenKind::Amp, TokenKind::AndAnd], NodeKind::BothTraces, pattern_atom)
    })
}

/// Operands between operators that mean the same, in one node if there are several.
fn chain(
    p: &mut Parser<'_>,
    operators: [TokenKind; 2],
    kind: NodeKind,
    operand: fn(&mut Parser<'_>) -> Option<CompletedMarker>,
) -> Option<CompletedMarker> {
    let first = operand(p)?;
    if !p.at_any(&operators) {
        return Some(first);
    }
    let marker = p.wrap(first);
    while p.at_any(&operators) {
        p.bump();
        operand(p);
    }
    Some(p.close(marker, kind))
}

// atom = "[" element , .. "]" | "last" "(" event ")" | "(" pattern ")" [ "*" ]
fn pattern_atom(p: &mut Parser<'_>) -> Option<CompletedMarker> {
    match p.current() {
        TokenKind::LBracket => {
            let marker = p.open();
            list(p, &ListExpectations { item: "an event", end: "`,` or `]`" }, opt_element);
            Some(p.close(marker, NodeKind::TraceSequence))
        }
        TokenKind::LParen => group(p).map(|it| opt_star(p, it)),
        TokenKind::Ident if p.at_word("last") && p.nth(1) == TokenKind::LParen => last(p),
        _ => {
            p.report_expected("a pattern of events such as `[.., push(x), ..]`");
            None
        }
    }
}

// "(" pattern ")"
fn group(p: &mut Parser<'_>) -> Option<CompletedMarker> {
    if !p.enter_nesting() {
        return None;
    }
    let marker = p.open();
    let bracket = p.open_bracket(NewlineMode::Ignored);
    pattern(p);
    p.close_bracket(bracket, "`)`");
    p.leave_nesting();
    Some(p.close(marker, NodeKind::TraceGroup))
}

// "last" "(" event ")"
fn last(p: &mut Parser<'_>) -> Option<CompletedMarker> {
    let marker = p.open();
    p.bump();
    let bracket = p.open_bracket(NewlineMode::Ignored);
    event(p);
    p.close_bracket(bracket, "`)`");
    Some(p.close(marker, NodeKind::LastEvent))
}

fn opt_star(p: &mut Parser<'_>, inner: CompletedMarker) -> CompletedMarker {
    if !p.at(TokenKind::Star) {
        return inner;
    }
    let marker = p.wrap(inner);
    p.bump();
    p.close(marker, NodeKind::RepeatedTrace)
}

// element = ".." | "expect" event
//         | ( "any" | event | "!" event | "!" "{" event , .. "}" | group | last ) [ "*" ]
fn opt_element(p: &mut Parser<'_>) -> bool {
    let starts_event = p.at(TokenKind::Ident);
    let element = match p.current() {
        TokenKind::DotDot => {
            let marker = p.open();
            p.bump();
            p.close(marker, NodeKind::AnyEvents);
            return true;
        }
        TokenKind::Bang => not_event(p),
        TokenKind::LParen => match group(p) {
            Some(it) => it,
            None => return true,
        },
        TokenKind::Ident if p.at_word("last") && p.nth(1) == TokenKind::LParen => match last(p)
        {
            Some(it) => it,
            None => return true,
        },
        TokenKind::Ident if p.at_word("expect") && p.nth(1) == TokenKind::Ident => {
            let marker = p.open();
            p.bump();
            event(p);
            p.close(marker, NodeKind::ExpectedEvent);
            return true;
        }
        TokenKind::Ident if p.at_word("any") && p.nth(1) != TokenKind::LParen => {
            let marker = p.open();
            p.bump();
            p.close(marker, NodeKind::AnyEvent)
        }
        _ if starts_event => match event_marker(p) {
            Some(it) => it,
            None => return true,
        },
        _ => return false,
    };
    opt_star(p, element);
    true
}

// "!" event | "!" "{" event , .. "}"
fn not_event(p: &mut Parser<'_>) -> CompletedMarker {
    let marker = p.open();
    p.bump();
    if p.at(TokenKind::LBrace) {
        list(p, &ListExpectations { item: "an event", end: "`,` or `}`" }, opt_event);
    } else {
        event(p);
    }
    p.close(marker, NodeKind::OtherEvent)
}

fn event(p: &mut Parser<'_>) {
    if !opt_event(p) {
        p.report_expected("an event such as `push(x)`");
    }
}

fn opt_event(p: &mut Parser<'_>) -> bool {
    event_marker(p).is_some()
}

// event     = word [ "(" argument , .. ")" ] [ "{" expr "}" ]
// argument  = ".." | word ":" expr | expr
fn event_marker(p: &mut Parser<'_>) -> Option<CompletedMarker> {
    if !p.at(TokenKind::Ident) {
        return None;
    }
    let marker = p.open();
    p.bump();
    if p.at(TokenKind::LParen) {
        let args = p.open();
        list(p, &ListExpectations { item: "an argument", end: "`,` or `)`" }, opt_argument);
        p.close(args, NodeKind::EventArgs);
    }
    if p.at(TokenKind::LBrace) && p.nth_touches(0) {
        let condition = p.open();
        let bracket = p.open_bracket(NewlineMode::Ignored);
        exprs::expr(p, "a condition on the fields of the event");
        p.close_bracket(bracket, "`}`");
        p.close(condition, NodeKind::EventCondition);
    }
    Some(p.close(marker, NodeKind::EventPattern))
}

fn opt_argument(p: &mut Parser<'_>) -> bool {
    let marker = p.open();
    if p.at(TokenKind::DotDot) {
        p.bump();
    } else if p.at(TokenKind::Ident) && p.nth(1) == TokenKind::Colon {
        p.bump();
        p.bump();
        exprs::expr(p, "the value of the field");
    } else if operators::opt_binary(p, 0).is_none() {
        p.abandon(marker);
        return false;
    }
    p.close(marker, NodeKind::EventArg);
    true
}
