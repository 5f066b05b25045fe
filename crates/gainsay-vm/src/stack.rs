//! Native stack: a lot of it for whoever asks, and knowing how much is left.

use std::cell::Cell;
use std::panic::resume_unwind;
use std::thread::{Builder, scope};

use crate::address_space::reservation_size;

/// What deep programs get; only what is touched is really taken.
const BIG_STACK_BYTES: usize = 2 << 30;
/// The least that is worth a thread.
const MIN_STACK_BYTES: usize = 16 << 20;
/// Left untouched for hosts, builtins and whatever they call.
const RESERVE: usize = 512 << 10;
/// What is assumed to be left on a thread of which nothing is known.
const ASSUMED_BYTES: usize = 1 << 20;

thread_local! {
    static FLOOR: Cell<Option<usize>> = const { Cell::new(None) };
}

/// Runs `work` on a thread with a stack so big that a million simple calls fit. Where the
/// system refuses so much, with less; then deep programs end in a fault earlier.
pub fn run_on_big_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let mut work = Some(work);
    let mut size = (reservation_size(BIG_STACK_BYTES as u64) as usize).max(MIN_STACK_BYTES);
    loop {
        let slot = &mut work;
        let result = scope(|scope| {
            let run = move || {
                FLOOR.set(Some(stack_position().saturating_sub(size - RESERVE)));
                slot.take().map(|work| work())
            };
            let thread = Builder::new().stack_size(size).spawn_scoped(scope, run);
            thread.ok().map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)))
        });
        if let Some(Some(result)) = result {
            return result;
        }
        if size <= MIN_STACK_BYTES {
            break;
        }
        size /= 2;
    }
    let work = work.take().expect("work that ran has returned its result above");
    work()
}

/// The address the stack may not grow below.
pub(crate) fn floor() -> usize {
    FLOOR.get().unwrap_or_else(|| stack_position().saturating_sub(ASSUMED_BYTES))
}

/// The same, if the thread has been told; it stays the same then.
pub(crate) fn known_floor() -> Option<usize> {
    FLOOR.get()
}

/// The address of a fresh local: about how far the stack has grown.
#[inline(always)]
pub(crate) fn stack_position() -> usize {
    let marker = 0_u8;
    std::ptr::from_ref(&marker).addr()
}
