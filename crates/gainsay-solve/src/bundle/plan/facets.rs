//! The goals about a structure, as the key of its bundle.

use std::rc::Rc;

use gainsay_core::Comparison;

use super::super::NotDerived;
use super::super::key::{BundleKey, FacetUse, HEAD, KeyFacet, KeyRole, key_of};
use super::super::linear::{Constraint, ToZero};
use super::super::recipe::RecipeExpr;
use super::super::term::{EachElement, Sym, SymGoal, SymTerm, SymVar};
use super::RulePlanner;
use crate::code::ShapeId;

/// Goals about one structure.
const MAX_FACETS: usize = 12;

/// Terms in one goal: where goals grow from one structure to its parts, recursion never closes.
const MAX_GOAL_TERMS: u32 = 400;

/// A facet whose variables are being numbered.
struct FacetNumbering {
    head: Option<SymVar>,
    vars: Vec<(ShapeId, KeyRole)>,
    args: Vec<RecipeExpr>,
    results: Vec<SymVar>,
    /// Variables that have a number: results, and elements.
    numbered: Vec<(SymVar, SymVar)>,
    n_terms: u32,
}

impl FacetNumbering {
    fn new(head: Option<SymVar>) -> Self {
        Self {
            head,
            vars: Vec::new(),
            args: Vec::new(),
            results: Vec::new(),
            numbered: Vec::new(),
            n_terms: 0,
        }
    }

    fn add(&mut self, shape: ShapeId, role: KeyRole) -> Sym {
        self.vars.push((shape, role));
        Rc::new(SymTerm::Var(SymVar(self.vars.len() as u32)))
    }

    fn add_result(&mut self, shape: ShapeId, var: SymVar) {
        let own = self.add(shape, KeyRole::Result);
        if let SymTerm::Var(own) = &*own {
            self.numbered.push((var, *own));
        }
        self.results.push(var);
    }

    fn param(&mut self, shape: ShapeId, value: RecipeExpr) -> Sym {
        self.args.push(value);
        self.add(shape, KeyRole::Param)
    }

    fn into_use(self, goal: SymGoal) -> FacetUse {
        FacetUse {
            facet: KeyFacet { goal, vars: self.vars },
            args: self.args,
            results: self.results,
        }
    }
}

/// The bounds that all elements of a list have in one part.
#[derive(Default)]
struct ElementBounds {
    lo: Vec<RecipeExpr>,
    hi: Vec<RecipeExpr>,
    excluded: Vec<RecipeExpr>,
    lists: Vec<RecipeExpr>,
}

impl RulePlanner<'_, '_> {
    /// The positions of the facets about a structure.
    pub(super) fn facets_about(&mut self, head: SymVar) -> Result<Vec<usize>, NotDerived> {
        let code = self.deriver.code;
        let mut found = Vec::new();
        for (at, facet) in self.facets.iter().enumerate() {
            let is_about = match facet {
                SymGoal::Is(term, _) => self.deriver.head_of(&self.state, term)? == Some(head),
                SymGoal::Each(each) => self.state.heads(code, &each.list).contains(&head),
                SymGoal::Compare(..) | SymGoal::NotIn(..) => false,
            };
            if is_about {
                found.push(at);
            }
        }
        Ok(found)
    }

    /// Whether everything that the facets of a structure depend on is known.
    pub(super) fn is_ready(&self, head: SymVar, about: &[usize]) -> bool {
        about.iter().all(|at| {
            let unknowns = match &self.facets[*at] {
                SymGoal::Is(term, _) => self.state.unknowns(term),
                other => self.state.unknowns_of_goal(other),
            };
            unknowns.iter().all(|it| *it == head || self.known.contains_key(it))
        })
    }

