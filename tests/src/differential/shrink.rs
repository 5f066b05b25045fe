//! Shrinks a test program while two engines still disagree about it: fewer calls, then simpler
//! terms, greedily.

use std::sync::Arc;

use gainsay_core::builtin::{MAP_EMPTY, SET_EMPTY};
use gainsay_core::{
    Body, CtorId, FunctionId, Literal, Program, Statement, Term, TermId, Ty, TyId, TypeTable,
    validate,
};

use super::report::reachable;
use super::test_program::TestProgram;

/// The maximum number of candidates tried.
const MAX_TRIES: u32 = 4_000;

/// The smallest test program found for which `disagree` still holds.
pub(super) fn shrink(
    trial: TestProgram,
    disagree: &dyn Fn(&TestProgram) -> bool,
) -> TestProgram {
    let mut search = TestProgramShrinker { best: trial, disagree, tries_left: MAX_TRIES };
    search.fewer_calls();
    while search.simpler_terms() {}
    search.best
}

struct TestProgramShrinker<'a> {
    best: TestProgram,
    disagree: &'a dyn Fn(&TestProgram) -> bool,
    tries_left: u32,
}

impl TestProgramShrinker<'_> {
    /// Adopts a candidate if it still disagrees.
    fn accept(&mut self, trial: TestProgram) -> bool {
        if self.tries_left == 0 {
            return false;
        }
        self.tries_left -= 1;
        let holds = (self.disagree)(&trial);
        if holds {
            self.best = trial;
        }
        holds
    }

    fn fewer_calls(&mut self) {
        // From the end: later calls may use the values of earlier ones, but not the other way
        // round.
        for at in (0..self.best.calls.len()).rev() {
            let mut trial = self.best.clone();
            trial.calls.remove(at);
            for arg in trial.calls.iter_mut().flat_map(|call| &mut call.args) {
                arg.from = match arg.from {
                    Some(from) if from == at => None,
                    Some(from) if from > at => Some(from - 1),
                    kept @ (Some(_) | None) => kept,
                };
            }
            self.accept(trial);
        }
    }

    /// One pass over all terms, outer ones first; returns whether anything got simpler.
    fn simpler_terms(&mut self) -> bool {
        let mut is_simpler = false;
        for function in reachable(&self.best) {
            is_simpler |= self.fewer_clauses(function);
            let n_terms = self.best.program.function(function).body.terms.len();
            // Subterms have lower ids than their parents, so descending order tries large parts
            // first.
            for at in (0..n_terms).rev() {
                is_simpler |= self.simpler_term(function, TermId(at as u32));
            }
        }
        is_simpler && self.tries_left > 0
    }

    fn fewer_clauses(&mut self, function: FunctionId) -> bool {
        let it = self.best.program.function(function);
        if it.requires.is_empty() && it.ensures.is_empty() {
            return false;
        }
        self.change(function, |function| {
            function.requires = Box::default();
            function.ensures = Box::default();
        })
    }

    fn change(
        &mut self,
        function: FunctionId,
        change: impl FnOnce(&mut gainsay_core::Function),
    ) -> bool {
        let mut program = Program::clone(&self.best.program);
        change(&mut program.functions[function.index()]);
        // A candidate that is not valid core would make the engines disagree for no reason of
        // theirs.
        if validate(&program).is_err() {
            return false;
        }
        let trial = TestProgram { program: Arc::new(program), ..self.best.clone() };
        self.accept(trial)
    }

    fn simpler_term(&mut self, function: FunctionId, at: TermId) -> bool {
        let body = &self.best.program.function(function).body;
        if !is_used(body, at, self.best.program.function(function)) {
            return false;
        }
        for candidate in candidates(&self.best.program, body, at) {
            let is_simpler = self.change(function, |function| {
                function.body.terms[at.index()] = candidate;
            });
            if is_simpler {
                return true;
            }
        }
        false
    }
}

