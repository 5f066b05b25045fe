//! Checking a program whose modules are in memory.

use gainsay::{CheckedSources, MemorySources};

use crate::test_file::SourceModule;

/// Checks the first of the modules and what it uses of the others.
pub fn check(modules: &[SourceModule]) -> CheckedSources {
    let texts = modules.iter().map(|it| (it.name.as_str(), it.text.as_str()));
    let entries: Vec<String> = modules.iter().take(1).map(|it| it.name.clone()).collect();
    gainsay::check(&entries, &MemorySources::new(texts))
}
