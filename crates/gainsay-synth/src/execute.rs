//! Runs a generator against a system: the generator performs operations, and decides which pending
//! event of the system happens next.
//!
//! A run is a machine with two ends: [`WalkState::next`] says what happens next, given what the
//! system has pending. So a system need not be a value that the run can call.

use std::collections::BTreeMap;

use gainsay_smt::{SmtValue, TermId, Terms, VarId};

use crate::derive::{GeneratorProgram, GeneratorStep, ObservedArg};
use crate::sample::{DrawSource, SampleRequest, ValueDomains, sample, value_under};
use crate::spec::{Goal, GoalKind, OpId, OpKind, Spec};
use crate::synthesis::{SymbolicTrace, TraceEvent};
use crate::validate::{GroundEvent, reaches, validate};

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
    /// The run could not be continued. Nothing was tested.
    Infeasible(InfeasibleReason),
}

/// Why a run could not be continued.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum InfeasibleReason {
    /// No values were found that satisfy the conditions.
    NoValues,
    /// An event of this operation was awaited, and never became pending.
    NeverPending(OpId),
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
    let mut walk = WalkState::new(setup);
    let verdict = loop {
        let pending = system.pending();
        let done = match walk.next(setup, &pending, None, draws) {
            WalkAction::Perform { op, args } => system.perform(op, &args),
            WalkAction::Deliver { position } => system.deliver(position),
            WalkAction::End(verdict) => break verdict,
        };
        if let Err(crash) = done {
            break GeneratorVerdict::Bug(BugReason::Crash(crash));
        }
    };
    GeneratorRun { verdict, trace: walk.trace }
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
        if !matches!(run.verdict, GeneratorVerdict::Infeasible(_)) || n_runs >= max_runs {
            return (run, n_runs);
        }
        n_runs += 1;
    }
}

/// No values satisfy the conditions.
const NO_VALUES: GeneratorVerdict = GeneratorVerdict::Infeasible(InfeasibleReason::NoValues);

/// What happens next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WalkAction {
    /// The generator performs an operation.
    Perform {
        /// The operation.
        op: OpId,
        /// The arguments.
        args: Vec<SmtValue>,
    },
    /// The pending event at a position happens.
    Deliver {
        /// The position.
        position: usize,
    },
    /// Nothing: the run is over.
    End(GeneratorVerdict),
}

/// The state of a run.
#[derive(Clone, Debug)]
pub struct WalkState {
    /// The variables that have been chosen or observed.
    known: BTreeMap<VarId, SmtValue>,
    /// Values for all variables that agree with those that are known, once the run has begun.
    model: Option<BTreeMap<VarId, SmtValue>>,
    /// The conditions that the run has not violated.
    conditions: Vec<TermId>,
    /// Compound arguments with the values that were observed.
    equations: Vec<(TermId, SmtValue)>,
    vars: Vec<VarId>,
    /// The events that have happened.
    pub trace: Vec<GroundEvent>,
    /// The next step of the program.
    at: usize,
    /// What an answer that was let through is to be judged as.
    ends_with: Option<GeneratorVerdict>,
    has_deviated: bool,
    /// The number of events that happened although the trace does not foresee them.
    unforeseen: usize,
}

/// The most events of a run that its trace does not foresee: a system that always has another one
/// must not keep the run from ending.
const MAX_UNFORESEEN: usize = 40;

/// An event to wait for.
struct Awaited<'a> {
    event: usize,
    op: OpId,
    args: &'a [ObservedArg],
    expected_key: Option<&'a [usize]>,
}

/// What is known after an event: values of variables, and of compound arguments.
type Observed = (BTreeMap<VarId, SmtValue>, Vec<(TermId, SmtValue)>);

impl WalkState {
    /// A run that has not begun.
    pub fn new(setup: &GeneratorSetup<'_>) -> Self {
        Self {
            known: BTreeMap::new(),
            model: None,
            conditions: setup.trace.conditions.clone(),
            equations: Vec::new(),
            vars: setup.trace.vars(setup.terms),
            trace: Vec::new(),
            at: 0,
            ends_with: None,
            has_deviated: false,
            unforeseen: 0,
        }
    }

    /// What happens next. A given event happens if the generator can let it happen here; otherwise
    /// the run is infeasible.
    pub fn next(
        &mut self,
        setup: &GeneratorSetup<'_>,
        pending: &[(OpId, Vec<SmtValue>)],
        given: Option<&GroundEvent>,
        draws: &mut dyn DrawSource,
    ) -> WalkAction {
        if let Some(verdict) = self.ends_with.take() {
            return WalkAction::End(verdict);
        }
        let mut runner = Runner { setup, pending, given, draws };
        self.step(&mut runner).unwrap_or_else(WalkAction::End)
    }

