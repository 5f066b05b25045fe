//! `gainsay new`: creates a folder with a small module to start from.

use std::fs;
use std::io;
use std::path::Path;

use crate::arguments::NewArguments;
use crate::cli_error::{CliError, io_error_reason};
use crate::exit::Exit;
use crate::reporter::Reporter;

const MODULE: &str = include_str!("new/module.say");
const README: &str = include_str!("new/README.md");
const SETTINGS: &str = include_str!("new/gainsay.toml");
const IGNORED: &str = include_str!("new/gitignore");

/// The reserved words of the language.
const RESERVED: &[&str] = &[
    "use", "type", "const", "fn", "effect", "let", "if", "else", "match", "true", "false",
    "observe", "assume", "throws", "across", "under", "par", "test", "verify", "rel",
];

/// Creates the folder, unless the name is taken.
pub(super) fn new(args: &NewArguments, reporter: &mut Reporter) -> Exit {
    let name = args.name.as_str();
    if let Err(error) = check_name(name).and_then(|()| write_project(Path::new("."), name)) {
        return reporter.error(&error);
    }
    reporter.note(&format!("created `{name}/{name}.say`, a sample module"));
    reporter.note(&format!(
        "\nnext:\n  cd {name}\n  gainsay test\n  gainsay run {name}.say 1000 3"
    ));
    Exit::Success
}

/// Checks that a name is a valid module name.
fn check_name(name: &str) -> Result<(), CliError> {
    let help = "choose a name like `shop` or `shop_floor`";
    let starts = name.starts_with(|it: char| it.is_ascii_lowercase());
    let fits = |it: char| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '_';
    if !starts || !name.chars().all(fits) {
        let why = "a module name consists of lower-case letters, digits and `_`";
        return Err(CliError::usage(format!("`{name}` is not a valid module name: {why}"))
            .with_help(help));
    }
    if RESERVED.contains(&name) || gainsay::is_std_module(name) {
        let why = "the name is reserved";
        return Err(CliError::usage(format!("`{name}` is not a valid module name: {why}"))
            .with_help(help));
    }
    Ok(())
}

fn write_project(parent: &Path, name: &str) -> Result<(), CliError> {
    let folder = parent.join(name);
    fs::create_dir(&folder).map_err(|io_error| {
        let error =
            CliError::usage(format!("cannot create `{name}`: {}", io_error_reason(&io_error)));
        error.with_help(if io_error.kind() == io::ErrorKind::AlreadyExists {
            "choose another name, or remove the existing file or folder"
        } else {
            "check the permissions of the current folder"
        })
    })?;
    let files = [
        (format!("{name}.say"), MODULE.to_owned()),
        ("README.md".to_owned(), README.replace("{name}", name)),
        ("gainsay.toml".to_owned(), SETTINGS.to_owned()),
        (".gitignore".to_owned(), IGNORED.to_owned()),
    ];
    for (file, text) in files {
        fs::write(folder.join(&file), text).map_err(|error| {
            CliError::usage(format!(
                "cannot write `{name}/{file}`: {}",
                io_error_reason(&error)
            ))
        })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{SETTINGS, check_name};
    use crate::config::ConfigFile;

    #[test]
    fn the_settings_are_the_defaults_and_those_left_out_can_be_set() {
        assert_eq!(ConfigFile::parse("gainsay.toml", SETTINGS), Ok(ConfigFile::default()));
        let settings = SETTINGS.replace("\n# [", "\n[");
        let is_setting = |line: &str| line.starts_with("# ") && line.contains(" = ");
        let open =
            |line: &str| if is_setting(line) { line[2..].to_owned() } else { line.to_owned() };
        let all: Vec<String> = settings.lines().map(open).collect();
        let file = ConfigFile::parse("gainsay.toml", &all.join("\n")).unwrap();
        assert_eq!(file.test.cases, Some(100));
        assert_eq!(file.profiles.len(), 1);
    }

    #[test]
    fn names_must_be_those_of_modules() {
        for name in ["shop", "shop_2", "x"] {
            assert_eq!(check_name(name), Ok(()), "{name}");
        }
        for name in ["", "Shop", "2shop", "my-shop", "a/b", "..", "fn", "_x", "list", "größe"]
        {
            assert!(check_name(name).is_err(), "{name}");
        }
    }
}
