//! Refinement checks: a walk along a type to the predicates inside it.
//!
//! Fields of sums and records are checked when they are made; only what a type argument
//! brings into a generic type (`Option<Nat>`) is looked for again. Functions cannot be
//! looked into: their own parameters and results are checked when they are called.

use gainsay_core::{CtorId, Field, FunctionId, Program, Ty, TyId, TypeTable};

use super::code::Node;
use super::{At, Machine, Site, Stop};
use crate::value::{Fields, Value};

/// What is still to be checked.
enum Pending {
    /// A value against all refinements in a type.
    Walk(Value, TyId),
    /// A value against the predicate of a refined type.
    Predicate(Value, FunctionId, TyId),
}

impl<'a> Machine<'a> {
    /// The first part of a value that is outside its type, and that type. Inner refinements
    /// are checked before outer ones, so that a predicate sees only values of its base.
    #[inline(never)]
    pub(super) fn outside(
        &mut self,
        value: &Value,
        ty: TyId,
        at: At<'a>,
        node: &'a Node,
    ) -> Result<Option<(TyId, Value)>, Stop> {
        let mut pending = vec![Pending::Walk(value.clone(), ty)];
        while let Some(next) = pending.pop() {
            match next {
                Pending::Walk(value, ty) => {
                    self.meter.work(1).map_err(|kind| self.fault(at, node, kind))?;
                    self.walk(value, ty, &mut pending);
                }
                Pending::Predicate(value, predicate, refined) => {
                    let predicate = Value::Closure(predicate, Fields::EMPTY);
                    let args = std::slice::from_ref(&value);
                    let site = Some(Site { code: at.code, node });
                    let holds = self.call_value(&predicate, args, at.top(), site)?;
                    if holds.as_bool() != Some(true) {
                        // An instance made for this walk is unknown to the program.
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

    fn walk(&mut self, value: Value, ty: TyId, pending: &mut Vec<Pending>) {
        if !self.types().flags(ty).has_refinement() {
            return;
        }
        let first = pending.len();
        match (self.types().get(ty).clone(), &value) {
            (Ty::Refined { base, predicate, .. }, _) => {
                pending.push(Pending::Predicate(value.clone(), predicate, ty));
                pending.push(Pending::Walk(value, base));
                return;
            }
            (Ty::List(item), Value::List(list)) => {
                pending.extend(list.iter().map(|it| Pending::Walk(it.clone(), item)));
            }
            (Ty::Set(item), Value::Set(table)) => {
                pending.extend(table.iter().map(|(key, _)| Pending::Walk(key.clone(), item)));
            }
            (Ty::Map(key_ty, value_ty), Value::Map(table)) => {
                for (key, value) in table.iter() {
                    pending.push(Pending::Walk(key.clone(), key_ty));
                    pending.push(Pending::Walk(value.clone(), value_ty));
                }
            }
            (Ty::Tuple(tys), Value::Tuple(fields)) => {
                let parts = fields.as_slice().iter().zip(&tys);
                pending.extend(parts.map(|(it, ty)| Pending::Walk(it.clone(), *ty)));
            }
            (Ty::Named(_, args), Value::Data(ctor, fields)) => {
                let tys = self.field_types(*ctor, &args);
                let parts = fields.as_slice().iter().zip(tys);
                pending
                    .extend(parts.filter_map(|(it, ty)| Some(Pending::Walk(it.clone(), ty?))));
            }
            _ => {}
        }
        // The list of things to do is a stack: the first part must be on top.
        pending[first..].reverse();
    }

    /// The types of the fields that a type argument reaches into.
    fn field_types(&mut self, ctor: CtorId, args: &[TyId]) -> Vec<Option<TyId>> {
        generic_fields(self.program, &mut self.memory.types, ctor, args)
    }
}

/// The types of the fields that a type argument reaches into, with the arguments in place.
/// Instances that are new go to a table beside that of the program.
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
