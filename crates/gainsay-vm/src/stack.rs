//! Native stack: runs work on a big stack, and determines how much is left.

use std::cell::Cell;
use std::panic::resume_unwind;
use std::thread::{Builder, scope};

use crate::address_space::reservation_size;

/// The stack size for deep programs; only touched pages are committed.
const BIG_STACK_BYTES: usize = 2 << 30;
/// The smallest size worth a thread.
const MIN_STACK_BYTES: usize = 16 << 20;
/// Reserved for hosts, builtins and whatever they call.
const RESERVE: usize = 512 << 10;
/// The assumed remaining stack on a thread of unknown stack size.
const ASSUMED_BYTES: usize = 1 << 20;

thread_local! {
    static FLOOR: Cell<Option<usize>> = const { Cell::new(None) };
}

/// Runs `work` on a thread with a stack so big that a million simple calls fit. If the system
/// refuses the size, a smaller one is tried; deep programs then fault earlier.
pub fn run_on_big_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let mut work = Some(work);
    let mut size = (reservation_size(BIG_STACK_BYTES as u64) as usize).max(MIN_STACK_BYTES);
    loop {
        // `work` stays in the slot if the thread cannot be spawned, so that it can be tried again.
        let slot = &mut work;
        let result = scope(|scope| {
            let run = move || {
                // Measured inside the new thread, near the top of its stack.
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
    // Not even the smallest thread could be spawned: run on the current stack.
    let work = work.take().expect("work that ran has returned its result above");
    work()
}

/// The lowest address the stack may reach.
pub(crate) fn floor() -> usize {
    FLOOR.get().unwrap_or_else(|| stack_position().saturating_sub(ASSUMED_BYTES))
}

/// The same, if the thread's stack size is known; it is then constant.
pub(crate) fn known_floor() -> Option<usize> {
    FLOOR.get()
}

/// The address of a fresh local, which approximates the stack pointer.
#[inline(always)]
pub(crate) fn stack_position() -> usize {
    // Inlined, so that this is an address in the frame of the caller.
    let marker = 0_u8;
    std::ptr::from_ref(&marker).addr()
}
