//! `--format html`: one page that shows the report, in the viewer that tools for mutation testing
//! share.
//!
//! **Invariant:** The page is one file and asks for no other: it can be opened from a folder, and
//! without a network.

use gainsay::mutate::MutantGroup;

use super::{MutationReportData, SurvivorExplanations, descriptions, json, percent};

/// The viewer; `crates/gainsay-cli/assets/mutation/README.md` tells where it comes from.
const VIEWER: &str = include_str!("../../../assets/mutation/mutation-test-elements.js");

/// Its version.
const VERSION: &str = "3.9.0";

/// The page, with `[[name]]` where something is put in.
const PAGE: &str = include_str!("page.html");

/// What the page does once the viewer is there.
const SCRIPT: &str = include_str!("page.js");

/// The document.
pub(super) fn document(account: &MutationReportData<'_>) -> String {
    let report = script_safe(&json::line(account));
    let (title, summary) = (title(account), summary(account));
    let mut text =
        String::with_capacity(PAGE.len() + VIEWER.len() + SCRIPT.len() + report.len());
    // What is put in is not looked through again: a report may hold the text of this file.
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

/// What is above the report, and behind the names of files in titles. The viewer has one score for
/// all mutants; ours are told here.
fn title(account: &MutationReportData<'_>) -> String {
    let score = |group| account.report.counts(group).score().map(percent);
    let code = score(MutantGroup::Code).unwrap_or_else(|| "no mutants".to_owned());
    match score(MutantGroup::Contract) {
        Some(contracts) => format!("Gainsay: {code}, contracts {contracts}"),
        None => format!("Gainsay: {code}"),
    }
}

/// Why mutants survived, which the viewer has no place for.
fn summary(account: &MutationReportData<'_>) -> String {
    let reasons = descriptions::survival_counts(account.report);
    if account.explanations == SurvivorExplanations::Hidden || reasons.is_empty() {
        return String::new();
    }
    let reasons = reasons.iter().map(|(count, what)| format!("{count} {what}"));
    let reasons = reasons.collect::<Vec<_>>().join("; ");
    format!("<p class=\"survivors\">Survivors by reason: {reasons}.</p>\n")
}

/// JSON that can stand in a `script` element: nothing in it ends the element, nor begins one.
/// JSON has `<` in its texts only, where it can be written otherwise.
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
    fn the_viewer_is_the_one_that_is_told() {
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
