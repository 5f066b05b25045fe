//! Cases as source text: assertions with the given values substituted for their names.

use gainsay_core::{FunctionId, FunctionKind, LocalId, Program, Term};
use gainsay_source::{SourceMap, Span};
use gainsay_vm::{Value, show};

/// The source text of a part of a block, with values substituted for its parameters.
pub(super) fn with_values(
    program: &Program,
    files: Option<&SourceMap>,
    part: FunctionId,
    values: &[String],
) -> String {
    let Some(files) = files else { return String::new() };
    let function = program.function(part);
    let mut uses = Vec::new();
    let params: Vec<_> = (0..values.len()).map(|at| (LocalId(at as u32), at)).collect();
    find_uses(program, part, &params, &mut uses);
    uses.sort_unstable();
    // Parts of desugared terms may share the span of one use.
    uses.dedup();
    let (file, end) = (files.get(function.span.file), function.span.end);
    let mut text = String::new();
    let mut at = function.span.start;
    for (span, value) in uses {
        // Skip uses outside of the part, or inside one that is already replaced.
        if span.file != function.span.file || span.start < at || span.end > end {
            continue;
        }
        text += files.text(Span::new(span.file, at, span.start));
        if is_shorthand(&file.text, span) {
            text += files.text(span);
            text += ": ";
        }
        // `-1.abs()` would negate the result of `1.abs()`.
        let is_receiver = file.text[span.end as usize..].starts_with('.');
        let value = &values[value];
        text += &if is_receiver { receiver_text(value) } else { value.clone() };
        at = span.end;
    }
    text += files.text(Span::new(function.span.file, at, end));
    text
}

/// Whether a name is shorthand for a field and its value: `Point { x, y: 0 }`.
fn is_shorthand(text: &str, name: Span) -> bool {
    let before = text[..name.start as usize].trim_end();
    let after = text[name.end as usize..].trim_start();
    if !before.ends_with(['{', ',']) || !after.starts_with([',', '}']) {
        return false;
    }
    // Find the innermost open bracket: only a `{` after an upper case name starts a record.
    let mut depth = 0_u32;
    let opener = before.char_indices().rev().find(|(_, char)| match char {
        ')' | ']' | '}' => {
            depth += 1;
            false
        }
        '(' | '[' | '{' if depth > 0 => {
            depth -= 1;
            false
        }
        other => matches!(other, '(' | '[' | '{'),
    });
    let Some((at, '{')) = opener else { return false };
    let word = before[..at].trim_end();
    let word = word.rsplit(|it: char| !it.is_alphanumeric() && it != '_').next();
    word.is_some_and(|word| word.starts_with(char::is_uppercase))
}

/// A value in place of a name before a `.`, in parentheses where precedence requires them.
fn receiver_text(value: &str) -> String {
    let is_simple = value.chars().all(|it| it.is_ascii_alphanumeric() || "_./\"".contains(it));
    let is_closed = value.starts_with(['[', '(', '{', '"']);
    let is_call = value.ends_with(')') && !value.contains(" + ");
    if is_simple || is_closed || is_call { value.to_owned() } else { format!("({value})") }
}

/// The spans of the uses of a function's parameters, also inside its lambdas.
fn find_uses(
    program: &Program,
    function: FunctionId,
    params: &[(LocalId, usize)],
    uses: &mut Vec<(Span, usize)>,
) {
    let body = &program.function(function).body;
    let of = |local: LocalId| params.iter().find(|it| it.0 == local).map(|it| it.1);
    for (term, span) in body.terms.iter().zip(&body.spans) {
        if let Term::Local(local) = term {
            uses.extend(of(*local).map(|at| (*span, at)));
        } else if let Term::Closure { function, captures } = term {
            // A lambda numbers its captures first, so a parameter has another local inside it.
            let inner = captures.iter().enumerate().filter_map(|(at, captured)| {
                let Term::Local(local) = body.term(*captured) else { return None };
                Some((LocalId(at as u32), of(*local)?))
            });
            find_uses(program, *function, &inner.collect::<Vec<_>>(), uses);
        }
    }
}

/// A value as source text; a function as `stub_text` renders it.
pub(super) fn value_text(
    program: &Program,
    files: Option<&SourceMap>,
    value: &Value,
) -> String {
    if let Value::Closure(..) = value {
        stub_text(program, files, value)
    } else {
        show(program, value)
    }
}

/// A stub as source text: a lambda by its source, another function by its name.
pub(super) fn stub_text(program: &Program, files: Option<&SourceMap>, value: &Value) -> String {
    let Value::Closure(function, _) = value else { return show(program, value) };
    let function = program.function(*function);
    match (function.kind, files) {
        (FunctionKind::Lambda(_), Some(files)) => files.text(function.span).to_owned(),
        (FunctionKind::Lambda(_), None)
        | (FunctionKind::Declared, _)
        | (FunctionKind::Refinement, _)
        | (FunctionKind::Constant, _)
        | (FunctionKind::Claim, _) => function.name.to_string(),
    }
}
