//! Checks that patterns fit the type of their scrutinee.

use super::{TypeValidator, TypingResult, literal_type};
use crate::id::{PatternId, TyId};
use crate::program::Function;
use crate::term::{Pattern, RestPattern};
use crate::ty::Ty;

impl TypeValidator<'_> {
    pub(super) fn pattern(
        &mut self,
        function: &Function,
        pattern: PatternId,
        ty: TyId,
    ) -> TypingResult {
        let mut pending = vec![(pattern, ty)];
        while let Some((pattern, ty)) = pending.pop() {
            match function.body.pattern(pattern) {
                Pattern::Wildcard => {}
                Pattern::Bind(local) => {
                    self.expect(ty, function.body.local(*local).ty, "a bound name")?;
                }
                Pattern::Literal(literal) => {
                    self.expect(literal_type(literal), ty, "a literal pattern")?;
                }
                Pattern::Or(parts) => pending.extend(parts.iter().map(|part| (*part, ty))),
                Pattern::Tuple(parts) => {
                    let Ty::Tuple(tys) = self.base(ty) else {
                        return Err("a tuple pattern for a different type".to_owned());
                    };
                    pair(parts, &tys, &mut pending)?;
                }
                Pattern::Ctor(ctor, parts) => {
                    let tys = self.field_types(*ctor, ty)?;
                    pair(parts, &tys, &mut pending)?;
                }
                Pattern::List(parts, rest) => {
                    let Ty::List(item) = self.base(ty) else {
                        return Err("a list pattern for a different type".to_owned());
                    };
                    pending.extend(parts.iter().map(|part| (*part, item)));
                    if let RestPattern::Some(rest) = rest {
                        pending.push((*rest, ty));
                    }
                }
            }
        }
        Ok(())
    }
}

fn pair(
    parts: &[PatternId],
    tys: &[TyId],
    pending: &mut Vec<(PatternId, TyId)>,
) -> TypingResult {
    super::count(parts.len(), tys.len())?;
    pending.extend(parts.iter().copied().zip(tys.iter().copied()));
    Ok(())
}
