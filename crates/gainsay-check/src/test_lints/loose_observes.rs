//! Finds tests whose `observe`s all accept wrong results.

use std::collections::HashMap;

use gainsay_core::{FunctionId, ObserveStrength, Term, TermId, observe_sites};
use gainsay_source::Span;

use super::ProgramFacts;
use super::provenance::{ObserveProvenance, Provenance, ProvenanceWalk};

/// The first `observe` of a test, if each one compares a result of the code with a constant, and
/// none by `==`.
///
/// This is a finding only where an exact value could be stated: not for all inputs (`across`, and
/// lambdas, which may be called with many values), not for floats, and not if another function
/// observes as well.
pub(super) fn first_loose_observe(
    facts: &ProgramFacts<'_>,
    test: FunctionId,
    flow: &ProvenanceWalk<'_>,
) -> Option<Span> {
    if flow.has_across || flow.calls_observing_function {
        return None;
    }
    let sites = observe_sites(facts.program, test);
    if sites.iter().any(|it| it.strength != ObserveStrength::Relation) {
        return None;
    }
    let observed: HashMap<(FunctionId, TermId), &ObserveProvenance> =
        flow.observes.iter().map(|it| ((it.function, it.term), it)).collect();
    let all_loose = sites.iter().all(|site| {
        let it = observed.get(&(site.function, site.term));
        it.is_some_and(|it| is_loose(facts, it))
    });
    sites.first().filter(|_| all_loose).map(|it| it.span)
}

/// Whether an exact value could be stated instead of a relation.
fn is_loose(facts: &ProgramFacts<'_>, it: &ObserveProvenance) -> bool {
    let body = &facts.program.function(it.function).body;
    let Term::Observe { condition, .. } = body.term(it.term) else { return false };
    let Term::Builtin { type_args, .. } = body.term(*condition) else { return false };
    let with_constant = matches!(
        it.sides,
        Some(
            [Provenance::ClaimText, Provenance::TestedCode]
                | [Provenance::TestedCode, Provenance::ClaimText]
        )
    );
    with_constant && !it.is_in_lambda && !facts.may_have_floats(type_args)
}
