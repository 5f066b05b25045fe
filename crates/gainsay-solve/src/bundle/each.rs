//! Goals for all elements of a list.
//!
//! A function is recognized as one that looks at each element by what it does with the empty list
//! and with an unknown first element; its name does not matter. What such a function wants of a
//! list goes through the functions that make the list: `all(a ++ b, p)` is `all(a, p)` and
//! `all(b, p)`, whatever `a` and `b` are (deforestation; Wadler, TCS 1990).

use std::rc::Rc;

use super::reduce::replaced;
use super::state::{RuleState, is_structure};
use super::term::{EachElement, ElementScheme, Sym, SymGoal, SymTerm, SymVar, SymVarInfo};
use super::{BundleDeriver, NotDerived};
use crate::code::{CodeFnId, ShapeId, ShapeKind};

/// A call on the rest of a list, which is left as it is while its function is being recognized.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) struct AssumedCall {
    function: CodeFnId,
    argument: usize,
    rest: SymVar,
}

/// What a call means for the elements of a list argument.
struct ElementCase {
    element: Sym,
    /// Goals of the call on the empty list.
    at_end: Vec<SymGoal>,
    /// Goals about one element.
    goals: Vec<SymGoal>,
}

impl BundleDeriver<'_> {
    /// A call that wants the same of each element of one of its arguments, and nothing else.
    pub(super) fn as_each_element(
        &mut self,
        state: &mut RuleState,
        (function, args): (CodeFnId, &[Sym]),
        wanted: &Sym,
    ) -> Result<Option<EachElement>, NotDerived> {
        for (at, list, item) in self.list_arguments(state, args) {
            let goal_of = |args: Box<[Sym]>| {
                SymGoal::Is(Rc::new(SymTerm::Call(function, args)), Rc::clone(wanted))
            };
            let case = self.element_case(state, (function, args, at), item, &goal_of)?;
            if let Some(ElementCase { element, at_end, goals }) = case
                && at_end.is_empty()
            {
                return Ok(Some(EachElement { list, element, goals }));
            }
        }
        self.as_each_of_structure(state, (function, args), wanted)
    }

    /// A call that wants the same of some integers of a structure, and nothing else.
    fn as_each_of_structure(
        &mut self,
        state: &mut RuleState,
        (function, args): (CodeFnId, &[Sym]),
        wanted: &Sym,
    ) -> Result<Option<EachElement>, NotDerived> {
        for (at, arg) in args.iter().enumerate() {
            let arg = state.resolve(arg);
            let SymTerm::Var(var) = &*arg else { continue };
            let (shape, is_known) = (state.var(*var).shape, state.var(*var).is_known);
            let is_sum = matches!(self.code.shape(shape).kind, ShapeKind::Sum(_));
            if is_known || !is_sum || !is_structure(self.code, shape) {
                continue;
            }
            let each = self.structure_case(state, (function, args, at), shape, wanted)?;
            if each.is_some() {
                return Ok(each);
            }
        }
        Ok(None)
    }

    fn structure_case(
        &mut self,
        state: &mut RuleState,
        (function, args, at): (CodeFnId, &[Sym], usize),
        shape: ShapeId,
        wanted: &Sym,
    ) -> Result<Option<EachElement>, NotDerived> {
        let goal_of = |value: &Sym| {
            let args = args.iter().enumerate();
            let args = args.map(|(n, arg)| Rc::clone(if n == at { value } else { arg }));
            let call = Rc::new(SymTerm::Call(function, args.collect()));
            SymGoal::Is(call, Rc::clone(wanted))
        };
        if self.assumed.len() >= MAX_ASSUMED {
            return Ok(None);
        }
        let mut ctors = Vec::new();
        let mut common: Option<(Sym, Vec<SymGoal>)> = None;
        for n in 0..self.n_constructors(shape) {
            let value = self.constructed(state, shape, n, &mut Vec::new())?;
            let SymTerm::Data(ctor, fields) = &*value else { return Ok(None) };
            let is_same = |it: &&Sym| matches!(&***it, SymTerm::Var(var) if state.var(*var).shape == shape);
            let same: Vec<Sym> = fields.iter().filter(is_same).cloned().collect();
            let rest_var = |it: &Sym| match &**it {
                SymTerm::Var(var) => Some(AssumedCall { function, argument: at, rest: *var }),
                _ => None,
            };
            let assumed: Vec<AssumedCall> = same.iter().filter_map(rest_var).collect();
            let Some(mut goals) = self.consequences(state, goal_of(&value), assumed)? else {
                return Ok(None);
            };
            let mut further = Vec::new();
            for (position, field) in fields.iter().enumerate() {
                let assumption = goal_of(field);
                if let Some(found) = goals.iter().position(|it| *it == assumption) {
                    goals.remove(found);
                    further.push(position);
                }
            }
            let mut elements = Vec::new();
            for (position, field) in fields.iter().enumerate() {
                let SymTerm::Var(var) = &**field else { continue };
                let mentions = |it: &SymGoal| state.unknowns_of_goal(it).contains(var);
                let (own, others): (Vec<SymGoal>, Vec<SymGoal>) =
                    goals.into_iter().partition(mentions);
                goals = others;
                let field_shape = state.var(*var).shape;
                if own.is_empty() {
                    continue;
                }
                let other_fields: Vec<SymVar> = fields
                    .iter()
                    .filter(|it| *it != field)
                    .flat_map(|it| state.unknowns(it))
                    .collect();
                let relates = |it: &SymGoal| {
                    state.unknowns_of_goal(it).iter().any(|it| other_fields.contains(it))
                };
                let is_int = matches!(self.code.shape(field_shape).kind, ShapeKind::Int);
                if !is_int || own.iter().any(relates) {
                    return Ok(None);
                }
                elements.push(position);
                let first = common.get_or_insert_with(|| (Rc::clone(field), own.clone()));
                let renamed = own.iter().map(|goal| {
                    goal.map_terms::<NotDerived>(&mut |it| Ok(replaced(it, field, &first.0)))
                });
                let renamed = renamed.collect::<Result<Vec<_>, _>>()?;
                let is_equal = renamed.len() == first.1.len()
                    && renamed.iter().all(|it| first.1.contains(it));
                if !is_equal {
                    return Ok(None);
                }
            }
            if !goals.is_empty() {
                return Ok(None);
            }
            ctors.push((*ctor, elements, further));
        }
        let Some((element, goals)) = common else { return Ok(None) };
        let scheme = Rc::new(ElementScheme { ctors });
        let list = Rc::new(SymTerm::Elements(scheme, Rc::clone(&args[at])));
        Ok(Some(EachElement { list, element, goals }))
    }

    /// What a goal about the elements of a call's value means for the call's list arguments.
    fn through_call(
        &mut self,
        state: &mut RuleState,
        (function, args): (CodeFnId, &[Sym]),
        each: &EachElement,
    ) -> Result<Option<Vec<SymGoal>>, NotDerived> {
        for (at, list, item) in self.list_arguments(state, args) {
            let goal_of = |args: Box<[Sym]>| {
                let list = Rc::new(SymTerm::Call(function, args));
                SymGoal::Each(EachElement { list, ..each.clone() })
            };
            let case = self.element_case(state, (function, args, at), item, &goal_of)?;
            if let Some(ElementCase { element, mut at_end, goals }) = case {
                if !goals.is_empty() {
                    at_end.push(SymGoal::Each(EachElement { list, element, goals }));
                }
                return Ok(Some(at_end));
            }
        }
        Ok(None)
    }

    /// The arguments that are lists and not known to be empty or not, with the shapes of their
    /// elements.
    fn list_arguments(&self, state: &RuleState, args: &[Sym]) -> Vec<(usize, Sym, ShapeId)> {
        let mut found = Vec::new();
        for (at, arg) in args.iter().enumerate() {
            let arg = state.resolve(arg);
            let shape = match &*arg {
                SymTerm::Var(var) if !state.var(*var).is_known => Ok(state.var(*var).shape),
                SymTerm::Call(..) | SymTerm::If(..) | SymTerm::Match(..) => self.shape_of(&arg),
                _ => continue,
            };
            if let Ok(shape) = shape
                && let ShapeKind::List(item) = self.code.shape(shape).kind
            {
                found.push((at, arg, item));
            }
        }
        found
    }

    //   goal(f([]))  ⟺  E        goal(f([y, ..ys]))  ⟺  G(y) ∧ goal(f(ys))
    //   ──────────────────────────────────────────────────────────────────
    //   goal(f(xs))  ⟺  E ∧ (each y of xs: G(y))
    fn element_case(
        &mut self,
        state: &mut RuleState,
        (function, args, at): (CodeFnId, &[Sym], usize),
        item: ShapeId,
        goal_of: &dyn Fn(Box<[Sym]>) -> SymGoal,
    ) -> Result<Option<ElementCase>, NotDerived> {
        let list = state.resolve(&args[at]);
        let is_assumed = |it: &AssumedCall| {
            let is_call = it.function == function && it.argument == at;
            is_call && matches!(&*list, SymTerm::Var(var) if *var == it.rest)
        };
        if self.assumed.iter().any(is_assumed) || self.assumed.len() >= MAX_ASSUMED {
            return Ok(None);
        }
        let with = |list: Sym| -> Box<[Sym]> {
            let args = args.iter().enumerate();
            args.map(|(n, arg)| if n == at { Rc::clone(&list) } else { Rc::clone(arg) })
                .collect()
        };
        let nil = Rc::new(SymTerm::Nil);
        let Some(at_end) = self.consequences(state, goal_of(with(nil)), Vec::new())? else {
            return Ok(None);
        };
        // What the type demands of elements is demanded where they are made.
        let element = state.fresh(self.code, item, &mut Vec::new())?;
        let list_shape = match &*list {
            SymTerm::Var(var) => state.var(*var).shape,
            _ => self.shape_of(&list)?,
        };
        let rest = state.add_unknown(list_shape);
        let rest_term = Rc::new(SymTerm::Var(rest));
        let longer = SymTerm::Cons(Rc::clone(&element), Rc::clone(&rest_term));
        let assumed = AssumedCall { function, argument: at, rest };
        let longer = goal_of(with(Rc::new(longer)));
        let Some(mut goals) = self.consequences(state, longer, vec![assumed])? else {
            return Ok(None);
        };
        let assumption = goal_of(with(rest_term));
        // The call on the rest must be among the consequences, unchanged: then the rule above
        // holds by induction.
        let Some(found) = goals.iter().position(|it| *it == assumption) else {
            return Ok(None);
        };
        goals.remove(found);
        let mentions_rest = |it: &SymGoal| state.unknowns_of_goal(it).contains(&rest);
        // A goal that relates an element to the rest, such as ascending order, is not one
        // about each element.
        if goals.iter().any(mentions_rest) || at_end.iter().any(mentions_rest) {
            return Ok(None);
        }
        Ok(Some(ElementCase { element, at_end, goals }))
    }

    /// What a goal comes down to, if that is one conjunction without further unknowns.
    fn consequences(
        &mut self,
        state: &mut RuleState,
        goal: SymGoal,
        assumed: Vec<AssumedCall>,
    ) -> Result<Option<Vec<SymGoal>>, NotDerived> {
        let mut alone = state.clone();
        alone.clear_goals();
        let n_vars = alone.vars.len();
        let n_bound = alone.n_bound();
        let n_assumed = self.assumed.len();
        self.assumed.extend(assumed);
        let reduced = self.reduce(alone, vec![goal]);
        self.assumed.truncate(n_assumed);
        let states = match reduced {
            Ok(states) => states,
            // Anything else only says that the goal is of another kind; the budget is that of
            // the query.
            Err(NotDerived::TooManySteps) => return Err(NotDerived::TooManySteps),
            Err(_) => return Ok(None),
        };
        let [only] = &states[..] else { return Ok(None) };
        // The goal has decided an unknown, which other uses of the scheme must not inherit.
        if only.n_bound() > n_bound {
            return Ok(None);
        }
        let resolved =
            |goal: &SymGoal| goal.map_terms::<NotDerived>(&mut |it| Ok(only.resolve_fully(it)));
        let goals = only.remaining_goals();
        let goals = goals.iter().map(resolved).collect::<Result<Vec<_>, _>>()?;
        let is_new = |it: &SymVar| it.index() >= n_vars;
        if goals.iter().any(|it| only.unknowns_of_goal(it).iter().any(is_new)) {
            return Ok(None);
        }
        // The variables of elements of lists inside elements.
        let added = only.vars[n_vars..].iter();
        state.vars.extend(added.map(|it| SymVarInfo { value: None, ..it.clone() }));
        Ok(Some(goals))
    }

    /// Whether a call is left as it is because its function is being recognized.
    pub(super) fn is_assumed_call(&self, state: &RuleState, term: &Sym) -> bool {
        let SymTerm::Call(function, args) = &**term else { return false };
        self.assumed.iter().any(|it| {
            it.function == *function
                && args.get(it.argument).is_some_and(
                    |arg| matches!(&*state.resolve(arg), SymTerm::Var(var) if *var == it.rest),
                )
        })
    }

    /// Goals about the elements of a list, spread over the parts that the list is made of. The
    /// alternatives in which they hold; `None` if it is not understood.
    pub(super) fn spread_each(
        &mut self,
        state: &mut RuleState,
        each: &EachElement,
        goals: &mut Vec<SymGoal>,
    ) -> Result<Option<Vec<Vec<SymGoal>>>, NotDerived> {
        if each.goals.is_empty() {
            return Ok(Some(vec![Vec::new()]));
        }
        let list = self.force(state, &each.list)?;
        let of =
            |list: &Sym| SymGoal::Each(EachElement { list: Rc::clone(list), ..each.clone() });
        match &*list {
            SymTerm::Nil => return Ok(Some(vec![Vec::new()])),
            SymTerm::Elements(scheme, structure) => {
                let structure = self.force(state, structure)?;
                if let SymTerm::Data(ctor, fields) = &*structure {
                    let of_ctor = scheme.ctors.iter().find(|it| it.0 == *ctor);
                    let (_, elements, further) = of_ctor.ok_or(NotDerived::NotUnderstood)?;
                    let mut added = Vec::new();
                    for at in elements {
                        added.extend(self.goals_of_element(state, each, &fields[*at])?);
                    }
                    for at in further {
                        let field = Rc::clone(&fields[*at]);
                        added.push(of(&Rc::new(SymTerm::Elements(Rc::clone(scheme), field))));
                    }
                    return Ok(Some(vec![added]));
                }
            }
            SymTerm::Cons(first, rest) => {
                let mut added = vec![of(rest)];
                added.extend(self.goals_of_element(state, each, first)?);
                return Ok(Some(vec![added]));
            }
            SymTerm::If(id, condition, locals) => {
                let mut alternatives = Vec::new();
                for holds in [true, false] {
                    let list = self.if_taken(state, (*id, holds), locals)?;
                    let holds = Rc::new(SymTerm::Bool(holds));
                    let is = SymGoal::Is(Rc::clone(condition), holds);
                    alternatives.push(vec![of(&list), is]);
                }
                return Ok(Some(alternatives));
            }
            SymTerm::Var(var) if state.var(*var).is_known => {
                return Err(NotDerived::KnownStructure);
            }
            SymTerm::Call(function, args) if !self.is_assumed_call(state, &list) => {
                let through = self.through_call(state, (*function, args), each)?;
                if let Some(pieces) = through {
                    goals.extend(pieces);
                    return Ok(Some(vec![Vec::new()]));
                }
            }
            _ => {}
        }
        let is_one = state.heads(self.code, &list).len() == 1;
        if !is_one && !self.is_assumed_call(state, &list) {
            return Ok(None);
        }
        let list = state.resolve_fully(&list);
        let facet = SymGoal::Each(EachElement { list, ..each.clone() });
        if !state.facets.contains(&facet) {
            state.facets.push(facet);
        }
        Ok(Some(vec![Vec::new()]))
    }

    /// The goals about a given element.
    fn goals_of_element(
        &mut self,
        state: &RuleState,
        each: &EachElement,
        value: &Sym,
    ) -> Result<Vec<SymGoal>, NotDerived> {
        let mut pairs = Vec::new();
        self.match_parts(state, &each.element, value, &mut pairs)?;
        let substituted = |term: &Sym| {
            let changed = pairs.iter().fold(Rc::clone(term), |term, (var, value)| {
                replaced(&term, &Rc::new(SymTerm::Var(*var)), value)
            });
            Ok(changed)
        };
        each.goals.iter().map(|goal| goal.map_terms(&mut |it| substituted(it))).collect()
    }

    /// The variables of an element, which are the parts of a product, with their values.
    fn match_parts(
        &mut self,
        state: &RuleState,
        element: &Sym,
        value: &Sym,
        pairs: &mut Vec<(SymVar, Sym)>,
    ) -> Result<(), NotDerived> {
        if let SymTerm::Var(var) = &**element {
            pairs.push((*var, Rc::clone(value)));
            return Ok(());
        }
        let value = self.force(state, value)?;
        let (parts, values) = (element.parts(), value.parts());
        if !value.is_constructed() || parts.len() != values.len() {
            return Err(NotDerived::NotUnderstood);
        }
        for (part, value) in parts.into_iter().zip(values) {
            self.match_parts(state, part, value, pairs)?;
        }
        Ok(())
    }
}

/// Functions that are being recognized inside each other.
const MAX_ASSUMED: usize = 4;
