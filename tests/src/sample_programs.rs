//! Every Gainsay program in the repository: the inputs of corpus-wide laws, and the seeds of
//! fuzzing.

use std::fs;
use std::path::{Path, PathBuf};

use crate::markdown::blocks;
use crate::repository::{files_below, root, shown};
use crate::test_file::{SourceModule, TestFileContent};

/// Folders of programs, each with its siblings.
const PROGRAMS: [&str; 3] = ["examples", "bench", "tests/std"];

/// A program, the main module first.
#[derive(Debug, Clone)]
pub struct SampleProgram {
    /// Its origin.
    pub name: String,
    /// The whole text of the file or block.
    pub text: String,
    /// Its modules; empty if it is not a program on its own, like a part of `std`.
    pub modules: Vec<SourceModule>,
}

/// All programs of the repository, in a fixed order.
pub fn samples() -> Vec<SampleProgram> {
    let root = root();
    let mut found = Vec::new();
    for path in files_below(&root.join("tests/ui"), "say") {
        found.extend(sample(&path, &root, |name, text| {
            TestFileContent::read(name, text).map(|case| case.modules).unwrap_or_default()
        }));
    }
    for folder in PROGRAMS {
        for path in files_below(&root.join(folder), "say") {
            found.extend(sample(&path, &root, |name, text| with_siblings(&path, name, text)));
        }
    }
    for path in files_below(&root.join("std"), "say") {
        found.extend(sample(&path, &root, |_, _| Vec::new()));
    }
    for path in files_below(&root, "md") {
        let text = fs::read_to_string(&path).unwrap_or_default();
        found.extend(blocks_of(&shown(&path, &root), &text));
    }
    found
}

fn sample(
    path: &Path,
    root: &Path,
    modules: impl Fn(&str, &str) -> Vec<SourceModule>,
) -> Option<SampleProgram> {
    let text = fs::read_to_string(path).ok()?;
    let file_name = path.file_name()?.to_string_lossy();
    let modules = modules(&file_name, &text);
    Some(SampleProgram { name: shown(path, root), text, modules })
}

/// A module and those in the same folder.
fn with_siblings(path: &Path, name: &str, text: &str) -> Vec<SourceModule> {
    let mut modules = vec![SourceModule { name: name.to_owned(), text: text.to_owned() }];
    let folder = path.parent().map_or_else(PathBuf::new, Path::to_path_buf);
    let siblings = files_below(&folder, "say");
    for sibling in siblings.iter().filter(|it| *it != path && it.parent() == Some(&folder)) {
        let name = shown(sibling, &folder);
        modules
            .extend(fs::read_to_string(sibling).ok().map(|text| SourceModule { name, text }));
    }
    modules
}

/// The programs of a document; later ones may use a block with a title.
fn blocks_of(name: &str, document: &str) -> Vec<SampleProgram> {
    let mut titled: Vec<SourceModule> = Vec::new();
    let mut found = Vec::new();
    for block in blocks(document).into_iter().filter(|it| it.language() == "say") {
        let title = block.title.as_deref().unwrap_or("example.say");
        let mut modules =
            TestFileContent::read(title, &block.text).map(|it| it.modules).unwrap_or_default();
        let own = modules.clone();
        modules
            .extend(titled.iter().filter(|it| own.iter().all(|o| o.name != it.name)).cloned());
        if block.title.is_some() {
            titled.extend(own);
        }
        found.push(SampleProgram {
            name: format!("{name}:{}", block.line),
            text: block.text,
            modules,
        });
    }
    found
}
