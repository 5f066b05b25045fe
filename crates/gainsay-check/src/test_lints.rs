//! Lints for weak claims: observations that cannot fail because of the code, or are never made.
//!
//! ```text
//! claim ─ reachability ► observations that are never evaluated         dead-observe
//!       ─ provenance ──► where observed values come from:
//!                        from the claim text alone                     constant-observe
//!                        from the code, compared with less than `==`   loose-test
//! ```
//!
//! A false warning costs more than a missing one: whatever the analysis does not understand counts
//! as testing something. For the same reason nothing is linted in a program with errors.

mod constant_conditions;
mod float_types;
mod loose_observes;
mod partiality;
mod provenance;
mod reachability;
mod term_equality;

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use gainsay_core::{
    Body, Claim, ClaimKind, FunctionId, FunctionKind, Program, TermId, TyId, VerifyBlock,
};
use gainsay_source::{Diagnostic, Span};

use self::float_types::FloatTypes;
use self::partiality::PartialFunctions;
use self::provenance::{ConstantOutcome, Provenance, ProvenanceWalk};
use self::term_equality::same_term;
use crate::checker::Checker;
use crate::findings::{ConstantObserve, ConstantReason, LooseTest, ObservationForm};
use crate::scope::ModuleScope;
use crate::standard_library;

/// The code that the claims of a module are about.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
enum CodeUnderTest {
    /// Code of the user: the standard library is assumed to work.
    Project,
    /// The standard library: there is nothing else.
    StandardLibrary,
}

/// Warns about weak claims.
pub(crate) fn lint_claims(checker: &mut Checker<'_>) {
    if checker.diagnostics.iter().any(Diagnostic::is_error) {
        return;
    }
    let program = &checker.program;
    let subjects = code_under_test(checker);
    let facts = ProgramFacts::new(program);
    let mut linter = ClaimLinter { facts: &facts, diagnostics: Vec::new() };
    for claim in &program.claims {
        if !program.module(claim.module).is_std {
            linter.claim(claim, subjects[claim.module.index()]);
        }
    }
    for finding in linter.diagnostics {
        checker.report(finding);
    }
}

/// The code that the claims of each module are about. A module without functions, constants and
/// relations of its own that uses no project module exercises the standard library, and so does a
/// module named like a standard one: it holds the tests of that module.
fn code_under_test(checker: &Checker<'_>) -> Vec<CodeUnderTest> {
    let program = &checker.program;
    let properties: HashSet<FunctionId> =
        program.claims.iter().filter_map(|claim| property(&claim.kind)).collect();
    let uses_code = |scope: &ModuleScope<'_>| {
        scope.uses.values().any(|module| !program.module(*module).is_std)
    };
    let mut has_code: Vec<bool> = checker.modules.iter().map(uses_code).collect();
    for (at, function) in program.functions.iter().enumerate() {
        let is_code = function.kind == FunctionKind::Declared
            && !properties.contains(&FunctionId(at as u32));
        has_code[function.module.index()] |= is_code;
    }
    for module in program.constants.iter().map(|it| it.module) {
        has_code[module.index()] = true;
    }
    for module in program.rels.iter().map(|it| it.module) {
        has_code[module.index()] = true;
    }
    let modules = program.modules.iter().zip(has_code);
    let subjects = modules.map(|(module, has_code)| {
        let is_named_like_one =
            standard_library::MODULES.iter().any(|it| it.0 == &*module.name);
        if has_code && !is_named_like_one {
            CodeUnderTest::Project
        } else {
            CodeUnderTest::StandardLibrary
        }
    });
    subjects.collect()
}

fn property(kind: &ClaimKind) -> Option<FunctionId> {
    match kind {
        ClaimKind::Property(function, _) => Some(*function),
        ClaimKind::Test(_) | ClaimKind::Verify(_) => None,
    }
}

/// A program with analyses of all of it.
struct ProgramFacts<'p> {
    program: &'p Program,
    float_types: FloatTypes,
    /// Computed on first use: good claims never need it.
    partial_functions: OnceCell<PartialFunctions>,
}

