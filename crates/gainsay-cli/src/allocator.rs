//! The global allocator: the system allocator, except that running out of memory ends the process
//! with a message and a documented exit code instead of an abort.

#![allow(unsafe_code, reason = "an allocator is unsafe by its nature")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write as _;

use crate::exit::Exit;

/// Ends the process when an allocation fails.
pub(crate) struct ExitingAllocator;

// SAFETY: all memory comes from the system allocator and is returned to it.
unsafe impl GlobalAlloc for ExitingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller upholds the contract, which is that of `System`.
        exit_if_null(unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        exit_if_null(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        exit_if_null(unsafe { System.realloc(memory, layout, size) })
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[inline(always)]
fn exit_if_null(memory: *mut u8) -> *mut u8 {
    if memory.is_null() { exit_out_of_memory() } else { memory }
}

/// Reports the failure without allocating, and exits at once: other threads cannot continue without
/// memory either.
#[cold]
#[expect(clippy::disallowed_methods, reason = "nothing that needs memory can decide it")]
fn exit_out_of_memory() -> ! {
    let text = "error: out of memory\n\
                help: raise the memory limit of the process, or use one thread with `-j 1`\n";
    let _ = std::io::stderr().write_all(text.as_bytes());
    std::process::exit(Exit::Inconclusive.number().into())
}
