//! Turns a recording into a `world`: its answers as stubs, to be pasted beside a claim.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use gainsay::MemorySources;
use gainsay::core::{OpId, Operation, OperationKind, Program, TyId};
use gainsay::source::{FileId, closest_name};
use gainsay::test::datum_to_value;
use gainsay::vm::{Value, show};

use super::{EffectCoordinates, RecordedEffect, RecordedOutcome, RunRecording};
use crate::cli_error::CliError;
use crate::exit::Exit;

/// The source of a world that answers as the recording does: each operation by its coordinates, and
/// beyond the recording with the last answer.
pub(crate) fn as_world(path: &str, recording: &RunRecording) -> Result<String, CliError> {
    let program = standard_library()?;
    let mut notes = String::new();
    let mut stubs = String::new();
    for (op, effects) in by_operation(path, &program, recording)? {
        let mut answers = Vec::new();
        for effect in effects {
            match answer_source(&program, op, effect) {
                Ok(answer) => answers.push((effect, answer)),
                Err(why) => {
                    let _ = writeln!(notes, "// Omitted {}: {why}.", call_text(effect));
                }
            }
        }
        stubs += &stub(&program, op, &answers, &mut notes);
    }
    if stubs.is_empty() {
        let message = format!("`{path}` has no effect that a stub can answer");
        return Err(CliError::nothing_to_run(message)
            .with_help("check what a program prints with `verify .. trace`"));
    }
    let text = format!("{notes}world recorded {{\n{stubs}}}\n");
    let parse = gainsay::syntax::parse(FileId(0), &text);
    // Unformatted text is better than none: the user can still paste it.
    Ok(gainsay::syntax::format(&parse).unwrap_or(text))
}

/// The standard library alone: the types of its operations do not depend on the program.
fn standard_library() -> Result<Arc<Program>, CliError> {
    let sources = MemorySources::new([("recorded.say", "")]);
    let checked = gainsay::check(&["recorded.say".to_owned()], &sources);
    checked.program.ok_or_else(|| {
        CliError::new(Exit::Internal, "the standard library does not compile")
            .with_help("reinstall gainsay")
    })
}

/// The effects of each stubbable operation, in declaration order.
fn by_operation<'r>(
    path: &str,
    program: &Program,
    recording: &'r RunRecording,
) -> Result<Vec<(OpId, Vec<&'r RecordedEffect>)>, CliError> {
    let names: Vec<String> =
        (0..program.ops.len()).map(|at| program.op_name(OpId(at as u32))).collect();
    let mut found: Vec<Vec<&RecordedEffect>> = vec![Vec::new(); names.len()];
    for effect in &recording.effects {
        // The world does not answer effects that the program declares itself.
        if effect.outcome == RecordedOutcome::Unanswered {
            continue;
        }
        let op = &effect.at.op;
        let Some(at) = names.iter().position(|name| name == op) else {
            let message = format!("`{path}` has an unknown operation `{op}`");
            return Err(CliError::usage(message)
                .with_suggestion(closest_name(op, names.iter().map(String::as_str)))
                .with_help("record the run again with this version of gainsay"));
        };
        if program.ops[at].kind != OperationKind::Output {
            found[at].push(effect);
        }
    }
    let ops = (0..names.len() as u32).map(OpId).zip(found);
    Ok(ops.filter(|(_, effects)| !effects.is_empty()).collect())
}

