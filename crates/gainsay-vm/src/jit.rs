//! The engine that compiles: core becomes machine code, by way of Cranelift.

mod heap;
mod runtime;
mod steps;
mod word;
