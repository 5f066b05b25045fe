//! From a failing case to the simplest one like it, told as source.

use std::collections::BTreeMap;

use gainsay_choice::{Budget, Case, End as ShrinkEnd, Identity, explain, shrink};
use gainsay_core::{Program, Term, builtin, type_text};
use gainsay_gen::Binder;
use gainsay_source::{Diagnostic, Span};
use gainsay_vm::{Fault, Value, show};

use super::cases::{Failing, SitePlan};
use super::flaky::{Again, Begin, Flaky};
use super::{Attacker, Claimed, End};
use crate::difference::differences;
use crate::identity::{failure_id, failure_in};
use crate::report::{Argument, Cause, Failure, Found, Outcome, Sides};
use crate::settings::Settings;

/// How often a claim is run to find out which inputs matter.
const EXPLAINING: u64 = 600;

/// A failing case made as simple as it gets.
pub(crate) struct Simplest {
    pub(crate) failure: Failure,
    pub(crate) case: Case,
    /// Other ways of failing that came up.
    pub(crate) others: Vec<(Identity, Case)>,
}

impl Attacker<'_> {
    /// Makes a failing case simpler, and tells it.
    pub(crate) fn simplify(
        &mut self,
        plan: &SitePlan,
        failing: &Failing,
        settings: &Settings,
    ) -> Result<Simplest, Flaky> {
        let original = self.tell(plan, &failing.case, failing)?.1;
        let end_of_time = (self.engines.clock)() + settings.shrink_time;
        let engines = self.engines;
        let mut is_late = false;
        let mut keep_going = || {
            is_late = (engines.clock)() >= end_of_time;
            !is_late && !engines.is_interrupted()
        };
        let mut source = self.take_source();
        self.record.host.case_size = failing.size;
        let entered = plan.entered();
        let mut claimed = Claimed { runner: &mut self.record, entry: plan.entry, entered };
        let budget = Budget { executions: settings.max_shrinks, keep_going: &mut keep_going };
        let shrunk = shrink(&mut claimed, &mut source, &failing.case, failing.identity, budget);
        let budget = Budget { executions: EXPLAINING, keep_going: &mut keep_going };
        let explained =
            explain(&mut claimed, &mut source, &shrunk.case, failing.identity, budget);
        self.give_back(source);
        let outcome = match shrunk.end {
            ShrinkEnd::Minimal => Outcome::Minimal,
            ShrinkEnd::Executions => Outcome::TriesOver,
            ShrinkEnd::Interrupted if is_late => Outcome::TimeOver,
            ShrinkEnd::Interrupted => Outcome::Interrupted,
            ShrinkEnd::NotReproduced if self.engines.is_interrupted() => Outcome::Interrupted,
            ShrinkEnd::NotReproduced => {
                return Err(self.vanished(plan, &failing.case, failing));
            }
        };
        let (fault, mut arguments) = self.tell(plan, &shrunk.case, failing)?;
        let functions = self.function_inputs();
        let labels = &self.engines.lowered.labels;
        let spans: Vec<&str> =
            shrunk.case.top_spans().filter_map(|it| labels.name(it.label)).collect();
        // A generator by hand around an `across` has a span of its own: then what was explained
        // are not the inputs.
        if arguments.iter().map(|it| it.name.as_str()).eq(spans) {
            for (at, argument) in arguments.iter_mut().enumerate() {
                argument.is_irrelevant = explained.free.contains(&at) && !functions[at];
            }
        }
        let found = Found {
            case: failing.number + 1,
            choices_found: failing.case.choices().len() as u64,
            choices: shrunk.case.choices().len() as u64,
            executions: shrunk.executions,
            outcome,
            original,
        };
        let mut failure = self.failure_at(plan, &fault, arguments);
        let begin = Begin::Replayed(&shrunk.case, failing.size);
        let again = Again::of(plan, begin, failing.number);
        failure.parts = self.parts(&fault, &again, &|host| {
            host.replay(&shrunk.case, failing.size);
        });
        failure.found = Some(found);
        failure.replay = Some(shrunk.case.to_blob(&self.engines.lowered.labels));
        Ok(Simplest { failure, case: shrunk.case, others: shrunk.others })
    }

    /// Runs a case once more for all there is to know of it.
    fn tell(
        &mut self,
        plan: &SitePlan,
        case: &Case,
        failing: &Failing,
    ) -> Result<(Fault, Vec<Argument>), Flaky> {
        self.record.host.replay(case, failing.size);
        let fault = self.undisturbed(|it| it.record.fault(plan.entry, plan.entered()));
        let Some(fault) = fault else {
            return Err(self.vanished(plan, case, failing));
        };
        let arguments = self.arguments();
        Ok((fault, arguments))
    }

    /// A case that failed, and does not fail in the same way any more.
    fn vanished(&mut self, plan: &SitePlan, case: &Case, failing: &Failing) -> Flaky {
        let again = Again::of(plan, Begin::Replayed(case, failing.size), failing.number);
        self.flaky(&again, &End::Failed(failing.identity))
    }

    /// The inputs of the last case that was recorded, in the order in which they were drawn.
    pub(super) fn named_inputs(&self) -> impl Iterator<Item = (&Binder, &Value)> {
        let sites = &self.engines.lowered.sites;
        let drawn = self.record.host.inputs.drawn().iter();
        drawn.filter_map(|(id, value)| {
            let mut binders = sites.iter().flat_map(|it| &it.binders);
            Some((binders.find(|it| it.id == *id)?, value))
        })
    }

    /// The same, as source.
    pub(crate) fn arguments(&self) -> Vec<Argument> {
        let program = self.engines.program();
        let mut times: BTreeMap<&str, u64> = BTreeMap::new();
        let arguments = self.named_inputs().map(|(binder, value)| {
            let time = times.entry(&binder.name).or_default();
            *time += 1;
            Argument {
                name: binder.name.to_string(),
                time: *time,
                ty: type_text(program, binder.ty),
                value: self.text(value),
                is_irrelevant: false,
            }
        });
        arguments.collect()
    }

    /// Which inputs of the last case that was recorded have functions in them. What these answer
    /// is drawn when they are asked, so that it is no part of the input that could be replaced.
    fn function_inputs(&self) -> Vec<bool> {
        self.record.host.inputs.drawn().iter().map(|(_, value)| has_function(value)).collect()
    }

    pub(super) fn text(&self, value: &Value) -> String {
        self.record.host.text(value, usize::MAX)
    }

    /// A fault in a site as something found against its claim.
    pub(super) fn failure_at(
        &self,
        plan: &SitePlan,
        fault: &Fault,
        arguments: Vec<Argument>,
    ) -> Failure {
        let mut failure = self.failure(fault, arguments);
        failure.id = failure_in(&failure.id, plan.number);
        failure.site = Some(self.engines.lowered.sites[plan.site].span);
        failure
    }

    /// A fault as something found against a claim.
    pub(crate) fn failure(&self, fault: &Fault, arguments: Vec<Argument>) -> Failure {
        let program = self.engines.program();
        let sides = self
            .record
            .host
            .sides
            .as_ref()
            .map(|(left, right)| sides_of(program, operator(program, fault), left, right));
        let is_observe = fault.kind == gainsay_vm::FaultKind::Observe;
        let mut told = told_fault(program, fault);
        if let Some(note) = unexpected(program, fault) {
            told = told.with_note(note);
        }
        Failure {
            id: failure_id(program, &fault.kind, (fault.function, fault.span)),
            fault: told,
            cause: if is_observe { Cause::Observe } else { Cause::Fault },
            sides: sides.filter(|_| is_observe),
            parts: Vec::new(),
            arguments,
            site: None,
            found: None,
            replay: None,
            stored: None,
            similar: Vec::new(),
            verified: None,
        }
    }
}

