//! Parses unified diffs to find the added lines of each file.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// The lines that a diff adds, by file.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct UnifiedDiff {
    files: BTreeMap<String, Vec<u32>>,
}

impl UnifiedDiff {
    /// Parses a diff. Lines that are not part of a diff are skipped.
    pub(super) fn parse(text: &str) -> Self {
        let mut diff = Self::default();
        let mut file: Option<String> = None;
        // The next line of the new file, and the lines that the hunk has left in the new and the
        // old file.
        let (mut line, mut n_new, mut n_old) = (0_u32, 0_u32, 0_u32);
        for text in text.lines() {
            // Inside a hunk only the counts decide: an added line may itself start with `++ ` or
            // `@@ `.
            if n_new > 0 || n_old > 0 {
                match text.as_bytes().first() {
                    Some(b'+') => {
                        if let Some(file) = &file {
                            diff.files.entry(file.clone()).or_default().push(line);
                        }
                        line += 1;
                        n_new = n_new.saturating_sub(1);
                    }
                    Some(b'-') => n_old = n_old.saturating_sub(1),
                    // `\ No newline at end of file`.
                    Some(b'\\') => {}
                    _ => {
                        line += 1;
                        n_new = n_new.saturating_sub(1);
                        n_old = n_old.saturating_sub(1);
                    }
                }
            } else if let Some(name) = text.strip_prefix("+++ ") {
                file = file_name(name);
            } else if let Some(hunk) = text.strip_prefix("@@ ") {
                (line, n_new, n_old) = parse_hunk(hunk).unwrap_or_default();
            }
        }
        diff
    }

    /// Whether any of these lines of a file is new. A diff names files relative to the root of the
    /// repository; here they may be relative to any folder below it.
    pub(super) fn touches(&self, name: &str, lines: RangeInclusive<u32>) -> bool {
        let is_same = |path: &str| {
            let (long, short) =
                if path.len() >= name.len() { (path, name) } else { (name, path) };
            long == short
                || long.strip_suffix(short).is_some_and(|before| before.ends_with('/'))
        };
        let mut files = self.files.iter().filter(|(path, _)| is_same(path));
        files.any(|(_, new)| new.iter().any(|line| lines.contains(line)))
    }
}

/// The file name after `+++ `; `None` for a deleted file.
fn file_name(text: &str) -> Option<String> {
    let name = text.split('\t').next().unwrap_or(text).trim().trim_matches('"');
    let name = name.strip_prefix("b/").unwrap_or(name);
    (name != "/dev/null").then(|| name.to_owned())
}

/// The first new line of `-1,2 +3,4 @@`, and the number of new and old lines.
fn parse_hunk(text: &str) -> Option<(u32, u32, u32)> {
    let mut words = text.split_whitespace();
    let (_, n_old) = parse_range(words.next()?.strip_prefix('-')?)?;
    let (line, n_new) = parse_range(words.next()?.strip_prefix('+')?)?;
    Some((line, n_new, n_old))
}

fn parse_range(text: &str) -> Option<(u32, u32)> {
    match text.split_once(',') {
        Some((line, count)) => Some((line.parse().ok()?, count.parse().ok()?)),
        None => Some((text.parse().ok()?, 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::UnifiedDiff;

    const TEXT: &str = "\
diff --git a/src/money.say b/src/money.say
--- a/src/money.say
+++ b/src/money.say
@@ -10,4 +10,5 @@ fn f
 same
-old
+new
+newer
 same
 same
@@ -40 +41 @@
-x
+++ y
--- a/gone.say
+++ /dev/null
@@ -1 +0,0 @@
-x
";

    #[test]
    fn lines_that_are_new_are_found() {
        let diff = UnifiedDiff::parse(TEXT);
        let touches = |line| diff.touches("src/money.say", line..=line);
        assert_eq!((1..60).filter(|it| touches(*it)).collect::<Vec<u32>>(), [11, 12, 41]);
        assert!(diff.touches("money.say", 9..=11));
        assert!(diff.touches("repo/src/money.say", 41..=50));
        assert!(!diff.touches("y.say", 41..=41));
        assert!(!diff.touches("gone.say", 1..=1));
        assert_eq!(
            UnifiedDiff::parse("no diff at all\n@@ nonsense\n+x"),
            UnifiedDiff::default()
        );
    }
}
