//! Checks programs whose modules are in memory.

use gainsay::{CheckedSources, MemorySources};

use crate::test_file::SourceModule;

/// Checks the first module and those it uses.
pub fn check(modules: &[SourceModule]) -> CheckedSources {
    let texts = modules.iter().map(|it| (it.name.as_str(), it.text.as_str()));
    let entries: Vec<String> = modules.iter().take(1).map(|it| it.name.clone()).collect();
    gainsay::check(&entries, &MemorySources::new(texts))
}
