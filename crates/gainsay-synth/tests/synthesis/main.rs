//! Synthesis of the specifications in `specs`.

#![expect(clippy::print_stdout, reason = "the figures are for people who ask for them")]
#![expect(clippy::unwrap_used, reason = "the specifications are part of the tests")]

mod mistakes;
mod random_specs;
mod repeating;
mod running;
mod spec_text;
mod systems;
mod traces;
mod validation;
