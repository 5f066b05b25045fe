//! Grammar of infix, prefix and postfix operators.

use super::{ListExpectations, exprs, foreign_syntax, list, ty};
use crate::ast::BinaryOp;
use crate::findings::{ChainedComparison, UnknownCharacter};
use crate::kind::{NodeKind, TokenKind};
use crate::parser::{CompletedMarker, Parser};

/// The lookahead for the end of type arguments. A bound keeps parsing linear.
const MAX_TYPE_ARGS: usize = 128;

// binary = unary { op binary }, by precedence climbing; comparisons do not chain, `==>` associates to
//          the right
pub(super) fn opt_binary(p: &mut Parser<'_>, lowest: u8) -> Option<CompletedMarker> {
    let mut lhs = opt_unary(p)?;
    let mut last_comparison = None;
    while !p.line_ends() {
        let Some((op, kind, n_raw)) = infix_operator(p) else { break };
        if op.precedence() < lowest {
            break;
        }
        if p.exceeds_max_height(lhs) {
            return None;
        }
        if op.is_comparison() {
            report_chained_comparison(p, &mut last_comparison);
        }
        let marker = p.wrap(lhs);
        p.bump_as(kind, n_raw);
        // One more than the operator's own precedence: operators of equal precedence associate to
        // the left, and the loop, not recursion, takes the next one.
        let lowest = op.precedence() + u8::from(op != BinaryOp::Implies);
        let rhs = operand(p, op, lowest);
        if rhs.is_none() && !foreign_syntax::compound_assignment(p) {
            p.report_expected("an expression");
        }
        if let (Some((_, middle @ None)), Some(rhs)) = (&mut last_comparison, rhs) {
            *middle = Some(rhs);
        }
        lhs = p.close(marker, NodeKind::BinaryExpr);
    }
    Some(lhs)
}

/// The right operand of an operator.
fn operand(p: &mut Parser<'_>, op: BinaryOp, lowest: u8) -> Option<CompletedMarker> {
    if op != BinaryOp::Implies {
        return opt_binary(p, lowest);
    }
    // A chain of implications nests with each operator.
    if !p.enter_nesting() {
        return None;
    }
    let operand = opt_binary(p, lowest);
    p.leave_nesting();
    operand
}

/// The operator at the cursor; a `&` is reported, and taken for a `&&`.
fn infix_operator(p: &mut Parser<'_>) -> Option<(BinaryOp, TokenKind, u8)> {
    if p.at(TokenKind::Amp) {
        let span = p.current_span();
        p.report_once(UnknownCharacter { span, text: "&".to_owned() });
        return Some((BinaryOp::And, TokenKind::AndAnd, 1));
    }
    p.infix_operator()
}

/// The span of a comparison operator, and its right operand.
type PreviousComparison = (gainsay_source::Span, Option<CompletedMarker>);

/// Reports a comparison that follows another, and remembers the first one.
fn report_chained_comparison(p: &mut Parser<'_>, last: &mut Option<PreviousComparison>) {
    let second = p.current_span();
    match *last {
        None => *last = Some((second, None)),
        // The middle operand ends here only at the second comparison of a chain.
        Some((first, Some(middle))) if p.ends_here(middle) => {
            let middle = p.span_of(middle);
            let middle_text = p.text_of(middle).to_owned();
            p.report_once(ChainedComparison { first, second, middle, middle_text });
        }
        // A third comparison: one error per chain is enough.
        Some(_) => {}
    }
}

// unary = ( "-" | "!" ) unary | postfix
pub(super) fn opt_unary(p: &mut Parser<'_>) -> Option<CompletedMarker> {
    if !p.at_any(&[TokenKind::Minus, TokenKind::Bang]) {
        let primary = exprs::opt_primary(p)?;
        return postfix(p, primary);
    }
    if !p.enter_nesting() {
        return None;
    }
    let marker = p.open();
    p.bump();
    if opt_unary(p).is_none() {
        p.report_expected("an expression");
    }
    p.leave_nesting();
    Some(p.close(marker, NodeKind::UnaryExpr))
}

