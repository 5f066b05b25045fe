//! Small core programs, built by hand, and what running them must give.

mod alone;
mod builder;
mod builtins;
mod claims;
mod contracts;
mod jit_copies;
mod jit_doors;
mod jit_faults;
mod jit_instruments;
mod jit_quick;
mod jit_ranges;
mod jit_recursion;
mod jit_workers;
mod limits;
mod matches;
mod orders;
mod par_orders;
mod recursion;
mod shown;
mod speed;
mod tables;
mod words;
mod worlds;
