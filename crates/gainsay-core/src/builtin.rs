//! The table of builtins: what cannot be written in Gainsay itself.
//!
//! A row is a name, its arity and its properties. Its type is declared in the standard library
//! (`@builtin fn`), its meaning is in the engines; tests assert that no row lacks either half. No
//! builtin takes a function, so that engines never call back. Comparison, printing and the like are
//! generic over first-order types.

use crate::comparison::Comparison;
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
    /// Whether it fails on some arguments.
    pub partial: bool,
    /// Whether its arguments may change places.
    pub commutative: bool,
    /// How it is written between two operands, if it can be.
    pub infix: Option<&'static str>,
    /// The comparison it is.
    pub comparison: Option<Comparison>,
    /// The comparison it is on values in a total order: without NaN, `value.same` is `==`.
    pub total_comparison: Option<Comparison>,
}

/// The facts of a row, as the table names them.
impl Builtin {
    const fn new(name: &'static str, arity: u32) -> Self {
        Self {
            name,
            arity,
            first_order: false,
            partial: false,
            commutative: false,
            infix: None,
            comparison: None,
            total_comparison: None,
        }
    }

    const fn first_order(self) -> Self {
        Self { first_order: true, ..self }
    }

    const fn partial(self) -> Self {
        Self { partial: true, ..self }
    }

    const fn commutative(self) -> Self {
        Self { commutative: true, ..self }
    }

    const fn infix(self, symbol: &'static str) -> Self {
        Self { infix: Some(symbol), ..self }
    }

    const fn compares(self, comparison: Comparison) -> Self {
        let it = self.infix(comparison.symbol()).compares_totally(comparison);
        Self { comparison: Some(comparison), ..it }
    }

    const fn compares_totally(self, comparison: Comparison) -> Self {
        Self { total_comparison: Some(comparison), ..self }
    }
}

/// The builtin with a name.
pub fn find(name: &str) -> Option<BuiltinId> {
    ALL.iter().position(|it| it.name == name).map(|at| BuiltinId(at as u32))
}

/// The comparison with an operator.
pub fn comparison_written(symbol: &str) -> Option<BuiltinId> {
    let is_it = |it: &Builtin| it.comparison.is_some_and(|it| it.symbol() == symbol);
    ALL.iter().position(is_it).map(|at| BuiltinId(at as u32))
}

/// A row of the table.
pub fn get(id: BuiltinId) -> &'static Builtin {
    &ALL[id.index()]
}

macro_rules! builtins {
    ($($constant:ident $name:literal $arity:literal $($fact:ident $(($value:expr))?)*;)+) => {
        #[expect(non_camel_case_types, clippy::upper_case_acronyms, reason = "counts the rows")]
        enum BuiltinIndex { $($constant),+ }

        $(#[doc = concat!("`", $name, "`")]
        pub const $constant: BuiltinId = BuiltinId(BuiltinIndex::$constant as u32);)+

        /// All builtins, in the order of their ids.
        pub const ALL: &[Builtin] =
            &[$(Builtin::new($name, $arity)$(.$fact($($value)?))*),+];
    };
}

builtins! {
    EQ "value.eq" 2 first_order commutative compares(Comparison::Eq);
    NE "value.ne" 2 first_order commutative compares(Comparison::Ne);
    LT "value.lt" 2 first_order compares(Comparison::Lt);
    LE "value.le" 2 first_order compares(Comparison::Le);
    GT "value.gt" 2 first_order compares(Comparison::Gt);
    GE "value.ge" 2 first_order compares(Comparison::Ge);
    SAME "value.same" 2 first_order commutative compares_totally(Comparison::Eq);
    COMPARE "value.order" 2 first_order;
    SHOW "value.show" 1 first_order;
    FAIL "value.fail" 1 partial;

    INT_ADD "int.add" 2 commutative infix("+");
    INT_SUB "int.sub" 2 infix("-");
    INT_MUL "int.mul" 2 commutative infix("*");
    INT_DIV "int.div" 2 partial infix("/");
    INT_REM "int.rem" 2 partial infix("%");
    INT_NEG "int.neg" 1;
    INT_POW "int.pow" 2 partial;
    INT_AND "int.bit_and" 2 commutative;
    INT_OR "int.bit_or" 2 commutative;
    INT_XOR "int.bit_xor" 2 commutative;
    INT_SHL "int.shift_left" 2 partial;
    INT_SHR "int.shift_right" 2 partial;
    INT_TO_FLOAT "int.to_float" 1;
    INT_PARSE "int.parse" 1;

    FLOAT_ADD "float.add" 2 infix("+");
    FLOAT_SUB "float.sub" 2 infix("-");
    FLOAT_MUL "float.mul" 2 infix("*");
    FLOAT_DIV "float.div" 2 infix("/");
    FLOAT_REM "float.rem" 2 infix("%");
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
    FLOAT_FROM_BITS "float.from_bits" 1 partial;
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

    STR_CONCAT "str.concat" 2 infix("++");
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
    STR_REPEAT "str.repeat" 2 partial;
    STR_TO_UPPER "str.to_upper" 1;
    STR_TO_LOWER "str.to_lower" 1;

    LIST_CONCAT "list.concat" 2 infix("++");
    LIST_LEN "list.len" 1;
    LIST_REVERSE "list.reverse" 1;
    LIST_AT "list.at" 2 partial;
    LIST_DROP "list.drop" 2;
    LIST_TAKE "list.take" 2;
    LIST_SORT "list.sort" 1 first_order;
    LIST_RANGE "list.range" 2;

    MAP_EMPTY "map.empty" 0 first_order;
    MAP_OF "map.of" 1 first_order;
    MAP_LEN "map.len" 1;
    MAP_GET "map.get" 2 first_order;
    MAP_PUT "map.put" 3 first_order;
    MAP_REMOVE "map.remove" 2 first_order;
    MAP_ENTRIES "map.entries" 1;
    MAP_KEYS "map.keys" 1;
    MAP_VALUES "map.values" 1;

    SET_EMPTY "set.empty" 0 first_order;
    SET_OF "set.of" 1 first_order;
    SET_LEN "set.len" 1;
    SET_CONTAINS "set.contains" 2 first_order;
    SET_INSERT "set.insert" 2 first_order;
    SET_REMOVE "set.remove" 2 first_order;
    SET_ITEMS "set.items" 1;
}
