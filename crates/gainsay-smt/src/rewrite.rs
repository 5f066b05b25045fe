//! Substitution, and the values of terms in a model.

use std::collections::{BTreeMap, HashMap};

use crate::signature::{FunId, Signature, Sort, VarId};
use crate::terms::{TermId, TermNode, Terms};

/// A simultaneous substitution of terms for variables.
pub trait Substitution {
    /// What replaces a variable, if it is replaced.
    fn replacement(&self, var: VarId) -> Option<TermId>;
}

impl Substitution for BTreeMap<VarId, TermId> {
    fn replacement(&self, var: VarId) -> Option<TermId> {
        self.get(&var).copied()
    }
}

impl Substitution for [(VarId, TermId)] {
    fn replacement(&self, var: VarId) -> Option<TermId> {
        self.iter().find(|it| it.0 == var).map(|it| it.1)
    }
}

impl Terms {
    /// A term with variables replaced, all at once: what replaces a variable is not visited again.
    pub fn substitute<S: Substitution + ?Sized>(&mut self, term: TermId, by: &S) -> TermId {
        if !self.vars(term).iter().any(|it| by.replacement(*it).is_some()) {
            return term;
        }
        self.substitute_memo(term, by, &mut HashMap::new())
    }

    fn substitute_memo<S: Substitution + ?Sized>(
        &mut self,
        term: TermId,
        by: &S,
        memo: &mut HashMap<TermId, TermId>,
    ) -> TermId {
        if !self.vars(term).iter().any(|it| by.replacement(*it).is_some()) {
            return term;
        }
        if let Some(done) = memo.get(&term) {
            return *done;
        }
        let node = self.node(term).clone();
        let new = match node {
            TermNode::Var(var) => by.replacement(var).unwrap_or(term),
            TermNode::Bool(_) | TermNode::Int(_) | TermNode::Opaque(..) => term,
            TermNode::App(fun, args) => {
                let args = self.substitute_all(args, by, memo);
                self.app(fun, args)
            }
            TermNode::Sum(ref sum)
            | TermNode::AtMostZero(ref sum)
            | TermNode::Zero(ref sum) => {
                let mut result = Some(crate::LinearSum::constant(sum.constant));
                for (part, coefficient) in &sum.parts {
                    let part = self.substitute_memo(*part, by, memo);
                    let part = self.linear(part);
                    result = result.and_then(|it| it.add_scaled(&part, *coefficient));
                }
                match (result, &node) {
                    (None, _) => self.opaque(self.sort(term)),
                    (Some(sum), TermNode::Sum(_)) => self.sum(sum),
                    (Some(sum), TermNode::Zero(_)) => self.zero(sum),
                    (Some(sum), _) => self.at_most_zero(sum),
                }
            }
            TermNode::Equal(a, b) => {
                let a = self.substitute_memo(a, by, memo);
                let b = self.substitute_memo(b, by, memo);
                self.eq(a, b)
            }
            TermNode::Not(inner) => {
                let inner = self.substitute_memo(inner, by, memo);
                self.not(inner)
            }
            TermNode::And(parts) => {
                let parts = self.substitute_all(parts, by, memo);
                self.and(parts)
            }
            TermNode::Or(parts) => {
                let parts = self.substitute_all(parts, by, memo);
                self.or(parts)
            }
            TermNode::Ite(condition, a, b) => {
                let condition = self.substitute_memo(condition, by, memo);
                let a = self.substitute_memo(a, by, memo);
                let b = self.substitute_memo(b, by, memo);
                self.ite(condition, a, b)
            }
        };
        memo.insert(term, new);
        new
    }

    fn substitute_all<S: Substitution + ?Sized>(
        &mut self,
        parts: Vec<TermId>,
        by: &S,
        memo: &mut HashMap<TermId, TermId>,
    ) -> Vec<TermId> {
        parts.into_iter().map(|it| self.substitute_memo(it, by, memo)).collect()
    }
}

/// A value of a sort.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SmtValue {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(i128),
    /// An element of an uninterpreted sort; different numbers are different elements.
    Element(Sort, u32),
    /// A constructor, applied.
    Data(FunId, Vec<SmtValue>),
}

/// An interpretation of variables and functions.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Model {
    /// The values of variables; others have the default value of their sort.
    pub vars: BTreeMap<VarId, SmtValue>,
    /// The values of functions at some arguments; elsewhere they have the default value.
    pub funs: BTreeMap<FunId, BTreeMap<Vec<SmtValue>, SmtValue>>,
}

/// What variables and functions stand for.
pub trait Interpretation {
    /// The value of a variable, if it has one.
    fn var(&self, signature: &Signature, var: VarId) -> Option<SmtValue>;

    /// The value of a function that is no constructor, if it has one for these arguments.
    fn function(
        &self,
        signature: &Signature,
        fun: FunId,
        args: &[SmtValue],
    ) -> Option<SmtValue>;
}

impl Interpretation for Model {
    fn var(&self, signature: &Signature, var: VarId) -> Option<SmtValue> {
        match self.vars.get(&var) {
            Some(value) => Some(value.clone()),
            None => default_value(signature, signature.var(var).sort),
        }
    }

