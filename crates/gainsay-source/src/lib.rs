//! Source files, spans and diagnostics, shared by every other crate.
//!
//! **Invariant:** A `Diagnostic` always has a primary span. Errors without a location are reported
//! by the outer crates.

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
