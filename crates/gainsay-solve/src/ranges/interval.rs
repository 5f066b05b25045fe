//! Intervals of integers, with bounds that are large enough to be none.

use crate::code::{Arithmetic, ResultRange};

/// Bounds at and beyond these are no bounds.
pub(crate) const INFINITY: i64 = 1 << 62;

/// Whether an integer is small enough to be reasoned about.
pub(crate) fn is_finite(int: i64) -> bool {
    -INFINITY < int && int < INFINITY
}

/// The sum of two bounds; an infinite one stays infinite.
pub(crate) fn add(a: i64, b: i64) -> i64 {
    if a <= -INFINITY || b <= -INFINITY {
        return -INFINITY;
    }
    if a >= INFINITY || b >= INFINITY {
        return INFINITY;
    }
    (a + b).clamp(-INFINITY, INFINITY)
}

/// The integers between bounds.
pub(super) fn int(lo: i64, hi: i64) -> ResultRange {
    if lo <= -INFINITY && hi >= INFINITY { ResultRange::Any } else { ResultRange::Int(lo, hi) }
}

/// The result of an operator on intervals.
pub(super) fn arithmetic(
    operator: Arithmetic,
    a: &ResultRange,
    b: &ResultRange,
) -> ResultRange {
    if *a == ResultRange::Never || *b == ResultRange::Never {
        return ResultRange::Never;
    }
    let bounds = |it: &ResultRange| match it {
        ResultRange::Int(lo, hi) => (*lo, *hi),
        ResultRange::Any | ResultRange::Never => (-INFINITY, INFINITY),
        ResultRange::Tuple(_) | ResultRange::Data(_) | ResultRange::NonEmpty => {
            (-INFINITY, INFINITY)
        }
    };
    let ((a_lo, a_hi), (b_lo, b_hi)) = (bounds(a), bounds(b));
    match operator {
        Arithmetic::Add => int(add(a_lo, b_lo), add(a_hi, b_hi)),
        Arithmetic::Sub => int(add(a_lo, -b_hi), add(a_hi, -b_lo)),
        Arithmetic::Rem if b_lo == b_hi && b_lo != 0 && b_lo > -INFINITY => {
            let most = b_lo.abs() - 1;
            int(if a_lo >= 0 { 0 } else { -most }, most)
        }
        Arithmetic::Mul if a_lo >= 0 && b_lo >= 0 => int(0, INFINITY),
        Arithmetic::Div if a_lo >= 0 && b_lo > 0 => int(0, a_hi),
        Arithmetic::Mul | Arithmetic::Div | Arithmetic::Rem => ResultRange::Any,
    }
}
