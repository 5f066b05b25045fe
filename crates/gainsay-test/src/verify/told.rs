//! A case that failed, told.

use gainsay_core::{FunctionId, GivenSource, Verify, VerifyForm, type_text};
use gainsay_source::{Diagnostic, Span, codes};
use gainsay_vm::show;

use super::case::{CaseRun, How, Part, leave_world};
use super::domain::{Axes, Choice, Stub, Varied};
use super::text;
use crate::attack::{Attacker, sides_of, told_fault};
use crate::findings::{
    Adversity, Answered, Scope, VerifyDeclined, VerifyMismatch, VerifyRuntimeError,
    VerifyUnexpectedErr,
};
use crate::report::{Argument, Cause, FailingOrigin, Failure, Origin, VerifiedCase};

/// A case that failed.
pub(super) struct Failed {
    pub(super) choice: Choice,
    pub(super) assertion: usize,
    pub(super) how: How,
    /// For each axis, how many other choices were tried, if all of them fail: then the choice does
    /// not matter. In a declared case every choice does.
    pub(super) free: Vec<Option<u64>>,
    /// Cases that fail as well, whatever the choices are that do not matter.
    pub(super) others: u64,
}

impl Attacker<'_> {
    /// A failure of a block as a whole.
    pub(super) fn block_failure(&self, fault: Diagnostic) -> Failure {
        Failure {
            id: fault.code.slug.to_owned(),
            fault,
            cause: Cause::Fault,
            sides: None,
            parts: Vec::new(),
            locals: Vec::new(),
            drawn: Vec::new(),
            arguments: Vec::new(),
            site: None,
            found: None,
            replay: None,
            stored: None,
            similar: Vec::new(),
            verified: None,
        }
    }

    /// A case that failed.
    pub(super) fn told(&mut self, verify: &Verify, axes: &Axes, failed: &Failed) -> Failure {
        let program = self.engines.program();
        let assertion = &verify.assertions[failed.assertion];
        let origin = axes.origin(&failed.choice, &|op| program.op_name(op));
        let is_declared = !axes.is_hostile(&failed.choice);
        let scope = if is_declared { Scope::Declared } else { Scope::Hostile };
        let adversity = adversity(verify, &origin, &|op| program.op_name(op));
        let is_law = verify.form != VerifyForm::Cases;
        let (mut sides, mut cause) = (None, Cause::Fault);
        let span = program.function(assertion.lhs).span;
        let fault = match &failed.how {
            How::Mismatch { actual: left, expected: right } => {
                cause = Cause::Mismatch;
                sides = Some(sides_of(program, "=>", left, right));
                let span = assertion.span;
                VerifyMismatch { span, scope, adversity, is_law }.into()
            }
            How::UnexpectedErr(met) => {
                let met = show(program, met);
                VerifyUnexpectedErr { span, met, scope, adversity }.into()
            }
            How::Fault(part, _) => {
                let fault = self.explained(verify, axes, failed, *part);
                let (span, part) = self.part(verify, failed.assertion, *part);
                VerifyRuntimeError { span, part, fault, scope, adversity }.into()
            }
        };
        let (arguments, case) = self.case_text(verify, axes, failed);
        let law = is_law.then(|| {
            let files = self.engines.files;
            files.map_or_else(String::new, |files| files.text(assertion.span).to_owned())
        });
        let others = failed.others;
        let world = self.world_text(axes, &failed.choice);
        let from_hostile = !is_declared;
        let verified = VerifiedCase { case, law, from_hostile, origin, others, world };
        let fault: Diagnostic = fault;
        let id = format!("{}-{}", fault.code.slug, failed.assertion + 1);
        Failure {
            id,
            cause,
            sides,
            arguments,
            verified: Some(verified),
            ..self.block_failure(fault)
        }
    }

    /// Cases that took more than they may.
    pub(super) fn told_declined(
        &mut self,
        verify: &Verify,
        axes: &Axes,
        failed: &Failed,
        n_cases: u64,
    ) -> Diagnostic {
        let part = match failed.how {
            How::Fault(part, _) => part,
            How::Mismatch { .. } | How::UnexpectedErr(_) => Part::Left,
        };
        let fault = self.explained(verify, axes, failed, part);
        let (span, _) = self.part(verify, failed.assertion, part);
        let (_, case) = self.case_text(verify, axes, failed);
        VerifyDeclined { span, n_cases, case, fault }.into()
    }

    /// The givens of a case, and its claim with them put in.
    fn case_text(
        &self,
        verify: &Verify,
        axes: &Axes,
        failed: &Failed,
    ) -> (Vec<Argument>, String) {
        let (program, files) = (self.engines.program(), self.engines.files);
        let mut arguments = Vec::new();
        let mut in_text = Vec::new();
        for (at, given) in verify.givens.iter().enumerate() {
            let axis = &axes.0[at];
            let (ty, value) = match (&axis.what, &given.source) {
                (Varied::Values(values), _) => {
                    let value = text::value(program, files, &values[failed.choice[at]]);
                    (type_text(program, given.ty), value)
                }
                (Varied::Stubs(op, stubs), GivenSource::Stubs(..)) => {
                    let name = program.op_name(*op);
                    let stub = axes.profile(*op, &failed.choice);
                    let value = match stub.unwrap_or(&stubs[failed.choice[at]]) {
                        Stub { profile: Some(it), .. } => format!("{name}/{}", it.name),
                        Stub { value, profile: None } => text::stub(program, files, value),
                    };
                    (name, value)
                }
                (
                    Varied::Stubs(..)
                    | Varied::World(_)
                    | Varied::Profiles(..)
                    | Varied::Orders(_),
                    _,
                ) => continue,
            };
            // A stub keeps its name: its text would hide the claim.
            let is_value = matches!(axis.what, Varied::Values(_));
            in_text.push(if is_value { value.clone() } else { given.name.to_string() });
            let others_tried = failed.free[at];
            arguments.push(Argument {
                name: given.name.to_string(),
                time: 1,
                ty,
                value,
                is_irrelevant: others_tried.is_some(),
                others_tried,
            });
        }
        let assertion = &verify.assertions[failed.assertion];
        let side = |function| text::with_values(program, files, function, &in_text);
        (arguments, format!("{} => {}", side(assertion.lhs), side(assertion.rhs)))
    }

    /// The part of a case that fails: where it stands, and what it is.
    fn part(&self, verify: &Verify, assertion: usize, part: Part) -> (Span, String) {
        let span = |function: FunctionId| self.engines.program().function(function).span;
        let assertion = &verify.assertions[assertion];
        match part {
            Part::Guard => {
                let function = verify.when.expect("a guard that fails is there");
                (span(function), "the condition of `when`".to_owned())
            }
            Part::Let(at) => {
                let (param, function) = &verify.lets[at];
                (span(*function), format!("`{}`", param.name))
            }
            Part::Left => (span(assertion.lhs), "the left side".to_owned()),
            Part::Right => (span(assertion.rhs), "the right side".to_owned()),
        }
    }

    /// Why a part of a case fails: it is run again, for all there is to know.
    fn explained(
        &mut self,
        verify: &Verify,
        axes: &Axes,
        failed: &Failed,
        part: Part,
    ) -> Diagnostic {
        let program = self.engines.program();
        let mut case = CaseRun::new(program, verify);
        let worker = &mut self.record.worker;
        case.begin(worker, axes, &failed.choice);
        let fault = case.explain(worker, program, failed.assertion, part);
        leave_world(worker);
        let Some(fault) = fault else {
            let (span, _) = self.part(verify, failed.assertion, part);
            return Diagnostic::new(codes::VERIFY_RUNTIME_ERROR, span, "it did not fail again");
        };
        told_fault(program, &fault)
    }
}

