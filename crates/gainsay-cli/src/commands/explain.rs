//! `gainsay explain`: what a diagnostic means.

use gainsay::source::{Code, closest, codes};

use crate::arguments::ExplainArguments;
use crate::exit::Exit;
use crate::output;
use crate::pages::page;
use crate::report::{Explanation, Form, Reporter, severity};
use crate::trouble::Trouble;

/// Prints the page of a diagnostic, or the list of all.
pub(super) fn explain(args: &ExplainArguments, reporter: &mut Reporter) -> Exit {
    let Some(text) = &args.code else {
        codes::ALL.iter().for_each(|code| list(*code, reporter));
        return Exit::Held;
    };
    match find(text) {
        Some(code) => {
            print(code, reporter);
            Exit::Held
        }
        None => reporter.trouble(&stranger(text)),
    }
}

/// The code a user means, however it is cased.
fn find(text: &str) -> Option<Code> {
    let text = text.trim().trim_matches(['[', ']']);
    codes::find(text).or_else(|| codes::find(&text.to_lowercase()))
}

fn list(code: Code, reporter: &Reporter) {
    match reporter.form() {
        Form::Human(_) => {
            let line = format!(
                "{}  {:8} {:28} {}",
                code.name(),
                severity(code.severity),
                code.slug,
                code.summary,
            );
            let _ = output::write_line(&line);
        }
        Form::Json => reporter.record(&explanation(code, None).line()),
    }
}

fn print(code: Code, reporter: &Reporter) {
    let text = page(code.slug);
    match (reporter.form(), text) {
        (Form::Json, text) => reporter.record(&explanation(code, text).line()),
        (Form::Human(_), Some(text)) => {
            let _ = output::write_line(text.trim_end());
        }
        (Form::Human(_), None) => {
            let heading = format!("# {}: {}\n\n{}", code.name(), code.slug, code.summary);
            let _ = output::write_line(&heading);
        }
    }
}

fn explanation(code: Code, text: Option<&'static str>) -> Explanation<'static> {
    Explanation {
        code: code.name(),
        slug: code.slug,
        severity: severity(code.severity),
        summary: code.summary,
        text,
    }
}

fn stranger(text: &str) -> Trouble {
    let names: Vec<String> = codes::ALL.iter().map(|code| code.name()).collect();
    let slugs = codes::ALL.iter().map(|code| code.slug);
    let close = closest(text, names.iter().map(String::as_str).chain(slugs));
    let holding: Vec<&str> = codes::ALL
        .iter()
        .map(|code| code.slug)
        .filter(|slug| close.is_none() && text.len() > 2 && slug.contains(text))
        .take(5)
        .collect();
    let mut trouble = Trouble::usage(format!("no diagnostic is called `{text}`"));
    trouble = trouble.with_suggestion(close);
    if !holding.is_empty() {
        trouble = trouble.with_help(format!("look at {}", holding.join(", ")));
    }
    trouble.with_help("see all of them with `gainsay explain --list`")
}

#[cfg(test)]
mod tests {
    use super::{find, stranger};

    #[test]
    fn codes_are_found_however_they_are_written() {
        for text in
            ["GS0102", "gs0102", "102", "unclosed-string", "Unclosed-String", "[GS0102]"]
        {
            assert_eq!(find(text).map(|code| code.number), Some(102), "{text}");
        }
        assert_eq!(find("GS9999"), None);
    }

    #[test]
    fn strangers_get_suggestions() {
        assert!(stranger("unclosed-strin").help[0].contains("unclosed-string"));
        assert!(stranger("bracket").help[0].contains("unclosed-bracket"));
    }
}
