//! Logic: `&&` and `||` for each other, a `!` that is left out, and conditions that are negated.

use gainsay_core::Term;
use gainsay_core::builtin::BOOL_NOT;

use crate::context::{Role, Site};
use crate::operator::{Operator, Place};

pub(crate) const OPERATOR: Operator = Operator {
    name: "boolean",
    about: "`&&` for `||`, no `!`, a condition that is negated",
    place: Place::Code,
    make,
};

fn make(site: &mut Site<'_, '_>) {
    let term = site.this();
    if let Term::And(a, b) | Term::Or(a, b) = term
        && let Some(written) = site.infix()
    {
        let (other, symbol) = match term {
            Term::And(..) => (Term::Or(a, b), "||"),
            _ => (Term::And(a, b), "&&"),
        };
        let instead = site.add(other);
        let edit = site.with_operator(&written, symbol);
        let what = format!("`{}` becomes `{symbol}`", written.symbol);
        site.replace_by(instead, edit, what);
    }
    if let Term::Builtin { builtin: BOOL_NOT, args, .. } = &term
        && let [operand] = **args
        && site.is_written(operand)
    {
        let text = site.fitted(site.text_of(operand));
        site.replace(operand, text, "`!` is left out".to_owned());
    } else if site.role == Role::Condition && !matches!(term, Term::Literal(_)) {
        site.negate("the condition is negated");
    }
}
