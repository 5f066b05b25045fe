//! Checks that paths named in documents exist, and that golden files belong to tests.

use std::path::Path;

use gainsay_ui::{files_below, shown};

use super::texts;

/// The documents whose back-quoted paths are paths of the repository.
const MAPS: [&str; 6] = [
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "README.md",
    "crates/gainsay-mutate/README.md",
    "crates/gainsay-test/README.md",
    "crates/gainsay-vm/src/jit/README.md",
];

/// Two pages, so that a newcomer reads all of it. Details belong next to the code.
const MAX_ARCHITECTURE_WORDS: usize = 1_400;

/// Adds the violations in documents and golden files.
pub(super) fn check(complaints: &mut Vec<String>, root: &Path) {
    for (name, text) in texts(root, ".", &["md"]) {
        if MAPS.contains(&name.as_str()) {
            quoted_paths(complaints, root, &name, &text);
        }
        let n_words = prose(&text).split_whitespace().count();
        if name == "ARCHITECTURE.md" && n_words > MAX_ARCHITECTURE_WORDS {
            complaints.push(format!(
                "{name}: {n_words} words; at most {MAX_ARCHITECTURE_WORDS} fit on two pages"
            ));
        }
        links(complaints, root, &name, &text);
    }
    orphans(complaints, root);
}

fn quoted_paths(complaints: &mut Vec<String>, root: &Path, name: &str, text: &str) {
    for quoted in prose(text).split('`').skip(1).step_by(2) {
        let is_path = quoted.contains('/')
            && !quoted.starts_with('/')
            && !quoted.contains([' ', '<', '*', '…', '$', ':', '\n']);
        if is_path && !root.join(quoted).exists() {
            complaints.push(format!("{name}: `{quoted}` does not exist"));
        }
    }
}

/// Links to files must resolve.
fn links(complaints: &mut Vec<String>, root: &Path, name: &str, text: &str) {
    let folder = root.join(name).parent().map_or_else(|| root.to_path_buf(), Path::to_path_buf);
    for rest in prose(text).split("](").skip(1) {
        let target = rest.split([')', '#', ' ']).next().unwrap_or_default();
        let is_file = !target.is_empty() && !target.contains(':');
        if is_file && !folder.join(target).exists() {
            complaints.push(format!("{name}: the link to `{target}` leads nowhere"));
        }
    }
}

/// A document without its fenced blocks.
fn prose(text: &str) -> String {
    let mut inside = false;
    let mut prose = String::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            inside = !inside;
        } else if !inside {
            prose.push_str(line);
            prose.push('\n');
        }
    }
    prose
}

/// Every golden file has a test: renaming or deleting a test must do the same with its golden file.
fn orphans(complaints: &mut Vec<String>, root: &Path) {
    for golden in files_below(&root.join("tests/ui"), "out") {
        if !golden.with_extension("say").exists() && !golden.with_extension("cmd").exists() {
            complaints.push(format!("{}: no test beside it", shown(&golden, root)));
        }
    }
}
