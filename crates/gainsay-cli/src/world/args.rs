//! `Args`: what the program was started with.

use gainsay::vm::Value;

use super::{Arguments, Operation, Refused, World};

pub(super) const OPERATIONS: &[Operation] = &[Operation { name: "Args.get", run: get }];

fn get(world: &mut World, _: Arguments<'_>) -> Result<Value, Refused> {
    let args: Vec<Value> = world.args.iter().map(|it| Value::str(it.as_str())).collect();
    Ok(Value::list(args))
}
