//! Guards of arms: left out, and negated.

use gainsay_core::Term;

use crate::context::{Role, Site, Truth};
use crate::operator::{Operator, Place};

pub(crate) const OPERATOR: Operator = Operator {
    name: "guard",
    about: "a guard that always holds, or is negated",
    place: Place::Code,
    make,
};

fn make(site: &mut Site<'_, '_>) {
    if site.role != Role::Guard || matches!(site.this(), Term::Literal(_)) {
        return;
    }
    site.settle(Truth::True, "the guard always holds");
    site.negate("the guard is negated");
}
