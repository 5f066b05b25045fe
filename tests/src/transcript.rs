//! Shell sessions: command lines run in a fresh folder, with their output.

use std::fmt::Write as _;
use std::path::Path;
use std::{fs, io};

use crate::command::{self, CommandBudget, CommandRun};
use crate::mode::ENGINE_VARIABLE;
use crate::test_file::SourceModule;

/// Writes modules to a folder, creating subfolders.
pub fn write_modules(folder: &Path, modules: &[SourceModule]) -> io::Result<()> {
    for module in modules {
        let path = folder.join(&module.name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, &module.text)?;
    }
    Ok(())
}

/// Runs the command lines of a `.cmd` file in a fresh folder. Lines that are empty or start with
/// `#` are comments; `//- name` starts a file in the folder, as in a `.say` test.
pub(crate) fn transcript(text: &str, engine: &str) -> io::Result<String> {
    let (commands, modules) = split(text);
    let folder = tempfile::tempdir()?;
    write_modules(folder.path(), &modules)?;
    let mut out = String::new();
    for line in commands {
        let mut command = command::shell(line, folder.path());
        command.env(ENGINE_VARIABLE, engine);
        let run = command::run(command, b"", CommandBudget::default())?;
        let _ = write!(out, "$ {line}\n{}", report(&run, folder.path()));
    }
    Ok(out)
}

fn split(text: &str) -> (Vec<&str>, Vec<SourceModule>) {
    let mut commands = Vec::new();
    let mut modules: Vec<SourceModule> = Vec::new();
    for line in text.split_inclusive('\n') {
        if let Some(name) = line.strip_prefix("//- ") {
            modules.push(SourceModule { name: name.trim().to_owned(), text: String::new() });
        } else if let Some(module) = modules.last_mut() {
            module.text.push_str(line);
        } else if !line.trim().is_empty() && !line.starts_with('#') {
            commands.push(line.trim_end());
        }
    }
    (commands, modules)
}

/// The output and end of a run, the same on every machine.
pub(crate) fn report(run: &CommandRun, folder: &Path) -> String {
    let mut out = with_line_end(&run.stdout);
    if !run.stderr.is_empty() {
        out += "--- stderr\n";
        out += &with_line_end(&run.stderr);
    }
    let _ = writeln!(out, "exit: {}", run.end);
    settled(&out, folder)
}

/// A text without differences between machines and versions.
pub fn settled(text: &str, folder: &Path) -> String {
    let real = folder.canonicalize().unwrap_or_else(|_| folder.to_path_buf());
    let version = concat!("gainsay ", env!("CARGO_PKG_VERSION"));
    text.replace("\r\n", "\n")
        .replace(&*real.to_string_lossy(), "[folder]")
        .replace(&*folder.to_string_lossy(), "[folder]")
        .replace(version, "gainsay [version]")
}

fn with_line_end(text: &str) -> String {
    if text.is_empty() || text.ends_with('\n') { text.to_owned() } else { format!("{text}\n") }
}
