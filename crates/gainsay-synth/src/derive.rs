//! From a trace to a program that generates tests: what the generator chooses, performs, awaits
//! and asserts.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use gainsay_smt::{TermId, TermNode, Terms, VarId};

use crate::print::term_text;
use crate::spec::{EventAtom, Goal, GoalKind, OpId, OpKind, Spec};
use crate::synthesis::{SymbolicTrace, Synthesis, TraceEvent};

/// What is known of an argument of an observed event when it is awaited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ObservedArg {
    /// The observation determines the variable.
    Bind(VarId),
    /// It must be this value.
    Match(TermId),
}

/// A step of a generator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GeneratorStep {
    /// Chooses values for variables that satisfy conditions, so that the remaining conditions of the
    /// trace can still be satisfied.
    Choose {
        /// The variables.
        vars: Vec<VarId>,
        /// The conditions that have no other unknown variables.
        assume: Vec<TermId>,
    },
    /// Performs an operation.
    Perform {
        /// The position of the event in the trace.
        event: usize,
        /// The operation.
        op: OpId,
        /// The arguments.
        args: Vec<TermId>,
    },
    /// Waits until the system performs an operation.
    Await {
        /// The position of the event in the trace.
        event: usize,
        /// The operation.
        op: OpId,
        /// The arguments.
        args: Vec<ObservedArg>,
        /// The conditions that the observation closes.
        assume: Vec<TermId>,
        /// The fields that tell to which request the event answers, if its answer is asserted.
        expected_key: Option<Vec<usize>>,
    },
}

/// A program that generates tests for a goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GeneratorProgram {
    /// The name.
    pub name: String,
    /// Whether reaching the end is the fault, or a wrong answer is.
    pub kind: GoalKind,
    /// The steps.
    pub steps: Vec<GeneratorStep>,
    /// Names for the variables.
    pub names: Vec<(VarId, String)>,
    /// Conditions about variables of ghosts only, which must be satisfiable together with the rest.
    pub hidden: Vec<TermId>,
}

/// Derives the program of a trace. Ghosts are erased; their variables stay, because conditions
/// relate them to those of other events.
pub fn derive_generator(
    spec: &Spec,
    goal: &Goal,
    terms: &Terms,
    trace: &SymbolicTrace,
) -> GeneratorProgram {
    let mut deriver =
        Deriver { terms, open: trace.conditions.clone(), known: Vec::new(), steps: Vec::new() };
    for (at, event) in trace.events.iter().enumerate() {
        match spec.operation(event.op).kind {
            // Initial events are part of the system when a test begins.
            _ if event.is_initial => {}
            OpKind::Ghost => {}
            OpKind::Gen => deriver.perform(at, event),
            OpKind::Obs => {
                let expected_key =
                    event.is_expected.then(|| correlation_key(spec, terms, trace, event));
                deriver.observe(at, event, expected_key);
            }
        }
    }
    GeneratorProgram {
        name: format!("{}_{}", snake_case(&spec.name), goal.name),
        kind: goal.kind,
        steps: deriver.steps,
        names: names(spec, terms, trace),
        hidden: deriver.open,
    }
}

impl Synthesis {
    /// The programs of all traces.
    pub fn generators(&self, spec: &Spec, goal: &Goal) -> Vec<GeneratorProgram> {
        let derive = |it| derive_generator(spec, goal, &self.terms, it);
        self.traces.iter().map(derive).collect()
    }
}

struct Deriver<'a> {
    terms: &'a Terms,
    /// Conditions that have unknown variables.
    open: Vec<TermId>,
    known: Vec<VarId>,
    steps: Vec<GeneratorStep>,
}

impl Deriver<'_> {
    fn perform(&mut self, at: usize, event: &TraceEvent) {
        let mut vars = Vec::new();
        for arg in &event.args {
            for var in self.terms.vars(*arg) {
                if !self.known.contains(var) && !vars.contains(var) {
                    vars.push(*var);
                }
            }
        }
        self.known.extend_from_slice(&vars);
        // Conditions are stated as soon as their variables are known, so that a bad choice
        // shows before the operation is performed.
        let assume = self.closed();
        if !vars.is_empty() || !assume.is_empty() {
            self.steps.push(GeneratorStep::Choose { vars, assume });
        }
        let args = event.args.clone();
        self.steps.push(GeneratorStep::Perform { event: at, op: event.op, args });
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "anything else is compared")]
    fn observe(&mut self, at: usize, event: &TraceEvent, expected_key: Option<Vec<usize>>) {
        let mut args = Vec::new();
        for arg in &event.args {
            args.push(match self.terms.node(*arg) {
                TermNode::Var(var) if !self.known.contains(var) => {
                    self.known.push(*var);
                    ObservedArg::Bind(*var)
                }
                _ => ObservedArg::Match(*arg),
            });
        }
        // What a compound argument tells of its variables is a condition, too.
        for arg in &event.args {
            for var in self.terms.vars(*arg) {
                if !self.known.contains(var) {
                    self.known.push(*var);
                }
            }
        }
        let assume = self.closed();
        let op = event.op;
        self.steps.push(GeneratorStep::Await { event: at, op, args, assume, expected_key });
    }

    /// Takes the conditions whose variables are all known.
    fn closed(&mut self) -> Vec<TermId> {
        let known = &self.known;
        let is_closed =
            |it: &TermId| self.terms.vars(*it).iter().all(|var| known.contains(var));
        let (closed, open) = self.open.iter().partition(|it| is_closed(it));
        self.open = open;
        closed
    }
}

