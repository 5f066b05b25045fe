//! Tests all of whose `observe`s leave room for wrong answers.

use std::collections::HashMap;

use gainsay_core::{FunctionId, Strength, Term, TermId, observes};
use gainsay_source::Span;

use super::Known;
use super::origin::{Flow, Observed, Origin};

/// The first `observe` of a test, if each of them compares what the code gives with a constant,
/// and none says what it should give.
///
/// That is asked only where an exact value could be stated: not for all inputs (`across`, and
/// lambdas, which may be called with many values), not of floats, and not where another
/// function observes as well.
pub(super) fn first_loose(
    known: &Known<'_>,
    test: FunctionId,
    flow: &Flow<'_>,
) -> Option<Span> {
    if flow.has_across || flow.has_helper {
        return None;
    }
    let sites = observes(known.program, test);
    if sites.iter().any(|it| it.strength != Strength::Relation) {
        return None;
    }
    let observed: HashMap<(FunctionId, TermId), &Observed> =
        flow.observed.iter().map(|it| ((it.function, it.term), it)).collect();
    let all_loose = sites.iter().all(|site| {
        let it = observed.get(&(site.function, site.term));
        it.is_some_and(|it| is_loose(known, it))
    });
    sites.first().filter(|_| all_loose).map(|it| it.span)
}

/// Whether an exact value could be stated in the place of a relation.
fn is_loose(known: &Known<'_>, it: &Observed) -> bool {
    let body = &known.program.function(it.function).body;
    let Term::Observe { condition, .. } = body.term(it.term) else { return false };
    let Term::Builtin { type_args, .. } = body.term(*condition) else { return false };
    let with_constant = matches!(
        it.sides,
        Some([Origin::Text, Origin::Tested] | [Origin::Tested, Origin::Text])
    );
    with_constant && !it.is_in_lambda && !known.may_have_floats(type_args)
}
