//! The modes of golden tests: how an input is processed, and its output.

use std::io;

use gainsay_core::{Function, FunctionId, print_function};
use gainsay_source::{Diagnostic, RenderStyle, SourceFile, SourceMap, render};

use crate::command::{self, CommandBudget, CommandRun};
use crate::golden::difference;
use crate::marks::{DiagnosticMark, expected_marks, expected_marks_of_text};
use crate::program::check;
use crate::test_file::{SourceModule, TestFileContent};
use crate::transcript::{report, transcript, write_modules};

/// The engines that must agree, by their names in `GAINSAY_ENGINE`.
const ENGINES: &[&str; 2] = &["interpreter", "jit"];

/// The variable that selects the engine of the command.
pub(crate) const ENGINE_VARIABLE: &str = "GAINSAY_ENGINE";

/// How an input is processed; given by the first folder of its path.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum GoldenMode {
    /// The tree of a text, and its diagnostics.
    Parse,
    /// The formatted text.
    Format,
    /// The diagnostics of a program.
    Check,
    /// The output of a program.
    Run,
    /// The test report of a program.
    Test,
    /// The mutation report of a program.
    Mutate,
    /// The core of a program.
    Core,
    /// A shell session.
    Session,
}

impl GoldenMode {
    /// The mode of a test, by the first folder of its path.
    pub fn of(name: &str) -> Option<Self> {
        Some(match name.split('/').next()? {
            "parse" => Self::Parse,
            "format" => Self::Format,
            "check" => Self::Check,
            "run" => Self::Run,
            "test" | "verify" => Self::Test,
            "mutate" => Self::Mutate,
            "core" => Self::Core,
            "cli" | "explain" => Self::Session,
            _ => return None,
        })
    }

    /// Parses a test file. For trees and formatting it is taken as a whole.
    pub(crate) fn read(self, file_name: &str, text: &str) -> Result<TestFileContent, String> {
        match self {
            Self::Parse | Self::Format | Self::Session => {
                Ok(TestFileContent::whole(file_name, text))
            }
            Self::Check | Self::Run | Self::Test | Self::Mutate | Self::Core => {
                TestFileContent::read(file_name, text)
            }
        }
    }

    /// The outcome for an input.
    pub(crate) fn run(self, case: &TestFileContent) -> io::Result<GoldenOutcome> {
        match self {
            Self::Parse => Ok(parsed(case.main())),
            Self::Format => Ok(formatted(case.main())),
            Self::Check => Ok(checked(case)),
            Self::Core => Ok(core(case)),
            Self::Run => in_every_engine(|engine| ran(case, engine)),
            Self::Test => tested_in_every_engine(case),
            Self::Mutate => mutated(case),
            Self::Session => in_every_engine(|engine| {
                transcript(&case.main().text, engine).map(GoldenOutcome::of_text)
            }),
        }
    }

    /// The extension of the files of this mode.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Session => "cmd",
            Self::Parse | Self::Format | Self::Check | Self::Run => "say",
            Self::Test | Self::Mutate | Self::Core => "say",
        }
    }
}

/// The outcome for an input.
pub(crate) struct GoldenOutcome {
    /// The expected content of the golden file.
    pub(crate) text: String,
    /// The diagnostics, by line.
    pub(crate) found: Vec<DiagnosticMark>,
    /// A violated law, which fails the test whatever the golden file says.
    pub(crate) broken_law: Option<String>,
}

impl GoldenOutcome {
    fn of_text(text: String) -> Self {
        Self { text, found: Vec::new(), broken_law: None }
    }

    fn of_diagnostics(files: &SourceMap, diagnostics: &[Diagnostic]) -> Self {
        let texts: Vec<String> =
            diagnostics.iter().map(|it| render(files, it, RenderStyle::Plain)).collect();
        let found = expected_marks(files, diagnostics);
        Self { text: texts.join("\n"), found, broken_law: None }
    }
}

/// The tree of a text, then its diagnostics.
fn parsed(module: &SourceModule) -> GoldenOutcome {
    let (files, parse) = read(module);
    let mut outcome = GoldenOutcome::of_diagnostics(&files, &parse.errors);
    let gap = if outcome.text.is_empty() { "" } else { "\n" };
    outcome.text = [&gainsay_syntax::dump(&parse.tree), gap, &outcome.text].concat();
    outcome
}

/// The formatted text, which must be a fixpoint of formatting; or the diagnostics.
fn formatted(module: &SourceModule) -> GoldenOutcome {
    let (files, parse) = read(module);
    let mut outcome = GoldenOutcome::of_diagnostics(&files, &parse.errors);
    if let Some(text) = gainsay_syntax::format(&parse) {
        let again = SourceModule { name: module.name.clone(), text };
        let second = gainsay_syntax::format(&read(&again).1);
        if second.as_ref() != Some(&again.text) {
            outcome.broken_law =
                Some(format!("  its form is no fixed point; formatted twice:\n{second:?}\n"));
        }
        outcome.text = again.text;
    }
    outcome
}

fn read(module: &SourceModule) -> (SourceMap, gainsay_syntax::Parse) {
    let mut files = SourceMap::default();
    let file = files.add(SourceFile::new(module.name.as_str(), module.text.as_str()));
    let parse = gainsay_syntax::parse(file, &module.text);
    (files, parse)
}