    /// The next action; an early end is an error.
    fn step(&mut self, runner: &mut Runner<'_>) -> Result<WalkAction, GeneratorVerdict> {
        if self.model.is_none() {
            self.begin(runner)?;
        }
        let program = runner.setup.program;
        while let Some(step) = program.steps.get(self.at) {
            self.at += 1;
            match step {
                GeneratorStep::Choose { vars, .. } => {
                    for var in vars.iter().filter(|_| runner.given.is_none()) {
                        if let Some(value) = self.value_of(*var) {
                            self.known.insert(*var, value);
                        }
                    }
                }
                GeneratorStep::Perform { op, args, .. } => {
                    let args = self.performed(runner, *op, args)?;
                    let event = GroundEvent { op: *op, args: args.clone(), is_initial: false };
                    self.trace.push(event);
                    return Ok(WalkAction::Perform { op: *op, args });
                }
                GeneratorStep::Await { event, op, args, expected_key, .. } => {
                    let expected_key = expected_key.as_deref();
                    let awaited = Awaited { event: *event, op: *op, args, expected_key };
                    if let Some(position) = self.observe(runner, &awaited)? {
                        return Ok(WalkAction::Deliver { position });
                    }
                }
            }
        }
        Err(self.verdict_at_end(runner.setup))
    }

    /// Solves the conditions of the whole trace, and records what has happened before it.
    fn begin(&mut self, runner: &mut Runner<'_>) -> Result<(), GeneratorVerdict> {
        let model = self.solution(runner, &BTreeMap::new(), &[]);
        self.model = Some(model.ok_or(NO_VALUES)?);
        for event in runner.setup.trace.events.iter().filter(|it| it.is_initial) {
            let args = event.args.iter().map(|it| self.value(runner.setup, *it));
            let Some(args) = args.collect::<Option<Vec<_>>>() else { continue };
            self.trace.push(GroundEvent { op: event.op, args, is_initial: true });
        }
        Ok(())
    }

    /// The arguments of an operation that the generator performs.
    fn performed(
        &mut self,
        runner: &mut Runner<'_>,
        op: OpId,
        args: &[TermId],
    ) -> Result<Vec<SmtValue>, GeneratorVerdict> {
        let Some(given) = runner.given else {
            let args = args.iter().map(|it| self.value(runner.setup, *it));
            return args.collect::<Option<Vec<_>>>().ok_or(NO_VALUES);
        };
        if given.op != op || given.args.len() != args.len() {
            return Err(NO_VALUES);
        }
        let equations: Vec<(TermId, SmtValue)> =
            args.iter().copied().zip(given.args.iter().cloned()).collect();
        let known = self.known.clone();
        match self.solution(runner, &known, &equations) {
            Some(model) => {
                self.model = Some(model);
                self.equations.extend(equations);
            }
            // The conditions need not fit each other any more.
            None if self.has_deviated => {}
            None => return Err(NO_VALUES),
        }
        Ok(given.args.clone())
    }

    fn verdict_at_end(&self, setup: &GeneratorSetup<'_>) -> GeneratorVerdict {
        match (setup.program.kind, self.has_deviated) {
            (GoalKind::Violation, false) => GeneratorVerdict::Bug(BugReason::Violation),
            (GoalKind::Violation, true) => {
                let functions = setup.domains.functions;
                if reaches(setup.spec, setup.goal, &self.trace, functions) {
                    GeneratorVerdict::Bug(BugReason::Violation)
                } else {
                    GeneratorVerdict::Deviated
                }
            }
            (GoalKind::Scenario, false) => GeneratorVerdict::Passed,
            (GoalKind::Scenario, true) => GeneratorVerdict::Deviated,
        }
    }

    fn value_of(&self, var: VarId) -> Option<SmtValue> {
        self.model.as_ref().and_then(|it| it.get(&var)).cloned()
    }

    fn value(&self, setup: &GeneratorSetup<'_>, term: TermId) -> Option<SmtValue> {
        let model = self.model.as_ref()?;
        value_under(setup.terms, term, model, setup.domains.functions)
    }

