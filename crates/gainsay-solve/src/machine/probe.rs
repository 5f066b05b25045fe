//! Branches between sums of integers: what both sides have in common.
//!
//! `if a > b { a + 1 } else { b + 1 }` with an unknown condition says nothing as long as one waits
//! for the condition, though its value is at least `a + 1`. So both sides are tried for what they
//! do to the bounds, one after the other, and what holds in both is kept (constructive disjunction;
//! Van Hentenryck, Saraswat and Deville, 1998). A side that contradicts what is known is dropped.

use gainsay_core::Comparison;

use super::goals::Alternative;
use super::heap::{Cell, Ref, Refs};
use super::{Interrupt, Run, Step};
use crate::code::{Arithmetic, BranchSide, Code, Expr, ExprId};
use crate::store::{Offset, VarId};

/// Expressions in a side that is tried.
const MAX_TERMS: usize = 8;

/// The integers whose bounds a branch relates.
const MAX_VARS: usize = 8;

/// A branch whose sides can be tried.
#[derive(Debug, Copy, Clone)]
pub(super) struct ArithmeticBranch {
    /// The condition: a comparison of integers.
    comparison: Comparison,
    a: Ref,
    b: Ref,
    sides: [ExprId; 2],
    env: Refs,
    result: Ref,
}

/// What trying the sides of a branch has shown.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum Probe {
    /// Only this side is possible.
    Only(BranchSide),
    /// Both are.
    Both,
}

impl Run<'_, '_> {
    /// The branch, if its condition compares integers and its sides are sums of integers.
    pub(super) fn arithmetic_branch(
        &self,
        condition: Ref,
        alternatives: [Alternative; 2],
        env: Refs,
        result: Ref,
    ) -> Option<ArithmeticBranch> {
        let Cell::Unknown(id) = self.it.heap.cell(condition) else { return None };
        let producer = self.it.heap.unknown(id).producer;
        let (comparison, a, b) = self.comparison_goal(producer)?;
        let is_int = |it| matches!(self.it.heap.cell(it), Cell::Var(_) | Cell::Int(_));
        let [Alternative::Expr(then), Alternative::Expr(otherwise)] = alternatives else {
            return None;
        };
        let sides = [then, otherwise];
        let code = self.context.code;
        // Sides that are constants need no trial: their ranges are known.
        let is_worth_it = sides.iter().all(|it| is_sum(code, *it))
            && sides.iter().any(|it| !matches!(code.expr(*it), Expr::Literal(_)))
            && [a, b, result].into_iter().all(is_int);
        is_worth_it.then_some(ArithmeticBranch { comparison, a, b, sides, env, result })
    }

    /// Lets a branch run again when the bounds of its integers change.
    pub(super) fn watch_branch(&mut self, branch: &ArithmeticBranch, goal: u32) {
        for var in self.branch_vars(branch) {
            self.it.store.watch(var, goal);
        }
    }

    /// Tries both sides of a branch, and keeps the bounds that hold in both.
    pub(super) fn probe_branch(&mut self, branch: &ArithmeticBranch) -> Step<Probe> {
        self.step()?;
        let vars = self.branch_vars(branch);
        let then = self.bounds_of_side(branch, BranchSide::Then, &vars)?;
        let otherwise = self.bounds_of_side(branch, BranchSide::Otherwise, &vars)?;
        let (then, otherwise) = match (then, otherwise) {
            (None, None) => return Err(Interrupt::Conflict),
            (Some(_), None) => return Ok(Probe::Only(BranchSide::Then)),
            (None, Some(_)) => return Ok(Probe::Only(BranchSide::Otherwise)),
            (Some(then), Some(otherwise)) => (then, otherwise),
        };
        for ((var, a), b) in vars.iter().zip(then).zip(otherwise) {
            let whole = Offset { var: *var, plus: 0 };
            // The hull of both sides: it loses the gap between them, which a choice may still
            // find.
            self.it.store.within(whole, a.0.min(b.0), a.1.max(b.1))?;
        }
        Ok(Probe::Both)
    }

