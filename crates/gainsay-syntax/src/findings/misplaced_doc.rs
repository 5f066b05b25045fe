//! A doc comment that documents nothing.

use gainsay_source::codes::MISPLACED_DOC;
use gainsay_source::{Diagnostic, Span};

/// `/// text` with no declaration after it.
pub(crate) struct MisplacedDoc {
    /// The comment.
    pub(crate) span: Span,
}

impl From<MisplacedDoc> for Diagnostic {
    fn from(it: MisplacedDoc) -> Self {
        let slash = Span { end: it.span.start + 1, ..it.span };
        Self::new(MISPLACED_DOC, it.span, "this doc comment documents nothing")
            .with_note(
                "a doc comment goes before a declaration, constructor, field, operation or rule",
            )
            .with_fix("write `//` for a regular comment", slash, "")
    }
}
