//! Laws for every Gainsay program in the repository: golden tests, examples, benchmarks, the
//! standard library and the code blocks of documents. New files are included automatically.

use gainsay::CheckedSources;
use gainsay_source::{FileId, RenderStyle, render};
use gainsay_syntax::{Parse, TokenKind};
use gainsay_ui::{SampleProgram, SourceModule, check, difference, map_in_parallel, samples};

/// The number of prefixes of a file that are parsed.
const READ_PREFIXES: usize = 200;

/// The number of prefixes of a file that are checked; each check also reads the standard library.
const CHECKED_PREFIXES: usize = 6;

/// Fails with every sample that violates a law.
#[track_caller]
fn holds_for_all(law: impl Fn(&SampleProgram) -> Result<(), String> + Sync) {
    let samples = samples();
    assert!(!samples.is_empty(), "the corpus is found");
    let complaints: Vec<String> = map_in_parallel(&samples, law)
        .into_iter()
        .zip(&samples)
        .filter_map(|(verdict, sample)| {
            let complaint = verdict.and_then(|it| it).err()?;
            Some(format!("{}: {complaint}", sample.name))
        })
        .collect();
    assert!(
        complaints.is_empty(),
        "{} complaints:\n{}",
        complaints.len(),
        complaints.join("\n")
    );
}

fn parse(text: &str) -> Parse {
    gainsay_syntax::parse(FileId(0), text)
}

#[test]
fn a_tree_prints_back_its_text() {
    holds_for_all(|sample| {
        let parse = parse(&sample.text);
        let printed: String = parse.tree.tokens().map(gainsay_syntax::Token::text).collect();
        if printed == sample.text { Ok(()) } else { Err("printed differently".to_owned()) }
    });
}

#[test]
fn formatting_twice_is_formatting_once() {
    holds_for_all(|sample| {
        let Some(once) = gainsay_syntax::format(&parse(&sample.text)) else { return Ok(()) };
        match gainsay_syntax::format(&parse(&once)) {
            Some(twice) if twice == once => Ok(()),
            Some(twice) => Err(format!("differs\n{}", difference(&once, &twice))),
            None => {
                Err(format!("its form cannot be read\n{}", difference(&sample.text, &once)))
            }
        }
    });
}

#[test]
fn formatting_keeps_the_tokens() {
    holds_for_all(|sample| {
        let Some(formatted) = gainsay_syntax::format(&parse(&sample.text)) else {
            return Ok(());
        };
        let (before, after) = (words(&sample.text), words(&formatted));
        let same = before.iter().zip(&after).take_while(|(old, new)| old == new).count();
        if same == before.len() && same == after.len() {
            return Ok(());
        }
        Err(format!("token {same}: {:?} became {:?}", before.get(same), after.get(same)))
    });
}

/// The significant tokens of a text, and its comments. Separators of items are left out, because
/// formatting may add and remove them.
fn words(text: &str) -> Vec<String> {
    parse(text)
        .tree
        .tokens()
        .filter(|it| !matches!(it.text().trim(), "" | "," | ";"))
        .filter(|it| it.kind() != TokenKind::Eof)
        .map(|it| it.text().trim_end().to_owned())
        .collect()
}

#[test]
fn no_prefix_panics_the_reader() {
    holds_for_all(|sample| {
        for end in ends(&sample.text, READ_PREFIXES) {
            let parse = parse(&sample.text[..end]);
            gainsay_syntax::format(&parse);
        }
        Ok(())
    });
}

#[test]
fn no_prefix_panics_the_checker() {
    holds_for_all(|sample| {
        let Some((main, others)) = sample.modules.split_first() else { return Ok(()) };
        for end in ends(&main.text, CHECKED_PREFIXES) {
            let text = main.text[..end].to_owned();
            let cut = SourceModule { name: main.name.clone(), text };
            check(&[std::slice::from_ref(&cut), others].concat());
        }
        Ok(())
    });
}

/// Up to this many positions where a text may be cut, spread evenly.
fn ends(text: &str, n_ends: usize) -> impl Iterator<Item = usize> {
    let step = (text.len() / n_ends).max(1);
    (0..text.len()).step_by(step).filter(|at| text.is_char_boundary(*at)).take(n_ends)
}

#[test]
fn checking_twice_says_the_same() {
    holds_for_all(|sample| {
        if sample.modules.is_empty() {
            return Ok(());
        }
        let (first, second) =
            (findings_text(&check(&sample.modules)), findings_text(&check(&sample.modules)));
        if first == second {
            Ok(())
        } else {
            Err(format!("differs\n{}", difference(&first, &second)))
        }
    });
}

fn findings_text(checked: &CheckedSources) -> String {
    checked
        .diagnostics
        .iter()
        .map(|it| render(&checked.files, it, RenderStyle::Plain))
        .collect()
}

#[test]
fn what_checks_has_valid_core() {
    holds_for_all(|sample| {
        if sample.modules.is_empty() {
            return Ok(());
        }
        let Some(program) = check(&sample.modules).program else { return Ok(()) };
        gainsay_core::validate(&program).map_err(|defects| {
            let shown: Vec<String> =
                defects.iter().take(5).map(|it| format!("  {it:?}")).collect();
            format!("{} defects\n{}", defects.len(), shown.join("\n"))
        })
    });
}
