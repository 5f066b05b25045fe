//! Small core programs, built by hand, with their expected results.

mod builder;
mod builtins;
mod claims;
mod contracts;
mod isolated;
#[cfg(feature = "jit")]
mod jit_fast_answers;
mod jit_faults;
#[cfg(feature = "jit")]
mod jit_host_values;
mod jit_instrumentation;
mod jit_ranges;
mod jit_recursion;
mod jit_specialization;
mod jit_workers;
mod limits;
mod matches;
mod orders;
mod par_orders;
mod recursion;
mod show_text;
mod speed;
mod tables;
mod word_costs;
mod worlds;
