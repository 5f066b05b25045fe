//! The progress line of a mutation run, redrawn in place. Only shown on terminals.

use std::env;
use std::io::{self, IsTerminal as _};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use gainsay::mutate::{MutationListener, MutationStage};

use crate::output;
use crate::report::Verbosity;
use crate::world::{Stopwatch, terminal_dimensions};

/// More frequent redraws are unreadable and cost time.
const REDRAW_INTERVAL: Duration = Duration::from_millis(80);

/// The progress line.
pub(super) struct MutationProgress {
    is_shown: bool,
    clock: Stopwatch,
    /// When it was last drawn.
    last: Mutex<Option<Duration>>,
}

impl MutationProgress {
    pub(super) fn new(detail: Verbosity) -> Self {
        let is_dumb = env::var_os("TERM").is_some_and(|it| it == "dumb");
        let is_seen = io::stderr().is_terminal() && !is_dumb && detail != Verbosity::Quiet;
        Self { is_shown: is_seen, clock: Stopwatch::start(), last: Mutex::new(None) }
    }

    /// Erases the line.
    pub(super) fn erase(&self) {
        if self.is_shown {
            output::write_stderr("\r\u{1b}[K");
        }
    }
}

impl MutationListener for MutationProgress {
    fn progress(&self, stage: MutationStage, done: usize, of: usize) {
        if !self.is_shown {
            return;
        }
        // The lock serializes redraws; a redraw by another thread is recent enough for all.
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let now = self.clock.elapsed();
        if last.is_some_and(|it| now.saturating_sub(it) < REDRAW_INTERVAL) {
            return;
        }
        *last = Some(now);
        let columns = usize::from(terminal_dimensions().0);
        output::write_stderr(&format!("\r\u{1b}[K{}", progress_line(stage, done, of, columns)));
    }
}

/// The text of the line. It ends before the last column, because a wrapped line cannot be erased.
fn progress_line(stage: MutationStage, done: usize, of: usize, columns: usize) -> String {
    let what = match stage {
        MutationStage::Claims => "running claims on the original program",
        MutationStage::Mutants => "running mutants",
        MutationStage::Survivors => "searching for inputs that distinguish survivors",
    };
    let line = format!("[{done}/{of}] {what}");
    line.chars().take(columns.saturating_sub(1)).collect()
}

#[cfg(test)]
mod tests {
    use gainsay::mutate::MutationStage;

    use super::progress_line;

    #[test]
    fn the_line_shows_the_progress_of_the_run() {
        let at_80 = |stage| progress_line(stage, 7, 120, 80);
        assert_eq!(
            at_80(MutationStage::Claims),
            "[7/120] running claims on the original program"
        );
        assert_eq!(at_80(MutationStage::Mutants), "[7/120] running mutants");
        assert_eq!(
            at_80(MutationStage::Survivors),
            "[7/120] searching for inputs that distinguish survivors"
        );
    }

    #[test]
    fn the_line_does_not_wrap() {
        let at_40 = |stage| progress_line(stage, 7, 120, 40);
        assert_eq!(at_40(MutationStage::Claims), "[7/120] running claims on the original ");
        assert_eq!(at_40(MutationStage::Mutants), "[7/120] running mutants");
        assert_eq!(at_40(MutationStage::Survivors), "[7/120] searching for inputs that disti");
        for columns in 0..100 {
            let line = progress_line(MutationStage::Survivors, 123_456, 654_321, columns);
            assert!(line.chars().count() <= columns.saturating_sub(1), "{columns}: {line}");
        }
    }
}
