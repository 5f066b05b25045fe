//! `Console`: the standard streams.

use std::io;

use gainsay::vm::Value;

use super::{OperationArguments, OperationError, OperationHandler, RealWorld, text};
use crate::output;

pub(super) const OPERATIONS: &[OperationHandler] = &[
    OperationHandler { name: "Console.read_line", run: read_line },
    OperationHandler { name: "Console.print", run: print },
    OperationHandler { name: "Console.error", run: print_error },
    OperationHandler { name: "Console.warn", run: print_error },
];

fn read_line(
    world: &mut RealWorld,
    _: OperationArguments<'_>,
) -> Result<Value, OperationError> {
    // A prompt must be visible before its answer is read.
    output::flush()?;
    match text::read_line(&mut io::stdin().lock(), world.max_text_bytes) {
        Ok(line) => Ok(world.answers.option(line.map(Value::str))),
        Err(reason) => Err(OperationError::Failed(format!("cannot read a line: {reason}"))),
    }
}

fn print(_: &mut RealWorld, args: OperationArguments<'_>) -> Result<Value, OperationError> {
    output::write_line(args.text(0)?)?;
    Ok(Value::UNIT)
}

fn print_error(
    _: &mut RealWorld,
    args: OperationArguments<'_>,
) -> Result<Value, OperationError> {
    output::write_stderr(&format!("{}\n", args.text(0)?));
    Ok(Value::UNIT)
}
