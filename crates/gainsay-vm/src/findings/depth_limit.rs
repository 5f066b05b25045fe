//! Calls nested more deeply than the limit.

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
            0 => "call depth limit exceeded".to_owned(),
            depth => format!("call depth limit exceeded: {depth} nested calls"),
        };
        Diagnostic::new(DEPTH_LIMIT, it.span, message)
            .with_primary_label("this call exceeds the limit")
            .with_help("look for infinite recursion, or make the recursive call a tail call")
    }
}
