//! Runs one case of a `verify` block: the calls it consists of, and its outcome.

use gainsay_core::{FunctionId, OpId, Program, TryKind, VerifyBlock};
use gainsay_vm::{Fault, FaultKind, ParOrder, Value, Worker, same};

use super::axes::{Axes, AxisChoices, Combination, StubChoice};
use super::world_host::WorldHost;
use crate::value_tracer::SharedTracer;

/// How a case ended.
pub enum VerifyOutcome {
    /// It passed.
    Passed,
    /// `when` skips it.
    Skipped,
    /// It failed.
    Failed(VerifyFailure),
    /// It exceeded a limit, or the engine does not support it.
    Declined(VerifyFailure),
    /// The user interrupted it.
    Interrupted,
}

/// Why a case failed.
#[derive(Debug, Clone)]
pub enum VerifyFailure {
    /// Both sides, which differ.
    Mismatch {
        /// The left side.
        actual: Value,
        /// The right side.
        expected: Value,
    },
    /// A `?` on the left met an error.
    UnexpectedErr(Value),
    /// Evaluating a part raised a fault.
    Fault(VerifyPart, FaultKind),
}

/// The parts of a case that are evaluated.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum VerifyPart {
    /// `when`.
    Guard,
    /// The `let` with this number.
    Let(usize),
    /// The expression before `=>`.
    Left,
    /// The expression after `=>`.
    Right,
}

/// Runs the cases of one block, one after the other.
pub(super) struct VerifyCaseRunner<'p> {
    verify: &'p VerifyBlock,
    host: WorldHost<'p>,
    /// The combination that the world is set up for.
    combination: Option<Combination>,
    /// The given values, then those of the `let`s so far.
    args: Vec<Value>,
    n_givens: usize,
    /// The `let` whose evaluation failed.
    let_fault: Option<(VerifyPart, FaultKind)>,
    /// The maximum steps of a part of a case.
    pub(super) max_steps: u64,
}

impl<'p> VerifyCaseRunner<'p> {
    pub(super) fn new(program: &'p Program, verify: &'p VerifyBlock) -> Self {
        let host = WorldHost::new(program);
        Self {
            verify,
            host,
            combination: None,
            args: Vec::new(),
            n_givens: 0,
            let_fault: None,
            max_steps: 0,
        }
    }

    /// Sends the values of traced terms to a tracer.
    pub(super) fn trace_values(&mut self, trace_op: OpId, tracer: SharedTracer) {
        self.host.tracer = Some((trace_op, tracer));
    }

    /// The givens that have values, as names and source text.
    pub(super) fn inputs(&self, text: &dyn Fn(&Value) -> String) -> Vec<(String, String)> {
        let names = self.verify.givens.iter().map(|it| &*it.name).filter(|it| !it.is_empty());
        let values = names.zip(&self.args[..self.n_givens]);
        let values = values.filter(|it| !matches!(it.1, Value::Closure(..)));
        values.map(|(name, value)| (name.to_owned(), text(value))).collect()
    }

    /// The number of assertions per case.
    pub(super) fn n_assertions(&self) -> usize {
        self.verify.assertions.len()
    }

    /// Sets up the givens and the world of a case.
    pub(super) fn begin(&mut self, worker: &mut Worker, axes: &Axes, choice: &[usize]) {
        self.let_fault = None;
        self.args.clear();
        axes.arguments(choice, &mut self.args);
        self.n_givens = self.args.len();
        // Cases that differ only in values share a world: setting up stubs and the order of `par`
        // again would cost time for nothing.
        let is_same_world = self.combination.as_deref().is_some_and(|before| {
            let worlds = axes.0.iter().zip(before.iter().zip(choice));
            worlds
                .into_iter()
                .all(|(axis, (a, b))| a == b || matches!(axis.choices, AxisChoices::Values(_)))
        });
        if !is_same_world {
            worker.set_stubs(axes.stubs(choice));
            worker.set_par_order(axes.par_order(choice));
            self.combination = Some(choice.into());
        }
    }

