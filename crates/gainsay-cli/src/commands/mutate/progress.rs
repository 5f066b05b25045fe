//! How far a hunt has come, on a line that is drawn over again. Only terminals see it.

use std::env;
use std::io::{self, IsTerminal as _};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use gainsay::mutate::{Stage, Watcher};

use crate::output;
use crate::report::Detail;
use crate::world::Stopwatch;

/// A line that is drawn more often cannot be read, and takes time.
const EVERY: Duration = Duration::from_millis(80);

/// The line.
pub(super) struct Progress {
    is_seen: bool,
    clock: Stopwatch,
    /// When it was drawn last.
    last: Mutex<Option<Duration>>,
}

impl Progress {
    pub(super) fn new(detail: Detail) -> Self {
        let is_dumb = env::var_os("TERM").is_some_and(|it| it == "dumb");
        let is_seen = io::stderr().is_terminal() && !is_dumb && detail != Detail::Quiet;
        Self { is_seen, clock: Stopwatch::start(), last: Mutex::new(None) }
    }

    /// Takes the line away.
    pub(super) fn erase(&self) {
        if self.is_seen {
            output::talk("\r\u{1b}[K");
        }
    }
}

impl Watcher for Progress {
    fn goes_on(&self, stage: Stage, done: usize, of: usize) {
        if !self.is_seen {
            return;
        }
        // Whoever draws now says enough.
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let now = self.clock.elapsed();
        if last.is_some_and(|it| now.saturating_sub(it) < EVERY) {
            return;
        }
        *last = Some(now);
        let what = match stage {
            Stage::Claims => "running claims on the program itself",
            Stage::Mutants => "trying mutants",
            Stage::Survivors => "searching for inputs that tell survivors apart",
        };
        output::talk(&format!("\r\u{1b}[K[{done}/{of}] {what}"));
    }
}
