//! Runs many independent cases on all cores.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Enough for the deepest recursion of any test; pages are committed only when touched.
const STACK_BYTES: usize = 512 << 20;

/// Applies a function to every item on threads with large stacks. Results are in the order of the
/// items; a panic is the result of its own item only, as text.
pub fn map_in_parallel<T: Sync, R: Send>(
    items: &[T],
    apply: impl Fn(&T) -> R + Sync,
) -> Vec<Result<R, String>> {
    let next = AtomicUsize::new(0);
    let answers: Mutex<Vec<(usize, Result<R, String>)>> = Mutex::new(Vec::new());
    let work = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(at) else { break };
            let answer =
                catch_unwind(AssertUnwindSafe(|| apply(item))).map_err(|it| panic_text(&*it));
            answers.lock().expect("no holder of the lock panics").push((at, answer));
        }
    };
    let n_workers = thread::available_parallelism().map_or(1, usize::from).min(items.len());
    thread::scope(|scope| {
        for _ in 0..n_workers {
            thread::Builder::new()
                .stack_size(STACK_BYTES)
                .spawn_scoped(scope, work)
                .expect("the system has room for a thread per core");
        }
    });
    let mut answers = answers.into_inner().expect("no holder of the lock panics");
    answers.sort_by_key(|(at, _)| *at);
    answers.into_iter().map(|(_, answer)| answer).collect()
}

/// The message of a panic.
fn panic_text(payload: &(dyn Any + Send)) -> String {
    let text = payload
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| payload.downcast_ref::<String>().cloned());
    format!("panicked: {}", text.unwrap_or_else(|| "without a message".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::map_in_parallel;

    #[test]
    fn a_panic_belongs_to_its_item() {
        let answers = map_in_parallel(&[1, 0, 2], |it| 10 / it);
        assert_eq!(answers[0], Ok(10));
        assert!(answers[1].as_ref().is_err_and(|text| text.contains("divide by zero")));
        assert_eq!(answers[2], Ok(5));
    }
}
