//! Limits on reserved address space.
//!
//! Stacks, arenas and code memory are each reserved as one contiguous range and committed on
//! demand. That is free, except where the address space itself is limited (`ulimit -v`): there,
//! each reservation takes a small share, which leaves enough for the others and for ordinary
//! memory.

use std::sync::LazyLock;

/// The fraction of a limited address space that one reservation may take.
const SHARE_DIVISOR: u64 = 48;

/// The address-space limit in bytes, if one is set.
static LIMIT: LazyLock<Option<u64>> = LazyLock::new(|| {
    // Linux only; elsewhere the file is missing and the address space counts as unlimited.
    let limits = std::fs::read_to_string("/proc/self/limits").ok()?;
    parse_limit(&limits)
});

/// Clamps the size of a reservation to its share of a limited address space.
pub(crate) fn reservation_size(wanted: u64) -> u64 {
    LIMIT.map_or(wanted, |limit| wanted.min(limit / SHARE_DIVISOR))
}

/// Clamps the interpreter's live-memory limit to a quarter of a limited address space.
pub(crate) fn memory_limit(allowed: u64) -> u64 {
    LIMIT.map_or(allowed, |limit| allowed.min(limit / 4))
}

/// Parses the soft limit from the table in `/proc/self/limits`.
fn parse_limit(table: &str) -> Option<u64> {
    // "unlimited" does not parse as a number and so becomes `None`, like a missing row.
    let row = table.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    row.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::parse_limit;

    #[test]
    fn the_limit_is_found_in_the_table() {
        let table = "Limit              Soft Limit  Hard Limit  Units\n\
                     Max cpu time       unlimited   unlimited   seconds\n\
                     Max address space  2048000     unlimited   bytes\n";
        assert_eq!(parse_limit(table), Some(2_048_000));
        assert_eq!(parse_limit(&table.replace("2048000", "unlimited")), None);
        assert_eq!(parse_limit(""), None);
    }
}
