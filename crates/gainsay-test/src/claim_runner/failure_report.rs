//! From a failing case to a report: shrinks the case, reruns it with recording, and renders its
//! inputs, the compared sides and the fault as source text.

use std::collections::BTreeMap;

use gainsay_choice::{Case, FailureIdentity};
use gainsay_core::{Comparison, Program, Term, builtin, type_text};
use gainsay_gen::InputBinder;
use gainsay_source::{Diagnostic, Span};
use gainsay_vm::{Fault, FaultKind, Value, show};

use super::flaky_case::{CaseRerun, FlakyCase, RerunStart};
use super::random_cases::{FailingCase, SitePlan};
use super::shrinking::ExplainedShrink;
use super::{CaseOutcome, ClaimRunner};
use crate::failure_identity::{failure_id, with_across_number};
use crate::findings::SpecViolated;
use crate::host::CaseHost;
use crate::report::{ComparisonSides, Failure, FailureCause, ReportedInput, ShrinkSummary};
use crate::settings::Settings;
use crate::value_diff::diff_values;

/// A shrunk failing case.
pub(crate) struct ShrunkFailure {
    pub(crate) failure: Failure,
    pub(crate) case: Case,
    /// Other failures that shrinking came across.
    pub(crate) others: Vec<(FailureIdentity, Case)>,
}

