//! `Args`: the command-line arguments of the program.

use gainsay::vm::Value;

use super::{OperationArguments, OperationError, OperationHandler, RealWorld};

pub(super) const OPERATIONS: &[OperationHandler] =
    &[OperationHandler { name: "Args.get", run: get }];

fn get(world: &mut RealWorld, _: OperationArguments<'_>) -> Result<Value, OperationError> {
    let args: Vec<Value> = world.args.iter().map(|it| Value::str(it.as_str())).collect();
    Ok(Value::list(args))
}
