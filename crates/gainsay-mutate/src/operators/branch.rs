//! Conditions of `if`: always true, always false.

use gainsay_core::Term;

use crate::mutation_site::{MutationSite, TermRole, TruthValue};
use crate::operator::{Operator, OperatorScope};

pub(crate) const OPERATOR: Operator = Operator {
    name: "branch",
    about: "an `if` that always takes the same branch",
    scope: OperatorScope::Code,
    make,
};

fn make(site: &mut MutationSite<'_, '_>) {
    if site.role != TermRole::Condition || matches!(site.current_term(), Term::Literal(_)) {
        return;
    }
    site.replace_with_truth(TruthValue::True, "always take the first branch");
    site.replace_with_truth(TruthValue::False, "always take the second branch");
}