    /// Values for all variables that agree with what is known.
    fn solution(
        &self,
        runner: &mut Runner<'_>,
        known: &BTreeMap<VarId, SmtValue>,
        more: &[(TermId, SmtValue)],
    ) -> Option<BTreeMap<VarId, SmtValue>> {
        let mut equations = self.equations.clone();
        equations.extend_from_slice(more);
        let request = SampleRequest {
            terms: runner.setup.terms,
            vars: &self.vars,
            known,
            conditions: &self.conditions,
            equations: &equations,
        };
        sample(&request, runner.setup.domains, runner.draws)
    }

    /// The values at hand, if they agree with what has been observed.
    fn foreseen(
        &self,
        setup: &GeneratorSetup<'_>,
        known: &BTreeMap<VarId, SmtValue>,
        more: &[(TermId, SmtValue)],
    ) -> Option<BTreeMap<VarId, SmtValue>> {
        let model = self.model.as_ref().filter(|_| !self.has_deviated)?;
        let agrees = known.iter().all(|(var, value)| model.get(var) == Some(value))
            && more
                .iter()
                .all(|(term, value)| self.value(setup, *term).as_ref() == Some(value));
        agrees.then(|| model.clone())
    }

    /// The position of a pending event of an operation that fits what is known. `None` if the run
    /// goes on without one, because it has left the trace before.
    fn observe(
        &mut self,
        runner: &mut Runner<'_>,
        awaited: &Awaited<'_>,
    ) -> Result<Option<usize>, GeneratorVerdict> {
        let positions = runner.positions(awaited.op);
        for position in &positions {
            let (known, equations) = self.with_observed(awaited, runner.args(*position));
            let foreseen = self.foreseen(runner.setup, &known, &equations);
            let model = foreseen.or_else(|| self.solution(runner, &known, &equations));
            if let Some(model) = model {
                self.known = known;
                self.equations.extend(equations);
                self.model = Some(model);
                return Ok(Some(self.deliver(runner, awaited, *position)));
            }
        }
        let Some(first) = positions.first().copied() else {
            return self.let_another_happen(runner, awaited.op);
        };
        if let Some(key) = awaited.expected_key
            && !self.has_deviated
        {
            let answers =
                |it: &&usize| self.answers_request(runner, awaited, key, runner.args(**it));
            if let Some(answer) = positions.iter().find(answers).copied() {
                let position = self.deliver(runner, awaited, answer);
                self.ends_with = Some(self.judge_answer(runner.setup, awaited.event));
                return Ok(Some(position));
            }
        }
        self.deviate(runner, awaited, first);
        Ok(Some(self.deliver(runner, awaited, first)))
    }

    /// Lets an event happen that the trace does not foresee, because the awaited one is not pending:
    /// the system has an order of its own. The step of the program is tried again afterwards, and
    /// left out if nothing is pending any more. What such a run shows is decided by its own trace,
    /// as after any deviation.
    fn let_another_happen(
        &mut self,
        runner: &mut Runner<'_>,
        awaited: OpId,
    ) -> Result<Option<usize>, GeneratorVerdict> {
        let never_pending =
            GeneratorVerdict::Infeasible(InfeasibleReason::NeverPending(awaited));
        if runner.pending.is_empty() || self.unforeseen >= MAX_UNFORESEEN {
            // A system that has answered before prevents a violation by not going on.
            let is_prevented = runner.setup.program.kind == GoalKind::Violation
                && self.has_observed(runner.setup.spec);
            self.has_deviated |= is_prevented;
            return if self.has_deviated { Ok(None) } else { Err(never_pending) };
        }
        let position = match runner.given {
            None => runner.draws.below(runner.pending.len()),
            Some(given) => {
                let is_given =
                    |it: &(OpId, Vec<SmtValue>)| it.0 == given.op && it.1 == given.args;
                match runner.pending.iter().position(is_given) {
                    Some(position) => position,
                    None if self.has_deviated => return Ok(None),
                    None => return Err(never_pending),
                }
            }
        };
        self.has_deviated = true;
        self.unforeseen += 1;
        self.at -= 1;
        let (op, args) = runner.pending[position].clone();
        self.trace.push(GroundEvent { op, args, is_initial: false });
        Ok(Some(position))
    }

    /// Whether the system has done anything by itself.
    fn has_observed(&self, spec: &Spec) -> bool {
        let is_observed =
            |it: &GroundEvent| !it.is_initial && spec.operation(it.op).kind == OpKind::Obs;
        self.trace.iter().any(is_observed)
    }

