//! Provenance of values: from the claim text alone, or from the code under test.

use std::collections::HashMap;

use gainsay_core::{
    AcrossBinder, Arm, BinderSource, BuiltinId, EffectHandler, FunctionId, FunctionKind,
    LocalId, ModuleId, OpId, Pattern, PatternId, Program, Statement, Term, TermId, builtin,
};
use gainsay_source::Span;

use super::constant_conditions::{comparison_of_equals, constant_truth};
use super::term_equality::{is_pure, same_term};
use super::{CodeUnderTest, ProgramFacts};
use crate::findings::ConstantReason;

/// The provenance of a value. Ordered: a compound has the greatest provenance of its parts.
#[derive(Debug, Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Provenance {
    /// Written in the claim.
    ClaimText,
    /// Passed by the caller of the enclosing lambda.
    LambdaCaller,
    /// From code under test, an input or a world.
    TestedCode,
}

/// An `observe` of a claim, with its provenance.
#[derive(Debug, Clone)]
pub(super) struct ObserveProvenance {
    /// The function that contains it.
    pub(super) function: FunctionId,
    /// Its term.
    pub(super) term: TermId,
    /// The provenance of both sides, if it is a comparison.
    pub(super) sides: Option<[Provenance; 2]>,
    /// Whether it is in a lambda, which may be called with many values.
    pub(super) is_in_lambda: bool,
    /// Why its outcome is constant, if it is.
    pub(super) constant_outcome: Option<ConstantOutcome>,
}

/// The outcome of an observation that is constant.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) struct ConstantOutcome {
    pub(super) reason: ConstantReason,
    /// The outcome, if it is known.
    pub(super) holds: Option<bool>,
}

/// The walk over a claim, in evaluation order.
pub(super) struct ProvenanceWalk<'p> {
    facts: &'p ProgramFacts<'p>,
    program: &'p Program,
    subject: CodeUnderTest,
    /// The provenance of what filters the cases that reach the current position.
    case_filter: Provenance,
    /// The `observe`s found so far.
    pub(super) observes: Vec<ObserveProvenance>,
    /// Whether there is an `across`.
    pub(super) has_across: bool,
    /// Whether a referenced function observes as well.
    pub(super) calls_observing_function: bool,
}

/// One function of the claim.
struct ProvenanceFrame<'p> {
    function: FunctionId,
    body: &'p gainsay_core::Body,
    /// The provenance of each local.
    locals: Vec<Provenance>,
    /// The greatest provenance in the body.
    whole_body: Provenance,
}

/// The condition under which a position is reached.
#[derive(Debug, Copy, Clone)]
struct PathCondition {
    /// The provenance of what decides it.
    decided_by: Provenance,
    /// Whether a lambda encloses it.
    is_in_lambda: bool,
}

impl<'p> ProvenanceWalk<'p> {
    pub(super) fn new(facts: &'p ProgramFacts<'p>, subject: CodeUnderTest) -> Self {
        Self {
            facts,
            program: facts.program,
            subject,
            case_filter: Provenance::ClaimText,
            observes: Vec::new(),
            has_across: false,
            calls_observing_function: false,
        }
    }

    /// Walks a test or property; the parameters of a property are inputs.
    pub(super) fn claim(&mut self, function: FunctionId) {
        // A precondition discards cases, as an `assume` at the start of the body does.
        if !self.program.function(function).requires.is_empty() {
            self.case_filter = Provenance::TestedCode;
        }
        let n_params = self.program.function(function).params.len();
        let path = PathCondition { decided_by: Provenance::ClaimText, is_in_lambda: false };
        self.body(function, vec![Provenance::TestedCode; n_params], path);
    }

    /// The provenance of a part of a `verify` block. Its parameters are givens, which are inputs,
    /// and `let`s.
    pub(super) fn verify_part(
        &mut self,
        function: FunctionId,
        lets: &HashMap<Span, Provenance>,
    ) -> Provenance {
        let params = self.program.function(function).params.iter();
        let params = params
            .map(|it| lets.get(&it.span).copied().unwrap_or(Provenance::TestedCode))
            .collect();
        let path = PathCondition { decided_by: Provenance::ClaimText, is_in_lambda: false };
        self.body(function, params, path).0
    }

