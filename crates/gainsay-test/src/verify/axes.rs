//! The axes of a `verify` block: what varies from case to case, and every combination of it.

use gainsay_core::{FunctionId, GivenSource, OpId, VerifyBlock, WorldId};
use gainsay_gen::ProfileRule;
use gainsay_source::Diagnostic;
use gainsay_vm::{FaultKind, Value};

use super::world_host::WorldHost;
use crate::claim_runner::ClaimRunner;

/// Something that varies.
pub(super) struct Axis {
    /// Its name among the factors of a block with too many cases.
    pub(super) name: String,
    pub(super) choices: AxisChoices,
    /// How many of its choices are declared in the block. Those after them are hostile.
    pub(super) n_declared: usize,
}

/// The choices of an axis.
pub(super) enum AxisChoices {
    /// A given value: the declared ones, then the hostile ones.
    Values(Vec<Value>),
    /// The stub of an operation: the declared ones, then the hostile profiles.
    Stubs(OpId, Vec<StubChoice>),
    /// The stubs of a declared world: nothing varies.
    World(Vec<(OpId, Value)>),
    /// The stub of an operation without a `given`: 0 is the declared one, then come the profiles.
    Profiles(OpId, Vec<StubChoice>),
    /// The evaluation order of the branches of `par`: 0 is the source order.
    Orders(Vec<Vec<u32>>),
}

/// A stub of an operation.
#[derive(Debug, Clone)]
pub(super) struct StubChoice {
    /// The function.
    pub(super) value: Value,
    /// Its hostile profile; `None` for a declared stub.
    pub(super) profile: Option<StubProfile>,
}

/// A hostile profile.
#[derive(Debug, Clone)]
pub(super) struct StubProfile {
    /// Its name, such as `frozen`.
    pub(super) name: String,
    /// The rule by which it answers.
    pub(super) rule: ProfileRule,
    /// What the function captures.
    pub(super) captures: Vec<Value>,
}

impl Axis {
    /// The number of choices.
    pub(super) fn len(&self) -> usize {
        match &self.choices {
            AxisChoices::Values(values) => values.len(),
            AxisChoices::Stubs(_, stubs) => stubs.len(),
            AxisChoices::World(_) => 1,
            AxisChoices::Profiles(_, profiles) => profiles.len() + 1,
            AxisChoices::Orders(orders) => orders.len() + 1,
        }
    }

    /// Whether a choice is hostile.
    pub(super) fn is_hostile(&self, choice: usize) -> bool {
        choice >= self.n_declared
    }
}

/// All axes. Those of the givens come first, in declaration order.
pub(super) struct Axes(pub(super) Vec<Axis>);

/// The choice of a case on each axis.
pub(super) type Combination = Box<[usize]>;

/// The choices of each axis that are combined.
pub(super) type AxisRanges = Vec<std::ops::Range<usize>>;

/// Whether a range includes its end.
#[derive(Copy, Clone)]
enum RangeEnd {
    Inclusive,
    Exclusive,
}

/// Why the cases cannot be enumerated.
pub enum EnumerationError {
    /// There would be too many; these are the factors.
    TooMany(Vec<(String, u64)>),
    /// A given cannot be evaluated.
    Fault(Box<Diagnostic>),
    /// The user interrupted it.
    Interrupted,
}

impl Axes {
    /// The axes that a block declares.
    pub(super) fn declared(
        attacker: &mut ClaimRunner<'_>,
        verify: &VerifyBlock,
        most: u64,
    ) -> Result<Self, EnumerationError> {
        let mut axes = Vec::new();
        for given in &verify.givens {
            let name = given.name.to_string();
            let (name, what) = match &given.source {
                GivenSource::Values(list) => {
                    (name, AxisChoices::Values(attacker.evaluate_list(*list)?))
                }
                GivenSource::Range { from, to, inclusive } => {
                    let end =
                        if *inclusive { RangeEnd::Inclusive } else { RangeEnd::Exclusive };
                    let values = attacker.evaluate_range(&name, *from, *to, end, most)?;
                    (name, AxisChoices::Values(values))
                }
                GivenSource::Stubs(op, list) => {
                    let stubs = attacker.evaluate_list(*list)?.into_iter();
                    let stubs = stubs.map(|value| StubChoice { value, profile: None });
                    (name, AxisChoices::Stubs(*op, stubs.collect()))
                }
                GivenSource::World(world) => {
                    let name = attacker.engines.program().world(*world).name.to_string();
                    (name, AxisChoices::World(attacker.world_stubs(*world)?))
                }
            };
            let mut axis = Axis { name, choices: what, n_declared: 0 };
            // Hostile choices are added behind these later.
            axis.n_declared = axis.len();
            axes.push(axis);
        }
        let axes = Self(axes);
        // Every assertion runs on every combination, so lines multiply the cases, too.
        let lines = (verify.assertions.len() > 1)
            .then(|| ("lines".to_owned(), verify.assertions.len() as u64));
        axes.check_size(&axes.declared_ranges(), lines, most)?;
        Ok(axes)
    }

