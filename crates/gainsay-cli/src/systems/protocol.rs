//! Protocol 1 between Gainsay and an adapter: a JSON object per line, as `docs/book/src/systems.md`
//! describes it.
//!
//! ```text
//! → {"id":2,"op":"push","args":[3]}
//! ← {"id":2,"ok":null}
//! ← {"id":2,"err":{"kind":"Full","text":"no room"}}
//! ```

use gainsay::core::{EffectId, Program};
use gainsay::vm::{SystemError, Value};
use serde_json::{Value as Json, json};

use crate::json_values::{self, LargeInts};

/// The version of the protocol.
const PROTOCOL: u64 = 1;

/// How deep the answer of an adapter may nest: reading it recurses.
const MAX_DEPTH: usize = 5_000;

/// What an adapter answers to a request.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum AdapterAnswer {
    /// It was done, with this result.
    Ok(Json),
    /// It failed.
    Error(SystemError),
}

/// A line from an adapter.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Message {
    /// The answer to the request with a number.
    Answer(u64, AdapterAnswer),
    /// Something else that happened, which no request waits for.
    Event,
}

/// A request on one line.
pub(super) fn request(id: u64, op: &str, args: &str) -> String {
    format!("{{\"id\":{id},\"op\":{},\"args\":{args}}}\n", Json::from(op))
}

/// Arguments as a JSON array.
pub(super) fn arguments(program: &Program, args: &[Value]) -> String {
    let args = args.iter().map(|it| json_values::value_of(program, it, LargeInts::AsText));
    format!("[{}]", args.collect::<Vec<_>>().join(","))
}

/// The arguments of the first request: the protocol, the system, and how many arguments each of its
/// operations takes.
pub(super) fn hello(program: &Program, system: EffectId) -> String {
    let system = program.effect(system);
    let ops: serde_json::Map<String, Json> = system
        .ops
        .iter()
        .map(|it| (program.op(*it).name.to_string(), Json::from(program.op(*it).params.len())))
        .collect();
    json!([{ "protocol": PROTOCOL, "system": &*system.name, "ops": ops }]).to_string()
}

/// Whether the answer to the first request fits. An adapter need not answer anything in particular.
pub(super) fn check_hello(answer: &Json) -> Result<(), String> {
    match answer.get("protocol").map(Json::as_u64) {
        None | Some(Some(PROTOCOL)) => Ok(()),
        Some(_) => Err(format!(
            "the adapter speaks protocol {}, but this version of Gainsay speaks {PROTOCOL}",
            answer["protocol"]
        )),
    }
}

/// Reads a line. The error is a phrase that follows "the adapter".
pub(super) fn message(line: &str) -> Result<Message, String> {
    let sent = || format!("sent `{}`", brief(line));
    if nesting(line) > MAX_DEPTH {
        return Err(format!("sent a message that nests deeper than {MAX_DEPTH} levels"));
    }
    let mut reader = serde_json::Deserializer::from_str(line);
    reader.disable_recursion_limit();
    let json: Json = serde::Deserialize::deserialize(&mut reader)
        .and_then(|it| reader.end().map(|()| it))
        .map_err(|_| format!("{}, which is not JSON", sent()))?;
    if json.get("event").is_some() {
        return Ok(Message::Event);
    }
    let Some(id) = json.get("id").and_then(Json::as_u64) else {
        return Err(format!("{}, which has no `id`", sent()));
    };
    if let Some(error) = json.get("err") {
        return Ok(Message::Answer(id, AdapterAnswer::Error(system_error(error))));
    }
    match json.get("ok") {
        Some(ok) => Ok(Message::Answer(id, AdapterAnswer::Ok(ok.clone()))),
        None => Err(format!("{}, which has neither `ok` nor `err`", sent())),
    }
}

fn system_error(error: &Json) -> SystemError {
    let text = |name: &str| match error.get(name) {
        Some(Json::String(text)) => text.clone(),
        Some(other) => other.to_string(),
        None => String::new(),
    };
    let kind = if error.is_object() { text("kind") } else { String::new() };
    SystemError {
        kind: if kind.is_empty() { "error".to_owned() } else { kind },
        text: error.as_str().map_or_else(|| text("text"), str::to_owned),
        may_have_happened: error.get("maybe").and_then(Json::as_bool).unwrap_or(false),
    }
}

/// How deep brackets nest. Brackets within strings count, too, as long as they are not closed
/// there: the limit is far from what anybody sends.
fn nesting(line: &str) -> usize {
    let (mut depth, mut max) = (0_usize, 0);
    for byte in line.bytes() {
        match byte {
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        max = max.max(depth);
    }
    max
}

fn brief(line: &str) -> String {
    const MAX_CHARS: usize = 80;
    let start: String = line.chars().take(MAX_CHARS).collect();
    let is_cut = start.len() < line.len();
    let start = start.escape_debug().to_string().replace("\\\"", "\"");
    if is_cut { format!("{start}..") } else { start }
}

#[cfg(test)]
mod tests {
    use serde_json::Value as Json;

    use super::{AdapterAnswer, Message, message, request};

    #[test]
    fn requests_are_lines() {
        assert_eq!(request(7, "push", "[3]"), "{\"id\":7,\"op\":\"push\",\"args\":[3]}\n");
    }

    #[test]
    fn answers_are_read() {
        let ok = message(r#"{"id": 3, "ok": null, "more": 1}"#);
        assert_eq!(ok, Ok(Message::Answer(3, AdapterAnswer::Ok(Json::Null))));
        let Ok(Message::Answer(4, AdapterAnswer::Error(error))) =
            message(r#"{"id": 4, "err": {"kind": "Full", "text": "no room", "maybe": true}}"#)
        else {
            panic!("an error is an answer")
        };
        assert_eq!((&*error.kind, &*error.text), ("Full", "no room"));
        assert!(error.may_have_happened);
        assert_eq!(message(r#"{"event": "full", "args": []}"#), Ok(Message::Event));
    }

    #[test]
    fn other_lines_are_described() {
        let why = |line: &str| message(line).expect_err(line);
        assert_eq!(why("Hello!"), "sent `Hello!`, which is not JSON");
        assert_eq!(why("{\"ok\": 1}"), "sent `{\"ok\": 1}`, which has no `id`");
        assert_eq!(why("[1]"), "sent `[1]`, which has no `id`");
        let neither = "sent `{\"id\": 1}`, which has neither `ok` nor `err`";
        assert_eq!(why("{\"id\": 1}"), neither);
        assert!(why(&"[".repeat(1_000_000)).contains("nests deeper"));
        assert!(why(&"x".repeat(500)).ends_with("..`, which is not JSON"));
    }
}
