//! Structural diff of two values: where they differ, part by part.

use gainsay_core::Program;
use gainsay_vm::{Value, show_brief};

/// Maximum number of reported differences.
const MAX_DIFFERENCES: usize = 8;
/// Approximate length in bytes at which a part is cut off.
const MAX_TEXT: usize = 200;

/// Where two values of one type differ: the path to each part, and both parts. Empty if they differ
/// as a whole.
pub(crate) fn diff_values(
    program: &Program,
    left: &Value,
    right: &Value,
) -> Vec<(String, String, String)> {
    let mut finder = ValueDiff { program, found: Vec::new() };
    finder.compare(String::new(), left, right, 0);
    finder.found.retain(|(path, ..)| !path.is_empty());
    finder.found
}

struct ValueDiff<'p> {
    program: &'p Program,
    found: Vec<(String, String, String)>,
}

/// Maximum nesting depth to compare.
const MAX_DEPTH: u32 = 64;

impl ValueDiff<'_> {
    fn compare(&mut self, path: String, left: &Value, right: &Value, depth: u32) {
        if self.found.len() >= MAX_DIFFERENCES || gainsay_vm::same(left, right) {
            return;
        }
        if depth < MAX_DEPTH && self.compare_parts(&path, left, right, depth) {
            return;
        }
        self.push(path, self.text(Some(left)), self.text(Some(right)));
    }

    fn compare_parts(&mut self, path: &str, left: &Value, right: &Value, depth: u32) -> bool {
        match (left, right) {
            (Value::Data(a, left), Value::Data(b, right)) if a == b => {
                let fields: Vec<String> = self
                    .program
                    .ctor(*a)
                    .fields
                    .iter()
                    .enumerate()
                    .map(|(at, field)| match &field.name {
                        Some(name) => format!(".{name}"),
                        None => format!(".{at}"),
                    })
                    .collect();
                let pairs = left.as_slice().iter().zip(right.as_slice());
                for (field, (left, right)) in fields.iter().zip(pairs) {
                    self.compare(format!("{path}{field}"), left, right, depth + 1);
                }
                true
            }
            (Value::Tuple(left), Value::Tuple(right)) => {
                let pairs = left.as_slice().iter().zip(right.as_slice());
                for (at, (left, right)) in pairs.enumerate() {
                    self.compare(format!("{path}.{at}"), left, right, depth + 1);
                }
                true
            }
            (Value::List(left), Value::List(right)) => {
                self.compare_lists(path, left, right, depth);
                true
            }
            _ => false,
        }
    }

    fn compare_lists(
        &mut self,
        path: &str,
        left: &gainsay_vm::List,
        right: &gainsay_vm::List,
        depth: u32,
    ) {
        let (mut left, mut right) = (left.iter(), right.iter());
        for at in 0.. {
            match (left.next(), right.next()) {
                (None, None) => return,
                (Some(left), Some(right)) => {
                    self.compare(format!("{path}[{at}]"), left, right, depth + 1);
                }
                (left, right) => {
                    let (left, right) = (self.text(left), self.text(right));
                    self.push(format!("{path}[{at}]"), left, right);
                }
            }
            if self.found.len() >= MAX_DIFFERENCES {
                return;
            }
        }
    }

    fn text(&self, value: Option<&Value>) -> String {
        value.map_or_else(|| "nothing".to_owned(), |it| show_brief(self.program, it, MAX_TEXT))
    }

    fn push(&mut self, path: String, left: String, right: String) {
        if self.found.len() < MAX_DIFFERENCES {
            self.found.push((path, left, right));
        }
    }
}
