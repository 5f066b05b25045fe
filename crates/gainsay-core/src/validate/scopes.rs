//! Locals are bound before they are used, and only where their pattern is in scope.

use super::Defect;
use crate::body::Body;
use crate::id::{FunctionId, LocalId, PatternId, TermId};
use crate::program::Program;
use crate::term::{Pattern, Term};

/// What is still to be done, the next one last.
enum Pending {
    Visit(TermId),
    Bind(PatternId),
    Unbind(PatternId),
}

/// Adds the locals of a function that are used where they are not bound.
pub(super) fn check(program: &Program, id: FunctionId, defects: &mut Vec<Defect>) {
    let function = program.function(id);
    let body = &function.body;
    let mut bound = vec![false; body.locals.len()];
    bound[..function.params.len()].fill(true);
    let mut scopes = Scopes { body, id, bound, seen: vec![false; body.terms.len()], defects };
    function.requires.iter().for_each(|clause| scopes.run(clause.term));
    body.root.into_iter().for_each(|root| scopes.run(root));
    for clause in &function.ensures {
        if let Some(result) = clause.result {
            scopes.bound[result.index()] = true;
        }
        scopes.run(clause.term);
    }
}

struct Scopes<'a> {
    body: &'a Body,
    id: FunctionId,
    bound: Vec<bool>,
    /// A term that is part of several wholes is visited once, so that the walk stays linear.
    seen: Vec<bool>,
    defects: &'a mut Vec<Defect>,
}

impl Scopes<'_> {
    fn run(&mut self, root: TermId) {
        let mut pending = vec![Pending::Visit(root)];
        while let Some(next) = pending.pop() {
            match next {
                Pending::Bind(pattern) => self.mark(pattern, |_| true),
                Pending::Unbind(pattern) => self.mark(pattern, |_| false),
                Pending::Visit(term) if self.seen[term.index()] => {}
                Pending::Visit(term) => {
                    self.seen[term.index()] = true;
                    let first = pending.len();
                    self.visit(term, &mut pending);
                    pending[first..].reverse();
                }
            }
        }
    }

    /// Marks all locals of a pattern, in or out of scope.
    fn mark(&mut self, pattern: PatternId, state: impl Fn(LocalId) -> bool) {
        let mut pending = vec![pattern];
        while let Some(next) = pending.pop() {
            let pattern = self.body.pattern(next);
            if let Pattern::Bind(local) = pattern {
                self.bound[local.index()] = state(*local);
            }
            pattern.each_part(&mut |part| pending.push(part));
        }
    }

    /// Puts down what follows from a term, first things first.
    fn visit(&mut self, id: TermId, pending: &mut Vec<Pending>) {
        let term = self.body.term(id);
        if let Term::Local(local) | Term::Sample { local, .. } = term
            && !self.bound[local.index()]
        {
            let name = &self.body.local(*local).name;
            let what = format!("the local `{name}` is used where it is not bound");
            self.defects.push(Defect { function: self.id, span: self.body.span(id), what });
        }
        if let Term::Match { scrutinee, arms } = term {
            pending.push(Pending::Visit(*scrutinee));
            for arm in arms {
                pending.push(Pending::Bind(arm.pattern));
                let parts = arm.weight.into_iter().chain(arm.guard).chain([arm.body]);
                pending.extend(parts.map(Pending::Visit));
                pending.push(Pending::Unbind(arm.pattern));
            }
        } else if let Term::Block { statements, result } = term {
            for statement in statements {
                pending.push(Pending::Visit(statement.value()));
                pending.extend(statement.pattern().map(Pending::Bind));
            }
            pending.push(Pending::Visit(*result));
            let patterns = statements.iter().filter_map(crate::term::Statement::pattern);
            pending.extend(patterns.map(Pending::Unbind));
        } else {
            term.each_part(&mut |part| pending.push(Pending::Visit(part)));
        }
    }
}
