//! A saved case, and how it is rendered. `parse.rs` is the inverse.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::claim_name::ClaimName;
use super::parse::{self, CaseFileError};
use super::quoted::quoted;

/// The version of the format that is written, and the newest that is read.
pub(super) const VERSION: u64 = 1;

/// The known headers, in the order in which they are written.
pub(super) const KNOWN_HEADERS: [&str; 4] = ["claim", "failure", "found", "status"];

/// The header of a case whose shrinking ended early.
const UNFINISHED: &str = "unfinished";

/// The header of a case that failed before it had drawn all its inputs.
const PARTIAL: &str = "partial";

/// A saved counterexample.
#[derive(Debug, Clone)]
pub struct SavedCase {
    /// The claim it belongs to.
    pub claim: ClaimName,
    /// Distinguishes the failure from others of the claim; stable under edits elsewhere.
    pub failure: String,
    /// The date it was first found, as `2026-11-16`.
    pub found: String,
    /// The date since when it passes, if it does.
    pub fixed: Option<String>,
    /// The inputs. Inputs of several sites may have the same name.
    pub values: Vec<SavedValue>,
    /// The recorded choices, in lines that only the choice engine understands.
    pub choices: Option<String>,
    /// Other headers, as written: a key of lower case letters, digits, `-` and `_`, and a text on
    /// one line.
    pub extra: Vec<(String, String)>,
    pub(super) layout: CaseFileLayout,
}

/// An input of a saved case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedValue {
    /// Its name.
    pub name: String,
    /// Its value as source text, possibly on several lines.
    pub text: String,
    /// The line of the file it starts on, if it was parsed from one.
    pub line: Option<u32>,
}

impl SavedValue {
    /// An input and its value as source text.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), text: text.into(), line: None }
    }
}

/// The positions of comments and empty lines in a file.
#[derive(Debug, Clone, Default)]
pub(super) struct CaseFileLayout {
    /// The headers in order, each with the lines above it.
    pub(super) headers: Vec<(String, Vec<String>)>,
    /// The inputs in order, each with the lines above it.
    pub(super) values: Vec<(String, Vec<String>)>,
    /// The lines after all of them.
    pub(super) tail: Vec<String>,
}

impl SavedCase {
    /// An open case without inputs or choices yet.
    pub fn new(claim: ClaimName, failure: impl Into<String>, found: impl Into<String>) -> Self {
        Self {
            claim,
            failure: failure.into(),
            found: found.into(),
            fixed: None,
            values: Vec::new(),
            choices: None,
            extra: Vec::new(),
            layout: CaseFileLayout::default(),
        }
    }

    /// Marks that shrinking ended early, so smaller cases may fail as well.
    pub(crate) fn mark_unfinished(&mut self) {
        self.extra.push((UNFINISHED.to_owned(), "simpler cases may fail as well".to_owned()));
    }

    /// Marks that the case failed before it had drawn all its inputs.
    pub(crate) fn mark_partial(&mut self) {
        self.extra
            .push((PARTIAL.to_owned(), "it fails while its inputs are generated".to_owned()));
    }

    /// Whether it failed before it had drawn all its inputs.
    pub(crate) fn is_partial(&self) -> bool {
        self.extra.iter().any(|(key, _)| key == PARTIAL)
    }

    /// Whether shrinking ended early.
    pub(crate) fn is_unfinished(&self) -> bool {
        self.extra.iter().any(|(key, _)| key == UNFINISHED)
    }

    /// Parses the text of a file.
    pub fn parse(text: &str) -> Result<Self, CaseFileError> {
        parse::parse(text)
    }

    /// The text of its file; `None` if it would not parse back to the same case: an input name is
    /// invalid, a value is empty, or another header contains a line break.
    pub fn render(&self) -> Option<String> {
        let mut lines = vec![format!("gainsay case {VERSION}")];
        self.render_headers(&mut lines);
        self.render_values(&mut lines);
        if let Some(choices) = &self.choices {
            separate(&mut lines);
            lines.push("--- choices".to_owned());
            lines.extend(choices.lines().map(str::to_owned));
        }
        let mut text = lines.join("\n");
        // Exactly one line break at the end, or editors and version control would differ about it.
        text.truncate(text.trim_end_matches('\n').len());
        text.push('\n');
        // Self-check: never write a file that does not parse back to the same case.
        let again = Self::parse(&text).ok()?;
        again.has_same_content(self).then_some(text)
    }

