//! Clauses of contracts: an `in` clause that requires nothing, and negated clauses.
//!
//! An `out` clause that requires nothing is never made: no claim can detect it on a correct
//! program.

use gainsay_core::Term;

use crate::mutation_site::{MutationSite, TruthValue};
use crate::operator::{Operator, OperatorScope};

pub(crate) const OPERATOR: Operator = Operator {
    name: "contract",
    about: "an `in` clause that requires nothing, a negated clause",
    scope: OperatorScope::Clauses,
    make,
};

fn make(site: &mut MutationSite<'_, '_>) {
    if matches!(site.current_term(), Term::Literal(_)) {
        return;
    }
    let is_in = site.function.requires.iter().any(|it| it.term == site.term);
    if is_in {
        site.replace_with_truth(TruthValue::True, "remove the `in` clause");
    }
    let word = if is_in { "in" } else { "out" };
    site.negate(&format!("negate the `{word}` clause"));
}
