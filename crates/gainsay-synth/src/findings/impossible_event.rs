//! An operation or goal of a specification that can never occur or is never used.

use gainsay_source::{Diagnostic, Span, codes};

/// An operation or goal of a specification that can never occur or is never used.
#[derive(Debug, Clone)]
pub(crate) struct ImpossibleEvent {
    pub(crate) name: String,
    pub(crate) span: Span,
    pub(crate) cause: MissingCause,
}

/// Why.
#[derive(Debug, Clone)]
pub(crate) enum MissingCause {
    /// No rule emits it.
    NeverEmitted,
    /// Every rule needs an event that cannot occur before.
    NoFirstTime,
    /// The goal needs operations that cannot occur.
    GoalNeeds { operations: Vec<String> },
    /// No pattern asks for it, and it emits nothing.
    NeverNeeded,
}

impl From<ImpossibleEvent> for Diagnostic {
    fn from(it: ImpossibleEvent) -> Self {
        let name = &it.name;
        let of = |text: String| Diagnostic::new(codes::IMPOSSIBLE_EVENT, it.span, text);
        match &it.cause {
            MissingCause::NeverEmitted => of(format!("nothing causes `{name}`"))
                .with_help("let a rule emit it, declare it with `gen`, or add it to `init`"),
            MissingCause::NoFirstTime => of(format!(
                "`{name}` can never occur: each of its rules needs an event before it"
            ))
            .with_help("add a rule for its first occurrence, or an operation that causes it"),
            MissingCause::GoalNeeds { operations } if operations.is_empty() => {
                of(format!("no trace matches the goal `{name}`"))
            }
            MissingCause::GoalNeeds { operations } => {
                let operations: Vec<String> =
                    operations.iter().map(|it| format!("`{it}`")).collect();
                of(format!("the goal `{name}` can never be reached"))
                    .with_primary_label(format!("needs {}", operations.join(", ")))
                    .with_help("fix the other warnings first: these operations can never occur")
            }
            MissingCause::NeverNeeded => {
                of(format!("no rule and no goal needs `{name}`, and it causes nothing"))
                    .with_help("use it in a goal, or remove it")
            }
        }
    }
}