    /// The key of the facets of a structure, its arguments, and its results.
    pub(super) fn key_of_facets(
        &mut self,
        head: SymVar,
        about: &[usize],
    ) -> Result<(BundleKey, Vec<RecipeExpr>, Vec<SymVar>), NotDerived> {
        let mut uses: Vec<FacetUse> = Vec::new();
        let mut lists: Vec<EachElement> = Vec::new();
        let mut told: Vec<SymVar> = Vec::new();
        for at in about {
            match self.facets[*at].clone() {
                SymGoal::Is(term, wanted) => {
                    let made = self.value_facet(head, &term, &wanted)?;
                    // Two goals that determine the same result would have to agree by chance.
                    if made.results.iter().any(|it| told.contains(it)) {
                        return Err(NotDerived::NoOrder);
                    }
                    told.extend(&made.results);
                    uses.push(made);
                }
                SymGoal::Each(each) => self.merge_list(&mut lists, each)?,
                SymGoal::Compare(..) | SymGoal::NotIn(..) => {}
            }
        }
        for each in lists {
            uses.push(self.element_facet(head, &each)?);
        }
        if uses.len() > MAX_FACETS {
            return Err(NotDerived::TooManyBundles);
        }
        Ok(key_of(self.state.var(head).shape, uses))
    }

    /// Goals about the elements of one list are one facet.
    fn merge_list(
        &mut self,
        lists: &mut Vec<EachElement>,
        each: EachElement,
    ) -> Result<(), NotDerived> {
        let list = self.state.resolve_fully(&each.list);
        let Some(same) = lists.iter_mut().find(|it| it.list == list) else {
            lists.push(EachElement { list, ..each });
            return Ok(());
        };
        let (mut own, mut other) = (Vec::new(), Vec::new());
        self.state.each_var(&same.element, &mut |var| own.push(var));
        self.state.each_var(&each.element, &mut |var| other.push(var));
        if own.len() != other.len() {
            return Err(NotDerived::NotUnderstood);
        }
        for goal in each.goals {
            let mut goal = goal;
            for (own, other) in own.iter().zip(&other) {
                let (own, other) = (Self::var_term(*own), Self::var_term(*other));
                goal = goal.map_terms::<NotDerived>(&mut |it| {
                    Ok(super::super::reduce::replaced(it, &other, &own))
                })?;
            }
            if !same.goals.contains(&goal) {
                same.goals.push(goal);
            }
        }
        Ok(())
    }

    /// A goal that only looks into known values, as a facet: it tells whatever it leaves open.
    pub(super) fn solution_facet(
        &mut self,
        term: &Sym,
        wanted: &Sym,
    ) -> Result<FacetUse, NotDerived> {
        let mut numbering = FacetNumbering::new(None);
        let mut told = self.state.unknowns(term);
        for var in self.state.unknowns(wanted) {
            if !told.contains(&var) {
                told.push(var);
            }
        }
        for var in told.into_iter().filter(|it| !self.known.contains_key(it)) {
            numbering.add_result(self.state.var(var).shape, var);
        }
        let term = self.numbered(&mut numbering, term)?;
        let wanted = self.numbered(&mut numbering, wanted)?;
        Ok(numbering.into_use(SymGoal::Is(term, wanted)))
    }

    /// A facet that a term has a value.
    fn value_facet(
        &mut self,
        head: SymVar,
        term: &Sym,
        wanted: &Sym,
    ) -> Result<FacetUse, NotDerived> {
        let mut numbering = FacetNumbering::new(Some(head));
        let term = self.numbered(&mut numbering, term)?;
        let mut told = Vec::new();
        for var in self.state.unknowns(wanted) {
            if !self.known.contains_key(&var) {
                told.push(var);
            }
        }
        for var in told {
            numbering.add_result(self.state.var(var).shape, var);
        }
        let wanted = self.numbered(&mut numbering, wanted)?;
        Ok(numbering.into_use(SymGoal::Is(term, wanted)))
    }

