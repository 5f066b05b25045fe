//! Removes an infix operator: either operand in place of both.

use crate::mutation_site::MutationSite;
use crate::operator::{Operator, OperatorScope};

pub(crate) const OPERATOR: Operator = Operator {
    name: "operand",
    about: "one operand in place of both",
    scope: OperatorScope::Code,
    make,
};

fn make(site: &mut MutationSite<'_, '_>) {
    let Some(written) = site.infix() else { return };
    for (operand, dropped) in written.operands.into_iter().zip(["right", "left"]) {
        // A comparison has another type than its operands.
        if site.unrefined_type(operand) != site.unrefined_type(site.term) {
            continue;
        }
        let text = site.parenthesized(site.text_of(operand));
        let what = format!("remove the {dropped} operand of `{}`", written.operator.symbol());
        site.replace(operand, text, what);
    }
}
