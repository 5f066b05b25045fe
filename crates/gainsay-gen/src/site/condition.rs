//! The condition of a site: how inputs that satisfy it are found, and its check.

use gainsay_core::{LocalId, TermId, Ty, TyId, TypeTable};

use super::{Rewriter, SearchMode, SiteInputOrigin, SiteOutline};
use crate::core_builder::CoreBuilder;
use crate::derive::{FoundBy, GeneratorMode};

impl SiteOutline {
    /// Whether a recipe draws inputs that satisfy the condition.
    fn is_by_recipe(&self) -> bool {
        let mut found = self.binders.iter().filter_map(|it| it.1.found_by());
        found.any(|it| matches!(it, FoundBy::Recipe(_)))
    }
}

impl Rewriter<'_> {
    /// Checks the condition on the inputs. Those that a recipe draws satisfy it by construction, and
    /// a search checks a sample of them. What is recorded is always checked, and so is every
    /// failure.
    pub(super) fn emit_check(
        &mut self,
        it: &mut CoreBuilder,
        outline: &SiteOutline,
        (condition, inputs): (LocalId, &[LocalId]),
        mode: GeneratorMode,
    ) -> TermId {
        let callee = it.local(condition);
        let args = it.locals(inputs);
        let holds = it.call_value(callee, args, TypeTable::BOOL);
        let assume = it.assume(holds);
        let is_sampled = mode == GeneratorMode::Search
            && self.search_mode == SearchMode::Usual
            && outline.is_by_recipe();
        if !is_sampled {
            return assume;
        }
        let checks = it.perform_with_ints(self.deriver.ops.checks, &[]);
        let checks = it.equals_int(checks, 1);
        let unit = it.unit();
        it.if_(checks, assume, unit)
    }

    /// The inputs that satisfy the condition, together.
    pub(super) fn emit_found(
        &mut self,
        it: &mut CoreBuilder,
        outline: &SiteOutline,
        by: FoundBy,
        size: LocalId,
        (condition, inputs): (Option<LocalId>, &[LocalId]),
    ) -> TermId {
        let ty = self.found_type(outline);
        match by {
            FoundBy::Recipe(recipe) => {
                let known = it.locals(inputs);
                self.deriver.emit_recipe(it, recipe, size, known, ty)
            }
            FoundBy::Query(query) => {
                let known = self.emit_known(it, condition, inputs);
                self.deriver.emit_narrow(it, query, size, known, ty)
            }
            FoundBy::Filter => self.emit_no_input(it, ty),
        }
    }

    /// What is known before inputs are found: the condition, whose captures the solver needs, and
    /// the inputs before them.
    fn emit_known(
        &mut self,
        it: &mut CoreBuilder,
        condition: Option<LocalId>,
        inputs: &[LocalId],
    ) -> (TermId, TyId) {
        let locals: Vec<LocalId> =
            condition.into_iter().chain(inputs.iter().copied()).collect();
        let tys: Vec<TyId> = locals.iter().map(|local| it.body.local(*local).ty).collect();
        let ty = self.deriver.types.intern(Ty::Tuple(tys.into()));
        let parts = it.locals(&locals);
        (it.tuple(parts.into(), ty), ty)
    }

    /// The type of the inputs of a site that are found, together.
    fn found_type(&mut self, outline: &SiteOutline) -> TyId {
        let found = outline.binders.iter();
        let found = found.filter(|it| matches!(it.1, SiteInputOrigin::Found { .. }));
        let types = &mut self.deriver.types;
        let tys: Vec<TyId> = found.map(|(it, _)| types.erase_refinements(it.ty)).collect();
        match tys[..] {
            [only] => only,
            _ => types.intern(Ty::Tuple(tys.into())),
        }
    }
}
