//! An invalid part of a trace specification.

use gainsay_source::{Diagnostic, Span, codes};

/// An invalid part of a trace specification.
#[derive(Debug, Clone)]
pub(crate) struct BadSpec {
    pub(crate) mistake: SpecMistake,
    pub(crate) span: Span,
}

/// What names of a specification stand for.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum SpecName {
    Operation,
    Field,
    Sort,
    Function,
    Variable,
    Spec,
}

/// What is wrong.
#[derive(Debug, Clone)]
pub(crate) enum SpecMistake {
    /// Nothing has the name.
    Unknown { kind: SpecName, name: String, close: Option<String> },
    /// Two declarations have the same name.
    Duplicate { name: String, first: Span },
    /// More or fewer arguments than parameters.
    ArgumentCount { expected: usize, actual: usize },
    /// An expression of another sort.
    Sort { expected: String, actual: String },
    /// `==` between different sorts.
    DifferentSorts { left: String, right: String },
    /// A type that fields cannot have.
    UnsupportedType,
    /// An expression that conditions cannot contain.
    UnsupportedExpression,
    /// A product of two unknowns.
    NonlinearProduct,
    /// A number too large for the solver.
    HugeNumber,
    /// A field whose name hides a parameter, in a condition in braces.
    ShadowedParameter { name: String },
    /// A variable in the arguments of an initial event.
    InitialVariable,
    /// `merge` of rules.
    MergedRules,
    /// `drop` of something else than a part of a rule.
    DroppedPart,
}

impl From<BadSpec> for Diagnostic {
    fn from(it: BadSpec) -> Self {
        let of = |text: &str| Diagnostic::new(codes::BAD_SPEC, it.span, text);
        match &it.mistake {
            SpecMistake::Unknown { kind, name, close } => {
                of(&format!("cannot find {} `{name}`", kind_text(*kind)))
                    .with_primary_label("not found in this specification")
                    .with_suggestion(it.span, close.as_deref())
            }
            SpecMistake::Duplicate { name, first } => {
                of(&format!("`{name}` is declared twice"))
                    .with_label(*first, "the first declaration is here")
                    .with_help("rename one of them")
            }
            SpecMistake::ArgumentCount { expected, actual } => {
                let s = if *expected == 1 { "" } else { "s" };
                of(&format!("expected {expected} argument{s}, found {actual}"))
                    .with_help("write `_` for a field of any value")
            }
            SpecMistake::Sort { expected, actual } => {
                of(&format!("expected `{expected}`, found `{actual}`"))
            }
            SpecMistake::DifferentSorts { left, right } => {
                of(&format!("cannot compare `{left}` with `{right}`"))
            }
            SpecMistake::UnsupportedType => of("this type cannot be used in a specification")
                .with_help("use `Int`, `Bool`, or a `sort` or `data` of the specification"),
            SpecMistake::UnsupportedExpression => of(
                "this expression cannot be used in a specification",
            )
            .with_help(
                "use comparisons, sums, `&&`, `||`, `!`, and functions of the specification",
            ),
            SpecMistake::NonlinearProduct => {
                of("this is a product of two unknowns").with_help("multiply by a number")
            }
            SpecMistake::HugeNumber => of("this number is too large for a specification")
                .with_help("use a number below 1_000_000_000_000"),
            SpecMistake::ShadowedParameter { name } => {
                of(&format!("`{name}` is both a field of the event and a variable of the rule"))
                    .with_help("rename the variable")
            }
            SpecMistake::InitialVariable => {
                of("an argument of an initial event must be a value").with_help("write a value")
            }
            SpecMistake::MergedRules => of("`merge` is not supported by this version")
                .with_help("write the merged rule after `replace`"),
            SpecMistake::DroppedPart => of("this part of a rule cannot be dropped")
                .with_help("write `drop when`, `drop history` or `drop future`"),
        }
    }
}

fn kind_text(kind: SpecName) -> &'static str {
    match kind {
        SpecName::Operation => "operation",
        SpecName::Field => "field",
        SpecName::Sort => "type",
        SpecName::Function => "function",
        SpecName::Variable => "name",
        SpecName::Spec => "specification",
    }
}