/// The fields that tell requests apart: those that the rule of the request fixes to one of its
/// parameters, as `emits read_rsp(id: i)` does. What a rule fixes to anything else is the answer
/// itself, which is asserted.
fn correlation_key(
    spec: &Spec,
    terms: &Terms,
    trace: &SymbolicTrace,
    event: &TraceEvent,
) -> Vec<usize> {
    let cause = event.cause.map(|it| &trace.events[it]);
    let Some(rule) = cause.and_then(|it| it.rule).map(|it| &spec.rules[it]) else {
        return Vec::new();
    };
    let caused = rule.futures.iter().flat_map(|it| it.events()).chain(&rule.emits);
    let Some(atom) = caused.into_iter().find(|it| it.op == event.op) else {
        return Vec::new();
    };
    let fields = spec.operation(atom.op).fields.iter().enumerate();
    fields.filter(|it| is_param(terms, atom, *it.1, &rule.params)).map(|it| it.0).collect()
}

/// Whether a condition of an event is `field == param`.
fn is_param(terms: &Terms, atom: &EventAtom, field: VarId, params: &[VarId]) -> bool {
    terms.conjuncts(atom.condition).iter().any(|it| {
        let is_equation = matches!(terms.node(*it), TermNode::Equal(..) | TermNode::Zero(_));
        let vars = terms.vars(*it);
        let others = vars.iter().filter(|it| **it != field);
        is_equation
            && vars.len() == 2
            && vars.contains(&field)
            && others.into_iter().all(|it| params.contains(it))
    })
}

/// Each variable is named after the field that it occurs in first, with a number.
fn names(spec: &Spec, terms: &Terms, trace: &SymbolicTrace) -> Vec<(VarId, String)> {
    let mut names: Vec<(VarId, String)> = Vec::new();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut name = |names: &mut Vec<(VarId, String)>, var: VarId, base: &str| {
        if names.iter().all(|it| it.0 != var) {
            let count = counts.entry(base.to_owned()).or_insert(0);
            names.push((var, format!("{base}{count}")));
            *count += 1;
        }
    };
    for event in &trace.events {
        let operation = spec.operation(event.op);
        for (arg, field) in event.args.iter().zip(&operation.field_names) {
            if let TermNode::Var(var) = terms.node(*arg) {
                name(&mut names, *var, field);
            }
        }
    }
    for var in trace.vars(terms) {
        name(&mut names, var, "hidden");
    }
    names
}

fn snake_case(name: &str) -> String {
    let mut text = String::new();
    let mut was_lower = false;
    for char in name.chars() {
        if char.is_uppercase() && was_lower {
            text.push('_');
        }
        was_lower = char.is_lowercase() || char.is_numeric();
        text.extend(char.to_lowercase());
    }
    text
}

/// A program as text.
pub fn generator_text(spec: &Spec, terms: &Terms, program: &GeneratorProgram) -> String {
    let names = &program.names[..];
    let term = |it: &TermId| term_text(terms, *it, names);
    let all = |conditions: &[TermId]| -> String {
        let texts: Vec<String> = conditions
            .iter()
            .map(|it| {
                let is_or = matches!(terms.node(*it), TermNode::Or(_));
                if is_or && conditions.len() > 1 { format!("({})", term(it)) } else { term(it) }
            })
            .collect();
        texts.join(" && ")
    };
    let name_of =
        |var: VarId| names.iter().find(|it| it.0 == var).map_or("_", |it| it.1.as_str());
    let mut text = format!("generator {}() {{\n", program.name);
    for step in &program.steps {
        match step {
            GeneratorStep::Choose { vars, assume } => {
                let vars: Vec<String> = vars
                    .iter()
                    .map(|it| {
                        let sort = terms.signature.var(*it).sort;
                        format!("{}: {} = any", name_of(*it), terms.signature.sort_name(sort))
                    })
                    .collect();
                let assumed = all(assume);
                let _ = match (vars.is_empty(), assume.is_empty()) {
                    (true, _) => writeln!(text, "    assume {assumed};"),
                    (false, true) => writeln!(text, "    let {};", vars.join(", ")),
                    (false, false) => {
                        writeln!(text, "    let {} assume {assumed};", vars.join(", "))
                    }
                };
            }
            GeneratorStep::Perform { op, args, .. } => {
                let args: Vec<String> = args.iter().map(term).collect();
                let name = &spec.operation(*op).name;
                let _ = writeln!(text, "    {name}({});", args.join(", "));
            }
            GeneratorStep::Await { op, args, assume, expected_key, .. } => {
                let args: Vec<String> = args
                    .iter()
                    .map(|it| match it {
                        ObservedArg::Bind(var) => name_of(*var).to_owned(),
                        ObservedArg::Match(value) => term(value),
                    })
                    .collect();
                let word = if expected_key.is_some() { "expect" } else { "await" };
                let name = &spec.operation(*op).name;
                let _ = write!(text, "    {word} {name}({})", args.join(", "));
                if !assume.is_empty() {
                    let _ = write!(text, " assume {}", all(assume));
                }
                text.push_str(";\n");
            }
        }
    }
    if program.kind == GoalKind::Violation {
        text.push_str("    report violation;\n");
    }
    text.push_str("}\n");
    text
}
