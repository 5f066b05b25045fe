//! Goals that are relations: one alternative for each rule.

use std::rc::Rc;

use super::evaluate::SymFrame;
use super::reduce::Reduced;
use super::state::{RuleState, is_structure};
use super::term::{Sym, SymGoal, SymTerm};
use super::{BundleDeriver, NotDerived};
use crate::code::{CodeRelId, CodeRule, Expr, ExprId, ShapeKind};

impl BundleDeriver<'_> {
    /// The first argument that is a part of itself wherever a rule uses the relation again.
    pub(super) fn decreasing_argument(&self, rel: CodeRelId) -> Option<usize> {
        let code = self.code;
        let definition = code.rel(rel);
        (0..definition.params.len()).find(|at| {
            let shape = self.base_shape(definition.params[*at]);
            let decreases = |rule: &CodeRule| {
                let again = rule.premises.iter().flat_map(|it| uses_of(self, *it, rel));
                let mut again = again.collect::<Vec<_>>().into_iter();
                again.all(|args| self.is_part(args[*at], rule.conclusion[*at]))
            };
            is_structure(code, shape) && definition.rules.iter().all(decreases)
        })
    }

    /// Whether an expression is a variable inside a constructor of a pattern.
    fn is_part(&self, part: ExprId, whole: Option<ExprId>) -> bool {
        let Expr::Local(slot) = self.code.expr(part) else { return false };
        let Some(whole) = whole else { return false };
        match self.code.expr(whole) {
            Expr::Construct(..) | Expr::List(..) | Expr::Tuple(_) => {
                let mut found = false;
                self.code.expr(whole).each_part(&mut |it| {
                    found |= matches!(self.code.expr(it), Expr::Local(own) if own == slot)
                        || self.is_part(part, Some(it));
                });
                found
            }
            _ => false,
        }
    }

    /// A relation holds of some arguments; those that are left out are what is wanted.
    pub(super) fn reduce_relation(
        &mut self,
        state: &mut RuleState,
        (rel, args): (CodeRelId, &[Option<Sym>]),
        wanted: &Sym,
        goals: &mut Vec<SymGoal>,
    ) -> Result<Reduced, NotDerived> {
        let mut told = match &**wanted {
            SymTerm::Bool(true) => Vec::new(),
            SymTerm::Tuple(parts) => parts.to_vec(),
            // Nothing follows from rules that do not apply.
            _ => return Err(NotDerived::Relation),
        };
        told.reverse();
        let args: Vec<Sym> = args
            .iter()
            .cloned()
            .map(|it| match it {
                Some(arg) => Ok(arg),
                None => told.pop().ok_or(NotDerived::NotUnderstood),
            })
            .collect::<Result<_, _>>()?;
        if self.code.rel(rel).rules.iter().any(|it| it.is_recursive) {
            let at = self.decreasing_argument(rel).ok_or(NotDerived::Relation)?;
            if let SymTerm::Var(_) = &*state.resolve(&args[at]) {
                return self.add_relation(state, rel, &args, at, goals);
            }
        }
        let code = self.code;
        let mut alternatives = Vec::new();
        for rule in &code.rel(rel).rules {
            alternatives.push(self.rule_goals(state, rule, &args)?);
        }
        Ok(match alternatives.len() {
            0 => Reduced::Never,
            1 => {
                goals.extend(alternatives.remove(0));
                Reduced::Done
            }
            _ => Reduced::Split(alternatives),
        })
    }

    /// Whether an argument is an integer that the rules compute, such as a height, and not one that
    /// they compare others with. Drawn without regard to the structure, it would hardly fit.
    fn counts(&self, rel: CodeRelId, at: usize) -> bool {
        let definition = self.code.rel(rel);
        let is_int = matches!(self.code.shape(definition.params[at]).kind, ShapeKind::Int);
        let is_computed = |rule: &CodeRule| {
            let conclusion = rule.conclusion[at].map(|it| self.code.expr(it));
            conclusion.is_some_and(|it| !matches!(it, Expr::Local(_)))
        };
        is_int && definition.rules.iter().any(is_computed)
    }

    /// Whether the rules compute an argument from several integers, such as a sum. Integers are drawn
    /// without bounds, and a sum of large ones is more than the search that decides the relation
    /// looks into, so the values could not be checked.
    fn adds_up(&self, rel: CodeRelId, at: usize) -> bool {
        let is_sum = |rule: &CodeRule| {
            let Some(conclusion) = rule.conclusion[at] else { return false };
            let (mut slots, mut pending) = (Vec::new(), vec![conclusion]);
            while let Some(next) = pending.pop() {
                match self.code.expr(next) {
                    Expr::Local(slot) if !slots.contains(slot) => slots.push(*slot),
                    expr => expr.each_part(&mut |it| pending.push(it)),
                }
            }
            slots.len() > 1
        };
        self.counts(rel, at) && self.code.rel(rel).rules.iter().any(is_sum)
    }

    /// Leaves a relation to the generator of the structure that it goes through. Other structures
    /// that are not known are what it tells, and so are integers that it computes.
    fn add_relation(
        &mut self,
        state: &mut RuleState,
        rel: CodeRelId,
        args: &[Sym],
        at: usize,
        goals: &mut Vec<SymGoal>,
    ) -> Result<Reduced, NotDerived> {
        let named = self.with_named_integers(state, args, goals)?;
        let mut kept = Vec::new();
        let mut told = Vec::new();
        for (position, arg) in named.iter().enumerate() {
            let arg = state.resolve_fully(arg);
            let is_open = match self.counts(rel, position) {
                true => !state.unknowns(&arg).is_empty(),
                false => !state.heads(self.code, &arg).is_empty(),
            };
            if position != at && is_open && self.adds_up(rel, position) {
                return Err(NotDerived::Relation);
            }
            if position != at && is_open {
                told.push(arg);
                kept.push(None);
            } else {
                kept.push(Some(arg));
            }
        }
        let wanted = match told.is_empty() {
            true => SymTerm::Bool(true),
            false => SymTerm::Tuple(told.into()),
        };
        let term = Rc::new(SymTerm::Rel(rel, kept.into()));
        self.add_facet(state, &term, &Rc::new(wanted), goals)
    }

    /// What a rule demands.
    fn rule_goals(
        &mut self,
        state: &mut RuleState,
        rule: &CodeRule,
        args: &[Sym],
    ) -> Result<Vec<SymGoal>, NotDerived> {
        let mut goals = Vec::new();
        let slots = rule.slots.iter().map(|it| state.fresh(self.code, *it, &mut goals));
        let slots: Vec<Sym> = slots.collect::<Result<_, _>>()?;
        let frame = SymFrame::of_args(&slots);
        for premise in rule.premises.iter().rev() {
            let premise = self.eval(state, *premise, &frame)?;
            goals.push(SymGoal::Is(premise, Rc::new(SymTerm::Bool(true))));
        }
        for (arg, conclusion) in args.iter().zip(&rule.conclusion) {
            if let Some(conclusion) = conclusion {
                let value = self.eval(state, *conclusion, &frame)?;
                goals.push(SymGoal::Is(Rc::clone(arg), value));
            }
        }
        Ok(goals)
    }
}

/// The arguments with which an expression uses a relation.
fn uses_of(deriver: &BundleDeriver<'_>, id: ExprId, rel: CodeRelId) -> Vec<Box<[ExprId]>> {
    let mut found = Vec::new();
    let mut pending = vec![id];
    while let Some(next) = pending.pop() {
        let expr = deriver.code.expr(next);
        if let Expr::Rel(used, args) = expr
            && *used == rel
        {
            found.push(args.clone());
        }
        expr.each_part(&mut |it| pending.push(it));
    }
    found
}
