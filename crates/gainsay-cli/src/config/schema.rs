//! The JSON schema of `gainsay.toml`, for editors.

use serde_json::{Map, Value, json};

use super::keys::{KEYS, SettingKey, SettingKind, format_names};
use crate::report::PROFILES;

/// The schema as published in `docs/gainsay.schema.json`.
pub(crate) fn schema() -> String {
    let profiles: Map<String, Value> = PROFILES
        .iter()
        .map(|(name, _)| ((*name).to_owned(), table_schema(SettingKey::is_for_profiles)))
        .collect();
    let schema = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "gainsay.toml",
        "description": "Gainsay settings",
        "type": "object",
        "additionalProperties": false,
        "properties": {
            "test": table_schema(|_| true),
            "profile": {
                "description": "settings of each profile, which override `[test]`",
                "type": "object",
                "additionalProperties": false,
                "properties": profiles,
            },
        },
    });
    let text = serde_json::to_string_pretty(&schema).expect("a value of JSON can be written");
    text + "\n"
}

fn table_schema(is_allowed: impl Fn(&SettingKey) -> bool) -> Value {
    let rows = KEYS.iter().filter(|key| is_allowed(key));
    let rows: Map<String, Value> =
        rows.map(|key| (key.name.to_owned(), setting_schema(key))).collect();
    json!({ "type": "object", "additionalProperties": false, "properties": rows })
}

fn setting_schema(key: &SettingKey) -> Value {
    let mut value = kind_schema(key.kind);
    value["description"] = format!("{} (default: {})", key.about, key.default_value).into();
    value
}

fn kind_schema(kind: SettingKind) -> Value {
    match kind {
        SettingKind::PositiveInteger => json!({ "type": "integer", "minimum": 1 }),
        SettingKind::NonNegativeInteger => json!({ "type": "integer", "minimum": 0 }),
        SettingKind::Seed => json!({ "anyOf": [
            { "type": "integer", "minimum": 0 },
            { "type": "string", "pattern": "^(0[xX][0-9a-fA-F_]+|[0-9_]+)$" },
        ] }),
        SettingKind::Duration => {
            json!({ "type": "string", "pattern": "^[0-9_]*\\.?[0-9]+ *(ms|s|m|min|h)$" })
        }
        SettingKind::Flag => json!({ "type": "boolean" }),
        SettingKind::OneOf(names) => json!({ "type": "string", "enum": names() }),
        SettingKind::AnyOf(names) => one_or_more(&json!({ "type": "string", "enum": names() })),
        SettingKind::Formats => {
            let pattern = format!("^({})(=.+)?$", format_names().join("|"));
            one_or_more(&json!({ "type": "string", "pattern": pattern }))
        }
        SettingKind::Path => json!({ "type": "string" }),
        SettingKind::Paths => one_or_more(&json!({ "type": "string" })),
    }
}

/// The parser accepts a single value for a list of one.
fn one_or_more(item: &Value) -> Value {
    json!({ "anyOf": [item, { "type": "array", "items": item }] })
}

#[cfg(test)]
mod tests {
    use super::schema;

    #[test]
    fn the_published_schema_is_this_one() {
        let published = include_str!("../../../../docs/gainsay.schema.json");
        assert_eq!(
            published.replace("\r\n", "\n"),
            schema(),
            "regenerate it: gainsay config schema > docs/gainsay.schema.json"
        );
    }
}
