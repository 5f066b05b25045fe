//! Parses the text of a saved case, line by line.

use std::collections::BTreeSet;
use std::fmt;

use super::claim_name::ClaimName;
use super::format::{CaseFileLayout, KNOWN_HEADERS, SavedCase, SavedValue, VERSION};
use super::quoted::unquoted;

/// Why a file is not used as a saved case. Such a file is never written to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CaseFileError {
    /// The file or folder cannot be read, and why.
    Unreadable(String),
    /// It was written by a later version.
    NewerVersion {
        /// The version of its format.
        version: u64,
    },
    /// It is not in the format of a saved case.
    Malformed {
        /// The line, from 1.
        line: u32,
        /// What is wrong there.
        what: CaseLineError,
    },
    /// It belongs in the folder of another claim.
    WrongFolder {
        /// The claim it belongs to.
        claim: Box<ClaimName>,
        /// The folder of that claim.
        folder: String,
    },
}

/// What is wrong with a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CaseLineError {
    /// The first line does not identify a saved case.
    NoVersion,
    /// Neither a header nor a value nor a comment.
    UnknownLine,
    /// A section that is not `--- choices`.
    UnknownSection,
    /// A header is missing.
    MissingHeader(&'static str),
    /// A header occurs twice.
    RepeatedHeader(String),
    /// The text of a header is invalid.
    BadHeader(&'static str),
    /// A `let` without a name or `=`.
    BadLet,
    /// A `let` without a value.
    NoValue(String),
}

impl fmt::Display for CaseFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(why) => f.write_str(why),
            Self::NewerVersion { version } => write!(
                f,
                "format version {version} is not supported; the newest supported is {VERSION}"
            ),
            Self::Malformed { line, what } => write!(f, "line {line}: {what}"),
            Self::WrongFolder { claim, folder } => {
                write!(f, "it belongs to {claim}, whose folder is `{folder}`")
            }
        }
    }
}

impl fmt::Display for CaseLineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoVersion => write!(f, "expected `gainsay case {VERSION}`"),
            Self::UnknownLine => {
                f.write_str("expected `name: text`, `let name = value` or a comment")
            }
            Self::UnknownSection => f.write_str("expected `--- choices`"),
            Self::MissingHeader(key) => write!(f, "expected `{key}:` above this line"),
            Self::RepeatedHeader(key) => write!(f, "`{key}:` appears twice"),
            Self::BadHeader("claim") => {
                f.write_str(r#"expected a claim such as `m / test "a"`"#)
            }
            Self::BadHeader("status") => f.write_str("expected `open`, or `fixed` and a date"),
            Self::BadHeader(_) => f.write_str("expected text"),
            Self::BadLet => f.write_str("expected `let name = value`"),
            Self::NoValue(name) => write!(f, "expected a value for `{name}`"),
        }
    }
}

/// Whether a line starts an input.
pub(super) fn begins_value(line: &str) -> bool {
    line == "let" || line.starts_with("let ") || line.starts_with("let\t")
}

/// Whether a line starts a section.
pub(super) fn begins_section(line: &str) -> bool {
    line.starts_with("---")
}

/// Whether a line is empty or a comment.
fn is_trivia(line: &str) -> bool {
    let line = line.trim_start();
    line.is_empty() || line.starts_with("//")
}

/// Parses the text of a file.
pub(super) fn parse(text: &str) -> Result<SavedCase, CaseFileError> {
    // Editors on Windows write a byte order mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = CaseFileLines { lines: text.lines().collect(), at: 0 };
    version(lines.next().unwrap_or_default())?;
    let mut parser = CaseFileParser::default();
    let mut above = Vec::new();
    let mut choices = None;
    while let Some(line) = lines.next() {
        let number = lines.at;
        if begins_section(line) {
            if line.trim_end() != "--- choices" {
                return Err(malformed(number, CaseLineError::UnknownSection));
            }
            // Verbatim to the end of the file: only the choice engine can tell what is a comment
            // there.
            let rest = lines.lines[lines.at..].join("\n");
            choices = Some(rest.trim_end_matches('\n').to_owned());
            break;
        }
        if is_trivia(line) {
            above.push(line.trim_end().to_owned());
        } else if begins_value(line) {
            parser.value(line, &mut lines, std::mem::take(&mut above))?;
        } else if parser.values.is_empty() {
            // `value` consumes the further lines of a value, so that a header can only be above the
            // first one.
            parser.header(line, number, std::mem::take(&mut above))?;
        } else {
            return Err(malformed(number, CaseLineError::UnknownLine));
        }
    }
    parser.layout.tail = above;
    while parser.layout.tail.last().is_some_and(String::is_empty) {
        parser.layout.tail.pop();
    }
    parser.finish(choices, lines.at)
}

fn malformed(line: usize, what: CaseLineError) -> CaseFileError {
    CaseFileError::Malformed { line: line as u32, what }
}

/// Checks that the first line names a supported version.
fn version(line: &str) -> Result<(), CaseFileError> {
    let no_version = || malformed(1, CaseLineError::NoVersion);
    let digits = line.strip_prefix("gainsay case ").ok_or_else(no_version)?.trim();
    let is_number = !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit());
    if !is_number {
        return Err(no_version());
    }
    // A number that does not fit is a later version, too, not a malformed file.
    match digits.parse().unwrap_or(u64::MAX) {
        VERSION => Ok(()),
        0 => Err(no_version()),
        version => Err(CaseFileError::NewerVersion { version }),
    }
}

