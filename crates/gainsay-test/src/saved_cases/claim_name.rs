//! Identifies a claim by its name and never by its text, so that edits do not lose saved cases.

use std::fmt;

use super::quoted::{quoted, unquoted};
use crate::report::ClaimType;

/// Identifies a claim by its module, kind and name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimName {
    /// Its module, as `ledger` or `bank.ledger`.
    pub module: String,
    /// Its kind.
    pub ty: ClaimType,
    /// Its name.
    pub name: String,
}

/// The kinds of claims and their keywords.
const CLAIM_TYPE_NAMES: [(ClaimType, &str); 3] = [
    (ClaimType::Test, "test"),
    (ClaimType::Property, "property"),
    (ClaimType::Verify, "verify"),
];

impl ClaimName {
    /// A claim by its parts.
    pub fn new(module: impl Into<String>, ty: ClaimType, name: impl Into<String>) -> Self {
        Self { module: module.into(), ty, name: name.into() }
    }

    /// The keyword of its kind.
    pub(super) fn kind_name(&self) -> &'static str {
        CLAIM_TYPE_NAMES.iter().find(|(ty, _)| *ty == self.ty).map_or("claim", |(_, word)| word)
    }

    /// Parses a claim such as `ledger / test "transfer keeps the sum"`.
    pub(super) fn parse(text: &str) -> Option<Self> {
        // Only names that could be misread are quoted, so that most files stay easy to write by
        // hand.
        let (module, rest) = if text.starts_with('"') {
            unquoted(text)?
        } else {
            let end = text.find(|it| !is_plain(it)).unwrap_or(text.len());
            (text[..end].to_owned(), &text[end..])
        };
        let rest = rest.trim_start().strip_prefix('/')?.trim_start();
        let (ty, word) = CLAIM_TYPE_NAMES.iter().find(|(_, word)| rest.starts_with(word))?;
        let (name, rest) = unquoted(rest[word.len()..].trim_start())?;
        let is_whole = !module.is_empty() && rest.trim().is_empty();
        is_whole.then(|| Self::new(module, *ty, name))
    }
}

impl fmt::Display for ClaimName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_bare = !self.module.is_empty() && self.module.chars().all(is_plain);
        let module = if is_bare { self.module.clone() } else { quoted(&self.module) };
        write!(f, "{module} / {} {}", self.kind_name(), quoted(&self.name))
    }
}

/// Whether a character of a module name needs no quotes.
fn is_plain(it: char) -> bool {
    it.is_alphanumeric() || matches!(it, '_' | '.' | '-')
}

#[cfg(test)]
mod tests {
    use super::ClaimName;
    use crate::report::ClaimType;

    #[test]
    fn names_read_back() {
        for (module, ty, name, text) in [
            ("ledger", ClaimType::Test, "keeps the sum", r#"ledger / test "keeps the sum""#),
            ("bank.ledger", ClaimType::Property, "f", r#"bank.ledger / property "f""#),
            ("a / b", ClaimType::Verify, "\"\n\\", r#""a / b" / verify "\"\n\\""#),
            ("größe", ClaimType::Test, "", r#"größe / test """#),
        ] {
            let claim = ClaimName::new(module, ty, name);
            assert_eq!(claim.to_string(), text);
            assert_eq!(ClaimName::parse(text), Some(claim));
        }
        let by_hand = ClaimName::parse("a/test\"b\"  ");
        assert_eq!(by_hand, Some(ClaimName::new("a", ClaimType::Test, "b")));
        for wrong in
            ["", "a", "a / ", "a / test", "a / tset \"b\"", "a / test \"b\" c", "/ test \"\""]
        {
            assert_eq!(ClaimName::parse(wrong), None, "{wrong}");
        }
    }
}
