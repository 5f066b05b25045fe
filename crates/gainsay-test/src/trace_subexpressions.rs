//! Instruments a program to trace the values of the subexpressions of one `observe`, for failure
//! reports.

use gainsay_core::{Body, FunctionId, OpId, Program, Term, TermId, builtin};
use gainsay_gen::TraceInserter;
use gainsay_source::Span;

/// Maximum depth of traced subexpressions.
const MAX_DEPTH: usize = 4;

/// Maximum number of traced subexpressions.
const MAX_SUBEXPRESSIONS: usize = 8;

/// Traces the subexpressions of an observation. The number of each, from 0, is its index in the
/// returned list of spans.
pub(crate) fn trace_subexpressions(
    program: &mut Program,
    (function, observed): (FunctionId, Span),
    trace_op: OpId,
) -> Vec<Span> {
    let function = &mut program.functions[function.index()];
    // A generic function would need one trace per instantiation.
    if !function.type_params.is_empty() {
        return Vec::new();
    }
    let body = &mut function.body;
    let mut terms = body.terms.iter().zip(&body.spans);
    let condition = terms.find_map(|(term, span)| {
        if let Term::Observe { condition, .. } = term
            && *span == observed
        {
            Some(*condition)
        } else {
            None
        }
    });
    let parts = condition.map_or_else(Vec::new, |it| subexpressions_of(body, it));
    let mut inserter = TraceInserter::new(body, trace_op);
    for (number, part) in (0..).zip(&parts) {
        inserter.trace_in_place(*part, number);
    }
    parts.into_iter().map(|it| body.span(it)).collect()
}

/// The subexpressions that add to what a report shows anyway: both sides of a comparison.
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
    // A stack, so reversed: subexpressions come in source order, outer before inner.
    waiting.reverse();
    let mut parts: Vec<TermId> = Vec::new();
    while let Some((term, depth)) = waiting.pop() {
        let is_known = parts.iter().any(|it| body.span(*it) == body.span(term));
        if should_trace(body, term) && !is_known && parts.len() < MAX_SUBEXPRESSIONS {
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
    // The body of a closure runs later, if at all.
    if !matches!(body.term(term), Term::Closure { .. }) {
        body.term(term).for_each_subterm(&mut |part| parts.push(part));
    }
    parts
}

/// Whether the value of a term is worth tracing: it is computed, and not from constants alone.
fn should_trace(body: &Body, term: TermId) -> bool {
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
