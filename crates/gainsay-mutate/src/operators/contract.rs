//! Clauses of contracts: an `in` that demands nothing, and clauses that are negated.
//!
//! An `out` that demands nothing is never made: where the program is right, nobody can tell.

use gainsay_core::Term;

use crate::context::Site;
use crate::operator::{Operator, Place};

pub(crate) const OPERATOR: Operator = Operator {
    name: "contract",
    about: "an `in` that demands nothing, a clause that is negated",
    place: Place::Clauses,
    make,
};

fn make(site: &mut Site<'_, '_>) {
    if matches!(site.this(), Term::Literal(_)) {
        return;
    }
    let is_in = site.function.requires.iter().any(|it| it.term == site.term);
    if is_in {
        let holds = site.truth(true);
        site.replace(holds, "true", "the `in` clause is left out".to_owned());
    }
    let word = if is_in { "in" } else { "out" };
    site.negate(&format!("the `{word}` clause is negated"));
}