// postfix = primary { call | "." member | "?" | "!" name }
fn postfix(p: &mut Parser<'_>, primary: CompletedMarker) -> Option<CompletedMarker> {
    let mut inner = primary;
    while !p.line_ends() {
        let same_line = !p.newline_before();
        if inner.kind == NodeKind::NameExpr && foreign_syntax::suffix(p) {
            continue;
        }
        let is_call = p.at(TokenKind::LParen) && same_line;
        let is_generic = inner.kind == NodeKind::NameExpr && type_args_ahead(p);
        let is_sample = p.at(TokenKind::Bang) && same_line && p.nth(1) == TokenKind::Ident;
        let is_separator = same_line && foreign_syntax::at_path_separator(p);
        let is_other = p.at_any(&[TokenKind::Dot, TokenKind::Question]) || is_separator;
        if !is_call && !is_generic && !is_sample && !is_other {
            break;
        }
        if p.exceeds_max_height(inner) {
            return None;
        }
        let marker = p.wrap(inner);
        if is_separator {
            p.skip_one();
        }
        let kind = if is_call || is_generic {
            call(p);
            NodeKind::CallExpr
        } else if is_sample {
            p.bump();
            p.bump();
            NodeKind::SampleExpr
        } else if p.eat(TokenKind::Question) {
            NodeKind::TryExpr
        } else {
            member(p)
        };
        inner = p.close(marker, kind);
    }
    Some(inner)
}

// call = [ type_args ] "(" arg , .. ")"
fn call(p: &mut Parser<'_>) {
    if p.at(TokenKind::Less) {
        ty::type_args(p);
    }
    if p.at(TokenKind::LParen) {
        let marker = p.open();
        list(p, &ListExpectations { item: "an argument", end: "`,` or `)`" }, arg);
        p.close(marker, NodeKind::Args);
    }
}

// arg = [ word ":" ] expr
fn arg(p: &mut Parser<'_>) -> bool {
    let marker = p.open();
    if p.current().is_word() && p.nth(1) == TokenKind::Colon {
        p.bump();
        p.bump();
        exprs::expr(p, "a value");
    } else if !exprs::opt_expr(p) {
        p.abandon(marker);
        return false;
    }
    p.close(marker, NodeKind::Arg);
    true
}

// member = "." ( int | word [ call ] )
fn member(p: &mut Parser<'_>) -> NodeKind {
    p.bump();
    if p.eat(TokenKind::Int) {
        return NodeKind::IndexExpr;
    }
    if !p.current().is_word() || (p.newline_before() && p.line_ends()) {
        p.report_expected("the name of a field or function");
        return NodeKind::FieldExpr;
    }
    p.bump();
    let is_call = p.at(TokenKind::LParen) && !p.newline_before();
    if is_call || type_args_ahead(p) {
        call(p);
        return NodeKind::MethodExpr;
    }
    NodeKind::FieldExpr
}

/// Whether `<` opens type arguments here: it touches the name, and what follows looks like types up
/// to `>(`. Anything else is a comparison.
fn type_args_ahead(p: &Parser<'_>) -> bool {
    if !p.at(TokenKind::Less) || !p.nth_touches(0) {
        return false;
    }
    let mut angles = 0_usize;
    for n in 0..MAX_TYPE_ARGS {
        let kind = p.nth(n);
        if kind == TokenKind::Less {
            angles += 1;
        } else if kind == TokenKind::Greater {
            angles -= 1;
            if angles == 0 {
                // `a < b > (c)` is a comparison: in `f<T>(x)` the parenthesis touches.
                return p.nth(n + 1) == TokenKind::LParen && p.nth_touches(n + 1);
            }
        } else if !matches!(
            kind,
            TokenKind::Ident
                | TokenKind::Dot
                | TokenKind::Comma
                | TokenKind::Question
                | TokenKind::Arrow
                | TokenKind::LParen
                | TokenKind::RParen
        ) {
            return false;
        }
    }
    false
}
