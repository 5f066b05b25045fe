//! Syntax of another language that has a counterpart here.

use gainsay_source::codes::FOREIGN_SYNTAX;
use gainsay_source::{Diagnostic, Span};

/// Syntax of another language that has a counterpart here.
pub(crate) struct ForeignSyntax {
    pub(crate) span: Span,
    pub(crate) form: Foreign,
}

/// What another language would have understood.
pub(crate) enum Foreign {
    /// `/* .. */`
    BlockComment,
    /// `let mut x`
    Mutable,
    /// `x = 2`, with the name if the target is one.
    Assignment { name: Option<String> },
    /// `x += 2`, with the operator before the `=`.
    CompoundAssignment { operator: String },
    /// `for`, `while` or `loop`.
    Loop { word: String },
    /// `return x`
    Return,
    /// `assert x`
    Assertion { word: String },
    /// `elif` and its relatives.
    ElseIf { word: String },
    /// `if a then b`
    Then,
    /// `if let P = e`
    IfLet,
    /// A `fn` in a block.
    NestedFunction,
    /// `Option::Some`
    PathSeparator,
    /// `P { ..p, x: 2 }`
    NamedUpdate,
    /// `[T]` where a type is expected, with the text of `T` if it is short.
    BracketType { item: Option<String> },
    /// `fn f(): T`
    ColonResult,
    /// `fn f() T`
    MissingArrow { after: Span },
    /// `requires c`
    Precondition { word: String },
    /// `ensures c`
    Postcondition { word: String },
    /// `in c` without braces.
    BareIn,
    /// `forall (x: Int)`
    Quantifier { word: String },
    /// `<T: Ord>`
    Bound,
    /// `format!(..)`
    Macro { name: String },
    /// `f"{x}"`
    PrefixedString,
}

impl From<ForeignSyntax> for Diagnostic {
    fn from(it: ForeignSyntax) -> Self {
        let found = Self::new(FOREIGN_SYNTAX, it.span, message(&it.form));
        match &it.form {
            Foreign::ElseIf { .. } => found.with_fix("write `else if`", it.span, "else if"),
            Foreign::PathSeparator => found.with_fix("write `.`", it.span, "."),
            Foreign::ColonResult => found.with_fix("write `->`", it.span, " ->"),
            Foreign::MissingArrow { after } => found.with_fix("add `->`", *after, " ->"),
            Foreign::BlockComment
            | Foreign::Mutable
            | Foreign::NamedUpdate
            | Foreign::Assignment { .. }
            | Foreign::CompoundAssignment { .. }
            | Foreign::Loop { .. }
            | Foreign::Return
            | Foreign::Assertion { .. }
            | Foreign::Then
            | Foreign::IfLet
            | Foreign::NestedFunction
            | Foreign::BracketType { .. }
            | Foreign::Precondition { .. }
            | Foreign::Postcondition { .. }
            | Foreign::BareIn
            | Foreign::Quantifier { .. }
            | Foreign::Bound
            | Foreign::Macro { .. }
            | Foreign::PrefixedString => found.with_help(help(&it.form)),
        }
    }
}

fn message(form: &Foreign) -> String {
    match form {
        Foreign::BlockComment => "Gainsay has no block comments".into(),
        Foreign::Mutable => "variables are immutable".into(),
        Foreign::Assignment { .. } | Foreign::CompoundAssignment { .. } => {
            "variables cannot be reassigned".into()
        }
        Foreign::Loop { word } if word == "loop" => "Gainsay has no `loop`".into(),
        Foreign::Loop { word } => format!("Gainsay has no `{word}` loop"),
        Foreign::Return => "Gainsay has no `return`".into(),
        Foreign::Assertion { word }
        | Foreign::ElseIf { word }
        | Foreign::Precondition { word }
        | Foreign::Postcondition { word }
        | Foreign::Quantifier { word } => format!("Gainsay has no `{word}`"),
        Foreign::Then => "Gainsay has no `then`".into(),
        Foreign::IfLet => "Gainsay has no `if let`".into(),
        Foreign::NestedFunction => "a function cannot be declared inside a block".into(),
        Foreign::PathSeparator => "names are qualified with `.`, not `::`".into(),
        Foreign::NamedUpdate => "a record update does not name its type".into(),
        Foreign::BracketType { .. } => "a list type is written `List<..>`".into(),
        Foreign::ColonResult => "the result type is written after `->`, not `:`".into(),
        Foreign::MissingArrow { .. } => "the result type is written after `->`".into(),
        Foreign::BareIn => "the condition of an `in` clause is written in braces".into(),
        Foreign::Bound => "type parameters have no bounds".into(),
        Foreign::Macro { name } => format!("Gainsay has no macros such as `{name}!`"),
        Foreign::PrefixedString => "Gainsay has no string interpolation".into(),
    }
}

