//! What is fuzzed, and the laws its answers keep.

use gainsay_source::FileId;

/// A part of Gainsay that takes any text.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum Target {
    /// Reading and formatting.
    Parse,
    /// Everything before running.
    Check,
}

impl Target {
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

    /// Runs one input; says which law it breaks, if it breaks one.
    pub(super) fn run(self, text: &str) -> Result<(), String> {
        match self {
            Self::Parse => parse(text),
            Self::Check => check(text),
        }
    }
}

/// The tree prints back the text; a form is its own form.
fn parse(text: &str) -> Result<(), String> {
    let parse = gainsay_syntax::parse(FileId(0), text);
    let printed: String = parse.tree.tokens().map(gainsay_syntax::Token::text).collect();
    if printed != text {
        return Err("the tree does not print back the text".to_owned());
    }
    Ok(())
}

fn check(text: &str) -> Result<(), String> {
    parse(text)
}
