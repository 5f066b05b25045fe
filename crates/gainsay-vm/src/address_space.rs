//! How much address space the process may take.
//!
//! Stacks, arenas and the memory for code are reserved in one piece and filled as they are needed.
//! That costs nothing, except where the address space itself is limited (`ulimit -v`): there, each
//! takes a small share, so that enough is left for the others and for all other memory.

use std::sync::LazyLock;

/// What one piece may take of a limited address space.
const SHARE_DIVISOR: u64 = 48;

/// The limit in bytes, if there is one.
static LIMIT: LazyLock<Option<u64>> = LazyLock::new(|| {
    let limits = std::fs::read_to_string("/proc/self/limits").ok()?;
    parse_limit(&limits)
});

/// How much to reserve in one piece where so much is wanted.
pub(crate) fn reservation_size(wanted: u64) -> u64 {
    LIMIT.map_or(wanted, |limit| wanted.min(limit / SHARE_DIVISOR))
}

/// How much memory a run of the interpreter may hold at once where so much is allowed.
pub(crate) fn memory_limit(allowed: u64) -> u64 {
    LIMIT.map_or(allowed, |limit| allowed.min(limit / 4))
}

/// The soft limit in the table that Linux shows of the limits of a process.
fn parse_limit(table: &str) -> Option<u64> {
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
