//! Branch coverage: which branches a claim can reach, and how many of them it did.

use std::collections::BTreeSet;

use gainsay_core::{FunctionId, FunctionKind, Program};
use gainsay_vm::Branch;

use crate::report::BranchCoverage;

/// The functions of the user's modules that a function may call, itself included.
pub(crate) fn reachable_functions(
    program: &Program,
    entry: FunctionId,
) -> BTreeSet<FunctionId> {
    let mut seen = BTreeSet::from([entry]);
    let mut pending = vec![entry];
    while let Some(function) = pending.pop() {
        for term in &program.function(function).body.terms {
            if let Some(callee) = term.function()
                && seen.insert(callee)
            {
                pending.push(callee);
            }
        }
    }
    seen.retain(|it| is_user_code(program, *it));
    seen
}

/// Whether a function is user code under test: neither a claim nor part of the standard library.
fn is_user_code(program: &Program, id: FunctionId) -> bool {
    let function = program.function(id);
    if program.module(function.module).is_std {
        return false;
    }
    match function.kind {
        FunctionKind::Declared => function.attributes.property.is_none(),
        FunctionKind::Lambda(parent) => is_user_code(program, parent),
        FunctionKind::Refinement | FunctionKind::Constant | FunctionKind::Claim => false,
    }
}

/// The coverage of the branches in the given functions.
pub(crate) fn branch_coverage(
    functions: &BTreeSet<FunctionId>,
    branches: &[Branch],
    counters: &[u64],
) -> Option<BranchCoverage> {
    if branches.is_empty() {
        return None;
    }
    let mut reach = BranchCoverage::default();
    for (branch, count) in branches.iter().zip(counters) {
        if functions.contains(&branch.function) {
            reach.total += 1;
            reach.reached += u64::from(*count > 0);
        }
    }
    (reach.total > 0).then_some(reach)
}
