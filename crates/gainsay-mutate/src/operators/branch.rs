//! Branches: always the one, always the other.

use gainsay_core::Term;

use crate::context::{Role, Site, Truth};
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
    site.settle(Truth::True, "always the first branch");
    site.settle(Truth::False, "always the second branch");
}
