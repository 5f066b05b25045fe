//! Interruption of the process: Ctrl-C, SIGTERM, and internal panics.

use std::any::Any;
use std::panic::{self, PanicHookInfo};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use gainsay::vm::run_on_big_stack;

use crate::exit::Exit;
use crate::{output, recording, world};

/// How long Ctrl-C waits until buffered output is written.
const FLUSH_TIMEOUT: Duration = Duration::from_millis(500);

/// Whether the command handles the first Ctrl-C itself.
static STOP_GRACEFULLY: AtomicBool = AtomicBool::new(false);

/// Whether a stop was requested.
static STOP_REQUESTED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// When it was requested.
static STOP_REQUESTED_AT: Mutex<Option<Instant>> = Mutex::new(None);

/// Signals this soon after the first one are duplicates: `timeout` and process groups send a signal
/// twice.
const REPEAT_WINDOW: Duration = Duration::from_millis(300);

/// From now on the first Ctrl-C only requests a stop, by setting the returned flag; the next one
/// ends the process.
pub(crate) fn stop_gracefully() -> Arc<AtomicBool> {
    STOP_GRACEFULLY.store(true, Ordering::Relaxed);
    Arc::clone(&STOP_REQUESTED)
}

/// Installs the Ctrl-C handler, which saves the recording, restores the terminal, flushes the
/// output, and ends the process.
pub(crate) fn install() {
    // Without a handler Ctrl-C still stops the process, but without cleanup.
    let _ = ctrlc::set_handler(|| {
        if STOP_GRACEFULLY.load(Ordering::Relaxed) && request_stop() {
            return;
        }
        // Before the streams: a recording is lost if waiting for a reader takes the rest of the
        // time.
        recording::finish_interrupted();
        restore_streams();
        exit_process(Exit::Interrupted)
    });
}

/// Requests a stop; returns whether the process may continue until then.
#[expect(clippy::disallowed_methods, reason = "how long a signal takes is no part of a report")]
fn request_stop() -> bool {
    let now = Instant::now();
    let mut asked_at = STOP_REQUESTED_AT.lock().unwrap_or_else(PoisonError::into_inner);
    // The time of the first signal, whichever thread handles it: repeats are measured from there.
    let first = *asked_at.get_or_insert(now);
    !STOP_REQUESTED.swap(true, Ordering::Relaxed) || now.duration_since(first) < REPEAT_WINDOW
}

/// Restores the terminal and flushes the output, but does not wait for a blocked reader.
fn restore_streams() {
    let (done, is_done) = mpsc::channel();
    let _ = thread::Builder::new().spawn(move || {
        world::restore_terminal();
        output::flush_if_unlocked();
        let _ = done.send(());
    });
    // On another thread and with a timeout, since a full pipe would block the flush for ever.
    let _ = is_done.recv_timeout(FLUSH_TIMEOUT);
}

#[expect(
    clippy::disallowed_methods,
    reason = "the main thread may be in an endless loop or wait for input: it cannot be asked"
)]
fn exit_process(exit: Exit) {
    std::process::exit(i32::from(exit.number()));
}

/// Runs the command on a thread with a large stack; a panic becomes an error message.
pub(crate) fn run_guarded(work: fn() -> Exit) -> Exit {
    panic::set_hook(Box::new(report_panic));
    panic::catch_unwind(|| run_on_big_stack(work)).unwrap_or(Exit::Internal)
}

fn report_panic(info: &PanicHookInfo<'_>) {
    world::restore_terminal();
    let place = info.location().map_or_else(String::new, ToString::to_string);
    output::write_stderr_if_unlocked(&format!(
        "error: internal error; this is a bug in gainsay\n  \
         what: {}\n  where: {place}\n  version: {}\n\
         help: report these lines, with the command and the smallest file that reproduces them\n",
        panic_message(info.payload()),
        env!("CARGO_PKG_VERSION"),
    ));
}

fn panic_message(payload: &(dyn Any + Send)) -> &str {
    match payload.downcast_ref::<String>() {
        Some(text) => text,
        None => payload.downcast_ref::<&str>().copied().unwrap_or("panic without a message"),
    }
}

#[cfg(test)]
mod tests {
    use super::{Exit, run_guarded};

    #[test]
    fn a_panic_is_an_internal_failure() {
        assert_eq!(run_guarded(|| panic!("on purpose")), Exit::Internal);
        assert_eq!(run_guarded(|| Exit::Failed), Exit::Failed);
    }
}
