//! `--format github`: a GitHub Actions annotation for each survivor.

use super::{MutationReportData, survivor_diagnostic};
use crate::report::github;

/// The lines.
pub(super) fn lines(data: &MutationReportData<'_>) -> String {
    let mut text = String::new();
    for it in &data.report.mutants {
        if let Some(mut found) = survivor_diagnostic::diagnostic(data, it) {
            found.message += &format!("\n{}", survivor_diagnostic::details(data, it, &found));
            text += &github::diagnostic(data.files, &found);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::lines;
    use crate::report::golden::assert_annotations;

    #[test]
    fn there_is_a_line_for_each_undetected_mutant() {
        let text = fixture::with_report_data(lines);
        fixture::assert_golden("report.github.txt", &text);
        assert_annotations(&text);
        assert_eq!(text.lines().count(), fixture::N_SURVIVED);
    }
}
