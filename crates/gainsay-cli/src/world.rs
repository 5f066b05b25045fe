//! The real world: answers the effects of a program that is run.
//!
//! One file per effect, one row per operation. Errors outside are answers (`Err` with the reason),
//! never panics; only invalid requests of the program are refused.

mod answer_values;
mod args;
mod console;
mod disk;
mod env;
mod http;
mod random;
mod tcp;
mod terminal;
mod text;
mod time;

use std::collections::BTreeMap;

use gainsay::core::Program;
use gainsay::vm::{EffectCall, Host, HostAnswer, Refusal, Value};

use self::answer_values::AnswerConstructors;
use self::http::HttpClient;
use self::random::Xoshiro256;
use self::tcp::TcpConnections;

pub(crate) use self::random::seed_from_system;
pub(crate) use self::terminal::{
    dimensions as terminal_dimensions, restore as restore_terminal,
};
pub(crate) use self::time::{Stopwatch, today, unix_seconds};

use crate::cli_error::CliError;
use crate::output::OutputError;

/// The state of all operations.
#[derive(Debug)]
pub(crate) struct RealWorld {
    answers: AnswerConstructors,
    /// The handler of each operation of the program, by id.
    operations: Vec<Option<&'static OperationHandler>>,
    args: Vec<String>,
    /// Environment variables that the program has set. The process's own are not modified.
    env: BTreeMap<String, String>,
    random: Xoshiro256,
    /// Longer texts from outside are refused.
    max_text_bytes: u64,
    connections: TcpConnections,
    client: HttpClient,
    output_error: Option<OutputError>,
}

/// The initial state of a world.
#[derive(Debug)]
pub(crate) struct RealWorldOptions {
    /// The arguments of the program.
    pub(crate) args: Vec<String>,
    /// The seed of the random numbers.
    pub(crate) seed: u64,
    /// Longer texts from outside are refused.
    pub(crate) max_text_bytes: u64,
}

/// A row of the table of operations.
#[derive(Debug)]
struct OperationHandler {
    /// Its full name, as in `Disk.read_text`.
    name: &'static str,
    /// Performs it.
    run: fn(&mut RealWorld, OperationArguments<'_>) -> Result<Value, OperationError>,
}

/// Why an operation has no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
enum OperationError {
    /// The world failed.
    Failed(String),
    /// The program made an invalid request.
    OutOfRange(String),
    /// Stdout no longer accepts output.
    Output(OutputError),
}

impl From<OutputError> for OperationError {
    fn from(it: OutputError) -> Self {
        Self::Output(it)
    }
}

/// All operations, by effect.
const OPERATIONS: &[&[OperationHandler]] = &[
    args::OPERATIONS,
    env::OPERATIONS,
    console::OPERATIONS,
    random::OPERATIONS,
    time::OPERATIONS,
    disk::OPERATIONS,
    http::OPERATIONS,
    tcp::OPERATIONS,
    terminal::OPERATIONS,
];

impl RealWorld {
    /// A world for a program.
    pub(crate) fn new(
        program: &Program,
        beginning: RealWorldOptions,
    ) -> Result<Self, CliError> {
        Ok(Self {
            answers: AnswerConstructors::of(program)?,
            operations: operation_handlers(program),
            args: beginning.args,
            env: BTreeMap::new(),
            random: Xoshiro256::seeded(beginning.seed),
            max_text_bytes: beginning.max_text_bytes,
            connections: TcpConnections::default(),
            client: HttpClient::default(),
            output_error: None,
        })
    }

    /// Why stdout failed, if the program had to be stopped because of it.
    pub(crate) fn output_error(&self) -> Option<&OutputError> {
        self.output_error.as_ref()
    }
}

/// The handler of each operation. The world answers only effects of the standard library: an effect
/// of the same name that the program declares is unrelated.
fn operation_handlers(program: &Program) -> Vec<Option<&'static OperationHandler>> {
    let by_name: BTreeMap<&str, &OperationHandler> =
        OPERATIONS.iter().copied().flatten().map(|row| (row.name, row)).collect();
    let performer = |op: &gainsay::core::Operation| {
        let effect = program.effect(op.effect);
        let name = format!("{}.{}", effect.name, op.name);
        let is_std_effect = program.module(effect.module).is_std;
        if is_std_effect { by_name.get(name.as_str()).copied() } else { None }
    };
    program.ops.iter().map(performer).collect()
}

impl Host for RealWorld {
    fn perform(&mut self, call: &EffectCall<'_>) -> Result<HostAnswer, Refusal> {
        let Some(operation) = self.operations.get(call.op.index()).copied().flatten() else {
            return Err(Refusal::Unanswered);
        };
        (operation.run)(self, OperationArguments(call.args)).map(HostAnswer::Value).map_err(
            |refused| match refused {
                OperationError::Failed(reason) => Refusal::Failed(reason),
                OperationError::OutOfRange(what) => Refusal::OutOfRange(what),
                OperationError::Output(lost) => {
                    // Kept aside, because the program cannot handle it: the command reports it
                    // after the run.
                    self.output_error = Some(lost);
                    Refusal::Interrupted
                }
            },
        )
    }
}

/// The arguments of a call, which have the declared types: the checker made sure of it.
#[derive(Debug, Copy, Clone)]
struct OperationArguments<'a>(&'a [Value]);

impl<'a> OperationArguments<'a> {
    fn value(self, at: usize) -> Result<&'a Value, OperationError> {
        self.0.get(at).ok_or_else(|| type_mismatch("another value"))
    }

    fn text(self, at: usize) -> Result<&'a str, OperationError> {
        self.value(at)?.as_str().ok_or_else(|| type_mismatch("a string"))
    }

    /// An integer, clamped to 64 bits.
    fn clamped(self, at: usize) -> Result<i64, OperationError> {
        let value = self.value(at)?;
        if let Some(int) = value.as_int() {
            return Ok(int);
        }
        let big = value.as_big().ok_or_else(|| type_mismatch("an integer"))?;
        let negative = big.sign() == num_bigint::Sign::Minus;
        // No operation can tell numbers of this size apart: they are coordinates and durations.
        Ok(if negative { i64::MIN } else { i64::MAX })
    }
}

fn type_mismatch(expected: &str) -> OperationError {
    OperationError::Failed(format!("the operation expected {expected} as an argument"))
}

#[cfg(test)]
mod tests {
    use super::OPERATIONS;

    /// `Effect.operation` of every operation declared in the standard library's `effects`.
    fn declared() -> Vec<String> {
        let mut effect = "";
        let mut names = Vec::new();
        for line in include_str!("../../../std/effects.say").lines() {
            if let Some(rest) = line.strip_prefix("effect ") {
                effect = rest.trim_end_matches(" {");
            } else if line.starts_with("  @") {
                let head = line.split('(').next().unwrap_or_default();
                let name = head.split_whitespace().next_back().unwrap_or_default();
                names.push(format!("{effect}.{name}"));
            }
        }
        names.sort();
        names
    }

    #[test]
    fn exactly_the_declared_operations_are_performed() {
        let rows = OPERATIONS.iter().copied().flatten();
        let mut performed: Vec<String> = rows.map(|row| row.name.to_owned()).collect();
        performed.sort();
        assert_eq!(performed, declared());
        assert!(performed.len() > 40);
    }
}
