//! Survivors without a difference: each program of `tests/mutation/equivalent` names an equivalent
//! mutant, and each of `tests/mutation/hard` one that differs on few inputs only. Their claims are
//! weak on purpose, so that the mutants survive.
//!
//! A program is a template: `// draw 17: 2 to 90` means that the number 17 in it may be any from 2
//! to 90, and `18 is one more` that 18 changes along with it.

use std::fs;

use gainsay_mutate::{AnalysisDepth, MutantReport, MutantStatus};
use gainsay_ui::{
    MutationFixture, MutationRunOptions, SourceModule, TestRandom, files_below,
    map_in_parallel, root,
};

/// The number of programs generated from each file.
const N_DRAWS: u64 = 3;

/// A program with one mutant of interest.
struct EquivalentProgram {
    name: String,
    text: String,
    /// The line that is changed, and its replacement.
    line: String,
    becomes: String,
}

/// All programs of a folder, each with random numbers.
fn entries(folder: &str) -> Vec<EquivalentProgram> {
    let files = files_below(&root().join("tests/mutation").join(folder), "say");
    assert!(files.len() >= 10, "there are ten of each");
    let mut entries = Vec::new();
    for path in files {
        let text = fs::read_to_string(&path).expect("a file that was just listed");
        let name = path.file_stem().expect("a file has a name").to_string_lossy().into_owned();
        for seed in 0..N_DRAWS {
            let text = drawn(&name, &text, &mut TestRandom::new(seed));
            let (line, becomes) = (field_of(&text, "mutant"), field_of(&text, "becomes"));
            entries.push(EquivalentProgram {
                name: format!("{name} {seed}"),
                text,
                line,
                becomes,
            });
        }
    }
    entries
}

/// The value of a header line of a program.
fn field_of(text: &str, what: &str) -> String {
    let start = format!("// {what}: ");
    let found = text.lines().find_map(|line| line.strip_prefix(&start));
    found.unwrap_or_else(|| panic!("there is a line `{start}..`:\n{text}")).to_owned()
}

/// A program with other numbers.
fn drawn(name: &str, text: &str, random: &mut TestRandom) -> String {
    let draw = text.lines().find_map(|line| line.strip_prefix("// draw "));
    let draw = draw.unwrap_or_else(|| panic!("{name} says what is drawn"));
    let numbers: Vec<u64> =
        draw.split(|it: char| !it.is_ascii_digit()).filter_map(|it| it.parse().ok()).collect();
    let [written, least, most, ref more @ ..] = numbers[..] else {
        panic!("{name} says what is drawn from where: {draw}");
    };
    let number = least + random.below(most - least + 1);
    let mut replaced = vec![(written, number)];
    replaced.extend(more.iter().map(|it| (*it, number + 1)));
    let lines = text.lines().filter(|it| !it.starts_with("// draw "));
    lines.map(|line| with_numbers(line, &replaced) + "\n").collect()
}

/// A line with its numbers replaced.
fn with_numbers(line: &str, replaced: &[(u64, u64)]) -> String {
    let mut text = String::new();
    let mut rest = line;
    while let Some(at) = rest.find(|it: char| it.is_ascii_digit()) {
        let end = rest[at..].find(|it: char| !it.is_ascii_digit());
        let end = end.map_or(rest.len(), |it| at + it);
        let digits = &rest[at..end];
        let other = replaced.iter().find(|it| digits.parse() == Ok(it.0));
        text += &rest[..at];
        text += &other.map_or_else(|| digits.to_owned(), |it| it.1.to_string());
        rest = &rest[end..];
    }
    text + rest
}

/// A line without white space and parentheses.
fn bare(line: &str) -> String {
    line.chars().filter(|it| !it.is_whitespace() && !matches!(it, '(' | ')')).collect()
}

impl EquivalentProgram {
    /// The verdict on the mutant.
    fn verdicts(&self) -> Vec<MutantReport> {
        let module = SourceModule { name: "program.say".to_owned(), text: self.text.clone() };
        let fixture = MutationFixture::new(&[module]).unwrap_or_else(|it| panic!("{it}"));
        let mut mutants = fixture.mutants.clone();
        mutants.list.retain(|it| {
            let (start, end) = (it.span.start as usize, it.span.end as usize);
            let first = self.text[..start].rfind('\n').map_or(0, |it| it + 1);
            let last = self.text[end..].find('\n').map_or(self.text.len(), |it| end + it);
            let mutated = [&self.text[first..start], &it.replacement, &self.text[end..last]];
            bare(&self.text[first..last]) == bare(&self.line)
                && bare(&mutated.concat()) == bare(&self.becomes)
        });
        let options = MutationRunOptions::with_depth(AnalysisDepth::Everything);
        fixture.run_some(&mutants, &options).expect("its claims hold").mutants
    }

    /// What is wrong with the verdict on the mutant.
    fn complaints(&self, is_right: impl Fn(&MutantStatus) -> bool) -> Vec<String> {
        let verdicts = self.verdicts();
        if verdicts.is_empty() {
            return vec![format!("{}: there is no such mutant", self.name)];
        }
        let wrong = verdicts.iter().filter(|it| !is_right(&it.status));
        wrong.map(|it| format!("{}: {:?}: {}", self.name, it.status, self.becomes)).collect()
    }
}

fn complaints(folder: &str, is_right: impl Fn(&MutantStatus) -> bool + Sync) -> String {
    let entries = entries(folder);
    let answers = map_in_parallel(&entries, |it| it.complaints(&is_right));
    let all = entries.iter().zip(answers).flat_map(|(entry, answer)| {
        answer.unwrap_or_else(|panic| vec![format!("{}: {panic}", entry.name)])
    });
    all.collect::<Vec<_>>().join("\n")
}

#[test]
fn no_difference_is_found_where_there_is_none() {
    let wrong = complaints("equivalent", |it| matches!(it, MutantStatus::NoDifference { .. }));
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn differences_on_few_inputs_are_found() {
    let wrong = complaints("hard", |it| *it == MutantStatus::Survived);
    assert!(wrong.is_empty(), "\n{wrong}");
}