impl ClaimRunner<'_> {
    /// Shrinks a failing case and describes the result.
    pub(crate) fn shrink_and_report(
        &mut self,
        plan: &SitePlan,
        failing: &FailingCase,
        settings: &Settings,
    ) -> Result<ShrunkFailure, FlakyCase> {
        // The unshrunk case runs first: its inputs are reported as the original ones, and its fault
        // decides whether shrinking has to lower the limits.
        let (fault, original) = self.rerun_shrunk(plan, &failing.case, failing)?;
        let is_limit = fault.kind.is_limit();
        let shrinking = if is_limit {
            self.shrink_at_limit(plan, failing, settings)
        } else {
            self.shrink(plan, failing, settings)
        };
        let ExplainedShrink { shrunk, explained, outcome: Some(outcome) } = shrinking else {
            return Err(self.not_reproduced(plan, &failing.case, failing));
        };
        let (fault, mut arguments) = self.rerun_shrunk(plan, &shrunk.case, failing)?;
        let drawn = self.drawn_before_failure(plan, &arguments);
        let functions = self.function_inputs();
        let labels = &self.engines.lowered.labels;
        let spans: Vec<&str> =
            shrunk.case.top_spans().filter_map(|it| labels.name(it.label)).collect();
        // A handwritten generator around an `across` opens a span of its own. Then the explained
        // spans are not the inputs, and nothing is said about their relevance.
        if arguments.iter().map(|it| it.name.as_str()).eq(spans) {
            for (at, argument) in arguments.iter_mut().enumerate() {
                let free =
                    explained.irrelevant.iter().position(|it| *it == at && !functions[at]);
                argument.is_irrelevant = free.is_some();
                argument.others_tried = free.map(|free| explained.alternatives_tried[free]);
            }
        }
        let found = ShrinkSummary {
            // Reports count cases from 1.
            case: failing.number + 1,
            original_choices: failing.case.choices().len() as u64,
            choices: shrunk.case.choices().len() as u64,
            executions: shrunk.executions,
            outcome,
            original_inputs: original,
            seed: failing.seed,
        };
        let mut failure = self.failure_at(plan, &fault, arguments);
        let begin = RerunStart::Replayed(&shrunk.case, failing.size);
        let again = CaseRerun::of_site(plan, begin, failing.number);
        let values = self.subexpression_values(&fault, &again, &|host| {
            host.replay(&shrunk.case, failing.size);
        });
        values.add_to(&mut failure);
        failure.drawn = drawn;
        failure.shrink = Some(found);
        failure.replay_token = Some(shrunk.case.to_replay_token(&self.engines.lowered.labels));
        Ok(ShrunkFailure { failure, case: shrunk.case, others: shrunk.other_failures })
    }

    /// Reruns a case with recording, for its fault and its inputs.
    fn rerun_shrunk(
        &mut self,
        plan: &SitePlan,
        case: &Case,
        failing: &FailingCase,
    ) -> Result<(Fault, Vec<ReportedInput>), FlakyCase> {
        self.record.host.replay(case, failing.size);
        let fault =
            self.without_interrupts(|it| it.record.run_for_fault(plan.entry, plan.entered()));
        let Some(fault) = fault else {
            return Err(self.not_reproduced(plan, case, failing));
        };
        let arguments = self.arguments();
        Ok((fault, arguments))
    }

    /// The inputs of a case as names and source text, as far as the case draws them before it
    /// fails.
    pub fn inputs_of(
        &mut self,
        plan: &SitePlan,
        begin: impl FnOnce(&mut CaseHost<'_>),
    ) -> Vec<(String, String)> {
        begin(&mut self.record.host);
        let _ = self.record.run_for_fault(plan.entry, plan.entered());
        self.arguments().into_iter().map(|it| (it.name, it.value)).collect()
    }

    /// The choices of the last recorded case, if it failed before it had drawn all its inputs.
    fn drawn_before_failure(
        &mut self,
        plan: &SitePlan,
        arguments: &[ReportedInput],
    ) -> Vec<String> {
        let binders = &self.engines.lowered.site(plan.site).binders;
        // The inputs say everything: the choices are shown only in place of missing ones.
        if arguments.len() >= binders.len() {
            return Vec::new();
        }
        let lines =
            self.record.host.source.recorded_case().to_lines(&self.engines.lowered.labels);
        lines.lines().map(str::to_owned).collect()
    }

    /// Describes a case that failed and no longer fails in the same way.
    fn not_reproduced(
        &mut self,
        plan: &SitePlan,
        case: &Case,
        failing: &FailingCase,
    ) -> FlakyCase {
        let again =
            CaseRerun::of_site(plan, RerunStart::Replayed(case, failing.size), failing.number);
        self.find_flake(&again, &CaseOutcome::Failed(failing.identity))
    }

    /// The inputs of the last recorded case, in drawing order.
    pub(super) fn named_inputs(&self) -> impl Iterator<Item = (&InputBinder, &Value)> {
        let sites = &self.engines.lowered.sites;
        let drawn = self.record.host.inputs.drawn().iter();
        drawn.filter_map(|(id, value)| {
            let mut binders = sites.iter().flat_map(|it| &it.binders);
            Some((binders.find(|it| it.id == *id)?, value))
        })
    }

    /// The inputs of the last recorded case as source text.
    pub(crate) fn arguments(&self) -> Vec<ReportedInput> {
        let program = self.engines.program();
        // A nested `across` in a loop draws inputs of one name several times.
        let mut times: BTreeMap<&str, u64> = BTreeMap::new();
        let arguments = self.named_inputs().map(|(binder, value)| {
            let time = times.entry(&binder.name).or_default();
            *time += 1;
            ReportedInput {
                name: binder.name.to_string(),
                occurrence: *time,
                ty: type_text(program, binder.ty),
                value: self.text(value),
                is_irrelevant: false,
                others_tried: None,
            }
        });
        arguments.collect()
    }

    /// Which inputs of the last recorded case contain functions. The results of a function are
    /// drawn when it is called, so they are no part of the input that `explain` could replace.
    fn function_inputs(&self) -> Vec<bool> {
        self.record.host.inputs.drawn().iter().map(|(_, value)| has_function(value)).collect()
    }

    pub(super) fn text(&self, value: &Value) -> String {
        self.record.host.text(value, usize::MAX)
    }

    /// Describes a fault in a site as a failure of its claim.
    pub(super) fn failure_at(
        &self,
        plan: &SitePlan,
        fault: &Fault,
        arguments: Vec<ReportedInput>,
    ) -> Failure {
        let mut failure = self.failure(fault, arguments);
        failure.id = with_across_number(&failure.id, plan.number);
        failure.site = Some(self.engines.lowered.site(plan.site).span);
        failure
    }

    /// Describes a fault as a failure of a claim.
    pub(crate) fn failure(&self, fault: &Fault, arguments: Vec<ReportedInput>) -> Failure {
        let program = self.engines.program();
        let sides = self.record.host.failed_sides.as_ref().map(|(left, right)| {
            sides_of(program, comparison_operator(program, fault), left, right)
        });
        let is_observe = fault.kind == FaultKind::Observe;
        let mut diagnostic =
            spec_violated(program, fault).unwrap_or_else(|| fault_diagnostic(program, fault));
        if let Some(note) = expected_throws(program, fault) {
            diagnostic = diagnostic.with_note(note);
        }
        Failure {
            id: failure_id(program, &fault.kind, (fault.function, fault.span)),
            fault: diagnostic,
            cause: if is_observe {
                FailureCause::Observe
            } else if fault.kind.is_limit() {
                FailureCause::Limit
            } else {
                FailureCause::Fault
            },
            sides: sides.filter(|_| is_observe),
            subexpressions: Vec::new(),
            locals: Vec::new(),
            drawn: Vec::new(),
            system_calls: self.record.host.system_call_lines(),
            arguments,
            site: None,
            shrink: None,
            replay_token: None,
            saved: None,
            related: Vec::new(),
            verify_case: None,
        }
    }
}

