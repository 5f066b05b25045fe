//! Branches: always the one, always the other.

use gainsay_core::Term;

use crate::context::{Role, Site};
use crate::operator::{Operator, Place};

pub(crate) const OPERATOR: Operator = Operator {
    name: "branch",
    about: "an `if` that always takes the same branch",
    place: Place::Code,
    make,
};

fn make(site: &mut Site<'_, '_>) {
    if site.role != Role::Condition || matches!(site.this(), Term::Literal(_)) {
        return;
    }
    for (truth, branch) in [(true, "first"), (false, "second")] {
        let instead = site.truth(truth);
        let what = format!("always the {branch} branch");
        site.replace(instead, truth.to_string(), what);
    }
}