/// What to write instead, where no edit of one place does it.
fn help(form: &Foreign) -> String {
    match form {
        Foreign::Mutable => "remove `mut`, and bind a changed value with another `let`".into(),
        Foreign::NamedUpdate => {
            "leave out the name of the type, and start with the old value: `{ ..old, field: 2 }`"
                .into()
        }
        Foreign::BlockComment => "start each line of the comment with `//`".into(),
        Foreign::Assignment { name: Some(name) } => {
            format!("bind the new value with `let {name} = ..`, or compare with `==`")
        }
        Foreign::Assignment { name: None } => {
            "make a changed copy, such as `{ ..record, field: value }`, or compare with `==`"
                .into()
        }
        Foreign::CompoundAssignment { operator } => {
            format!("bind the new value: `let x = x {operator} ..`")
        }
        Foreign::Loop { word } if word == "for" => {
            "use `.each`, `.map` or `.fold` on the list, or recursion".into()
        }
        Foreign::Loop { .. } => "use recursion, or `.fold` on a list".into(),
        Foreign::Return => "remove it: the last expression of a block is its value".into(),
        Foreign::Assertion { .. } => {
            "write `observe` in a test or property, or an `in` or `out` clause on a function"
                .into()
        }
        Foreign::Then => "put each branch in braces: `if a { b } else { c }`".into(),
        Foreign::IfLet => "use `match value { Some(x) => .., _ => .. }`".into(),
        Foreign::NestedFunction => {
            "move it to the top level, or bind a lambda: `let f = |x| ..`".into()
        }
        Foreign::BracketType { item: Some(item) } => format!("write `List<{item}>`"),
        Foreign::BracketType { item: None } => "write `List<..>`".into(),
        Foreign::Precondition { .. } => {
            "write `in { condition }` between the signature and the body".into()
        }
        Foreign::Postcondition { .. } => {
            "write `out(result) { condition }` between the signature and the body".into()
        }
        Foreign::BareIn => "write `in { condition }`".into(),
        Foreign::Quantifier { .. } => {
            "write `across (x: Int) { .. }`, or a `@property` with parameters".into()
        }
        Foreign::Bound => {
            "remove the bound: `==`, `<` and `show` work on every type without functions".into()
        }
        Foreign::Macro { name } => macro_help(name).into(),
        Foreign::PrefixedString => INTERPOLATION.into(),
        Foreign::ElseIf { .. }
        | Foreign::PathSeparator
        | Foreign::ColonResult
        | Foreign::MissingArrow { .. } => String::new(),
    }
}

/// How texts and values are put together.
const INTERPOLATION: &str =
    "join texts with `++`, and print values with `show`: `\"n = \" ++ show(n)`";

fn macro_help(name: &str) -> &'static str {
    match name {
        "format" => INTERPOLATION,
        "print" | "println" | "eprint" | "eprintln" => "write `Console.print(..)`",
        "assert" | "assert_eq" | "assert_ne" | "prop_assert" | "prop_assert_eq" => {
            "write `observe a == b` in a test or property"
        }
        "vec" => "write a list as `[a, b]`",
        "panic" | "todo" | "unimplemented" | "unreachable" => "write `fail(\"why\")`",
        _ => "call a function instead",
    }
}
