//! A permit that lets only one thread at a time use much memory.
//!
//! Each case may use as much memory as the limit allows, and cases run on many threads. To make the
//! limit hold for all threads together, a case that needs more than a little waits until no other
//! does. This never affects whether a case reaches its limit, only when.

use std::cell::Cell;
use std::marker::PhantomData;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// Bytes that every case may use without a permit.
pub(crate) const UNRESTRICTED_BYTES: u64 = 32 << 20;

/// A permit holder never waits for another thread; should that ever change, this prevents a
/// deadlock.
const MAX_WAIT: Duration = Duration::from_secs(60);

static IS_TAKEN: Mutex<bool> = Mutex::new(false);
static IS_FREE: Condvar = Condvar::new();

thread_local! {
    /// How many permits this thread holds; all but the first are free.
    static HELD: Cell<u32> = const { Cell::new(0) };
}

/// While it is held, this thread may use much memory.
#[derive(Debug)]
pub(crate) struct LargeMemoryPermit {
    is_owner: bool,
    /// A permit is dropped on the thread that acquired it.
    not_send: PhantomData<*const ()>,
}

impl LargeMemoryPermit {
    /// Waits for a permit.
    #[cold]
    pub(crate) fn acquire() -> Self {
        let n_held = HELD.replace(HELD.get() + 1);
        // Nested permits do not wait: the thread would wait for itself.
        let is_owner = n_held == 0 && wait_until_free();
        Self { is_owner, not_send: PhantomData }
    }

    /// Releases the permit after its memory is freed: the memory goes back to the system before
    /// another thread starts.
    pub(crate) fn release(self) {
        #[cfg(target_env = "gnu")]
        trim_allocator();
    }
}

/// Returns free memory to the system. The GNU C library's allocator otherwise keeps it, in each
/// thread's arena.
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
    // A poisoned lock is harmless: the flag is a plain `bool`.
    let is_taken = IS_TAKEN.lock().unwrap_or_else(PoisonError::into_inner);
    let waited = IS_FREE.wait_timeout_while(is_taken, MAX_WAIT, |it| *it);
    let (mut is_taken, _) = waited.unwrap_or_else(PoisonError::into_inner);
    // False after a timeout: the permit then owns nothing and must not clear the flag.
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
