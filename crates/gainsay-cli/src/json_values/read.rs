//! Reads values from JSON, by the type that is expected.
//!
//! What adapters in other languages write by themselves is accepted, too, where nothing else could
//! be meant: a bare value or `null` for an `Option`, and the name of a constructor without fields.

use std::cell::RefCell;

use gainsay::core::{CtorId, Program, Shape, Ty, TyId, TypeId, TypeTable};
use gainsay::vm::{Value, ValueTable};
use num_bigint::BigInt;
use serde_json::Value as Json;

/// Reads values of the types of a program.
pub(crate) struct JsonReader<'p> {
    program: &'p Program,
    /// The program's types, and instances of them.
    types: RefCell<TypeTable>,
}

/// The longest part of a text that an error quotes, in characters.
const MAX_QUOTED: usize = 60;

impl<'p> JsonReader<'p> {
    pub(crate) fn new(program: &'p Program) -> Self {
        Self { program, types: RefCell::new(program.types.clone()) }
    }

    /// The value of a type. The error is a phrase that says what does not fit.
    ///
    /// This recurses as deep as the text nests, which callers limit.
    pub(crate) fn read(&self, ty: TyId, json: &Json) -> Result<Value, String> {
        let ty = self.types.borrow().base(ty);
        let shape = self.types.borrow().get(ty).clone();
        let unexpected =
            |expected: &str| Err(format!("expected {expected}, found {}", brief(json)));
        match shape {
            Ty::Int => int(json).map_or_else(|| unexpected("an integer"), Ok),
            Ty::Float => float(json).map_or_else(|| unexpected("a number"), Ok),
            Ty::Bool => json
                .as_bool()
                .map_or_else(|| unexpected("true or false"), |it| Ok(Value::Bool(it))),
            Ty::Char => {
                char_of(json).map_or_else(|| unexpected("a string of one character"), Ok)
            }
            Ty::Str => {
                json.as_str().map_or_else(|| unexpected("a string"), |it| Ok(Value::str(it)))
            }
            // What an operation without an answer returns in another language means nothing.
            Ty::Tuple(parts) if parts.is_empty() => Ok(Value::UNIT),
            Ty::Tuple(parts) => match json.as_array() {
                Some(items) if items.len() == parts.len() => {
                    let parts = parts.iter().zip(items).map(|(ty, it)| self.read(*ty, it));
                    Ok(Value::tuple(parts.collect::<Result<_, _>>()?))
                }
                _ => unexpected(&format!("an array of {} items", parts.len())),
            },
            Ty::List(item) => match json.as_array() {
                Some(items) => Ok(Value::list(self.items(item, items)?)),
                None => unexpected("an array"),
            },
            Ty::Set(item) => match json.as_array() {
                Some(items) => Ok(Value::Set(ValueTable::from_items(self.items(item, items)?))),
                None => unexpected("an array"),
            },
            Ty::Map(key, value) => self.map(key, value, json),
            Ty::Named(id, args) => self.data(id, &args, json),
            Ty::Function { .. }
            | Ty::Refined { .. }
            | Ty::Param(_)
            | Ty::Var(_)
            | Ty::Error => Err("functions cannot be read".to_owned()),
        }
    }

    fn items(&self, ty: TyId, items: &[Json]) -> Result<Vec<Value>, String> {
        items.iter().map(|it| self.read(ty, it)).collect()
    }

    /// An array of pairs, or an object if the keys are texts.
    fn map(&self, key: TyId, value: TyId, json: &Json) -> Result<Value, String> {
        let has_text_keys = *self.types.borrow().get(self.types.borrow().base(key)) == Ty::Str;
        let entries: Result<Vec<(Value, Value)>, String> = match json {
            Json::Object(fields) if has_text_keys => {
                let fields = fields.iter();
                fields
                    .map(|(key, it)| Ok((Value::str(key.as_str()), self.read(value, it)?)))
                    .collect()
            }
            Json::Array(entries) => {
                let pair = |it: &Json| match it.as_array().map(Vec::as_slice) {
                    Some([one, other]) => Ok((self.read(key, one)?, self.read(value, other)?)),
                    _ => Err(format!("expected a pair [key, value], found {}", brief(it))),
                };
                entries.iter().map(pair).collect()
            }
            Json::Null
            | Json::Bool(_)
            | Json::Number(_)
            | Json::String(_)
            | Json::Object(_) => {
                return Err(format!("expected an array of pairs, found {}", brief(json)));
            }
        };
        Ok(Value::Map(ValueTable::from_entries(entries?)))
    }

