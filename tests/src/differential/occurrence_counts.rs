//! Counts what occurred in the generated programs, to detect features that are never generated.

use std::collections::BTreeMap;
use std::fmt;

use gainsay_core::{Literal, Pattern, Program, RestPattern, Term, builtin};
use gainsay_vm::{CallOutcome, FaultKind};

/// Counts of everything that was generated and run.
#[derive(Debug, Clone)]
pub struct OccurrenceCounts {
    /// Programs.
    pub n_programs: u64,
    /// Calls of their functions from outside.
    pub n_calls: u64,
    /// Calls that returned a value.
    pub n_values: u64,
    /// Steps executed.
    pub n_steps: u64,
    /// Operations performed and observations made.
    pub n_host_events: u64,
    /// Faults by kind.
    pub faults: BTreeMap<&'static str, u64>,
    /// Terms by kind.
    pub terms: BTreeMap<&'static str, u64>,
    /// Patterns by kind.
    pub patterns: BTreeMap<&'static str, u64>,
    /// Builtins, in the order of the table.
    pub builtins: Vec<u64>,
}

impl Default for OccurrenceCounts {
    fn default() -> Self {
        Self {
            n_programs: 0,
            n_calls: 0,
            n_values: 0,
            n_steps: 0,
            n_host_events: 0,
            faults: BTreeMap::new(),
            terms: BTreeMap::new(),
            patterns: BTreeMap::new(),
            builtins: vec![0; builtin::ALL.len()],
        }
    }
}

impl OccurrenceCounts {
    /// Adds the counts of another run.
    pub fn merge(&mut self, other: &Self) {
        self.n_programs += other.n_programs;
        self.n_calls += other.n_calls;
        self.n_values += other.n_values;
        self.n_steps += other.n_steps;
        self.n_host_events += other.n_host_events;
        for (mine, theirs) in [
            (&mut self.faults, &other.faults),
            (&mut self.terms, &other.terms),
            (&mut self.patterns, &other.patterns),
        ] {
            theirs.iter().for_each(|(name, count)| *mine.entry(name).or_default() += count);
        }
        for (mine, theirs) in self.builtins.iter_mut().zip(&other.builtins) {
            *mine += theirs;
        }
    }

    /// Counts the contents of a program.
    pub(super) fn program(&mut self, program: &Program) {
        self.n_programs += 1;
        for function in &program.functions {
            for term in &function.body.terms {
                *self.terms.entry(term_name(term)).or_default() += 1;
                if let Term::Builtin { builtin, .. } = term {
                    self.builtins[builtin.index()] += 1;
                }
            }
            for pattern in &function.body.patterns {
                *self.patterns.entry(pattern_name(pattern)).or_default() += 1;
            }
        }
    }

    /// Counts the end of a call.
    pub(super) fn outcome(&mut self, outcome: &CallOutcome, n_events: usize) {
        self.n_calls += 1;
        self.n_steps += outcome.steps;
        self.n_host_events += n_events as u64;
        match &outcome.result {
            Ok(_) => self.n_values += 1,
            Err(fault) => *self.faults.entry(fault_name(&fault.kind)).or_default() += 1,
        }
    }

    /// What should occur but never did.
    pub fn missing(&self) -> Vec<&'static str> {
        let terms = TERMS.iter().filter(|name| !self.terms.contains_key(*name));
        let patterns = PATTERNS.iter().filter(|name| !self.patterns.contains_key(*name));
        let faults = FAULTS.iter().filter(|name| !self.faults.contains_key(*name));
        let rows = builtin::ALL.iter().zip(&self.builtins);
        let builtins = rows.filter(|(_, count)| **count == 0).map(|(row, _)| row.name);
        terms.chain(patterns).chain(faults).copied().chain(builtins).collect()
    }
}

impl fmt::Display for OccurrenceCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = self.n_values * 100 / self.n_calls.max(1);
        writeln!(
            f,
            "{} programs, {} calls ({percent} % end in a value), {} steps, \
             {} effects and observations",
            self.n_programs, self.n_calls, self.n_steps, self.n_host_events
        )?;
        for (title, counts) in
            [("faults", &self.faults), ("terms", &self.terms), ("patterns", &self.patterns)]
        {
            list(f, title, counts.iter().map(|(name, count)| (*name, *count)))?;
        }
        let rows = builtin::ALL.iter().zip(&self.builtins);
        list(f, "builtins", rows.map(|(row, count)| (row.name, *count)))
    }
}

