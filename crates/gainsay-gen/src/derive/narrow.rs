//! Predicates whose values a solver finds.

use std::sync::Arc;

use gainsay_choice::Kind;
use gainsay_core::{FunctionId, LocalId, ModuleId, TermId, TyId, TypeTable};
use gainsay_solve::{NotDerived, SolverQuery, compile_predicate, derive_recipe};
use gainsay_source::Span;

use super::text::more_elements_kind;
use super::{Deriver, FoundBy, PlanNodeId, RecipeId};
use crate::core_builder::CoreBuilder;
use crate::domain::LengthRange;
use crate::generator_plan::{GeneratorSource, has_declared_generator};
use crate::lowered::{NarrowedQuery, QueryUnknown, ValueShape};
use crate::site::MAX_ENUMERATED;

/// The usual number of elements of lists in large cases.
const AVERAGE_LEN: u32 = 8;

/// Why a query has no recipe.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum NoRecipe {
    /// No value satisfies it.
    NoValue,
    /// It is left to the solver.
    NotDerived,
}

impl Deriver<'_> {
    /// Adds a query about unknowns of some types, and returns its number; `None` if it has an
    /// unknown that cannot be found.
    pub(crate) fn add_query(
        &mut self,
        solver: SolverQuery,
        (span, module): (Span, ModuleId),
        unknowns: &[(TyId, Option<(u32, &str)>)],
        why: NoRecipe,
    ) -> Option<usize> {
        if self.filters_only {
            return None;
        }
        let mut shaped = Vec::new();
        for (ty, input) in unknowns {
            let shape = self.value_shape(*ty, module).ok()?;
            let input = input.map(|(binder, name)| (binder, self.labels.intern(name)));
            shaped.push(QueryUnknown { input, shape });
        }
        // A type without a generator is one of the code, not of an unknown.
        let opaque = solver.opaque_types().collect::<Vec<_>>().into_iter();
        let opaque = opaque.filter_map(|ty| Some((ty, self.value_shape(ty, module).ok()?)));
        let opaque = opaque.collect();
        let integers = self.value_shape(TypeTable::INT, module).ok()?;
        let ValueShape::Int(integers) = self.value_shapes[integers.index()] else {
            return None;
        };
        let characters = self.value_shape(TypeTable::CHAR, module).ok()?;
        let ValueShape::Char(characters) = self.value_shapes[characters.index()] else {
            return None;
        };
        let more = Kind::MoreElements(more_elements_kind(LengthRange::ANY, AVERAGE_LEN));
        let more = self.intern_kind(more);
        let solver = Arc::new(solver);
        self.queries.push(NarrowedQuery {
            solver,
            span,
            unknowns: shaped,
            integers,
            characters,
            more,
            opaque,
            is_empty: why == NoRecipe::NoValue,
        });
        Some(self.queries.len() - 1)
    }

    /// How values of a refined type are found that is not solved. What has few values is
    /// enumerated, and filtered.
    pub(super) fn refinement_query(
        &mut self,
        id: PlanNodeId,
        (inner, predicate, args): (PlanNodeId, FunctionId, &[TyId]),
    ) -> FoundBy {
        if let Some(cached) = self.refinement_queries.get(&id) {
            return *cached;
        }
        let found = self.new_refinement_query(id, inner, predicate, args);
        self.refinement_queries.insert(id, found);
        found
    }

    fn new_refinement_query(
        &mut self,
        id: PlanNodeId,
        inner: PlanNodeId,
        predicate: FunctionId,
        args: &[TyId],
    ) -> FoundBy {
        let is_declared =
            has_declared_generator(self.program, &self.types, self.plan.node(inner).ty);
        if is_declared && self.plan.node(id).source == GeneratorSource::Declarations {
            return FoundBy::Filter;
        }
        if self.filters_only || self.plan.count(inner).is_some_and(|n| n <= MAX_ENUMERATED) {
            return FoundBy::Filter;
        }
        let program = self.program;
        let definition = program.function(predicate);
        let (span, module) = (definition.span, self.plan.node(id).module);
        let Ok(solver) = compile_predicate(program, &mut self.types, predicate, args.into())
        else {
            return FoundBy::Filter;
        };
        let why = match self.recipe_of(&solver, 0, module, vec![None]) {
            Ok(recipe) => return FoundBy::Recipe(recipe),
            Err(why) => why,
        };
        let ty = self.plan.node(inner).ty;
        let query = self.add_query(solver, (span, module), &[(ty, None)], why);
        query.map_or(FoundBy::Filter, FoundBy::Query)
    }

    /// The recipe of a query, if it has one.
    pub(crate) fn recipe_of(
        &mut self,
        query: &SolverQuery,
        n_known: usize,
        module: ModuleId,
        inputs: Vec<Option<(u32, Box<str>)>>,
    ) -> Result<RecipeId, NoRecipe> {
        if self.filters_only || !self.uses_recipes {
            return Err(NoRecipe::NotDerived);
        }
        match derive_recipe(query, n_known) {
            Ok(recipe) => self.add_recipe(recipe, module, inputs).ok_or(NoRecipe::NotDerived),
            Err(NotDerived::NoValue) => Err(NoRecipe::NoValue),
            Err(_) => Err(NoRecipe::NotDerived),
        }
    }

    /// Values that a solver finds.
    pub(crate) fn emit_narrow(
        &mut self,
        it: &mut CoreBuilder,
        query: usize,
        size: LocalId,
        (known, known_ty): (TermId, TyId),
        ty: TyId,
    ) -> TermId {
        let number = it.int(query as i64);
        let size = it.local(size);
        let args = vec![number, size, known];
        it.generic_perform(self.ops.narrow, [known_ty, ty].into(), args, ty)
    }
}
