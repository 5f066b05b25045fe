//! Guards of arms: left out, and negated.

use gainsay_core::Term;

use crate::context::{Role, Site};
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
    let holds = site.truth(true);
    site.replace(holds, "true", "the guard always holds".to_owned());
    site.negate("the guard is negated");
}