/// The outcome with the first engine. A different outcome with another engine fails the test
/// whatever the golden file says.
fn in_every_engine(
    run: impl Fn(&str) -> io::Result<GoldenOutcome>,
) -> io::Result<GoldenOutcome> {
    let [first, others @ ..] = ENGINES;
    let mut outcome = run(first)?;
    for engine in others {
        let other = run(engine)?;
        if other.text != outcome.text && outcome.broken_law.is_none() {
            let parting = difference(&outcome.text, &other.text);
            outcome.broken_law = Some(format!(
                "  the engine `{engine}` does not give what `{first}` does,\n{parting}"
            ));
        }
    }
    Ok(outcome)
}

/// The outcome with the engine that counts branches; apart from that, the other must agree.
fn tested_in_every_engine(case: &TestFileContent) -> io::Result<GoldenOutcome> {
    let [plain, counting] = ENGINES;
    let mut outcome = tested(case, counting)?;
    let [with, without] =
        [&outcome, &tested(case, plain)?].map(|it| without_branches(&it.text));
    if with != without {
        let parting = difference(&without, &with);
        outcome.broken_law = Some(format!(
            "  the engine `{counting}` does not give what `{plain}` does,\n{parting}"
        ));
    }
    Ok(outcome)
}

/// A report without `, 7/7 branches`.
fn without_branches(report: &str) -> String {
    let bare = |line: &str| {
        let Some((before, after)) = line.split_once(" branches") else {
            return line.to_owned();
        };
        let Some((before, count)) = before.rsplit_once(", ") else { return line.to_owned() };
        let is_count = count.chars().all(|it| it.is_ascii_digit() || it == '/');
        if is_count { format!("{before}{after}") } else { line.to_owned() }
    };
    report.lines().map(|line| bare(line) + "\n").collect()
}

/// The result of running a program: stdout, stderr, exit code.
fn ran(case: &TestFileContent, engine: &str) -> io::Result<GoldenOutcome> {
    let seed = case.options.seed.unwrap_or(0).to_string();
    commanded(case, engine, &["run", "--seed", &seed], |run| {
        expected_marks_of_text(&run.stderr)
    })
}

/// The result of testing a program: report, stderr, exit code. Failures are part of the report.
fn tested(case: &TestFileContent, engine: &str) -> io::Result<GoldenOutcome> {
    let seed = case.options.seed.unwrap_or(1).to_string();
    // Shrinking is bounded by runs only: what a slow machine reaches in time is not in a golden file.
    let words = ["test", "--seed", &seed, "--no-cases", "--shrink-time", "1h"];
    commanded(case, engine, &words, |run| {
        [expected_marks_of_text(&run.stderr), expected_marks_of_text(&run.stdout)].concat()
    })
}

/// The result of mutating a program. The interpreter gives no explanations; another test checks
/// that its verdicts are the same.
fn mutated(case: &TestFileContent) -> io::Result<GoldenOutcome> {
    let [_, switching] = ENGINES;
    commanded(case, switching, &["mutate"], |run| expected_marks_of_text(&run.stderr))
}

/// Runs the command on the main module, in a temporary folder.
fn commanded(
    case: &TestFileContent,
    engine: &str,
    words: &[&str],
    found: impl Fn(&CommandRun) -> Vec<DiagnosticMark>,
) -> io::Result<GoldenOutcome> {
    let folder = tempfile::tempdir()?;
    write_modules(folder.path(), &case.modules)?;
    let mut arguments = words.to_vec();
    arguments.extend(case.options.flags.iter().map(String::as_str));
    arguments.push(&case.main().name);
    arguments.extend(case.options.args.iter().map(String::as_str));
    let mut command = command::gainsay(&arguments, folder.path());
    command.env(ENGINE_VARIABLE, engine);
    let run = command::run(command, case.options.stdin.as_bytes(), CommandBudget::default())?;
    let found = found(&run);
    Ok(GoldenOutcome { text: report(&run, folder.path()), found, broken_law: None })
}

/// The diagnostics of a program; `ok` if there are none.
fn checked(case: &TestFileContent) -> GoldenOutcome {
    let checked = check(&case.modules);
    let mut outcome = GoldenOutcome::of_diagnostics(&checked.files, &checked.diagnostics);
    if outcome.text.is_empty() {
        outcome.text = "ok\n".to_owned();
    }
    outcome
}

/// The diagnostics of a program, and the core of the functions of its main module.
fn core(case: &TestFileContent) -> GoldenOutcome {
    let checked = check(&case.modules);
    let mut outcome = GoldenOutcome::of_diagnostics(&checked.files, &checked.diagnostics);
    let Some(program) = checked.program else { return outcome };
    let own = |it: &Function| checked.entries.contains(&it.module);
    for (at, _) in program.functions.iter().enumerate().filter(|(_, it)| own(it)) {
        let gap = if outcome.text.is_empty() { "" } else { "\n" };
        outcome.text += gap;
        outcome.text += &print_function(&program, FunctionId(at as u32));
    }
    outcome
}

#[cfg(test)]
mod tests {
    use super::without_branches;

    #[test]
    fn only_counted_branches_are_left_out() {
        let report = "PASS a::b  7 cases, 3/4 branches, 2 more\nall, the branches\n";
        assert_eq!(without_branches(report), "PASS a::b  7 cases, 2 more\nall, the branches\n");
    }
}