    /// Walks a function. Returns the provenance of its result, and the greatest provenance in it.
    fn body(
        &mut self,
        function: FunctionId,
        mut locals: Vec<Provenance>,
        path: PathCondition,
    ) -> (Provenance, Provenance) {
        let body = &self.program.function(function).body;
        // Until a pattern binds them, locals count as tested: in doubt there is no warning.
        locals.resize(body.locals.len(), Provenance::TestedCode);
        let mut frame =
            ProvenanceFrame { function, body, locals, whole_body: Provenance::ClaimText };
        let result = match body.root {
            Some(root) => self.term(&mut frame, root, path),
            None => Provenance::TestedCode,
        };
        (result, frame.whole_body)
    }

    fn term(
        &mut self,
        frame: &mut ProvenanceFrame<'p>,
        id: TermId,
        path: PathCondition,
    ) -> Provenance {
        let origin = self.provenance(frame, id, path);
        frame.whole_body = frame.whole_body.max(origin);
        origin
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "an unknown form may test something")]
    fn provenance(
        &mut self,
        frame: &mut ProvenanceFrame<'p>,
        id: TermId,
        path: PathCondition,
    ) -> Provenance {
        match frame.body.term(id) {
            Term::Literal(_) => Provenance::ClaimText,
            Term::Local(local) => frame.locals[local.index()],
            Term::Constant(constant) => {
                self.module_provenance(self.program.constant(*constant).module)
            }
            Term::Function { function, .. } => self.function_provenance(*function),
            Term::Closure { function, captures } => {
                let path = PathCondition {
                    is_in_lambda: true,
                    ..path.and_decided_by(Provenance::LambdaCaller)
                };
                self.lambda(frame, *function, captures, Provenance::LambdaCaller, path)
            }
            Term::Call { function, args, .. } => {
                self.all_terms(frame, args, path).max(self.function_provenance(*function))
            }
            Term::Builtin { builtin, args, .. } => {
                self.all_terms(frame, args, path).max(self.builtin_provenance(*builtin))
            }
            Term::CallValue { callee, args } => {
                // The function may come from the library, which is the code under test in some
                // modules.
                let callee = self.term(frame, *callee, path).max(self.library_provenance());
                callee.max(self.all_terms(frame, args, path))
            }
            Term::Construct { ctor, args } => {
                let ty = self.program.ctor(*ctor).ty;
                let is_std = self.program.module(self.program.nominal(ty).module).is_std;
                let origin = self.all_terms(frame, args, path);
                // The declaration of a project's type may itself be wrong.
                if is_std { origin } else { Provenance::TestedCode }
            }
            Term::Tuple(_) | Term::List { .. } | Term::Field { .. } | Term::Update { .. } => {
                self.subterms(frame, id, path)
            }
            Term::Try { .. } | Term::Sample { .. } => self.subterms(frame, id, path),
            Term::If { condition, then, otherwise } => {
                let condition = self.term(frame, *condition, path);
                let path = path.and_decided_by(condition);
                condition.max(self.all_terms(frame, &[*then, *otherwise], path))
            }
            Term::And(a, b) | Term::Or(a, b) => {
                let a = self.term(frame, *a, path);
                a.max(self.term(frame, *b, path.and_decided_by(a)))
            }
            Term::Match { scrutinee, arms } => self.arms(frame, *scrutinee, arms, path),
            Term::Block { statements, result } => self.block(frame, statements, *result, path),
            Term::Observe { condition, .. } => {
                self.observe(frame, id, *condition, path);
                Provenance::ClaimText
            }
            Term::Assume(condition) => {
                // An `assume` filters all later code of the case, also outside the branch it is in.
                let condition = self.term(frame, *condition, path);
                self.case_filter = self.case_filter.max(condition).max(path.decided_by);
                Provenance::ClaimText
            }
            // Whether something fails is an observation about its behavior, whatever the body
            // computes.
            Term::Throws { body, .. } => {
                self.inlined_closure(frame, *body, path);
                Provenance::TestedCode
            }
            Term::Under { handlers: answers, body } => self.under(frame, answers, *body, path),
            Term::Across { binders, condition, body } => {
                self.across(frame, binders, *condition, *body, path);
                Provenance::ClaimText
            }
            Term::Par { branches, .. } => {
                let branches = branches.iter();
                branches.fold(Provenance::ClaimText, |it, branch| {
                    it.max(self.inlined_closure(frame, *branch, path))
                })
            }
            // Effects, relations and refinement checks can fail, so they count as testing even a
            // literal. So does every other form: in doubt there is no warning.
            _ => {
                self.subterms(frame, id, path);
                Provenance::TestedCode
            }
        }
    }

    fn subterms(
        &mut self,
        frame: &mut ProvenanceFrame<'p>,
        id: TermId,
        path: PathCondition,
    ) -> Provenance {
        let mut origin = Provenance::ClaimText;
        let term = frame.body.term(id);
        term.for_each_subterm(&mut |part| origin = origin.max(self.term(frame, part, path)));
        origin
    }

    fn all_terms(
        &mut self,
        frame: &mut ProvenanceFrame<'p>,
        terms: &[TermId],
        path: PathCondition,
    ) -> Provenance {
        terms
            .iter()
            .fold(Provenance::ClaimText, |it, term| it.max(self.term(frame, *term, path)))
    }

    /// The provenance of declarations in a module.
    fn module_provenance(&self, module: ModuleId) -> Provenance {
        if self.program.module(module).is_std {
            self.library_provenance()
        } else {
            Provenance::TestedCode
        }
    }

    /// The provenance of library results, apart from their arguments.
    fn library_provenance(&self) -> Provenance {
        match self.subject {
            CodeUnderTest::Project => Provenance::ClaimText,
            CodeUnderTest::StandardLibrary => Provenance::TestedCode,
        }
    }

    fn function_provenance(&mut self, function: FunctionId) -> Provenance {
        let function = self.program.function(function);
        let ops = &self.program.types.get_row(function.row).ops;
        self.calls_observing_function |= ops.iter().any(|op| self.is_observe(*op));
        self.module_provenance(function.module)
    }

    fn is_observe(&self, op: OpId) -> bool {
        let op = self.program.op(op);
        let effect = self.program.effect(op.effect);
        let is_claim = &*effect.name == "Claim" && self.program.module(effect.module).is_std;
        is_claim && &*op.name == "observe"
    }

    /// A comparison by itself tests nothing; every other builtin is standard library.
    fn builtin_provenance(&self, row: BuiltinId) -> Provenance {
        if is_comparison(row) { Provenance::ClaimText } else { self.library_provenance() }
    }

    /// A lambda as a value: it has the greatest provenance in its body.
    fn lambda(
        &mut self,
        frame: &mut ProvenanceFrame<'p>,
        function: FunctionId,
        captures: &[TermId],
        param: Provenance,
        path: PathCondition,
    ) -> Provenance {
        let mut locals: Vec<Provenance> =
            captures.iter().map(|capture| self.term(frame, *capture, path)).collect();
        let captured = locals.iter().copied().max().unwrap_or(Provenance::ClaimText);
        let function_of = self.program.function(function);
        // Not a part of the claim's text but a function of its own, and so code under test.
        if !matches!(function_of.kind, FunctionKind::Lambda(_)) {
            return Provenance::TestedCode;
        }
        locals.resize(function_of.params.len(), param);
        let (_, anything) = self.body(function, locals, path);
        // Its parameters depend on the caller, but do not change the lambda itself.
        if anything == Provenance::TestedCode { Provenance::TestedCode } else { captured }
    }

    /// A part that is a closure only in core, and runs in place.
    fn inlined_closure(
        &mut self,
        frame: &mut ProvenanceFrame<'p>,
        closure: TermId,
        path: PathCondition,
    ) -> Provenance {
        self.closure_with_inputs(frame, closure, Provenance::TestedCode, path)
    }

    /// The same for a closure that receives inputs.
    fn closure_with_inputs(
        &mut self,
        frame: &mut ProvenanceFrame<'p>,
        closure: TermId,
        param: Provenance,
        path: PathCondition,
    ) -> Provenance {
        let Term::Closure { function, captures } = frame.body.term(closure) else {
            return self.term(frame, closure, path);
        };
        let origin = self.lambda(frame, *function, captures, param, path);
        frame.whole_body = frame.whole_body.max(origin);
        origin
    }

    fn arms(
        &mut self,
        frame: &mut ProvenanceFrame<'p>,
        scrutinee: TermId,
        arms: &[Arm],
        path: PathCondition,
    ) -> Provenance {
        let scrutinee = self.term(frame, scrutinee, path);
        let mut origin = scrutinee;
        // With one arm there is nothing to decide: the pattern is irrefutable.
        let mut decided_by = if arms.len() > 1 { scrutinee } else { Provenance::ClaimText };
        for arm in arms {
            bind(frame, arm.pattern, scrutinee);
            if let Some(guard) = arm.guard {
                // A guard also decides about the arms after it, so its provenance accumulates.
                decided_by = decided_by.max(self.term(frame, guard, path));
            }
            origin = origin.max(self.term(frame, arm.body, path.and_decided_by(decided_by)));
        }
        origin.max(decided_by)
    }

    fn block(
        &mut self,
        frame: &mut ProvenanceFrame<'p>,
        statements: &[Statement],
        result: TermId,
        path: PathCondition,
    ) -> Provenance {
        for statement in statements {
            let origin = self.term(frame, statement.value(), path);
            if let Some(pattern) = statement.pattern() {
                bind(frame, pattern, origin);
            }
        }
        self.term(frame, result, path)
    }

    fn under(
        &mut self,
        frame: &mut ProvenanceFrame<'p>,
        answers: &[EffectHandler],
        body: TermId,
        path: PathCondition,
    ) -> Provenance {
        let mut origin = Provenance::ClaimText;
        for answer in answers {
            origin = origin.max(match answer {
                EffectHandler::Stub(_, stub) => self.term(frame, *stub, path),
                // A declared world is shared by claims, so its stubs are not the text of this one.
                EffectHandler::World(_) => Provenance::TestedCode,
            });
        }
        origin.max(self.inlined_closure(frame, body, path))
    }

    fn across(
        &mut self,
        frame: &mut ProvenanceFrame<'p>,
        binders: &[AcrossBinder],
        condition: Option<TermId>,
        body: TermId,
        path: PathCondition,
    ) {
        self.has_across = true;
        for binder in binders {
            if let BinderSource::Generator(generator) = binder.source {
                self.closure_with_inputs(frame, generator, Provenance::TestedCode, path);
            }
        }
        if let Some(condition) = condition {
            self.closure_with_inputs(frame, condition, Provenance::TestedCode, path);
            self.case_filter = Provenance::TestedCode;
        }
        self.closure_with_inputs(frame, body, Provenance::TestedCode, path);
    }

    fn observe(
        &mut self,
        frame: &mut ProvenanceFrame<'p>,
        term: TermId,
        condition: TermId,
        path: PathCondition,
    ) {
        let comparison = comparison(frame, condition);
        let (origin, sides) = match comparison {
            Some((_, sides)) => {
                let sides = sides.map(|side| self.term(frame, side, path));
                (sides[0].max(sides[1]), Some(sides))
            }
            None => (self.term(frame, condition, path), None),
        };
        frame.whole_body = frame.whole_body.max(origin);
        let constancy = self.constant_outcome(frame, condition, origin).filter(|it| {
            // In a branch, `observe true` claims that the run gets there and `observe false` that
            // it does not; after an `assume`, `observe false` claims that no case gets there.
            path.decided_by == Provenance::ClaimText
                && (self.case_filter == Provenance::ClaimText || it.holds == Some(true))
        });
        let (function, is_in_lambda) = (frame.function, path.is_in_lambda);
        self.observes.push(ObserveProvenance {
            function,
            term,
            sides,
            is_in_lambda,
            constant_outcome: constancy,
        });
    }

    fn constant_outcome(
        &self,
        frame: &ProvenanceFrame<'p>,
        condition: TermId,
        origin: Provenance,
    ) -> Option<ConstantOutcome> {
        if origin == Provenance::ClaimText {
            let holds = constant_truth(frame.body, condition);
            return Some(ConstantOutcome { reason: ConstantReason::NothingTested, holds });
        }
        if let Term::Builtin { builtin, args, .. } = frame.body.term(condition)
            && let [operand] = **args
            && *builtin == builtin::BOOL_NOT
        {
            let it = self.constant_outcome(frame, operand, origin)?;
            return Some(ConstantOutcome { holds: it.holds.map(|holds| !holds), ..it });
        }
        let holds = self.truth_of_same_sides(frame, condition)?;
        Some(ConstantOutcome { reason: ConstantReason::SameSides, holds: Some(holds) })
    }

    /// The result of comparing an expression with itself; `None` if it is something else.
    fn truth_of_same_sides(
        &self,
        frame: &ProvenanceFrame<'p>,
        condition: TermId,
    ) -> Option<bool> {
        let Term::Builtin { builtin: row, type_args, args } = frame.body.term(condition) else {
            return None;
        };
        let holds = comparison_of_equals(*row)?;
        let [a, b] = **args else { return None };
        // NaN is not equal to itself, so such a comparison does test something.
        let is_about_nan = *row != builtin::SAME && self.facts.may_have_floats(type_args);
        let is_same = !is_about_nan
            && !self.exercises_library(frame, *row, a)
            && same_term(self.program, (frame.function, a), (frame.function, b))
            && is_pure(self.program, frame.body, a)
            && !self.facts.may_fail(frame.body, a);
        is_same.then_some(holds)
    }

    /// Whether a comparison exercises the library: two spellings of one library call are the same
    /// term in core, but comparing them is a valid test.
    fn exercises_library(
        &self,
        frame: &ProvenanceFrame<'p>,
        comparison: BuiltinId,
        side: TermId,
    ) -> bool {
        if self.library_provenance() == Provenance::ClaimText {
            return false;
        }
        let mut is_used = !is_comparison(comparison);
        let mut pending = vec![side];
        while let Some(id) = pending.pop() {
            let term = frame.body.term(id);
            is_used |= matches!(term, Term::Builtin { .. } | Term::Call { .. });
            term.for_each_subterm(&mut |part| pending.push(part));
        }
        is_used
    }
}

impl PathCondition {
    fn and_decided_by(self, origin: Provenance) -> Self {
        Self { decided_by: self.decided_by.max(origin), ..self }
    }
}

/// Sets the provenance of the names in a pattern.
fn bind(frame: &mut ProvenanceFrame<'_>, pattern: PatternId, origin: Provenance) {
    let mut pending = vec![pattern];
    while let Some(id) = pending.pop() {
        let pattern = frame.body.pattern(id);
        if let Pattern::Bind(local) = pattern {
            let LocalId(at) = *local;
            frame.locals[at as usize] = origin;
        }
        pattern.for_each_subpattern(&mut |part| pending.push(part));
    }
}

fn comparison(
    frame: &ProvenanceFrame<'_>,
    condition: TermId,
) -> Option<(BuiltinId, [TermId; 2])> {
    let Term::Builtin { builtin, args, .. } = frame.body.term(condition) else { return None };
    let [a, b] = **args else { return None };
    is_comparison(*builtin).then_some((*builtin, [a, b]))
}

fn is_comparison(row: BuiltinId) -> bool {
    builtin::get(row).comparison.is_some()
}
