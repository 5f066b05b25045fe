//! Refinement checks of types with refinements inside, following the interpreter's algorithm.

use gainsay_core::{FunctionId, Ty, TyId, TypeTable};

use super::comparison::WordTableEntries;
use super::{ContextPtr, DepthLeft, RawNumber, call_value, context_of};
use crate::fault::{FaultKind, RefinedRole};
use crate::interpret::generic_fields;
use crate::jit::context::{JitContext, TermSite};
use crate::jit::emit::RefinedRoleCode;
use crate::jit::word::{Word, WordView};

/// Raises the fault of a value outside a refined type.
pub(super) extern "C" fn refinement_failed(
    context: ContextPtr,
    site: RawNumber,
    ty: RawNumber,
    role: RawNumber,
) -> Word {
    let function = TermSite::unpacked(site).function;
    let role = match RefinedRoleCode::unpacked(role) {
        RefinedRoleCode::Part => RefinedRole::Part,
        RefinedRoleCode::Result => RefinedRole::Result(function),
        RefinedRoleCode::Argument(param) => RefinedRole::Argument { function, param },
    };
    context_of(context).raise(FaultKind::Refinement { ty: TyId(ty as u32), role }, site)
}

/// A check still to be done.
enum PendingWordRefinement {
    /// Check a value against all refinements in a type.
    Walk(Word, TyId),
    /// Check a value against the predicate of a refined type.
    Predicate(Word, FunctionId, TyId),
}

/// Checks a value against a type with refinements inside. Inner refinements are checked before
/// outer ones, so that a predicate only sees values of its base type.
pub(super) extern "C" fn check_refinement(
    context: ContextPtr,
    site: RawNumber,
    ty: RawNumber,
    role: RawNumber,
    word: Word,
    depth: DepthLeft,
) -> Word {
    let whole = TyId(ty as u32);
    let mut pending = vec![PendingWordRefinement::Walk(word, whole)];
    while let Some(next) = pending.pop() {
        match next {
            PendingWordRefinement::Walk(word, ty) => {
                push_refined_parts(context_of(context), word, ty, &mut pending)
            }
            PendingWordRefinement::Predicate(word, predicate, refined) => {
                let Ok(predicate) = context_of(context).state.code.function_value(predicate)
                else {
                    let kind = FaultKind::Unsupported("a predicate without code");
                    return context_of(context).raise(kind, site);
                };
                let holds = call_value(context, predicate, &[word], depth - 1, site);
                if holds == Word::FAULT {
                    return Word::FAULT;
                }
                if holds != Word::TRUE {
                    // An instance created during this walk is unknown to the program, so report the
                    // outer type.
                    let is_known = refined.index() < context_of(context).program().types.len();
                    let ty = if is_known { refined } else { whole };
                    return refinement_failed(context, site, u64::from(ty.0), role);
                }
            }
        }
    }
    Word::TRUE
}

fn types(context: &JitContext) -> &TypeTable {
    context.state.types.as_deref().unwrap_or(&context.state.code.program.types)
}

fn push_refined_parts(
    context: &mut JitContext,
    word: Word,
    ty: TyId,
    pending: &mut Vec<PendingWordRefinement>,
) {
    // Whole subtrees without refinements are skipped, which is most of a typical value.
    if !types(context).flags(ty).has_refinement() {
        return;
    }
    let first = pending.len();
    match (types(context).get(ty).clone(), word.view()) {
        (Ty::Refined { base, predicate, .. }, _) => {
            // `pending` is a stack: the base is walked before the predicate runs.
            pending.push(PendingWordRefinement::Predicate(word, predicate, ty));
            pending.push(PendingWordRefinement::Walk(word, base));
            return;
        }
        // Iterative: a long list must not recurse.
        (Ty::List(item), WordView::Cons) => {
            let mut rest = word;
            while let Some((head, tail)) = rest.split_first() {
                pending.push(PendingWordRefinement::Walk(head, item));
                rest = tail;
            }
        }
        (Ty::Set(item), WordView::Set(_)) => {
            pending.extend(
                WordTableEntries::of(word)
                    .map(|(key, _)| PendingWordRefinement::Walk(key, item)),
            );
        }
        (Ty::Map(key_ty, value_ty), WordView::Map(_)) => {
            for (key, value) in WordTableEntries::of(word) {
                pending.push(PendingWordRefinement::Walk(key, key_ty));
                pending.push(PendingWordRefinement::Walk(value, value_ty));
            }
        }
        (Ty::Tuple(tys), WordView::Tuple(fields)) => {
            pending.extend(
                fields.iter().zip(&tys).map(|(it, ty)| PendingWordRefinement::Walk(*it, *ty)),
            );
        }
        (Ty::Named(_, args), WordView::Data(ctor, fields)) => {
            let state = &mut context.state;
            // Fields of a generic type are instantiated here, which may create types that the
            // program lacks.
            let tys = generic_fields(&state.code.program, &mut state.types, ctor, &args);
            let parts = fields.iter().zip(tys);
            pending.extend(
                parts.filter_map(|(it, ty)| Some(PendingWordRefinement::Walk(*it, ty?))),
            );
        }
        _ => {}
    }
    // `pending` is a stack: the first part must be on top.
    pending[first..].reverse();
}
