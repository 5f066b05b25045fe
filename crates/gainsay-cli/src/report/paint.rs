//! Colours. They repeat what the words say, and never say more.

use gainsay::source::Style;

/// What a text is about.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum Tone {
    /// It is as it should be.
    Good,
    /// It is not.
    Bad,
    /// It cannot be told, or is odd.
    Odd,
    /// It is not so important.
    Dim,
    /// It is a heading.
    Strong,
}

/// A text in its colour.
pub(super) fn paint(style: Style, tone: Tone, text: &str) -> String {
    let code = match tone {
        Tone::Good => "32",
        Tone::Bad => "31",
        Tone::Odd => "33",
        Tone::Dim => "2",
        Tone::Strong => "1",
    };
    match style {
        Style::Plain => text.to_owned(),
        Style::Coloured => format!("\u{1b}[{code}m{text}\u{1b}[0m"),
    }
}