    /// Whether the case counts.
    pub(super) fn guard(&mut self, worker: &mut Worker) -> VerifyOutcome {
        let Some(when) = self.verify.when else { return VerifyOutcome::Passed };
        match self.evaluate_side(worker, when, self.n_givens) {
            Ok(Value::Bool(true)) => VerifyOutcome::Passed,
            Ok(_) => VerifyOutcome::Skipped,
            Err(kind) => fault_outcome(VerifyPart::Guard, kind),
        }
    }

    /// Compares the two sides of an assertion.
    pub(super) fn compare(
        &mut self,
        worker: &mut Worker,
        program: &Program,
        at: usize,
    ) -> VerifyOutcome {
        let assertion = &self.verify.assertions[at];
        let n_args = program.function(assertion.lhs).params.len();
        // `let`s are evaluated once, as far as this assertion needs them, and shared by the next
        // ones.
        while self.args.len() < n_args && self.let_fault.is_none() {
            let at = self.args.len() - self.n_givens;
            let function = self.verify.lets[at].1;
            match self.evaluate_side(worker, function, self.args.len()) {
                Ok(value) => self.args.push(value),
                Err(FaultKind::Interrupted) => return VerifyOutcome::Interrupted,
                // Kept, because the other assertions of the case need the same `let`.
                Err(kind) => self.let_fault = Some((VerifyPart::Let(at), kind)),
            }
        }
        if let Some((part, kind)) = &self.let_fault {
            return fault_outcome(*part, kind.clone());
        }
        let actual = match self.evaluate_side(worker, assertion.lhs, n_args) {
            Ok(value) => value,
            Err(kind) => return fault_outcome(VerifyPart::Left, kind),
        };
        let actual = match assertion.lhs_try {
            None => actual,
            Some(kind) => match unwrap_try(program, kind, &actual) {
                Some(value) => value,
                None => return VerifyOutcome::Failed(VerifyFailure::UnexpectedErr(actual)),
            },
        };
        let expected = match self.evaluate_side(worker, assertion.rhs, n_args) {
            Ok(value) => value,
            Err(kind) => return fault_outcome(VerifyPart::Right, kind),
        };
        // `same` and not `==`, so that NaN equals NaN: a case states its exact result.
        if same(&actual, &expected) {
            VerifyOutcome::Passed
        } else {
            VerifyOutcome::Failed(VerifyFailure::Mismatch { actual, expected })
        }
    }

    /// Reruns a part that failed, for its fault.
    pub(super) fn rerun_for_fault(
        &mut self,
        worker: &mut Worker,
        program: &Program,
        assertion: usize,
        part: VerifyPart,
    ) -> Option<Fault> {
        let assertion = &self.verify.assertions[assertion];
        let n_args = match part {
            VerifyPart::Guard => self.n_givens,
            VerifyPart::Let(at) => self.n_givens + at,
            VerifyPart::Left | VerifyPart::Right => {
                program.function(assertion.lhs).params.len()
            }
        };
        while self.args.len() < n_args {
            let function = self.verify.lets[self.args.len() - self.n_givens].1;
            let value = worker.probe(function, &self.args, &mut self.host).result.ok()?;
            self.args.push(value);
        }
        let function = match part {
            VerifyPart::Guard => self.verify.when?,
            VerifyPart::Let(at) => self.verify.lets[at].1,
            VerifyPart::Left => assertion.lhs,
            VerifyPart::Right => assertion.rhs,
        };
        worker.call(function, &self.args[..n_args], &mut self.host).result.err()
    }

    fn evaluate_side(
        &mut self,
        worker: &mut Worker,
        function: FunctionId,
        n_args: usize,
    ) -> Result<Value, FaultKind> {
        let probe = worker.probe(function, &self.args[..n_args], &mut self.host);
        self.max_steps = self.max_steps.max(probe.steps);
        probe.result
    }
}

/// Removes the world of a case from the worker.
pub(super) fn leave_world(worker: &mut Worker) {
    // Workers are reused: the next claim must not run in the world of this case.
    worker.set_stubs(Vec::new());
    worker.set_par_order(None);
}

