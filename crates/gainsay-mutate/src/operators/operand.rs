//! Operators that are left out: either operand in place of both.

use crate::context::{Role, Site};
use crate::operator::Operator;

pub(crate) const OPERATOR: Operator =
    Operator { name: "operand", about: "one operand in place of both", make };

fn make(site: &mut Site<'_, '_>) {
    if matches!(site.role, Role::Refinement | Role::Clause) {
        return;
    }
    let Some(written) = site.infix() else { return };
    let whole = site.span();
    let sides = [
        (written.operands[0], whole.start, written.operator.start, "right"),
        (written.operands[1], written.operator.end, whole.end, "left"),
    ];
    for (operand, start, end, dropped) in sides {
        if site.body.ty(operand) != site.ty() {
            continue;
        }
        let text = site.text_between(start, end).trim();
        let text = site.fitted(text);
        let what = format!("the {dropped} operand of `{}` is left out", written.symbol);
        site.replace(operand, text, what);
    }
}
