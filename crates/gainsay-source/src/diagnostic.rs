//! Diagnostics as data: what is wrong, where, and how to fix it. `render.rs` turns them into
//! text.

use crate::codes::{DiagnosticCode, Severity};
use crate::file::Span;

/// A span with a message about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// The text shown under the span; may be empty.
    pub text: String,
}

/// A replacement for a range of text, which an editor can apply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextEdit {
    /// The range that is replaced; empty for an insertion.
    pub span: Span,
    /// The new text.
    pub replacement: String,
}

/// Something the user can do next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Help {
    /// An action, beginning with a verb.
    pub text: String,
    /// The same action as an edit, if exactly one edit does it.
    pub edit: Option<TextEdit>,
}

/// One finding about a program, rendered into words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The kind of finding.
    pub code: DiagnosticCode,
    /// The fact: one line, lower case, no full stop.
    pub message: String,
    /// The place the finding is about.
    pub primary: Label,
    /// Other places that explain it.
    pub secondary: Vec<Label>,
    /// Short explanations of the cause.
    pub notes: Vec<String>,
    /// What the user can do next.
    pub help: Vec<Help>,
}

impl Diagnostic {
    /// Creates a diagnostic with its primary span at `span`.
    pub fn new(code: DiagnosticCode, span: Span, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            primary: Label { span, text: String::new() },
            secondary: Vec::new(),
            notes: Vec::new(),
            help: Vec::new(),
        }
    }

    /// Sets the text under the primary span.
    #[must_use]
    pub fn with_primary_label(mut self, text: impl Into<String>) -> Self {
        self.primary.text = text.into();
        self
    }

    /// Adds a secondary span that explains the finding.
    #[must_use]
    pub fn with_label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.secondary.push(Label { span, text: text.into() });
        self
    }

    /// Adds an explanatory note.
    #[must_use]
    pub fn with_note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Adds an action for the user.
    #[must_use]
    pub fn with_help(mut self, text: impl Into<String>) -> Self {
        self.help.push(Help { text: text.into(), edit: None });
        self
    }

    /// Adds an action for the user, with the edit that performs it.
    #[must_use]
    pub fn with_fix(
        mut self,
        text: impl Into<String>,
        span: Span,
        replacement: impl Into<String>,
    ) -> Self {
        let edit = TextEdit { span, replacement: replacement.into() };
        self.help.push(Help { text: text.into(), edit: Some(edit) });
        self
    }

    /// Adds a "did you mean" suggestion, if there is one.
    #[must_use]
    pub fn with_suggestion(self, span: Span, name: Option<&str>) -> Self {
        match name {
            Some(name) => self.with_fix(format!("did you mean `{name}`?"), span, name),
            None => self,
        }
    }

    /// Adds Gainsay's name for something named as in another language, if there is one.
    #[must_use]
    pub fn with_counterpart(self, span: Span, name: Option<&str>) -> Self {
        match name {
            Some(name) => self.with_fix(format!("use `{name}` instead"), span, name),
            None => self,
        }
    }

    /// Whether this diagnostic makes the check fail.
    pub fn is_error(&self) -> bool {
        self.code.severity == Severity::Error
    }
}

/// Sorts diagnostics in reading order: by span, then by code.
pub fn sort_diagnostics(diagnostics: &mut [Diagnostic]) {
    diagnostics.sort_by_key(|it| (it.primary.span, it.code.number));
}
