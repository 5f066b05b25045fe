//! Runs a generator against a system: the generator performs operations, and decides which pending
//! event of the system happens next.

use std::collections::BTreeMap;

use gainsay_smt::{SmtValue, TermId, Terms, VarId};

use crate::derive::{GeneratorProgram, GeneratorStep, ObservedArg};
use crate::sample::{DrawSource, SampleRequest, ValueDomains, sample, value_under};
use crate::spec::{Goal, GoalKind, OpId, Spec};
use crate::synthesis::SymbolicTrace;
use crate::validate::{GroundEvent, reaches};

/// The system broke down: it panicked, or refused what it must accept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SystemCrash {
    /// What it said.
    pub message: String,
}

/// A system under test.
pub trait TestedSystem {
    /// Begins anew.
    fn reset(&mut self);

    /// Performs an operation of the generator.
    fn perform(&mut self, op: OpId, args: &[SmtValue]) -> Result<(), SystemCrash>;

    /// The events that may happen next, in an order that depends on the run only. A system that
    /// answers at once has its answers here until they are delivered.
    fn pending(&self) -> Vec<(OpId, Vec<SmtValue>)>;

    /// Lets the pending event at a position happen.
    fn deliver(&mut self, position: usize) -> Result<(), SystemCrash>;
}

/// What became of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GeneratorVerdict {
    /// A fault was found.
    Bug(BugReason),
    /// The answers were those that were expected.
    Passed,
    /// The system did something that the trace does not foresee, and the goal was not reached.
    /// Either the specification is wrong, or the system has another fault.
    Deviated,
    /// The run could not be continued: no values satisfy the conditions, or what was awaited
    /// never became pending. Nothing was tested.
    Infeasible,
}

/// Why a run found a fault.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BugReason {
    /// The trace is a violation.
    Violation,
    /// The answer to the request of this event differs from the expected one.
    WrongAnswer {
        /// The position of the event in the trace of the program.
        event: usize,
    },
    /// The system broke down.
    Crash(SystemCrash),
}

/// A run with what happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GeneratorRun {
    /// What became of it.
    pub verdict: GeneratorVerdict,
    /// The events that happened.
    pub trace: Vec<GroundEvent>,
}

/// A generator with all that running it needs.
pub struct GeneratorSetup<'a> {
    /// The specification.
    pub spec: &'a Spec,
    /// The goal.
    pub goal: &'a Goal,
    /// The arena of the trace.
    pub terms: &'a Terms,
    /// The trace.
    pub trace: &'a SymbolicTrace,
    /// The program of the trace.
    pub program: &'a GeneratorProgram,
    /// The values that tests use.
    pub domains: &'a ValueDomains<'a>,
}

/// Runs a generator once.
pub fn run_generator(
    setup: &GeneratorSetup<'_>,
    system: &mut dyn TestedSystem,
    draws: &mut dyn DrawSource,
) -> GeneratorRun {
    system.reset();
    let vars = setup.trace.vars(setup.terms);
    let mut run = Run {
        setup,
        system,
        draws,
        known: BTreeMap::new(),
        model: BTreeMap::new(),
        conditions: setup.trace.conditions.clone(),
        equations: Vec::new(),
        vars,
        trace: Vec::new(),
        has_deviated: false,
    };
    for event in setup.trace.events.iter().filter(|it| it.is_initial) {
        let args = event.args.iter().map(|it| run.value(*it)).collect::<Option<Vec<_>>>();
        let Some(args) = args else { continue };
        run.trace.push(GroundEvent { op: event.op, args, is_initial: true });
    }
    let verdict = run.steps().unwrap_or_else(|end| end);
    GeneratorRun { verdict, trace: run.trace }
}

/// Runs a generator until a run is feasible, and returns the last run with the number of runs.
pub fn run_generator_until_feasible(
    setup: &GeneratorSetup<'_>,
    system: &mut dyn TestedSystem,
    draws: &mut dyn DrawSource,
    max_runs: u32,
) -> (GeneratorRun, u32) {
    let mut n_runs = 1;
    loop {
        let run = run_generator(setup, system, draws);
        if run.verdict != GeneratorVerdict::Infeasible || n_runs >= max_runs {
            return (run, n_runs);
        }
        n_runs += 1;
    }
}

