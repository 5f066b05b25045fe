//! Findings carry facts, not sentences: the text is written where a finding becomes a diagnostic,
//! so that every format and test can rely on the facts.

use std::path::Path;

use super::texts;

/// Names of fields that usually hold prose.
const WORDS: [&str; 13] = [
    "advice",
    "explanation",
    "help",
    "hint",
    "label",
    "message",
    "note",
    "phrase",
    "place",
    "problem",
    "reason",
    "sentence",
    "what",
];

/// Exceptions, as struct and field: text that comes from the program, its host or the file system,
/// or names a broken invariant of an engine.
const FOREIGN: [(&str, &str); 4] = [
    ("ProgramFailed", "message"),
    ("OutOfRange", "what"),
    ("UnknownModule", "reason"),
    ("CannotRunYet", "what"),
];

/// Reports findings with prose in their fields.
pub(super) fn check(complaints: &mut Vec<String>, root: &Path) {
    for (name, text) in texts(root, "crates", &["rs"]) {
        if name.contains("/src/findings/") {
            complaints.extend(worded_fields(&text).map(|(number, field)| {
                format!(
                    "{name}:{number}: `{field}` is text; make it an enum, and word it below"
                )
            }));
        }
    }
}

/// The struct fields that hold prose as text, with their line numbers.
fn worded_fields(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut owner = "";
    (1..).zip(text.lines()).filter_map(move |(number, line)| {
        if let Some((_, rest)) = line.split_once("struct ") {
            owner = rest.split(|it: char| !it.is_alphanumeric()).next().unwrap_or_default();
        }
        let (field, ty) = line.trim().strip_suffix(',')?.split_once(": ")?;
        let field = field.rsplit(' ').next().unwrap_or(field);
        let is_words = WORDS.contains(&field) && is_text(ty);
        (is_words && !FOREIGN.contains(&(owner, field))).then_some((number, field))
    })
}

/// Whether a type is a string or an optional string.
fn is_text(ty: &str) -> bool {
    let ty = ty.strip_prefix("Option<").and_then(|it| it.strip_suffix('>')).unwrap_or(ty);
    ["String", "&'static str", "Box<str>"].contains(&ty)
}

#[cfg(test)]
mod tests {
    use super::worded_fields;

    #[test]
    fn words_in_a_field_are_found() {
        let text =
            "struct A {\n    pub(crate) what: String,\n    help: Option<&'static str>,\n}";
        assert_eq!(worded_fields(text).collect::<Vec<_>>(), [(2, "what"), (3, "help")]);
    }

    #[test]
    fn names_enums_and_foreign_texts_are_facts() {
        let fields = ["name: String,", "problem: RuleProblem,", "reason: Option<Reason>,"];
        assert_eq!(
            worded_fields(&format!("struct A {{\n{}\n}}", fields.join("\n"))).count(),
            0
        );
        assert_eq!(worded_fields("struct OutOfRange {\n    what: String,\n}").count(), 0);
    }
}
