//! Tests of the documents: their programs check, fail and run as they claim.
//!
//! The word after `say` at a fence declares what must hold: nothing (it checks without
//! diagnostics), `fails` (its marked lines give the marked codes), `run` (it prints what the next
//! `output` block shows) or `fragment` (it is only parsed). A block with a `title` is a file in the
//! document's folder from there on: later blocks may use it, and the lines `$ gainsay ..` of
//! `console` blocks run there, as do those of a few other commands. A line `...` in an output
//! matches any lines.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use gainsay_source::{DiagnosticCode, codes};
use gainsay_ui::{
    CommandBudget, CommandEnd, FencedBlock, SourceModule, TestFileContent, blocks, check,
    disagreement, expected_marks, expected_marks_of_text, files_below, gainsay,
    map_in_parallel, marks, root, run, settled, shell, shown, write_modules,
};
use tempfile::TempDir;

/// Codes that no example can show: it would be too long, or needs a user at the keyboard.
const CODES_WITHOUT_EXAMPLE: [u16; 2] = [codes::HUGE_NUMBER.number, codes::INTERRUPTED.number];

/// The commands that are run in sessions; other lines are for readers.
const COMMANDS: [&str; 6] = ["gainsay", "cat", "cmp", "echo", "git", "ls"];

/// The committer in sessions.
const COMMITTER: [(&str, &str); 4] = [
    ("GIT_AUTHOR_NAME", "Reader"),
    ("GIT_AUTHOR_EMAIL", "reader@example.com"),
    ("GIT_COMMITTER_NAME", "Reader"),
    ("GIT_COMMITTER_EMAIL", "reader@example.com"),
];

#[test]
fn blocks_say_what_is_true() {
    let root = root();
    let mut paths = files_below(&root.join("docs/book"), "md");
    paths.extend(["README.md", "CONTRIBUTING.md"].map(|it| root.join(it)));
    paths.retain(|path| path.exists());
    report(&paths, |path, text| TestedDocument::new(&shown(path, &root)).read(&blocks(text)));
}

#[test]
fn pages_explain_their_codes() {
    let root = root();
    let pages = files_below(&root.join("docs/errors"), "md");
    report(&pages, |path, text| page(&shown(path, &root), text));
}

/// Fails with all errors in all documents.
#[track_caller]
fn report(paths: &[std::path::PathBuf], judge: impl Fn(&Path, &str) -> Vec<String> + Sync) {
    let complaints = map_in_parallel(paths, |path| match fs::read_to_string(path) {
        Ok(text) => judge(path, &text),
        Err(error) => vec![format!("{}: {error}", path.display())],
    });
    let complaints: Vec<String> = complaints
        .into_iter()
        .zip(paths)
        .flat_map(|(it, path)| {
            it.unwrap_or_else(|panic| vec![format!("{}: {panic}", path.display())])
        })
        .collect();
    assert!(
        complaints.is_empty(),
        "{} complaints:\n{}",
        complaints.len(),
        complaints.join("\n")
    );
}

/// A document, processed from the first block to the last.
struct TestedDocument {
    name: String,
    folder: TempDir,
    files: Vec<SourceModule>,
    complaints: Vec<String>,
}

impl TestedDocument {
    fn new(name: &str) -> Self {
        let folder = tempfile::tempdir().expect("the system gives a folder");
        Self { name: name.to_owned(), folder, files: Vec::new(), complaints: Vec::new() }
    }

    fn read(mut self, blocks: &[FencedBlock]) -> Vec<String> {
        for (at, block) in blocks.iter().enumerate() {
            let complaint = match block.language() {
                "say" => self.program(block, blocks.get(at + 1)),
                "console" => self.session(&block.text),
                _ => self.file(block),
            };
            if let Err(complaint) = complaint {
                self.complaints.push(format!("{}:{}: {complaint}", self.name, block.line));
            }
        }
        self.complaints
    }

