//! Where values come from: from the text of a claim alone, or from what is tested.

use std::collections::HashMap;

use gainsay_core::{
    AcrossBinder, Answer, Arm, BinderSource, BuiltinId, FunctionId, FunctionKind, LocalId,
    ModuleId, OpId, Pattern, PatternId, Program, Statement, Term, TermId, builtin,
};
use gainsay_source::Span;

use super::alike::{alike, is_pure};
use super::truth::{of_the_same, truth};
use super::{Known, Subject};
use crate::findings::ConstantReason;

/// Where a value comes from. Of several parts the last of these counts.
#[derive(Debug, Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Origin {
    /// From what is written in the claim.
    Text,
    /// From whoever calls the lambda around it.
    Caller,
    /// From code under test, from an input or from a world.
    Tested,
}

/// An `observe` of a claim, with what is known of it.
#[derive(Debug, Clone)]
pub(super) struct Observed {
    /// The function it stands in.
    pub(super) function: FunctionId,
    /// The term of it.
    pub(super) term: TermId,
    /// Where the sides come from, if it compares.
    pub(super) sides: Option<[Origin; 2]>,
    /// Whether it stands in a lambda, which may be called for many values.
    pub(super) is_in_lambda: bool,
    /// Why it always comes out the same, if it does.
    pub(super) constancy: Option<Constancy>,
}

/// That an observation always comes out the same.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) struct Constancy {
    pub(super) reason: ConstantReason,
    /// How it comes out, where that is known.
    pub(super) holds: Option<bool>,
}

/// The walk through a claim, in the order of evaluation.
pub(super) struct Flow<'p> {
    known: &'p Known<'p>,
    program: &'p Program,
    subject: Subject,
    /// What decides which cases get to where the walk is.
    filter: Origin,
    /// The `observe`s, as they are met.
    pub(super) observed: Vec<Observed>,
    /// Whether there is an `across`.
    pub(super) has_across: bool,
    /// Whether a function is named that observes, too.
    pub(super) has_helper: bool,
}

/// One function of the claim.
struct Frame<'p> {
    function: FunctionId,
    body: &'p gainsay_core::Body,
    /// Where each local comes from.
    locals: Vec<Origin>,
    /// Where anything at all in the body comes from.
    anything: Origin,
}

/// How the run gets to a place.
#[derive(Debug, Copy, Clone)]
struct Way {
    /// What decides whether it does.
    decided_by: Origin,
    /// Whether a lambda is around it.
    is_in_lambda: bool,
}

impl<'p> Flow<'p> {
    pub(super) fn new(known: &'p Known<'p>, subject: Subject) -> Self {
        Self {
            known,
            program: known.program,
            subject,
            filter: Origin::Text,
            observed: Vec::new(),
            has_across: false,
            has_helper: false,
        }
    }

    /// Walks through a test or property; the parameters of a property are inputs.
    pub(super) fn claim(&mut self, function: FunctionId) {
        if !self.program.function(function).requires.is_empty() {
            self.filter = Origin::Tested;
        }
        let n_params = self.program.function(function).params.len();
        let way = Way { decided_by: Origin::Text, is_in_lambda: false };
        self.body(function, vec![Origin::Tested; n_params], way);
    }

    /// Where a part of a `verify` block comes from. Its parameters are what is given, which is
    /// input, and `let`s.
    pub(super) fn part(
        &mut self,
        function: FunctionId,
        lets: &HashMap<Span, Origin>,
    ) -> Origin {
        let params = self.program.function(function).params.iter();
        let params =
            params.map(|it| lets.get(&it.span).copied().unwrap_or(Origin::Tested)).collect();
        let way = Way { decided_by: Origin::Text, is_in_lambda: false };
        self.body(function, params, way).0
    }

    /// Walks through a function. Gives where its result comes from, and anything at all in it.
    fn body(
        &mut self,
        function: FunctionId,
        mut locals: Vec<Origin>,
        way: Way,
    ) -> (Origin, Origin) {
        let body = &self.program.function(function).body;
        locals.resize(body.locals.len(), Origin::Tested);
        let mut frame = Frame { function, body, locals, anything: Origin::Text };
        let result = match body.root {
            Some(root) => self.term(&mut frame, root, way),
            None => Origin::Tested,
        };
        (result, frame.anything)
    }

