//! Checking a program whose modules are in memory.

use std::sync::Arc;

use gainsay_core::Program;
use gainsay_source::{Diagnostic, Files, SourceFile, sort};

use crate::case::Module;

/// What checking a program gives.
#[derive(Debug)]
pub struct Checked {
    /// Every text it looked at.
    pub files: Files,
    /// What it found, in the order of places.
    pub diagnostics: Vec<Diagnostic>,
    /// The program, if there is no error.
    pub program: Option<Arc<Program>>,
}

/// Checks the first of the modules and what it uses of the others.
pub fn check(modules: &[Module]) -> Checked {
    let mut files = Files::default();
    let mut diagnostics = Vec::new();
    for module in modules {
        let file = files.add(SourceFile::new(module.name.as_str(), module.text.as_str()));
        diagnostics.extend(gainsay_syntax::parse(file, &module.text).errors);
    }
    sort(&mut diagnostics);
    Checked { files, diagnostics, program: None }
}
