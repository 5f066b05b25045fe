//! Refinement checks of types with refinements inside, as the interpreter makes them.

use gainsay_core::{FunctionId, Ty, TyId, TypeTable};

use super::order::Entries;
use super::{C, D, N, call_value, of};
use crate::fault::{FaultKind, RefinedRole};
use crate::interpret::generic_fields;
use crate::jit::context::{Context, Site};
use crate::jit::emit::Role;
use crate::jit::word::{View, Word};

/// A value is outside a refined type.
pub(super) extern "C" fn not_refined(context: C, site: N, ty: N, role: N) -> Word {
    let function = Site::unpacked(site).function;
    let role = match Role::unpacked(role) {
        Role::Part => RefinedRole::Part,
        Role::Result => RefinedRole::Result(function),
        Role::Argument(param) => RefinedRole::Argument { function, param },
    };
    of(context).raise(FaultKind::Refinement { ty: TyId(ty as u32), role }, site)
}

/// What is still to be checked.
enum Pending {
    /// A value against all refinements in a type.
    Walk(Word, TyId),
    /// A value against the predicate of a refined type.
    Predicate(Word, FunctionId, TyId),
}

/// Checks a value against a type with refinements inside. Inner refinements are checked
/// before outer ones, so that a predicate sees only values of its base.
pub(super) extern "C" fn outside(
    context: C,
    site: N,
    ty: N,
    role: N,
    word: Word,
    depth: D,
) -> Word {
    let whole = TyId(ty as u32);
    let mut pending = vec![Pending::Walk(word, whole)];
    while let Some(next) = pending.pop() {
        match next {
            Pending::Walk(word, ty) => walk(of(context), word, ty, &mut pending),
            Pending::Predicate(word, predicate, refined) => {
                let Ok(predicate) = of(context).state.code.value_of(predicate) else {
                    let kind = FaultKind::Unsupported("a predicate without code");
                    return of(context).raise(kind, site);
                };
                let holds = call_value(context, predicate, &[word], depth - 1, site);
                if holds == Word::FAULT {
                    return Word::FAULT;
                }
                if holds != Word::TRUE {
                    // An instance made for this walk is unknown to the program.
                    let is_known = refined.index() < of(context).program().types.len();
                    let ty = if is_known { refined } else { whole };
                    return not_refined(context, site, u64::from(ty.0), role);
                }
            }
        }
    }
    Word::TRUE
}

fn types(context: &Context) -> &TypeTable {
    context.state.types.as_deref().unwrap_or(&context.state.code.program.types)
}

fn walk(context: &mut Context, word: Word, ty: TyId, pending: &mut Vec<Pending>) {
    if !types(context).flags(ty).has_refinement() {
        return;
    }
    let first = pending.len();
    match (types(context).get(ty).clone(), word.view()) {
        (Ty::Refined { base, predicate, .. }, _) => {
            pending.push(Pending::Predicate(word, predicate, ty));
            pending.push(Pending::Walk(word, base));
            return;
        }
        (Ty::List(item), View::Cons) => {
            let mut rest = word;
            while let Some((head, tail)) = rest.uncons() {
                pending.push(Pending::Walk(head, item));
                rest = tail;
            }
        }
        (Ty::Set(item), View::Set(_)) => {
            pending.extend(Entries::of(word).map(|(key, _)| Pending::Walk(key, item)));
        }
        (Ty::Map(key_ty, value_ty), View::Map(_)) => {
            for (key, value) in Entries::of(word) {
                pending.push(Pending::Walk(key, key_ty));
                pending.push(Pending::Walk(value, value_ty));
            }
        }
        (Ty::Tuple(tys), View::Tuple(fields)) => {
            pending.extend(fields.iter().zip(&tys).map(|(it, ty)| Pending::Walk(*it, *ty)));
        }
        (Ty::Named(_, args), View::Data(ctor, fields)) => {
            let state = &mut context.state;
            let tys = generic_fields(&state.code.program, &mut state.types, ctor, &args);
            let parts = fields.iter().zip(tys);
            pending.extend(parts.filter_map(|(it, ty)| Some(Pending::Walk(*it, ty?))));
        }
        _ => {}
    }
    // The list of things to do is a stack: the first part must be on top.
    pending[first..].reverse();
}
