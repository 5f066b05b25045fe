//! Range analysis of small integers.
//!
//! The result of an operation on integers in known ranges is again in a range. If all of that is
//! small, compiled code omits the overflow check.

use gainsay_core::BuiltinId;
use gainsay_core::builtin::{INT_ADD, INT_DIV, INT_MUL, INT_NEG, INT_SUB};

/// The least and greatest value that a small integer may have.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) struct SmallIntRange {
    least: i64,
    greatest: i64,
}

/// The result of an operation.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) struct RangeResult {
    /// Its range, if it is small.
    pub(super) range: SmallIntRange,
    /// Whether it is always small.
    pub(super) is_small: bool,
}

/// Bounds that may exceed the small range.
type WideBounds = (i128, i128);

impl SmallIntRange {
    /// All small integers.
    pub(super) const SMALL: Self = Self { least: -(1 << 62), greatest: (1 << 62) - 1 };

    pub(super) fn exactly(n: i64) -> Self {
        Self { least: n, greatest: n }
    }

    /// The number, if there is only one.
    pub(super) fn literal(self) -> Option<i64> {
        (self.least == self.greatest).then_some(self.least)
    }

    pub(super) fn contains(self, n: i64) -> bool {
        self.least <= n && n <= self.greatest
    }

    pub(super) fn bounds(self) -> WideBounds {
        (i128::from(self.least), i128::from(self.greatest))
    }

    /// Intersects the range with bounds. If the intersection is empty, the code in question is
    /// never executed, and the range stays unchanged.
    pub(super) fn clamp_to(self, (least, greatest): WideBounds) -> Self {
        let own = self.bounds();
        let (least, greatest) = (own.0.max(least), own.1.min(greatest));
        // Contradictory facts mean dead code, for which any range is right.
        if least > greatest {
            return self;
        }
        Self { least: least as i64, greatest: greatest as i64 }
    }

    /// The range of an operation on two ranges, if the operation has a result; negation ignores the
    /// second range.
    pub(super) fn result_of(builtin: BuiltinId, a: Self, b: Self) -> RangeResult {
        let ((a0, a1), (b0, b1)) = (a.bounds(), b.bounds());
        let (least, greatest) = match builtin {
            // In `i128`, no operation on two 63-bit bounds can overflow.
            INT_NEG => (-a1, -a0),
            INT_ADD => (a0 + b0, a1 + b1),
            INT_SUB => (a0 - b1, a1 - b0),
            // The extremes of a product, and of a quotient, are at the corners of the operand
            // ranges.
            INT_MUL => corners([a0 * b0, a0 * b1, a1 * b0, a1 * b1]),
            // Quotients by zero do not exist; of all other divisors, 1 and -1 are the extremes.
            INT_DIV if b.contains(0) => corners([a0, a1, -a0, -a1]),
            INT_DIV => corners([a0 / b0, a0 / b1, a1 / b0, a1 / b1]),
            // A remainder has the sign of the dividend, is no larger in magnitude than the
            // dividend, and is smaller than the divisor.
            _ => {
                // At least 0: the divisor range may be just zero, which has no remainder.
                let below = (b0.abs().max(b1.abs()) - 1).max(0);
                (a0.max(-below).min(0), a1.min(below).max(0))
            }
        };
        let small = Self::SMALL.bounds();
        let is_small = small.0 <= least && greatest <= small.1;
        RangeResult { range: Self::SMALL.clamp_to((least, greatest)), is_small }
    }
}

fn corners(of: [i128; 4]) -> WideBounds {
    of.into_iter()
        .fold((of[0], of[0]), |(least, greatest), it| (least.min(it), greatest.max(it)))
}

#[cfg(test)]
mod tests {
    use gainsay_core::BuiltinId;
    use gainsay_core::builtin::{INT_ADD, INT_DIV, INT_MUL, INT_NEG, INT_REM, INT_SUB};

    use super::{RangeResult, SmallIntRange};

    const LEAST: i64 = -(1 << 62);
    const GREATEST: i64 = (1 << 62) - 1;

    fn range(least: i64, greatest: i64) -> SmallIntRange {
        SmallIntRange { least, greatest }
    }

    fn is_small(builtin: BuiltinId, a: SmallIntRange, b: SmallIntRange) -> bool {
        SmallIntRange::result_of(builtin, a, b).is_small
    }

    #[test]
    fn one_more_than_the_greatest_is_not_small() {
        let one = SmallIntRange::exactly(1);
        assert!(is_small(INT_ADD, range(LEAST, GREATEST - 1), one));
        assert!(!is_small(INT_ADD, range(LEAST, GREATEST), one));
        assert!(is_small(INT_SUB, range(LEAST + 1, GREATEST), one));
        assert!(!is_small(INT_SUB, range(LEAST, GREATEST), one));
        assert!(is_small(INT_NEG, range(LEAST + 1, GREATEST), one));
        assert!(!is_small(INT_NEG, SmallIntRange::SMALL, one));
        assert!(!is_small(INT_MUL, SmallIntRange::SMALL, SmallIntRange::exactly(-1)));
        assert!(!is_small(INT_DIV, SmallIntRange::SMALL, SmallIntRange::exactly(-1)));
        assert!(is_small(INT_DIV, SmallIntRange::SMALL, SmallIntRange::exactly(-2)));
        assert!(is_small(INT_REM, SmallIntRange::SMALL, SmallIntRange::SMALL));
    }

    #[test]
    fn what_is_never_small_has_some_range() {
        let sum = SmallIntRange::result_of(
            INT_ADD,
            SmallIntRange::exactly(GREATEST),
            SmallIntRange::exactly(1),
        );
        assert_eq!(sum, RangeResult { range: SmallIntRange::SMALL, is_small: false });
        assert_eq!(range(0, 3).clamp_to((5, 9)), range(0, 3));
    }

    /// Every result of numbers in the operand ranges lies in the result range.
    #[test]
    fn ranges_hold_all_results() {
        let ends: [i64; 9] = [-7, -3, -2, -1, 0, 1, 2, 3, 8];
        let ranges =
            || ends.iter().flat_map(|a| ends.map(|b| (*a, b))).filter(|it| it.0 <= it.1);
        for (a, b) in ranges().flat_map(|a| ranges().map(move |b| (a, b))) {
            for x in a.0..=a.1 {
                for y in b.0..=b.1 {
                    let quotient = x.checked_div(y).map(|it| (INT_DIV, it));
                    let rest = x.checked_rem(y).map(|it| (INT_REM, it));
                    let others =
                        [(INT_ADD, x + y), (INT_SUB, x - y), (INT_MUL, x * y), (INT_NEG, -x)];
                    for (builtin, result) in others.into_iter().chain(quotient).chain(rest) {
                        let all =
                            SmallIntRange::result_of(builtin, range(a.0, a.1), range(b.0, b.1));
                        assert!(all.range.contains(result), "{builtin:?} {x} {y}");
                    }
                }
            }
        }
    }
}
