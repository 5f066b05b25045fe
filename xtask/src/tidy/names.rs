//! One meaning, one name: a type name is defined once, and the glossary names what exists.

use std::collections::BTreeMap;
use std::path::Path;

use super::texts;

/// Files whose types stand in for types of other files under another configuration.
const STAND_INS: [&str; 1] = ["crates/gainsay-vm/src/no_jit.rs"];

/// Types that are defined more than once. New types need names of their own; to take an entry off
/// this list, rename one of its types.
const DEFINED_TWICE: [&str; 23] = [
    "Budget",
    "CallOutcome",
    "Comparison",
    "Compiler",
    "Contradiction",
    "Deriver",
    "Dice",
    "Goal",
    "Heap",
    "Lcg",
    "Literal",
    "Matcher",
    "PartStep",
    "QueryUnknown",
    "Row",
    "Run",
    "RunnableProgram",
    "SampleRequest",
    "Scope",
    "Shape",
    "SpecReader",
    "State",
    "VarId",
];

const GLOSSARY: &str = "docs/glossary.md";

/// All complaints about names.
pub(super) fn check(complaints: &mut Vec<String>, root: &Path) {
    let sources: Vec<(String, String)> = ["crates", "tests/src", "xtask"]
        .iter()
        .flat_map(|it| texts(root, it, &["rs"]))
        .collect();
    duplicate_types(complaints, &sources);
    glossary(complaints, root);
}

fn duplicate_types(complaints: &mut Vec<String>, sources: &[(String, String)]) {
    let mut definitions: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (file, text) in sources {
        if STAND_INS.contains(&file.as_str()) {
            continue;
        }
        for (number, line) in (1..).zip(text.lines()) {
            if let Some(name) = defined_type(line) {
                definitions.entry(name).or_default().push(format!("{file}:{number}"));
            }
        }
    }
    for (name, places) in definitions.iter().filter(|(_, places)| places.len() > 1) {
        if DEFINED_TWICE.contains(name) {
            continue;
        }
        let places = places.join(", ");
        complaints.push(format!("type `{name}` is defined more than once: {places}"));
    }
}

/// The type that a line defines. Associated types are indented, and programs of the language
/// inside string literals have no semicolon after an alias, so that neither counts.
fn defined_type(line: &str) -> Option<&str> {
    let is_indented = line.starts_with(' ');
    let mut rest = line.trim_start();
    if let Some(after) = rest.strip_prefix("pub") {
        let after = match after.strip_prefix('(') {
            Some(scope) => scope.split_once(')')?.1,
            None => after,
        };
        rest = after.trim_start();
    }
    rest = rest.strip_prefix("unsafe ").unwrap_or(rest);
    let (keyword, rest) = rest.split_once(' ')?;
    let counts = match keyword {
        "struct" | "enum" | "trait" | "union" => true,
        "type" => !is_indented && rest.contains(" = ") && rest.ends_with(';'),
        _ => false,
    };
    let end = rest.find(|it: char| !it.is_alphanumeric() && it != '_').unwrap_or(rest.len());
    let name = &rest[..end];
    (counts && name.starts_with(|it: char| it.is_ascii_uppercase())).then_some(name)
}

/// Each row of the glossary is `| term | meaning | names in code | file or folder |`.
fn glossary(complaints: &mut Vec<String>, root: &Path) {
    let Ok(text) = std::fs::read_to_string(root.join(GLOSSARY)) else {
        complaints.push(format!("{GLOSSARY} does not exist"));
        return;
    };
    for row in text.lines().filter(|line| line.starts_with("| ")).skip(2) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [term, _, names, place] = cells[..] else {
            complaints.push(format!("{GLOSSARY}: a row has four cells: {row}"));
            continue;
        };
        let place = place.trim_matches('`');
        let path = root.join(place);
        let text = if path.is_dir() {
            texts(root, place, &["rs"]).into_iter().map(|it| it.1).collect()
        } else {
            std::fs::read_to_string(&path).unwrap_or_default()
        };
        if text.is_empty() {
            complaints.push(format!("{GLOSSARY}: {term}: `{place}` does not exist"));
            continue;
        }
        for name in names.split('`').skip(1).step_by(2) {
            let is_there = text
                .split(|it: char| !it.is_alphanumeric() && it != '_')
                .any(|word| word == name);
            if !is_there {
                complaints.push(format!("{GLOSSARY}: {term}: `{name}` is not in `{place}`"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{defined_type, duplicate_types};

    #[test]
    fn definitions_are_recognized() {
        for line in [
            "struct Tally {",
            "pub(crate) struct Tally<'a> {",
            "    enum Tally {",
            "pub trait Tally: Sized {",
            "pub type Tally<T> = Vec<T>;",
        ] {
            assert_eq!(defined_type(line), Some("Tally"), "{line}");
        }
        for line in [
            "    type Item = u32;",
            "type Balance = Int{it >= 0}",
            "    type Item;",
            "// struct Tally",
            "impl Tally {",
        ] {
            assert_eq!(defined_type(line), None, "{line}");
        }
    }

    #[test]
    fn a_name_is_defined_once() {
        let source = |name: &str, text: &str| (name.to_owned(), text.to_owned());
        let mut complaints = Vec::new();
        let sources =
            [source("a.rs", "struct One;\nstruct Two;"), source("b.rs", "enum Two {}")];
        duplicate_types(&mut complaints, &sources);
        assert_eq!(complaints, ["type `Two` is defined more than once: a.rs:2, b.rs:1"]);
    }
}
