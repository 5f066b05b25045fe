//! Finds functions that may fail: comparing their result with itself still detects a failure.

use gainsay_core::{Body, Function, Program, Term, TermId, builtin};

/// The functions of a program that may fail.
#[derive(Debug)]
pub(super) struct PartialFunctions {
    /// By function id.
    may_fail: Vec<bool>,
}

impl PartialFunctions {
    /// Starts with functions that may fail by themselves and propagates to functions that reference
    /// them.
    pub(super) fn of(program: &Program) -> Self {
        let n = program.functions.len();
        let mut may_fail = vec![false; n];
        let mut callers: Vec<Vec<usize>> = vec![Vec::new(); n];
        let mut pending = Vec::new();
        for (at, function) in program.functions.iter().enumerate() {
            for term in &function.body.terms {
                if let Some(callee) = program.referenced_function(term) {
                    callers[callee.index()].push(at);
                }
            }
            if has_runtime_checks(program, function)
                || function.body.terms.iter().any(|it| may_fail_itself(program, it))
            {
                may_fail[at] = true;
                pending.push(at);
            }
        }
        while let Some(at) = pending.pop() {
            // `take`: each edge is followed once, which makes the propagation linear.
            for caller in std::mem::take(&mut callers[at]) {
                if !std::mem::replace(&mut may_fail[caller], true) {
                    pending.push(caller);
                }
            }
        }
        Self { may_fail }
    }

    /// Whether evaluating a term may fail.
    pub(super) fn may_fail(&self, program: &Program, body: &Body, term: TermId) -> bool {
        let mut pending = vec![term];
        while let Some(id) = pending.pop() {
            let term = body.term(id);
            let callee = program.referenced_function(term);
            if may_fail_itself(program, term)
                || callee.is_some_and(|it| self.may_fail[it.index()])
            {
                return true;
            }
            term.for_each_subterm(&mut |part| pending.push(part));
        }
        false
    }
}

/// Whether a call of a function is checked at run time: by its contract or by refinements in its
/// signature.
fn has_runtime_checks(program: &Program, function: &Function) -> bool {
    let mut types = function.params.iter().map(|it| it.ty).chain([function.result]);
    !function.requires.is_empty()
        || !function.ensures.is_empty()
        || types.any(|ty| program.types.flags(ty).has_refinement())
}

/// Whether a term may fail by itself. Calls of unknown functions may, and so may every form that is
/// not known to be total: in doubt there is no warning.
fn may_fail_itself(program: &Program, term: &Term) -> bool {
    if let Term::Builtin { builtin, .. } = term {
        return builtin::get(*builtin).partial;
    }
    if let Term::Perform { op, .. } = term {
        return program.types.flags(program.op(*op).result).has_refinement();
    }
    !is_total(term)
}

/// Whether a term always has a value if its parts have.
fn is_total(term: &Term) -> bool {
    matches!(
        term,
        Term::Literal(_)
            | Term::Local(_)
            | Term::Constant(_)
            | Term::Function { .. }
            | Term::Closure { .. }
            | Term::Call { .. }
            | Term::Tuple(_)
            | Term::List { .. }
            | Term::Construct { .. }
            | Term::Field { .. }
            | Term::Update { .. }
            | Term::If { .. }
            | Term::And(..)
            | Term::Or(..)
            | Term::Match { .. }
            | Term::Block { .. }
            | Term::Try { .. }
            | Term::Throws { .. }
            | Term::Under { .. }
            | Term::Par { .. }
            | Term::Sample { .. }
            | Term::Traced { .. }
    )
}
