//! Values that are known when a structure is drawn, but not when its generator is derived.
//!
//! An alternative may be for one constructor of a known value: it is chosen only for values with
//! that constructor. Goals that only look into known values, such as the lookup of a variable in an
//! environment, have finitely many solutions, of which one is picked: their bundles draw nothing.

use std::rc::Rc;

use gainsay_core::Comparison;

use super::recipe::{BundleKind, RecipeBundle, RecipeExpr, RecipePattern, RecipeStep};
use super::state::{KnownMatch, RuleState, is_structure};
use super::term::{Sym, SymGoal, SymTerm, SymVar};
use super::{BundleDeriver, NotDerived};
use crate::code::{ShapeId, ShapeKind};

impl BundleDeriver<'_> {
    /// Whether two variables are known, and can be compared.
    pub(super) fn is_compared(&self, state: &RuleState, a: SymVar, b: SymVar) -> bool {
        let (a, b) = (state.var(a), state.var(b));
        let shape = self.base_shape(a.shape);
        a.is_known && b.is_known && !matches!(self.code.shape(shape).kind, ShapeKind::Opaque)
    }

    /// The position of the constructor that a known value must have.
    pub(super) fn constructor_of(
        &self,
        state: &RuleState,
        var: SymVar,
        wanted: &Sym,
    ) -> Option<usize> {
        let info = state.var(var);
        let shape = self.base_shape(info.shape);
        match (&self.code.shape(shape).kind, &**wanted) {
            _ if !info.is_known => None,
            (ShapeKind::Sum(ctors), SymTerm::Data(ctor, _)) => {
                ctors.iter().position(|it| it.ctor == *ctor)
            }
            (ShapeKind::List(_), SymTerm::Nil) | (ShapeKind::Tuple(_), SymTerm::Tuple(_)) => {
                Some(0)
            }
            (ShapeKind::List(_), SymTerm::Cons(..)) => Some(1),
            _ => None,
        }
    }

    /// Makes an alternative one for a constructor of a known value.
    pub(super) fn match_known(
        &mut self,
        state: &mut RuleState,
        var: SymVar,
        constructor: usize,
    ) -> Result<(), NotDerived> {
        let shape = self.base_shape(state.var(var).shape);
        let fields: Vec<ShapeId> = match &self.code.shape(shape).kind {
            ShapeKind::Sum(ctors) => ctors[constructor].fields.to_vec(),
            ShapeKind::Tuple(parts) => parts.to_vec(),
            ShapeKind::List(_) if constructor == 0 => Vec::new(),
            ShapeKind::List(item) => vec![*item, shape],
            _ => return Err(NotDerived::KnownStructure),
        };
        let fields: Vec<SymVar> =
            fields.into_iter().map(|it| state.add_known(self.base_shape(it))).collect();
        let parts: Vec<Sym> = fields.iter().map(|it| Rc::new(SymTerm::Var(*it))).collect();
        let value = match (&self.code.shape(shape).kind, &parts[..]) {
            (ShapeKind::Sum(ctors), _) => SymTerm::Data(ctors[constructor].ctor, parts.into()),
            (ShapeKind::Tuple(_), _) => SymTerm::Tuple(parts.into()),
            (_, [first, rest]) => SymTerm::Cons(Rc::clone(first), Rc::clone(rest)),
            _ => SymTerm::Nil,
        };
        state.bind(var, Rc::new(value));
        state.matches.push(KnownMatch { var, constructor, fields });
        Ok(())
    }

    /// A match as a pattern of a recipe, and the number of constructors of the value.
    pub(super) fn pattern_of(
        &self,
        state: &RuleState,
        it: &KnownMatch,
    ) -> Option<(RecipePattern, usize)> {
        let shape = self.base_shape(state.var(it.var).shape);
        let fields = it.fields.clone();
        Some(match (&self.code.shape(shape).kind, &fields[..]) {
            (ShapeKind::Sum(ctors), _) => {
                (RecipePattern::Data(ctors[it.constructor].ctor, fields), ctors.len())
            }
            (ShapeKind::Tuple(_), _) => (RecipePattern::Tuple(fields), 1),
            (ShapeKind::List(_), []) => (RecipePattern::Nil, 2),
            (ShapeKind::List(_), [first, rest]) => (RecipePattern::Cons(*first, *rest), 2),
            _ => return None,
        })
    }

    /// What a call looks into first.
    fn first_look(
        &mut self,
        state: &RuleState,
        term: &Sym,
    ) -> Result<Option<SymVar>, NotDerived> {
        let blocker = match &**term {
            SymTerm::Call(function, args) => {
                let body = self.inlined(state, *function, args)?;
                let SymTerm::Match(id, scrutinee, _) = &*body else { return Ok(None) };
                let blocker = self.blocker(state, *id, scrutinee)?;
                self.force(state, &blocker)?
            }
            SymTerm::Rel(rel, args) => {
                let at = self.decreasing_argument(*rel);
                let Some(Some(arg)) = at.map(|at| &args[at]) else { return Ok(None) };
                state.resolve(arg)
            }
            _ => return Ok(None),
        };
        let SymTerm::Var(var) = &*blocker else { return Ok(None) };
        let shape = self.base_shape(state.var(*var).shape);
        Ok(is_structure(self.code, shape).then_some(*var))
    }

    /// The known structure that a goal looks into first.
    pub(super) fn known_driver(
        &mut self,
        state: &RuleState,
        term: &Sym,
    ) -> Result<Option<SymVar>, NotDerived> {
        let looked = self.first_look(state, term)?;
        Ok(looked.filter(|it| state.var(*it).is_known))
    }

    /// The unknown structure that a goal is about; none if it only looks into known ones.
    pub(super) fn head_of(
        &mut self,
        state: &RuleState,
        term: &Sym,
    ) -> Result<Option<SymVar>, NotDerived> {
        match state.heads(self.code, term)[..] {
            [] => Ok(None),
            [only] => Ok(Some(only)),
            _ => {
                let looked = self.first_look(state, &state.resolve(term))?;
                Ok(looked.filter(|it| !state.var(*it).is_known))
            }
        }
    }

    /// Arguments in which integers that are to be found are variables.
    pub(super) fn with_named_integers(
        &mut self,
        state: &mut RuleState,
        args: &[Sym],
        goals: &mut Vec<SymGoal>,
    ) -> Result<Box<[Sym]>, NotDerived> {
        let mut named = Vec::new();
        for arg in args {
            let arg = self.force(state, arg)?;
            let is_sum = matches!(&*arg, SymTerm::Arithmetic(..));
            if !is_sum || state.unknowns(&arg).is_empty() {
                named.push(arg);
                continue;
            }
            let int = self.code.shapes.iter().position(|it| matches!(it.kind, ShapeKind::Int));
            let int = int.map(|at| ShapeId(at as u32)).ok_or(NotDerived::NotUnderstood)?;
            let name = Rc::new(SymTerm::Var(state.add_unknown(int)));
            goals.push(SymGoal::Compare(Comparison::Eq, Rc::clone(&name), arg));
            named.push(name);
        }
        Ok(named.into())
    }

    /// Whether a pattern leaves something open inside a constructor of a recursive type. Goals that
    /// want such patterns would become larger with each step of a recursion.
    pub(super) fn open_inside(&self, state: &RuleState, wanted: &Sym) -> Vec<SymVar> {
        let wanted = state.resolve(wanted);
        let is_recursive = match &*wanted {
            SymTerm::Data(ctor, _) => self.code.shapes.iter().any(|it| match &it.kind {
                ShapeKind::Sum(ctors) => {
                    ctors.iter().any(|it| it.ctor == *ctor && it.n_recursive > 0)
                }
                _ => false,
            }),
            SymTerm::Cons(..) => true,
            _ => false,
        };
        if is_recursive {
            return state.unknowns(&wanted);
        }
        wanted.parts().into_iter().flat_map(|it| self.open_inside(state, it)).collect()
    }

    /// The shape of a value that is known and begins with a constructor of a recursive type.
    pub(super) fn recursive_shape(&self, state: &RuleState, value: &Sym) -> Option<ShapeId> {
        let value = state.resolve(value);
        let ids = (0..self.code.shapes.len() as u32).map(ShapeId);
        let mut fitting = ids.filter(|id| match (&self.code.shape(*id).kind, &*value) {
            (ShapeKind::Sum(ctors), SymTerm::Data(ctor, _)) => {
                ctors.iter().any(|it| it.ctor == *ctor && it.n_recursive > 0)
            }
            (ShapeKind::List(item), SymTerm::Cons(first, rest)) => {
                match (&*state.resolve(first), &*state.resolve(rest)) {
                    (_, SymTerm::Var(rest)) => self.base_shape(state.var(*rest).shape) == *id,
                    (SymTerm::Var(first), _) => {
                        self.base_shape(state.var(*first).shape) == self.base_shape(*item)
                    }
                    (_, _) => self.recursive_shape(state, rest) == Some(*id),
                }
            }
            _ => false,
        });
        // A type with parameters may have several shapes.
        match (fitting.next(), fitting.next()) {
            (Some(only), None) => Some(only),
            _ => None,
        }
    }
}

