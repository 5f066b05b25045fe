//! Keys of bundles: goals about one structure, with everything that is known at run time replaced by
//! parameters. Equal keys have one function.

use std::rc::Rc;

use super::recipe::RecipeExpr;
use super::replaced_vars;
use super::state::RuleState;
use super::term::{Sym, SymGoal, SymTerm, SymVar};
use crate::code::ShapeId;

/// What a variable of a key stands for.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum KeyRole {
    /// What is known before the structure is drawn.
    Param,
    /// What is known afterwards.
    Result,
    /// An element of a list, in the goals about it.
    Element,
}

/// The variable of the structure itself; others follow in the order of [`KeyFacet::vars`].
pub(super) const HEAD: SymVar = SymVar(0);

/// A goal with variables of its own.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct KeyFacet {
    pub(super) goal: SymGoal,
    pub(super) vars: Vec<(ShapeId, KeyRole)>,
}

/// All goals about a structure.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct BundleKey {
    /// The shape of the structure; none for the inputs.
    pub(super) shape: Option<ShapeId>,
    pub(super) facets: Vec<KeyFacet>,
}

/// A facet, with what its parameters and results are where the structure is drawn.
#[derive(Debug, Clone)]
pub(super) struct FacetUse {
    pub(super) facet: KeyFacet,
    pub(super) args: Vec<RecipeExpr>,
    pub(super) results: Vec<SymVar>,
}

/// The goals of a key with variables of a state.
pub(super) struct OpenedKey {
    pub(super) head: SymVar,
    pub(super) results: Vec<Sym>,
    pub(super) goals: Vec<SymGoal>,
}

impl BundleKey {
    fn shapes(&self, role: KeyRole) -> Vec<ShapeId> {
        let vars = self.facets.iter().flat_map(|it| &it.vars);
        vars.filter(|it| it.1 == role).map(|it| it.0).collect()
    }

    /// The shapes of the parameters.
    pub(super) fn params(&self) -> Vec<ShapeId> {
        self.shapes(KeyRole::Param)
    }

    /// The shapes of the results.
    pub(super) fn results(&self) -> Vec<ShapeId> {
        self.shapes(KeyRole::Result)
    }

    /// The number of parameters.
    pub(super) fn n_params(&self) -> usize {
        self.params().len()
    }

    /// Adds the variables of the key to a new state: the parameters first.
    pub(super) fn open(&self, state: &mut RuleState) -> OpenedKey {
        // Parameters get the first numbers, so that a variable below `n_params` is one.
        let mut params = self.params().into_iter().map(|it| state.add_known(it));
        let params: Vec<SymVar> = params.by_ref().collect();
        let mut params = params.into_iter();
        let head = state.add_unknown(self.shape.unwrap_or_default());
        let mut results = Vec::new();
        let mut goals = Vec::new();
        for facet in &self.facets {
            let mut vars = vec![head];
            for (shape, role) in &facet.vars {
                vars.push(match role {
                    KeyRole::Param => params.next().unwrap_or(head),
                    KeyRole::Element => state.add_unknown(*shape),
                    KeyRole::Result => {
                        let var = state.add_unknown(*shape);
                        results.push(Rc::new(SymTerm::Var(var)));
                        var
                    }
                });
            }
            goals.push(replaced_vars(&facet.goal, &vars));
        }
        OpenedKey { head, results, goals }
    }
}

/// The key of the facets of a structure, and what their parameters and results are, in its order.
pub(super) fn key_of(
    shape: ShapeId,
    mut uses: Vec<FacetUse>,
) -> (BundleKey, Vec<RecipeExpr>, Vec<SymVar>) {
    // Any order will do, as long as it depends on the facets alone.
    uses.sort_by_cached_key(|it| format!("{:?}", it.facet));
    let key = BundleKey {
        shape: Some(shape),
        facets: uses.iter().map(|it| it.facet.clone()).collect(),
    };
    let args = uses.iter().flat_map(|it| it.args.iter().cloned()).collect();
    let results = uses.iter().flat_map(|it| it.results.iter().copied()).collect();
    (key, args, results)
}