    /// An answer that differs from the expected one is right if the trace with it follows the
    /// specification and reaches the goal, too: the specification allows several.
    fn judge_answer(&self, setup: &GeneratorSetup<'_>, event: usize) -> GeneratorVerdict {
        let functions = setup.domains.functions;
        let is_right = validate(setup.spec, Some(setup.goal), &self.trace, functions).is_ok();
        if is_right {
            GeneratorVerdict::Passed
        } else {
            GeneratorVerdict::Bug(BugReason::WrongAnswer { event })
        }
    }

    /// What is known after an observation.
    fn with_observed(&self, awaited: &Awaited<'_>, observed: &[SmtValue]) -> Observed {
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

    /// Whether an answer belongs to the request of the awaited event: no other request is open, or
    /// the answer has its key.
    fn answers_request(
        &self,
        runner: &Runner<'_>,
        awaited: &Awaited<'_>,
        key: &[usize],
        answer: &[SmtValue],
    ) -> bool {
        let events = &runner.setup.trace.events;
        let is_open = |it: &TraceEvent| {
            it.op == awaited.op && it.cause.is_some_and(|cause| cause < awaited.event)
        };
        if !events.iter().skip(awaited.event + 1).any(is_open) {
            return true;
        }
        !key.is_empty()
            && key.iter().all(|field| {
                let expected = self.expected(runner.setup, awaited.args[*field]);
                expected.as_ref() == Some(&answer[*field])
            })
    }

    fn expected(&self, setup: &GeneratorSetup<'_>, arg: ObservedArg) -> Option<SmtValue> {
        match arg {
            ObservedArg::Bind(var) => self.value_of(var),
            ObservedArg::Match(term) => self.value(setup, term),
        }
    }

    /// The arguments that an awaited event of the trace was expected to have.
    pub fn expected_args(
        &self,
        setup: &GeneratorSetup<'_>,
        event: usize,
    ) -> Vec<Option<SmtValue>> {
        let awaited = setup.program.steps.iter().find_map(|it| match it {
            GeneratorStep::Await { event: at, args, .. } if *at == event => Some(args),
            GeneratorStep::Await { .. }
            | GeneratorStep::Choose { .. }
            | GeneratorStep::Perform { .. } => None,
        });
        let args = awaited.map_or(&[][..], Vec::as_slice);
        args.iter().map(|it| self.expected(setup, *it)).collect()
    }

    /// Goes on with an event that contradicts the trace: the conditions that it violates are
    /// dropped.
    fn deviate(&mut self, runner: &mut Runner<'_>, awaited: &Awaited<'_>, position: usize) {
        self.has_deviated = true;
        let setup = runner.setup;
        let (known, _) = self.with_observed(awaited, runner.args(position));
        self.conditions.retain(|it| {
            let value = value_under(setup.terms, *it, &known, setup.domains.functions);
            value != Some(SmtValue::Bool(false))
        });
        self.known = known;
        match self.solution(runner, &self.known, &[]) {
            Some(model) => self.model = Some(model),
            None => {
                // Better a value that some condition forbids than none.
                let observed = self.known.iter().map(|it| (*it.0, it.1.clone()));
                self.model.get_or_insert_default().extend(observed);
            }
        }
    }

    fn deliver(
        &mut self,
        runner: &Runner<'_>,
        awaited: &Awaited<'_>,
        position: usize,
    ) -> usize {
        let args = runner.args(position).to_vec();
        self.trace.push(GroundEvent { op: awaited.op, args, is_initial: false });
        position
    }
}

/// What one step needs.
struct Runner<'a> {
    setup: &'a GeneratorSetup<'a>,
    pending: &'a [(OpId, Vec<SmtValue>)],
    given: Option<&'a GroundEvent>,
    draws: &'a mut dyn DrawSource,
}

impl<'a> Runner<'a> {
    /// The positions of the pending events of an operation, in the order in which they are tried.
    /// If the given event is of that operation and pending, only that one is; if the system answers
    /// otherwise by now, any is.
    fn positions(&mut self, op: OpId) -> Vec<usize> {
        if self.given.is_some_and(|it| it.op != op) {
            return Vec::new();
        }
        let is_given =
            |it: &usize| self.given.is_some_and(|given| given.args == self.args(*it));
        let all = (0..self.pending.len()).filter(|it| self.pending[*it].0 == op);
        let mut positions: Vec<usize> = all.collect();
        if let Some(given) = positions.iter().copied().find(is_given) {
            positions = vec![given];
        }
        if positions.len() > 1 {
            let first = self.draws.below(positions.len());
            positions.rotate_left(first);
        }
        positions
    }

    fn args(&self, position: usize) -> &'a [SmtValue] {
        &self.pending[position].1
    }
}