/// The state of a run.
struct Run<'a> {
    setup: &'a GeneratorSetup<'a>,
    system: &'a mut dyn TestedSystem,
    draws: &'a mut dyn DrawSource,
    /// The variables that have been chosen or observed.
    known: BTreeMap<VarId, SmtValue>,
    /// Values for all variables that agree with those that are known.
    model: BTreeMap<VarId, SmtValue>,
    /// The conditions that the run has not violated.
    conditions: Vec<TermId>,
    /// Compound arguments with the values that were observed.
    equations: Vec<(TermId, SmtValue)>,
    vars: Vec<VarId>,
    trace: Vec<GroundEvent>,
    has_deviated: bool,
}

/// An event to wait for.
struct Awaited<'a> {
    event: usize,
    op: OpId,
    args: &'a [ObservedArg],
    expected_key: Option<&'a [usize]>,
}

impl Run<'_> {
    /// Performs all steps. An early end is an error.
    fn steps(&mut self) -> Result<GeneratorVerdict, GeneratorVerdict> {
        self.model =
            // Values for the whole trace, so that the first choices do not rule out the later
            // ones.
            self.solution(&self.known.clone(), &[]).ok_or(GeneratorVerdict::Infeasible)?;
        let program = self.setup.program;
        for step in &program.steps {
            match step {
                GeneratorStep::Choose { vars, .. } => {
                    for var in vars {
                        if let Some(value) = self.model.get(var) {
                            self.known.insert(*var, value.clone());
                        }
                    }
                }
                GeneratorStep::Perform { op, args, .. } => {
                    let args =
                        args.iter().map(|it| self.value(*it)).collect::<Option<Vec<_>>>();
                    let args = args.ok_or(GeneratorVerdict::Infeasible)?;
                    let performed = self.system.perform(*op, &args);
                    self.trace.push(GroundEvent { op: *op, args, is_initial: false });
                    performed.map_err(crash)?;
                }
                GeneratorStep::Await { event, op, args, expected_key, .. } => {
                    let expected_key = expected_key.as_deref();
                    self.observe(&Awaited { event: *event, op: *op, args, expected_key })?;
                }
            }
        }
        let goal = self.setup.goal;
        Ok(match (program.kind, self.has_deviated) {
            (GoalKind::Violation, false) => GeneratorVerdict::Bug(BugReason::Violation),
            (GoalKind::Violation, true) => {
                let functions = self.setup.domains.functions;
                // The run went another way than the trace, and may have reached the violation
                // all the same.
                if reaches(self.setup.spec, goal, &self.trace, functions) {
                    GeneratorVerdict::Bug(BugReason::Violation)
                } else {
                    GeneratorVerdict::Deviated
                }
            }
            (GoalKind::Scenario, false) => GeneratorVerdict::Passed,
            (GoalKind::Scenario, true) => GeneratorVerdict::Deviated,
        })
    }

    fn value(&self, term: TermId) -> Option<SmtValue> {
        value_under(self.setup.terms, term, &self.model, self.setup.domains.functions)
    }

    /// Values for all variables that agree with what is known.
    fn solution(
        &mut self,
        known: &BTreeMap<VarId, SmtValue>,
        more: &[(TermId, SmtValue)],
    ) -> Option<BTreeMap<VarId, SmtValue>> {
        let mut equations = self.equations.clone();
        equations.extend_from_slice(more);
        let request = SampleRequest {
            terms: self.setup.terms,
            vars: &self.vars,
            known,
            conditions: &self.conditions,
            equations: &equations,
        };
        sample(&request, self.setup.domains, self.draws)
    }

    /// Lets the system go on with an event of an operation that fits what is known.
    fn observe(&mut self, awaited: &Awaited<'_>) -> Result<(), GeneratorVerdict> {
        let pending = self.system.pending();
        let mut positions: Vec<usize> =
            (0..pending.len()).filter(|it| pending[*it].0 == awaited.op).collect();
        // Which of several pending events happens next is the freedom of the scheduler, so it
        // is drawn (Fisher and Yates).
        for last in (1..positions.len()).rev() {
            let other = self.draws.below(last + 1);
            positions.swap(last, other);
        }
        // An event that fits the trace is preferred to one that does not: a deviation says
        // nothing about the system as long as the trace can go on.
        for position in &positions {
            let observed = &pending[*position].1;
            let (known, equations) = self.with_observed(awaited, observed);
            if let Some(model) = self.solution(&known, &equations) {
                self.known = known;
                self.equations.extend(equations);
                self.model = model;
                return self.deliver(awaited, *position, observed.clone());
            }
        }
        let Some(first) = positions.first().copied() else {
            return Err(GeneratorVerdict::Infeasible);
        };
        // Nothing pending fits. Only the answer to this very request counts against the
        // system; any other event may be one that the trace does not foresee. After a
        // deviation, the expected values are no longer reliable.
        if let Some(key) = awaited.expected_key
            && !self.has_deviated
        {
            let answers = |it: &&usize| self.answers_request(awaited, key, &pending[**it].1);
            if let Some(answer) = positions.iter().find(answers).copied() {
                self.deliver(awaited, answer, pending[answer].1.clone())?;
                let event = awaited.event;
                return Err(GeneratorVerdict::Bug(BugReason::WrongAnswer { event }));
            }
        }
        self.deviate(awaited, &pending[first].1);
        self.deliver(awaited, first, pending[first].1.clone())
    }

    /// What is known after an observation.
    fn with_observed(
        &self,
        awaited: &Awaited<'_>,
        observed: &[SmtValue],
    ) -> (BTreeMap<VarId, SmtValue>, Vec<(TermId, SmtValue)>) {
        let mut known = self.known.clone();
        let mut equations = Vec::new();
        for (arg, value) in awaited.args.iter().zip(observed) {
            match arg {
                ObservedArg::Bind(var) => {
                    known.insert(*var, value.clone());
                }
                ObservedArg::Match(term) => equations.push((*term, value.clone())),
            }
        }
        (known, equations)
    }

    /// Whether an answer belongs to the request of the awaited event.
    fn answers_request(
        &self,
        awaited: &Awaited<'_>,
        key: &[usize],
        answer: &[SmtValue],
    ) -> bool {
        key.iter().all(|field| {
            let expected = match awaited.args[*field] {
                ObservedArg::Bind(var) => self.model.get(&var).cloned(),
                ObservedArg::Match(term) => self.value(term),
            };
            expected.as_ref() == Some(&answer[*field])
        })
    }

    /// Goes on with an event that contradicts the trace: the conditions that it violates are
    /// dropped.
    fn deviate(&mut self, awaited: &Awaited<'_>, observed: &[SmtValue]) {
        self.has_deviated = true;
        let (known, _) = self.with_observed(awaited, observed);
        let setup = self.setup;
        self.conditions.retain(|it| {
            let value = value_under(setup.terms, *it, &known, setup.domains.functions);
            value != Some(SmtValue::Bool(false))
        });
        self.known = known;
        match self.solution(&self.known.clone(), &[]) {
            Some(model) => self.model = model,
            None => {
                // Better a value that some condition forbids than none.
                let observed = self.known.iter().map(|it| (*it.0, it.1.clone()));
                self.model.extend(observed);
            }
        }
    }

    fn deliver(
        &mut self,
        awaited: &Awaited<'_>,
        position: usize,
        args: Vec<SmtValue>,
    ) -> Result<(), GeneratorVerdict> {
        self.trace.push(GroundEvent { op: awaited.op, args, is_initial: false });
        self.system.deliver(position).map_err(crash)
    }
}

fn crash(crash: SystemCrash) -> GeneratorVerdict {
    GeneratorVerdict::Bug(BugReason::Crash(crash))
}
