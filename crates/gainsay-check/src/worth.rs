//! What claims are worth: observations that cannot fail for a reason, or are never made.
//!
//! ```text
//! claim ─ reach ──► observations that the run never gets to         dead-observe
//!       ─ origin ─► where what is observed comes from:
//!                   from the text alone                             constant-observe
//!                   from the code, compared with less than `==`     loose-test
//! ```
//!
//! A warning that is wrong costs more than one that is missing: whatever is not understood is
//! taken to be a test of something. So nothing is judged in a program with errors, where
//! anything might have been meant.

mod alike;
mod failing;
mod floats;
mod loose;
mod origin;
mod reach;
mod truth;

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use gainsay_core::{
    Body, Claim, ClaimKind, FunctionId, FunctionKind, Program, TermId, TyId, Verify,
};
use gainsay_source::{Diagnostic, Span};

use self::alike::alike;
use self::failing::Failing;
use self::floats::FloatHolders;
use self::origin::{Constancy, Flow, Origin};
use crate::checker::Checker;
use crate::findings::{ConstantObserve, ConstantReason, LooseTest, ObservedForm};
use crate::scope::ModuleScope;
use crate::standard;

/// Whose code the claims of a module are about.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
enum Subject {
    /// Code of the user: the standard library is taken to work.
    Own,
    /// The standard library: there is nothing else.
    Library,
}

/// Warns of claims that are worth less than they seem.
pub(crate) fn judge(checker: &mut Checker<'_>) {
    if checker.diagnostics.iter().any(Diagnostic::is_error) {
        return;
    }
    let program = &checker.program;
    let subjects = subjects(checker);
    let known = Known::new(program);
    let mut worth = Worth { known: &known, found: Vec::new() };
    for claim in &program.claims {
        if !program.module(claim.module).is_std {
            worth.claim(claim, subjects[claim.module.index()]);
        }
    }
    for finding in worth.found {
        checker.report(finding);
    }
}

/// Whose code the claims of each module are about. A file without functions, that uses none,
/// tries out the standard library; and one that has the name of a standard module is where
/// that module is tested.
fn subjects(checker: &Checker<'_>) -> Vec<Subject> {
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
        let is_named_like_one = standard::MODULES.iter().any(|it| it.0 == &*module.name);
        if has_code && !is_named_like_one { Subject::Own } else { Subject::Library }
    });
    subjects.collect()
}

fn property(kind: &ClaimKind) -> Option<FunctionId> {
    match kind {
        ClaimKind::Property(function, _) => Some(*function),
        ClaimKind::Test(_) | ClaimKind::Verify(_) => None,
    }
}

/// A program, with what is known of all of it.
struct Known<'p> {
    program: &'p Program,
    floats: FloatHolders,
    /// Found out when it is first asked for: good claims never ask.
    failing: OnceCell<Failing>,
}

impl<'p> Known<'p> {
    fn new(program: &'p Program) -> Self {
        let (floats, failing) = (FloatHolders::of(program), OnceCell::new());
        Self { program, floats, failing }
    }

    /// Whether evaluating a term may fail.
    fn may_fail(&self, body: &Body, term: TermId) -> bool {
        let failing = self.failing.get_or_init(|| Failing::of(self.program));
        failing.may_fail(self.program, body, term)
    }

    /// Whether values of one of the types may have floats in them.
    fn may_have_floats(&self, types: &[TyId]) -> bool {
        types.iter().any(|ty| self.floats.may_be_in(self.program, *ty))
    }
}

/// The judgement of a program.
struct Worth<'p> {
    known: &'p Known<'p>,
    found: Vec<Diagnostic>,
}

impl<'p> Worth<'p> {
    fn claim(&mut self, claim: &'p Claim, subject: Subject) {
        let mut flow = Flow::new(self.known, subject);
        match &claim.kind {
            ClaimKind::Test(function) => {
                flow.claim(*function);
                let observe = loose::first_loose(self.known, *function, &flow);
                if let Some(observe) = observe {
                    let (name, span) = (claim.name.to_string(), claim.span);
                    self.found.push(LooseTest { name, span, observe }.into());
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

    /// The observations of a test or property, each told of once.
    fn body(&mut self, function: FunctionId, flow: &Flow<'p>) {
        let mut dead: HashSet<(FunctionId, TermId)> = HashSet::new();
        for region in reach::regions(self.known.program, function) {
            dead.extend(region.observes.iter().map(|it| (it.function, it.term)));
            self.found.extend(region.finding().map(Diagnostic::from));
        }
        for it in &flow.observed {
            let Some(Constancy { reason, holds }) = it.constancy else { continue };
            if !dead.contains(&(it.function, it.term)) {
                let span = self.known.program.function(it.function).body.span(it.term);
                let form = ObservedForm::Observe;
                self.found.push(ConstantObserve { form, reason, holds, span }.into());
            }
        }
    }

    /// The lines `left => right` of a block. Each side is evaluated in the same world and counts
    /// its calls from 0, so that sides with effects are the same, too.
    fn verify(&mut self, verify: &Verify, flow: &mut Flow<'p>) {
        let mut lets: HashMap<Span, Origin> = HashMap::new();
        for (param, function) in &verify.lets {
            let origin = flow.part(*function, &lets);
            lets.insert(param.span, origin);
        }
        for it in &verify.assertions {
            let sides = [it.lhs, it.rhs].map(|side| flow.part(side, &lets));
            let is_same = it.tries.is_none() && self.is_same(it.lhs, it.rhs);
            let reason = if sides == [Origin::Text; 2] {
                ConstantReason::NothingTested
            } else if is_same {
                ConstantReason::SameSides
            } else {
                continue;
            };
            let (form, holds) = (ObservedForm::Case, is_same.then_some(true));
            let span = it.span;
            self.found.push(ConstantObserve { form, reason, holds, span }.into());
        }
    }

    /// Whether two functions of the same parameters are the same expression, which does not fail.
    fn is_same(&self, left: FunctionId, right: FunctionId) -> bool {
        let program = self.known.program;
        let body = |function: FunctionId| &program.function(function).body;
        let (Some(a), Some(b)) = (body(left).root, body(right).root) else { return false };
        alike(program, (left, a), (right, b)) && !self.known.may_fail(body(left), a)
    }
}
