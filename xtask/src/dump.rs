//! `cargo xtask dump`: the code that the JIT generates for one function.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use gainsay::core::{FunctionKind, Program};
use gainsay::source::{RenderStyle, closest_name, render};
use gainsay::vm::list_code;
use gainsay::{CheckedSources, SourceReadError, SourceReader};

/// Prints the intermediate code and the assembly of a function of a file.
pub(crate) fn run(words: &[&str]) -> Result<(), String> {
    let [file, function] = words else {
        return Err("usage: cargo xtask dump FILE.say FUNCTION".to_owned());
    };
    let checked = gainsay::check(&[(*file).to_owned()], &FilesOnDisk);
    print!("{}", listing(&checked, function)?);
    Ok(())
}

/// Reads sources by their paths.
struct FilesOnDisk;

impl SourceReader for FilesOnDisk {
    fn read(&self, path: &str) -> Result<String, SourceReadError> {
        fs::read_to_string(Path::new(path)).map_err(|error| SourceReadError(error.to_string()))
    }
}

/// The code of a function in the first entry.
fn listing(checked: &CheckedSources, name: &str) -> Result<String, String> {
    if let Some((path, SourceReadError(why))) = checked.unreadable.first() {
        return Err(format!("cannot read `{path}`: {why}"));
    }
    let Some(program) = &checked.program else {
        let errors = checked.diagnostics.iter().filter(|it| it.is_error());
        return Err(errors.map(|it| render(&checked.files, it, RenderStyle::Plain)).collect());
    };
    let entry = checked.entries[0];
    let Some(function) = program.find_function(entry, name) else {
        return Err(unknown_function(program, entry, name));
    };
    let versions = list_code(program, function)?;
    let of = versions.len();
    let mut text = String::new();
    for (number, version) in (1..).zip(versions) {
        text += &format!("; {name}, version {number} of {of}: CLIF\n{}\n", version.clif);
        text +=
            &format!("; {name}, version {number} of {of}: assembly\n{}\n", version.assembly);
    }
    Ok(text)
}

fn unknown_function(
    program: &Arc<Program>,
    module: gainsay::core::ModuleId,
    name: &str,
) -> String {
    let functions = program.functions.iter().filter(|it| it.module == module);
    let declared = functions.filter(|it| it.kind == FunctionKind::Declared);
    match closest_name(name, declared.map(|it| &*it.name)) {
        Some(close) => format!("no function `{name}`; did you mean `{close}`?"),
        None => format!("no function `{name}` in this file"),
    }
}

#[cfg(test)]
mod tests {
    use gainsay::{CheckedSources, MemorySources};

    use super::listing;

    fn checked() -> CheckedSources {
        let text = "fn sum(xs: List<Int>) -> Int { match xs { [] => 0, [x, ..rest] => x + sum(rest) } }\n\
            test \"sums\" { observe sum([1, 2]) == 3 }";
        gainsay::check(&["a.say".to_owned()], &MemorySources::new([("a.say", text)]))
    }

    #[test]
    fn both_forms_of_the_code_are_listed() {
        let text = listing(&checked(), "sum").unwrap();
        let (clif, assembly) = text.split_once(": assembly\n").unwrap();
        assert!(clif.contains("; sum, version 1 of ") && clif.contains("block0("), "{clif}");
        assert!(assembly.contains("ret"), "{assembly}");
    }

    #[test]
    fn a_slip_of_the_name_gets_a_hint() {
        let why = listing(&checked(), "sun").unwrap_err();
        assert_eq!(why, "no function `sun`; did you mean `sum`?");
    }
}