    /// A term of a key: known parts are parameters.
    fn numbered(&self, to: &mut FacetNumbering, term: &Sym) -> Result<Sym, NotDerived> {
        to.n_terms += 1;
        if to.n_terms > MAX_GOAL_TERMS {
            return Err(NotDerived::TooLarge);
        }
        let term = self.state.resolve(term);
        if let SymTerm::Var(var) = &*term {
            if Some(*var) == to.head {
                return Ok(Self::var_term(HEAD));
            }
            if let Some((_, own)) = to.numbered.iter().find(|it| it.0 == *var) {
                return Ok(Self::var_term(*own));
            }
            let value = self.known.get(var).cloned().ok_or(NotDerived::NoOrder)?;
            // A constructor stays visible, so that it decides what it can.
            return Ok(match value {
                RecipeExpr::Bool(bool) => Rc::new(SymTerm::Bool(bool)),
                value => to.param(self.state.var(*var).shape, value),
            });
        }
        // So is a value of a recursive type that is known by now: with each of its constructors
        // visible, a goal would become larger with each step of a recursion.
        if let Some(shape) = self.deriver.recursive_shape(&self.state, &term)
            && let Some(value) = self.expr(&term)
        {
            return Ok(to.param(shape, value));
        }
        // Constants become parameters, too: a height of 3 and a height of 2 have one bundle,
        // where recursion closes.
        if matches!(&*term, SymTerm::Int(_) | SymTerm::Arithmetic(..)) {
            let value = self.expr(&term).ok_or(NotDerived::NoOrder)?;
            return Ok(to.param(self.int_shape()?, value));
        }
        let parts = term.map_parts(&mut |it| self.numbered(to, it))?;
        Ok(Rc::new(parts))
    }

    /// The shape of integers.
    fn int_shape(&self) -> Result<ShapeId, NotDerived> {
        let code = self.deriver.code;
        let at =
            code.shapes.iter().position(|it| matches!(it.kind, crate::code::ShapeKind::Int));
        at.map(|at| ShapeId(at as u32)).ok_or(NotDerived::NotUnderstood)
    }

    /// A facet about the elements of a list: bounds of the same part are one parameter.
    fn element_facet(
        &mut self,
        head: SymVar,
        each: &EachElement,
    ) -> Result<FacetUse, NotDerived> {
        let mut numbering = FacetNumbering::new(Some(head));
        let list = self.numbered(&mut numbering, &each.list)?;
        let mut elements = Vec::new();
        self.state.each_var(&each.element, &mut |var| elements.push(var));
        for var in &elements {
            let own = numbering.add(self.state.var(*var).shape, KeyRole::Element);
            if let SymTerm::Var(own) = &*own {
                numbering.numbered.push((*var, *own));
            }
        }
        let element = self.numbered(&mut numbering, &each.element)?;
        let mut bounds: Vec<ElementBounds> = Vec::new();
        bounds.resize_with(elements.len(), ElementBounds::default);
        let mut goals = Vec::new();
        for goal in &each.goals {
            if !self.add_bound(goal, &elements, &mut bounds)? {
                goals.push(goal.map_terms(&mut |it| self.numbered(&mut numbering, it))?);
            }
        }
        // The same facets, whichever goal was found first.
        goals.sort_by_cached_key(|it| format!("{it:?}"));
        let mut bounded = Vec::new();
        for (var, bounds) in elements.iter().zip(bounds) {
            self.add_bound_goals(&mut numbering, *var, bounds, &mut bounded)?;
        }
        bounded.extend(goals);
        let each = EachElement { list, element, goals: bounded };
        Ok(numbering.into_use(SymGoal::Each(each)))
    }