/// The finding of a test against a specification, which fails at its goal.
fn spec_violated(program: &Program, fault: &Fault) -> Option<Diagnostic> {
    let FaultKind::Fail { message } = &fault.kind else { return None };
    let span = program.trace_tests.iter().map(|it| it.span).find(|it| *it == fault.span)?;
    Some(SpecViolated { span, fault: message.clone() }.into())
}

/// A note on what the enclosing `throws` expects, if that is another kind of failure.
fn expected_throws(program: &Program, fault: &Fault) -> Option<String> {
    let came = fault.kind.failure_kind()?;
    // A `throws` runs its body as a closure, so its term is the call of some frame.
    let calls = fault.call_stack.inner().iter().filter_map(|frame| frame.call);
    for call in calls {
        let bodies = program.functions.iter().map(|it| &it.body);
        let mut terms = bodies.flat_map(|body| body.terms.iter().zip(&body.spans));
        let kinds = terms.find_map(|(term, span)| {
            if let Term::Throws { kinds, .. } = term
                && *span == call
            {
                Some(kinds)
            } else {
                None
            }
        });
        if let Some(kinds) = kinds.filter(|it| !it.is_empty() && !it.contains(&came)) {
            let names: Vec<&str> = kinds.iter().map(|it| it.name()).collect();
            let expected = names.join(", ");
            return Some(format!(
                "`throws({expected})` expects a different failure than `{}`",
                came.name()
            ));
        }
    }
    None
}

/// Whether a value contains a function.
fn has_function(value: &Value) -> bool {
    let mut waiting = vec![value];
    while let Some(value) = waiting.pop() {
        match value {
            Value::Closure(..) => return true,
            Value::Tuple(fields) | Value::Data(_, fields) => waiting.extend(fields.as_slice()),
            Value::List(list) => waiting.extend(list.iter()),
            Value::Map(table) => waiting.extend(table.iter().map(|(_, value)| value)),
            Value::Int(_) | Value::Big(_) | Value::Float(_) | Value::Bool(_) => {}
            Value::Char(_) | Value::Str(_) | Value::Set(_) => {}
        }
    }
    false
}

/// Both sides of a comparison, and where they differ.
pub(crate) fn sides_of(
    program: &Program,
    operator: &str,
    left: &Value,
    right: &Value,
) -> ComparisonSides {
    ComparisonSides {
        operator: operator.to_owned(),
        left: show(program, left),
        right: show(program, right),
        differences: diff_values(program, left, right),
    }
}

/// The diagnostic of a fault, without the labels that point at the claim itself.
pub(crate) fn fault_diagnostic(program: &Program, fault: &Fault) -> Diagnostic {
    let mut diagnostic = fault.to_diagnostic(program);
    let is_claim = |span: Span| program.claims.iter().any(|it| it.span == span);
    // The report names the claim anyway.
    diagnostic.secondary.retain(|label| !is_claim(label.span));
    if let Some(help) = limit_help(&fault.kind) {
        // Help for programs that run by themselves; a claim has other means to raise a limit.
        diagnostic.help.clear();
        diagnostic = diagnostic.with_help(help);
    }
    diagnostic
}

/// How to raise the limit that was hit.
fn limit_help(kind: &FaultKind) -> Option<String> {
    let (remedy, what) = match kind {
        FaultKind::StepLimit => ("look for an infinite loop", "raise the step limit"),
        FaultKind::MemoryLimit => (
            "look for a value that keeps growing",
            "raise the memory limit, which grows with the step limit",
        ),
        FaultKind::DepthLimit
        | FaultKind::Contract { .. }
        | FaultKind::Refinement { .. }
        | FaultKind::DivByZero
        | FaultKind::OutOfRange { .. }
        | FaultKind::Fail { .. }
        | FaultKind::Observe
        | FaultKind::Unanswered(_)
        | FaultKind::HostFailed(_)
        | FaultKind::SystemError { .. }
        | FaultKind::SystemCrashed { .. }
        | FaultKind::AdapterFailed(_)
        | FaultKind::Interrupted
        | FaultKind::Discarded
        | FaultKind::Unsupported(_) => return None,
    };
    Some(format!(
        "{remedy}, or {what}: `@property(steps = ..)`, `--steps`, or `steps` in `gainsay.toml`"
    ))
}

/// The comparison operator of an observation, as written in the source.
fn comparison_operator(program: &Program, fault: &Fault) -> &'static str {
    let body = &program.function(fault.function).body;
    let mut terms = body.terms.iter().zip(&body.spans);
    let observed = terms.find_map(|(term, span)| {
        if let Term::Observe { condition, .. } = term
            && *span == fault.span
        {
            Some(body.term(*condition))
        } else {
            None
        }
    });
    let comparison = match observed {
        Some(Term::Builtin { builtin, .. }) => builtin::get(*builtin).comparison,
        _ => None,
    };
    comparison.unwrap_or(Comparison::Eq).symbol()
}
