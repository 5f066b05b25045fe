//! Sanitizes text from outside for display on a terminal.

use std::borrow::Cow;

/// Replaces every control character except tab and newline with U+FFFD. A file name or a source
/// line may contain an escape sequence that moves the cursor or hides other text.
pub fn replace_control_characters(text: &str) -> Cow<'_, str> {
    let is_hostile = |it: char| it.is_control() && it != '\n' && it != '\t';
    if !text.contains(is_hostile) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.replace(is_hostile, "\u{fffd}"))
}

#[cfg(test)]
mod tests {
    use super::replace_control_characters;

    #[test]
    fn only_control_characters_are_replaced() {
        assert_eq!(replace_control_characters("plain\ttext\n"), "plain\ttext\n");
        assert_eq!(
            replace_control_characters("a\u{1b}[31mb\u{9b}c\u{7f}\r"),
            "a\u{fffd}[31mb\u{fffd}c\u{fffd}\u{fffd}"
        );
    }
}
