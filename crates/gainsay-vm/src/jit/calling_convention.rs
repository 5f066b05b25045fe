//! Properties of functions that are known before they are compiled: calling convention and frame
//! size.

use cranelift_codegen::isa::CallConv;
use gainsay_core::{Function, FunctionId, Program, Term, TermId};

use super::instrumentation::Instrumentation;

/// The calling convention of a function.
///
/// A function without tail calls to other functions uses a convention without callee-saved
/// registers: paths without calls, on which most calls end, save nothing. All others use the
/// convention with tail calls, and so does everything that is called as a value or has mutants, any
/// of which may be a tail call.
pub(super) fn convention(
    program: &Program,
    instruments: &Instrumentation,
    id: FunctionId,
) -> CallConv {
    let function = program.function(id);
    // `Winch` is internal to Cranelift; what it means is relied on for x86-64 alone.
    let is_plain = cfg!(target_arch = "x86_64") && function.n_captures == 0;
    let is_plain = is_plain && !instruments.has_mutants_in(id);
    // Tail calls need `CallConv::Tail` on both sides.
    if is_plain && !has_tail_call(program, id) { CallConv::Winch } else { CallConv::Tail }
}

/// Whether something is checked after the body, so that no call in it is a tail call.
pub(super) fn checks_result(program: &Program, function: &Function) -> bool {
    !function.ensures.is_empty() || program.types.flags(function.result).has_refinement()
}

/// Whether a call in tail position may be to another function.
#[expect(clippy::wildcard_enum_match_arm, reason = "an unknown form may contain a tail call")]
fn has_tail_call(program: &Program, id: FunctionId) -> bool {
    let function = program.function(id);
    if checks_result(program, function) {
        return false;
    }
    let mut pending: Vec<TermId> = function.body.root.into_iter().collect();
    while let Some(term) = pending.pop() {
        match function.body.term(term) {
            Term::If { then, otherwise, .. } => pending.extend([*then, *otherwise]),
            // The left operand is never in tail position: its value decides whether the right one
            // is evaluated.
            Term::And(_, last) | Term::Or(_, last) => pending.push(*last),
            Term::Match { arms, .. } => pending.extend(arms.iter().map(|arm| arm.body)),
            Term::Block { result, .. } => pending.push(*result),
            Term::Sample { condition, .. } => pending.push(*condition),
            // Even if it checks: counting a call as a tail call is safe, and only costs registers.
            Term::Refine { value, .. } => pending.push(*value),
            // A tail call of the function itself is compiled to a loop.
            Term::Call { function, .. } if *function == id => {}
            Term::Literal(_) | Term::Local(_) | Term::Constant(_) | Term::Function { .. } => {}
            Term::Closure { .. } | Term::Builtin { .. } | Term::Perform { .. } => {}
            Term::CheckRel { .. } | Term::Tuple(_) | Term::List { .. } => {}
            Term::Construct { .. } | Term::Field { .. } | Term::Update { .. } => {}
            Term::Try { .. } | Term::Observe { .. } | Term::Assume(_) => {}
            Term::Throws { .. } | Term::Under { .. } | Term::Across { .. } => {}
            Term::Par { .. } | Term::Traced { .. } | Term::Hole => {}
            // Calls, and every form not listed: the convention with tail calls is right for
            // functions without any, too, only slower.
            _ => return true,
        }
    }
    false
}

/// The most stack, in bytes, that a call of a function with a small frame takes.
pub(super) const SMALL_FRAME: usize = 1024;

/// The most words that a function with a small frame may hold at once.
pub(super) const MAX_SMALL_SIZE: usize = 112;

/// Whether a call of a function takes at most [`SMALL_FRAME`] bytes of stack: it holds at most one
/// word per term and local, and the rest is for addresses and registers.
pub(super) fn has_small_frame(function: &Function) -> bool {
    size_of(function) <= MAX_SMALL_SIZE
}

/// Number of terms and locals of a function.
pub(super) fn size_of(function: &Function) -> usize {
    let body = &function.body;
    body.terms.len() + body.locals.len() + function.params.len()
}
