//! Linear terms over integer variables, and constraints on them.

use std::collections::BTreeMap;
use std::rc::Rc;

use gainsay_core::Comparison;

use super::NotDerived;
use super::term::{Sym, SymGoal, SymTerm, SymVar};
use crate::code::Arithmetic;

/// The coefficients of variables, none of them 0, and a constant.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct LinearTerm {
    pub(super) coefficients: BTreeMap<SymVar, i64>,
    pub(super) constant: i64,
}

/// How a linear term compares with 0.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum ToZero {
    Equal,
    NotEqual,
    AtMost,
}

/// A linear term compared with 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Constraint {
    pub(super) term: LinearTerm,
    pub(super) is: ToZero,
}

impl LinearTerm {
    pub(super) fn constant(constant: i64) -> Self {
        LinearTerm { coefficients: BTreeMap::new(), constant }
    }

    pub(super) fn var(var: SymVar) -> Self {
        LinearTerm { coefficients: [(var, 1)].into(), constant: 0 }
    }

    /// `self + factor * other`.
    pub(super) fn plus(&self, factor: i64, other: &Self) -> Result<Self, NotDerived> {
        let scaled = |it: i64| it.checked_mul(factor).ok_or(NotDerived::Arithmetic);
        let mut sum = self.clone();
        let constant = sum.constant.checked_add(scaled(other.constant)?);
        sum.constant = constant.ok_or(NotDerived::Arithmetic)?;
        for (var, coefficient) in &other.coefficients {
            let entry = sum.coefficients.entry(*var).or_default();
            *entry = entry.checked_add(scaled(*coefficient)?).ok_or(NotDerived::Arithmetic)?;
        }
        sum.coefficients.retain(|_, it| *it != 0);
        Ok(sum)
    }

    /// The variables with their coefficients.
    pub(super) fn pairs(&self) -> Vec<(SymVar, i64)> {
        self.coefficients.iter().map(|(var, it)| (*var, *it)).collect()
    }

    /// As a term.
    pub(super) fn as_sym(&self) -> Sym {
        let mut sum: Option<Sym> = None;
        for (var, coefficient) in &self.coefficients {
            let var = Rc::new(SymTerm::Var(*var));
            let scaled = match coefficient {
                1 => var,
                _ => {
                    let factor = Rc::new(SymTerm::Int(*coefficient));
                    Rc::new(SymTerm::Arithmetic(Arithmetic::Mul, factor, var))
                }
            };
            sum = Some(match sum {
                None => scaled,
                Some(sum) => Rc::new(SymTerm::Arithmetic(Arithmetic::Add, sum, scaled)),
            });
        }
        let constant = Rc::new(SymTerm::Int(self.constant));
        match (sum, self.constant) {
            (None, _) => constant,
            (Some(sum), 0) => sum,
            (Some(sum), _) => Rc::new(SymTerm::Arithmetic(Arithmetic::Add, sum, constant)),
        }
    }

    /// The variable, if the term is nothing else.
    pub(super) fn as_var(&self) -> Option<SymVar> {
        let (var, coefficient) = self.coefficients.first_key_value()?;
        let is_var = self.coefficients.len() == 1 && *coefficient == 1 && self.constant == 0;
        is_var.then_some(*var)
    }
}

impl Constraint {
    /// `a op b`.
    pub(super) fn new(
        op: Comparison,
        a: &LinearTerm,
        b: &LinearTerm,
    ) -> Result<Self, NotDerived> {
        let (term, is, strict) = match op {
            Comparison::Eq => (a.plus(-1, b)?, ToZero::Equal, 0),
            Comparison::Ne => (a.plus(-1, b)?, ToZero::NotEqual, 0),
            Comparison::Le => (a.plus(-1, b)?, ToZero::AtMost, 0),
            Comparison::Lt => (a.plus(-1, b)?, ToZero::AtMost, 1),
            Comparison::Ge => (b.plus(-1, a)?, ToZero::AtMost, 0),
            Comparison::Gt => (b.plus(-1, a)?, ToZero::AtMost, 1),
        };
        let term = term.plus(1, &LinearTerm::constant(strict))?;
        Ok(Constraint { term, is })
    }

    /// As a goal.
    pub(super) fn as_goal(&self) -> SymGoal {
        let op = match self.is {
            ToZero::Equal => Comparison::Eq,
            ToZero::NotEqual => Comparison::Ne,
            ToZero::AtMost => Comparison::Le,
        };
        SymGoal::Compare(op, self.term.as_sym(), Rc::new(SymTerm::Int(0)))
    }

    /// Whether it holds, if it has no variables.
    pub(super) fn decided(&self) -> Option<bool> {
        if !self.term.coefficients.is_empty() {
            return None;
        }
        let constant = self.term.constant;
        Some(match self.is {
            ToZero::Equal => constant == 0,
            ToZero::NotEqual => constant != 0,
            ToZero::AtMost => constant <= 0,
        })
    }

    /// Whether two constraints cannot both hold, as far as two bounds of one term tell.
    pub(super) fn contradicts(&self, other: &Constraint) -> bool {
        let Ok(sum) = self.term.plus(1, &other.term) else { return false };
        let Ok(difference) = self.term.plus(-1, &other.term) else { return false };
        let is_constant = |it: &LinearTerm| it.coefficients.is_empty();
        match (self.is, other.is) {
            // t ≤ 0 and -t + c ≤ 0 with c > 0.
            (ToZero::AtMost, ToZero::AtMost) => is_constant(&sum) && sum.constant > 0,
            (ToZero::Equal, ToZero::Equal) => {
                (is_constant(&sum) && sum.constant != 0)
                    || (is_constant(&difference) && difference.constant != 0)
            }
            (ToZero::Equal, ToZero::NotEqual) | (ToZero::NotEqual, ToZero::Equal) => {
                (is_constant(&sum) && sum.constant == 0)
                    || (is_constant(&difference) && difference.constant == 0)
            }
            (ToZero::Equal, ToZero::AtMost) => {
                // other = sum - self = sum, and other = self - difference = -difference.
                (is_constant(&sum) && sum.constant > 0)
                    || (is_constant(&difference) && difference.constant < 0)
            }
            (ToZero::AtMost, ToZero::Equal) => other.contradicts(self),
            (ToZero::NotEqual, ToZero::NotEqual | ToZero::AtMost)
            | (ToZero::AtMost, ToZero::NotEqual) => false,
        }
    }

    /// `t ≤ 0` and `t ≠ 0` are `t + 1 ≤ 0`.
    pub(super) fn sharpened(&self, other: &Constraint) -> Option<Constraint> {
        let (bound, hole) = match (self.is, other.is) {
            (ToZero::AtMost, ToZero::NotEqual) => (self, other),
            (ToZero::NotEqual, ToZero::AtMost) => (other, self),
            _ => return None,
        };
        let is_zero = |it: LinearTerm| it == LinearTerm::default();
        let same = bound.term.plus(-1, &hole.term).is_ok_and(is_zero)
            || bound.term.plus(1, &hole.term).is_ok_and(is_zero);
        let term = bound.term.plus(1, &LinearTerm::constant(1)).ok()?;
        same.then_some(Constraint { term, is: ToZero::AtMost })
    }
}