    fn program(
        &mut self,
        block: &FencedBlock,
        next: Option<&FencedBlock>,
    ) -> Result<(), String> {
        let title = block.title.as_deref().unwrap_or("example.say");
        let mut modules = TestFileContent::read(title, &block.text)?.modules;
        let n_own = modules.len();
        let is_own = |it: &SourceModule| modules.iter().any(|own| own.name == it.name);
        let others: Vec<SourceModule> =
            self.files.iter().filter(|it| !is_own(it)).cloned().collect();
        modules.extend(others);
        match block.words.get(1).map(String::as_str) {
            None => clean(&modules)?,
            Some("fails") => fails(&modules)?,
            Some("fragment") => fragment(&block.text)?,
            Some("run") => {
                clean(&modules)?;
                let output = next.filter(|it| it.language() == "output");
                let output = output.ok_or("no `output` block follows")?;
                prints(&modules, &output.text)?;
            }
            Some(word) => return Err(format!("`{word}` is no kind of block")),
        }
        if block.title.is_some() {
            modules.truncate(n_own);
            write_modules(self.folder.path(), &modules).map_err(|error| error.to_string())?;
            self.files.retain(|it| modules.iter().all(|own| own.name != it.name));
            self.files.append(&mut modules);
        }
        Ok(())
    }

    /// Writes a block that is not a program, if it is a file.
    fn file(&self, block: &FencedBlock) -> Result<(), String> {
        let Some(title) = &block.title else { return Ok(()) };
        let module = SourceModule { name: title.clone(), text: block.text.clone() };
        write_modules(self.folder.path(), &[module]).map_err(|error| error.to_string())
    }

    /// Runs the command lines of a block and compares their output.
    fn session(&self, text: &str) -> Result<(), String> {
        let mut folder = self.folder.path().to_path_buf();
        for part in format!("\n{text}").split("\n$ ").skip(1) {
            let (line, expected) = part.split_once('\n').unwrap_or((part, ""));
            if let Some(name) = line.strip_prefix("cd ") {
                folder.push(name.trim());
            } else if line.contains("'python3 ") && !has_python() {
                // Skipped: the command that runs all checks says that python3 is missing.
            } else if line.split(' ').next().is_some_and(|it| COMMANDS.contains(&it)) {
                let mut command = shell(&format!("exec 2>&1\n{line}"), &folder);
                command.envs(COMMITTER);
                let run =
                    run(command, b"", CommandBudget::default()).map_err(|it| it.to_string())?;
                let actual = settled(&run.stdout, self.folder.path());
                same(&settled(expected, self.folder.path()), &actual)
                    .map_err(|it| format!("`{line}`: {it}"))?;
            }
        }
        Ok(())
    }
}

/// Whether the adapters of the book can run.
fn has_python() -> bool {
    static FOUND: OnceLock<bool> = OnceLock::new();
    *FOUND.get_or_init(|| Command::new("python3").arg("--version").output().is_ok())
}

/// Checks that a program gives no diagnostics.
fn clean(modules: &[SourceModule]) -> Result<(), String> {
    let checked = check(modules);
    let found = expected_marks(&checked.files, &checked.diagnostics);
    disagreement(Vec::new(), found).map_or(Ok(()), Err)
}

/// Checks that a program gives the marked diagnostics, and at least one.
fn fails(modules: &[SourceModule]) -> Result<(), String> {
    let checked = check(modules);
    let found = expected_marks(&checked.files, &checked.diagnostics);
    if found.is_empty() {
        return Err("this is said to fail and does not".to_owned());
    }
    let marked = modules.iter().flat_map(|it| marks(&it.name, &it.text)).collect();
    disagreement(marked, found).map_or(Ok(()), Err)
}

/// Checks that a text parses, as declarations or as the inside of a function.
fn fragment(text: &str) -> Result<(), String> {
    let reads =
        |text: &str| !gainsay_syntax::parse(gainsay_source::FileId(0), text).has_errors();
    if reads(text) || reads(&format!("fn fragment() {{\n{text}\n}}\n")) {
        Ok(())
    } else {
        Err("this cannot be read".to_owned())
    }
}

/// Checks that a program succeeds and prints a text.
fn prints(modules: &[SourceModule], expected: &str) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    write_modules(folder.path(), modules).map_err(|error| error.to_string())?;
    let main = modules.first().map_or("", |it| it.name.as_str());
    let command = gainsay(&["run", "--seed", "0", main], folder.path());
    let run = run(command, b"", CommandBudget::default()).map_err(|error| error.to_string())?;
    if run.end != CommandEnd::Code(0) {
        return Err(format!("exit: {}\n{}", run.end, run.stderr));
    }
    same(expected, &settled(&run.stdout, folder.path()))
}

