//! The identity of failures: the kind of fault and the place in the program, never messages, values
//! or line numbers. Also derives the seed of a claim from its name.

use gainsay_choice::FailureIdentity;
use gainsay_core::{BuiltinId, Function, FunctionId, OpId, Program, Term};
use gainsay_source::Span;
use gainsay_vm::{ClauseKind, FaultKind};

/// The identity of a fault within one run.
pub(crate) fn identity(kind: &FaultKind, place: Option<(FunctionId, Span)>) -> FailureIdentity {
    let mut digest = Fnv128::default();
    digest.text(fault_kind_name(kind));
    if kind.is_limit() {
        // Where a limit is hit depends on the input, not on the defect.
        return FailureIdentity(digest.0);
    }
    if let FaultKind::Contract { at, .. } = kind {
        digest.span(*at);
    } else if let Some((function, span)) = place {
        digest.number(u64::from(function.0));
        digest.span(span);
    }
    FailureIdentity(digest.0)
}

/// A name for a failure that is stable under edits elsewhere: the kind, the function, and the
/// ordinal among the terms in it that can fail in this way. Lambdas are named after the function
/// that contains them, and count with it.
pub(crate) fn failure_id(
    program: &Program,
    kind: &FaultKind,
    (function, span): (FunctionId, Span),
) -> String {
    let word = fault_kind_name(kind);
    if kind.is_limit() {
        return word.to_owned();
    }
    if let FaultKind::Contract { clause, function, at } = kind {
        let function = program.function(*function);
        let clauses = match clause {
            ClauseKind::In => &function.requires,
            ClauseKind::Out => &function.ensures,
        };
        let number = clauses.iter().position(|it| it.span == *at).unwrap_or(0);
        return format!("{word}-{}-{}", function.name, number + 1);
    }
    let function = program.function(function);
    let is_observe = *kind == FaultKind::Observe;
    let failing: Vec<TermShape> = terms(function)
        // Several terms may have this span: which of them failed is not known, so all shapes count.
        .filter(|(_, at)| **at == span)
        .map(|(term, _)| TermShape::of(term))
        .filter(|it| !is_observe || *it == TermShape::Observe)
        .collect();
    let relatives = program
        .functions
        .iter()
        .filter(|it| it.module == function.module && it.name == function.name);
    let mut spans: Vec<Span> = relatives
        .flat_map(terms)
        .filter(|(term, _)| failing.contains(&TermShape::of(term)))
        .map(|(_, span)| *span)
        .collect();
    // By position, since the order of terms depends on the order of elaboration.
    spans.sort_unstable();
    spans.dedup();
    let number = spans.iter().position(|it| *it == span).unwrap_or(0);
    format!("{word}-{}-{}", function.name, number + 1)
}

/// The name of a failure in one of several `across`es of a claim, numbered from 0.
pub(crate) fn with_across_number(id: &str, across: u32) -> String {
    if across == 0 { id.to_owned() } else { format!("{id}-across-{}", across + 1) }
}

/// The number of the `across` in the name of a failure, from 0.
pub(crate) fn across_number(id: &str) -> u32 {
    let number = id.rsplit_once("-across-").and_then(|(_, number)| number.parse::<u32>().ok());
    number.map_or(0, |number| number.saturating_sub(1))
}

fn terms(function: &Function) -> impl Iterator<Item = (&Term, &Span)> {
    function.body.terms.iter().zip(&function.body.spans)
}

/// What terms that fail in the same way have in common.
#[derive(Debug, PartialEq, Eq)]
enum TermShape {
    Observe,
    Builtin(BuiltinId),
    Call(FunctionId),
    Perform(OpId),
    Other(std::mem::Discriminant<Term>),
}

impl TermShape {
    fn of(term: &Term) -> Self {
        if let Term::Observe { .. } = term {
            Self::Observe
        } else if let Term::Builtin { builtin, .. } = term {
            Self::Builtin(*builtin)
        } else if let Term::Call { function, .. } = term {
            Self::Call(*function)
        } else if let Term::Perform { op, .. } = term {
            Self::Perform(*op)
        } else {
            Self::Other(std::mem::discriminant(term))
        }
    }
}

fn fault_kind_name(kind: &FaultKind) -> &'static str {
    match kind {
        FaultKind::Contract { clause: ClauseKind::In, .. } => "in",
        FaultKind::Contract { clause: ClauseKind::Out, .. } => "out",
        FaultKind::Refinement { .. } => "refinement",
        FaultKind::DivByZero => "division",
        FaultKind::OutOfRange { .. } => "range",
        FaultKind::Fail { .. } => "fail",
        FaultKind::Observe => "observe",
        FaultKind::StepLimit => "steps",
        FaultKind::DepthLimit => "depth",
        FaultKind::MemoryLimit => "memory",
        FaultKind::Unanswered(_) => "effect",
        FaultKind::HostFailed(_) => "host",
        FaultKind::SystemError { .. } => "system",
        FaultKind::SystemCrashed { .. } => "crash",
        FaultKind::AdapterFailed(_) => "adapter",
        FaultKind::Interrupted => "interrupt",
        FaultKind::Discarded => "discard",
        FaultKind::Unsupported(_) => "unsupported",
    }
}

/// FNV-1a, 128 bits.
struct Fnv128(u128);

impl Default for Fnv128 {
    fn default() -> Self {
        Self(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }
}

impl Fnv128 {
    fn byte(&mut self, byte: u8) {
        self.0 ^= u128::from(byte);
        self.0 = self.0.wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
    }

    fn text(&mut self, text: &str) {
        // The terminator keeps consecutive texts apart.
        text.bytes().chain([0]).for_each(|byte| self.byte(byte));
    }

    fn number(&mut self, number: u64) {
        number.to_le_bytes().into_iter().for_each(|byte| self.byte(byte));
    }

    fn span(&mut self, span: Span) {
        self.number(u64::from(span.file.0));
        self.number(u64::from(span.start) << 32 | u64::from(span.end));
    }
}

/// The seed component of a claim: a digest of its name, so that adding or removing other claims
/// does not change its cases.
pub(crate) fn claim_seed(module: &str, name: &str, site: u32) -> u64 {
    let mut digest = Fnv128::default();
    digest.text(module);
    digest.text(name);
    digest.number(u64::from(site));
    (digest.0 >> 64) as u64 ^ digest.0 as u64
}

#[cfg(test)]
mod tests {
    use super::{across_number, with_across_number};

    #[test]
    fn the_name_of_a_failure_says_which_across() {
        assert_eq!(with_across_number("observe-f-1", 0), "observe-f-1");
        assert_eq!(with_across_number("observe-f-1", 1), "observe-f-1-across-2");
        for (id, across) in [
            ("observe-f-1", 0),
            ("observe-f-1-across-2", 1),
            ("observe-f-1-across-x", 0),
            ("observe-f-1-across-0", 0),
            ("observe-across-1", 0),
        ] {
            assert_eq!(across_number(id), across, "{id}");
        }
    }
}
