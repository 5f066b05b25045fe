//! The table of builtins: what cannot be written in Gainsay itself.
//!
//! A row is a name, its arity and its properties. Its type is declared in the standard library
//! (`@builtin fn`), its meaning is in the engines; tests assert that no row lacks either half. No
//! builtin takes a function, so that engines never call back. Comparison, printing and the like are
//! generic over first-order types.

use crate::id::BuiltinId;

/// What every phase must know of a builtin.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct Builtin {
    /// `module.function` of its declaration.
    pub name: &'static str,
    /// How many arguments it takes.
    pub arity: u32,
    /// Whether its first type argument must be a first-order type.
    pub first_order: bool,
}

/// The builtin with a name.
pub fn find(name: &str) -> Option<BuiltinId> {
    ALL.iter().position(|it| it.name == name).map(|at| BuiltinId(at as u32))
}

/// A row of the table.
pub fn get(id: BuiltinId) -> &'static Builtin {
    &ALL[id.index()]
}

macro_rules! builtins {
    (@first_order) => { false };
    (@first_order FirstOrder) => { true };
    ($($constant:ident $name:literal $arity:literal $($first_order:ident)?;)+) => {
        #[expect(non_camel_case_types, clippy::upper_case_acronyms, reason = "counts the rows")]
        enum BuiltinIndex { $($constant),+ }

        $(#[doc = concat!("`", $name, "`")]
        pub const $constant: BuiltinId = BuiltinId(BuiltinIndex::$constant as u32);)+

        /// All builtins, in the order of their ids.
        pub const ALL: &[Builtin] = &[$(Builtin {
            name: $name, arity: $arity, first_order: builtins!(@first_order $($first_order)?),
        }),+];
    };
}

builtins! {
    EQ "value.eq" 2 FirstOrder;
    NE "value.ne" 2 FirstOrder;
    LT "value.lt" 2 FirstOrder;
    LE "value.le" 2 FirstOrder;
    GT "value.gt" 2 FirstOrder;
    GE "value.ge" 2 FirstOrder;
    SAME "value.same" 2 FirstOrder;
    COMPARE "value.order" 2 FirstOrder;
    SHOW "value.show" 1 FirstOrder;
    FAIL "value.fail" 1;

    INT_ADD "int.add" 2;
    INT_SUB "int.sub" 2;
    INT_MUL "int.mul" 2;
    INT_DIV "int.div" 2;
    INT_REM "int.rem" 2;
    INT_NEG "int.neg" 1;
    INT_POW "int.pow" 2;
    INT_AND "int.bit_and" 2;
    INT_OR "int.bit_or" 2;
    INT_XOR "int.bit_xor" 2;
    INT_SHL "int.shift_left" 2;
    INT_SHR "int.shift_right" 2;
    INT_TO_FLOAT "int.to_float" 1;
    INT_PARSE "int.parse" 1;

    FLOAT_ADD "float.add" 2;
    FLOAT_SUB "float.sub" 2;
    FLOAT_MUL "float.mul" 2;
    FLOAT_DIV "float.div" 2;
    FLOAT_REM "float.rem" 2;
    FLOAT_NEG "float.neg" 1;
    FLOAT_FLOOR "float.floor" 1;
    FLOAT_CEIL "float.ceil" 1;
    FLOAT_ROUND "float.round" 1;
    FLOAT_TRUNC "float.trunc" 1;
    FLOAT_SQRT "float.sqrt" 1;
    FLOAT_POW "float.pow" 2;
    FLOAT_EXP "float.exp" 1;
    FLOAT_LN "float.ln" 1;
    FLOAT_SIN "float.sin" 1;
    FLOAT_COS "float.cos" 1;
    FLOAT_ATAN2 "float.atan2" 2;
    FLOAT_TO_INT "float.to_int" 1;
    FLOAT_TO_BITS "float.to_bits" 1;
    FLOAT_FROM_BITS "float.from_bits" 1;
    FLOAT_PARSE "float.parse" 1;

    BOOL_NOT "bool.not" 1;

    CHAR_CODE "char.code" 1;
    CHAR_FROM_CODE "char.from_code" 1;
    CHAR_IS_ALPHABETIC "char.is_alphabetic" 1;
    CHAR_IS_NUMERIC "char.is_numeric" 1;
    CHAR_IS_WHITESPACE "char.is_whitespace" 1;
    CHAR_IS_UPPER "char.is_upper" 1;
    CHAR_IS_LOWER "char.is_lower" 1;
    CHAR_TO_UPPER "char.to_upper" 1;
    CHAR_TO_LOWER "char.to_lower" 1;

    STR_CONCAT "str.concat" 2;
    STR_LEN "str.len" 1;
    STR_CHARS "str.chars" 1;
    STR_FROM_CHARS "str.from_chars" 1;
    STR_SLICE "str.slice" 3;
    STR_SPLIT "str.split" 2;
    STR_JOIN "str.join" 2;
    STR_TRIM "str.trim" 1;
    STR_STARTS_WITH "str.starts_with" 2;
    STR_ENDS_WITH "str.ends_with" 2;
    STR_CONTAINS "str.contains" 2;
    STR_FIND "str.find" 2;
    STR_REPLACE "str.replace" 3;
    STR_REPEAT "str.repeat" 2;
    STR_TO_UPPER "str.to_upper" 1;
    STR_TO_LOWER "str.to_lower" 1;

    LIST_CONCAT "list.concat" 2;
    LIST_LEN "list.len" 1;
    LIST_REVERSE "list.reverse" 1;
    LIST_AT "list.at" 2;
    LIST_DROP "list.drop" 2;
    LIST_TAKE "list.take" 2;
    LIST_SORT "list.sort" 1 FirstOrder;
    LIST_RANGE "list.range" 2;

    MAP_EMPTY "map.empty" 0 FirstOrder;
    MAP_OF "map.of" 1 FirstOrder;
    MAP_LEN "map.len" 1;
    MAP_GET "map.get" 2 FirstOrder;
    MAP_PUT "map.put" 3 FirstOrder;
    MAP_REMOVE "map.remove" 2 FirstOrder;
    MAP_ENTRIES "map.entries" 1;
    MAP_KEYS "map.keys" 1;
    MAP_VALUES "map.values" 1;

    SET_EMPTY "set.empty" 0 FirstOrder;
    SET_OF "set.of" 1 FirstOrder;
    SET_LEN "set.len" 1;
    SET_CONTAINS "set.contains" 2 FirstOrder;
    SET_INSERT "set.insert" 2 FirstOrder;
    SET_REMOVE "set.remove" 2 FirstOrder;
    SET_ITEMS "set.items" 1;
}
