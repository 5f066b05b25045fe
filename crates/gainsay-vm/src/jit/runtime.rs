//! What compiled code calls.

mod builtin;
mod convert;
mod order;
