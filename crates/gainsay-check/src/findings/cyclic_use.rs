//! Modules that import each other in a cycle.

use gainsay_source::{Diagnostic, Span, codes};

/// Modules that import each other in a cycle.
#[derive(Debug, Clone)]
pub(crate) struct CyclicUse {
    pub(crate) cycle: Vec<String>,
    pub(crate) span: Span,
}

impl From<CyclicUse> for Diagnostic {
    fn from(it: CyclicUse) -> Self {
        if let [one, other] = &it.cycle[..]
            && one == other
        {
            return Diagnostic::new(codes::CYCLIC_USE, it.span, "this module uses itself")
                .with_help("remove the `use`: a module's own names are in scope");
        }
        let circle: Vec<String> = it.cycle.iter().map(|name| format!("`{name}`")).collect();
        Diagnostic::new(
            codes::CYCLIC_USE,
            it.span,
            format!("these modules use each other in a cycle: {}", circle.join(" -> ")),
        )
        .with_primary_label("this `use` closes the cycle")
        .with_help("move the shared code into a third module")
    }
}