    /// The bounds of integers if one side of a branch is taken; `None` if it cannot be.
    fn bounds_of_side(
        &mut self,
        branch: &ArithmeticBranch,
        side: BranchSide,
        vars: &[VarId],
    ) -> Step<Option<Vec<(i64, i64)>>> {
        // A trial must leave no trace: neither in the terms and the store, nor in what was cut
        // off.
        let machine = &mut *self.it;
        let (heap, store) = (machine.heap.mark(), machine.store.mark());
        // Undoing forgets which goals were woken.
        let woken = std::mem::take(&mut machine.store.woken);
        let was_cut = (machine.was_cut, machine.store.was_cut);
        (machine.was_cut, machine.store.was_cut) = (false, false);
        let assumed = self.assume_side(branch, side);
        let machine = &mut *self.it;
        let is_cut = machine.was_cut();
        let bounds = vars.iter().map(|it| machine.store.bounds(*it)).collect();
        machine.heap.undo_to(heap, &mut |_| {});
        machine.store.undo_to(store);
        machine.store.woken = woken;
        (machine.was_cut, machine.store.was_cut) = was_cut;
        match assumed {
            Ok(()) => Ok(Some(bounds)),
            // What was left out might be possible.
            Err(Interrupt::Conflict) if is_cut => {
                Ok(Some(vars.iter().map(|it| self.it.store.bounds(*it)).collect()))
            }
            Err(Interrupt::Conflict) => Ok(None),
            Err(Interrupt::Exhausted) => Err(Interrupt::Exhausted),
        }
    }

    /// Constrains the store, and nothing else, as if a side was taken.
    fn assume_side(&mut self, branch: &ArithmeticBranch, side: BranchSide) -> Step<()> {
        let comparison = side.comparison(branch.comparison);
        let (Some(a), Some(b)) = (self.offset(branch.a), self.offset(branch.b)) else {
            return Ok(());
        };
        let store = &mut self.it.store;
        match comparison {
            Comparison::Eq => store.equate(a, b)?,
            Comparison::Ne => store.differ(a, b)?,
            Comparison::Lt => store.at_most(a, 1, b)?,
            Comparison::Le => store.at_most(a, 0, b)?,
            Comparison::Gt => store.at_most(b, 1, a)?,
            Comparison::Ge => store.at_most(b, 0, a)?,
        }
        let value = self.eval(branch.sides[side as usize], branch.env, None)?;
        if let (Some(value), Some(result)) = (self.offset(value), self.offset(branch.result)) {
            self.it.store.equate(value, result)?;
        }
        Ok(())
    }

    /// The integers of a branch: its value, those compared and those in its sides.
    fn branch_vars(&self, branch: &ArithmeticBranch) -> Vec<VarId> {
        let mut refs = vec![branch.result, branch.a, branch.b];
        let code = self.context.code;
        for side in branch.sides {
            each_local(code, side, &mut |slot| {
                refs.extend(self.it.heap.parts(branch.env).get(slot));
            });
        }
        let mut vars: Vec<VarId> = Vec::new();
        for it in refs {
            if let Cell::Var(offset) = self.it.heap.cell(it) {
                let root = self.it.store.root(offset.var).var;
                if !vars.contains(&root) && vars.len() < MAX_VARS {
                    vars.push(root);
                }
            }
        }
        vars
    }
}

/// Whether an expression is a small sum of integers that are known by name.
fn is_sum(code: &Code, id: ExprId) -> bool {
    let (mut pending, mut n) = (vec![id], 0);
    while let Some(next) = pending.pop() {
        n += 1;
        let is_plain = matches!(
            code.expr(next),
            Expr::Literal(_)
                | Expr::Local(_)
                | Expr::Arithmetic(Arithmetic::Add | Arithmetic::Sub, ..)
        );
        if !is_plain || n > MAX_TERMS {
            return false;
        }
        code.expr(next).each_part(&mut |part| pending.push(part));
    }
    true
}

/// Calls `visit` with the slot of each local.
fn each_local(code: &Code, id: ExprId, visit: &mut dyn FnMut(usize)) {
    if let Expr::Local(slot) = code.expr(id) {
        visit(slot.index());
    }
    code.expr(id).each_part(&mut |part| each_local(code, part, visit));
}
