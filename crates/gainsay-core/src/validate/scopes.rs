//! Checks that locals are bound before use, and only used where their pattern is in scope.

use super::ValidationError;
use crate::body::Body;
use crate::id::{FunctionId, LocalId, PatternId, TermId};
use crate::program::Program;
use crate::term::{Pattern, Term};

/// A step of the worklist; the next step is the last one.
enum ScopeStep {
    Visit(TermId),
    Bind(PatternId),
    Unbind(PatternId),
}

/// Adds a violation for each use of a local that is not bound.
pub(super) fn check(program: &Program, id: FunctionId, defects: &mut Vec<ValidationError>) {
    let function = program.function(id);
    let body = &function.body;
    let mut bound = vec![false; body.locals.len()];
    // `requires` runs before the body and must not see its locals; `ensures` runs after it and may
    // name the result.
    bound[..function.params.len()].fill(true);
    let mut scopes =
        ScopeValidator { body, id, bound, seen: vec![false; body.terms.len()], defects };
    function.requires.iter().for_each(|clause| scopes.run(clause.term));
    body.root.into_iter().for_each(|root| scopes.run(root));
    for clause in &function.ensures {
        if let Some(result) = clause.result {
            scopes.bound[result.index()] = true;
        }
        scopes.run(clause.term);
    }
}

struct ScopeValidator<'a> {
    body: &'a Body,
    id: FunctionId,
    bound: Vec<bool>,
    /// Visited terms: a shared term is visited once, so that the walk stays linear.
    seen: Vec<bool>,
    defects: &'a mut Vec<ValidationError>,
}

impl ScopeValidator<'_> {
    fn run(&mut self, root: TermId) {
        let mut pending = vec![ScopeStep::Visit(root)];
        while let Some(next) = pending.pop() {
            match next {
                ScopeStep::Bind(pattern) => self.set_bound(pattern, |_| true),
                ScopeStep::Unbind(pattern) => self.set_bound(pattern, |_| false),
                ScopeStep::Visit(term) if self.seen[term.index()] => {}
                ScopeStep::Visit(term) => {
                    self.seen[term.index()] = true;
                    let first = pending.len();
                    self.visit(term, &mut pending);
                    // `visit` pushes the steps in execution order; a stack pops the last one first.
                    pending[first..].reverse();
                }
            }
        }
    }

    /// Sets whether the locals of a pattern are in scope.
    fn set_bound(&mut self, pattern: PatternId, state: impl Fn(LocalId) -> bool) {
        let mut pending = vec![pattern];
        while let Some(next) = pending.pop() {
            let pattern = self.body.pattern(next);
            if let Pattern::Bind(local) = pattern {
                self.bound[local.index()] = state(*local);
            }
            pattern.for_each_subpattern(&mut |part| pending.push(part));
        }
    }

    /// Pushes the steps for a term, in execution order.
    fn visit(&mut self, id: TermId, pending: &mut Vec<ScopeStep>) {
        let term = self.body.term(id);
        if let Term::Local(local) | Term::Sample { local, .. } = term
            && !self.bound[local.index()]
        {
            let name = &self.body.local(*local).name;
            let what = format!("the local `{name}` is used where it is not bound");
            self.defects.push(ValidationError {
                function: self.id,
                span: self.body.span(id),
                message: what,
            });
        }
        if let Term::Match { scrutinee, arms } = term {
            pending.push(ScopeStep::Visit(*scrutinee));
            for arm in arms {
                pending.push(ScopeStep::Bind(arm.pattern));
                let parts = arm.weight.into_iter().chain(arm.guard).chain([arm.body]);
                pending.extend(parts.map(ScopeStep::Visit));
                pending.push(ScopeStep::Unbind(arm.pattern));
            }
        } else if let Term::Block { statements, result } = term {
            for statement in statements {
                pending.push(ScopeStep::Visit(statement.value()));
                pending.extend(statement.pattern().map(ScopeStep::Bind));
            }
            pending.push(ScopeStep::Visit(*result));
            // A block's bindings end with the block; an arm's end with the arm.
            let patterns = statements.iter().filter_map(crate::term::Statement::pattern);
            pending.extend(patterns.map(ScopeStep::Unbind));
        } else {
            term.for_each_subterm(&mut |part| pending.push(ScopeStep::Visit(part)));
        }
    }
}