/// What decides how a law is repaired.
fn adversity(
    verify: &Verify,
    origin: &[Origin],
    op_name: &dyn Fn(gainsay_core::OpId) -> String,
) -> Adversity {
    let mut adversity = Adversity::default();
    for it in origin {
        match it {
            Origin::Boundary | Origin::Explored => adversity.values = true,
            Origin::Profile { op, .. } => {
                let mut givens = verify.givens.iter().rev();
                let given = givens.find(|it| match it.source {
                    GivenSource::Stubs(answered, _) => op_name(answered) == *op,
                    GivenSource::Values(_)
                    | GivenSource::Range { .. }
                    | GivenSource::World(_) => false,
                });
                let name = given.map(|it| it.name.to_string());
                adversity.answered.push(Answered { op: op.clone(), name });
            }
            Origin::Order(_) => adversity.order = true,
            Origin::Generated => {}
        }
    }
    adversity
}

impl Attacker<'_> {
    /// What hostility did to a group of cases.
    pub(super) fn failing_origin(&self, axes: &Axes, failed: &Failed) -> FailingOrigin {
        let program = self.engines.program();
        let origin = axes.origin(&failed.choice, &|op| program.op_name(op));
        FailingOrigin { origin, cases: 1 + failed.others }
    }
}

impl Axes {
    /// What hostility did to a case: everything that is not as it is written.
    fn origin(
        &self,
        choice: &[usize],
        name: &dyn Fn(gainsay_core::OpId) -> String,
    ) -> Vec<Origin> {
        let mut origin = Vec::new();
        for at in self.hostile_at(choice) {
            let choice = choice[at];
            match &self.0[at].what {
                Varied::Values(_) => {
                    if !origin.contains(&Origin::Boundary) {
                        origin.push(Origin::Boundary);
                    }
                }
                Varied::World(_) => {}
                Varied::Stubs(op, stubs) => origin.extend(profile(name(*op), &stubs[choice])),
                Varied::Profiles(op, stubs) => {
                    origin.extend(profile(name(*op), &stubs[choice - 1]));
                }
                Varied::Orders(orders) => {
                    origin.push(Origin::Order(orders[choice - 1].clone()));
                }
            }
        }
        origin
    }
}

fn profile(op: String, stub: &Stub) -> Option<Origin> {
    let name = stub.profile.as_ref()?.name.clone();
    Some(Origin::Profile { op, name })
}
