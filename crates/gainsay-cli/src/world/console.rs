//! `Console`: the standard streams.

use std::io;

use gainsay::vm::Value;

use super::{Arguments, Operation, Refused, World, text};
use crate::output;

pub(super) const OPERATIONS: &[Operation] = &[
    Operation { name: "Console.read_line", run: read_line },
    Operation { name: "Console.print", run: print },
    Operation { name: "Console.error", run: talk },
    Operation { name: "Console.warn", run: talk },
];

fn read_line(world: &mut World, _: Arguments<'_>) -> Result<Value, Refused> {
    // A question must be on the screen before its answer is waited for.
    output::flush()?;
    match text::read_line(&mut io::stdin().lock(), world.longest_text) {
        Ok(line) => Ok(world.answers.option(line.map(Value::str))),
        Err(reason) => Err(Refused::Failed(format!("cannot read a line: {reason}"))),
    }
}

fn print(_: &mut World, args: Arguments<'_>) -> Result<Value, Refused> {
    output::write_line(args.text(0)?)?;
    Ok(Value::UNIT)
}

fn talk(_: &mut World, args: Arguments<'_>) -> Result<Value, Refused> {
    output::talk(&format!("{}\n", args.text(0)?));
    Ok(Value::UNIT)
}
