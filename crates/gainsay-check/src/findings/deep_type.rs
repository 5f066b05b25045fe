//! A type nested more deeply than Gainsay supports.

use gainsay_source::{Diagnostic, Span, codes};

/// A type nested more deeply than Gainsay supports.
#[derive(Debug, Clone)]
pub(crate) struct DeepType {
    pub(crate) most: u32,
    pub(crate) span: Span,
}

impl From<DeepType> for Diagnostic {
    fn from(it: DeepType) -> Self {
        let message = format!("this type is nested more than {} levels deep", it.most);
        Diagnostic::new(codes::TOO_DEEP, it.span, message)
            .with_help("declare a sum or record type for part of it")
    }
}
