//! The same work on several threads.

use gainsay_vm::run_on_big_stack;

/// Does some work on several threads with large stacks, and waits for all of them. What panics
/// there panics here.
pub fn on_threads(n_threads: usize, work: impl Fn() + Sync) {
    std::thread::scope(|scope| {
        let spawn = |_| scope.spawn(|| run_on_big_stack(&work));
        let threads: Vec<_> = (0..n_threads).map(spawn).collect();
        for thread in threads {
            if let Err(panic) = thread.join() {
                std::panic::resume_unwind(panic);
            }
        }
    });
}
