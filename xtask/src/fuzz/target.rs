//! Fuzz targets and the laws they must satisfy.

use gainsay_source::FileId;
use gainsay_ui::{SourceModule, difference};

/// A part of Gainsay that accepts any text.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum FuzzTarget {
    /// Parsing and formatting.
    Parse,
    /// Everything before running.
    Check,
}

impl FuzzTarget {
    /// The target with a name.
    pub(super) fn named(name: &str) -> Option<Self> {
        [Self::Parse, Self::Check].into_iter().find(|it| it.name() == name)
    }

    /// Its name on the command line.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Parse => "parse",
            Self::Check => "check",
        }
    }

    /// Runs one input; returns the law it violates, if any.
    pub(super) fn run(self, text: &str) -> Result<(), String> {
        match self {
            Self::Parse => parse(text),
            Self::Check => check(text),
        }
    }
}

/// The tree prints back the text, and formatting is idempotent.
fn parse(text: &str) -> Result<(), String> {
    let parse = gainsay_syntax::parse(FileId(0), text);
    let printed: String = parse.tree.tokens().map(gainsay_syntax::Token::text).collect();
    if printed != text {
        return Err("the tree does not print back the text".to_owned());
    }
    let Some(once) = gainsay_syntax::format(&parse) else { return Ok(()) };
    match gainsay_syntax::format(&gainsay_syntax::parse(FileId(0), &once)) {
        Some(twice) if twice == once => Ok(()),
        Some(twice) => {
            Err(format!("its form differs from itself\n{}", difference(&once, &twice)))
        }
        None => Err(format!("its form cannot be read\n{}", difference(text, &once))),
    }
}

/// Checking terminates without a panic.
fn check(text: &str) -> Result<(), String> {
    gainsay_ui::check(&[SourceModule { name: "fuzz.say".to_owned(), text: text.to_owned() }]);
    Ok(())
}
