//! `--format sarif`: SARIF 2.1.0, with one result per survivor.

use gainsay::mutate::{MutantGroup, MutantReport};
use gainsay::source::{Diagnostic, Span};
use serde_json::json;

use super::{MutationReportData, rounded, survivor_diagnostic};
use crate::report::sarif::{SarifInvocation, SarifLog, SarifResult, SarifRule};
use crate::report::severity_name;

/// The document.
pub(super) fn document(data: &MutationReportData<'_>) -> String {
    let mut log = SarifLog::new(data.files, data.n_standard);
    for it in &data.report.mutants {
        if let Some(found) = survivor_diagnostic::diagnostic(data, it) {
            push(&mut log, data, it, &found);
        }
    }
    let score = |group| data.report.counts(group).score().map(rounded);
    log.document(&SarifInvocation {
        exit: data.exit,
        errors: &[],
        properties: json!({
            "score": score(MutantGroup::Code),
            "contractScore": score(MutantGroup::Contract),
            "equivalent": data.report.n_equivalent,
        }),
    })
}

fn push(
    log: &mut SarifLog<'_>,
    data: &MutationReportData<'_>,
    it: &MutantReport,
    found: &Diagnostic,
) {
    let text =
        format!("{}\n\n{}", found.message, survivor_diagnostic::details(data, it, found));
    let related: Vec<(Span, &str)> =
        found.secondary.iter().map(|label| (label.span, &*label.text)).collect();
    log.push(SarifResult {
        rule: SarifRule::of(found.code),
        level: severity_name(found.code.severity),
        text,
        span: it.mutant.span,
        related,
        fingerprint: format!("{}/{}", found.code.name(), it.mutant.id),
        properties: json!({
            "mutant": it.mutant.id,
            "operator": it.mutant.operator,
            "function": it.declaration,
            "replacement": it.mutant.replacement,
        }),
    });
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::document;
    use crate::report::golden;

    #[test]
    fn the_document_has_what_sarif_requires() {
        let text = fixture::with_report_data(document);
        fixture::assert_golden("report.sarif", &text);
        let log = golden::parse_sarif(&text);
        assert_eq!(log["runs"][0]["results"].as_array().unwrap().len(), fixture::N_SURVIVED);
    }
}
