//! Synthesis of the specifications in `specs`.

mod merging;
mod mistakes;
mod spec_text;
mod traces;
mod validation;