impl<'p> ProgramFacts<'p> {
    fn new(program: &'p Program) -> Self {
        let (floats, failing) = (FloatTypes::of(program), OnceCell::new());
        Self { program, float_types: floats, partial_functions: failing }
    }

    /// Whether evaluating a term may fail.
    fn may_fail(&self, body: &Body, term: TermId) -> bool {
        let failing = self.partial_functions.get_or_init(|| PartialFunctions::of(self.program));
        failing.may_fail(self.program, body, term)
    }

    /// Whether values of one of the types may contain floats.
    fn may_have_floats(&self, types: &[TyId]) -> bool {
        types.iter().any(|ty| self.float_types.may_contain_float(self.program, *ty))
    }
}

/// The linter of a program's claims.
struct ClaimLinter<'p> {
    facts: &'p ProgramFacts<'p>,
    diagnostics: Vec<Diagnostic>,
}

impl<'p> ClaimLinter<'p> {
    fn claim(&mut self, claim: &'p Claim, subject: CodeUnderTest) {
        let mut flow = ProvenanceWalk::new(self.facts, subject);
        match &claim.kind {
            ClaimKind::Test(function) => {
                flow.claim(*function);
                let observe = loose_observes::first_loose_observe(self.facts, *function, &flow);
                if let Some(observe) = observe {
                    let (name, span) = (claim.name.to_string(), claim.span);
                    self.diagnostics.push(LooseTest { name, span, observe }.into());
                }
                self.body(*function, &flow);
            }
            ClaimKind::Property(function, _) => {
                flow.claim(*function);
                self.body(*function, &flow);
            }
            ClaimKind::Verify(verify) => self.verify(verify, &mut flow),
        }
    }

    /// Lints the observations of a test or property, each at most once.
    fn body(&mut self, function: FunctionId, flow: &ProvenanceWalk<'p>) {
        let mut dead: HashSet<(FunctionId, TermId)> = HashSet::new();
        for region in reachability::dead_regions(self.facts.program, function) {
            dead.extend(region.observes.iter().map(|it| (it.function, it.term)));
            self.diagnostics.extend(region.finding().map(Diagnostic::from));
        }
        for it in &flow.observes {
            let Some(ConstantOutcome { reason, holds }) = it.constant_outcome else { continue };
            // One warning per `observe`: that it is never evaluated is the stronger one.
            if !dead.contains(&(it.function, it.term)) {
                let span = self.facts.program.function(it.function).body.span(it.term);
                let form = ObservationForm::Observe;
                self.diagnostics.push(ConstantObserve { form, reason, holds, span }.into());
            }
        }
    }

    /// Lints the assertions `left => right` of a block. Both sides are evaluated in the same world
    /// and count their calls from 0, so equal sides with effects have equal values, too.
    fn verify(&mut self, verify: &VerifyBlock, flow: &mut ProvenanceWalk<'p>) {
        let mut lets: HashMap<Span, Provenance> = HashMap::new();
        for (param, function) in &verify.lets {
            let origin = flow.verify_part(*function, &lets);
            lets.insert(param.span, origin);
        }
        for it in &verify.assertions {
            let sides = [it.lhs, it.rhs].map(|side| flow.verify_part(side, &lets));
            // A `?` may leave early, and that is an outcome of its own.
            let is_same = it.lhs_try.is_none() && self.is_same_expression(it.lhs, it.rhs);
            let reason = if sides == [Provenance::ClaimText; 2] {
                ConstantReason::NothingTested
            } else if is_same {
                ConstantReason::SameSides
            } else {
                continue;
            };
            let (form, holds) = (ObservationForm::Case, is_same.then_some(true));
            let span = it.span;
            self.diagnostics.push(ConstantObserve { form, reason, holds, span }.into());
        }
    }

    /// Whether two functions with the same parameters are the same expression, which cannot fail.
    fn is_same_expression(&self, left: FunctionId, right: FunctionId) -> bool {
        let program = self.facts.program;
        let body = |function: FunctionId| &program.function(function).body;
        let (Some(a), Some(b)) = (body(left).root, body(right).root) else { return false };
        same_term(program, (left, a), (right, b)) && !self.facts.may_fail(body(left), a)
    }
}
