//! Builtins that work on values of every type.

use std::cmp::Ordering;

use super::WordBuiltin::{ByValue, Complete};
use super::{WordBuiltinContext, WordBuiltinResult, WordBuiltinRows, mistyped};
use crate::comparison::FloatOrder;
use crate::fault::FaultKind;
use crate::jit::runtime::comparison::compare;
use crate::jit::word::Word;

pub(super) const ROWS: WordBuiltinRows = &[
    ("value.eq", Complete(|tools, args| is(tools, args, |it| it == Some(Ordering::Equal)))),
    ("value.ne", Complete(|tools, args| is(tools, args, |it| it != Some(Ordering::Equal)))),
    ("value.lt", Complete(|tools, args| is(tools, args, |it| it == Some(Ordering::Less)))),
    ("value.le", Complete(|tools, args| is(tools, args, |it| it.is_some_and(Ordering::is_le)))),
    ("value.gt", Complete(|tools, args| is(tools, args, |it| it == Some(Ordering::Greater)))),
    ("value.ge", Complete(|tools, args| is(tools, args, |it| it.is_some_and(Ordering::is_ge)))),
    ("value.same", Complete(same)),
    ("value.order", Complete(order)),
    ("value.show", ByValue),
    ("value.fail", ByValue),
    ("bool.not", Complete(not)),
];

fn is(
    tools: &mut WordBuiltinContext<'_>,
    args: &[Word],
    answer: impl FnOnce(Option<Ordering>) -> bool,
) -> WordBuiltinResult {
    compared(tools, args, FloatOrder::Ieee).map(|ordering| Word::from(answer(ordering)))
}

fn compared(
    tools: &mut WordBuiltinContext<'_>,
    args: &[Word],
    floats: FloatOrder,
) -> Result<Option<Ordering>, Box<FaultKind>> {
    let [a, b] = args else { return mistyped() };
    // One visit costs less than a step, so nothing is charged.
    if let (Some(a), Some(b)) = (a.as_small_int(), b.as_small_int()) {
        return Ok(Some(a.cmp(&b)));
    }
    tools.charge_comparisons(|_, left| Ok(compare(*a, *b, floats, left)?))
}

fn same(tools: &mut WordBuiltinContext<'_>, args: &[Word]) -> WordBuiltinResult {
    let ordering = compared(tools, args, FloatOrder::Total)?;
    Ok(Word::from(ordering == Some(Ordering::Equal)))
}

fn order(tools: &mut WordBuiltinContext<'_>, args: &[Word]) -> WordBuiltinResult {
    let ordering = compared(tools, args, FloatOrder::Total)?;
    Ok(tools.heap.int(ordering.map_or(0, |it| it as i64))?)
}

fn not(_: &mut WordBuiltinContext<'_>, args: &[Word]) -> WordBuiltinResult {
    match args {
        [Word::TRUE] => Ok(Word::FALSE),
        [Word::FALSE] => Ok(Word::TRUE),
        _ => mistyped(),
    }
}
