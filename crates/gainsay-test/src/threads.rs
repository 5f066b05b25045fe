//! Runs the same work on several threads, with deterministic results.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::Builder;

use gainsay_vm::run_on_big_stack;

/// Runs `work` on several threads with large stacks, and waits for all of them: on fewer where the
/// system refuses to spawn as many. A panic in a thread resumes here.
pub(crate) fn run_on_threads(n_threads: usize, work: impl Fn() + Sync) {
    std::thread::scope(|scope| {
        let spawn = |_| {
            let thread = Builder::new();
            thread.spawn_scoped(scope, || run_on_big_stack(&work)).ok()
        };
        let threads: Vec<_> = (0..n_threads).map_while(spawn).collect();
        // The system refused every thread: do the work here.
        if threads.is_empty() && n_threads > 0 {
            work();
        }
        for thread in threads {
            if let Err(panic) = thread.join() {
                std::panic::resume_unwind(panic);
            }
        }
    });
}

/// Runs `work` for each number below `n` on several threads, each with its own `tool`, and returns
/// the results in order. Nothing new starts once `is_over`; such results are `None`.
pub fn parallel_map<W, T: Send>(
    n_threads: usize,
    n: usize,
    is_over: &(dyn Fn() -> bool + Sync),
    tool: &(dyn Fn() -> W + Sync),
    work: &(dyn Fn(&mut W, usize) -> T + Sync),
) -> Vec<Option<T>> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<Option<T>>> = Mutex::new((0..n).map(|_| None).collect());
    run_on_threads(n_threads.min(n), || {
        let mut tool = tool();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            if at >= n || is_over() {
                break;
            }
            let result = work(&mut tool, at);
            done.lock().unwrap_or_else(PoisonError::into_inner)[at] = Some(result);
        }
    });
    done.into_inner().unwrap_or_else(PoisonError::into_inner)
}
