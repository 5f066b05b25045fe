//! Files, spans and diagnostics: how every crate points at code and complains about it.
//!
//! **Invariant:** A `Diagnostic` always has a primary span; failures without a place are
//! errors of the outer crates.

pub mod codes;

mod control_characters;
mod diagnostic;
mod file;
mod render;
mod suggestions;

pub use self::codes::{DiagnosticCode, Severity};
pub use self::control_characters::replace_control_characters;
pub use self::diagnostic::{Diagnostic, Help, Label, TextEdit, sort_diagnostics};
pub use self::file::{FileId, Position, SourceFile, SourceMap, Span};
pub use self::render::{RenderStyle, render};
pub use self::suggestions::closest_name;
