//! Checks that ids are in range, subterms precede their parents, and no inference variables are
//! left.

use super::ValidationError;
use crate::builtin;
use crate::id::{FunctionId, LocalId, TyId};
use crate::program::{Function, Program};
use crate::term::{EffectHandler, Pattern, Term};

/// Adds the violations in the ids of a function.
pub(super) fn check(program: &Program, id: FunctionId, defects: &mut Vec<ValidationError>) {
    let function = program.function(id);
    let mut ids = IdValidator { program, id, function, defects };
    ids.signature();
    ids.patterns();
    ids.terms();
}

struct IdValidator<'a> {
    program: &'a Program,
    id: FunctionId,
    function: &'a Function,
    defects: &'a mut Vec<ValidationError>,
}

impl IdValidator<'_> {
    fn defect(&mut self, at: usize, what: impl Into<String>) {
        // Even the table of spans may be too short: this function must not fail on what it reports.
        let span = self.function.body.spans.get(at).copied().unwrap_or(self.function.span);
        self.defects.push(ValidationError { function: self.id, span, message: what.into() });
    }

    fn signature(&mut self) {
        let function = self.function;
        let body = &function.body;
        // An index without a span, for which `defect` takes that of the function.
        let none = body.terms.len();
        if body.tys.len() != none || body.spans.len() != none {
            self.defect(none, "the numbers of terms, types and spans differ");
        }
        if body.locals.len() < function.params.len() {
            self.defect(none, "the parameters are not the first locals");
        }
        if function.n_captures as usize > function.params.len() {
            self.defect(none, "more captures than parameters");
        }
        match body.root {
            Some(root) if root.index() < none => {}
            Some(_) | None => self.defect(none, "the body has no root"),
        }
        for clause in function.requires.iter().chain(&function.ensures) {
            if clause.term.index() >= none {
                self.defect(none, "a clause has no term");
            }
            if let Some(local) = clause.result {
                self.local(none, local);
            }
        }
        self.ty(none, function.result);
        function.params.iter().for_each(|param| self.ty(none, param.ty));
        body.locals.iter().for_each(|local| self.ty(none, local.ty));
        (0..body.tys.len()).for_each(|at| self.ty(at, body.tys[at]));
    }

    fn ty(&mut self, at: usize, ty: TyId) {
        if ty.index() >= self.program.types.len() {
            self.defect(at, "an unknown type");
            return;
        }
        let flags = self.program.types.flags(ty);
        if flags.has_var() || flags.has_error() {
            self.defect(at, "a type that contains an inference variable or an error");
        }
    }

    fn local(&mut self, at: usize, local: LocalId) {
        if local.index() >= self.function.body.locals.len() {
            self.defect(at, "an unknown local");
        }
    }

    fn patterns(&mut self) {
        let function = self.function;
        let none = function.body.terms.len();
        for (at, pattern) in function.body.patterns.iter().enumerate() {
            let mut is_ordered = true;
            // As for terms, the order excludes cycles, so every later walk ends.
            pattern.for_each_subpattern(&mut |part| is_ordered &= part.index() < at);
            if !is_ordered {
                self.defect(none, "a pattern precedes one of its parts");
            }
            match pattern {
                Pattern::Bind(local) => self.local(none, *local),
                Pattern::Ctor(ctor, _) if ctor.index() >= self.program.ctors.len() => {
                    self.defect(none, "a pattern with an unknown constructor");
                }
                Pattern::Ctor(..) | Pattern::Wildcard | Pattern::Literal(_) => {}
                Pattern::Tuple(_) | Pattern::List(..) | Pattern::Or(_) => {}
            }
        }
    }

    fn terms(&mut self) {
        let function = self.function;
        for (at, term) in function.body.terms.iter().enumerate() {
            let mut is_ordered = true;
            // Later passes go through the terms in order and rely on it; it also excludes cycles.
            term.for_each_subterm(&mut |part| is_ordered &= part.index() < at);
            if !is_ordered {
                self.defect(at, "a term precedes one of its parts");
            }
            term.for_each_type(&mut |ty| self.ty(at, ty));
            if term.function().is_some_and(|it| it.index() >= self.program.functions.len()) {
                self.defect(at, "an unknown function");
            }
            if !self.references_exist(at, term) {
                self.defect(at, "an unknown name");
            }
            if matches!(term, Term::Hole) {
                self.defect(at, "a hole, which stands for an error");
            }
        }
    }

    /// Whether the ids exist that only this form has. Functions, types and subterms are checked for
    /// all forms alike.
    #[expect(clippy::wildcard_enum_match_arm, reason = "most forms have no ids of their own")]
    fn references_exist(&mut self, at: usize, term: &Term) -> bool {
        let program = self.program;
        let n_patterns = self.function.body.patterns.len();
        match term {
            Term::Local(local) | Term::Sample { local, .. } => {
                self.local(at, *local);
                true
            }
            Term::Constant(constant) => constant.index() < program.constants.len(),
            Term::Builtin { builtin, .. } => builtin.index() < builtin::ALL.len(),
            Term::Perform { op, .. } => op.index() < program.ops.len(),
            Term::CheckRel { rel, .. } => rel.index() < program.rels.len(),
            Term::Construct { ctor, .. } => ctor.index() < program.ctors.len(),
            Term::Match { arms, .. } => arms.iter().all(|it| it.pattern.index() < n_patterns),
            Term::Block { statements, .. } => statements
                .iter()
                .filter_map(crate::term::Statement::pattern)
                .all(|pattern| pattern.index() < n_patterns),
            Term::Under { handlers: answers, .. } => {
                answers.iter().all(|answer| match answer {
                    EffectHandler::Stub(op, _) => op.index() < program.ops.len(),
                    EffectHandler::World(world) => world.index() < program.worlds.len(),
                })
            }
            _ => true,
        }
    }
}
