//! What stops the process from outside the program: Ctrl-C, SIGTERM, and our own defects.

use std::any::Any;
use std::panic::{self, PanicHookInfo};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use gainsay::vm::run_on_big_stack;

use crate::exit::Exit;
use crate::{output, recording, world};

/// How long Ctrl-C waits for the last of the output to be taken.
const PATIENCE: Duration = Duration::from_millis(500);

/// Whether the command wants to be asked before it is ended.
static ASK_FIRST: AtomicBool = AtomicBool::new(false);

/// Whether it was asked.
static ASKED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// When it was.
static ASKED_AT: Mutex<Option<Instant>> = Mutex::new(None);

/// Signals so soon after the first are the same: `timeout` and process groups send one twice.
const SAME: Duration = Duration::from_millis(300);

/// From now on the first Ctrl-C only asks to stop, by setting what is given back; the next one
/// ends the process.
pub(crate) fn ask_first() -> Arc<AtomicBool> {
    ASK_FIRST.store(true, Ordering::Relaxed);
    Arc::clone(&ASKED)
}

/// On Ctrl-C: keeps what was recorded, leaves the terminal in order, sends on what was written,
/// and ends the process.
pub(crate) fn install() {
    // Without a handler Ctrl-C still stops the process, only less tidily.
    let _ = ctrlc::set_handler(|| {
        if ASK_FIRST.load(Ordering::Relaxed) && asks() {
            return;
        }
        recording::interrupted();
        tidy_up();
        end(Exit::Interrupted)
    });
}

/// Asks to stop; whether that is enough.
#[expect(clippy::disallowed_methods, reason = "how long a signal takes is no part of a report")]
fn asks() -> bool {
    let now = Instant::now();
    let mut asked_at = ASKED_AT.lock().unwrap_or_else(PoisonError::into_inner);
    let first = *asked_at.get_or_insert(now);
    !ASKED.swap(true, Ordering::Relaxed) || now.duration_since(first) < SAME
}

/// Leaves the streams in order, but does not wait for a reader that has stopped reading.
fn tidy_up() {
    let (done, is_done) = mpsc::channel();
    let _ = thread::Builder::new().spawn(move || {
        world::restore_terminal();
        output::flush_if_free();
        let _ = done.send(());
    });
    let _ = is_done.recv_timeout(PATIENCE);
}

#[expect(
    clippy::disallowed_methods,
    reason = "the main thread may be in an endless loop or wait for input: it cannot be asked"
)]
fn end(exit: Exit) {
    std::process::exit(i32::from(exit.number()));
}

/// Runs the command on a thread with a large stack; a panic becomes an apology.
pub(crate) fn guard(work: fn() -> Exit) -> Exit {
    panic::set_hook(Box::new(apologise));
    panic::catch_unwind(|| run_on_big_stack(work)).unwrap_or(Exit::Internal)
}

fn apologise(info: &PanicHookInfo<'_>) {
    world::restore_terminal();
    let place = info.location().map_or_else(String::new, ToString::to_string);
    output::talk_if_free(&format!(
        "error: gainsay itself has failed; this is our mistake, and we are sorry\n  \
         what: {}\n  where: {place}\n  version: {}\n\
         help: report these lines, with the command and the smallest file that brings them up\n",
        payload(info.payload()),
        env!("CARGO_PKG_VERSION"),
    ));
}

fn payload(payload: &(dyn Any + Send)) -> &str {
    match payload.downcast_ref::<String>() {
        Some(text) => text,
        None => payload.downcast_ref::<&str>().copied().unwrap_or("a panic without words"),
    }
}

#[cfg(test)]
mod tests {
    use super::{Exit, guard};

    #[test]
    fn a_panic_is_an_internal_failure() {
        assert_eq!(guard(|| panic!("on purpose")), Exit::Internal);
        assert_eq!(guard(|| Exit::Gainsaid), Exit::Gainsaid);
    }
}
