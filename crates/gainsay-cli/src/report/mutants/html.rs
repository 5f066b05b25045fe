//! `--format html`: a page that shows the report in the viewer shared by mutation testing tools.
//!
//! **Invariant:** The page is one self-contained file: it works from the file system and without a
//! network.

use gainsay::mutate::MutantGroup;

use super::{MutationReportData, SurvivorExplanations, descriptions, json, percent};

/// The viewer; `crates/gainsay-cli/assets/mutation/README.md` documents its origin.
const VIEWER: &str = include_str!("../../../assets/mutation/mutation-test-elements.js");

/// Its version.
const VERSION: &str = "3.9.0";

/// The page template, with `[[name]]` placeholders.
const PAGE: &str = include_str!("page.html");

/// The script that feeds the report to the viewer.
const SCRIPT: &str = include_str!("page.js");

/// The document.
pub(super) fn document(data: &MutationReportData<'_>) -> String {
    let report = script_safe(&json::line(data));
    let (title, summary) = (title(data), summary(data));
    let mut text =
        String::with_capacity(PAGE.len() + VIEWER.len() + SCRIPT.len() + report.len());
    // Inserted text is not searched for placeholders: a report may contain the text of this file.
    let mut pieces = PAGE.split("[[");
    text += pieces.next().unwrap_or_default();
    for piece in pieces {
        let (name, rest) = piece.split_once("]]").expect("the page closes its marks");
        text += match name {
            "title" => &title,
            "summary" => &summary,
            "report" => &report,
            "version" => VERSION,
            "viewer" => VIEWER,
            "page" => SCRIPT,
            _ => unreachable!("the page has no other marks"),
        };
        text += rest;
    }
    text
}

/// The title above the report and in file views. The viewer has one score for all mutants; the
/// separate scores are shown here.
fn title(data: &MutationReportData<'_>) -> String {
    let score = |group| data.report.counts(group).score().map(percent);
    let code = score(MutantGroup::Code).unwrap_or_else(|| "no mutants".to_owned());
    match score(MutantGroup::Contract) {
        Some(contracts) => format!("Gainsay: {code}, contracts {contracts}"),
        None => format!("Gainsay: {code}"),
    }
}

/// Why mutants survived, for which the viewer has no field.
fn summary(data: &MutationReportData<'_>) -> String {
    let reasons = descriptions::survival_counts(data.report);
    if data.explanations == SurvivorExplanations::Hidden || reasons.is_empty() {
        return String::new();
    }
    let reasons = reasons.iter().map(|(count, what)| format!("{count} {what}"));
    let reasons = reasons.collect::<Vec<_>>().join("; ");
    format!("<p class=\"survivors\">Survivors by reason: {reasons}.</p>\n")
}

/// Makes JSON safe inside a `script` element: no tag can start or end in it. In JSON, `<` occurs
/// only in strings, where it can be escaped.
fn script_safe(json: &str) -> String {
    json.replace('<', "\\u003c")
}

#[cfg(test)]
mod tests {
    use gainsay::source::FileId;
    use gainsay::syntax::TokenKind;

    use super::super::{fixture, json};
    use super::{PAGE, SCRIPT, VERSION, VIEWER, document, script_safe};

    fn count(text: &str, part: &str) -> usize {
        text.to_lowercase().matches(part).count()
    }

    #[test]
    fn scripts_end_where_they_should() {
        for script in [VIEWER, SCRIPT] {
            assert_eq!((count(script, "<script"), count(script, "</script")), (0, 0));
        }
        let text = fixture::with_report_data(document);
        assert!(fixture::with_report_data(json::line).contains("</script><!--<script>"));
        assert_eq!(count(&text, "<script"), count(PAGE, "<script"));
        assert_eq!(count(&text, "</script"), count(PAGE, "</script"));
    }

    #[test]
    fn the_report_is_in_the_page() {
        let text = fixture::with_report_data(document);
        let start = text.find("id=\"report\">").unwrap() + "id=\"report\">".len();
        let report = text[start..].split("</script>").next().unwrap();
        let report: serde_json::Value = serde_json::from_str(report).unwrap();
        let line = fixture::with_report_data(json::line);
        assert_eq!(report, serde_json::from_str::<serde_json::Value>(&line).unwrap());
        assert_eq!(script_safe("{\"a\":\"</b>\"}"), "{\"a\":\"\\u003c/b>\"}");
    }

    #[test]
    fn the_page_asks_for_nothing() {
        for attribute in ["src=", "href=", "url(", "import "] {
            assert_eq!((count(PAGE, attribute), count(SCRIPT, attribute)), (0, 0));
        }
        assert!(PAGE.contains("default-src 'none'"));
    }

    #[test]
    fn the_viewer_is_the_pinned_version() {
        let readme = include_str!("../../../assets/mutation/README.md");
        assert!(readme.contains(&format!("| version | {VERSION} |")));
    }

    #[test]
    fn keywords_are_those_of_the_language() {
        let start = SCRIPT.find("(?:across|").unwrap() + "(?:".len();
        let listed: Vec<&str> = SCRIPT[start..]
            .split(')')
            .next()
            .unwrap()
            .split('|')
            .chain(["false", "true"])
            .collect();
        let is_keyword = |word: &str| {
            let tree = gainsay::syntax::parse(FileId(0), word).tree;
            tree.tokens().next().is_some_and(|it| it.kind().is_keyword())
        };
        assert!(listed.iter().all(|it| is_keyword(it)), "{listed:?}");
        let n_keywords = TokenKind::RelKw as usize - TokenKind::UseKw as usize + 1;
        assert_eq!(listed.len(), n_keywords);
    }
}
