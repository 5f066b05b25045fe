//! Finds types that contain floats, which are not compared exactly.

use std::collections::HashMap;

use gainsay_core::{Program, SearchStep, Ty, TyId, TypeId};

/// The sums and records with a float somewhere in a field.
#[derive(Debug, Default)]
pub(super) struct FloatTypes {
    /// By type id.
    contains_float: Vec<bool>,
}

impl FloatTypes {
    /// Looks at every declared type once, then propagates along fields.
    pub(super) fn of(program: &Program) -> Self {
        let mut holders: HashMap<TypeId, Vec<TypeId>> = HashMap::new();
        let mut holds = vec![false; program.nominals.len()];
        let mut pending = Vec::new();
        for (at, def) in program.nominals.iter().enumerate() {
            let id = TypeId(at as u32);
            for field in def.ctors.iter().flat_map(|it| program.ctor(*it).fields.iter()) {
                program.types.find(field.ty, &mut |_, ty| {
                    if let Ty::Named(held, _) = ty {
                        holders.entry(*held).or_default().push(id);
                    }
                    holds[at] |= matches!(ty, Ty::Float);
                    SearchStep::Descend
                });
            }
            if holds[at] {
                pending.push(id);
            }
        }
        while let Some(id) = pending.pop() {
            for holder in holders.remove(&id).unwrap_or_default() {
                if !std::mem::replace(&mut holds[holder.index()], true) {
                    pending.push(holder);
                }
            }
        }
        Self { contains_float: holds }
    }

    /// Whether a value of a type may contain a float.
    pub(super) fn may_contain_float(&self, program: &Program, ty: TyId) -> bool {
        program.types.find(ty, &mut |_, ty| {
            let found = match ty {
                Ty::Float | Ty::Param(_) | Ty::Var(_) | Ty::Error => true,
                Ty::Named(id, _) => self.contains_float[id.index()],
                Ty::Int | Ty::Bool | Ty::Char | Ty::Str | Ty::Tuple(_) | Ty::List(_) => false,
                Ty::Map(..) | Ty::Set(_) | Ty::Function { .. } | Ty::Refined { .. } => false,
            };
            if found { SearchStep::Found } else { SearchStep::Descend }
        })
    }
}
