//! One case: the calls it consists of, and how they end.

use gainsay_core::{FunctionId, OpId, Program, TryKind, Verify};
use gainsay_vm::{Fault, FaultKind, ParOrder, Value, Worker, same};

use super::domain::{Axes, Choice, Stub, Varied};
use super::world_host::WorldHost;
use crate::heard::Heard;

/// How a case ended.
pub(super) enum CaseEnd {
    Passed,
    /// `when` leaves it out.
    Skipped,
    Failed(How),
    /// It took more than it may.
    Declined(How),
    Interrupted,
}

/// What went wrong.
#[derive(Debug, Clone)]
pub(super) enum How {
    /// Both sides, which are not the same.
    Mismatch { actual: Value, expected: Value },
    /// A `?` on the left met an error.
    UnexpectedErr(Value),
    /// A part could not be computed.
    Fault(Part, FaultKind),
}

/// The parts of a case that are computed.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum Part {
    Guard,
    Let(usize),
    Left,
    Right,
}

/// Runs case after case of one block.
pub(super) struct CaseRun<'p> {
    verify: &'p Verify,
    host: WorldHost<'p>,
    /// The choice that the world is set up for.
    choice: Option<Choice>,
    /// The given values, then those of the `let`s so far.
    args: Vec<Value>,
    n_givens: usize,
    /// The `let` that could not be computed.
    broken: Option<(Part, FaultKind)>,
    /// The most steps that a part of a case took.
    pub(super) most_steps: u64,
}

impl<'p> CaseRun<'p> {
    pub(super) fn new(program: &'p Program, verify: &'p Verify) -> Self {
        let host = WorldHost::new(program);
        Self {
            verify,
            host,
            choice: None,
            args: Vec::new(),
            n_givens: 0,
            broken: None,
            most_steps: 0,
        }
    }

    /// Listens to what is told.
    pub(super) fn listen(&mut self, tell: OpId) {
        self.host.heard = Some((tell, Heard::default()));
    }

    /// What was told.
    pub(super) fn heard(self) -> Heard {
        self.host.heard.map(|it| it.1).unwrap_or_default()
    }

    /// The givens that have values, as names and source.
    pub(super) fn inputs(&self, text: &dyn Fn(&Value) -> String) -> Vec<(String, String)> {
        let names = self.verify.givens.iter().map(|it| &*it.name).filter(|it| !it.is_empty());
        let values = names.zip(&self.args[..self.n_givens]);
        let values = values.filter(|it| !matches!(it.1, Value::Closure(..)));
        values.map(|(name, value)| (name.to_owned(), text(value))).collect()
    }

    /// How many things are claimed of each case.
    pub(super) fn n_assertions(&self) -> usize {
        self.verify.assertions.len()
    }

    /// Sets up the givens and the world of a case.
    pub(super) fn begin(&mut self, worker: &mut Worker, axes: &Axes, choice: &[usize]) {
        self.broken = None;
        self.args.clear();
        axes.arguments(choice, &mut self.args);
        self.n_givens = self.args.len();
        let is_same_world = self.choice.as_deref().is_some_and(|before| {
            let worlds = axes.0.iter().zip(before.iter().zip(choice));
            worlds
                .into_iter()
                .all(|(axis, (a, b))| a == b || matches!(axis.what, Varied::Values(_)))
        });
        if !is_same_world {
            worker.answer_with(axes.answers(choice));
            worker.set_par_order(axes.order(choice));
            self.choice = Some(choice.into());
        }
    }

    /// Whether the case counts.
    pub(super) fn guard(&mut self, worker: &mut Worker) -> CaseEnd {
        let Some(when) = self.verify.when else { return CaseEnd::Passed };
        match self.side(worker, when, self.n_givens) {
            Ok(Value::Bool(true)) => CaseEnd::Passed,
            Ok(_) => CaseEnd::Skipped,
            Err(kind) => fault(Part::Guard, kind),
        }
    }

    /// Compares the two sides of an assertion.
    pub(super) fn compare(
        &mut self,
        worker: &mut Worker,
        program: &Program,
        at: usize,
    ) -> CaseEnd {
        let assertion = &self.verify.assertions[at];
        let n_args = program.function(assertion.lhs).params.len();
        while self.args.len() < n_args && self.broken.is_none() {
            let at = self.args.len() - self.n_givens;
            let function = self.verify.lets[at].1;
            match self.side(worker, function, self.args.len()) {
                Ok(value) => self.args.push(value),
                Err(FaultKind::Interrupted) => return CaseEnd::Interrupted,
                Err(kind) => self.broken = Some((Part::Let(at), kind)),
            }
        }
        if let Some((part, kind)) = &self.broken {
            return fault(*part, kind.clone());
        }
        let actual = match self.side(worker, assertion.lhs, n_args) {
            Ok(value) => value,
            Err(kind) => return fault(Part::Left, kind),
        };
        let actual = match assertion.tries {
            None => actual,
            Some(kind) => match unwrapped(program, kind, &actual) {
                Some(value) => value,
                None => return CaseEnd::Failed(How::UnexpectedErr(actual)),
            },
        };
        let expected = match self.side(worker, assertion.rhs, n_args) {
            Ok(value) => value,
            Err(kind) => return fault(Part::Right, kind),
        };
        if same(&actual, &expected) {
            CaseEnd::Passed
        } else {
            CaseEnd::Failed(How::Mismatch { actual, expected })
        }
    }

