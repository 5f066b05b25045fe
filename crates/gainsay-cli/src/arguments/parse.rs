//! Numbers as people write them: seeds, counts, sizes, durations, shares.

use std::time::Duration;

/// A seed: decimal, or hexadecimal after `0x`.
pub(crate) fn seed(text: &str) -> Result<u64, String> {
    let plain = text.replace('_', "");
    let parsed = match plain.strip_prefix("0x").or_else(|| plain.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => plain.parse(),
    };
    parsed
        .map_err(|_| "expected a number below 2^64, decimal or hexadecimal after 0x".to_owned())
}

/// A number from 1.
pub(crate) fn count(text: &str) -> Result<u64, String> {
    match text.replace('_', "").parse() {
        Ok(0) | Err(_) => Err("expected a number from 1 to 2^64 - 1".to_owned()),
        Ok(number) => Ok(number),
    }
}

/// A number from 0.
pub(crate) fn amount(text: &str) -> Result<u64, String> {
    let number = text.replace('_', "").parse();
    number.map_err(|_| "expected a number from 0 to 2^64 - 1".to_owned())
}

/// Bytes from `4096`, `512K`, `512M`, `2G`, `2GiB`. The units are powers of 1024.
pub(crate) fn size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|it: char| it.is_ascii_alphabetic());
    let unit = text[digits.len()..].to_ascii_lowercase();
    let shift = match unit.as_str() {
        "" | "b" => 0,
        "k" | "kb" | "kib" => 10,
        "m" | "mb" | "mib" => 20,
        "g" | "gb" | "gib" => 30,
        "t" | "tb" | "tib" => 40,
        _ => return Err(format!("unknown unit `{unit}`; use K, M, G or T")),
    };
    count(digits)?.checked_mul(1 << shift).ok_or_else(|| "the size is too large".to_owned())
}

/// A duration from `500ms`, `30s`, `1.5m`, `2h`.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || "expected a duration with a unit, as in 500ms, 30s, 5m or 1h".to_owned();
    let digits = text.trim_end_matches(|it: char| it.is_ascii_alphabetic());
    let seconds = match &text[digits.len()..] {
        "ms" => 0.001,
        "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(wrong()),
    };
    let number: f64 = digits.trim_end().replace('_', "").parse().map_err(|_| wrong())?;
    if number <= 0.0 {
        return Err(wrong());
    }
    Duration::try_from_secs_f64(number * seconds).map_err(|_| wrong())
}

/// One of equal shares of a list of claims.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) struct PartitionSlice {
    index: u64,
    count: u64,
}

impl PartitionSlice {
    /// Whether the claim at a place, from 0, belongs to this share.
    pub(crate) fn contains(self, at: usize) -> bool {
        at as u64 % self.count == self.index - 1
    }
}

impl std::fmt::Display for PartitionSlice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "slice:{}/{}", self.index, self.count)
    }
}

/// A share from `slice:2/4`: every fourth claim, from the second on.
pub(crate) fn partition(text: &str) -> Result<PartitionSlice, String> {
    let parts = text.strip_prefix("slice:").and_then(|it| it.split_once('/'));
    let numbers = parts.and_then(|(share, shares)| {
        Some(PartitionSlice { index: count(share).ok()?, count: count(shares).ok()? })
    });
    match numbers {
        Some(it) if it.index <= it.count => Ok(it),
        Some(_) => Err("K must be from 1 to N in slice:K/N".to_owned()),
        None => {
            Err("expected slice:K/N, as in slice:1/4 for the first of four slices".to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{amount, count, duration, partition, seed, size};

    #[test]
    fn numbers_are_read_as_people_write_them() {
        assert_eq!(seed("42"), Ok(42));
        assert_eq!(seed("0x2A"), Ok(42));
        assert_eq!(seed("0xffff_ffff_ffff_ffff"), Ok(u64::MAX));
        assert!(seed("-1").is_err() && seed("0x").is_err() && seed("").is_err());
        assert_eq!(count("1_000"), Ok(1000));
        assert!(count("0").is_err());
        assert_eq!(amount("0"), Ok(0));
        assert!(amount("-1").is_err());
        assert_eq!(size("4096"), Ok(4096));
        assert_eq!(size("2K"), Ok(2048));
        assert_eq!(size("1MiB"), Ok(1 << 20));
        assert_eq!(size("2g"), Ok(2 << 30));
        assert!(size("2x").is_err() && size("99999999T").is_err() && size("M").is_err());
    }

    #[test]
    fn durations_have_a_unit() {
        assert_eq!(duration("30s"), Ok(Duration::from_secs(30)));
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("2h"), Ok(Duration::from_secs(7200)));
        for text in ["30", "", "s", "-1s", "0s", "1d", "nans", "infs", "1e300h"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn shares_divide_the_claims() {
        let shares = ["slice:1/3", "slice:2/3", "slice:3/3"].map(|it| partition(it).unwrap());
        for at in 0..10 {
            assert_eq!(shares.iter().filter(|share| share.contains(at)).count(), 1);
        }
        assert!(shares[0].contains(0) && shares[1].contains(4));
        for text in ["slice:0/3", "slice:4/3", "1/3", "slice:1", "slice:1/0", "hash:1/2"] {
            assert!(partition(text).is_err(), "{text}");
        }
    }
}
