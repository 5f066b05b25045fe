//! Claims, contracts and constants.

use gainsay_core::{ConstId, Strength, Term};

use super::convert::{copy, to_value};
use super::effect::with_host;
use super::{C, D, N, call_value, of};
use crate::fault::{ClauseKind, FaultKind};
use crate::host::{Observation, Verdict};
use crate::jit::context::Site;
use crate::jit::heap::Heap;
use crate::jit::log::Event;
use crate::jit::word::Word;

/// A clause of a contract did not hold: its number, counted from the first `in` clause.
pub(super) extern "C" fn violated(context: C, site: N) -> Word {
    let context = of(context);
    let at = Site::unpacked(site);
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

/// An `observe`: the host hears of it, with both sides of a comparison that does not hold.
pub(super) extern "C" fn observe(
    context: C,
    site: N,
    holds: Word,
    lhs: Word,
    rhs: Word,
) -> Word {
    let at = Site::unpacked(site);
    let holds = holds == Word::TRUE;
    let has_sides = !holds && lhs != Word::FAULT;
    let sides = has_sides.then(|| (to_value(lhs), to_value(rhs)));
    let body = &of(context).program().function(at.function).body;
    let strength = match body.terms.get(at.node as usize) {
        Some(Term::Observe { strength, .. }) => *strength,
        Some(_) | None => Strength::Truth,
    };
    let place = body.spans.get(at.node as usize).copied();
    let site_span = place.unwrap_or(of(context).program().function(at.function).span);
    let verdict = with_host(context, |host| {
        host.observe(&Observation {
            holds,
            strength,
            site: site_span,
            function: at.function,
            sides: sides.as_ref().map(|(lhs, rhs)| (lhs, rhs)),
        })
    });
    if !holds && let Some(verdict) = verdict {
        of(context).state.log.push(Event::Verdict(verdict));
    }
    match verdict {
        Some(Verdict::Continue) => Word::UNIT,
        Some(Verdict::Stop) => of(context).raise(FaultKind::Observe, site),
        None => Word::FAULT,
    }
}

pub(super) extern "C" fn assume_failed(context: C, site: N) -> Word {
    let at = Site::unpacked(site);
    let function = of(context).program().function(at.function);
    let place = function.body.spans.get(at.node as usize).copied().unwrap_or(function.span);
    let verdict = with_host(context, |host| host.assume_failed(place));
    if let Some(verdict) = verdict {
        of(context).state.log.push(Event::Verdict(verdict));
    }
    match verdict {
        Some(Verdict::Continue) => Word::UNIT,
        Some(Verdict::Stop) => of(context).raise(FaultKind::Discarded, site),
        None => Word::FAULT,
    }
}

//   body fails with a kind in kinds          body ⇓ v
//   ────────────────────────────────   ────────────────────────
//    throws(kinds) { body } ⇓ true      throws { body } ⇓ false
//
// Limits and troubles of the host are no failures of the program, and pass through. Whatever
// the body had entered and not left is left here.
pub(super) extern "C" fn throws(context: C, site: N, body: Word, depth: D) -> Word {
    let at = Site::unpacked(site);
    let state = &of(context).state;
    let (mark, n_branches) = (state.worlds.mark(), state.path.len());
    let n_recorders = state.recorders.len();
    let result = call_value(context, body, &[], depth - 1, site);
    if result != Word::FAULT {
        return Word::FALSE;
    }
    let context = of(context);
    let Some(raised) = &context.state.raised else { return Word::FAULT };
    let function = context.program().function(at.function);
    let kinds = match function.body.terms.get(at.node as usize) {
        Some(Term::Throws { kinds, .. }) => &**kinds,
        Some(_) | None => &[],
    };
    match raised.kind.failure() {
        Some(kind) if kinds.is_empty() || kinds.contains(&kind) => {
            context.state.raised = None;
            context.state.worlds.leave(mark);
            context.state.path.truncate(n_branches);
            context.state.recorders.truncate(n_recorders);
            context.choose_quick();
            Word::TRUE
        }
        Some(_) | None => Word::FAULT,
    }
}

/// The value of a constant: computed at its first use, on its own account.
pub(super) extern "C" fn constant(context: C, number: N, depth: D, site: N) -> Word {
    let index = number as usize;
    if let Some(raised) = &of(context).state.constant_faults[index] {
        let raised = raised.clone();
        of(context).state.raised = Some(raised);
        return Word::FAULT;
    }
    let function = of(context).program().constant(ConstId(number as u32)).function;
    let Ok(function) = of(context).state.code.value_of(function) else {
        return of(context).raise(FaultKind::Unsupported("a constant without code"), site);
    };
    let n_words = of(context).state.limits.words;
    let steps = of(context).steps.open_account();
    let heap = of(context).heap.open_account(n_words);
    // Whether it is computed now or was before is not to be seen, neither in a trace nor in the
    // fault of a branch that another order would have come to first.
    let recorders = std::mem::take(&mut of(context).state.recorders);
    let par_order = of(context).state.par_order.take();
    let result = call_value(context, function, &[], depth, site);
    let context = of(context);
    (context.state.recorders, context.state.par_order) = (recorders, par_order);
    let kept = context.state.kept.get_or_insert_with(|| Box::new(Heap::new(n_words)));
    let result = match result {
        Word::FAULT => Word::FAULT,
        word => copy(word, kept).unwrap_or(Word::FAULT),
    };
    context.steps.close_account(steps);
    context.heap.close_account(heap);
    if result != Word::FAULT {
        // SAFETY: the table has a word for each constant of the program.
        unsafe { context.constants.add(index).write(result) };
        return result;
    }
    let raised = context.state.raised.clone();
    let Some(raised) = raised else { return context.raise(FaultKind::MemoryLimit, site) };
    // How much native stack is left, or that the user interrupts, is no property of it.
    if !matches!(raised.kind, FaultKind::DepthLimit | FaultKind::Interrupted) {
        context.state.constant_faults[index] = Some(raised);
    }
    Word::FAULT
}