    /// Adds a goal to the bounds of the elements, if it is one.
    fn add_bound(
        &mut self,
        goal: &SymGoal,
        elements: &[SymVar],
        bounds: &mut [ElementBounds],
    ) -> Result<bool, NotDerived> {
        match goal {
            SymGoal::Compare(op, a, b) => {
                let mut none = Vec::new();
                let a = self.deriver.linear(&mut self.state, a, &mut none)?;
                let b = self.deriver.linear(&mut self.state, b, &mut none)?;
                if !none.is_empty() {
                    return Ok(false);
                }
                let Constraint { term, is } = Constraint::new(*op, &a, &b)?;
                let unknown = self.unknown_pairs(&term);
                let [(var, factor @ (1 | -1))] = unknown[..] else { return Ok(false) };
                let Some(at) = elements.iter().position(|it| *it == var) else {
                    return Ok(false);
                };
                let bound = self.solved_for(&term, var)?;
                let bounds = &mut bounds[at];
                match (is, factor) {
                    (ToZero::NotEqual, _) => bounds.excluded.push(bound),
                    (ToZero::AtMost, 1) => bounds.hi.push(bound),
                    (ToZero::AtMost, _) => bounds.lo.push(bound),
                    (ToZero::Equal, _) => {
                        bounds.lo.push(bound.clone());
                        bounds.hi.push(bound);
                    }
                }
                Ok(true)
            }
            SymGoal::NotIn(a, list) => {
                let a = self.state.resolve(a);
                let SymTerm::Var(var) = &*a else { return Ok(false) };
                let at = elements.iter().position(|it| it == var);
                let (Some(at), Some(list)) = (at, self.expr(list)) else { return Ok(false) };
                bounds[at].lists.push(list);
                Ok(true)
            }
            SymGoal::Is(..) | SymGoal::Each(_) => Ok(false),
        }
    }

    fn add_bound_goals(
        &mut self,
        numbering: &mut FacetNumbering,
        var: SymVar,
        bounds: ElementBounds,
        goals: &mut Vec<SymGoal>,
    ) -> Result<(), NotDerived> {
        let element = self.numbered(numbering, &Self::var_term(var))?;
        let shape = self.state.var(var).shape;
        if !bounds.lo.is_empty() {
            // Of several lower bounds only the largest counts, so the bundle has one parameter
            // however many goals there are. Otherwise each level of a tree would add one, and
            // recursion never close.
            let lo = numbering.param(shape, extreme(bounds.lo, RecipeExpr::Max));
            goals.push(SymGoal::Compare(Comparison::Ge, Rc::clone(&element), lo));
        }
        if !bounds.hi.is_empty() {
            let hi = numbering.param(shape, extreme(bounds.hi, RecipeExpr::Min));
            goals.push(SymGoal::Compare(Comparison::Le, Rc::clone(&element), hi));
        }
        let mut lists = bounds.lists.into_iter();
        let list = lists.next();
        if lists.next().is_some() {
            return Err(NotDerived::NotUnderstood);
        }
        if list.is_some() || !bounds.excluded.is_empty() {
            let list = match (bounds.excluded.is_empty(), list) {
                (true, Some(list)) => list,
                (_, rest) => RecipeExpr::List(bounds.excluded, rest.map(Box::new)),
            };
            let ints = self.list_of_ints()?;
            let list = numbering.param(ints, list);
            goals.push(SymGoal::NotIn(element, list));
        }
        Ok(())
    }

    /// The shape of lists of integers.
    fn list_of_ints(&self) -> Result<ShapeId, NotDerived> {
        let code = self.deriver.code;
        let is_it = |it: &crate::code::TypeShape| match it.kind {
            crate::code::ShapeKind::List(item) => {
                matches!(code.shape(item).kind, crate::code::ShapeKind::Int)
            }
            _ => false,
        };
        let at = code.shapes.iter().position(is_it);
        at.map(|at| ShapeId(at as u32)).ok_or(NotDerived::NotUnderstood)
    }
}

/// The only one, or the largest or smallest of several.
fn extreme(
    mut bounds: Vec<RecipeExpr>,
    of: impl FnOnce(Vec<RecipeExpr>) -> RecipeExpr,
) -> RecipeExpr {
    let mut distinct: Vec<RecipeExpr> = Vec::new();
    for bound in bounds.drain(..) {
        if !distinct.contains(&bound) {
            distinct.push(bound);
        }
    }
    if let [only] = &distinct[..] { only.clone() } else { of(distinct) }
}
