//! `Disk`: files and folders.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

use gainsay::vm::Value;

use super::{OperationError, OperationHandler, RealWorld, text};
use crate::cli_error::io_error_reason;

pub(super) const OPERATIONS: &[OperationHandler] = &[
    OperationHandler {
        name: "Disk.read_text",
        run: |world, args| {
            let text = read_text(args.text(0)?, world.max_text_bytes);
            Ok(world.answers.result(text.map(Value::str)))
        },
    },
    OperationHandler {
        name: "Disk.exists",
        run: |_, args| Ok(Value::Bool(Path::new(args.text(0)?).exists())),
    },
    OperationHandler {
        name: "Disk.list_dir",
        run: |world, args| {
            let names = list_dir(args.text(0)?);
            let names = names.map(|names| Value::list(names.into_iter().map(Value::str)));
            Ok(world.answers.result(names))
        },
    },
    OperationHandler {
        name: "Disk.write_text",
        run: |world, args| unit_answer(world, fs::write(args.text(0)?, args.text(1)?)),
    },
    OperationHandler {
        name: "Disk.append_text",
        run: |world, args| unit_answer(world, append_text(args.text(0)?, args.text(1)?)),
    },
    OperationHandler {
        name: "Disk.delete",
        run: |world, args| unit_answer(world, fs::remove_file(args.text(0)?)),
    },
    OperationHandler {
        name: "Disk.delete_dir",
        run: |world, args| unit_answer(world, fs::remove_dir_all(args.text(0)?)),
    },
    OperationHandler {
        name: "Disk.make_dir",
        run: |world, args| unit_answer(world, fs::create_dir_all(args.text(0)?)),
    },
];

fn unit_answer(world: &RealWorld, done: io::Result<()>) -> Result<Value, OperationError> {
    Ok(world.answers.unit_result(done.map_err(|error| io_error_reason(&error))))
}

fn read_text(path: &str, longest: u64) -> Result<String, String> {
    let file = File::open(path).map_err(|error| io_error_reason(&error))?;
    // The size is only a hint, but avoids reading a text that would be rejected.
    let size = file.metadata().map_err(|error| io_error_reason(&error))?.len();
    if size > longest {
        return Err(text::too_long(longest));
    }
    text::read_all(file, longest)
}

fn list_dir(path: &str) -> Result<Vec<String>, String> {
    let mut names = Vec::new();
    for entry in fs::read_dir(path).map_err(|error| io_error_reason(&error))? {
        let name = entry.map_err(|error| io_error_reason(&error))?.file_name();
        let name =
            name.into_string().map_err(|_| "a file name in the folder is not valid UTF-8")?;
        names.push(name);
    }
    // The order of the system is arbitrary, and a recording would not be comparable.
    names.sort();
    Ok(names)
}

fn append_text(path: &str, text: &str) -> io::Result<()> {
    OpenOptions::new().append(true).create(true).open(path)?.write_all(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{append_text, list_dir, read_text};

    #[test]
    fn errors_have_plain_reasons() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        let missing = Err("no such file or folder".to_owned());
        assert_eq!(read_text(&path("none"), 10), missing);
        assert_eq!(read_text(&path(""), 1 << 20), Err("is a folder".to_owned()));
        assert_eq!(list_dir(&path("none")), Err("no such file or folder".to_owned()));
        fs::write(path("b"), [0xff]).unwrap();
        assert_eq!(read_text(&path("b"), 10), Err("not valid UTF-8".to_owned()));
        append_text(&path("a"), "12345").unwrap();
        append_text(&path("a"), "67890").unwrap();
        assert_eq!(read_text(&path("a"), 10), Ok("1234567890".to_owned()));
        assert!(read_text(&path("a"), 9).is_err());
        assert_eq!(list_dir(&path("")), Ok(vec!["a".to_owned(), "b".to_owned()]));
        assert_eq!(list_dir(&path("a")), Err("not a folder".to_owned()));
        if fs::metadata("/dev/zero").is_ok() {
            assert!(read_text("/dev/zero", 1000).unwrap_err().contains("1000 bytes"));
        }
        assert!(read_text("nul\0inside", 10).is_err());
    }
}
