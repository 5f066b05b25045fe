//! A test against a specification that does not fit it.

use gainsay_source::{Diagnostic, Span, codes};

use super::phrases::join_quoted;

/// A test against a specification that does not fit it.
#[derive(Debug, Clone)]
pub(crate) struct BadAgainstTest {
    pub(crate) mistake: AgainstMistake,
    pub(crate) span: Span,
}

/// What does not fit.
#[derive(Debug, Clone)]
pub(crate) enum AgainstMistake {
    /// No specification has the name.
    UnknownSpec { name: String, close: Option<String> },
    /// No goal of the specification has the name.
    UnknownGoal { spec: String, name: String, close: Option<String> },
    /// No operation of the specification has the name.
    UnknownOperation { spec: String, name: String, close: Option<String> },
    /// The arm is for a ghost.
    Ghost { name: String },
    /// Operations of the generator have no arm.
    MissingArms { spec: String, operations: Vec<String> },
    /// `any(..)` with more than the event.
    AnyOfSeveral,
    /// A second `state` or `pending`.
    Twice { word: &'static str, first: Span },
    /// Sorts of the specification are no types of the program.
    MissingType { spec: String, sort: String, declaration: String },
    /// The constructors of a type differ from those in the specification.
    OtherConstructors { spec: String, sort: String, declaration: String },
    /// A function of the specification is none of the program.
    MissingFunction { spec: String, declaration: String },
}

impl From<BadAgainstTest> for Diagnostic {
    fn from(it: BadAgainstTest) -> Self {
        let span = it.span;
        let new = |message: String| Diagnostic::new(codes::BAD_AGAINST_TEST, span, message);
        match it.mistake {
            AgainstMistake::UnknownSpec { name, close } => {
                new(format!("there is no specification `{name}`"))
                    .with_suggestion(span, close.as_deref())
            }
            AgainstMistake::UnknownGoal { spec, name, close } => {
                new(format!("`{spec}` has no goal `{name}`"))
                    .with_suggestion(span, close.as_deref())
            }
            AgainstMistake::UnknownOperation { spec, name, close } => {
                new(format!("`{spec}` has no operation `{name}`"))
                    .with_suggestion(span, close.as_deref())
            }
            AgainstMistake::Ghost { name } => {
                new(format!("`{name}` is a ghost, which no system performs"))
                    .with_help("remove the arm: ghosts exist in the specification only")
            }
            AgainstMistake::MissingArms { spec, operations } => new(format!(
                "the test does not say what the system does on {}",
                join_quoted(&operations)
            ))
            .with_help(format!(
                "add an arm for each operation of `{spec}` declared with `gen`"
            )),
            AgainstMistake::AnyOfSeveral => {
                new("`any` matches one event".to_owned()).with_help("write `any(event) => ..`")
            }
            AgainstMistake::Twice { word, first } => {
                new(format!("`{word}` is written twice")).with_label(first, "first here")
            }
            AgainstMistake::MissingType { spec, sort, declaration } => new(format!(
                "the test needs values of `{sort}`, which is a sort of `{spec}` only"
            ))
            .with_help(format!("declare a type of that name, such as `{declaration}`")),
            AgainstMistake::OtherConstructors { spec, sort, declaration } => {
                new(format!("the type `{sort}` differs from `{sort}` in `{spec}`"))
                    .with_help(format!("declare `{declaration}`"))
            }
            AgainstMistake::MissingFunction { spec, declaration } => {
                new(format!("the test needs a function of `{spec}` that has no definition"))
                    .with_help(format!("define `{declaration} {{ .. }}`"))
            }
        }
    }
}
