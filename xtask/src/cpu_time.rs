//! The processor time of this process.

use std::time::Duration;

use cpu_time::ProcessTime;

/// The processor time of all threads of this process.
pub(crate) fn used() -> Duration {
    ProcessTime::now().as_duration()
}
