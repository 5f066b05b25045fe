//! `Env`: the environment variables.

use std::env;

use gainsay::vm::Value;

use super::{Arguments, Operation, Refused, World};

pub(super) const OPERATIONS: &[Operation] =
    &[Operation { name: "Env.get", run: get }, Operation { name: "Env.set", run: set }];

/// A variable that the process has but that is not UTF-8 counts as not set.
fn get(world: &mut World, args: Arguments<'_>) -> Result<Value, Refused> {
    let key = args.text(0)?;
    let value = world.env.get(key).cloned().or_else(|| env::var(key).ok());
    Ok(world.answers.option(value.map(Value::str)))
}

fn set(world: &mut World, args: Arguments<'_>) -> Result<Value, Refused> {
    world.env.insert(args.text(0)?.to_owned(), args.text(1)?.to_owned());
    Ok(Value::UNIT)
}
