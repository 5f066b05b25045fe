//! Generates patterns of a type: refutable and irrefutable ones.

use gainsay_core::{CtorId, LocalId, Pattern, PatternId, RestPattern, Ty, TyId};

use super::program_generator::ProgramGenerator;

/// Whether a pattern may bind names: alternatives must bind the same ones.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum PatternBindings {
    /// It may.
    May,
    /// It must not.
    Never,
}

impl ProgramGenerator {
    fn add_pattern(&mut self, pattern: Pattern) -> PatternId {
        self.draft_mut().body.add_pattern(pattern)
    }

    /// A pattern that matches everything by itself.
    fn anything(
        &mut self,
        ty: TyId,
        names: PatternBindings,
        bound: &mut Vec<LocalId>,
    ) -> PatternId {
        if names == PatternBindings::Never || self.chance.percent(25) {
            return self.add_pattern(Pattern::Wildcard);
        }
        let local = self.add_local(ty);
        bound.push(local);
        self.add_pattern(Pattern::Bind(local))
    }

    /// An irrefutable pattern.
    pub(super) fn sure_pattern(
        &mut self,
        ty: TyId,
        depth: u32,
        names: PatternBindings,
        bound: &mut Vec<LocalId>,
    ) -> PatternId {
        if depth == 0 || self.chance.percent(35) {
            return self.anything(ty, names, bound);
        }
        let base = self.program.types.get(self.program.types.base(ty)).clone();
        if let Ty::Tuple(parts) = base {
            let parts = parts.iter().map(|it| self.sure_pattern(*it, depth - 1, names, bound));
            let parts = parts.collect();
            return self.add_pattern(Pattern::Tuple(parts));
        }
        if let Ty::Named(name, args) = base
            && let [ctor] = *self.program.nominal(name).ctors
        {
            let fields = self.field_types(ctor, &args);
            let parts = fields.iter().map(|it| self.sure_pattern(*it, depth - 1, names, bound));
            let parts = parts.collect();
            return self.add_pattern(Pattern::Ctor(ctor, parts));
        }
        self.anything(ty, names, bound)
    }

    /// A refutable pattern.
    pub(super) fn pattern(
        &mut self,
        ty: TyId,
        depth: u32,
        names: PatternBindings,
        bound: &mut Vec<LocalId>,
    ) -> PatternId {
        if depth == 0 || self.chance.percent(12) {
            return self.anything(ty, names, bound);
        }
        if self.chance.percent(15) {
            return self.alternatives(ty, depth, names, bound);
        }
        let base = self.program.types.base(ty);
        if let Some(literal) = self.chance.literal(base) {
            return if self.chance.percent(65) {
                self.add_pattern(Pattern::Literal(literal))
            } else {
                self.anything(ty, names, bound)
            };
        }
        let inner = depth - 1;
        let pattern = match self.program.types.get(base).clone() {
            Ty::Tuple(parts) => {
                let parts = parts.iter().map(|it| self.pattern(*it, inner, names, bound));
                Pattern::Tuple(parts.collect())
            }
            Ty::Named(name, args) => {
                let ctors = self.program.nominal(name).ctors.clone();
                let ctor = self.chance.pick(&ctors).unwrap_or_else(|| self.first_ctor(name));
                let fields = self.field_types(ctor, &args);
                let parts = fields.iter().map(|it| self.pattern(*it, inner, names, bound));
                Pattern::Ctor(ctor, parts.collect())
            }
            Ty::List(item) => {
                let count = self.chance.below(4);
                let parts =
                    (0..count).map(|_| self.pattern(item, inner, names, bound)).collect();
                let rest = match self.chance.below(4) {
                    0 => RestPattern::Nothing,
                    1 => RestPattern::Some(self.pattern(base, inner, names, bound)),
                    _ => RestPattern::Some(self.anything(base, names, bound)),
                };
                Pattern::List(parts, rest)
            }
            Ty::Int | Ty::Float | Ty::Bool | Ty::Char | Ty::Str | Ty::Map(..) | Ty::Set(_) => {
                return self.anything(ty, names, bound);
            }
            Ty::Function { .. } | Ty::Refined { .. } => return self.anything(ty, names, bound),
            Ty::Param(_) | Ty::Var(_) | Ty::Error => return self.anything(ty, names, bound),
        };
        self.add_pattern(pattern)
    }

