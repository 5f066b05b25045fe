//! Marks: `//~ GS0401` at the end of a line expects that diagnostic on this line, and no diagnostic
//! is allowed on lines without a mark.

use gainsay_source::{Diagnostic, SourceMap};

/// A diagnostic on a line. A diagnostic at the end of a file counts for its last line.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct DiagnosticMark {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The code, as in `GS0401`.
    pub code: String,
}

/// The marks in a text.
pub fn marks(file: &str, text: &str) -> Vec<DiagnosticMark> {
    let mut found = Vec::new();
    for (line, content) in (1..).zip(text.lines()) {
        let Some((_, codes)) = content.rsplit_once("//~") else { continue };
        let codes = codes.split([' ', ',']).filter(|code| !code.is_empty());
        found.extend(codes.map(|code| DiagnosticMark {
            file: file.to_owned(),
            line,
            code: code.to_owned(),
        }));
    }
    found
}

/// The marks for a program's diagnostics.
pub fn expected_marks(files: &SourceMap, diagnostics: &[Diagnostic]) -> Vec<DiagnosticMark> {
    let deserve = |it: &Diagnostic| {
        let file = files.get(it.primary.span.file);
        let last_line = file.text.lines().count().max(1) as u32;
        DiagnosticMark {
            file: file.name.clone(),
            line: file.position(it.primary.span.start).line.min(last_line),
            code: it.code.name(),
        }
    };
    diagnostics.iter().map(deserve).collect()
}

/// The marks for rendered diagnostics: a headline `error[GS0401 slug]: ..`, and below it the
/// location `--> file:line:column`.
pub fn expected_marks_of_text(report: &str) -> Vec<DiagnosticMark> {
    let mut found = Vec::new();
    let mut pending: Option<String> = None;
    for line in report.lines() {
        if let Some(code) = headline_code(line) {
            pending = Some(code.to_owned());
        } else if let Some((_, place)) = line.split_once("--> ")
            && let Some(code) = pending.take()
            && let [_, line, file] = place.rsplitn(3, ':').collect::<Vec<_>>()[..]
            && let Ok(line) = line.parse()
        {
            found.push(DiagnosticMark { file: file.to_owned(), line, code });
        }
    }
    found
}

/// The code in `error[GS0401 slug]: ..` and the like.
fn headline_code(line: &str) -> Option<&str> {
    let (_, rest) = ["error[", "warning[", "note["]
        .iter()
        .find_map(|level| line.starts_with(level).then(|| line.split_at(level.len())))?;
    let code = rest.split([' ', ']']).next()?;
    code.starts_with("GS").then_some(code)
}

/// The difference between marks and diagnostics, if there is one.
pub fn disagreement(
    mut marked: Vec<DiagnosticMark>,
    mut found: Vec<DiagnosticMark>,
) -> Option<String> {
    marked.sort();
    found.sort();
    if marked == found {
        return None;
    }
    let mut text = String::new();
    for (lead, some, others) in
        [("marked, not found", &marked, &found), ("found, not marked", &found, &marked)]
    {
        let mut others = others.clone();
        for mark in some {
            match others.iter().position(|it| it == mark) {
                Some(at) => drop(others.swap_remove(at)),
                None => {
                    text += &format!("  {lead}: {}:{} {}\n", mark.file, mark.line, mark.code)
                }
            }
        }
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::{DiagnosticMark, disagreement, expected_marks_of_text, marks};

    fn mark(line: u32, code: &str) -> DiagnosticMark {
        DiagnosticMark { file: "a.say".to_owned(), line, code: code.to_owned() }
    }

    #[test]
    fn a_line_may_have_several_marks() {
        let found = marks("a.say", "x\ny //~ GS0101 GS0102\n");
        assert_eq!(found, [mark(2, "GS0101"), mark(2, "GS0102")]);
    }

    #[test]
    fn rendered_reports_are_read_back() {
        let report = "error[GS0604 division-by-zero]: divided by zero\n --> a.say:3:7\n  |\n";
        assert_eq!(expected_marks_of_text(report), [mark(3, "GS0604")]);
    }

    #[test]
    fn a_mark_counts_once() {
        let twice = vec![mark(1, "GS0101"), mark(1, "GS0101")];
        assert!(disagreement(twice.clone(), vec![mark(1, "GS0101")]).is_some());
        assert!(disagreement(twice.clone(), twice).is_none());
    }
}
