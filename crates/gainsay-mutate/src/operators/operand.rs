//! Operators that are left out: either operand in place of both.

use crate::context::Site;
use crate::operator::{Operator, Place};

pub(crate) const OPERATOR: Operator = Operator {
    name: "operand",
    about: "one operand in place of both",
    place: Place::Code,
    make,
};

fn make(site: &mut Site<'_, '_>) {
    let Some(written) = site.infix() else { return };
    for (operand, dropped) in written.operands.into_iter().zip(["right", "left"]) {
        if site.base_of(operand) != site.base_of(site.term) {
            continue;
        }
        let text = site.fitted(site.text_of(operand));
        let what = format!("the {dropped} operand of `{}` is left out", written.symbol);
        site.replace(operand, text, what);
    }
}
