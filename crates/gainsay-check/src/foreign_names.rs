//! Names from other languages and their libraries, mapped to their counterparts here.

/// A name in another language, and its counterpart.
type ForeignName = (&'static str, &'static str);

/// Types.
const TYPES: [ForeignName; 27] = [
    ("String", "Str"),
    ("string", "Str"),
    ("str", "Str"),
    ("Text", "Str"),
    ("Integer", "Int"),
    ("int", "Int"),
    ("i32", "Int"),
    ("i64", "I64"),
    ("u8", "U8"),
    ("Number", "Int"),
    ("number", "Int"),
    ("Boolean", "Bool"),
    ("bool", "Bool"),
    ("Double", "Float"),
    ("float", "Float"),
    ("f64", "Float"),
    ("Character", "Char"),
    ("char", "Char"),
    ("Array", "List"),
    ("Vec", "List"),
    ("Seq", "List"),
    ("Dict", "Map"),
    ("HashMap", "Map"),
    ("HashSet", "Set"),
    ("Maybe", "Option"),
    ("Either", "Result"),
    ("Void", "Unit"),
];

/// Library functions, called as methods or by qualified name. Of several rows for a name, the first
/// one counts whose counterpart the type has.
const FUNCTIONS: [ForeignName; 79] = [
    ("length", "len"),
    ("size", "len"),
    ("count", "len"),
    ("append", "concat"),
    ("extend", "concat"),
    ("plus", "concat"),
    ("push", "concat"),
    ("add", "insert"),
    ("add", "put"),
    ("add", "concat"),
    ("insert", "put"),
    ("insert", "insert_at"),
    ("set", "put"),
    ("delete", "remove"),
    ("delete", "remove_at"),
    ("discard", "remove"),
    ("erase", "remove"),
    ("lookup", "get"),
    ("nth", "at"),
    ("has", "contains"),
    ("includes", "contains"),
    ("member", "contains"),
    ("elem", "contains"),
    ("contains_key", "contains"),
    ("containsKey", "contains"),
    ("has_key", "contains"),
    ("get_or_default", "get_or"),
    ("getOrDefault", "get_or"),
    ("getOrElse", "or"),
    ("getOrElse", "get_or"),
    ("get_or_else", "or"),
    ("withDefault", "or"),
    ("unwrap_or_else", "or_else"),
    ("fromJust", "unwrap"),
    ("isDefined", "is_some"),
    ("isPresent", "is_some"),
    ("is_just", "is_some"),
    ("flatMap", "flat_map"),
    ("flatMap", "and_then"),
    ("bind", "and_then"),
    ("concatMap", "flat_map"),
    ("concat_map", "flat_map"),
    ("collect", "map"),
    ("select", "filter"),
    ("keep", "filter"),
    ("filterMap", "filter_map"),
    ("forEach", "each"),
    ("for_each", "each"),
    ("foldl", "fold"),
    ("foldLeft", "fold"),
    ("foldr", "fold_right"),
    ("foldRight", "fold_right"),
    ("reduce", "fold"),
    ("inject", "fold"),
    ("exists", "any"),
    ("some", "any"),
    ("every", "all"),
    ("forall", "all"),
    ("find_index", "position"),
    ("findIndex", "position"),
    ("indexOf", "index_of"),
    ("head", "first"),
    ("tail", "rest"),
    ("rev", "reverse"),
    ("reversed", "reverse"),
    ("nub", "unique"),
    ("uniq", "unique"),
    ("sortBy", "sort_by"),
    ("substring", "slice"),
    ("substr", "slice"),
    ("strip", "trim"),
    ("upper", "to_upper"),
    ("toUpperCase", "to_upper"),
    ("lower", "to_lower"),
    ("toLowerCase", "to_lower"),
    ("startsWith", "starts_with"),
    ("endsWith", "ends_with"),
    ("toString", "to_str"),
    ("to_string", "to_str"),
];

/// Standalone names, and what to write instead.
const VALUES: [ForeignName; 32] = [
    ("print", "write `Console.print(..)`"),
    ("println", "write `Console.print(..)`"),
    ("printf", "write `Console.print(..)`"),
    ("null", "write `None`, and make the type an `Option`"),
    ("nil", "write `None`, and make the type an `Option`"),
    ("undefined", "write `None`, and make the type an `Option`"),
    ("Nothing", "write `None`"),
    ("Just", "write `Some`"),
    ("Left", "write `Err`"),
    ("Right", "write `Ok`"),
    ("True", "write `true`"),
    ("False", "write `false`"),
    ("not", "write `!`"),
    ("assert", ASSERT),
    ("assert_eq", ASSERT_EQUAL),
    ("assertEquals", ASSERT_EQUAL),
    ("assertEqual", ASSERT_EQUAL),
    ("assert_ne", "write `observe a != b`"),
    ("assertTrue", ASSERT),
    ("expect", ASSERT_EQUAL),
    ("ensure", ASSERT),
    ("check", ASSERT),
    ("require", "write an `in { condition }` clause, or `assume` in a claim"),
    ("panic", "write `fail(\"why\")`"),
    ("error", "write `fail(\"why\")`, or return an `Err`"),
    ("throw", "write `fail(\"why\")`, or return an `Err`"),
    ("return", "remove it: the last expression of a block is its value"),
    ("str", "write `show(..)`"),
    ("len", "write `xs.len()`"),
    ("range", "write `List.range(first, end)`"),
    ("self", "declare a parameter for the value: Gainsay has no `self`"),
    ("this", "declare a parameter for the value: Gainsay has no `this`"),
];

const ASSERT: &str = "write `observe condition` in a test or property";
const ASSERT_EQUAL: &str = "write `observe a == b` in a test or property";

/// The type that another language calls by this name.
pub(crate) fn type_counterpart(name: &str) -> Option<&'static str> {
    TYPES.iter().find(|(other, _)| *other == name).map(|(_, here)| *here)
}

/// The function among `names` that another library calls by this name.
pub(crate) fn function_counterpart<'n>(name: &str, names: &[&'n str]) -> Option<&'n str> {
    let rows = FUNCTIONS.iter().filter(|(other, _)| *other == name);
    rows.filter_map(|(_, here)| names.iter().copied().find(|it| it == here)).next()
}

/// What to write for a standalone name of another language.
pub(crate) fn value_advice(name: &str) -> Option<&'static str> {
    VALUES.iter().find(|(other, _)| *other == name).map(|(_, advice)| *advice)
}

#[cfg(test)]
mod tests {
    use super::{FUNCTIONS, TYPES, function_counterpart};

    #[test]
    fn no_alias_stands_for_itself() {
        for (other, here) in FUNCTIONS.iter().chain(&TYPES) {
            assert_ne!(other, here);
        }
    }

    #[test]
    fn the_first_counterpart_that_the_type_has_counts() {
        assert_eq!(function_counterpart("add", &["put", "concat"]), Some("put"));
        assert_eq!(function_counterpart("add", &["len"]), None);
    }
}
