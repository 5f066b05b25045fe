//! Converts faults to diagnostics: one file per finding.

mod adapter_failed;
mod assumption_failed;
mod cannot_run_yet;
mod contract_violated;
mod contract_violated_by_caller;
mod depth_limit;
mod division_by_zero;
mod failed;
mod host_failed;
mod interrupted;
mod memory_limit;
mod observe_failed;
mod out_of_range;
mod outside_refinement;
mod step_limit;
mod system_crashed;
mod system_error;
mod unanswered_effect;

use gainsay_core::{ClaimKind, FunctionId, FunctionKind, ParamNames, Program, type_text_in};
use gainsay_source::{Diagnostic, Span};

use self::adapter_failed::AdapterFailed;
use self::assumption_failed::AssumptionFailed;
use self::cannot_run_yet::CannotRunYet;
use self::contract_violated::ContractViolated;
use self::contract_violated_by_caller::ContractViolatedByCaller;
use self::depth_limit::DepthLimit;
use self::division_by_zero::DivisionByZero;
use self::failed::ProgramFailed;
use self::host_failed::HostFailed;
use self::interrupted::Interrupted;
use self::memory_limit::MemoryLimit;
use self::observe_failed::ObserveFailed;
use self::out_of_range::OutOfRange;
use self::outside_refinement::{OutsideRefinement, RefinedValue};
use self::step_limit::StepLimit;
use self::system_crashed::SystemCrashed;
use self::system_error::SystemFailed;
use self::unanswered_effect::UnansweredEffect;
use crate::fault::{ClauseKind, Fault, FaultKind, Frame, RefinedRole};
use crate::show::show_brief;

/// Approximate length in bytes after which values are truncated.
const MAX_VALUE_TEXT: usize = 400;
/// How many calls get a label, from the innermost and from the outermost end.
const SHOWN_INNER: usize = 4;
const SHOWN_OUTER: usize = 2;

impl Fault {
    /// Renders the fault for the user.
    pub fn to_diagnostic(&self, program: &Program) -> Diagnostic {
        let mut diagnostic = self.describe(program);
        for (name, value) in &self.values {
            let text = show_brief(program, value, MAX_VALUE_TEXT);
            diagnostic.notes.push(format!("{name} = {text}"));
        }
        self.with_trace(program, diagnostic)
    }

    fn describe(&self, program: &Program) -> Diagnostic {
        let span = self.span;
        match &self.kind {
            FaultKind::Contract { clause, function, at } => {
                let (function, clause_span) = (name(program, *function), *at);
                match clause {
                    ClauseKind::In => {
                        let is_generated = has_generated_inputs(program, self.function);
                        let clause = clause_span;
                        ContractViolatedByCaller { call: span, function, clause, is_generated }
                            .into()
                    }
                    ClauseKind::Out => {
                        ContractViolated { name: span, function, clause: clause_span }.into()
                    }
                }
            }
            FaultKind::Refinement { ty, role } => {
                let owner = match role {
                    RefinedRole::Argument { function, .. } => *function,
                    RefinedRole::Result(function) => *function,
                    RefinedRole::Part => self.function,
                };
                let declared = program.function(owner);
                let names = ParamNames {
                    types: &declared.type_params,
                    effects: &declared.effect_params,
                };
                let ty = type_text_in(program, names, *ty);
                let (value, declared_at) = self.refined(program, role);
                OutsideRefinement { span, ty, value, declared_at }.into()
            }
            FaultKind::DivByZero => DivisionByZero { span }.into(),
            FaultKind::OutOfRange { what } => OutOfRange { span, what: what.clone() }.into(),
            FaultKind::Fail { message } => {
                ProgramFailed { span, message: message.clone() }.into()
            }
            FaultKind::Observe => ObserveFailed { span }.into(),
            FaultKind::StepLimit => StepLimit { span }.into(),
            FaultKind::DepthLimit => DepthLimit { span, depth: self.call_stack.depth() }.into(),
            FaultKind::MemoryLimit => MemoryLimit { span }.into(),
            FaultKind::Unanswered(op) => {
                UnansweredEffect { span, operation: program.op_name(*op) }.into()
            }
            FaultKind::HostFailed(why) => HostFailed { span, why: why.clone() }.into(),
            FaultKind::SystemError { op, error } => {
                let operation = program.op_name(*op);
                SystemFailed { span, operation, error: error.clone() }.into()
            }
            FaultKind::SystemCrashed { op, how } => {
                SystemCrashed { span, operation: program.op_name(*op), how: how.clone() }.into()
            }
            FaultKind::AdapterFailed(why) => AdapterFailed { span, why: why.clone() }.into(),
            FaultKind::Interrupted => Interrupted { span }.into(),
            FaultKind::Discarded => AssumptionFailed { span }.into(),
            FaultKind::Unsupported(what) => CannotRunYet { span, what }.into(),
        }
    }