    fn term(&mut self, frame: &mut Frame<'p>, id: TermId, way: Way) -> Origin {
        let origin = self.origin(frame, id, way);
        frame.anything = frame.anything.max(origin);
        origin
    }

    fn origin(&mut self, frame: &mut Frame<'p>, id: TermId, way: Way) -> Origin {
        match frame.body.term(id) {
            Term::Literal(_) => Origin::Text,
            Term::Local(local) => frame.locals[local.index()],
            Term::Constant(constant) => self.code(self.program.constant(*constant).module),
            Term::Function { function, .. } => self.named(*function),
            Term::Closure { function, captures } => {
                let way = Way { is_in_lambda: true, ..way.if_decided_by(Origin::Caller) };
                self.lambda(frame, *function, captures, Origin::Caller, way)
            }
            Term::Call { function, args, .. } => {
                self.each(frame, args, way).max(self.named(*function))
            }
            Term::Builtin { builtin, args, .. } => {
                self.each(frame, args, way).max(self.primitive(*builtin))
            }
            Term::CallValue { callee, args } => {
                let callee = self.term(frame, *callee, way).max(self.library());
                callee.max(self.each(frame, args, way))
            }
            Term::Construct { ctor, args } => {
                let ty = self.program.ctor(*ctor).ty;
                let is_std = self.program.module(self.program.nominal(ty).module).is_std;
                let origin = self.each(frame, args, way);
                // How a type is declared can be wrong as well.
                if is_std { origin } else { Origin::Tested }
            }
            Term::Perform { .. } | Term::CheckRel { .. } | Term::Refine { .. } => {
                self.parts(frame, id, way);
                Origin::Tested
            }
            Term::Traced { .. } | Term::Hole => {
                self.parts(frame, id, way);
                Origin::Tested
            }
            Term::Tuple(_) | Term::List { .. } | Term::Field { .. } | Term::Update { .. } => {
                self.parts(frame, id, way)
            }
            Term::Try { .. } | Term::Sample { .. } => self.parts(frame, id, way),
            Term::If { condition, then, otherwise } => {
                let condition = self.term(frame, *condition, way);
                let way = way.if_decided_by(condition);
                condition.max(self.each(frame, &[*then, *otherwise], way))
            }
            Term::And(a, b) | Term::Or(a, b) => {
                let a = self.term(frame, *a, way);
                a.max(self.term(frame, *b, way.if_decided_by(a)))
            }
            Term::Match { scrutinee, arms } => self.arms(frame, *scrutinee, arms, way),
            Term::Block { statements, result } => self.block(frame, statements, *result, way),
            Term::Observe { condition, .. } => {
                self.observe(frame, id, *condition, way);
                Origin::Text
            }
            Term::Assume(condition) => {
                let condition = self.term(frame, *condition, way);
                self.filter = self.filter.max(condition).max(way.decided_by);
                Origin::Text
            }
            Term::Throws { body, .. } => {
                self.part_of(frame, *body, way);
                Origin::Tested
            }
            Term::Under { answers, body } => self.under(frame, answers, *body, way),
            Term::Across { binders, condition, body } => {
                self.across(frame, binders, *condition, *body, way);
                Origin::Text
            }
            Term::Par { branches, .. } => {
                let branches = branches.iter();
                branches
                    .fold(Origin::Text, |it, branch| it.max(self.part_of(frame, *branch, way)))
            }
        }
    }

    fn parts(&mut self, frame: &mut Frame<'p>, id: TermId, way: Way) -> Origin {
        let mut origin = Origin::Text;
        let term = frame.body.term(id);
        term.each_part(&mut |part| origin = origin.max(self.term(frame, part, way)));
        origin
    }

    fn each(&mut self, frame: &mut Frame<'p>, terms: &[TermId], way: Way) -> Origin {
        terms.iter().fold(Origin::Text, |it, term| it.max(self.term(frame, *term, way)))
    }

    /// What is declared in a module.
    fn code(&self, module: ModuleId) -> Origin {
        if self.program.module(module).is_std { self.library() } else { Origin::Tested }
    }

    /// What the standard library gives, apart from what it is given.
    fn library(&self) -> Origin {
        match self.subject {
            Subject::Own => Origin::Text,
            Subject::Library => Origin::Tested,
        }
    }

