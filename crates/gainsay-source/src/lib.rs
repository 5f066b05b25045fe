//! Files, spans and diagnostics: how every crate points at code and complains about it.
//!
//! **Invariant:** A `Diagnostic` always has a primary span; failures without a place are
//! errors of the outer crates.

pub mod codes;

mod diagnostic;
mod file;
mod printable;
mod render;
mod suggest;

pub use self::codes::{Code, Severity};
pub use self::diagnostic::{Diagnostic, Edit, Help, Label, sort};
pub use self::file::{FileId, Files, Position, SourceFile, Span};
pub use self::printable::printable;
pub use self::render::{Style, render};
pub use self::suggest::closest;
