//! A stub for an operation without a result.

use gainsay_source::{Diagnostic, Span, codes};

/// A stub for an operation without a result.
#[derive(Debug, Clone)]
pub(crate) struct OutputStub {
    pub(crate) op: String,
    pub(crate) span: Span,
}

impl From<OutputStub> for Diagnostic {
    fn from(it: OutputStub) -> Self {
        Diagnostic::new(
            codes::OUTPUT_STUB,
            it.span,
            format!("`{}` is an output: it has no answer to stub", it.op),
        )
        .with_help("remove the stub, and inspect the calls through `.trace`")
    }
}
