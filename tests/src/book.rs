//! The tables of the book match the sources: no code, function or operation is missing, and none is
//! described in other words.

use std::collections::BTreeSet;
use std::fs;

use gainsay_source::{Severity, codes};
use gainsay_ui::root;

/// Library functions that only serve others in their module.
const HELPERS: [&str; 7] =
    ["args_match", "merge_pairs", "merge_runs", "padding", "parse_step", "retry", "steps"];

/// The table rows of a chapter.
fn rows(chapter: &str) -> BTreeSet<String> {
    let path = root().join("docs/book/src").join(chapter);
    let text = fs::read_to_string(&path).expect("the chapter is there");
    text.lines().filter(|line| line.starts_with("| ")).map(str::to_owned).collect()
}

/// Fails with the rows that a chapter lacks, and with superfluous rows of a kind.
#[track_caller]
fn agrees(chapter: &str, expected: &[String], is_of_kind: impl Fn(&str) -> bool) {
    let there = rows(chapter);
    let missing = expected.iter().filter(|row| !there.contains(*row));
    let missing: Vec<String> = missing.map(|row| format!("missing: {row}")).collect();
    let stale = there.iter().filter(|row| is_of_kind(row) && !expected.contains(row));
    let stale: Vec<String> = stale.map(|row| format!("stale:   {row}")).collect();
    let complaints = [missing, stale].concat();
    assert!(complaints.is_empty(), "{chapter}:\n{}", complaints.join("\n"));
}

#[test]
fn every_code_is_in_the_index() {
    let severity = |severity| match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    let expected: Vec<String> = codes::ALL
        .iter()
        .map(|code| {
            let (name, slug) = (code.name(), code.slug);
            let (severity, summary) = (severity(code.severity), code.summary);
            format!("| {name} | [`{slug}`](../../errors/{slug}.md) | {severity} | {summary} |")
        })
        .collect();
    agrees("errors.md", &expected, |row| row.starts_with("| GS"));
}

#[test]
fn every_operation_is_in_its_table() {
    let expected: Vec<String> = std_module("effects")
        .into_iter()
        .filter_map(|it| match it.keyword {
            StdDeclarationKind::Operation { effect, dimension } => {
                let (code, words) = (in_a_cell(&it.header), in_a_cell(&it.words));
                Some(format!("| `{effect}.{code}` | {dimension} | {words} |"))
            }
            StdDeclarationKind::Function => None,
        })
        .collect();
    assert!(!expected.is_empty(), "the effects are found");
    let is_operation = |row: &str| {
        ["| snapshot |", "| generative |", "| output |", "| both |"]
            .iter()
            .any(|it| row.starts_with("| `") && !row.starts_with("| `@") && row.contains(it))
    };
    agrees("effects.md", &expected, is_operation);
}

#[test]
fn every_standard_function_is_in_the_library() {
    let there = rows("library.md");
    let documented = |it: &StdDeclaration| {
        let start = match &it.keyword {
            StdDeclarationKind::Function => format!("| `{}", in_a_cell(&it.name())),
            StdDeclarationKind::Operation { effect, .. } => {
                format!("| `{effect}.{}`", in_a_cell(&it.header))
            }
        };
        let words = in_a_cell(&it.words);
        there.iter().any(|row| row.starts_with(&start) && row.contains(&words))
    };
    let names = gainsay::std_modules().iter().map(|(name, _)| *name);
    let missing: Vec<String> = names
        // Effects have a page of their own; `walk` is what tests against specifications become.
        .filter(|name| !matches!(*name, "effects" | "walk"))
        .flat_map(|name| std_module(name).into_iter().map(move |it| (name, it)))
        .filter(|(_, it)| !it.is_helper() && !documented(it))
        .map(|(module, it)| format!("{module}: `{}` — {}", it.header, it.words))
        .collect();
    assert!(missing.is_empty(), "library.md lacks:\n{}", missing.join("\n"));
}

/// A documented declaration of the standard library.
struct StdDeclaration {
    keyword: StdDeclarationKind,
    /// Its line, without keyword and annotations.
    header: String,
    /// Its documentation, on one line.
    words: String,
}

enum StdDeclarationKind {
    Function,
    Operation { effect: String, dimension: &'static str },
}

impl StdDeclaration {
    /// Its name, including the bracket after it.
    fn name(&self) -> String {
        let end = self.header.find(['<', '(']).map_or(self.header.len(), |it| it + 1);
        self.header[..end].to_owned()
    }

    /// Whether it is a helper: loops with an accumulator are called `.._onto`, those that continue
    /// from a position `.._from`.
    fn is_helper(&self) -> bool {
        let name = self.name();
        let name = name.trim_end_matches(['<', '(']);
        let goes_on = name.ends_with("_onto") || name.ends_with("_from");
        goes_on || HELPERS.contains(&name)
    }
}

/// The documented declarations of a standard module.
fn std_module(name: &str) -> Vec<StdDeclaration> {
    let found = gainsay::std_modules().iter().find(|(known, _)| *known == name);
    let (_, text) = found.expect("the module is there");
    let mut declared = Vec::new();
    let mut words: Vec<&str> = Vec::new();
    let mut effect: Option<&str> = None;
    for line in text.lines() {
        let trimmed = line.trim();
        if let Some(text) = trimmed.strip_prefix("///") {
            words.push(text.trim());
            continue;
        }
        let words = std::mem::take(&mut words).join(" ");
        if let Some(name) = line.strip_prefix("effect ") {
            effect = Some(name.trim_end_matches(" {"));
        } else if line == "}" {
            effect = None;
        } else if let Some(header) = line.trim_start_matches("@builtin ").strip_prefix("fn ") {
            let header = header.to_owned();
            declared.push(StdDeclaration {
                keyword: StdDeclarationKind::Function,
                header,
                words,
            });
        } else if let Some(effect) = effect.filter(|_| !trimmed.is_empty()) {
            declared.push(operation(effect, trimmed, words));
        }
    }
    declared.retain(|it| !it.words.is_empty());
    declared
}

fn operation(effect: &str, line: &str, words: String) -> StdDeclaration {
    let plain: Vec<&str> = line.split(' ').skip_while(|it| it.starts_with('@')).collect();
    let header = plain.join(" ");
    let dimension = match (line.contains("@snapshot"), line.contains("@generative")) {
        (true, _) => "snapshot",
        (false, true) if line.contains("@output") => "both",
        (false, true) => "generative",
        (false, false) => "output",
    };
    let keyword = StdDeclarationKind::Operation { effect: effect.to_owned(), dimension };
    StdDeclaration { keyword, header, words }
}

/// A text, escaped for a table cell.
fn in_a_cell(text: &str) -> String {
    text.replace('|', "\\|")
}
