//! Locals are bound before they are used, and only where their pattern is in scope.

use super::ValidationError;
use crate::body::Body;
use crate::id::{FunctionId, LocalId, PatternId, TermId};
use crate::program::Program;
use crate::term::{Pattern, Term};

/// What is still to be done, the next one last.
enum ScopeStep {
    Visit(TermId),
    Bind(PatternId),
    Unbind(PatternId),
}

/// Adds the locals of a function that are used where they are not bound.
pub(super) fn check(program: &Program, id: FunctionId, defects: &mut Vec<ValidationError>) {
    let function = program.function(id);
    let body = &function.body;
    let mut bound = vec![false; body.locals.len()];
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
    /// A term that is part of several wholes is visited once, so that the walk stays linear.
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
                    pending[first..].reverse();
                }
            }
        }
    }

    /// Marks all locals of a pattern, in or out of scope.
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

    /// Puts down what follows from a term, first things first.
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
            let patterns = statements.iter().filter_map(crate::term::Statement::pattern);
            pending.extend(patterns.map(ScopeStep::Unbind));
        } else {
            term.for_each_subterm(&mut |part| pending.push(ScopeStep::Visit(part)));
        }
    }
}
