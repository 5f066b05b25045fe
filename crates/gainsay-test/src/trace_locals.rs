//! Instruments a program to trace the values of the `let`s of a claim, for failure reports.
//!
//! ```text
//! let a = f(n)        let a = f(n)
//! observe a < 9       Draw.tell(number, a)
//!                     observe a < 9
//! ```

use gainsay_core::{
    Body, ClaimKind, Function, FunctionId, FunctionKind, LocalId, OpId, Pattern, PatternId,
    Program, Statement, Term,
};
use gainsay_gen::TraceInserter;
use gainsay_source::Span;

/// Maximum number of locals to trace.
const MAX_LOCALS: usize = 200;

/// A traced local.
pub(crate) struct TracedLocal {
    /// The number it is traced under.
    pub(crate) number: i64,
    pub(crate) name: Box<str>,
    /// Where it is bound.
    pub(crate) span: Span,
}

/// Traces the locals in the bodies of claims, and in one more function, with numbers from
/// `first_number` on. `across` is the operation that identifies generated wrapper functions, which
/// are left out; `trace_op` is the one that traces.
pub(crate) fn trace_locals(
    program: &mut Program,
    also: Option<FunctionId>,
    (across, trace_op): (OpId, OpId),
    first_number: i64,
) -> Vec<TracedLocal> {
    let mut traced = Vec::new();
    for at in 0..program.functions.len() {
        let id = FunctionId(at as u32);
        let is_traced = Some(id) == also || is_in_claim(program, id);
        // A generic function would need one trace per instantiation.
        let function = &mut program.functions[at];
        if !is_traced || !function.type_params.is_empty() || performs(function, across) {
            continue;
        }
        if traced.len() >= MAX_LOCALS {
            break;
        }
        trace_lets(&mut function.body, trace_op, first_number, &mut traced);
    }
    traced.sort_by_key(|it| it.span);
    traced
}

/// Whether a function is the body of a claim, or nested in one.
fn is_in_claim(program: &Program, mut id: FunctionId) -> bool {
    // A lambda is nested in a function created before it, so this terminates.
    loop {
        match program.function(id).kind {
            FunctionKind::Claim => return true,
            FunctionKind::Declared => {
                let is_it = |kind: &ClaimKind| matches!(kind, ClaimKind::Property(property, _) if *property == id);
                return program.claims.iter().any(|it| is_it(&it.kind));
            }
            FunctionKind::Lambda(parent) if parent != id => id = parent,
            FunctionKind::Lambda(_) | FunctionKind::Refinement | FunctionKind::Constant => {
                return false;
            }
        }
    }
}

fn performs(function: &Function, wanted: OpId) -> bool {
    let is_it = |it: &Term| matches!(it, Term::Perform { op, .. } if *op == wanted);
    function.body.terms.iter().any(is_it)
}

/// Traces what the `let`s of a body bind.
fn trace_lets(
    body: &mut Body,
    trace_op: OpId,
    first_number: i64,
    traced: &mut Vec<TracedLocal>,
) {
    for at in 0..body.terms.len() {
        let Term::Block { statements, result } = body.terms[at].clone() else { continue };
        let mut all = Vec::new();
        for statement in statements {
            all.push(statement.clone());
            let Statement::Let(pattern, _) = statement else { continue };
            for local in locals_of(body, pattern) {
                let written = body.local(local);
                let (name, span) = (written.name.clone(), written.span);
                // A local of the desugaring has a span that is not its name.
                let is_written = (span.end - span.start) as usize == name.len();
                if is_written && traced.len() < MAX_LOCALS {
                    let number = first_number + traced.len() as i64;
                    traced.push(TracedLocal { number, name, span });
                    all.push(TraceInserter::new(body, trace_op).local_trace(local, number));
                }
            }
        }
        body.terms[at] = Term::Block { statements: all.into(), result };
    }
}

/// The locals that a pattern binds.
fn locals_of(body: &Body, pattern: PatternId) -> Vec<LocalId> {
    let mut locals = Vec::new();
    let mut waiting = vec![pattern];
    while let Some(next) = waiting.pop() {
        let pattern = &body.patterns[next.index()];
        if let Pattern::Bind(local) = pattern
            && !locals.contains(local)
        {
            locals.push(*local);
        }
        pattern.for_each_subpattern(&mut |part| waiting.push(part));
    }
    locals.sort_unstable_by_key(|it| it.index());
    locals
}
