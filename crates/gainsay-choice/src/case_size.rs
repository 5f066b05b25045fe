//! How the size of cases grows over a run.

/// The size of large cases; sizes range from 0 to this.
pub const MAX_SIZE: u32 = 100;

/// The size of a case: grows from 0 over the first half of a run, but over no more than 500 cases,
/// and is mixed from then on.
#[inline]
pub fn case_size(case: u64, n_cases: u64) -> u32 {
    let ramp = (n_cases / 2).clamp(1, 500);
    if case < ramp {
        return (case * u64::from(MAX_SIZE) / ramp) as u32;
    }
    // 37 and 101 are coprime, so 101 consecutive cases visit every size once. Small sizes are
    // raised to 10: the ramp has covered them.
    let mixed = (case % 101 * 37 % 101) as u32;
    mixed.max(10)
}

#[cfg(test)]
mod tests {
    use super::{MAX_SIZE, case_size};

    #[test]
    fn cases_begin_tiny_and_become_large() {
        assert_eq!(case_size(0, 1000), 0);
        assert!(case_size(499, 1000) > 90);
        assert!((0..5000).map(|it| case_size(it, 5000)).all(|it| it <= MAX_SIZE));
        assert!((0..5000).any(|it| case_size(it, 5000) == MAX_SIZE));
        assert_eq!(case_size(0, 0), 0);
    }
}
