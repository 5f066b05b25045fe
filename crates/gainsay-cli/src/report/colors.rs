//! Colours. They repeat what the words say, and never say more.

use gainsay::source::RenderStyle;

/// What a text is about.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum TextRole {
    /// It is as it should be.
    Success,
    /// It is not.
    Failure,
    /// It cannot be told, or is odd.
    Warning,
    /// It is not so important.
    Dim,
    /// It is a heading.
    Heading,
}

/// A text in its colour.
pub(super) fn paint(style: RenderStyle, tone: TextRole, text: &str) -> String {
    let code = match tone {
        TextRole::Success => "32",
        TextRole::Failure => "31",
        TextRole::Warning => "33",
        TextRole::Dim => "2",
        TextRole::Heading => "1",
    };
    match style {
        RenderStyle::Plain => text.to_owned(),
        RenderStyle::Coloured => format!("\u{1b}[{code}m{text}\u{1b}[0m"),
    }
}
