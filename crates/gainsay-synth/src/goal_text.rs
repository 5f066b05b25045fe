//! A trace as the source of a goal: a `scenario` or `violation` that lists its events one by one.
//!
//! Such a goal can be saved in the specification, edited, and tested `against` like any other. The
//! search for it has nothing to insert, so it ends at once, and its generator does what the trace
//! did.

use std::fmt::Write as _;

use gainsay_smt::{Sort, TermId, TermNode, Terms, VarId};

use crate::print::term_text;
use crate::spec::{Goal, GoalKind, Spec};
use crate::synthesis::{SymbolicTrace, TraceEvent};

/// The goal that only this trace reaches, as source; `name` is its name.
pub fn goal_text(
    spec: &Spec,
    goal: &Goal,
    terms: &Terms,
    trace: &SymbolicTrace,
    name: &str,
) -> String {
    let printer = GoalPrinter { spec, terms, trace, names: var_names(spec, terms, trace) };
    printer.text(goal.kind, name)
}

/// The events of a trace in one line, and what holds of their arguments.
pub fn trace_text(spec: &Spec, terms: &Terms, trace: &SymbolicTrace) -> String {
    let printer = GoalPrinter { spec, terms, trace, names: var_names(spec, terms, trace) };
    let events: Vec<String> = trace.events.iter().map(|it| printer.called(it)).collect();
    let mut text = format!("[{}]", events.join(", "));
    if !trace.conditions.is_empty() {
        let conditions: Vec<String> =
            trace.conditions.iter().map(|it| printer.operand(*it)).collect();
        let _ = write!(text, " where {}", conditions.join(" && "));
    }
    text
}

struct GoalPrinter<'a> {
    spec: &'a Spec,
    terms: &'a Terms,
    trace: &'a SymbolicTrace,
    names: Vec<(VarId, String)>,
}

impl GoalPrinter<'_> {
    fn text(&self, kind: GoalKind, name: &str) -> String {
        let keyword = match kind {
            GoalKind::Violation => "violation",
            GoalKind::Scenario => "scenario",
        };
        let params: Vec<String> = self
            .names
            .iter()
            .map(|(var, name)| format!("{name}: {}", self.sort(*var)))
            .collect();
        let mut text = format!("{keyword} {name}({}) = [\n", params.join(", "));
        for (at, event) in self.trace.events.iter().enumerate() {
            let comma = if at + 1 < self.trace.events.len() { "," } else { "" };
            let _ = writeln!(text, "  {}{comma}", self.event(at, event));
        }
        text.push_str("]\n");
        text
    }

    fn sort(&self, var: VarId) -> String {
        let signature = &self.terms.signature;
        match signature.var(var).sort {
            Sort::Bool => "Bool".to_owned(),
            Sort::Int => "Int".to_owned(),
            Sort::Named(id) => signature.sort(id).name.clone(),
        }
    }

    fn event(&self, at: usize, event: &TraceEvent) -> String {
        let mut text = if event.is_expected { "expect " } else { "" }.to_owned();
        text.push_str(&self.called(event));
        let conditions: Vec<String> =
            self.conditions_at(at).map(|it| self.operand(it)).collect();
        if !conditions.is_empty() {
            let _ = write!(text, "{{{}}}", conditions.join(" && "));
        }
        text
    }

    fn called(&self, event: &TraceEvent) -> String {
        let name = &self.spec.operation(event.op).name;
        if event.args.is_empty() {
            return name.clone();
        }
        let args: Vec<String> = event.args.iter().map(|it| self.term(*it)).collect();
        format!("{name}({})", args.join(", "))
    }

    /// The conditions whose last variable occurs first in this event. Those about variables of no
    /// event are stated at the last one.
    fn conditions_at(&self, at: usize) -> impl Iterator<Item = TermId> {
        let conditions = self.trace.conditions.iter().copied();
        conditions.filter(move |it| self.closing_event(*it) == at)
    }

    fn closing_event(&self, condition: TermId) -> usize {
        let last = self.trace.events.len().saturating_sub(1);
        let first_use = |var: &VarId| {
            let uses =
                |it: &TraceEvent| it.args.iter().any(|arg| self.terms.vars(*arg).contains(var));
            self.trace.events.iter().position(uses).unwrap_or(last)
        };
        self.terms.vars(condition).iter().map(first_use).max().unwrap_or(last)
    }

    fn term(&self, term: TermId) -> String {
        term_text(self.terms, term, &self.names[..])
    }

    fn operand(&self, condition: TermId) -> String {
        let text = self.term(condition);
        let needs_parentheses =
            matches!(self.terms.node(condition), TermNode::Or(_) | TermNode::Ite(..));
        if needs_parentheses { format!("({text})") } else { text }
    }
}

/// Each variable is named after the first field that it is the value of, with a number that makes
/// it different from all names of the specification: a field of the same name would hide it.
fn var_names(spec: &Spec, terms: &Terms, trace: &SymbolicTrace) -> Vec<(VarId, String)> {
    let mut names: Vec<(VarId, String)> = Vec::new();
    for var in trace.vars(terms) {
        let base = field_of(spec, terms, trace, var).unwrap_or("hidden");
        let is_taken = |it: &String| {
            names.iter().any(|other| other.1 == *it) || is_declared(spec, terms, it)
        };
        let name = (0..).map(|number| format!("{base}{number}")).find(|it| !is_taken(it));
        names.push((var, name.expect("some number is free")));
    }
    names
}

fn field_of<'s>(
    spec: &'s Spec,
    terms: &Terms,
    trace: &SymbolicTrace,
    var: VarId,
) -> Option<&'s str> {
    trace.events.iter().find_map(|event| {
        let at = event
            .args
            .iter()
            .position(|it| matches!(terms.node(*it), TermNode::Var(it) if *it == var))?;
        spec.operation(event.op).field_names.get(at).map(String::as_str)
    })
}

fn is_declared(spec: &Spec, terms: &Terms, name: &str) -> bool {
    let is_field = spec.operations.iter().any(|it| it.field_names.iter().any(|it| it == name));
    is_field || terms.signature.funs().any(|it| it.1.name == name)
}
