//! What went wrong, where, and what to do about it.

use crate::codes::{DiagnosticCode, Severity};
use crate::file::Span;

/// A place and what to say about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// A phrase set under the place; may be empty.
    pub text: String,
}

/// Text to put in place of a range: what an editor can apply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextEdit {
    /// What is replaced; empty for an insertion.
    pub span: Span,
    /// What stands there afterwards.
    pub replacement: String,
}

/// Something the user can do next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Help {
    /// An action, beginning with a verb.
    pub text: String,
    /// The same as an edit, where there is exactly one.
    pub edit: Option<TextEdit>,
}

/// One finding about a program, worded.
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
    /// Why it is so, only if short.
    pub notes: Vec<String>,
    /// What the user can do next.
    pub help: Vec<Help>,
}

impl Diagnostic {
    /// A finding at `span`.
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

    /// Sets the phrase under the primary place.
    #[must_use]
    pub fn with_primary_label(mut self, text: impl Into<String>) -> Self {
        self.primary.text = text.into();
        self
    }

    /// Adds a place that explains the finding.
    #[must_use]
    pub fn with_label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.secondary.push(Label { span, text: text.into() });
        self
    }

    /// Adds why it is so.
    #[must_use]
    pub fn with_note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Adds what the user can do next.
    #[must_use]
    pub fn with_help(mut self, text: impl Into<String>) -> Self {
        self.help.push(Help { text: text.into(), edit: None });
        self
    }

    /// Adds what the user can do next, and the edit that does it.
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

    /// Adds "did you mean" for a name, if there is one.
    #[must_use]
    pub fn with_suggestion(self, span: Span, name: Option<&str>) -> Self {
        match name {
            Some(name) => self.with_fix(format!("did you mean `{name}`?"), span, name),
            None => self,
        }
    }

    /// Adds the name that something from another language has here, if there is one.
    #[must_use]
    pub fn with_counterpart(self, span: Span, name: Option<&str>) -> Self {
        match name {
            Some(name) => self.with_fix(format!("use `{name}` instead"), span, name),
            None => self,
        }
    }

    /// Whether the program is rejected because of it.
    pub fn is_error(&self) -> bool {
        self.code.severity == Severity::Error
    }
}

/// Puts diagnostics in the order users read them: by place, then by code.
pub fn sort_diagnostics(diagnostics: &mut [Diagnostic]) {
    diagnostics.sort_by_key(|it| (it.primary.span, it.code.number));
}
