//! `--format junit`: JUnit XML, with one suite per file and one case per mutant. A survivor is a
//! failure.

use gainsay::mutate::{MutantGroup, MutantReport, MutantStatus};

use super::{MutationReportData, descriptions, percent, survivor_diagnostic};
use crate::report::junit::{self, JunitCase, JunitResult, JunitSuite, problem, skipped};
use crate::report::location_text;

/// The document.
pub(super) fn document(data: &MutationReportData<'_>) -> String {
    let score = data.report.counts(MutantGroup::Code).score();
    let score = score.map_or_else(|| "none".to_owned(), percent);
    let mut suites: Vec<JunitSuite> = Vec::new();
    for it in &data.report.mutants {
        let file = data.path(it.mutant.span);
        let class = format!("{file}/{}", it.declaration);
        let (id, operator) = (&it.mutant.id, it.mutant.operator);
        let name = format!("{id} {operator}: {}", it.mutant.description);
        junit::suite_of(&mut suites, file, || vec![("score", score.clone())]).push(JunitCase {
            name: &name,
            class: &class,
            result: result(&it.status),
            content: content(data, it),
            seconds: None,
        });
    }
    junit::document(&suites, None)
}

fn result(it: &MutantStatus) -> JunitResult {
    match it {
        MutantStatus::Killed | MutantStatus::KilledByContract(_) | MutantStatus::Timeout => {
            JunitResult::Passed
        }
        MutantStatus::Survived | MutantStatus::Unreached => JunitResult::Failed,
        MutantStatus::NoDifference { .. } | MutantStatus::Suppressed(_) => JunitResult::Skipped,
    }
}

fn content(data: &MutationReportData<'_>, it: &MutantReport) -> String {
    let why = descriptions::verdict_reason(data, it);
    match result(&it.status) {
        JunitResult::Passed => why.map_or_else(String::new, |why| junit::system_out(&why)),
        JunitResult::Skipped | JunitResult::Error => {
            let word = descriptions::verdict_name(&it.status);
            // If no difference was found, there is nothing to add.
            let says_all = matches!(it.status, MutantStatus::NoDifference { .. });
            match why {
                Some(why) if says_all => skipped(&why),
                Some(why) => skipped(&format!("{word}: {why}")),
                None => skipped(word),
            }
        }
        JunitResult::Failed => {
            let Some(found) = survivor_diagnostic::diagnostic(data, it) else {
                return String::new();
            };
            let place = location_text(data.files, it.mutant.span);
            let text = format!("{place}\n{}", survivor_diagnostic::details(data, it, &found));
            problem("failure", found.code.slug, &found.message, &text)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::document;
    use crate::report::golden;

    #[test]
    fn the_document_is_well_formed() {
        let text = fixture::with_report_data(document);
        fixture::assert_golden("report.junit.xml", &text);
        let tags = golden::xml_tags(&text);
        let count = |name: &str| tags.iter().filter(|tag| tag.as_str() == name).count();
        assert_eq!(count("testcase"), fixture::N_MUTANTS);
        assert_eq!(count("failure") + 1, fixture::N_SURVIVED);
        assert_eq!((count("error"), count("skipped")), (0, 2));
    }
}
