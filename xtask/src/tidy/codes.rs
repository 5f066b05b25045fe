//! Checks that every table row has its counterparts: codes have pages and golden tests, builtins
//! have declarations.

use std::collections::BTreeMap;
use std::path::Path;

use gainsay_core::builtin;
use gainsay_source::codes;
use gainsay_ui::{files_below, shown};

use super::texts;

/// Adds the rows that lack a counterpart.
pub(super) fn check(complaints: &mut Vec<String>, root: &Path) {
    explained(complaints, root);
    shown_by_tests(complaints, root);
    declared(complaints, root);
}

/// Every code has a page, and every page a code.
fn explained(complaints: &mut Vec<String>, root: &Path) {
    for code in codes::ALL {
        let page = format!("docs/errors/{}.md", code.slug);
        if !root.join(&page).exists() {
            complaints.push(format!("{}: write {page}", code.name()));
        }
    }
    for page in files_below(&root.join("docs/errors"), "md") {
        let slug = page.file_stem().unwrap_or_default().to_string_lossy();
        if !codes::ALL.iter().any(|code| code.slug == slug) && slug != "README" {
            complaints.push(format!("{}: explains no code", shown(&page, root)));
        }
    }
}

/// Every code is shown by a golden test; or by name in a unit test, if no program can show it.
fn shown_by_tests(complaints: &mut Vec<String>, root: &Path) {
    let mut tests = texts(root, "tests/ui", &["say", "out"]);
    tests.extend(
        texts(root, "crates", &["rs"]).into_iter().filter(|it| it.0.contains("/tests/")),
    );
    for code in codes::ALL {
        let mark = code.name();
        if !tests.iter().any(|(_, text)| text.contains(&mark)) {
            complaints.push(format!("{mark} {}: no golden test shows it", code.slug));
        }
    }
}

/// Every builtin is declared once, in the module its name says, and nothing else is.
fn declared(complaints: &mut Vec<String>, root: &Path) {
    let mut n_declarations: BTreeMap<String, usize> = BTreeMap::new();
    for (name, text) in texts(root, "std", &["say"]) {
        let module = name.trim_start_matches("std/").trim_end_matches(".say");
        for function in builtin_functions(&text) {
            *n_declarations.entry(format!("{module}.{function}")).or_default() += 1;
        }
    }
    for row in builtin::ALL {
        match n_declarations.remove(row.name) {
            None => complaints.push(format!("builtin {}: not declared in std/", row.name)),
            Some(1) => {}
            Some(n) => complaints.push(format!("builtin {}: declared {n} times", row.name)),
        }
    }
    for name in n_declarations.keys() {
        complaints.push(format!("std: `{name}` is declared `@builtin` and is no builtin"));
    }
}

/// The functions that a text declares with `@builtin`.
fn builtin_functions(text: &str) -> Vec<&str> {
    let mut words = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .flat_map(|line| line.split(|it: char| it.is_whitespace() || "(<".contains(it)));
    let mut found = Vec::new();
    while let Some(word) = words.next() {
        if word == "@builtin" {
            found.extend(words.by_ref().skip_while(|it| *it != "fn").nth(1));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::builtin_functions;

    #[test]
    fn declarations_are_found_on_one_line_or_two() {
        let text = "@builtin fn len<A>(xs: List<A>) -> Int\n// @builtin fn no()\n@builtin\nfn at(a: Int) -> Int\nfn own() {}\n";
        assert_eq!(builtin_functions(text), ["len", "at"]);
    }
}
