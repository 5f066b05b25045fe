//! Checking a program whose modules are in memory.

use gainsay::{Checked, MemorySources};

use crate::case::Module;

/// Checks the first of the modules and what it uses of the others.
pub fn check(modules: &[Module]) -> Checked {
    let texts = modules.iter().map(|it| (it.name.as_str(), it.text.as_str()));
    let entries: Vec<String> = modules.iter().take(1).map(|it| it.name.clone()).collect();
    gainsay::check(&entries, &MemorySources::new(texts))
}