    fn function(
        &self,
        signature: &Signature,
        fun: FunId,
        args: &[SmtValue],
    ) -> Option<SmtValue> {
        match self.funs.get(&fun).and_then(|it| it.get(args)) {
            Some(value) => Some(value.clone()),
            None => default_value(signature, signature.fun(fun).result),
        }
    }
}

impl Model {
    /// The value of a term, or nothing if it is opaque or too large for 128 bits.
    pub fn value(&self, terms: &Terms, term: TermId) -> Option<SmtValue> {
        evaluate(terms, term, self)
    }

    /// Whether a formula holds, if that can be computed.
    pub fn holds(&self, terms: &Terms, formula: TermId) -> Option<bool> {
        evaluate_formula(terms, formula, self)
    }
}

/// The value of a term, or nothing if it has an opaque part, a variable or function without a
/// value, or a number too large for 128 bits.
pub fn evaluate(
    terms: &Terms,
    term: TermId,
    by: &(impl Interpretation + ?Sized),
) -> Option<SmtValue> {
    let all_hold = |parts: &[TermId]| {
        parts.iter().map(|it| evaluate_formula(terms, *it, by)).collect::<Option<Vec<bool>>>()
    };
    match terms.node(term) {
        TermNode::Bool(value) => Some(SmtValue::Bool(*value)),
        TermNode::Int(value) => Some(SmtValue::Int(*value)),
        TermNode::Var(var) => by.var(&terms.signature, *var),
        TermNode::App(fun, args) => {
            let args = args
                .iter()
                .map(|it| evaluate(terms, *it, by))
                .collect::<Option<Vec<SmtValue>>>()?;
            if terms.signature.fun(*fun).is_constructor {
                return Some(SmtValue::Data(*fun, args));
            }
            by.function(&terms.signature, *fun, &args)
        }
        TermNode::Sum(sum) => evaluate_sum(terms, sum, by).map(SmtValue::Int),
        TermNode::AtMostZero(sum) => {
            evaluate_sum(terms, sum, by).map(|it| SmtValue::Bool(it <= 0))
        }
        TermNode::Zero(sum) => evaluate_sum(terms, sum, by).map(|it| SmtValue::Bool(it == 0)),
        TermNode::Equal(a, b) => {
            Some(SmtValue::Bool(evaluate(terms, *a, by)? == evaluate(terms, *b, by)?))
        }
        TermNode::Not(inner) => Some(SmtValue::Bool(!evaluate_formula(terms, *inner, by)?)),
        TermNode::And(parts) => Some(SmtValue::Bool(all_hold(parts)?.into_iter().all(|it| it))),
        TermNode::Or(parts) => Some(SmtValue::Bool(all_hold(parts)?.into_iter().any(|it| it))),
        TermNode::Ite(condition, a, b) => {
            let chosen = if evaluate_formula(terms, *condition, by)? { *a } else { *b };
            evaluate(terms, chosen, by)
        }
        TermNode::Opaque(..) => None,
    }
}

/// Whether a formula holds, if that can be computed.
pub fn evaluate_formula(
    terms: &Terms,
    formula: TermId,
    by: &(impl Interpretation + ?Sized),
) -> Option<bool> {
    match evaluate(terms, formula, by)? {
        SmtValue::Bool(value) => Some(value),
        SmtValue::Int(_) | SmtValue::Element(..) | SmtValue::Data(..) => None,
    }
}

fn evaluate_sum(
    terms: &Terms,
    sum: &crate::LinearSum,
    by: &(impl Interpretation + ?Sized),
) -> Option<i128> {
    let mut total = sum.constant;
    for (part, coefficient) in &sum.parts {
        let SmtValue::Int(value) = evaluate(terms, *part, by)? else { return None };
        total = total.checked_add(value.checked_mul(*coefficient)?)?;
    }
    Some(total)
}

/// The value that stands for "any" of a sort.
pub fn default_value(signature: &Signature, sort: Sort) -> Option<SmtValue> {
    match sort {
        Sort::Bool => Some(SmtValue::Bool(false)),
        Sort::Int => Some(SmtValue::Int(0)),
        Sort::Named(_) => match signature.constructors(sort) {
            None => Some(SmtValue::Element(sort, 0)),
            Some(_) => smallest_value(signature, sort, 6),
        },
    }
}

/// A value of a data type that nests no deeper than `depth`, if there is one.
fn smallest_value(signature: &Signature, sort: Sort, depth: u32) -> Option<SmtValue> {
    let Some(constructors) = signature.constructors(sort) else {
        return default_value(signature, sort);
    };
    if depth == 0 {
        return None;
    }
    let mut constructors: Vec<FunId> = constructors.to_vec();
    constructors.sort_by_key(|it| signature.fun(*it).params.len());
    constructors.into_iter().find_map(|it| {
        let params = &signature.fun(it).params;
        let args = params
            .iter()
            .map(|it| smallest_value(signature, *it, depth - 1))
            .collect::<Option<Vec<SmtValue>>>()?;
        Some(SmtValue::Data(it, args))
    })
}
