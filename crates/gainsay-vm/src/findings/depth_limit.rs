//! More calls inside each other than fit.

use gainsay_source::codes::DEPTH_LIMIT;
use gainsay_source::{Diagnostic, Span};

pub(super) struct DepthLimit {
    pub(super) span: Span,
    pub(super) depth: u64,
}

impl From<DepthLimit> for Diagnostic {
    fn from(it: DepthLimit) -> Self {
        // The call stack is not always known.
        let message = match it.depth {
            0 => "more calls are inside each other than fit".to_owned(),
            depth => format!("{depth} calls inside each other are more than fit"),
        };
        Diagnostic::new(DEPTH_LIMIT, it.span, message)
            .with_primary_label("this call is one too many")
            .with_help("look for a recursion without an end, or make the recursive call the last thing the function does")
    }
}
