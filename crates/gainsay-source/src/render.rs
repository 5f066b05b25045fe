//! Renders diagnostics as text for people.
//!
//! `annotate-snippets`, the renderer that rustc is moving to, lays out the snippets; this is the
//! only file that depends on it.

use std::fmt::Write as _;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use crate::codes::Severity;
use crate::control_characters::replace_control_characters;
use crate::diagnostic::{Diagnostic, Label};
use crate::file::{FileId, SourceFile, SourceMap};

/// A longer line is not drawn, because it would bury the message.
const MAX_DRAWN_LINE: usize = 1_000;

/// Whether the output goes to a terminal that supports colors.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum RenderStyle {
    /// No escape sequences.
    Plain,
    /// With ANSI colors. Colour alone never carries meaning.
    Coloured,
}

/// Renders a diagnostic in rustc's format: headline, code, labelled source, notes, help.
pub fn render(files: &SourceMap, diagnostic: &Diagnostic, style: RenderStyle) -> String {
    let level = match diagnostic.code.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let id = format!("{} {}", diagnostic.code.name(), diagnostic.code.slug);
    let mut group = level
        .primary_title(diagnostic.message.as_str())
        .id(id)
        .elements(std::iter::empty::<Snippet<'_, annotate_snippets::Annotation<'_>>>());
    for window in snippets(files, diagnostic) {
        group = group.element(window);
    }
    let footers: Vec<(Level<'_>, &str)> = diagnostic
        .notes
        .iter()
        .map(|note| (Level::NOTE, note.as_str()))
        .chain(diagnostic.help.iter().map(|help| (Level::HELP, help.text.as_str())))
        .collect();
    for (level, text) in footers {
        group = group.element(level.message(text));
    }
    let renderer = match style {
        RenderStyle::Plain => Renderer::plain(),
        RenderStyle::Coloured => Renderer::styled(),
    };
    let report: [Group<'_>; 1] = [group];
    let mut text = location_of_undrawn_line(files, diagnostic).unwrap_or_default();
    text.insert_str(0, &renderer.term_width(140).render(&report));
    if !text.ends_with('\n') {
        text.push('\n');
    }
    // `annotate-snippets` replaces ASCII control characters with pictures, but not the C1 range.
    text.replace(|it| matches!(it, '\u{80}'..='\u{9f}'), "\u{fffd}")
}

/// One snippet per file that has labels; the primary label's file comes first.
fn snippets<'a>(
    files: &'a SourceMap,
    diagnostic: &'a Diagnostic,
) -> Vec<Snippet<'a, annotate_snippets::Annotation<'a>>> {
    let home = diagnostic.primary.span.file;
    let mut order: Vec<FileId> = vec![home];
    for label in &diagnostic.secondary {
        if !order.contains(&label.span.file) {
            order.push(label.span.file);
        }
    }
    order.into_iter().filter_map(|file| snippet_of_file(files, file, diagnostic)).collect()
}

/// The labelled lines of one file, or `None` if a line is too long to draw.
fn snippet_of_file<'a>(
    files: &'a SourceMap,
    id: FileId,
    diagnostic: &'a Diagnostic,
) -> Option<Snippet<'a, annotate_snippets::Annotation<'a>>> {
    let file = files.get(id);
    let labels = labels_in(diagnostic, id);
    let (first_line, range) = lines_around(file, &labels);
    let text = file.text.get(range.clone())?;
    if text.lines().any(|line| line.len() > MAX_DRAWN_LINE) {
        return None;
    }
    let mut snippet = Snippet::source(text)
        .path(replace_control_characters(&file.name))
        .line_start(first_line as usize);
    for (kind, label) in labels {
        let start = (label.span.start as usize).saturating_sub(range.start).min(text.len());
        let end = (label.span.end as usize).saturating_sub(range.start).min(text.len());
        let annotation = kind.span(start..end);
        snippet = snippet.annotation(if label.text.is_empty() {
            annotation
        } else {
            annotation.label(label.text.as_str())
        });
    }
    Some(snippet)
}

fn labels_in(diagnostic: &Diagnostic, file: FileId) -> Vec<(AnnotationKind, &Label)> {
    let primary = std::iter::once((AnnotationKind::Primary, &diagnostic.primary));
    let secondary = diagnostic.secondary.iter().map(|it| (AnnotationKind::Context, it));
    primary.chain(secondary).filter(|(_, label)| label.span.file == file).collect()
}

/// The one-based first line and the byte range of the whole lines that the labels touch. Only these
/// lines go to the renderer, so that rendering cost does not grow with the file.
fn lines_around(file: &SourceFile, labels: &[(AnnotationKind, &Label)]) -> (u32, Range<usize>) {
    let start = labels.iter().map(|(_, it)| it.span.start).min().unwrap_or(0);
    let end = labels.iter().map(|(_, it)| it.span.end).max().unwrap_or(0);
    let from = file.text[..start as usize].rfind('\n').map_or(0, |newline| newline + 1);
    let to = file.text[end as usize..]
        .find('\n')
        .map_or(file.text.len(), |newline| end as usize + newline);
    (file.position(start).line, from..to)
}

/// The location in words, for a span whose line was not drawn.
fn location_of_undrawn_line(files: &SourceMap, diagnostic: &Diagnostic) -> Option<String> {
    let span = diagnostic.primary.span;
    if snippet_of_file(files, span.file, diagnostic).is_some() {
        return None;
    }
    let file = files.get(span.file);
    let at = file.position(span.start);
    let mut text = String::new();
    let _ = write!(text, "\n  --> {}:{}:{} (a long line)", file.name, at.line, at.column);
    Some(text)
}
