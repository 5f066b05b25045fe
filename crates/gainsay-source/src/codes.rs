//! Every diagnostic of Gainsay, one line each.
//!
//! The hundreds say the phase: 01 text, 02 names, 03 types, 04 effects, 05 claims and
//! generators, 06 running, 07 mutants, 08 proofs, 09 projects. A number is never used twice.

/// How bad a diagnostic is before the project's settings are applied.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum Severity {
    /// The program is rejected.
    Error,
    /// The program runs, and is probably not what was meant.
    Warning,
    /// Good to know.
    Note,
}

/// What is known of a kind of diagnostic before any program is seen.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct Code {
    /// The stable number: 101 is shown as `GS0101`.
    pub number: u16,
    /// The stable name, as in `unknown-character`.
    pub slug: &'static str,
    /// The severity unless a project overrides it.
    pub severity: Severity,
    /// One sentence for the index of codes.
    pub summary: &'static str,
}

impl Code {
    /// The number as users see it: `GS0101`.
    pub fn name(self) -> String {
        format!("GS{:04}", self.number)
    }
}

/// The code with a number (`GS0101`, `gs101`, `101`) or a slug.
pub fn find(text: &str) -> Option<Code> {
    let digits = text.strip_prefix("GS").or_else(|| text.strip_prefix("gs")).unwrap_or(text);
    let number = digits.parse::<u16>().ok();
    ALL.iter().copied().find(|code| Some(code.number) == number || code.slug == text)
}

macro_rules! codes {
    ($($name:ident = $number:literal $severity:ident $slug:literal: $summary:literal;)+) => {
        $(#[doc = $summary] pub const $name: Code = Code {
            number: $number, slug: $slug, severity: Severity::$severity, summary: $summary,
        };)+

        /// All codes, in the order of their numbers.
        pub const ALL: &[Code] = &[$($name),+];
    };
}

codes! {
    UNKNOWN_CHARACTER = 101 Error "unknown-character": "A character that starts no token.";
    UNCLOSED_STRING = 102 Error "unclosed-string": "A string or character that meets the end of its line.";
    BAD_ESCAPE = 103 Error "bad-escape": "An escape sequence that stands for no character.";
    BAD_NUMBER = 104 Error "bad-number": "A number that is not written as one.";
    BAD_CHARACTER = 105 Error "bad-character": "A character literal that does not hold exactly one character.";
    UNEXPECTED_TOKEN = 110 Error "unexpected-token": "Something else was expected here.";
    UNCLOSED_BRACKET = 111 Error "unclosed-bracket": "A bracket that is never closed.";
    TOO_DEEP = 112 Error "too-deep": "Code nested deeper than Gainsay reads.";
    CHAINED_COMPARISON = 113 Error "chained-comparison": "A comparison of a comparison.";
    MISPLACED_DOC = 114 Warning "misplaced-doc": "A doc comment that documents nothing.";
}