    fn named(&mut self, function: FunctionId) -> Origin {
        let function = self.program.function(function);
        let ops = &self.program.types.get_row(function.row).ops;
        self.has_helper |= ops.iter().any(|op| self.is_observe(*op));
        self.code(function.module)
    }

    fn is_observe(&self, op: OpId) -> bool {
        let op = self.program.op(op);
        let effect = self.program.effect(op.effect);
        let is_claim = &*effect.name == "Claim" && self.program.module(effect.module).is_std;
        is_claim && &*op.name == "observe"
    }

    /// Comparing says nothing on its own; all else is the standard library.
    fn primitive(&self, row: BuiltinId) -> Origin {
        if is_comparison(row) { Origin::Text } else { self.library() }
    }

    /// A lambda as a value. It comes from where anything in it comes from.
    fn lambda(
        &mut self,
        frame: &mut Frame<'p>,
        function: FunctionId,
        captures: &[TermId],
        param: Origin,
        way: Way,
    ) -> Origin {
        let mut locals: Vec<Origin> =
            captures.iter().map(|capture| self.term(frame, *capture, way)).collect();
        let captured = locals.iter().copied().max().unwrap_or(Origin::Text);
        let function_of = self.program.function(function);
        if !matches!(function_of.kind, FunctionKind::Lambda(_)) {
            return Origin::Tested;
        }
        locals.resize(function_of.params.len(), param);
        let (_, anything) = self.body(function, locals, way);
        // What its parameters are is up to the caller, and does not make it another lambda.
        if anything == Origin::Tested { Origin::Tested } else { captured }
    }

    /// A part that is a closure only in core, and is run where it stands.
    fn part_of(&mut self, frame: &mut Frame<'p>, closure: TermId, way: Way) -> Origin {
        self.handed(frame, closure, Origin::Tested, way)
    }

    /// The same for one that is handed inputs.
    fn handed(
        &mut self,
        frame: &mut Frame<'p>,
        closure: TermId,
        param: Origin,
        way: Way,
    ) -> Origin {
        let Term::Closure { function, captures } = frame.body.term(closure) else {
            return self.term(frame, closure, way);
        };
        let origin = self.lambda(frame, *function, captures, param, way);
        frame.anything = frame.anything.max(origin);
        origin
    }

    fn arms(
        &mut self,
        frame: &mut Frame<'p>,
        scrutinee: TermId,
        arms: &[Arm],
        way: Way,
    ) -> Origin {
        let scrutinee = self.term(frame, scrutinee, way);
        let mut origin = scrutinee;
        let mut decided_by = if arms.len() > 1 { scrutinee } else { Origin::Text };
        for arm in arms {
            bind(frame, arm.pattern, scrutinee);
            if let Some(guard) = arm.guard {
                decided_by = decided_by.max(self.term(frame, guard, way));
            }
            origin = origin.max(self.term(frame, arm.body, way.if_decided_by(decided_by)));
        }
        origin.max(decided_by)
    }

    fn block(
        &mut self,
        frame: &mut Frame<'p>,
        statements: &[Statement],
        result: TermId,
        way: Way,
    ) -> Origin {
        for statement in statements {
            let origin = self.term(frame, statement.value(), way);
            if let Some(pattern) = statement.pattern() {
                bind(frame, pattern, origin);
            }
        }
        self.term(frame, result, way)
    }

    fn under(
        &mut self,
        frame: &mut Frame<'p>,
        answers: &[Answer],
        body: TermId,
        way: Way,
    ) -> Origin {
        let mut origin = Origin::Text;
        for answer in answers {
            origin = origin.max(match answer {
                Answer::Stub(_, stub) => self.term(frame, *stub, way),
                Answer::World(_) => Origin::Tested,
            });
        }
        origin.max(self.part_of(frame, body, way))
    }

    fn across(
        &mut self,
        frame: &mut Frame<'p>,
        binders: &[AcrossBinder],
        condition: Option<TermId>,
        body: TermId,
        way: Way,
    ) {
        self.has_across = true;
        for binder in binders {
            if let BinderSource::Generator(generator) = binder.source {
                self.handed(frame, generator, Origin::Tested, way);
            }
        }
        if let Some(condition) = condition {
            self.handed(frame, condition, Origin::Tested, way);
            self.filter = Origin::Tested;
        }
        self.handed(frame, body, Origin::Tested, way);
    }

