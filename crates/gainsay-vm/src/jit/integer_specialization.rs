//! Integer specialization: functions with separate versions for small and for other integers.
//!
//! A recursive function with much arithmetic on its parameters would check their tags in each call.
//! Its specialization for small integers does not: its callers guarantee them. The original
//! function checks once and tail-calls a specialization.

use gainsay_core::builtin::{INT_ADD, INT_DIV, INT_MUL, INT_NEG, INT_REM, INT_SUB};
use gainsay_core::{Body, BuiltinId, Function, FunctionId, Literal, Program, Term, TermId, Ty};

use super::calling_convention::{checks_result, size_of};
use super::instrumentation::Instrumentation;

/// Maximum number of terms and locals of a specialized function.
const MAX_SIZE: usize = 64;

/// How many operations on parameters alone make a single check at entry worthwhile.
const MANY_OPERATIONS: usize = 4;

/// Whether a function has integer specializations: it is short, has no checks around it, and no
/// mutants; and it has no tail call to itself, because a specialization that must leave for the
/// other one could not reuse its frame.
pub(super) fn has_small_int_specialization(
    program: &Program,
    instruments: &Instrumentation,
    id: FunctionId,
) -> bool {
    let function = program.function(id);
    let is_refined = |ty| program.types.flags(ty).has_refinement();
    size_of(function) <= MAX_SIZE
        && is_recursive(function, id)
        && is_arithmetic_heavy(function)
        // A closure is called through its code pointer, which stands for one version.
        && function.n_captures == 0
        && function.requires.is_empty()
        && !checks_result(program, function)
        && !function.params.iter().any(|param| is_refined(param.ty))
        && function.params.iter().any(|it| matches!(program.types.get(it.ty), Ty::Int))
        && !instruments.has_mutants_in(id)
        // That is what loops are for; see `emit/loops.rs`.
        && !is_tail_recursive(program, id)
}

/// Whether a function calls itself.
pub(super) fn is_recursive(function: &Function, id: FunctionId) -> bool {
    let is_call = |term: &Term| matches!(term, Term::Call { function, .. } if *function == id);
    function.body.terms.iter().any(is_call)
}

/// Whether a function does much arithmetic on its parameters alone.
pub(super) fn is_arithmetic_heavy(function: &Function) -> bool {
    let body = &function.body;
    // Parameters and literals are known to be small in the specialization; anything else is checked
    // anyway.
    let is_known = |term: &TermId| {
        let term = body.term(*term);
        matches!(term, Term::Local(local) if local.index() < function.params.len())
            || matches!(term, Term::Literal(Literal::Int(_)))
    };
    let is_operation = |term: &&Term| {
        matches!(term, Term::Builtin { builtin, args, .. }
            if is_arithmetic(*builtin) && args.iter().all(is_known))
    };
    body.terms.iter().filter(is_operation).count() >= MANY_OPERATIONS
}

fn is_arithmetic(builtin: BuiltinId) -> bool {
    matches!(builtin, INT_ADD | INT_SUB | INT_MUL | INT_DIV | INT_REM | INT_NEG)
}

/// Whether a function calls itself in tail position.
pub(super) fn is_tail_recursive(program: &Program, id: FunctionId) -> bool {
    let is_call = |term: &Term| matches!(term, Term::Call { function, .. } if *function == id);
    tail_terms(program, &program.function(id).body).into_iter().any(is_call)
}

/// The innermost terms in tail position.
pub(super) fn tail_terms<'p>(program: &Program, body: &'p Body) -> Vec<&'p Term> {
    let mut last = Vec::new();
    let mut pending: Vec<TermId> = body.root.into_iter().collect();
    while let Some(term) = pending.pop() {
        let term = body.term(term);
        if let Term::If { then, otherwise, .. } = term {
            pending.extend([*then, *otherwise]);
        } else if let Term::And(_, inner) | Term::Or(_, inner) = term {
            pending.push(*inner);
        } else if let Term::Match { arms, .. } = term {
            pending.extend(arms.iter().map(|arm| arm.body));
        } else if let Term::Block { result: inner, .. }
        | Term::Sample { condition: inner, .. } = term
        {
            pending.push(*inner);
        } else if let Term::Refine { value, ty } = term
            // A refinement is checked after its value, which is then not the last thing to happen.
            && !program.types.flags(*ty).has_refinement()
        {
            pending.push(*value);
        } else {
            last.push(term);
        }
    }
    last
}
