//! Reports of failed cases of a `verify` block.

use gainsay_core::{FunctionId, GivenSource, VerifyBlock, VerifyForm, type_text};
use gainsay_source::{Diagnostic, Span, codes};
use gainsay_vm::show;

use super::axes::{Axes, AxisChoices, Combination, StubChoice};
use super::case_text;
use super::verify_case::{VerifyCaseRunner, VerifyFailure, VerifyPart, leave_world};
use crate::claim_runner::{ClaimRunner, fault_diagnostic, sides_of};
use crate::findings::{
    FailingPart, HostileChanges, HostileStub, VerifyCaseScope, VerifyDeclined, VerifyMismatch,
    VerifyRuntimeError, VerifyUnexpectedErr,
};
use crate::report::{
    FailedVerifyCase, Failure, FailureCause, HostileFailureGroup, HostileOrigin, ReportedInput,
};

/// A case that failed.
pub(super) struct FailedCase {
    pub(super) combination: Combination,
    pub(super) assertion: usize,
    pub(super) failure: VerifyFailure,
    /// For each axis, the number of other choices tried, if all of them fail: then the choice does
    /// not matter. In a declared case, every choice matters.
    pub(super) free: Vec<Option<u64>>,
    /// Number of further cases in the same failure group.
    pub(super) others: u64,
}