    /// The fault of a part that was seen to fail.
    pub(super) fn explain(
        &mut self,
        worker: &mut Worker,
        program: &Program,
        assertion: usize,
        part: Part,
    ) -> Option<Fault> {
        let assertion = &self.verify.assertions[assertion];
        let n_args = match part {
            Part::Guard => self.n_givens,
            Part::Let(at) => self.n_givens + at,
            Part::Left | Part::Right => program.function(assertion.lhs).params.len(),
        };
        while self.args.len() < n_args {
            let function = self.verify.lets[self.args.len() - self.n_givens].1;
            let value = worker.probe(function, &self.args, &mut self.host).result.ok()?;
            self.args.push(value);
        }
        let function = match part {
            Part::Guard => self.verify.when?,
            Part::Let(at) => self.verify.lets[at].1,
            Part::Left => assertion.lhs,
            Part::Right => assertion.rhs,
        };
        worker.call(function, &self.args[..n_args], &mut self.host).result.err()
    }

    fn side(
        &mut self,
        worker: &mut Worker,
        function: FunctionId,
        n_args: usize,
    ) -> Result<Value, FaultKind> {
        let probe = worker.probe(function, &self.args[..n_args], &mut self.host);
        self.most_steps = self.most_steps.max(probe.steps);
        probe.result
    }
}

/// Leaves the world of a case.
pub(super) fn leave_world(worker: &mut Worker) {
    worker.answer_with(Vec::new());
    worker.set_par_order(None);
}

/// What `?` takes out of a value.
fn unwrapped(program: &Program, kind: TryKind, value: &Value) -> Option<Value> {
    let good = match kind {
        TryKind::Option => program.lang.some,
        TryKind::Result => program.lang.ok,
    };
    if value.as_ctor() == good { value.fields().first().cloned() } else { None }
}

/// A fault, as the end of a case.
fn fault(part: Part, kind: FaultKind) -> CaseEnd {
    if kind == FaultKind::Interrupted {
        CaseEnd::Interrupted
    } else if kind == FaultKind::Discarded {
        CaseEnd::Skipped
    } else if kind.is_limit() || matches!(kind, FaultKind::Unsupported(_)) {
        CaseEnd::Declined(How::Fault(part, kind))
    } else {
        CaseEnd::Failed(How::Fault(part, kind))
    }
}

impl Axes {
    /// The values of the givens that have a name.
    pub(super) fn arguments(&self, choice: &[usize], into: &mut Vec<Value>) {
        for (axis, at) in self.0.iter().zip(choice) {
            match &axis.what {
                Varied::Values(values) => into.push(values[*at].clone()),
                Varied::Stubs(op, stubs) => {
                    let stub = self.profile(*op, choice).unwrap_or(&stubs[*at]);
                    into.push(stub.value.clone());
                }
                Varied::World(_) | Varied::Profiles(..) | Varied::Orders(_) => {}
            }
        }
    }

    /// Who answers what; later ones win, and profiles win over everything that is written.
    pub(super) fn answers(&self, choice: &[usize]) -> Vec<(OpId, Value)> {
        let mut answers = Vec::new();
        let mut profiles = Vec::new();
        for (axis, at) in self.0.iter().zip(choice) {
            match &axis.what {
                Varied::Values(_) | Varied::Orders(_) => {}
                Varied::World(world) => answers.extend(world.iter().cloned()),
                Varied::Stubs(op, stubs) => {
                    let into = if axis.is_hostile(*at) { &mut profiles } else { &mut answers };
                    into.push((*op, stubs[*at].value.clone()));
                }
                Varied::Profiles(op, stubs) => {
                    let stub = at.checked_sub(1).map(|at| &stubs[at]);
                    profiles.extend(stub.map(|it| (*op, it.value.clone())));
                }
            }
        }
        answers.extend(profiles);
        answers
    }

    /// In which order the branches of `par` are evaluated.
    fn order(&self, choice: &[usize]) -> Option<ParOrder> {
        let mut axes = self.0.iter().zip(choice);
        axes.find_map(|(axis, at)| match &axis.what {
            Varied::Orders(orders) => {
                at.checked_sub(1).and_then(|at| ParOrder::new(&orders[at]))
            }
            Varied::Values(_) | Varied::Stubs(..) | Varied::World(_) | Varied::Profiles(..) => {
                None
            }
        })
    }

    /// The profile that answers an operation in a case, if one does.
    pub(super) fn profile(&self, op: OpId, choice: &[usize]) -> Option<&Stub> {
        let mut axes = self.0.iter().zip(choice);
        axes.find_map(|(axis, at)| match &axis.what {
            Varied::Profiles(answered, stubs) if *answered == op => {
                at.checked_sub(1).map(|at| &stubs[at])
            }
            Varied::Stubs(answered, stubs) if *answered == op && axis.is_hostile(*at) => {
                Some(&stubs[*at])
            }
            Varied::Values(_)
            | Varied::Stubs(..)
            | Varied::World(_)
            | Varied::Profiles(..)
            | Varied::Orders(_) => None,
        })
    }
}