fn list(
    f: &mut fmt::Formatter<'_>,
    title: &str,
    counts: impl Iterator<Item = (&'static str, u64)>,
) -> fmt::Result {
    let counts: Vec<String> = counts.map(|(name, count)| format!("{name} {count}")).collect();
    writeln!(f, "{title}: {}", counts.join(", "))
}

/// The terms of generated programs; relations and `across` need more than an engine.
const TERMS: [&str; 35] = [
    "literal int",
    "literal big",
    "literal float",
    "literal bool",
    "literal char",
    "literal str",
    "local",
    "constant",
    "function",
    "closure",
    "call",
    "call value",
    "builtin",
    "perform",
    "tuple",
    "list",
    "list before",
    "construct",
    "field",
    "update",
    "if",
    "and",
    "or",
    "match",
    "block",
    "try",
    "refine",
    "observe",
    "assume",
    "throws",
    "under",
    "par",
    "par?",
    "sample",
    "traced",
];

fn term_name(term: &Term) -> &'static str {
    match term {
        Term::Literal(Literal::Int(_)) => "literal int",
        Term::Literal(Literal::Big(_)) => "literal big",
        Term::Literal(Literal::Float(_)) => "literal float",
        Term::Literal(Literal::Bool(_)) => "literal bool",
        Term::Literal(Literal::Char(_)) => "literal char",
        Term::Literal(Literal::Str(_)) => "literal str",
        Term::Local(_) => "local",
        Term::Constant(_) => "constant",
        Term::Function { .. } => "function",
        Term::Closure { .. } => "closure",
        Term::Call { .. } => "call",
        Term::CallValue { .. } => "call value",
        Term::Builtin { .. } => "builtin",
        Term::Perform { .. } => "perform",
        Term::CheckRel { .. } => "relation",
        Term::Tuple(_) => "tuple",
        Term::List { rest: None, .. } => "list",
        Term::List { rest: Some(_), .. } => "list before",
        Term::Construct { .. } => "construct",
        Term::Field { .. } => "field",
        Term::Update { .. } => "update",
        Term::If { .. } => "if",
        Term::And(..) => "and",
        Term::Or(..) => "or",
        Term::Match { .. } => "match",
        Term::Block { .. } => "block",
        Term::Try { .. } => "try",
        Term::Refine { .. } => "refine",
        Term::Observe { .. } => "observe",
        Term::Assume(_) => "assume",
        Term::Throws { .. } => "throws",
        Term::Under { .. } => "under",
        Term::Across { .. } => "across",
        Term::Par { cancelling: false, .. } => "par",
        Term::Par { cancelling: true, .. } => "par?",
        Term::Sample { .. } => "sample",
        Term::Traced { .. } => "traced",
        Term::Hole => "hole",
    }
}

const PATTERNS: [&str; 8] = [
    "wildcard",
    "bind",
    "pattern literal",
    "pattern tuple",
    "ctor",
    "whole list",
    "list with rest",
    "alternatives",
];

fn pattern_name(pattern: &Pattern) -> &'static str {
    match pattern {
        Pattern::Wildcard => "wildcard",
        Pattern::Bind(_) => "bind",
        Pattern::Literal(_) => "pattern literal",
        Pattern::Tuple(_) => "pattern tuple",
        Pattern::Ctor(..) => "ctor",
        Pattern::List(_, RestPattern::Nothing) => "whole list",
        Pattern::List(_, RestPattern::Some(_)) => "list with rest",
        Pattern::Or(_) => "alternatives",
    }
}

const FAULTS: [&str; 13] = [
    "Contract",
    "Refinement",
    "DivByZero",
    "OutOfRange",
    "Fail",
    "Observe",
    "StepLimit",
    "DepthLimit",
    "MemoryLimit",
    "Unanswered",
    "HostFailed",
    "Interrupted",
    "Discarded",
];

fn fault_name(kind: &FaultKind) -> &'static str {
    match kind {
        FaultKind::Contract { .. } => "Contract",
        FaultKind::Refinement { .. } => "Refinement",
        FaultKind::DivByZero => "DivByZero",
        FaultKind::OutOfRange { .. } => "OutOfRange",
        FaultKind::Fail { .. } => "Fail",
        FaultKind::Observe => "Observe",
        FaultKind::StepLimit => "StepLimit",
        FaultKind::DepthLimit => "DepthLimit",
        FaultKind::MemoryLimit => "MemoryLimit",
        FaultKind::Unanswered(_) => "Unanswered",
        FaultKind::HostFailed(_) => "HostFailed",
        FaultKind::SystemError { .. } => "SystemError",
        FaultKind::SystemCrashed { .. } => "SystemCrashed",
        FaultKind::AdapterFailed(_) => "AdapterFailed",
        FaultKind::Interrupted => "Interrupted",
        FaultKind::Discarded => "Discarded",
        FaultKind::Unsupported(_) => "Unsupported",
    }
}
