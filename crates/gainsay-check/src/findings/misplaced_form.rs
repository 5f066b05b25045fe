//! A construct where it is not allowed.

use gainsay_source::{Diagnostic, Span, codes};

/// A construct where it is not allowed.
#[derive(Debug, Clone)]
pub(crate) struct MisplacedForm {
    pub(crate) form: MisplacedFormKind,
    pub(crate) span: Span,
}

/// The constructs that can be misplaced.
#[derive(Debug, Copy, Clone)]
pub(crate) enum MisplacedFormKind {
    /// A type parameter of a property.
    PropertyTypeParameter,
    /// A parameter with `<-` or `where` of a function that is no property.
    InputParameter,
    /// A stub of a generic operation.
    GenericStub,
    /// A world where a value is expected.
    WorldAsValue,
    /// `_` where a value is expected.
    HoleAsValue,
    /// A range where a value is expected.
    Range,
    /// `..` outside a list pattern.
    Rest,
    /// A pattern after the `..` of a list pattern.
    PatternAfterRest,
}

impl From<MisplacedForm> for Diagnostic {
    fn from(it: MisplacedForm) -> Self {
        let (form, help) = match it.form {
            MisplacedFormKind::PropertyTypeParameter => (
                "a type parameter of a property",
                "give the inputs concrete types, which their generators need",
            ),
            MisplacedFormKind::InputParameter => (
                "a parameter with `<-` or `where`",
                "write `@property` above the function, or the condition in an `in` clause",
            ),
            MisplacedFormKind::GenericStub => (
                "a stub of a generic operation",
                "declare a non-generic operation for one type, and stub that",
            ),
            MisplacedFormKind::WorldAsValue => {
                ("a world as a value", "use it with `under` or `given world:`")
            }
            MisplacedFormKind::HoleAsValue => {
                ("`_` as a value", "write a value, or bind it in a pattern")
            }
            MisplacedFormKind::Range => ("a range", "use `List.range(a, b)` to make a list"),
            MisplacedFormKind::Rest => ("`..`", "use it at the end of a list pattern"),
            MisplacedFormKind::PatternAfterRest => {
                ("a pattern after `..`", "write the elements first: `[a, b, ..rest]`")
            }
        };
        let message = format!("{form} is not allowed here");
        Diagnostic::new(codes::MISPLACED_FORM, it.span, message).with_help(help)
    }
}