/// What a `throws` around a fault expects, if that is another kind of failure.
fn unexpected(program: &Program, fault: &Fault) -> Option<String> {
    let came = fault.kind.failure()?;
    let calls = fault.trace.inner().iter().filter_map(|frame| frame.call);
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
                "`throws({expected})` expects another kind of failure: this is `{}`",
                came.name()
            ));
        }
    }
    None
}

/// Whether there is a function in a value.
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
) -> Sides {
    Sides {
        operator: operator.to_owned(),
        left: show(program, left),
        right: show(program, right),
        differences: differences(program, left, right),
    }
}

/// A fault in words. What the claim itself is called by is of no interest.
pub(crate) fn told_fault(program: &Program, fault: &Fault) -> Diagnostic {
    let mut told = fault.to_diagnostic(program);
    let is_claim = |span: Span| program.claims.iter().any(|it| it.span == span);
    told.secondary.retain(|label| !is_claim(label.span));
    told
}

/// The comparison that an observation makes, as it is written.
fn operator(program: &Program, fault: &Fault) -> &'static str {
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
    let Some(Term::Builtin { builtin, .. }) = observed else { return "==" };
    match *builtin {
        builtin::NE => "!=",
        builtin::LT => "<",
        builtin::LE => "<=",
        builtin::GT => ">",
        builtin::GE => ">=",
        _ => "==",
    }
}
