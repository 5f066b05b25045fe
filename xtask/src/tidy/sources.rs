//! Rules for individual source and text files.

use std::path::Path;

use super::texts;

/// The maximum number of lines of a file, not counting its tests.
const MAX_LINES: usize = 800;

/// File names that say where code was put, not what it is.
const EMPTY_NAMES: [&str; 7] = ["utils", "util", "helpers", "common", "misc", "types", "mod"];

/// Words that promise work instead of doing it.
const PROMISES: [&str; 2] = [concat!("TO", "DO"), concat!("FIX", "ME")];

/// Prefixes of paths that exist on one machine only.
const MACHINE_PATHS: [&str; 6] = [
    concat!("/ho", "me/"),
    concat!("/ro", "ot/"),
    concat!("/tm", "p/"),
    concat!("/wo", "rk/"),
    concat!("/Us", "ers/"),
    concat!("C:", "\\Us", "ers"),
];

/// Adds the violations in individual files.
pub(super) fn check(complaints: &mut Vec<String>, root: &Path) {
    for (name, text) in texts(root, ".", &["rs"]) {
        shape(complaints, &name, &text);
    }
    for (name, text) in
        texts(root, ".", &["rs", "md", "toml", "say", "out", "cmd", "yml", "yaml", "sh"])
    {
        words(complaints, &name, &text);
    }
}

/// A file has a header, is not too long, and has a meaningful name.
fn shape(complaints: &mut Vec<String>, name: &str, text: &str) {
    if !text.starts_with("//!") {
        complaints.push(format!("{name}: begin with a `//!` line that says what this file is"));
    }
    let n_lines = text.split("\n#[cfg(test)]\nmod ").next().unwrap_or(text).lines().count();
    if n_lines > MAX_LINES {
        complaints.push(format!("{name}: {n_lines} lines; split it"));
    }
    let stem = name.rsplit('/').next().unwrap_or(name).trim_end_matches(".rs");
    if EMPTY_NAMES.contains(&stem) {
        complaints.push(format!("{name}: `{stem}` names no concept"));
    }
}

/// No promises, and nothing that is true on one machine only.
fn words(complaints: &mut Vec<String>, name: &str, text: &str) {
    for (number, line) in (1..).zip(text.lines()) {
        if let Some(word) = PROMISES.iter().find(|it| has_word(line, it)) {
            complaints.push(format!("{name}:{number}: `{word}`: do it, or write an issue"));
        }
        if let Some(start) = MACHINE_PATHS.iter().find(|it| names_path(line, it)) {
            complaints.push(format!("{name}:{number}: `{start}..` exists on one machine only"));
        }
    }
}

fn has_word(line: &str, word: &str) -> bool {
    line.split(|it: char| !it.is_alphanumeric() && it != '_').any(|it| it == word)
}

/// Whether a line contains a path with this prefix, and not in the middle of another path.
fn names_path(line: &str, start: &str) -> bool {
    line.match_indices(start).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        before.is_none_or(|it| !it.is_alphanumeric() && !"./_-]}".contains(it))
    })
}

#[cfg(test)]
mod tests {
    use super::{MACHINE_PATHS, has_word, names_path};

    #[test]
    fn a_word_is_no_part_of_a_word() {
        assert!(has_word("// ABC: x", "ABC"));
        assert!(!has_word("// ABCD", "ABC"));
    }

    #[test]
    fn a_path_in_the_middle_is_relative() {
        let start = MACHINE_PATHS[3];
        assert!(names_path(&format!("see {start}x"), start));
        assert!(!names_path(&format!("see my{start}x"), start));
    }
}