    /// The declared choices.
    pub(super) fn declared_ranges(&self) -> AxisRanges {
        self.0.iter().map(|axis| 0..axis.n_declared).collect()
    }

    /// All choices.
    pub(super) fn all_ranges(&self) -> AxisRanges {
        self.0.iter().map(|axis| 0..axis.len()).collect()
    }

    /// Checks that there are few enough combinations.
    fn check_size(
        &self,
        bounds: &AxisRanges,
        more: Option<(String, u64)>,
        most: u64,
    ) -> Result<(), EnumerationError> {
        let factors: Vec<(String, u64)> =
            self.factors(bounds).into_iter().chain(more).collect();
        // Saturating: a product that overflows is too large as well.
        let n_cases = factors.iter().fold(1_u64, |all, (_, n)| all.saturating_mul(*n));
        if n_cases > most {
            return Err(EnumerationError::TooMany(factors));
        }
        Ok(())
    }

    /// The factors of the number of cases, with their names; those that are 1 are left out.
    fn factors(&self, bounds: &AxisRanges) -> Vec<(String, u64)> {
        let sizes = self.0.iter().zip(bounds);
        let factors = sizes.map(|(axis, bounds)| (axis.name.clone(), bounds.len() as u64));
        factors.filter(|(_, n)| *n != 1).collect()
    }

    /// Whether a case is hostile.
    pub(super) fn is_hostile(&self, choice: &[usize]) -> bool {
        self.0.iter().zip(choice).any(|(axis, choice)| axis.is_hostile(*choice))
    }
}

/// The number of combinations.
pub(super) fn n_combinations(bounds: &AxisRanges) -> u64 {
    bounds.iter().fold(1, |all, it| all.saturating_mul(it.len() as u64))
}

/// The first combination, if there is one.
pub(super) fn first_combination(bounds: &AxisRanges) -> Option<Combination> {
    let is_empty = bounds.iter().any(std::ops::Range::is_empty);
    (!is_empty).then(|| bounds.iter().map(|it| it.start).collect())
}

/// Advances to the next combination, the last axis varying fastest. Returns whether there is one.
pub(super) fn next_combination(bounds: &AxisRanges, choice: &mut Combination) -> bool {
    for (at, bounds) in bounds.iter().enumerate().rev() {
        choice[at] += 1;
        if choice[at] < bounds.end {
            return true;
        }
        // A carry, as in counting: this axis starts over, and the one before it moves on.
        choice[at] = bounds.start;
    }
    false
}

impl ClaimRunner<'_> {
    /// The result of a function without parameters.
    fn evaluate_constant(&mut self, function: FunctionId) -> Result<Value, EnumerationError> {
        let mut host = WorldHost::new(self.engines.program());
        let outcome = self.record.worker.call(function, &[], &mut host);
        outcome.result.map_err(|fault| {
            if fault.kind == FaultKind::Interrupted {
                return EnumerationError::Interrupted;
            }
            EnumerationError::Fault(Box::new(fault.to_diagnostic(self.engines.program())))
        })
    }

    fn evaluate_list(&mut self, function: FunctionId) -> Result<Vec<Value>, EnumerationError> {
        let list = self.evaluate_constant(function)?;
        Ok(list.as_list().map_or_else(Vec::new, |list| list.iter().cloned().collect()))
    }

    fn evaluate_range(
        &mut self,
        name: &str,
        from: FunctionId,
        to: FunctionId,
        end: RangeEnd,
        most: u64,
    ) -> Result<Vec<Value>, EnumerationError> {
        let (from, to) =
            (self.evaluate_constant(from)?.as_big(), self.evaluate_constant(to)?.as_big());
        let (Some(from), Some(to)) = (from, to) else { return Ok(Vec::new()) };
        let end = match end {
            RangeEnd::Inclusive => to + 1,
            RangeEnd::Exclusive => to,
        };
        // An end before the start makes an empty range, not an error.
        let len = (&end - &from).max(0.into());
        // Compared before the values are built, or a large range would exhaust the memory first.
        let len = u64::try_from(len).unwrap_or(u64::MAX);
        if len > most {
            return Err(EnumerationError::TooMany(vec![(name.to_owned(), len)]));
        }
        Ok((0..len).map(|at| Value::int(&from + at)).collect())
    }

    /// The stubs of a declared world.
    fn world_stubs(&mut self, world: WorldId) -> Result<Vec<(OpId, Value)>, EnumerationError> {
        let program = self.engines.program();
        let answers = program.world(world).stubs.iter();
        answers.map(|(op, stub)| Ok((*op, self.evaluate_constant(*stub)?))).collect()
    }
}