    fn observe(&mut self, frame: &mut Frame<'p>, term: TermId, condition: TermId, way: Way) {
        let comparison = comparison(frame, condition);
        let (origin, sides) = match comparison {
            Some((_, sides)) => {
                let sides = sides.map(|side| self.term(frame, side, way));
                (sides[0].max(sides[1]), Some(sides))
            }
            None => (self.term(frame, condition, way), None),
        };
        frame.anything = frame.anything.max(origin);
        let constancy = self.constancy(frame, condition, origin).filter(|it| {
            // In a branch, `observe true` says that the run should get there, and `observe
            // false` that it should not; after an `assume`, that no case should.
            way.decided_by == Origin::Text
                && (self.filter == Origin::Text || it.holds == Some(true))
        });
        let (function, is_in_lambda) = (frame.function, way.is_in_lambda);
        self.observed.push(Observed { function, term, sides, is_in_lambda, constancy });
    }

    fn constancy(
        &self,
        frame: &Frame<'p>,
        condition: TermId,
        origin: Origin,
    ) -> Option<Constancy> {
        if origin == Origin::Text {
            let holds = truth(frame.body, condition);
            return Some(Constancy { reason: ConstantReason::NothingTested, holds });
        }
        if let Term::Builtin { builtin, args, .. } = frame.body.term(condition)
            && let [operand] = **args
            && *builtin == builtin::BOOL_NOT
        {
            let it = self.constancy(frame, operand, origin)?;
            return Some(Constancy { holds: it.holds.map(|holds| !holds), ..it });
        }
        let holds = self.of_same_sides(frame, condition)?;
        Some(Constancy { reason: ConstantReason::SameSides, holds: Some(holds) })
    }

    /// What a comparison of an expression with itself says; nothing if it is something else.
    fn of_same_sides(&self, frame: &Frame<'p>, condition: TermId) -> Option<bool> {
        let Term::Builtin { builtin: row, type_args, args } = frame.body.term(condition) else {
            return None;
        };
        let holds = of_the_same(*row)?;
        let [a, b] = **args else { return None };
        // NaN is not equal to itself, so that such a comparison says something.
        let is_about_nan = *row != builtin::SAME && self.known.may_have_floats(type_args);
        let is_same = !is_about_nan
            && !self.is_about_library(frame, *row, a)
            && alike(self.program, (frame.function, a), (frame.function, b))
            && is_pure(self.program, frame.body, a)
            && !self.known.may_fail(frame.body, a);
        is_same.then_some(holds)
    }

    /// Whether a comparison is there to try out the library: two ways to write the same of
    /// it are one and the same in core.
    fn is_about_library(&self, frame: &Frame<'p>, comparison: BuiltinId, side: TermId) -> bool {
        if self.library() == Origin::Text {
            return false;
        }
        let mut is_used = !is_comparison(comparison);
        let mut pending = vec![side];
        while let Some(id) = pending.pop() {
            let term = frame.body.term(id);
            is_used |= matches!(term, Term::Builtin { .. } | Term::Call { .. });
            term.each_part(&mut |part| pending.push(part));
        }
        is_used
    }
}

impl Way {
    fn if_decided_by(self, origin: Origin) -> Self {
        Self { decided_by: self.decided_by.max(origin), ..self }
    }
}

/// Binds the names of a pattern.
fn bind(frame: &mut Frame<'_>, pattern: PatternId, origin: Origin) {
    let mut pending = vec![pattern];
    while let Some(id) = pending.pop() {
        let pattern = frame.body.pattern(id);
        if let Pattern::Bind(local) = pattern {
            let LocalId(at) = *local;
            frame.locals[at as usize] = origin;
        }
        pattern.each_part(&mut |part| pending.push(part));
    }
}

fn comparison(frame: &Frame<'_>, condition: TermId) -> Option<(BuiltinId, [TermId; 2])> {
    let Term::Builtin { builtin, args, .. } = frame.body.term(condition) else { return None };
    let [a, b] = **args else { return None };
    is_comparison(*builtin).then_some((*builtin, [a, b]))
}

/// What the operators `==`, `!=`, `<`, `<=`, `>` and `>=` are.
fn is_comparison(row: BuiltinId) -> bool {
    let equalities = [builtin::EQ, builtin::NE];
    let orders = [builtin::LT, builtin::LE, builtin::GT, builtin::GE];
    equalities.contains(&row) || orders.contains(&row)
}