/// The lines of a file, and how many were consumed.
struct CaseFileLines<'s> {
    lines: Vec<&'s str>,
    at: usize,
}

impl<'s> CaseFileLines<'s> {
    fn next(&mut self) -> Option<&'s str> {
        let line = self.lines.get(self.at).copied();
        self.at += usize::from(line.is_some());
        line
    }
}

/// What was parsed so far.
#[derive(Default)]
struct CaseFileParser {
    /// Key, text and line of each header.
    headers: Vec<(String, String, usize)>,
    keys: BTreeSet<String>,
    values: Vec<SavedValue>,
    layout: CaseFileLayout,
}

impl CaseFileParser {
    fn header(
        &mut self,
        line: &str,
        number: usize,
        above: Vec<String>,
    ) -> Result<(), CaseFileError> {
        let unknown = || malformed(number, CaseLineError::UnknownLine);
        let (key, text) = line.split_once(':').ok_or_else(unknown)?;
        let is_letter = |it: u8| matches!(it, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_');
        if key.is_empty() || !key.bytes().all(is_letter) {
            return Err(unknown());
        }
        if !self.keys.insert(key.to_owned()) {
            return Err(malformed(number, CaseLineError::RepeatedHeader(key.to_owned())));
        }
        let text = text.trim();
        // A claim has quotes inside, and unknown headers stay verbatim.
        let is_quoted = text.starts_with('"') && key != "claim" && KNOWN_HEADERS.contains(&key);
        let text = match is_quoted.then(|| unquoted(text)) {
            None => text.to_owned(),
            Some(Some((inner, ""))) => inner,
            Some(_) => return Err(malformed(number, CaseLineError::BadHeader("text"))),
        };
        self.layout.headers.push((key.to_owned(), above));
        self.headers.push((key.to_owned(), text, number));
        Ok(())
    }

    fn value(
        &mut self,
        line: &str,
        lines: &mut CaseFileLines<'_>,
        above: Vec<String>,
    ) -> Result<(), CaseFileError> {
        let number = lines.at;
        let bad = || malformed(number, CaseLineError::BadLet);
        let (name, first) = line["let".len()..].split_once('=').ok_or_else(bad)?;
        let name = name.trim();
        // An input may be the stub of an operation: `Time.unix_ms`.
        let is_letter = |it: char| it.is_alphanumeric() || it == '_' || it == '.';
        let starts_well = name.chars().next().is_some_and(|it| it.is_alphabetic() || it == '_');
        if !starts_well || !name.chars().all(is_letter) {
            return Err(bad());
        }
        let rest = &lines.lines[lines.at..];
        let ends = |line: &&str| begins_value(line) || begins_section(line);
        let mut n_more = rest.iter().position(ends).unwrap_or(rest.len());
        // Trivia before the next `let` or section belongs to that, not to this value.
        while n_more > 0 && is_trivia(rest[n_more - 1]) {
            n_more -= 1;
        }
        let mut text = first.trim().to_owned();
        for line in &rest[..n_more] {
            text.push('\n');
            text.push_str(line.trim_end());
        }
        lines.at += n_more;
        let text = text.trim().to_owned();
        if text.is_empty() {
            return Err(malformed(number, CaseLineError::NoValue(name.to_owned())));
        }
        self.layout.values.push((name.to_owned(), above));
        self.values.push(SavedValue { name: name.to_owned(), text, line: Some(number as u32) });
        Ok(())
    }

    fn finish(
        mut self,
        choices: Option<String>,
        n_lines: usize,
    ) -> Result<SavedCase, CaseFileError> {
        let mut take = |key: &'static str| {
            let at = self.headers.iter().position(|(it, ..)| it == key)?;
            let (_, text, line) = self.headers.remove(at);
            Some((text, line))
        };
        let missing = |key| move || malformed(n_lines, CaseLineError::MissingHeader(key));
        let (claim, claim_line) = take("claim").ok_or_else(missing("claim"))?;
        let (failure, _) = take("failure").ok_or_else(missing("failure"))?;
        let (found, _) = take("found").ok_or_else(missing("found"))?;
        let fixed = match take("status") {
            None => None,
            Some((text, line)) => fixed_since(&text)
                .ok_or_else(|| malformed(line, CaseLineError::BadHeader("status")))?,
        };
        let claim = ClaimName::parse(&claim)
            .ok_or_else(|| malformed(claim_line, CaseLineError::BadHeader("claim")))?;
        let extra = self.headers.into_iter().map(|(key, text, _)| (key, text)).collect();
        let (values, layout) = (self.values, self.layout);
        Ok(SavedCase { claim, failure, found, fixed, values, choices, extra, layout })
    }
}

/// The date in `fixed 2026-11-20`, `None` for `open`. The outer `None` is any other text.
fn fixed_since(status: &str) -> Option<Option<String>> {
    if status == "open" {
        return Some(None);
    }
    let day = status.strip_prefix("fixed ")?.trim();
    (!day.is_empty()).then(|| Some(day.to_owned()))
}