    /// Whether two cases differ at most in layout and comments.
    pub fn has_same_content(&self, other: &Self) -> bool {
        let values = |case: &Self| -> Vec<(String, String)> {
            let values = case.values.iter();
            values
                .map(|it| (it.name.clone(), it.text.lines().map(continued).collect()))
                .collect()
        };
        let choices = |case: &Self| -> Option<Vec<String>> {
            let choices = case.choices.as_deref();
            choices.map(|it| it.trim_end_matches('\n').lines().map(str::to_owned).collect())
        };
        // Sorted, because the order of headers is layout.
        let extra = |case: &Self| {
            let mut extra = case.extra.clone();
            extra.sort();
            extra
        };
        self.claim == other.claim
            && self.failure == other.failure
            && self.found == other.found
            && self.fixed == other.fixed
            && values(self) == values(other)
            && choices(self) == choices(other)
            && extra(self) == extra(other)
    }

    /// This case in place of an older one of the same failure. The date it was first found, the
    /// comments and unknown headers of the older one stay.
    pub(super) fn replacing(&self, old: &Self) -> Self {
        let mut case = self.clone();
        case.found.clone_from(&old.found);
        case.layout = old.layout.clone();
        let own: BTreeSet<&str> = self.extra.iter().map(|(key, _)| key.as_str()).collect();
        // Those two describe the old counterexample, which is replaced.
        let is_other = |key: &str| !own.contains(key) && key != UNFINISHED && key != PARTIAL;
        let others = old.extra.iter().filter(|(key, _)| is_other(key));
        case.extra.extend(others.cloned());
        case
    }

    fn render_headers(&self, lines: &mut Vec<String>) {
        let fixed = self.fixed.as_deref().map(|day| header_text(&format!("fixed {day}")));
        let standard = [
            ("claim", Some(self.claim.to_string())),
            ("failure", Some(header_text(&self.failure))),
            ("found", Some(header_text(&self.found))),
            ("status", fixed),
        ];
        let standard = standard.into_iter().filter_map(|(key, text)| Some((key, text?)));
        let extra = self.extra.iter().map(|(key, text)| (key.as_str(), text.clone()));
        let headers: Vec<(&str, String)> = standard.chain(extra).collect();
        // Headers of the parsed file keep their places; new ones follow.
        let mut placed = BTreeSet::new();
        let texts: BTreeMap<&str, &String> =
            headers.iter().map(|(k, text)| (*k, text)).collect();
        for (key, above) in &self.layout.headers {
            placed.insert(key.as_str());
            lines.extend(above.iter().cloned());
            lines.extend(texts.get(key.as_str()).map(|text| format!("{key}: {text}")));
        }
        let others = headers.iter().filter(|(key, _)| !placed.contains(key));
        lines.extend(others.map(|(key, text)| format!("{key}: {text}")));
    }

    fn render_values(&self, lines: &mut Vec<String>) {
        let mut above: BTreeMap<&str, VecDeque<&[String]>> = BTreeMap::new();
        for (name, lines) in &self.layout.values {
            above.entry(name).or_default().push_back(lines);
        }
        for (at, value) in self.values.iter().enumerate() {
            let before = above.get_mut(value.name.as_str()).and_then(VecDeque::pop_front);
            let before = before.unwrap_or_default();
            if at == 0 && before.first().is_none_or(|line| !line.trim().is_empty()) {
                separate(lines);
            }
            lines.extend(before.iter().cloned());
            let mut text = value.text.trim().lines();
            lines.push(format!("let {} = {}", value.name, text.next().unwrap_or_default()));
            lines.extend(text.map(continued));
        }
        // Keep comments on inputs that no longer exist: the user wrote them.
        let left = above.into_values().flatten().flatten();
        lines.extend(left.filter(|line| !line.trim().is_empty()).cloned());
        lines.extend(self.layout.tail.iter().cloned());
    }
}

/// Ends a section with an empty line.
fn separate(lines: &mut Vec<String>) {
    if lines.last().is_some_and(|line| !line.trim().is_empty()) {
        lines.push(String::new());
    }
}

/// A continuation line of a value, indented if it would start something else.
fn continued(line: &str) -> String {
    let line = line.trim_end();
    let is_misread = parse::begins_value(line) || parse::begins_section(line);
    if is_misread { format!("  {line}") } else { line.to_owned() }
}

/// The text of a header, in quotes if it would be misread otherwise.
fn header_text(text: &str) -> String {
    let is_misread = text.is_empty()
        || text.trim() != text
        || text.starts_with('"')
        || text.chars().any(char::is_control);
    if is_misread { quoted(text) } else { text.to_owned() }
}
