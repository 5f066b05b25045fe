//! Which code evaluates to a value whatever its arguments are: only then may evaluation be put off.

use super::NotDerived;
use crate::code::{Arithmetic, Code, CodeFnId, Expr};

/// Whether all code that a query can reach is understood when a generator is derived.
pub(super) fn check(code: &Code) -> Result<(), NotDerived> {
    for function in &code.functions {
        if !function.requires.is_empty() || !function.ensures.is_empty() {
            return Err(NotDerived::MayFail);
        }
    }
    let mut rules = code.rels.iter().flat_map(|it| &it.rules);
    if rules.any(|it| it.weight.is_some()) {
        return Err(NotDerived::WeighedArm);
    }
    for expr in &code.exprs {
        match expr {
            Expr::Sample(..) => return Err(NotDerived::OrderedDraw),
            Expr::Refine(..) => return Err(NotDerived::MayFail),
            Expr::Arithmetic(Arithmetic::Div | Arithmetic::Rem, ..) => {
                return Err(NotDerived::Arithmetic);
            }
            Expr::Match(_, arms) if arms.iter().any(|it| it.weight.is_some()) => {
                return Err(NotDerived::WeighedArm);
            }
            _ => {}
        }
    }
    // Every function starts as a placeholder that fails, which its body replaces.
    let fails = |it: &crate::code::CodeFunction| reaches_failure(code, it.body);
    if code.functions.iter().any(fails) {
        return Err(NotDerived::MayFail);
    }
    Ok(())
}

fn reaches_failure(code: &Code, body: crate::code::ExprId) -> bool {
    let mut pending = vec![body];
    while let Some(next) = pending.pop() {
        match code.expr(next) {
            Expr::Fail => return true,
            expr => expr.each_part(&mut |part| pending.push(part)),
        }
    }
    false
}

/// The functions that call themselves, directly or not.
pub(super) fn recursive_functions(code: &Code) -> Vec<CodeFnId> {
    let ids = (0..code.functions.len() as u32).map(CodeFnId);
    let callees: Vec<Vec<usize>> = ids
        .clone()
        .map(|it| crate::query::called_functions(code, code.function(it).body))
        .collect();
    ids.filter(|it| {
        let mut is_seen = vec![false; callees.len()];
        let mut pending = callees[it.index()].clone();
        while let Some(next) = pending.pop() {
            if next == it.index() {
                return true;
            }
            if !std::mem::replace(&mut is_seen[next], true) {
                pending.extend(&callees[next]);
            }
        }
        false
    })
    .collect()
}
