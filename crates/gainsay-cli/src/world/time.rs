//! `Time`: the clock. This is the only file that depends on `jiff`.

use std::thread;
use std::time::{Duration, Instant};

use gainsay::vm::Value;
use jiff::Timestamp;

use super::{OperationArguments, OperationError, OperationHandler, RealWorld};
use crate::output;

pub(super) const OPERATIONS: &[OperationHandler] = &[
    OperationHandler { name: "Time.now", run: now },
    OperationHandler { name: "Time.unix_ms", run: unix_ms },
    OperationHandler { name: "Time.sleep", run: sleep },
];

fn now(_: &mut RealWorld, _: OperationArguments<'_>) -> Result<Value, OperationError> {
    Ok(Value::str(format_rfc3339(Timestamp::now())))
}

fn unix_ms(_: &mut RealWorld, _: OperationArguments<'_>) -> Result<Value, OperationError> {
    Ok(Value::Int(Timestamp::now().as_millisecond()))
}

fn sleep(_: &mut RealWorld, args: OperationArguments<'_>) -> Result<Value, OperationError> {
    // What was printed must be visible while the program sleeps.
    output::flush()?;
    // A negative duration has passed already.
    let milliseconds = u64::try_from(args.clamped(0)?).unwrap_or(0);
    thread::sleep(Duration::from_millis(milliseconds));
    Ok(Value::UNIT)
}

/// Seconds since 1970, for records only: no result may depend on it.
pub(crate) fn unix_seconds() -> f64 {
    Timestamp::now().as_millisecond() as f64 / 1_000.0
}

/// The date, as `2026-11-16`, for records only: no result may depend on it.
pub(crate) fn today() -> String {
    let now = format_rfc3339(Timestamp::now());
    now.split('T').next().unwrap_or_default().to_owned()
}

/// Measures elapsed time.
pub(crate) struct Stopwatch {
    start: Instant,
}

impl Stopwatch {
    #[expect(clippy::disallowed_methods, reason = "it measures time")]
    pub(crate) fn start() -> Self {
        Self { start: Instant::now() }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}

/// RFC 3339 in UTC, to the millisecond.
fn format_rfc3339(time: Timestamp) -> String {
    format!("{time:.3}")
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::format_rfc3339;

    #[test]
    fn times_are_written_with_three_decimals() {
        let time = |ms| format_rfc3339(Timestamp::from_millisecond(ms).unwrap());
        assert_eq!(time(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(time(1_735_689_600_123), "2025-01-01T00:00:00.123Z");
    }
}
