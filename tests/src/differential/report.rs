//! Renders a disagreement: the program in core, the calls, and the results of each engine.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use gainsay_core::{FunctionId, Program, Term, print_function, type_text};
use gainsay_vm::{EngineKind, Fault, Value, show_brief};

use super::engine_comparison::{EngineDifference, EngineRecord};
use super::logging_host::LoggedHostEvent;
use super::test_program::{HostAnswers, TestProgram};

/// The maximum length of a printed value.
const SHOWN: usize = 300;
/// The maximum number of printed host events.
const MAX_LOG_LINES: usize = 12;

/// A test program and how two engines differ on it.
pub(super) fn describe(
    trial: &TestProgram,
    difference: &EngineDifference,
    kinds: [EngineKind; 2],
) -> String {
    let program = &trial.program;
    let mut text = declarations(program);
    for function in reachable(trial) {
        text += "\n";
        text += &print_function(program, function);
    }
    text += "\n";
    for (at, call) in trial.calls.iter().enumerate().take(difference.call + 1) {
        let _ = write!(text, "call {at}: {}(", value_text(program, &call.callee));
        for (arg_at, arg) in call.args.iter().enumerate() {
            text += if arg_at == 0 { "" } else { ", " };
            text += &value_text(program, &arg.value);
            if let Some(from) = arg.from {
                let _ = write!(text, " or the value of call {from}");
            }
        }
        let _ = writeln!(text, ") {:?}", call.limits);
        if let Some(stubs) = &call.stubs {
            for (op, stub) in stubs {
                let (op, stub) = (program.op_name(*op), value_text(program, stub));
                let _ = writeln!(text, "  {op} is answered by {stub}");
            }
        }
    }
    let _ = writeln!(text, "\nthey differ in {}, at call {}", difference.what, difference.call);
    let records = difference.records.each_ref().map(|it| record_text(program, it));
    if records[0] == records[1] {
        text += "in what is not shown: the bits of a NaN, or far inside or late\n";
    }
    for (kind, record) in kinds.iter().zip(&records) {
        let _ = write!(text, "\n{kind:?}:\n{record}");
    }
    text
}

fn declarations(program: &Program) -> String {
    let mut text = String::new();
    for def in &program.nominals {
        let ctors: Vec<String> = def
            .ctors
            .iter()
            .map(|ctor| {
                let ctor = program.ctor(*ctor);
                let fields = ctor.fields.iter().map(|it| type_text(program, it.ty));
                format!("{}({})", ctor.name, fields.collect::<Vec<_>>().join(", "))
            })
            .collect();
        let _ = writeln!(text, "type {} = {}", def.name, ctors.join(" | "));
    }
    for (at, op) in program.ops.iter().enumerate() {
        let params = op.params.iter().map(|(_, ty)| type_text(program, *ty));
        let _ = writeln!(
            text,
            "op {}({}) -> {}, {:?}",
            program.op_name(gainsay_core::OpId(at as u32)),
            params.collect::<Vec<_>>().join(", "),
            type_text(program, op.result),
            op.kind
        );
    }
    text
}

/// The functions that the calls may reach.
pub(super) fn reachable(trial: &TestProgram) -> BTreeSet<FunctionId> {
    let program = &trial.program;
    let mut pending = Vec::new();
    for call in &trial.calls {
        let stubs = call.stubs.iter().flatten().map(|(_, stub)| stub);
        let given = call.args.iter().map(|arg| &arg.value).chain([&call.callee]).chain(stubs);
        given.for_each(|value| functions_in(value, &mut pending));
    }
    let predicates = (0..).map(FunctionId).zip(&program.functions);
    let predicates = predicates
        .filter(|(_, it)| it.kind == gainsay_core::FunctionKind::Refinement)
        .map(|(id, _)| id);
    pending.extend(predicates);
    let mut found = BTreeSet::new();
    while let Some(function) = pending.pop() {
        if !found.insert(function) {
            continue;
        }
        let body = &program.function(function).body;
        let mut terms: Vec<_> = body.root.into_iter().collect();
        let function = program.function(function);
        terms.extend(function.requires.iter().chain(&function.ensures).map(|it| it.term));
        while let Some(term) = terms.pop() {
            let term = body.term(term);
            term.for_each_subterm(&mut |part| terms.push(part));
            pending.extend(term.function());
            if let Term::Constant(constant) = term {
                pending.push(program.constant(*constant).function);
            }
            if let Term::Perform { op, .. } = term {
                let answers = trial.answers.iter().filter(|it| it.op == *op);
                answers.for_each(|it| functions_in_answers(it, &mut pending));
            }
            if let Term::Under { .. } = term {
                let worlds = program.worlds.iter().flat_map(|it| &it.stubs);
                pending.extend(worlds.map(|(_, function)| *function));
            }
        }
    }
    found
}

