//! A `=>` whose two sides differ.

use gainsay_source::{Diagnostic, Span, codes};

/// A `=>` whose two sides differ.
pub(crate) struct VerifyMismatch {
    pub(crate) span: Span,
    pub(crate) scope: VerifyCaseScope,
    /// What the hostile world did.
    pub(crate) adversity: HostileChanges,
    pub(crate) is_law: bool,
}

/// Where a case comes from.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum VerifyCaseScope {
    /// It is written in its block.
    Declared,
    /// The hostile world added it.
    Hostile,
}

impl From<VerifyMismatch> for Diagnostic {
    fn from(it: VerifyMismatch) -> Self {
        let what = if it.is_law { "this law does not hold" } else { "this case does not hold" };
        match it.scope {
            VerifyCaseScope::Declared => Diagnostic::new(codes::VERIFY_MISMATCH, it.span, what)
                .with_primary_label("the two sides differ"),
            VerifyCaseScope::Hostile => {
                let message = "this law does not hold in a hostile case";
                let new = Diagnostic::new(codes::VERIFY_HOSTILE_MISMATCH, it.span, message)
                    .with_primary_label("the two sides differ");
                with_repair_help(new, &it.adversity)
            }
        }
    }
}

/// What the hostile world did to a case, as far as it matters for the advice.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct HostileChanges {
    /// Whether it chose input values.
    pub(crate) values: bool,
    /// The operations it handled.
    pub(crate) stubbed_operations: Vec<HostileStub>,
    /// Whether the order of branches is hostile.
    pub(crate) order: bool,
}

/// An operation that the hostile world handled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HostileStub {
    /// The operation: `Time.unix_ms`.
    pub(crate) op: String,
    /// Its name in the block, if it has one there.
    pub(crate) name: Option<String>,
}

/// Advice for a law that fails in a hostile world.
pub(super) fn with_repair_help(mut it: Diagnostic, adversity: &HostileChanges) -> Diagnostic {
    let is_world = !adversity.stubbed_operations.is_empty();
    if is_world {
        it = it.with_help("handle this case: it can happen in a real system");
    }
    if adversity.values {
        it = it.with_help("fix the function: the law covers this value too");
    }
    if adversity.order {
        it = it
            .with_help("make the branches of `par` independent of each other")
            .with_help("make the law independent of branch order, with `group(g).branch(i)`");
    }
    for answered in &adversity.stubbed_operations {
        it = it.with_help(assumption_text(answered));
    }
    if adversity.values {
        it = it.with_help("restrict the law to the values it covers, with `when ..`");
    }
    match (is_world, adversity.values) {
        (true, false) => it.with_help("drop `law` if it covers only the given stub"),
        (false, true) => it.with_help("drop `law` if it covers only the given values"),
        (true, true) => it.with_help("drop `law` if it covers only the given stub and values"),
        (false, false) => it,
    }
}

/// How a law states its assumptions about an operation.
fn assumption_text(answered: &HostileStub) -> String {
    let HostileStub { op, name } = answered;
    match name {
        Some(name) if op == "Time.unix_ms" => format!(
            "use `when` to state what the law assumes about the world, as in \
             `when {name}(BranchPath.root, 1) >= {name}(BranchPath.root, 0)`"
        ),
        Some(name) => format!("use `when` to state what the law assumes about `{name}`"),
        None => format!(
            "use `when` to state what the law assumes about `{op}`, and name its stub with \
             `given x: {op} = [..]`"
        ),
    }
}

/// Adds the code of broken laws to a diagnostic with another code in a hostile case.
pub(super) fn with_hostile_note(it: Diagnostic, adversity: &HostileChanges) -> Diagnostic {
    let slug = codes::VERIFY_HOSTILE_MISMATCH.slug;
    with_repair_help(it.with_note(format!("this is a hostile case: `{slug}`")), adversity)
}
