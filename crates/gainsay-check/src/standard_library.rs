//! The standard library: its modules, written in Gainsay, embedded in the binary.

macro_rules! modules {
    ($($name:literal)+) => {
        /// The standard modules: names and texts.
        pub const MODULES: &[(&str, &str)] =
            &[$(($name, include_str!(concat!("../../../std/", $name, ".say")))),+];
    };
}

modules! {
    "value"
    "ordering"
    "int"
    "float"
    "bool"
    "char"
    "str"
    "list"
    "option"
    "result"
    "map"
    "set"
    "tuple"
    "branch_path"
    "trace"
    "effects"
    "gen"
    "claim"
    "walk"
    "models"
}

/// Modules whose values are visible without a qualifier.
pub(crate) const PRELUDE_MODULES: [&str; 2] = ["value", "claim"];