impl ClaimRunner<'_> {
    /// A failure of a block as a whole.
    pub(super) fn block_failure(&self, fault: Diagnostic) -> Failure {
        Failure {
            id: fault.code.slug.to_owned(),
            fault,
            cause: FailureCause::Fault,
            sides: None,
            subexpressions: Vec::new(),
            locals: Vec::new(),
            drawn: Vec::new(),
            system_calls: Vec::new(),
            arguments: Vec::new(),
            site: None,
            shrink: None,
            replay_token: None,
            saved: None,
            related: Vec::new(),
            verify_case: None,
        }
    }

    /// Describes a case that failed.
    pub(super) fn failure_of_case(
        &mut self,
        verify: &VerifyBlock,
        axes: &Axes,
        failed: &FailedCase,
    ) -> Failure {
        let program = self.engines.program();
        let assertion = &verify.assertions[failed.assertion];
        let origin = axes.hostile_origin(&failed.combination, &|op| program.op_name(op));
        let is_declared = !axes.is_hostile(&failed.combination);
        let scope =
            if is_declared { VerifyCaseScope::Declared } else { VerifyCaseScope::Hostile };
        let adversity = hostile_changes(verify, &origin, &|op| program.op_name(op));
        let is_law = verify.form != VerifyForm::Cases;
        let (mut sides, mut cause) = (None, FailureCause::Fault);
        // Of the left side: only there can a `?` meet an error.
        let span = program.function(assertion.lhs).span;
        let fault = match &failed.failure {
            VerifyFailure::Mismatch { actual: left, expected: right } => {
                cause = FailureCause::Mismatch;
                sides = Some(sides_of(program, "=>", left, right));
                let span = assertion.span;
                VerifyMismatch { span, scope, adversity, is_law }.into()
            }
            VerifyFailure::UnexpectedErr(met) => {
                let met = show(program, met);
                VerifyUnexpectedErr { span, met, scope, adversity }.into()
            }
            VerifyFailure::Fault(part, _) => {
                let fault = self.part_diagnostic(verify, axes, failed, *part);
                let (span, part) = self.failing_part(verify, failed.assertion, *part);
                VerifyRuntimeError { span, part, fault, scope, adversity }.into()
            }
        };
        let (arguments, case) = self.case_text(verify, axes, failed);
        let law = is_law.then(|| {
            let files = self.engines.files;
            files.map_or_else(String::new, |files| files.text(assertion.span).to_owned())
        });
        let others = failed.others;
        let world = self.world_text(axes, &failed.combination);
        let from_hostile = !is_declared;
        let verified = FailedVerifyCase { case, law, from_hostile, origin, others, world };
        let fault: Diagnostic = fault;
        let id = format!("{}-{}", fault.code.slug, failed.assertion + 1);
        Failure {
            id,
            cause,
            sides,
            arguments,
            verify_case: Some(verified),
            ..self.block_failure(fault)
        }
    }

    /// The diagnostic for cases that exceeded a limit.
    pub(super) fn declined_cases_diagnostic(
        &mut self,
        verify: &VerifyBlock,
        axes: &Axes,
        failed: &FailedCase,
        n_cases: u64,
    ) -> Diagnostic {
        let part = match failed.failure {
            VerifyFailure::Fault(part, _) => part,
            VerifyFailure::Mismatch { .. } | VerifyFailure::UnexpectedErr(_) => {
                VerifyPart::Left
            }
        };
        let fault = self.part_diagnostic(verify, axes, failed, part);
        let (span, _) = self.failing_part(verify, failed.assertion, part);
        let (_, case) = self.case_text(verify, axes, failed);
        VerifyDeclined { span, n_cases, case, fault }.into()
    }

    /// The givens of a case, and its assertion with the givens substituted.
    fn case_text(
        &self,
        verify: &VerifyBlock,
        axes: &Axes,
        failed: &FailedCase,
    ) -> (Vec<ReportedInput>, String) {
        let (program, files) = (self.engines.program(), self.engines.files);
        let mut arguments = Vec::new();
        let mut in_text = Vec::new();
        for (at, given) in verify.givens.iter().enumerate() {
            let axis = &axes.0[at];
            let (ty, value) = match (&axis.choices, &given.source) {
                (AxisChoices::Values(values), _) => {
                    let value =
                        case_text::value_text(program, files, &values[failed.combination[at]]);
                    (type_text(program, given.ty), value)
                }
                (AxisChoices::Stubs(op, stubs), GivenSource::Stubs(..)) => {
                    let name = program.op_name(*op);
                    // A profile without a `given` of its own overrides this one, so it is what
                    // answered.
                    let stub = axes.profile(*op, &failed.combination);
                    let value = match stub.unwrap_or(&stubs[failed.combination[at]]) {
                        StubChoice { profile: Some(it), .. } => format!("{name}/{}", it.name),
                        StubChoice { value, profile: None } => {
                            case_text::stub_text(program, files, value)
                        }
                    };
                    (name, value)
                }
                (
                    AxisChoices::Stubs(..)
                    | AxisChoices::World(_)
                    | AxisChoices::Profiles(..)
                    | AxisChoices::Orders(_),
                    _,
                ) => continue,
            };
            // A stub keeps its name: its text would hide the assertion.
            let is_value = matches!(axis.choices, AxisChoices::Values(_));
            in_text.push(if is_value { value.clone() } else { given.name.to_string() });
            let others_tried = failed.free[at];
            arguments.push(ReportedInput {
                name: given.name.to_string(),
                occurrence: 1,
                ty,
                value,
                is_irrelevant: others_tried.is_some(),
                others_tried,
            });
        }
        let assertion = &verify.assertions[failed.assertion];
        let side = |function| case_text::with_values(program, files, function, &in_text);
        (arguments, format!("{} => {}", side(assertion.lhs), side(assertion.rhs)))
    }

    /// The part of a case that fails: its span, and what it is.
    fn failing_part(
        &self,
        verify: &VerifyBlock,
        assertion: usize,
        part: VerifyPart,
    ) -> (Span, FailingPart) {
        let span = |function: FunctionId| self.engines.program().function(function).span;
        let assertion = &verify.assertions[assertion];
        match part {
            VerifyPart::Guard => {
                let function = verify.when.expect("a guard that fails is there");
                (span(function), FailingPart::When)
            }
            VerifyPart::Let(at) => {
                let (param, function) = &verify.lets[at];
                (span(*function), FailingPart::Let(param.name.to_string()))
            }
            VerifyPart::Left => (span(assertion.lhs), FailingPart::LeftSide),
            VerifyPart::Right => (span(assertion.rhs), FailingPart::RightSide),
        }
    }

    /// Reruns a failing part of a case for its diagnostic.
    fn part_diagnostic(
        &mut self,
        verify: &VerifyBlock,
        axes: &Axes,
        failed: &FailedCase,
        part: VerifyPart,
    ) -> Diagnostic {
        let program = self.engines.program();
        let mut case = VerifyCaseRunner::new(program, verify);
        // The version that searches reports no inputs, so the fault comes from the one that
        // records.
        let worker = &mut self.record.worker;
        case.begin(worker, axes, &failed.combination);
        let fault = case.rerun_for_fault(worker, program, failed.assertion, part);
        leave_world(worker);
        let Some(fault) = fault else {
            let (span, _) = self.failing_part(verify, failed.assertion, part);
            return Diagnostic::new(
                codes::VERIFY_RUNTIME_ERROR,
                span,
                "the failure is not reproducible",
            );
        };
        fault_diagnostic(program, &fault)
    }
}

