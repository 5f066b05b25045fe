//! `--format junit`: XML as Jenkins and its like read it, a suite for each file and a case for each
//! mutant. A mutant that nothing noticed is a failure.

use gainsay::mutate::{Group, MutantReport, Verdict};

use super::{Account, finding, percent, words};
use crate::report::junit::{self, Case, Result, Suite, problem, skipped};
use crate::report::place_of;

/// The document.
pub(super) fn document(account: &Account<'_>) -> String {
    let score = account.report.counts(Group::Code).score();
    let score = score.map_or_else(|| "none".to_owned(), percent);
    let mut suites: Vec<Suite> = Vec::new();
    for it in &account.report.mutants {
        let file = account.path(it.mutant.span);
        let class = format!("{file}/{}", it.declaration);
        let (id, operator) = (&it.mutant.id, it.mutant.operator);
        let name = format!("{id} {operator}: {}", it.mutant.description);
        junit::suite_of(&mut suites, file, || vec![("score", score.clone())]).push(Case {
            name: &name,
            class: &class,
            result: result(&it.verdict),
            content: content(account, it),
            seconds: None,
        });
    }
    junit::document(&suites, None)
}

fn result(it: &Verdict) -> Result {
    match it {
        Verdict::Killed | Verdict::KilledByContract(_) | Verdict::Timeout => Result::Passed,
        Verdict::Survived | Verdict::Unreached => Result::Failed,
        Verdict::NoDifference { .. } | Verdict::Suppressed(_) => Result::Skipped,
    }
}

fn content(account: &Account<'_>, it: &MutantReport) -> String {
    let why = words::reason(account, it);
    match result(&it.verdict) {
        Result::Passed => why.map_or_else(String::new, |why| junit::remarks(&why)),
        Result::Skipped | Result::Error => {
            let word = words::verdict(&it.verdict);
            // That no difference was found is all there is to say.
            let says_all = matches!(it.verdict, Verdict::NoDifference { .. });
            match why {
                Some(why) if says_all => skipped(&why),
                Some(why) => skipped(&format!("{word}: {why}")),
                None => skipped(word),
            }
        }
        Result::Failed => {
            let Some(found) = finding::diagnostic(account, it) else { return String::new() };
            let place = place_of(account.files, it.mutant.span);
            let text = format!("{place}\n{}", finding::details(account, it, &found));
            problem("failure", found.code.slug, &found.message, &text)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::document;
    use crate::report::golden;

    #[test]
    fn the_document_is_well_formed() {
        let text = sample::with_account(document);
        sample::assert_golden("report.junit.xml", &text);
        let tags = golden::tags(&text);
        let count = |name: &str| tags.iter().filter(|tag| tag.as_str() == name).count();
        assert_eq!(count("testcase"), sample::N_MUTANTS);
        assert_eq!(count("failure") + 1, sample::N_OPEN);
        assert_eq!((count("error"), count("skipped")), (0, 2));
    }
}
