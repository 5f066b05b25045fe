//! Syntax of another language that has a counterpart here.

use gainsay_source::codes::FOREIGN_SYNTAX;
use gainsay_source::{Diagnostic, Span};

/// Syntax of another language that has a counterpart here.
pub(crate) struct ForeignSyntax {
    pub(crate) span: Span,
    pub(crate) form: ForeignForm,
}

/// The construct of the other language.
pub(crate) enum ForeignForm {
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
            ForeignForm::ElseIf { .. } => found.with_fix("write `else if`", it.span, "else if"),
            ForeignForm::PathSeparator => found.with_fix("write `.`", it.span, "."),
            ForeignForm::ColonResult => found.with_fix("write `->`", it.span, " ->"),
            ForeignForm::MissingArrow { after } => found.with_fix("add `->`", *after, " ->"),
            ForeignForm::BlockComment
            | ForeignForm::Mutable
            | ForeignForm::NamedUpdate
            | ForeignForm::Assignment { .. }
            | ForeignForm::CompoundAssignment { .. }
            | ForeignForm::Loop { .. }
            | ForeignForm::Return
            | ForeignForm::Assertion { .. }
            | ForeignForm::Then
            | ForeignForm::IfLet
            | ForeignForm::NestedFunction
            | ForeignForm::BracketType { .. }
            | ForeignForm::Precondition { .. }
            | ForeignForm::Postcondition { .. }
            | ForeignForm::BareIn
            | ForeignForm::Quantifier { .. }
            | ForeignForm::Bound
            | ForeignForm::Macro { .. }
            | ForeignForm::PrefixedString => found.with_help(help(&it.form)),
        }
    }
}

fn message(form: &ForeignForm) -> String {
    match form {
        ForeignForm::BlockComment => "Gainsay has no block comments".into(),
        ForeignForm::Mutable => "variables are immutable".into(),
        ForeignForm::Assignment { .. } | ForeignForm::CompoundAssignment { .. } => {
            "variables cannot be reassigned".into()
        }
        ForeignForm::Loop { word } if word == "loop" => "Gainsay has no `loop`".into(),
        ForeignForm::Loop { word } => format!("Gainsay has no `{word}` loop"),
        ForeignForm::Return => "Gainsay has no `return`".into(),
        ForeignForm::Assertion { word }
        | ForeignForm::ElseIf { word }
        | ForeignForm::Precondition { word }
        | ForeignForm::Postcondition { word }
        | ForeignForm::Quantifier { word } => format!("Gainsay has no `{word}`"),
        ForeignForm::Then => "Gainsay has no `then`".into(),
        ForeignForm::IfLet => "Gainsay has no `if let`".into(),
        ForeignForm::NestedFunction => "a function cannot be declared inside a block".into(),
        ForeignForm::PathSeparator => "names are qualified with `.`, not `::`".into(),
        ForeignForm::NamedUpdate => "a record update does not name its type".into(),
        ForeignForm::BracketType { .. } => "a list type is written `List<..>`".into(),
        ForeignForm::ColonResult => "the result type is written after `->`, not `:`".into(),
        ForeignForm::MissingArrow { .. } => "the result type is written after `->`".into(),
        ForeignForm::BareIn => "the condition of an `in` clause is written in braces".into(),
        ForeignForm::Bound => "type parameters have no bounds".into(),
        ForeignForm::Macro { name } => format!("Gainsay has no macros such as `{name}!`"),
        ForeignForm::PrefixedString => "Gainsay has no string interpolation".into(),
    }
}

/// What to write instead, where no single edit suffices.
fn help(form: &ForeignForm) -> String {
    match form {
        ForeignForm::Mutable => {
            "remove `mut`, and bind the new value with another `let`".into()
        }
        ForeignForm::NamedUpdate => {
            "remove the type name, and start with the old value: `{ ..old, field: 2 }`".into()
        }
        ForeignForm::BlockComment => "start each line of the comment with `//`".into(),
        ForeignForm::Assignment { name: Some(name) } => {
            format!("bind the new value with `let {name} = ..`, or compare with `==`")
        }
        ForeignForm::Assignment { name: None } => {
            "make an updated copy, such as `{ ..record, field: value }`, or compare with `==`"
                .into()
        }
        ForeignForm::CompoundAssignment { operator } => {
            format!("bind the new value: `let x = x {operator} ..`")
        }
        ForeignForm::Loop { word } if word == "for" => {
            "use `.each`, `.map` or `.fold` on the list, or recursion".into()
        }
        ForeignForm::Loop { .. } => "use recursion, or `.fold` on a list".into(),
        ForeignForm::Return => "remove it: the last expression of a block is its value".into(),
        ForeignForm::Assertion { .. } => {
            "write `observe` in a test or property, or an `in` or `out` clause on a function"
                .into()
        }
        ForeignForm::Then => "put each branch in braces: `if a { b } else { c }`".into(),
        ForeignForm::IfLet => "use `match value { Some(x) => .., _ => .. }`".into(),
        ForeignForm::NestedFunction => {
            "move it to the top level, or bind a lambda: `let f = |x| ..`".into()
        }
        ForeignForm::BracketType { item: Some(item) } => format!("write `List<{item}>`"),
        ForeignForm::BracketType { item: None } => "write `List<..>`".into(),
        ForeignForm::Precondition { .. } => {
            "write `in { condition }` between the signature and the body".into()
        }
        ForeignForm::Postcondition { .. } => {
            "write `out(result) { condition }` between the signature and the body".into()
        }
        ForeignForm::BareIn => "write `in { condition }`".into(),
        ForeignForm::Quantifier { .. } => {
            "write `across (x: Int) { .. }`, or a `@property` with parameters".into()
        }
        ForeignForm::Bound => {
            "remove the bound: `==`, `<` and `show` work on every type without functions".into()
        }
        ForeignForm::Macro { name } => macro_help(name).into(),
        ForeignForm::PrefixedString => INTERPOLATION.into(),
        ForeignForm::ElseIf { .. }
        | ForeignForm::PathSeparator
        | ForeignForm::ColonResult
        | ForeignForm::MissingArrow { .. } => String::new(),
    }
}

/// How strings and values are combined.
const INTERPOLATION: &str =
    "concatenate strings with `++`, and convert values with `show`: `\"n = \" ++ show(n)`";

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
