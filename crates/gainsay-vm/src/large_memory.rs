//! One thread at a time takes much memory.
//!
//! Each case may take as much memory as the limit allows, and cases run on many threads. So that
//! the limit holds for all threads together, a case that takes more than a little waits until no
//! other does. Whether a case reaches its limit never depends on that: only when.

use std::cell::Cell;
use std::marker::PhantomData;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// Bytes that every case may take without waiting.
pub(crate) const UNRESTRICTED_BYTES: u64 = 32 << 20;

/// Nobody who has a turn waits for another thread; should that ever change, nothing hangs.
const MAX_WAIT: Duration = Duration::from_secs(60);

static IS_TAKEN: Mutex<bool> = Mutex::new(false);
static IS_FREE: Condvar = Condvar::new();

thread_local! {
    /// How many turns this thread has; all but the first are for free.
    static HELD: Cell<u32> = const { Cell::new(0) };
}

/// A turn: as long as it lasts, this thread may take much memory.
#[derive(Debug)]
pub(crate) struct LargeMemoryPermit {
    is_owner: bool,
    /// It ends on the thread where it began.
    not_send: PhantomData<*const ()>,
}

impl LargeMemoryPermit {
    /// Waits for one.
    #[cold]
    pub(crate) fn acquire() -> Self {
        let n_held = HELD.replace(HELD.get() + 1);
        let is_owner = n_held == 0 && wait_until_free();
        Self { is_owner, not_send: PhantomData }
    }

    /// Ends it once the memory is free: it goes back to the system before another one begins.
    pub(crate) fn release(self) {
        #[cfg(target_env = "gnu")]
        trim_allocator();
    }
}

/// Gives the system what is free. The allocator of the GNU C library keeps it otherwise, for each
/// thread apart.
#[cfg(target_env = "gnu")]
#[allow(unsafe_code, reason = "the library is not written in Rust")]
fn trim_allocator() {
    unsafe extern "C" {
        fn malloc_trim(pad: usize) -> std::ffi::c_int;
    }
    // SAFETY: it may be called at any time, by any thread.
    unsafe { malloc_trim(0) };
}

fn wait_until_free() -> bool {
    let is_taken = IS_TAKEN.lock().unwrap_or_else(PoisonError::into_inner);
    let waited = IS_FREE.wait_timeout_while(is_taken, MAX_WAIT, |it| *it);
    let (mut is_taken, _) = waited.unwrap_or_else(PoisonError::into_inner);
    !std::mem::replace(&mut *is_taken, true)
}

impl Drop for LargeMemoryPermit {
    fn drop(&mut self) {
        HELD.set(HELD.get() - 1);
        if self.is_owner {
            *IS_TAKEN.lock().unwrap_or_else(PoisonError::into_inner) = false;
            IS_FREE.notify_one();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::LargeMemoryPermit;

    #[test]
    fn threads_take_turns_and_one_may_have_several() {
        let inside = AtomicU32::new(0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..100 {
                        let (_first, _second) =
                            (LargeMemoryPermit::acquire(), LargeMemoryPermit::acquire());
                        assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                        inside.fetch_sub(1, Ordering::SeqCst);
                    }
                });
            }
        });
    }
}
