//! An unknown of a query that cannot be found.

use gainsay_source::{Diagnostic, Span, codes};

/// An unknown of a query that cannot be found.
#[derive(Debug, Clone)]
pub(crate) struct BadUnknown {
    pub(crate) name: String,
    pub(crate) span: Span,
    pub(crate) why: BadUnknownReason,
}

/// Why it cannot be found.
#[derive(Debug, Clone)]
pub(crate) enum BadUnknownReason {
    /// Nothing in the query determines its type.
    NoType,
    /// Nothing before this place determines its type.
    NoTypeYet,
    /// It is a function, or contains one.
    Function { ty: String },
}

impl From<BadUnknown> for Diagnostic {
    fn from(it: BadUnknown) -> Self {
        let BadUnknown { name, span, why } = it;
        match why {
            BadUnknownReason::NoType => {
                let message = format!("cannot infer the type of `?{name}`");
                Diagnostic::new(codes::CANNOT_INFER, span, message).with_help(
                    "use it where one type is expected: as an argument of a function, relation or \
                     constructor",
                )
            }
            BadUnknownReason::NoTypeYet => {
                let message = format!("cannot infer the type of `?{name}` here");
                Diagnostic::new(codes::CANNOT_INFER, span, message)
                    .with_help("begin with a condition that determines its type")
            }
            BadUnknownReason::Function { ty } => {
                let message = format!("cannot solve for functions: `?{name}` has type `{ty}`");
                Diagnostic::new(codes::NO_GENERATOR, span, message)
                    .with_help("pass a function instead")
            }
        }
    }
}