/// Compares two outputs; a line `...` in the first matches any lines.
fn same(expected: &str, actual: &str) -> Result<(), String> {
    let (wanted, there): (Vec<&str>, Vec<&str>) =
        (expected.trim_end().lines().collect(), actual.trim_end().lines().collect());
    if matches(&wanted, &there) { Ok(()) } else { Err(format!("it prints\n{actual}")) }
}

fn matches(wanted: &[&str], there: &[&str]) -> bool {
    match (wanted, there) {
        ([], there) => there.is_empty(),
        (["..." | "…", rest @ ..], there) => {
            (0..=there.len()).any(|skipped| matches(rest, &there[skipped..]))
        }
        ([line, wanted @ ..], [other, there @ ..]) if line.trim_end() == other.trim_end() => {
            matches(wanted, there)
        }
        _ => false,
    }
}

/// Checks an error page: `# GS0401: undeclared-effect`, a program that gives exactly this code, and
/// one that does not.
fn page(name: &str, text: &str) -> Vec<String> {
    let slug = name.rsplit('/').next().unwrap_or(name).trim_end_matches(".md");
    let Some(code) = codes::ALL.iter().find(|it| it.slug == slug) else { return Vec::new() };
    let mut complaints = Vec::new();
    let title = format!("# {}: {slug}", code.name());
    if text.lines().next() != Some(title.as_str()) {
        complaints.push(format!("{name}: the first line is not `{title}`"));
    }
    let is_shown =
        |it: &FencedBlock| matches!(it.language(), "say" | "console") || it.title.is_some();
    let found: Vec<FencedBlock> = blocks(text).into_iter().filter(is_shown).collect();
    if found.iter().any(|it| it.language() == "console") {
        complaints.extend(TestedDocument::new(name).read(&found));
        return complaints;
    }
    let (example, fix) = match &found[..] {
        [example, fix, ..] => (Some(example), fix),
        [fix] if CODES_WITHOUT_EXAMPLE.contains(&code.number) => (None, fix),
        _ => {
            complaints.push(format!("{name}: an example and its fix are wanted"));
            return complaints;
        }
    };
    let verdicts = example
        .map(|example| (example, example_of(*code, example)))
        .into_iter()
        .chain([(fix, fix_of(fix))]);
    for (block, verdict) in verdicts {
        if let Err(complaint) = verdict {
            complaints.push(format!("{name}:{}: {complaint}", block.line));
        }
    }
    complaints
}

/// Checks that the example of a page gives its code and no other. What no program can show, a
/// session does.
fn example_of(code: DiagnosticCode, block: &FencedBlock) -> Result<(), String> {
    let case = TestFileContent::read("example.say", &block.text)?;
    let marked = case.modules.iter().flat_map(|it| marks(&it.name, &it.text));
    if let Some(stray) = marked.map(|it| it.code).find(|it| *it != code.name()) {
        return Err(format!("it marks {stray} too"));
    }
    match code.number {
        600..700 => fails_at_run(&case),
        _ => fails(&case.modules),
    }
}

fn fix_of(block: &FencedBlock) -> Result<(), String> {
    clean(&TestFileContent::read("example.say", &block.text)?.modules)
}

/// Checks that a program compiles, and that running it gives the marked diagnostics.
fn fails_at_run(case: &TestFileContent) -> Result<(), String> {
    clean(&case.modules)?;
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    write_modules(folder.path(), &case.modules).map_err(|error| error.to_string())?;
    let mut arguments = vec!["run", "--seed", "0"];
    arguments.extend(case.options.flags.iter().map(String::as_str));
    arguments.push(&case.main().name);
    let command = gainsay(&arguments, folder.path());
    let run = run(command, b"", CommandBudget::default()).map_err(|error| error.to_string())?;
    let found = expected_marks_of_text(&run.stderr);
    if found.is_empty() {
        return Err(format!("its run fails with no code: exit {}\n{}", run.end, run.stderr));
    }
    let marked = case.modules.iter().flat_map(|it| marks(&it.name, &it.text)).collect();
    disagreement(marked, found).map_or(Ok(()), Err)
}

#[test]
fn dots_stand_for_any_lines() {
    assert!(same("a\n...\nd\n", "a\nb\nc\nd\n").is_ok());
    assert!(same("a\n...\n", "a\n").is_ok());
    assert!(same("a\n...\nd\n", "a\nb\n").is_err());
}
