//! Text from outside, made fit for a terminal.

use std::borrow::Cow;

/// The text with a replacement character for each control character but tabs and line ends. A
/// file name or a line of a source may hold a sequence that moves the cursor or hides other text.
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
