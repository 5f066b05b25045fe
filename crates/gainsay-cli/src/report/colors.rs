//! Colours. They repeat what the words say, and never carry information of their own.

use gainsay::source::RenderStyle;

/// The role of a text.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum TextRole {
    /// Success.
    Success,
    /// Failure.
    Failure,
    /// Inconclusive or suspicious.
    Warning,
    /// Less important.
    Dim,
    /// A heading.
    Heading,
}

/// Colours a text by its role.
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
