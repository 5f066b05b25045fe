//! Reports are functions of facts: their files import facts, and nothing that reads or prints.

use std::path::Path;

use super::texts;

/// Where the reports are: in this file and the folder of its name.
const REPORTS: &str = "crates/gainsay-cli/src/report";

/// What a report may import.
const ALLOWED: [&str; 9] = [
    // The facts, and how to write them down.
    "gainsay::",
    "crate::report::",
    "serde::",
    "serde_json::",
    "similar::",
    // Facts of the command: how it ends, and errors that have no place in a source.
    "crate::exit::",
    "crate::cli_error::CliError",
    // Enums in scope of a function.
    "ClaimStatus::",
    "self::",
];

/// Parts of the standard library that reach the world.
const WORLD: [&str; 6] =
    ["std::env", "std::fs", "std::io", "std::net", "std::process", "std::thread"];

/// Compare reports with golden files and the book, in tests only.
const TEST_FILES: [&str; 2] = ["golden.rs", "claims/book_tables.rs"];

/// Complaints about reports that import more than facts.
pub(super) fn check(complaints: &mut Vec<String>, root: &Path) {
    for (name, text) in texts(root, "crates/gainsay-cli/src", &["rs"]) {
        let Some(below) = name.strip_prefix(REPORTS) else { continue };
        let is_report = below == ".rs" || below.starts_with('/');
        let below = below.trim_start_matches('/');
        if !is_report || TEST_FILES.contains(&below) {
            continue;
        }
        let depth = below.matches('/').count();
        complaints.extend(foreign_imports(&text, depth).map(|(number, import)| {
            format!("{name}:{number}: a report imports facts only, not `{import}`")
        }));
    }
}

/// The imports and paths that lead out of the reports, with their lines. `depth` counts the folders
/// between the file and the folder of the reports.
fn foreign_imports(text: &str, depth: usize) -> impl Iterator<Item = (usize, &str)> {
    // Modules of tests are one deeper.
    let mut n_up = depth + 1;
    (1..).zip(text.lines()).filter_map(move |(number, line)| {
        if line.starts_with("mod tests {") {
            n_up += 1;
        }
        let line = line.trim();
        let import = line.strip_prefix("pub(crate) ").unwrap_or(line);
        let import = import.strip_prefix("pub(super) ").unwrap_or(import);
        let found = match import.strip_prefix("use ") {
            Some(path) => !is_allowed(path, n_up),
            None => WORLD.iter().any(|it| line.contains(&format!("{it}::"))),
        };
        found.then_some((number, line))
    })
}

fn is_allowed(path: &str, n_up: usize) -> bool {
    if path.starts_with("std::") {
        return !WORLD.iter().any(|it| path.starts_with(it));
    }
    let is_up = path.starts_with("super::") && path.matches("super::").count() <= n_up;
    is_up || ALLOWED.iter().any(|it| path.starts_with(it))
}

#[cfg(test)]
mod tests {
    use super::foreign_imports;

    #[test]
    fn imports_of_more_than_facts_are_found() {
        let text = "use std::fmt;\nuse std::fs;\nuse crate::config::Key;\nuse super::super::a;";
        let lines: Vec<usize> = foreign_imports(text, 0).map(|(number, _)| number).collect();
        assert_eq!(lines, [2, 3, 4]);
    }

    #[test]
    fn facts_and_neighbours_are_fine() {
        let text = "use gainsay::test::Report;\nuse crate::exit::Exit;\n\
            mod tests {\n    use super::super::claims;\n}";
        assert_eq!(foreign_imports(text, 0).count(), 0);
        assert_eq!(foreign_imports("use super::super::json;", 1).count(), 0);
    }
}
