//! The parts of what was observed: a program that also tells the values of the expressions in
//! one `observe`.
//!
//! Each part is moved into a function of its own, which computes it from its operands and tells
//! the value as that of an input whose number no input has:
//!
//! ```text
//! observe f(x) + g(y) == h(z)
//!
//! fn part_1(a) { let value = f(a); Draw.bound(FIRST_PART, value); value }      and so on
//! observe part_1(x) + part_2(y) == h(z)
//! ```
//!
//! So parts are computed where they stand and as often: what a short-circuit leaves out is not
//! told, and effects are answered by whoever answers them there.

use gainsay_core::{
    Body, Function, FunctionId, FunctionKind, Literal, OpId, Param, Pattern, Program,
    Statement, Term, TermId, TypeTable, builtin,
};
use gainsay_source::Span;

/// The number under which the first part is told; inputs have smaller ones.
pub(crate) const FIRST_SUBEXPRESSION: u32 = 1 << 30;

/// Parts of parts are told down to here.
const MAX_DEPTH: usize = 4;

/// At most so many parts are told.
const MAX_SUBEXPRESSIONS: usize = 8;

/// A program that tells parts.
pub(crate) struct SubexpressionTracing {
    pub(crate) program: Program,
    /// Each part: the number it is told under, and where it stands.
    pub(crate) subexpressions: Vec<(u32, Span)>,
}

/// The program that tells the parts of an observation; nothing if it has none.
pub(crate) fn trace_subexpressions(
    program: &Program,
    (function, observed): (FunctionId, Span),
    bound: OpId,
) -> Option<SubexpressionTracing> {
    let body = &program.function(function).body;
    // What is generic would need its types to be told apart.
    if !program.function(function).type_params.is_empty() {
        return None;
    }
    let mut terms = body.terms.iter().zip(&body.spans);
    let condition = terms.find_map(|(term, span)| {
        if let Term::Observe { condition, .. } = term
            && *span == observed
        {
            Some(*condition)
        } else {
            None
        }
    })?;
    let parts = subexpressions_of(body, condition);
    if parts.is_empty() {
        return None;
    }
    let mut program = program.clone();
    let mut told = Vec::new();
    for (number, part) in (FIRST_SUBEXPRESSION..).zip(parts) {
        let teller = FunctionId(program.functions.len() as u32);
        let parent = program.function(function);
        let Some((of_part, call)) = tracing_function(parent, function, part, (number, bound))
        else {
            continue;
        };
        told.push((number, parent.body.span(part)));
        program.functions.push(of_part);
        let args = call.into();
        program.functions[function.index()].body.terms[part.index()] =
            Term::Call { function: teller, type_args: Box::default(), args };
    }
    Some(SubexpressionTracing { program, subexpressions: told })
}

/// The expressions of an observation that say more than it shows anyway: both sides of a
/// comparison are shown.
fn subexpressions_of(body: &Body, condition: TermId) -> Vec<TermId> {
    let shown = if let Term::Builtin { builtin, args, .. } = body.term(condition)
        && builtin::get(*builtin).comparison.is_some()
    {
        args.to_vec()
    } else {
        vec![condition]
    };
    let first = shown.into_iter().flat_map(|it| direct_operands(body, it));
    let mut waiting: Vec<(TermId, usize)> = first.map(|it| (it, 1)).collect();
    waiting.reverse();
    let mut parts: Vec<TermId> = Vec::new();
    while let Some((term, depth)) = waiting.pop() {
        let is_known = parts.iter().any(|it| body.span(*it) == body.span(term));
        if is_worth_tracing(body, term) && !is_known && parts.len() < MAX_SUBEXPRESSIONS {
            parts.push(term);
        }
        if depth < MAX_DEPTH {
            let below = direct_operands(body, term);
            waiting.extend(below.into_iter().rev().map(|it| (it, depth + 1)));
        }
    }
    parts
}

fn direct_operands(body: &Body, term: TermId) -> Vec<TermId> {
    let mut parts = Vec::new();
    // What a closure does happens later, if at all.
    if !matches!(body.term(term), Term::Closure { .. }) {
        body.term(term).for_each_subterm(&mut |part| parts.push(part));
    }
    parts
}

/// Whether the value of a term is worth telling: it is computed, and not from constants alone.
fn is_worth_tracing(body: &Body, term: TermId) -> bool {
    let is_computed = matches!(
        body.term(term),
        Term::Call { .. }
            | Term::CallValue { .. }
            | Term::Builtin { .. }
            | Term::Perform { .. }
            | Term::Field { .. }
    );
    let mut waiting = vec![term];
    while let Some(term) = waiting.pop() {
        if let Term::Local(_)
        | Term::Call { .. }
        | Term::CallValue { .. }
        | Term::Perform { .. } = body.term(term)
        {
            return is_computed;
        }
        waiting.extend(direct_operands(body, term));
    }
    false
}

/// The function that tells a part, and what it is called with.
fn tracing_function(
    parent: &Function,
    id: FunctionId,
    part: TermId,
    (number, bound): (u32, OpId),
) -> Option<(Function, Vec<TermId>)> {
    let body = &parent.body;
    let (ty, span) = (body.ty(part), body.span(part));
    let mut operands = Vec::new();
    body.term(part).for_each_subterm(&mut |it| operands.push(it));
    let mut own = Body::default();
    let mut params = Vec::new();
    for operand in &operands {
        let (ty, span) = (body.ty(*operand), body.span(*operand));
        own.add_local("operand", ty, span);
        params.push(Param { name: "operand".into(), ty, span });
    }
    let mut args = Vec::new();
    for (at, operand) in operands.iter().enumerate() {
        let local = gainsay_core::LocalId(at as u32);
        args.push(own.add(Term::Local(local), body.ty(*operand), body.span(*operand)));
    }
    let computed = own.add(with_operands(body.term(part), &args)?, ty, span);
    let value = own.add_local("value", ty, span);
    let pattern = own.add_pattern(Pattern::Bind(value));
    let number = Literal::Int(i64::from(number));
    let told = [
        own.add(Term::Literal(number), TypeTable::INT, span),
        own.add(Term::Local(value), ty, span),
    ];
    let (type_args, args) = ([ty].into(), told.into());
    let tell = own.add(Term::Perform { op: bound, type_args, args }, TypeTable::UNIT, span);
    let result = own.add(Term::Local(value), ty, span);
    let statements = [Statement::Let(pattern, computed), Statement::Drop(tell)].into();
    own.root = Some(own.add(Term::Block { statements, result }, ty, span));
    let function = Function {
        kind: FunctionKind::Lambda(id),
        n_captures: 0,
        params: params.into(),
        result: ty,
        requires: Box::default(),
        ensures: Box::default(),
        body: own,
        attributes: Default::default(),
        ..parent.clone()
    };
    Some((function, operands))
}

/// A term with other operands.
fn with_operands(term: &Term, operands: &[TermId]) -> Option<Term> {
    let args: Box<[TermId]> = operands.into();
    let mut new = term.clone();
    if let Term::Call { args: old, .. }
    | Term::Builtin { args: old, .. }
    | Term::Perform { args: old, .. } = &mut new
    {
        *old = args;
    } else if let Term::CallValue { callee, args: old } = &mut new {
        let (first, rest) = operands.split_first()?;
        (*callee, *old) = (*first, rest.into());
    } else if let Term::Field { base, .. } = &mut new {
        *base = *operands.first()?;
    } else {
        return None;
    }
    Some(new)
}
