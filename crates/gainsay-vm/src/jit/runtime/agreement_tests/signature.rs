//! Signatures of builtins, as the standard library declares them.

/// A type for which values are generated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum SampleType {
    Int,
    Float,
    Bool,
    Char,
    Str,
    Tuple(Vec<SampleType>),
    /// The sum, with field types for its constructors.
    Sum(Vec<SampleType>),
    List(Box<SampleType>),
    Map(Box<SampleType>, Box<SampleType>),
    Set(Box<SampleType>),
    /// A function with captures of this type.
    Function(Box<SampleType>),
    /// A type parameter, by its letter.
    Param(char),
}

/// The modules of the standard library that declare builtins.
const MODULES: &[(&str, &str)] = &[
    ("bool", include_str!("../../../../../../std/bool.say")),
    ("char", include_str!("../../../../../../std/char.say")),
    ("float", include_str!("../../../../../../std/float.say")),
    ("int", include_str!("../../../../../../std/int.say")),
    ("list", include_str!("../../../../../../std/list.say")),
    ("map", include_str!("../../../../../../std/map.say")),
    ("set", include_str!("../../../../../../std/set.say")),
    ("str", include_str!("../../../../../../std/str.say")),
    ("value", include_str!("../../../../../../std/value.say")),
];

/// The parameter types of a builtin.
pub(super) fn signature(name: &str) -> Option<Vec<SampleType>> {
    let (module, function) = name.split_once('.')?;
    let (_, text) = MODULES.iter().find(|(name, _)| *name == module)?;
    let declared = text.lines().find_map(|line| {
        let rest = line.strip_prefix("@builtin fn ")?.strip_prefix(function)?;
        rest.starts_with(['(', '<']).then_some(rest)
    })?;
    let params = &declared[declared.find('(')? + 1..declared.find(") ->")?];
    split(params).map(|param| ty(param.split_once(": ")?.1)).collect()
}

/// Splits at commas outside of brackets.
fn split(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0;
    let is_comma = move |char| {
        match char {
            '<' | '(' => depth += 1,
            '>' | ')' => depth -= 1,
            _ => {}
        }
        char == ',' && depth == 0
    };
    text.split(is_comma).map(str::trim).filter(|part| !part.is_empty())
}

fn ty(text: &str) -> Option<SampleType> {
    let inside = |open: &str| text.strip_prefix(open)?.strip_suffix(['>', ')']);
    if let Some(items) = inside("(") {
        return split(items).map(ty).collect::<Option<_>>().map(SampleType::Tuple);
    }
    if let Some(item) = inside("List<") {
        return ty(item).map(|item| SampleType::List(Box::new(item)));
    }
    if let Some(item) = inside("Set<") {
        return ty(item).map(|item| SampleType::Set(Box::new(item)));
    }
    if let Some(entry) = inside("Map<") {
        let (key, value) = entry.split_once(", ")?;
        return Some(SampleType::Map(Box::new(ty(key)?), Box::new(ty(value)?)));
    }
    match text {
        "Int" => Some(SampleType::Int),
        "Float" => Some(SampleType::Float),
        "Bool" => Some(SampleType::Bool),
        "Char" => Some(SampleType::Char),
        "Str" => Some(SampleType::Str),
        _ if text.len() == 1 => text.chars().next().map(SampleType::Param),
        _ => None,
    }
}
