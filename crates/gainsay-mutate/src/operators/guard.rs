//! Guards of arms: removed, and negated.

use gainsay_core::Term;

use crate::mutation_site::{MutationSite, TermRole, TruthValue};
use crate::operator::{Operator, OperatorScope};

pub(crate) const OPERATOR: Operator = Operator {
    name: "guard",
    about: "a guard that always holds, or is negated",
    scope: OperatorScope::Code,
    make,
};

fn make(site: &mut MutationSite<'_, '_>) {
    if site.role != TermRole::Guard || matches!(site.current_term(), Term::Literal(_)) {
        return;
    }
    site.replace_with_truth(TruthValue::True, "replace the guard with `true`");
    site.negate("negate the guard");
}