/// A recorded answer as source, or why it is not valid.
fn answer_source(
    program: &Program,
    op: OpId,
    effect: &RecordedEffect,
) -> Result<String, String> {
    let text = match &effect.outcome {
        RecordedOutcome::Answer(text) => text,
        RecordedOutcome::Failed(why) | RecordedOutcome::OutOfRange(why) => {
            return Err(format!("it failed: {}", one_line(why)));
        }
        RecordedOutcome::Unanswered => return Err("it has no answer".to_owned()),
        RecordedOutcome::Interrupted => return Err("the run was interrupted there".to_owned()),
    };
    value_source(program, program.op(op).result, text)
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn call_text(effect: &RecordedEffect) -> String {
    let EffectCoordinates { op, path, n } = &effect.at;
    let branch = if path.is_empty() { String::new() } else { format!(" in branch {path}") };
    format!("call {} of `{op}`{branch}", n + 1)
}

/// `Effect.operation = |..| ..`, unless there are no answers.
fn stub(
    program: &Program,
    op: OpId,
    answers: &[(&RecordedEffect, String)],
    notes: &mut String,
) -> String {
    let Some((_, last)) = answers.last() else { return String::new() };
    let operation = program.op(op);
    let lambda = match operation.kind {
        OperationKind::Snapshot => snapshot_stub(program, op, answers, notes),
        OperationKind::Generative | OperationKind::GenerativeOutput | OperationKind::Output => {
            generative_stub(operation, answers, last)
        }
    };
    if lambda.is_empty() {
        return lambda;
    }
    format!("  {} = {lambda}\n", program.op_name(op))
}

/// A stub that receives the branch and the call count.
fn generative_stub(
    operation: &Operation,
    answers: &[(&RecordedEffect, String)],
    last: &str,
) -> String {
    let others = "_, ".repeat(operation.params.len());
    let others = others.strip_suffix(", ").map_or(String::new(), |it| format!(", {it}"));
    // Answers equal to the default need no arm.
    let arms: Vec<&(&RecordedEffect, String)> =
        answers.iter().filter(|(_, it)| it != last).collect();
    if arms.is_empty() {
        return format!("|_, _{others}| {last}");
    }
    let on_paths = answers.iter().any(|(effect, _)| !effect.at.path.is_empty());
    let arm = |(effect, answer): &(&RecordedEffect, String)| {
        let EffectCoordinates { path, n, .. } = &effect.at;
        if on_paths {
            // The path comes from a file: it is quoted, so that it cannot inject code.
            let path = show_text(path);
            format!("    ({path}, {n}) => {answer}\n")
        } else {
            format!("    {n} => {answer}\n")
        }
    };
    let arms: String = arms.into_iter().map(arm).collect();
    let (path, asked) = if on_paths { ("path", "(path.to_str(), n)") } else { ("_", "n") };
    format!("|{path}, n{others}| match {asked} {{\n{arms}    _ => {last}\n  }}")
}

fn show_text(text: &str) -> String {
    show(&Program::default(), &Value::str(text))
}

/// A stub that only receives the arguments.
fn snapshot_stub(
    program: &Program,
    op: OpId,
    answers: &[(&RecordedEffect, String)],
    notes: &mut String,
) -> String {
    let params = &program.op(op).params;
    let mut answers_seen: BTreeMap<String, &str> = BTreeMap::new();
    let mut arms: Vec<(String, &str)> = Vec::new();
    for (effect, answer) in answers {
        let asked = match argument_pattern(program, op, effect) {
            Ok(asked) => asked,
            Err(why) => {
                let _ = writeln!(notes, "// Omitted {}: {why}.", call_text(effect));
                continue;
            }
        };
        match answers_seen.get(&asked) {
            None => {
                answers_seen.insert(asked.clone(), answer);
                arms.push((asked, answer));
            }
            // A snapshot operation must give one answer per argument list; the first one wins.
            Some(first) if first == answer => {}
            Some(_) => {
                let why = "the same call was answered differently before";
                let _ = writeln!(notes, "// Omitted {}: {why}.", call_text(effect));
            }
        }
    }
    // The last answer becomes the default, which also answers calls that were not recorded.
    let Some((_, last)) = arms.pop() else { return String::new() };
    arms.retain(|(_, answer)| *answer != last);
    let names: Vec<&str> = params.iter().map(|(name, _)| &**name).collect();
    if arms.is_empty() {
        let unused = vec!["_"; names.len()].join(", ");
        return format!("|{unused}| {last}");
    }
    let arms = arms.iter().map(|(asked, answer)| format!("    {asked} => {answer}\n"));
    let (asked, arms) = (tuple_text(&names), arms.collect::<String>());
    format!("|{}| match {asked} {{\n{arms}    _ => {last}\n  }}", names.join(", "))
}

/// The arguments of an effect as a pattern.
fn argument_pattern(
    program: &Program,
    op: OpId,
    effect: &RecordedEffect,
) -> Result<String, String> {
    let params = &program.op(op).params;
    if params.len() != effect.args.len() {
        return Err("it has a different number of arguments".to_owned());
    }
    let args = params.iter().zip(&effect.args);
    let args = args.map(|((_, ty), arg)| value_source(program, *ty, arg));
    let args = args.collect::<Result<Vec<String>, String>>()?;
    Ok(tuple_text(&args))
}

/// One part alone, several as a tuple.
fn tuple_text<T: AsRef<str>>(parts: &[T]) -> String {
    match parts {
        [one] => one.as_ref().to_owned(),
        parts => {
            let parts: Vec<&str> = parts.iter().map(AsRef::as_ref).collect();
            format!("({})", parts.join(", "))
        }
    }
}

/// A recorded text as the source of a value of a type. It comes from a file, so it is parsed and
/// printed again rather than trusted.
fn value_source(program: &Program, ty: TyId, text: &str) -> Result<String, String> {
    let datum = gainsay::parse_value(program, ty, text);
    let datum = datum.map_err(|why| format!("cannot read `{}`: {why}", one_line(text)))?;
    let value = datum_to_value(&datum, &mut |_| None);
    let value = value.ok_or_else(|| "a function cannot be written as source".to_owned())?;
    Ok(show(program, &value))
}
