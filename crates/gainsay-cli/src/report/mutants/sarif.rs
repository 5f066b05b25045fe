//! `--format sarif`: SARIF 2.1.0, a result for each mutant that nothing noticed.

use gainsay::mutate::{Group, MutantReport};
use gainsay::source::{Diagnostic, Span};
use serde_json::json;

use super::{Account, finding, rounded};
use crate::report::sarif::{Ending, Found, Log, Rule};
use crate::report::severity;

/// The document.
pub(super) fn document(account: &Account<'_>) -> String {
    let mut log = Log::new(account.files, account.n_standard);
    for it in &account.report.mutants {
        if let Some(found) = finding::diagnostic(account, it) {
            push(&mut log, account, it, &found);
        }
    }
    let score = |group| account.report.counts(group).score().map(rounded);
    log.document(&Ending {
        exit: account.exit,
        troubles: &[],
        properties: json!({
            "score": score(Group::Code),
            "contractScore": score(Group::Contract),
            "dropped": account.report.dropped,
        }),
    })
}

fn push(log: &mut Log<'_>, account: &Account<'_>, it: &MutantReport, found: &Diagnostic) {
    let text = format!("{}\n\n{}", found.message, finding::details(account, it, found));
    let related: Vec<(Span, &str)> =
        found.secondary.iter().map(|label| (label.span, &*label.text)).collect();
    log.push(Found {
        rule: Rule::of(found.code),
        level: severity(found.code.severity),
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
    use super::super::sample;
    use super::document;
    use crate::report::golden;

    #[test]
    fn the_document_has_what_sarif_requires() {
        let text = sample::with_account(document);
        sample::assert_golden("report.sarif", &text);
        let log = golden::sarif(&text);
        assert_eq!(log["runs"][0]["results"].as_array().unwrap().len(), sample::N_OPEN);
    }
}
