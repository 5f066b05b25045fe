//! Accounting of live memory, and dropping of values without deep recursion.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::Value;

/// Values nested deeper than this are dropped from a worklist instead of by recursion.
const MAX_DROP_DEPTH: u32 = 100;

thread_local! {
    static LIVE: Cell<u64> = const { Cell::new(0) };
    static DROP_DEPTH: Cell<u32> = const { Cell::new(0) };
    static N_POSTPONED: Cell<u64> = const { Cell::new(0) };
    static DROP_LATER: RefCell<Vec<Value>> = const { RefCell::new(Vec::new()) };
}

/// Approximate number of bytes held by the values of this thread.
pub fn live_bytes() -> u64 {
    LIVE.get()
}

/// The memory of a cell, counted from its creation to its drop.
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

/// The address of a cell, if it is shared.
pub(super) fn shared_address<T>(cell: &Rc<T>) -> Option<u64> {
    // Unshared parts are met once, so their addresses are not interesting.
    (Rc::strong_count(cell) > 1).then_some(Rc::as_ptr(cell) as u64)
}

/// Counts the memory of a cell that discharges it itself.
#[inline]
pub(super) fn charge(bytes: u64) {
    LIVE.with(|live| live.set(live.get().wrapping_add(bytes)));
}

/// Stops counting memory.
#[inline]
pub(super) fn discharge(bytes: u64) {
    LIVE.with(|live| live.set(live.get().wrapping_sub(bytes)));
}

/// Drops the parts of a cell. Recursion is bounded: beyond a depth, parts are put on a worklist
/// that the outermost call drains.
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
    // Only the outermost call drains the worklist, so its depth stays bounded.
    if depth == 0 && N_POSTPONED.get() > 0 {
        drop_postponed();
    }
}

fn postpone(part: Value) {
    // While the thread is exiting, the worklist no longer exists; `slot` then drops the part
    // recursively.
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
                // No longer the outermost call, so that parts postponed here wait for this loop.
                DROP_DEPTH.set(1);
                drop(part);
                DROP_DEPTH.set(0);
            }
            Ok(None) | Err(_) => return,
        }
    }
}
