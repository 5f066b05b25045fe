//! How far a hunt has come, on a line that is drawn over again. Only terminals see it.

use std::env;
use std::io::{self, IsTerminal as _};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use gainsay::mutate::{Stage, Watcher};

use crate::output;
use crate::report::Detail;
use crate::world::{Stopwatch, terminal_dimensions};

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
        let columns = usize::from(terminal_dimensions().0);
        output::talk(&format!("\r\u{1b}[K{}", line(stage, done, of, columns)));
    }
}

/// What the line says. One that wraps cannot be erased, so it ends before the last column.
fn line(stage: Stage, done: usize, of: usize, columns: usize) -> String {
    let what = match stage {
        Stage::Claims => "running claims on the program itself",
        Stage::Mutants => "trying mutants",
        Stage::Survivors => "searching for inputs that tell survivors apart",
    };
    let line = format!("[{done}/{of}] {what}");
    line.chars().take(columns.saturating_sub(1)).collect()
}

#[cfg(test)]
mod tests {
    use gainsay::mutate::Stage;

    use super::line;

    #[test]
    fn the_line_tells_how_far_the_hunt_has_come() {
        let at_80 = |stage| line(stage, 7, 120, 80);
        assert_eq!(at_80(Stage::Claims), "[7/120] running claims on the program itself");
        assert_eq!(at_80(Stage::Mutants), "[7/120] trying mutants");
        assert_eq!(
            at_80(Stage::Survivors),
            "[7/120] searching for inputs that tell survivors apart"
        );
    }

    #[test]
    fn the_line_does_not_wrap() {
        let at_40 = |stage| line(stage, 7, 120, 40);
        assert_eq!(at_40(Stage::Claims), "[7/120] running claims on the program i");
        assert_eq!(at_40(Stage::Mutants), "[7/120] trying mutants");
        assert_eq!(at_40(Stage::Survivors), "[7/120] searching for inputs that tell ");
        for columns in 0..100 {
            let line = line(Stage::Survivors, 123_456, 654_321, columns);
            assert!(line.chars().count() <= columns.saturating_sub(1), "{columns}: {line}");
        }
    }
}
