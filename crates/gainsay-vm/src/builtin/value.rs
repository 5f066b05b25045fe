//! Builtins that work on values of every type.

use std::cmp::Ordering;

use super::{BuiltinContext, BuiltinResult, BuiltinRows, text_of};
use crate::comparison::{FloatOrder, compare};
use crate::fault::FaultKind;
use crate::limits::WORK_PER_SHOWN_BYTE;
use crate::show::show_within;
use crate::value::Value;

pub(super) const ROWS: BuiltinRows = &[
    ("value.eq", |ctx, args| is(ctx, args, |it| it == Some(Ordering::Equal))),
    ("value.ne", |ctx, args| is(ctx, args, |it| it != Some(Ordering::Equal))),
    ("value.lt", |ctx, args| is(ctx, args, |it| it == Some(Ordering::Less))),
    ("value.le", |ctx, args| is(ctx, args, |it| it.is_some_and(Ordering::is_le))),
    ("value.gt", |ctx, args| is(ctx, args, |it| it == Some(Ordering::Greater))),
    ("value.ge", |ctx, args| is(ctx, args, |it| it.is_some_and(Ordering::is_ge))),
    ("value.same", same),
    ("value.order", order),
    ("value.show", show),
    ("value.fail", fail),
    ("bool.not", not),
];

fn is(
    ctx: &mut BuiltinContext<'_, '_>,
    args: &[Value],
    answer: impl FnOnce(Option<Ordering>) -> bool,
) -> BuiltinResult {
    compared(ctx, args, FloatOrder::Ieee).map(|ordering| Value::Bool(answer(ordering)))
}

fn compared(
    ctx: &mut BuiltinContext<'_, '_>,
    args: &[Value],
    floats: FloatOrder,
) -> Result<Option<Ordering>, Box<FaultKind>> {
    let [a, b] = args else { return super::mistyped() };
    ctx.charge_comparisons(|left| compare(a, b, floats, left))
}

fn same(ctx: &mut BuiltinContext<'_, '_>, args: &[Value]) -> BuiltinResult {
    let ordering = compared(ctx, args, FloatOrder::Total)?;
    Ok(Value::Bool(ordering == Some(Ordering::Equal)))
}

fn order(ctx: &mut BuiltinContext<'_, '_>, args: &[Value]) -> BuiltinResult {
    let ordering = compared(ctx, args, FloatOrder::Total)?;
    Ok(Value::Int(ordering.map_or(0, |it| it as i64)))
}

fn show(ctx: &mut BuiltinContext<'_, '_>, args: &[Value]) -> BuiltinResult {
    let [value] = args else { return super::mistyped() };
    // The longest text that the remaining words and steps allow.
    let words = ctx.meter.limits.words.saturating_sub(ctx.meter.words);
    // A word holds eight bytes of text.
    let bytes = words.saturating_mul(8).min(ctx.meter.limits.live_bytes);
    let max_len = bytes.min(ctx.meter.work_left() / WORK_PER_SHOWN_BYTE);
    match show_within(ctx.program, value, usize::try_from(max_len).unwrap_or(usize::MAX)) {
        Some(text) => {
            ctx.charge_work((text.len() as u64).saturating_mul(WORK_PER_SHOWN_BYTE))?;
            ctx.text(text)
        }
        // If the steps cut the text off, this charge exceeds them, and that is the fault.
        None => {
            ctx.charge_work(max_len.saturating_add(1).saturating_mul(WORK_PER_SHOWN_BYTE))?;
            Err(Box::new(FaultKind::MemoryLimit))
        }
    }
}

fn fail(_: &mut BuiltinContext<'_, '_>, args: &[Value]) -> BuiltinResult {
    let [message] = args else { return super::mistyped() };
    let message = text_of(message)?.as_str().to_owned();
    Err(Box::new(FaultKind::Fail { message }))
}

fn not(_: &mut BuiltinContext<'_, '_>, args: &[Value]) -> BuiltinResult {
    match args {
        [Value::Bool(bool)] => Ok(Value::Bool(!bool)),
        _ => super::mistyped(),
    }
}