fn functions_in_answers(answers: &HostAnswers, found: &mut Vec<FunctionId>) {
    answers.values.iter().for_each(|value| functions_in(value, found));
    for (callee, args) in &answers.calls {
        functions_in(callee, found);
        args.iter().for_each(|value| functions_in(value, found));
    }
}

fn functions_in(value: &Value, found: &mut Vec<FunctionId>) {
    match value {
        Value::Closure(function, captures) => {
            found.push(*function);
            captures.as_slice().iter().for_each(|it| functions_in(it, found));
        }
        Value::Tuple(fields) | Value::Data(_, fields) => {
            fields.as_slice().iter().for_each(|it| functions_in(it, found));
        }
        Value::List(list) => list.iter().for_each(|it| functions_in(it, found)),
        Value::Map(table) | Value::Set(table) => {
            table.iter().for_each(|(_, value)| functions_in(value, found));
        }
        Value::Int(_) | Value::Big(_) | Value::Float(_) | Value::Bool(_) => {}
        Value::Char(_) | Value::Str(_) => {}
    }
}

fn value_text(program: &Program, value: &Value) -> String {
    if let Value::Closure(function, captures) = value {
        let captures = captures.as_slice().iter().map(|it| value_text(program, it));
        let captures = captures.collect::<Vec<_>>().join(", ");
        return format!("{}[{captures}]", program.function(*function).name);
    }
    show_brief(program, value, SHOWN)
}

fn record_text(program: &Program, record: &EngineRecord) -> String {
    let outcome = &record.outcome;
    let mut text = match &outcome.result {
        Ok(value) => format!("  value {}\n", value_text(program, value)),
        Err(fault) => fault_text(program, fault),
    };
    let _ = writeln!(text, "  {} steps, {} words", outcome.steps, outcome.words);
    for entry in record.log.iter().take(MAX_LOG_LINES) {
        let _ = writeln!(text, "  {}", entry_text(program, entry));
    }
    let n_more = record.log.len().saturating_sub(MAX_LOG_LINES);
    if n_more > 0 {
        let _ = writeln!(text, "  and {n_more} more");
    }
    text
}

fn fault_text(program: &Program, fault: &Fault) -> String {
    let Fault { kind, span, function, values, call_stack: trace } = fault;
    let name = &program.function(*function).name;
    let mut text = format!("  fault {kind:?} at {}..{} in {name}\n", span.start, span.end);
    for (name, value) in values {
        let _ = writeln!(text, "    {name} = {}", value_text(program, value));
    }
    let _ = write!(text, "    through");
    for frame in trace.inner() {
        let name = &program.function(frame.function).name;
        let _ = write!(text, " {name}@{:?}", frame.call.map(|it| it.start));
    }
    let n_outer = trace.outer().count();
    let _ = writeln!(text, " and {} + {n_outer} more", trace.n_skipped());
    text
}

fn entry_text(program: &Program, entry: &LoggedHostEvent) -> String {
    let values = |values: &[Value]| -> String {
        values.iter().map(|it| value_text(program, it)).collect::<Vec<_>>().join(", ")
    };
    match entry {
        LoggedHostEvent::Effect { op, args, site, function, depth, path, answer, .. } => {
            format!(
                "{}({}) at {} in {}, depth {depth}, path {path:?}, answer [{}]",
                program.op_name(*op),
                values(args),
                site.start,
                program.function(*function).name,
                values(answer.as_slice())
            )
        }
        LoggedHostEvent::Observed { holds, strength, site, sides, .. } => format!(
            "observed {holds} {strength:?} at {}, sides [{}]",
            site.start,
            sides.as_ref().map_or_else(String::new, |sides| values(&sides[..]))
        ),
        LoggedHostEvent::Assumed(site) => format!("assumed at {}", site.start),
    }
}
