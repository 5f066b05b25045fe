//! A validator for the subset of JSON Schema draft 7 that the mutation report schema uses.
//!
//! **Invariant:** An unknown keyword is an error, never ignored: a newer schema is either supported
//! or fails the test.
//!
//! The crates that support all of it have dozens of dependencies, and change the features of some
//! that the JIT is built with, so that it would be built twice.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

/// Keywords without effect on validation.
const FOR_PEOPLE: [&str; 7] =
    ["$id", "$schema", "definitions", "description", "examples", "format", "title"];

/// A pattern and its matcher.
type KnownPattern = (&'static str, fn(&str) -> bool);

/// All supported patterns.
const PATTERNS: [KnownPattern; 1] = [(r"^([1-2])(\.(([1-9]\d*)|0)){0,2}$", is_version)];

/// The violations of a value, each with its path.
pub(crate) fn complaints(schema: &Value, value: &Value) -> Vec<String> {
    let mut judge = SchemaValidator { root: schema, path: Vec::new(), complaints: Vec::new() };
    judge.value(schema, value);
    judge.complaints
}

struct SchemaValidator<'a> {
    root: &'a Value,
    path: Vec<String>,
    complaints: Vec<String>,
}

impl<'a> SchemaValidator<'a> {
    fn complain(&mut self, what: impl std::fmt::Display) {
        self.complaints.push(format!("/{}: {what}", self.path.join("/")));
    }

    fn below(&mut self, step: &str, schema: &'a Value, value: &Value) {
        self.path.push(step.to_owned());
        self.value(schema, value);
        self.path.pop();
    }

    fn value(&mut self, schema: &'a Value, value: &Value) {
        let schema = self.resolved(schema);
        for (keyword, wanted) in schema {
            match keyword.as_str() {
                "type" => self.kind(text(wanted), value),
                "enum" => {
                    if !items(wanted).contains(value) {
                        self.complain(format_args!("{value} is none of {wanted}"));
                    }
                }
                "pattern" => self.pattern(text(wanted), value),
                "minimum" => self.bound(|it| Some(it) >= wanted.as_f64(), value, "small"),
                "maximum" => self.bound(|it| Some(it) <= wanted.as_f64(), value, "large"),
                "required" => self.required(items(wanted), value),
                "properties" | "additionalProperties" => {}
                "items" => {
                    for (at, item) in items(value).iter().enumerate() {
                        self.below(&at.to_string(), wanted, item);
                    }
                }
                "uniqueItems" => {
                    let distinct: BTreeSet<String> = texts(value).into_iter().collect();
                    if distinct.len() != items(value).len() {
                        self.complain("something is there twice");
                    }
                }
                it => assert!(FOR_PEOPLE.contains(&it), "what does `{it}` mean?"),
            }
        }
        self.fields(schema, value);
    }

    /// The keywords of a schema, following `$ref`.
    fn resolved(&self, schema: &'a Value) -> &'a Map<String, Value> {
        let schema = match schema.get("$ref").map(text) {
            Some(target) => {
                let pointer = target.strip_prefix('#').expect("it refers to a part of itself");
                self.root.pointer(pointer).expect("what is referred to is there")
            }
            None => schema,
        };
        schema.as_object().expect("a schema is an object")
    }

    fn kind(&mut self, wanted: &str, value: &Value) {
        let is = match wanted {
            "object" => value.is_object(),
            "array" => value.is_array(),
            "string" => value.is_string(),
            "boolean" => value.is_boolean(),
            "number" => value.is_number(),
            "integer" => value.is_i64() || value.is_u64(),
            it => panic!("what is a value of type `{it}`?"),
        };
        if !is {
            self.complain(format_args!("{value} is no {wanted}"));
        }
    }

    fn pattern(&mut self, wanted: &str, value: &Value) {
        let found = PATTERNS.iter().find(|(pattern, _)| *pattern == wanted);
        let (_, matches) = found.unwrap_or_else(|| panic!("what matches `{wanted}`?"));
        if value.as_str().is_some_and(|it| !matches(it)) {
            self.complain(format_args!("{value} does not match {wanted}"));
        }
    }

    fn bound(&mut self, holds: impl Fn(f64) -> bool, value: &Value, what: &str) {
        if value.as_f64().is_some_and(|it| !holds(it)) {
            self.complain(format_args!("{value} is too {what}"));
        }
    }

    fn required(&mut self, wanted: &[Value], value: &Value) {
        for name in wanted {
            if value.is_object() && value.get(text(name)).is_none() {
                self.complain(format_args!("there is no {name}"));
            }
        }
    }

    /// Checks fields by name; unnamed ones by `additionalProperties`.
    fn fields(&mut self, schema: &'a Map<String, Value>, value: &Value) {
        for (name, field) in value.as_object().into_iter().flatten() {
            let named = schema.get("properties").and_then(|it| it.get(name));
            if let Some(wanted) = named.or_else(|| schema.get("additionalProperties")) {
                self.below(name, wanted, field);
            }
        }
    }
}

fn text(value: &Value) -> &str {
    value.as_str().expect("the schema has a text here")
}

/// The elements of a list; none for anything else.
fn items(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn texts(value: &Value) -> Vec<String> {
    items(value).iter().map(Value::to_string).collect()
}

/// `1` or `2`, followed by at most two more numbers.
fn is_version(text: &str) -> bool {
    let mut parts = text.split('.');
    let is_number = |it: &str| {
        it == "0"
            || !it.starts_with('0')
                && !it.is_empty()
                && it.bytes().all(|it| it.is_ascii_digit())
    };
    parts.next().is_some_and(|it| it == "1" || it == "2")
        && parts.clone().count() <= 2
        && parts.all(is_number)
}

#[test]
fn complaints_say_where() {
    let schema = serde_json::json!({
        "type": "object",
        "required": ["a", "b"],
        "properties": {
            "a": { "$ref": "#/definitions/few" },
            "c": { "type": "array", "uniqueItems": true, "items": { "enum": ["x", "y"] } },
            "v": { "pattern": PATTERNS[0].0 },
        },
        "additionalProperties": { "type": "string" },
        "definitions": { "few": { "type": "integer", "minimum": 1, "maximum": 9 } },
    });
    let value = serde_json::json!({ "a": 0, "c": ["x", "z", "x"], "d": 1, "v": "2.01" });
    let expected = [
        "/: there is no \"b\"",
        "/a: 0 is too small",
        "/c/1: \"z\" is none of [\"x\",\"y\"]",
        "/c: something is there twice",
        "/d: 1 is no string",
        "/v: \"2.01\" does not match ^([1-2])(\\.(([1-9]\\d*)|0)){0,2}$",
    ];
    assert_eq!(complaints(&schema, &value), expected);
    let fine = serde_json::json!({ "a": 9, "b": "", "c": [], "v": "2.0.10" });
    assert_eq!(complaints(&schema, &fine), [""; 0]);
    let refused = ["", "3", "2.", "2.1.0.0", "2.x"];
    assert!(!refused.iter().any(|it| is_version(it)));
}
