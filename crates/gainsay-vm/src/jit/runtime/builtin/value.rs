//! Builtins on values of every type.

use std::cmp::Ordering;

use super::Meaning::{ByValue, Whole};
use super::{Return, Rows, Tools, mistyped};
use crate::fault::FaultKind;
use crate::jit::runtime::order::compare;
use crate::jit::word::Word;
use crate::order::Floats;

pub(super) const ROWS: Rows = &[
    ("value.eq", Whole(|tools, args| is(tools, args, |it| it == Some(Ordering::Equal)))),
    ("value.ne", Whole(|tools, args| is(tools, args, |it| it != Some(Ordering::Equal)))),
    ("value.lt", Whole(|tools, args| is(tools, args, |it| it == Some(Ordering::Less)))),
    ("value.le", Whole(|tools, args| is(tools, args, |it| it.is_some_and(Ordering::is_le)))),
    ("value.gt", Whole(|tools, args| is(tools, args, |it| it == Some(Ordering::Greater)))),
    ("value.ge", Whole(|tools, args| is(tools, args, |it| it.is_some_and(Ordering::is_ge)))),
    ("value.same", Whole(same)),
    ("value.order", Whole(order)),
    ("value.show", ByValue),
    ("value.fail", ByValue),
    ("bool.not", Whole(not)),
];

fn is(
    tools: &mut Tools<'_>,
    args: &[Word],
    answer: impl FnOnce(Option<Ordering>) -> bool,
) -> Return {
    compared(tools, args, Floats::Ieee).map(|ordering| Word::from(answer(ordering)))
}

fn compared(
    tools: &mut Tools<'_>,
    args: &[Word],
    floats: Floats,
) -> Result<Option<Ordering>, Box<FaultKind>> {
    let [a, b] = args else { return mistyped() };
    // One visit is less than a step.
    if let (Some(a), Some(b)) = (a.as_small(), b.as_small()) {
        return Ok(Some(a.cmp(&b)));
    }
    tools.comparing(|_, left| Ok(compare(*a, *b, floats, left)?))
}

fn same(tools: &mut Tools<'_>, args: &[Word]) -> Return {
    let ordering = compared(tools, args, Floats::Total)?;
    Ok(Word::from(ordering == Some(Ordering::Equal)))
}

fn order(tools: &mut Tools<'_>, args: &[Word]) -> Return {
    let ordering = compared(tools, args, Floats::Total)?;
    Ok(tools.heap.int(ordering.map_or(0, |it| it as i64))?)
}

fn not(_: &mut Tools<'_>, args: &[Word]) -> Return {
    match args {
        [Word::TRUE] => Ok(Word::FALSE),
        [Word::FALSE] => Ok(Word::TRUE),
        _ => mistyped(),
    }
}