    fn data(&self, id: TypeId, args: &[TyId], json: &Json) -> Result<Value, String> {
        let program = self.program;
        let def = program.nominal(id);
        if def.shape == Shape::Record {
            let ctor = def.ctors[0];
            return Ok(Value::data(ctor, self.fields(ctor, args, json)?));
        }
        if Some(id) == program.lang.option
            && let Some(found) = self.bare_option(args[0], json)
        {
            return found;
        }
        let name = json.as_str().or_else(|| json.get("ctor")?.as_str());
        let ctor = name.and_then(|name| {
            def.ctors.iter().find(|it| *program.ctor(**it).name == *name).copied()
        });
        let Some(ctor) = ctor else {
            let names = def.ctors.iter().map(|it| format!("`{}`", program.ctor(*it).name));
            let names = names.collect::<Vec<_>>().join(", ");
            return Err(format!(
                "expected {{\"ctor\": .., \"fields\": ..}} with one of {names}, found {}",
                brief(json)
            ));
        };
        let none = Json::Array(Vec::new());
        let fields = json.get("fields").unwrap_or(&none);
        Ok(Value::data(ctor, self.fields(ctor, args, fields)?))
    }

    /// `null`, or the value itself, where no value of the type looks like that.
    fn bare_option(&self, item: TyId, json: &Json) -> Option<Result<Value, String>> {
        let lang = &self.program.lang;
        let (some, none) = (lang.some?, lang.none?);
        let is_plain = match self.types.borrow().get(self.types.borrow().base(item)) {
            Ty::Tuple(parts) => !parts.is_empty(),
            Ty::Named(id, _) => self.program.nominal(*id).shape == Shape::Record,
            Ty::Int | Ty::Float | Ty::Bool | Ty::Char | Ty::Str => true,
            Ty::List(_) | Ty::Set(_) | Ty::Map(..) => true,
            Ty::Function { .. } | Ty::Refined { .. } => false,
            Ty::Param(_) | Ty::Var(_) | Ty::Error => false,
        };
        if json.is_null() {
            return Some(Ok(Value::data(none, Vec::new())));
        }
        let is_ctor =
            json.get("ctor").is_some() || matches!(json.as_str(), Some("Some" | "None"));
        if !is_plain || is_ctor {
            return None;
        }
        Some(self.read(item, json).map(|it| Value::data(some, vec![it])))
    }

    /// The fields of a constructor: an array, or an object if they have names.
    fn fields(&self, ctor: CtorId, args: &[TyId], json: &Json) -> Result<Vec<Value>, String> {
        let declared = self.program.ctor(ctor);
        let mut values = Vec::with_capacity(declared.fields.len());
        if let Json::Array(items) = json
            && items.len() != declared.fields.len()
        {
            return Err(format!(
                "`{}` has {} fields, found {}",
                declared.name,
                declared.fields.len(),
                items.len()
            ));
        }
        for (at, field) in declared.fields.iter().enumerate() {
            let found = match (json, &field.name) {
                (Json::Array(items), _) => items.get(at),
                (Json::Object(fields), Some(name)) => fields.get(&**name),
                _ => None,
            };
            let Some(found) = found else {
                let what = field.name.as_ref().map_or_else(
                    || format!("field {}", at + 1),
                    |name| format!("field `{name}`"),
                );
                return Err(format!(
                    "{what} of `{}` is missing in {}",
                    declared.name,
                    brief(json)
                ));
            };
            let ty = self.types.borrow_mut().instantiate(field.ty, args);
            values.push(self.read(ty, found)?);
        }
        Ok(values)
    }
}

fn int(json: &Json) -> Option<Value> {
    if let Some(int) = json.as_i64() {
        return Some(Value::Int(int));
    }
    if let Some(int) = json.as_u64() {
        return Some(Value::int(int.into()));
    }
    let digits = match json {
        Json::Number(number) => number.as_str(),
        Json::Object(fields) => fields.get("int")?.as_str()?,
        Json::Null | Json::Bool(_) | Json::String(_) | Json::Array(_) => return None,
    };
    digits.parse::<BigInt>().ok().map(Value::int)
}

fn float(json: &Json) -> Option<Value> {
    let float = match json.as_str() {
        Some("nan") => f64::NAN,
        Some("inf") => f64::INFINITY,
        Some("-inf") => f64::NEG_INFINITY,
        Some(_) => return None,
        None => json.as_f64()?,
    };
    Some(Value::Float(float))
}

fn char_of(json: &Json) -> Option<Value> {
    let mut chars = json.as_str()?.chars();
    let char = chars.next()?;
    chars.next().is_none().then_some(Value::Char(char))
}

/// A text that is short enough for a message.
pub(crate) fn brief(json: &Json) -> String {
    let text = json.to_string();
    if text.chars().count() <= MAX_QUOTED {
        return format!("`{text}`");
    }
    let start: String = text.chars().take(MAX_QUOTED).collect();
    format!("`{start}..`")
}