/// What `?` takes out of a value.
fn unwrap_try(program: &Program, kind: TryKind, value: &Value) -> Option<Value> {
    let good = match kind {
        TryKind::Option => program.lang.some,
        TryKind::Result => program.lang.ok,
    };
    if value.as_ctor() == good { value.fields().first().cloned() } else { None }
}

/// The outcome of a case with a fault.
fn fault_outcome(part: VerifyPart, kind: FaultKind) -> VerifyOutcome {
    if kind == FaultKind::Interrupted {
        VerifyOutcome::Interrupted
    } else if kind == FaultKind::Discarded {
        VerifyOutcome::Skipped
    } else if kind.is_limit() || matches!(kind, FaultKind::Unsupported(_)) {
        VerifyOutcome::Declined(VerifyFailure::Fault(part, kind))
    } else {
        VerifyOutcome::Failed(VerifyFailure::Fault(part, kind))
    }
}

impl Axes {
    /// The arguments for the named givens.
    pub(super) fn arguments(&self, choice: &[usize], into: &mut Vec<Value>) {
        for (axis, at) in self.0.iter().zip(choice) {
            match &axis.choices {
                AxisChoices::Values(values) => into.push(values[*at].clone()),
                AxisChoices::Stubs(op, stubs) => {
                    let stub = self.profile(*op, choice).unwrap_or(&stubs[*at]);
                    into.push(stub.value.clone());
                }
                AxisChoices::World(_) | AxisChoices::Profiles(..) | AxisChoices::Orders(_) => {}
            }
        }
    }

    /// The stubs of a case. Later ones win, and hostile profiles override every declared stub.
    pub(super) fn stubs(&self, choice: &[usize]) -> Vec<(OpId, Value)> {
        let mut answers = Vec::new();
        // Apart, and appended last: a profile must win even if a world after it stubs the same
        // operation.
        let mut profiles = Vec::new();
        for (axis, at) in self.0.iter().zip(choice) {
            match &axis.choices {
                AxisChoices::Values(_) | AxisChoices::Orders(_) => {}
                AxisChoices::World(world) => answers.extend(world.iter().cloned()),
                AxisChoices::Stubs(op, stubs) => {
                    let into = if axis.is_hostile(*at) { &mut profiles } else { &mut answers };
                    into.push((*op, stubs[*at].value.clone()));
                }
                AxisChoices::Profiles(op, stubs) => {
                    let stub = at.checked_sub(1).map(|at| &stubs[at]);
                    profiles.extend(stub.map(|it| (*op, it.value.clone())));
                }
            }
        }
        answers.extend(profiles);
        answers
    }

    /// The evaluation order of the branches of `par`.
    fn par_order(&self, choice: &[usize]) -> Option<ParOrder> {
        let mut axes = self.0.iter().zip(choice);
        axes.find_map(|(axis, at)| match &axis.choices {
            AxisChoices::Orders(orders) => {
                at.checked_sub(1).and_then(|at| ParOrder::new(&orders[at]))
            }
            AxisChoices::Values(_)
            | AxisChoices::Stubs(..)
            | AxisChoices::World(_)
            | AxisChoices::Profiles(..) => None,
        })
    }

    /// The hostile profile that stubs an operation in a case, if there is one.
    pub(super) fn profile(&self, op: OpId, choice: &[usize]) -> Option<&StubChoice> {
        let mut axes = self.0.iter().zip(choice);
        axes.find_map(|(axis, at)| match &axis.choices {
            AxisChoices::Profiles(answered, stubs) if *answered == op => {
                at.checked_sub(1).map(|at| &stubs[at])
            }
            AxisChoices::Stubs(answered, stubs) if *answered == op && axis.is_hostile(*at) => {
                Some(&stubs[*at])
            }
            AxisChoices::Values(_)
            | AxisChoices::Stubs(..)
            | AxisChoices::World(_)
            | AxisChoices::Profiles(..)
            | AxisChoices::Orders(_) => None,
        })
    }
}
