//! A type that nothing in the function determines.

use gainsay_source::{Diagnostic, Span, codes};

/// A type that nothing in the function determines.
#[derive(Debug, Clone)]
pub(crate) struct CannotInfer {
    pub(crate) subject: InferenceSubject,
    pub(crate) span: Span,
}

/// What has the undetermined type.
#[derive(Debug, Clone)]
pub(crate) enum InferenceSubject {
    /// The receiver of a field access.
    FieldOwner,
    /// The receiver of a method call.
    Receiver { method: String },
    /// The record that is updated.
    UpdatedRecord,
    /// The result of an operation.
    OperationResult { op: String },
}

impl From<CannotInfer> for Diagnostic {
    fn from(it: CannotInfer) -> Self {
        let subject = match it.subject {
            InferenceSubject::FieldOwner => "the expression before the dot".to_owned(),
            InferenceSubject::Receiver { method } => format!("the receiver of `.{method}`"),
            InferenceSubject::UpdatedRecord => "the updated record".to_owned(),
            InferenceSubject::OperationResult { op } => format!("the result of `{op}`"),
        };
        let message = format!("cannot infer the type of {subject}");
        Diagnostic::new(codes::CANNOT_INFER, it.span, message).with_help(
            "annotate it: `let x: T = ..`, `|x: T| ..`, or a type argument `f<T>(..)`",
        )
    }
}
