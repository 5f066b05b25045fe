//! How much memory values really hold, and how they let go of it without deep recursion.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::Value;

/// Values nested deeper than this are dropped from a list of things to do instead of by
/// recursion.
const MAX_DROP_DEPTH: u32 = 100;

thread_local! {
    static LIVE: Cell<u64> = const { Cell::new(0) };
    static DROP_DEPTH: Cell<u32> = const { Cell::new(0) };
    static N_POSTPONED: Cell<u64> = const { Cell::new(0) };
    static DROP_LATER: RefCell<Vec<Value>> = const { RefCell::new(Vec::new()) };
}

/// Bytes held by the values of this thread, about.
pub fn live_bytes() -> u64 {
    LIVE.get()
}

/// Memory of a cell: counted from its making to its end.
#[derive(Debug)]
pub(crate) struct MemoryCharge(u64);

impl MemoryCharge {
    pub(crate) fn new(bytes: u64) -> Self {
        charge(bytes);
        Self(bytes)
    }
}

impl Drop for MemoryCharge {
    fn drop(&mut self) {
        discharge(self.0);
    }
}

/// Where a cell is, if it is referred to more than once.
pub(super) fn shared_address<T>(cell: &Rc<T>) -> Option<u64> {
    (Rc::strong_count(cell) > 1).then_some(Rc::as_ptr(cell) as u64)
}

/// Counts memory of a cell that knows when it ends.
#[inline]
pub(super) fn charge(bytes: u64) {
    LIVE.with(|live| live.set(live.get().wrapping_add(bytes)));
}

/// Counts no longer.
#[inline]
pub(super) fn discharge(bytes: u64) {
    LIVE.with(|live| live.set(live.get().wrapping_sub(bytes)));
}

/// Drops the parts of a cell. Recursion is bounded: beyond a depth, parts are kept until the
/// outermost call gets to them.
pub(super) fn release<'a>(parts: impl Iterator<Item = &'a mut Value>) {
    let depth = DROP_DEPTH.get();
    for part in parts {
        if !part.has_parts() {
            continue;
        }
        let part = std::mem::replace(part, Value::UNIT);
        if depth < MAX_DROP_DEPTH {
            DROP_DEPTH.set(depth + 1);
            drop(part);
            DROP_DEPTH.set(depth);
        } else {
            postpone(part);
        }
    }
    if depth == 0 && N_POSTPONED.get() > 0 {
        drop_postponed();
    }
}

fn postpone(part: Value) {
    // While the thread itself ends there is no list any more; then recursion must do.
    let mut slot = Some(part);
    let _ = DROP_LATER.try_with(|later| {
        if let (Ok(mut later), Some(part)) = (later.try_borrow_mut(), slot.take()) {
            later.push(part);
            N_POSTPONED.set(N_POSTPONED.get() + 1);
        }
    });
}

fn drop_postponed() {
    loop {
        let next = DROP_LATER.try_with(|later| later.borrow_mut().pop());
        match next {
            Ok(Some(part)) => {
                N_POSTPONED.set(N_POSTPONED.get().saturating_sub(1));
                // Not the outermost any more, so that what this postpones waits its turn.
                DROP_DEPTH.set(1);
                drop(part);
                DROP_DEPTH.set(0);
            }
            Ok(None) | Err(_) => return,
        }
    }
}
