//! Runtime functions for claims, contracts and constants.

use gainsay_core::{ConstId, ObserveStrength, Term};

use super::convert::{copy_to_arena, to_value};
use super::effect::with_host;
use super::{ContextPtr, DepthLeft, RawNumber, call_value, context_of};
use crate::fault::{ClauseKind, FaultKind};
use crate::host::{FailureAction, Observation};
use crate::jit::arena::Arena;
use crate::jit::context::TermSite;
use crate::jit::replay_log::HostEvent;
use crate::jit::word::Word;

/// Raises the fault of a contract clause, given its index counted from the first `in` clause.
pub(super) extern "C" fn contract_violated(context: ContextPtr, site: RawNumber) -> Word {
    let context = context_of(context);
    let at = TermSite::unpacked(site);
    let function = context.program().function(at.function);
    let number = at.node as usize;
    let n_requires = function.requires.len();
    let (clause, kind) = match number.checked_sub(n_requires) {
        None => (&function.requires[number], ClauseKind::In),
        Some(number) => (&function.ensures[number], ClauseKind::Out),
    };
    let kind = FaultKind::Contract { clause: kind, function: at.function, at: clause.span };
    context.raise(kind, site)
}

/// Reports an `observe` to the host, with both sides of a comparison that does not hold.
pub(super) extern "C" fn observe(
    context: ContextPtr,
    site: RawNumber,
    holds: Word,
    lhs: Word,
    rhs: Word,
) -> Word {
    let at = TermSite::unpacked(site);
    let holds = holds == Word::TRUE;
    // Word 0 stands for sides that were not evaluated separately.
    // Converting is costly and only a failure shows the sides.
    let has_sides = !holds && lhs != Word::FAULT;
    let sides = has_sides.then(|| (to_value(lhs), to_value(rhs)));
    let body = &context_of(context).program().function(at.function).body;
    let strength = match body.terms.get(at.node as usize) {
        Some(Term::Observe { strength, .. }) => *strength,
        Some(_) | None => ObserveStrength::Truth,
    };
    let place = body.spans.get(at.node as usize).copied();
    let site_span = place.unwrap_or(context_of(context).program().function(at.function).span);
    let verdict = with_host(context, |host| {
        host.observe(&Observation {
            holds,
            strength,
            site: site_span,
            function: at.function,
            sides: sides.as_ref().map(|(lhs, rhs)| (lhs, rhs)),
        })
    });
    // Passing observations are not logged: the replay decides them the same way.
    if !holds && let Some(verdict) = verdict {
        context_of(context).state.log.push(HostEvent::FailureAction(verdict));
    }
    match verdict {
        Some(FailureAction::Continue) => Word::UNIT,
        Some(FailureAction::Stop) => context_of(context).raise(FaultKind::Observe, site),
        None => Word::FAULT,
    }
}

pub(super) extern "C" fn assume_failed(context: ContextPtr, site: RawNumber) -> Word {
    let at = TermSite::unpacked(site);
    let function = context_of(context).program().function(at.function);
    let place = function.body.spans.get(at.node as usize).copied().unwrap_or(function.span);
    let verdict = with_host(context, |host| host.assume_failed(place));
    if let Some(verdict) = verdict {
        context_of(context).state.log.push(HostEvent::FailureAction(verdict));
    }
    match verdict {
        Some(FailureAction::Continue) => Word::UNIT,
        Some(FailureAction::Stop) => context_of(context).raise(FaultKind::Discarded, site),
        None => Word::FAULT,
    }
}

//   body fails with a kind in kinds          body ⇓ v
//   ────────────────────────────────   ────────────────────────
//    throws(kinds) { body } ⇓ true      throws { body } ⇓ false
//
// Limits and host errors are not failures of the program, and propagate. State that the body
// entered and did not leave, because a fault returns without cleaning up, is restored here.
pub(super) extern "C" fn throws(
    context: ContextPtr,
    site: RawNumber,
    body: Word,
    depth: DepthLeft,
) -> Word {
    let at = TermSite::unpacked(site);
    let state = &context_of(context).state;
    // A fault leaves this state as it was at the fault.
    let (mark, n_branches) = (state.worlds.mark(), state.par_path.len());
    let n_recorders = state.recorders.len();
    let result = call_value(context, body, &[], depth - 1, site);
    if result != Word::FAULT {
        return Word::FALSE;
    }
    let context = context_of(context);
    let Some(raised) = &context.state.raised else { return Word::FAULT };
    let function = context.program().function(at.function);
    let kinds = match function.body.terms.get(at.node as usize) {
        Some(Term::Throws { kinds, .. }) => &**kinds,
        Some(_) | None => &[],
    };
    match raised.kind.failure_kind() {
        Some(kind) if kinds.is_empty() || kinds.contains(&kind) => {
            context.state.raised = None;
            context.state.worlds.restore(mark);
            context.state.par_path.truncate(n_branches);
            context.state.recorders.truncate(n_recorders);
            context.select_fast_answers();
            Word::TRUE
        }
        Some(_) | None => Word::FAULT,
    }
}

/// The value of a constant, computed at its first use on a budget of its own.
pub(super) extern "C" fn constant(
    context: ContextPtr,
    number: RawNumber,
    depth: DepthLeft,
    site: RawNumber,
) -> Word {
    let index = number as usize;
    // A constant that failed once fails each time in the same way.
    if let Some(raised) = &context_of(context).state.constant_faults[index] {
        let raised = raised.clone();
        context_of(context).state.raised = Some(raised);
        return Word::FAULT;
    }
    let function = context_of(context).program().constant(ConstId(number as u32)).function;
    let Ok(function) = context_of(context).state.code.function_value(function) else {
        return context_of(context)
            .raise(FaultKind::Unsupported("a constant without code"), site);
    };
    // The constant has the full limits of a call, not the rest of the current one.
    let n_words = context_of(context).state.limits.words;
    let steps = context_of(context).steps.open_budget();
    let heap = context_of(context).heap.open_budget(n_words);
    // Whether a constant is computed now or was computed before must not be observable: neither in
    // a trace nor in the fault of a branch that another `par` order would have reached first.
    let recorders = std::mem::take(&mut context_of(context).state.recorders);
    let par_order = context_of(context).state.par_order.take();
    let result = call_value(context, function, &[], depth, site);
    let context = context_of(context);
    (context.state.recorders, context.state.par_order) = (recorders, par_order);
    // Constants outlive the case, so their values are copied out of its arena before the budget is
    // closed, which frees them.
    let kept =
        context.state.constant_arena.get_or_insert_with(|| Box::new(Arena::new(n_words)));
    let result = match result {
        Word::FAULT => Word::FAULT,
        word => copy_to_arena(word, kept).unwrap_or(Word::FAULT),
    };
    context.steps.close_budget(steps);
    // SAFETY: the result was copied, and nothing else of the computation is left.
    unsafe { context.heap.close_budget(heap) };
    if result != Word::FAULT {
        // SAFETY: the table has a word for each constant of the program.
        unsafe { context.constants.add(index).write(result) };
        return result;
    }
    let raised = context.state.raised.clone();
    // The computation succeeded, but the copy did not fit.
    let Some(raised) = raised else { return context.raise(FaultKind::MemoryLimit, site) };
    // The remaining native stack and interrupts by the user are not properties of the constant.
    if !matches!(raised.kind, FaultKind::DepthLimit | FaultKind::Interrupted) {
        context.state.constant_faults[index] = Some(raised);
    }
    Word::FAULT
}
