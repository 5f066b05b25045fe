//! Synthesis of the specifications in `specs`.

mod spec_text;
mod traces;