/// What the hostile choices changed; this determines how to repair the law.
fn hostile_changes(
    verify: &VerifyBlock,
    origin: &[HostileOrigin],
    op_name: &dyn Fn(gainsay_core::OpId) -> String,
) -> HostileChanges {
    let mut adversity = HostileChanges::default();
    for it in origin {
        match it {
            HostileOrigin::Boundary | HostileOrigin::Explored => adversity.values = true,
            HostileOrigin::Profile { op, .. } => {
                // From the end, because a later stub of an operation overrides an earlier one.
                let mut givens = verify.givens.iter().rev();
                let given = givens.find(|it| match it.source {
                    GivenSource::Stubs(answered, _) => op_name(answered) == *op,
                    GivenSource::Values(_)
                    | GivenSource::Range { .. }
                    | GivenSource::World(_) => false,
                });
                let name = given.map(|it| it.name.to_string());
                adversity.stubbed_operations.push(HostileStub { op: op.clone(), name });
            }
            HostileOrigin::Order(_) => adversity.order = true,
            HostileOrigin::Generated => {}
        }
    }
    adversity
}

impl ClaimRunner<'_> {
    /// The hostile choices behind a group of cases.
    pub(super) fn failing_origin(
        &self,
        axes: &Axes,
        failed: &FailedCase,
    ) -> HostileFailureGroup {
        let program = self.engines.program();
        let origin = axes.hostile_origin(&failed.combination, &|op| program.op_name(op));
        HostileFailureGroup { origin, cases: 1 + failed.others }
    }
}

impl Axes {
    /// The origin of a hostile case: every choice that is not declared.
    fn hostile_origin(
        &self,
        choice: &[usize],
        name: &dyn Fn(gainsay_core::OpId) -> String,
    ) -> Vec<HostileOrigin> {
        let mut origin = Vec::new();
        for at in self.hostile_axes(choice) {
            let choice = choice[at];
            match &self.0[at].choices {
                AxisChoices::Values(_) => {
                    if !origin.contains(&HostileOrigin::Boundary) {
                        origin.push(HostileOrigin::Boundary);
                    }
                }
                AxisChoices::World(_) => {}
                AxisChoices::Stubs(op, stubs) => {
                    origin.extend(profile_origin(name(*op), &stubs[choice]))
                }
                // Choice 0 is the declared stub, which is not in the list.
                AxisChoices::Profiles(op, stubs) => {
                    origin.extend(profile_origin(name(*op), &stubs[choice - 1]));
                }
                AxisChoices::Orders(orders) => {
                    origin.push(HostileOrigin::Order(orders[choice - 1].clone()));
                }
            }
        }
        origin
    }
}

fn profile_origin(op: String, stub: &StubChoice) -> Option<HostileOrigin> {
    let name = stub.profile.as_ref()?.name.clone();
    Some(HostileOrigin::Profile { op, name })
}
