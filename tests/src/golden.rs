//! Golden tests: an input file, a mode, and a `.out` file with the expected output.

use std::path::Path;
use std::{fs, io};

use crate::marks::{disagreement, marks};
use crate::mode::GoldenMode;

/// The number of lines of a difference shown on each side.
const SHOWN_LINES: usize = 6;

/// What to do with the `.out` files.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum GoldenAction {
    /// Compare them with the output.
    Compare,
    /// Overwrite them.
    Write,
}

/// The result of a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GoldenVerdict {
    /// It passed.
    Passed,
    /// It failed, with the reason.
    Failed(String),
}

/// Runs one test. `name` is its path below `tests/ui`.
pub fn judge(path: &Path, name: &str, golden: GoldenAction) -> io::Result<GoldenVerdict> {
    let Some(mode) = GoldenMode::of(name) else {
        return Ok(GoldenVerdict::Failed(
            "  this is no mode: parse, format, check, run, test, verify, core, cli, explain"
                .to_owned(),
        ));
    };
    if path.extension().is_none_or(|it| it != mode.extension()) {
        let complaint = format!("  tests of this folder are `.{}` files", mode.extension());
        return Ok(GoldenVerdict::Failed(complaint));
    }
    let text = fs::read_to_string(path)?;
    let file_name = name.rsplit('/').next().unwrap_or(name);
    let case = match mode.read(file_name, &text) {
        Ok(case) => case,
        Err(complaint) => return Ok(GoldenVerdict::Failed(format!("  {complaint}"))),
    };
    let outcome = mode.run(&case)?;
    // Laws and marks are checked before the golden file, so that `--bless` cannot hide a violation.
    if let Some(complaint) = outcome.broken_law {
        return Ok(GoldenVerdict::Failed(complaint));
    }
    let marked = case.modules.iter().flat_map(|it| marks(&it.name, &it.text)).collect();
    if let Some(complaint) = disagreement(marked, outcome.found) {
        return Ok(GoldenVerdict::Failed(complaint));
    }
    against_golden(&path.with_extension("out"), &outcome.text, golden)
}

fn against_golden(
    path: &Path,
    output: &str,
    golden: GoldenAction,
) -> io::Result<GoldenVerdict> {
    let expected = match fs::read_to_string(path) {
        Ok(expected) => Some(expected),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    if expected.as_deref() == Some(output) {
        return Ok(GoldenVerdict::Passed);
    }
    match (golden, expected) {
        (GoldenAction::Write, _) => fs::write(path, output).map(|()| GoldenVerdict::Passed),
        (GoldenAction::Compare, Some(expected)) => {
            Ok(GoldenVerdict::Failed(difference(&expected, output)))
        }
        (GoldenAction::Compare, None) => Ok(GoldenVerdict::Failed(
            "  no .out file yet: run `cargo ui --bless` and read it".to_owned(),
        )),
    }
}

/// The first differing lines of two texts, with some context.
pub fn difference(expected: &str, actual: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) =
        (expected.lines().collect(), actual.lines().collect());
    let same = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    if same == old.len() && same == new.len() {
        return "  they differ only in line ends".to_owned();
    }
    let mut text = format!("  from line {}:\n", same + 1);
    for (sign, lines) in [('-', &old), ('+', &new)] {
        for line in lines.iter().skip(same).take(SHOWN_LINES) {
            text += &format!("  {sign} {line}\n");
        }
        if lines.len() == same {
            text += &format!("  {sign} <end>\n");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{GoldenAction, GoldenVerdict, judge};

    /// Runs a test first while writing its golden file, then while comparing with it.
    fn verdicts(name: &str, text: &str) -> [GoldenVerdict; 2] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        [GoldenAction::Write, GoldenAction::Compare]
            .map(|golden| judge(&path, name, golden).unwrap())
    }

    fn complains(verdict: &GoldenVerdict, about: &str) -> bool {
        matches!(verdict, GoldenVerdict::Failed(complaint) if complaint.contains(about))
    }

    #[test]
    fn marked_lines_pass() {
        let text = "const A: Str = \"a //~ GS0102\n";
        assert_eq!(
            verdicts("parse/a.say", text),
            [GoldenVerdict::Passed, GoldenVerdict::Passed]
        );
    }

    #[test]
    fn a_missing_mark_is_not_blessed() {
        let [written, compared] =
            verdicts("parse/a.say", "const A: Str = \"a\nconst B: Int = 1\n");
        assert!(complains(&written, "found, not marked: a.say:1 GS0102"));
        assert_eq!(written, compared);
    }

    #[test]
    fn a_mark_without_a_diagnostic_is_not_blessed() {
        let [written, _] = verdicts("parse/a.say", "const A: Int = 1 //~ GS0102\n");
        assert!(complains(&written, "marked, not found: a.say:1 GS0102"));
    }

    #[test]
    fn a_test_without_a_golden_file_fails() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.say");
        fs::write(&path, "").unwrap();
        let verdict = judge(&path, "parse/a.say", GoldenAction::Compare).unwrap();
        assert!(complains(&verdict, "no .out file yet"));
        fs::write(path.with_extension("out"), "something else\n").unwrap();
        let verdict = judge(&path, "parse/a.say", GoldenAction::Compare).unwrap();
        assert!(complains(&verdict, "from line 1"));
    }

    #[test]
    fn folders_are_modes() {
        let [written, _] = verdicts("nonsense/a.say", "");
        assert!(complains(&written, "no mode"));
        let [written, _] = verdicts("cli/a.say", "");
        assert!(complains(&written, "`.cmd` files"));
    }
}