    /// Alternatives that bind the same locals: the first one is random, the others are variants of
    /// it.
    fn alternatives(
        &mut self,
        ty: TyId,
        depth: u32,
        names: PatternBindings,
        bound: &mut Vec<LocalId>,
    ) -> PatternId {
        let n_before = bound.len();
        let first = self.pattern(ty, depth - 1, names, bound);
        let binds = bound.len() > n_before;
        let mut alternatives = vec![first];
        for _ in 0..1 + self.chance.below(2) {
            alternatives.push(if !binds {
                self.pattern(ty, depth - 1, PatternBindings::Never, &mut Vec::new())
            } else {
                match self.sibling(first, ty) {
                    Some(sibling) if self.chance.percent(50) => sibling,
                    Some(_) | None => self.variant(first),
                }
            });
        }
        self.add_pattern(Pattern::Or(alternatives.into()))
    }

    /// The same pattern with other literals.
    fn variant(&mut self, pattern: PatternId) -> PatternId {
        let varied = match self.draft().body.pattern(pattern).clone() {
            kept @ (Pattern::Wildcard | Pattern::Bind(_)) => kept,
            Pattern::Literal(literal) => {
                let ty = super::literal_type(&literal);
                Pattern::Literal(self.chance.literal(ty).unwrap_or(literal))
            }
            Pattern::Tuple(parts) => Pattern::Tuple(self.variants(&parts)),
            Pattern::Ctor(ctor, parts) => Pattern::Ctor(ctor, self.variants(&parts)),
            Pattern::Or(parts) => Pattern::Or(self.variants(&parts)),
            Pattern::List(parts, rest) => {
                let parts = self.variants(&parts);
                let rest = match rest {
                    RestPattern::Nothing => RestPattern::Nothing,
                    RestPattern::Some(rest) => RestPattern::Some(self.variant(rest)),
                };
                Pattern::List(parts, rest)
            }
        };
        self.add_pattern(varied)
    }

    fn variants(&mut self, parts: &[PatternId]) -> Box<[PatternId]> {
        parts.iter().map(|part| self.variant(*part)).collect()
    }

    /// For a constructor pattern that binds exactly one field: another constructor with a field of
    /// that type.
    fn sibling(&mut self, pattern: PatternId, ty: TyId) -> Option<PatternId> {
        let (ctor, local) = self.only_field(pattern)?;
        let base = self.program.types.base(ty);
        let Ty::Named(name, args) = self.program.types.get(base).clone() else { return None };
        let wanted = self.draft().body.local(local).ty;
        let mut found = Vec::new();
        for other in self.program.nominal(name).ctors.clone() {
            let fields = self.field_types(other, &args);
            let at = fields.iter().position(|field| *field == wanted);
            found.extend(at.filter(|_| other != ctor).map(|at| (other, at, fields.len())));
        }
        let (other, at, n_fields) = self.chance.pick(&found)?;
        let parts = (0..n_fields).map(|field| {
            self.add_pattern(if field == at { Pattern::Bind(local) } else { Pattern::Wildcard })
        });
        let parts = parts.collect();
        Some(self.add_pattern(Pattern::Ctor(other, parts)))
    }

    /// The only local that a constructor pattern binds, if it is one of its fields.
    fn only_field(&self, pattern: PatternId) -> Option<(CtorId, LocalId)> {
        let body = &self.draft().body;
        let Pattern::Ctor(ctor, parts) = body.pattern(pattern) else { return None };
        let mut only = None;
        for part in parts {
            match body.pattern(*part) {
                Pattern::Wildcard | Pattern::Literal(_) => {}
                Pattern::Bind(local) if only.is_none() => only = Some(*local),
                Pattern::Bind(_) | Pattern::Tuple(_) | Pattern::Ctor(..) => return None,
                Pattern::List(..) | Pattern::Or(_) => return None,
            }
        }
        only.map(|local| (*ctor, local))
    }
}
