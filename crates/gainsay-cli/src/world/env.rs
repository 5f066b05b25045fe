//! `Env`: the environment variables.

use std::env;

use gainsay::vm::Value;

use super::{OperationArguments, OperationError, OperationHandler, RealWorld};

pub(super) const OPERATIONS: &[OperationHandler] = &[
    OperationHandler { name: "Env.get", run: get },
    OperationHandler { name: "Env.set", run: set },
];

/// A variable of the process that is not UTF-8 counts as unset.
fn get(world: &mut RealWorld, args: OperationArguments<'_>) -> Result<Value, OperationError> {
    let key = args.text(0)?;
    let value = world.env.get(key).cloned().or_else(|| env::var(key).ok());
    Ok(world.answers.option(value.map(Value::str)))
}

fn set(world: &mut RealWorld, args: OperationArguments<'_>) -> Result<Value, OperationError> {
    world.env.insert(args.text(0)?.to_owned(), args.text(1)?.to_owned());
    Ok(Value::UNIT)
}
