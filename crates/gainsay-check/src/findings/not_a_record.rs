//! A field access or update of something without fields.

use gainsay_source::{Diagnostic, Span, codes};

/// What is expected of something without fields.
#[derive(Debug, Clone)]
pub(crate) enum RecordExpectation {
    /// To be a record.
    Record,
    /// To have a field, of a sum type or not.
    Field { name: String, is_sum: bool },
}

/// A field access or update of something without fields.
#[derive(Debug, Clone)]
pub(crate) struct NotARecord {
    pub(crate) actual: String,
    pub(crate) span: Span,
    pub(crate) what: RecordExpectation,
}

impl From<NotARecord> for Diagnostic {
    fn from(it: NotARecord) -> Self {
        let about = |message: String| Diagnostic::new(codes::NOT_A_RECORD, it.span, message);
        match it.what {
            RecordExpectation::Record => about(format!("`{}` is not a record", it.actual)),
            RecordExpectation::Field { name, is_sum } => {
                let found = about(format!("`{}` has no field `{name}`", it.actual));
                if is_sum {
                    found.with_help("use `match` to access the fields of a constructor")
                } else {
                    found
                }
            }
        }
    }
}
