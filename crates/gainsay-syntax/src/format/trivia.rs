//! Comments and blank lines between the tokens.
//!
//! Tokens are emitted in source order, so a cursor over all tokens finds the comments between one
//! token and the next. The cursor skips commas and semicolons, because the layout emits its own.

use super::LayoutWriter;
use crate::kind::TokenKind;
use crate::tree::{EntryId, Node, Token, Tree};

/// A position in the sequence of all tokens.
pub(super) struct TokenCursor<'t> {
    tokens: Vec<Token<'t>>,
    at: usize,
    blank: BlankLinePolicy,
}

/// Whether a blank line before the next token is kept.
#[derive(Copy, Clone, PartialEq, Eq)]
enum BlankLinePolicy {
    Drop,
    Keep,
}

impl<'t> TokenCursor<'t> {
    pub(super) fn new(tree: &'t Tree) -> Self {
        Self { tokens: tree.tokens().collect(), at: 0, blank: BlankLinePolicy::Drop }
    }

    /// Keeps a blank line before the next token.
    pub(super) fn allow_blank(&mut self) {
        self.blank = BlankLinePolicy::Keep;
    }
}

/// Whether a token is white space that contains a blank line.
fn is_blank(token: Token<'_>) -> bool {
    token.kind() == TokenKind::Newline && token.text().matches('\n').count() > 1
}

impl<'t> LayoutWriter<'t> {
    /// Emits a token with the comments before it and the comment that ends its line.
    pub(super) fn token(&mut self, token: Token<'t>) {
        self.comments_before(token.id());
        self.commands.text(token.text());
        self.cursor.at += 1;
        self.trailing_comment();
    }

    /// Emits the comments before a token, each on a line of its own.
    pub(super) fn comments_before(&mut self, id: EntryId) {
        let mut blank = false;
        // Taken: the permission is for one token only.
        let keep = std::mem::replace(&mut self.cursor.blank, BlankLinePolicy::Drop);
        let mut has_comments = false;
        while let Some(token) = self.cursor.tokens.get(self.cursor.at).copied() {
            if token.id() >= id {
                break;
            }
            self.cursor.at += 1;
            let is_comment = matches!(
                token.kind(),
                TokenKind::Comment | TokenKind::DocComment | TokenKind::Shebang
            );
            if is_comment {
                // The layout has already emitted the line break before the first comment.
                if blank {
                    self.commands.hard_line();
                    self.commands.blank_line();
                }
                self.commands.comment_line(token.text().trim_end());
                has_comments = true;
                blank = false;
            } else if token.kind() == TokenKind::Newline {
                blank = is_blank(token);
            }
        }
        if blank && (has_comments || keep == BlankLinePolicy::Keep) {
            self.commands.blank_line();
        }
    }

    /// Emits the comments before a node ahead of it, so that they do not break groups inside it.
    pub(super) fn comments_before_node(&mut self, node: Node<'t>) {
        let start = node.span().start;
        let rest = &self.cursor.tokens[self.cursor.at.min(self.cursor.tokens.len())..];
        let first = rest.iter().find(|it| it.span().start >= start && !it.kind().is_trivia());
        if let Some(first) = first.copied() {
            self.comments_before(first.id());
        }
    }

    /// Whether there are comments before a token.
    pub(super) fn has_comments_before(&self, id: EntryId) -> bool {
        let rest = &self.cursor.tokens[self.cursor.at.min(self.cursor.tokens.len())..];
        rest.iter()
            .take_while(|token| token.id() < id)
            .any(|token| matches!(token.kind(), TokenKind::Comment | TokenKind::DocComment))
    }

    /// Emits the comment after the last token, if it is on the same line. A doc comment there
    /// belongs to the next declaration.
    fn trailing_comment(&mut self) {
        let rest = &self.cursor.tokens[self.cursor.at..];
        let skipped = rest
            .iter()
            .take_while(|token| {
                matches!(
                    token.kind(),
                    TokenKind::Whitespace | TokenKind::Comma | TokenKind::Semicolon
                )
            })
            .count();
        if let Some(comment) = rest.get(skipped)
            && comment.kind() == TokenKind::Comment
        {
            self.commands.trailing_comment(comment.text().trim_end());
            self.cursor.at += skipped + 1;
        }
    }

    /// Emits the comments at the end of the file.
    pub(super) fn comments_until_end(&mut self) {
        self.commands.hard_line();
        // An id beyond every token, so that no comment is left over.
        self.comments_before(EntryId(u32::MAX));
    }
}

/// Whether a part is the first on its line in the source.
pub(super) fn starts_line(tree: &Tree, start: u32) -> bool {
    let before = tree.text()[..start as usize].trim_end_matches([' ', '\t', '\r']);
    before.ends_with('\n')
}

/// Whether a line ends at an offset, perhaps after a comment.
pub(super) fn ends_line(tree: &Tree, end: u32) -> bool {
    let after = tree.text()[end as usize..].trim_start_matches([' ', '\t', '\r']);
    after.starts_with('\n') || after.starts_with("//")
}
