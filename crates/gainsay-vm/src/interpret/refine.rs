//! Refinement checks: walks a type to find the predicates inside it.
//!
//! Fields of sums and records are checked at construction; only refinements that a type argument
//! introduces into a generic type (`Option<Nat>`) are checked again here. Functions are opaque:
//! their parameters and results are checked when they are called.

use gainsay_core::{CtorId, Field, FunctionId, Program, Ty, TyId, TypeTable};

use super::node_code::CodeNode;
use super::{CallSite, FrameRef, Interpreter, Unwind};
use crate::value::{Fields, Value};

/// A check still to be done.
enum PendingRefinement {
    /// Check a value against all refinements in a type.
    Walk(Value, TyId),
    /// Check a value against the predicate of a refined type.
    Predicate(Value, FunctionId, TyId),
}

impl<'a> Interpreter<'a> {
    /// Finds the first part of a value that is outside its type, and that type. Inner refinements
    /// are checked before outer ones, so that a predicate only sees values of its base type.
    #[inline(never)]
    pub(super) fn find_refinement_violation(
        &mut self,
        value: &Value,
        ty: TyId,
        at: FrameRef<'a>,
        node: &'a CodeNode,
    ) -> Result<Option<(TyId, Value)>, Unwind> {
        let mut pending = vec![PendingRefinement::Walk(value.clone(), ty)];
        while let Some(next) = pending.pop() {
            match next {
                PendingRefinement::Walk(value, ty) => {
                    self.meter.charge_work(1).map_err(|kind| self.fault(at, node, kind))?;
                    self.push_refined_parts(value, ty, &mut pending);
                }
                PendingRefinement::Predicate(value, predicate, refined) => {
                    // A predicate has no captures: what it refers to are constants and functions.
                    let predicate = Value::Closure(predicate, Fields::EMPTY);
                    let args = std::slice::from_ref(&value);
                    let site = Some(CallSite { code: at.code, node });
                    let holds =
                        self.call_value(&predicate, args, at.first_free_slot(), site)?;
                    if holds.as_bool() != Some(true) {
                        // An instance created during this walk is unknown to the program, so report
                        // the outer type.
                        let is_known = refined.index() < self.program.types.len();
                        return Ok(Some((if is_known { refined } else { ty }, value)));
                    }
                }
            }
        }
        Ok(None)
    }

    fn types(&self) -> &TypeTable {
        self.memory.types.as_deref().unwrap_or(&self.program.types)
    }

    fn push_refined_parts(
        &mut self,
        value: Value,
        ty: TyId,
        pending: &mut Vec<PendingRefinement>,
    ) {
        if !self.types().flags(ty).has_refinement() {
            return;
        }
        let first = pending.len();
        // Cloned, because instantiating field types below mutates the table.
        match (self.types().get(ty).clone(), &value) {
            (Ty::Refined { base, predicate, .. }, _) => {
                // `pending` is a stack: the base is walked before the predicate runs.
                pending.push(PendingRefinement::Predicate(value.clone(), predicate, ty));
                pending.push(PendingRefinement::Walk(value, base));
                return;
            }
            (Ty::List(item), Value::List(list)) => {
                pending.extend(list.iter().map(|it| PendingRefinement::Walk(it.clone(), item)));
            }
            (Ty::Set(item), Value::Set(table)) => {
                pending.extend(
                    table.iter().map(|(key, _)| PendingRefinement::Walk(key.clone(), item)),
                );
            }
            (Ty::Map(key_ty, value_ty), Value::Map(table)) => {
                for (key, value) in table.iter() {
                    pending.push(PendingRefinement::Walk(key.clone(), key_ty));
                    pending.push(PendingRefinement::Walk(value.clone(), value_ty));
                }
            }
            (Ty::Tuple(tys), Value::Tuple(fields)) => {
                let parts = fields.as_slice().iter().zip(&tys);
                pending.extend(parts.map(|(it, ty)| PendingRefinement::Walk(it.clone(), *ty)));
            }
            (Ty::Named(_, args), Value::Data(ctor, fields)) => {
                let tys = self.field_types(*ctor, &args);
                let parts = fields.as_slice().iter().zip(tys);
                pending.extend(
                    parts.filter_map(|(it, ty)| Some(PendingRefinement::Walk(it.clone(), ty?))),
                );
            }
            _ => {}
        }
        // `pending` is a stack: the first part must be on top.
        pending[first..].reverse();
    }

    /// The types of the fields that depend on a type argument.
    fn field_types(&mut self, ctor: CtorId, args: &[TyId]) -> Vec<Option<TyId>> {
        generic_fields(self.program, &mut self.memory.types, ctor, args)
    }
}

/// The types of the fields that depend on a type argument, instantiated. New instances go into a
/// copy of the program's type table, because the program itself is shared.
pub(crate) fn generic_fields(
    program: &Program,
    instances: &mut Option<Box<TypeTable>>,
    ctor: CtorId,
    args: &[TyId],
) -> Vec<Option<TyId>> {
    let types = instances.get_or_insert_with(|| Box::new(program.types.clone()));
    let instance = |field: &Field| {
        let is_generic = types.flags(field.ty).has_param();
        is_generic.then(|| types.instantiate(field.ty, args))
    };
    program.ctor(ctor).fields.iter().map(instance).collect()
}