    /// What a value outside its type was to be, and where that is declared.
    fn refined(&self, program: &Program, role: &RefinedRole) -> (RefinedValue, Option<Span>) {
        match role {
            RefinedRole::Argument { function, param } => {
                let declared = program.function(*function);
                let param = declared.params.get(*param as usize);
                let declared_at = param.map_or(declared.span, |it| it.span);
                let param = param.map(|it| it.name.to_string());
                let function = declared.name.to_string();
                (RefinedValue::Argument { param, function }, Some(declared_at))
            }
            RefinedRole::Result(function) => {
                let declared = program.function(*function);
                let name = declared.name.to_string();
                let value = match declared.kind {
                    FunctionKind::Constant => RefinedValue::Constant(name),
                    FunctionKind::Lambda(_) => RefinedValue::LambdaResult(name),
                    FunctionKind::Declared | FunctionKind::Refinement | FunctionKind::Claim => {
                        RefinedValue::Result(name)
                    }
                };
                (value, None)
            }
            RefinedRole::Part => (RefinedValue::Part, None),
        }
    }

    /// Adds a label for each of the calls around the fault, at most one per location.
    fn with_trace(&self, program: &Program, mut diagnostic: Diagnostic) -> Diagnostic {
        let inner = self.call_stack.inner().iter().take(SHOWN_INNER);
        let outer: Vec<&Frame> = self.call_stack.inner()
            [SHOWN_INNER.min(self.call_stack.inner().len())..]
            .iter()
            .chain(self.call_stack.outer())
            .collect();
        let outer = outer[outer.len().saturating_sub(SHOWN_OUTER)..].iter().copied();
        let mut seen = vec![diagnostic.primary.span];
        seen.extend(diagnostic.secondary.iter().map(|label| label.span));
        for frame in inner.chain(outer) {
            // A recursive call has the same location at each level and is labeled once.
            let Some(call) = frame.call.filter(|call| !seen.contains(call)) else { continue };
            // The internals of the standard library are not the user's concern.
            if program.modules.iter().any(|it| it.is_std && it.file == call.file) {
                continue;
            }
            seen.push(call);
            if let Some(text) = call_text(program, frame.function, call) {
                diagnostic = diagnostic.with_label(call, text);
            }
        }
        let depth = self.call_stack.depth();
        let n_shown = (SHOWN_INNER + SHOWN_OUTER) as u64;
        if depth > n_shown {
            let is_own =
                |it: &&Frame| !program.module(program.function(it.function).module).is_std;
            let names = self.call_stack.inner().iter().filter(is_own).take(SHOWN_INNER);
            let names: Vec<String> =
                names.map(|frame| format!("`{}`", name(program, frame.function))).collect();
            if names.len() < SHOWN_INNER {
                // The depth is that of functions which the user does not know.
                return diagnostic;
            }
            let note = format!(
                "the call stack is {depth} calls deep; the innermost calls are {}",
                names.join(", ")
            );
            diagnostic = diagnostic.with_note(note);
        }
        diagnostic
    }
}

/// The label of a call; `None` for a part of a form that is evaluated in place, such as the body of
/// `throws`.
fn call_text(program: &Program, function: FunctionId, call: Span) -> Option<String> {
    let called = program.function(function);
    Some(match called.kind {
        FunctionKind::Declared => format!("`{}` is called here", called.name),
        FunctionKind::Lambda(_) => {
            let place = called.span;
            // A lambda written inside the call expression is such a part.
            let is_inside =
                place.file == call.file && call.start <= place.start && place.end <= call.end;
            if is_inside {
                return None;
            }
            format!("a lambda from `{}` is called here", called.name)
        }
        FunctionKind::Refinement => "the refinement is checked here".to_owned(),
        FunctionKind::Constant => format!("`{}` is used here", called.name),
        FunctionKind::Claim => return None,
    })
}

fn name(program: &Program, function: FunctionId) -> String {
    program.function(function).name.to_string()
}

/// Renders program text on one line, as messages require.
fn one_line(text: &str) -> String {
    let shown: String = text.chars().take(MAX_VALUE_TEXT).collect();
    shown.replace('\n', " / ")
}

/// Whether a function is the body of a property or of an `across`, so that its inputs are
/// generated. A property with `in` clauses is called through a copy of the same name.
fn has_generated_inputs(program: &Program, function: FunctionId) -> bool {
    let name = &program.function(function).name;
    let is_property = |it: FunctionId| {
        program.claims.iter().any(|claim| match &claim.kind {
            ClaimKind::Property(property, _) => {
                *property == it || program.function(*property).name == *name
            }
            ClaimKind::Test(_) | ClaimKind::Verify(_) => false,
        })
    };
    match program.function(function).kind {
        FunctionKind::Declared | FunctionKind::Claim => is_property(function),
        FunctionKind::Lambda(parent) => {
            program.function(parent).kind == FunctionKind::Claim || is_property(parent)
        }
        FunctionKind::Constant | FunctionKind::Refinement => false,
    }
}