/// Makes sure that bundles which draw nothing have finitely many solutions: each goes on with a part
/// of a known value.
pub(super) fn check_finite(bundles: &[RecipeBundle]) -> Result<(), NotDerived> {
    for at in 0..bundles.len() {
        if bundles[at].kind != BundleKind::Solutions {
            continue;
        }
        for rule in &bundles[at].rules {
            for step in &rule.steps {
                let RecipeStep::Pick(pick) = step else {
                    return Err(NotDerived::KnownStructure);
                };
                let goes_down = pick.args.iter().zip(0..).any(|(arg, param)| {
                    let RecipeExpr::Var(arg) = arg else { return false };
                    let mut matches = rule.matches.iter();
                    matches.any(|it| it.var == SymVar(param) && it.pattern.binds(*arg))
                });
                let is_own = pick.bundle.index() == at;
                if (is_own && !goes_down)
                    || (!is_own && leads_to(bundles, pick.bundle.index(), at))
                {
                    return Err(NotDerived::KnownStructure);
                }
            }
        }
    }
    Ok(())
}

/// Whether picking from one bundle may pick from another.
fn leads_to(bundles: &[RecipeBundle], from: usize, to: usize) -> bool {
    let mut is_seen = vec![false; bundles.len()];
    let mut pending = vec![from];
    while let Some(next) = pending.pop() {
        if next == to {
            return true;
        }
        if std::mem::replace(&mut is_seen[next], true) {
            continue;
        }
        let steps = bundles[next].rules.iter().flat_map(|it| &it.steps);
        pending.extend(steps.filter_map(|step| match step {
            RecipeStep::Pick(pick) => Some(pick.bundle.index()),
            _ => None,
        }));
    }
    false
}
