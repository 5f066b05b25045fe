//! The source of texts: an abstraction over the disk, editors and tests.

use std::collections::BTreeMap;

/// Why a text could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceReadError(pub String);

/// Reads source texts: from the disk, an editor, or a test.
pub trait SourceReader {
    /// The text at a path with forward slashes.
    fn read(&self, path: &str) -> Result<String, SourceReadError>;

    /// The names of the modules beside a path, for suggestions. Need not be complete.
    fn siblings(&self, _path: &str) -> Vec<String> {
        Vec::new()
    }
}

/// Texts in memory.
#[derive(Debug, Clone, Default)]
pub struct MemorySources {
    texts: BTreeMap<String, String>,
}

impl MemorySources {
    /// Texts by path.
    pub fn new<P: Into<String>, T: Into<String>>(
        texts: impl IntoIterator<Item = (P, T)>,
    ) -> Self {
        let texts = texts.into_iter().map(|(path, text)| (path.into(), text.into())).collect();
        Self { texts }
    }
}

impl SourceReader for MemorySources {
    fn read(&self, path: &str) -> Result<String, SourceReadError> {
        self.texts.get(path).cloned().ok_or_else(|| SourceReadError("no such file".to_owned()))
    }

    fn siblings(&self, path: &str) -> Vec<String> {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let names = self.texts.keys().filter_map(|it| {
            let (its_folder, file) = it.rsplit_once('/').unwrap_or(("", it));
            (its_folder == folder).then(|| file.strip_suffix(".say")).flatten()
        });
        names.map(str::to_owned).collect()
    }
}
