//! Generated functions as source text: a `match` with an arm for each result.

use gainsay_core::Program;
use gainsay_vm::{Value, show};

/// A function as source text that parses back to the same table.
///
/// ```text
/// |x| match x { 1 => true, 2 => false, _ => false }
/// |x1, x2| match (x1, x2) { (1, "a") => 3, key if same(key, (2, Float.nan)) => 4, _ => 0 }
/// |_| 0
/// || 0
/// ```
///
/// Each entry has as many arguments as there are parameters, and its result as source text.
/// `default` is the result for all other arguments; without it, the text is a valid program only if
/// the entries are exhaustive. Text wider than `width` gets a line for each arm.
pub fn function_text(
    program: &Program,
    n_params: usize,
    entries: &[(Vec<Value>, String)],
    default: Option<&str>,
    width: usize,
) -> String {
    if let (Some(default), true) = (default, entries.is_empty() || n_params == 0) {
        return format!("|{}| {default}", vec!["_"; n_params].join(", "));
    }
    let names: Vec<String> = match n_params {
        1 => vec!["x".to_owned()],
        _ => (1..=n_params).map(|at| format!("x{at}")).collect(),
    };
    let names = names.join(", ");
    let scrutinee = if n_params == 1 { names.clone() } else { format!("({names})") };
    let mut arms: Vec<String> = entries
        .iter()
        .map(|(arguments, answer)| format!("{} => {answer}", key(program, arguments)))
        .collect();
    arms.extend(default.map(|answer| format!("_ => {answer}")));
    let head = format!("|{names}| match {scrutinee} {{");
    let length: usize = arms.iter().map(|arm| arm.chars().count() + 2).sum();
    let is_flat = arms.iter().all(|arm| !arm.contains('\n')) && head.len() + length < width;
    if arms.is_empty() {
        format!("{head}}}")
    } else if is_flat {
        format!("{head} {} }}", arms.join(", "))
    } else {
        let lines: String = arms.iter().map(|arm| indented(arm)).collect();
        format!("{head}\n{lines}}}")
    }
}

/// The lines of an arm, indented by two columns. No literal contains a line break.
fn indented(arm: &str) -> String {
    arm.lines().map(|line| format!("  {line}\n")).collect()
}

/// The arguments as a pattern, or as a comparison where no pattern matches them.
fn key(program: &Program, arguments: &[Value]) -> String {
    let text = match arguments {
        [one] => show(program, one),
        several => {
            let parts: Vec<String> = several.iter().map(|it| show(program, it)).collect();
            format!("({})", parts.join(", "))
        }
    };
    if arguments.iter().all(is_pattern) { text } else { format!("key if same(key, {text})") }
}

/// Whether the text of a value is also a pattern that matches exactly it.
fn is_pattern(value: &Value) -> bool {
    let mut waiting = vec![value];
    while let Some(value) = waiting.pop() {
        match value {
            Value::Int(_) | Value::Big(_) | Value::Bool(_) | Value::Char(_) | Value::Str(_) => {
            }
            Value::Float(float) if float.is_finite() => {}
            Value::Tuple(fields) | Value::Data(_, fields) => waiting.extend(fields.as_slice()),
            Value::List(list) => waiting.extend(list.iter()),
            Value::Float(_) | Value::Map(_) | Value::Set(_) | Value::Closure(..) => {
                return false;
            }
        }
    }
    true
}
