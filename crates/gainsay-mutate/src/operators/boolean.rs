//! Boolean logic: `&&` and `||` for each other, a removed `!`, and negated conditions.

use gainsay_core::Term;
use gainsay_core::builtin::BOOL_NOT;
use gainsay_syntax::ast::BinaryOp;

use crate::mutation_site::{MutationSite, TermRole};
use crate::operator::{Operator, OperatorScope};

pub(crate) const OPERATOR: Operator = Operator {
    name: "boolean",
    about: "`&&` for `||`, no `!`, a negated condition",
    scope: OperatorScope::Code,
    make,
};

fn make(site: &mut MutationSite<'_, '_>) {
    let term = site.current_term();
    if let Term::And(a, b) | Term::Or(a, b) = term
        && let Some(written) = site.infix()
    {
        let is_and = matches!(term, Term::And(..));
        let (other, operator) = if is_and {
            (Term::Or(a, b), BinaryOp::Or)
        } else {
            (Term::And(a, b), BinaryOp::And)
        };
        let instead = site.add_term(other);
        let edit = site.with_operator(&written, operator);
        let what = written.replacement_text(operator);
        site.replace_by(instead, edit, what);
    }
    if let Term::Builtin { builtin: BOOL_NOT, args, .. } = &term
        && let [operand] = **args
        && site.is_in_source(operand)
    {
        let text = site.parenthesized(site.text_of(operand));
        site.replace(operand, text, "remove `!`".to_owned());
    // A condition that is negated already is covered by removing its `!`.
    } else if site.role == TermRole::Condition && !matches!(term, Term::Literal(_)) {
        site.negate("negate the condition");
    }
}
