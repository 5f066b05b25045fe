//! What compiled code calls.

mod builtin;
mod convert;
#[cfg(test)]
mod laws;
mod order;