/// Whether a term is reachable in its function.
fn is_used(body: &Body, at: TermId, function: &gainsay_core::Function) -> bool {
    let clauses = function.requires.iter().chain(&function.ensures).map(|it| it.term);
    let mut pending: Vec<TermId> = body.root.into_iter().chain(clauses).collect();
    while let Some(term) = pending.pop() {
        if term == at {
            return true;
        }
        body.term(term).for_each_subterm(&mut |part| pending.push(part));
    }
    false
}

/// Replacements for a term, simplest first.
fn candidates(program: &Program, body: &Body, at: TermId) -> Vec<Term> {
    let term = body.term(at);
    let ty = body.ty(at);
    let mut parts = Vec::new();
    term.for_each_subterm(&mut |part| parts.push(part));
    if parts.is_empty() {
        return Vec::new();
    }
    let mut candidates: Vec<Term> = leaf(program, ty).into_iter().collect();
    let base = program.types.base(ty);
    let fitting = parts.iter().filter(|part| program.types.base(body.ty(**part)) == base);
    candidates.extend(fitting.map(|part| body.term(*part).clone()));
    candidates.extend(shorter(term));
    candidates
}

/// The same term with fewer parts.
fn shorter(term: &Term) -> Vec<Term> {
    let mut shorter = Vec::new();
    if let Term::Match { scrutinee, arms } = term {
        for at in 0..arms.len() {
            let mut fewer = arms.to_vec();
            fewer.remove(at);
            shorter.push(Term::Match { scrutinee: *scrutinee, arms: fewer.into() });
        }
    } else if let Term::Block { statements, result } = term {
        for at in 0..statements.len() {
            let mut fewer: Vec<Statement> = statements.to_vec();
            fewer.remove(at);
            shorter.push(Term::Block { statements: fewer.into(), result: *result });
        }
    } else if let Term::List { items, rest } = term {
        for at in 0..items.len() {
            let mut fewer = items.to_vec();
            fewer.remove(at);
            shorter.push(Term::List { items: fewer.into(), rest: *rest });
        }
        if rest.is_some() {
            shorter.push(Term::List { items: items.clone(), rest: None });
        }
    } else if let Term::Under { handlers: answers, body } = term {
        for at in 0..answers.len() {
            let mut fewer = answers.to_vec();
            fewer.remove(at);
            shorter.push(Term::Under { handlers: fewer.into(), body: *body });
        }
    }
    shorter
}

/// A term of a type without subterms, where there is one.
fn leaf(program: &Program, ty: TyId) -> Option<Term> {
    let builtin =
        |builtin, type_args| Term::Builtin { builtin, type_args, args: Box::default() };
    Some(match program.types.get(ty) {
        Ty::Int => Term::Literal(Literal::Int(1)),
        Ty::Float => Term::Literal(Literal::Float(1.0)),
        Ty::Bool => Term::Literal(Literal::Bool(true)),
        Ty::Char => Term::Literal(Literal::Char('a')),
        Ty::Str => Term::Literal(Literal::Str("".into())),
        Ty::Tuple(_) if ty == TypeTable::UNIT => Term::Tuple(Box::default()),
        Ty::List(_) => Term::List { items: Box::default(), rest: None },
        Ty::Map(key, value) => builtin(MAP_EMPTY, Box::new([*key, *value])),
        Ty::Set(item) => builtin(SET_EMPTY, Box::new([*item])),
        Ty::Named(name, _) => {
            let ctors = program.nominal(*name).ctors.iter();
            let mut empty = ctors.filter(|it: &&CtorId| program.ctor(**it).fields.is_empty());
            Term::Construct { ctor: *empty.next()?, args: Box::default() }
        }
        Ty::Tuple(_) | Ty::Function { .. } | Ty::Refined { .. } => return None,
        Ty::Param(_) | Ty::Var(_) | Ty::Error => return None,
    })
}
