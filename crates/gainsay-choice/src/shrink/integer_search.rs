//! Adaptive search for how often a step can be repeated, in few attempts.

use super::{AttemptResult, TerminationReason};

/// Finds a number `k` such that `works(k)` and not `works(k + 1)`, in about `2 log k` attempts;
/// `works(0)` is taken for granted. Small numbers are tried one by one because they are the usual
/// answers; larger ones by doubling and then bisecting (exponential search: Bentley and Yao, "An
/// almost optimal algorithm for unbounded searching", 1976). If `works` is not monotone, the
/// result is one of the boundaries.
pub(crate) fn find_integer(
    mut works: impl FnMut(usize) -> AttemptResult,
) -> Result<usize, TerminationReason> {
    for k in 1..5 {
        if !works(k)? {
            return Ok(k - 1);
        }
    }
    // Invariant from here on: `low` works. After the first loop, `high` does not.
    let mut low = 4;
    let mut high = 5;
    while works(high)? {
        low = high;
        let Some(double) = high.checked_mul(2) else { return Ok(low) };
        high = double;
    }
    while low + 1 < high {
        let middle = low + (high - low) / 2;
        if works(middle)? {
            low = middle;
        } else {
            high = middle;
        }
    }
    Ok(low)
}

#[cfg(test)]
mod tests {
    use super::find_integer;

    #[test]
    fn the_border_is_found_in_few_attempts() {
        for border in (0..200).chain([1000, 123_456]) {
            let mut n_attempts = 0;
            let found = find_integer(|k| {
                n_attempts += 1;
                Ok(k <= border)
            });
            assert_eq!(found, Ok(border));
            assert!(n_attempts <= 6 + 2 * (border + 1).ilog2());
        }
    }
}
