//! `+ - * / %`: replaced by plausible siblings; and a removed sign.

use gainsay_core::builtin::{
    FLOAT_ADD, FLOAT_DIV, FLOAT_MUL, FLOAT_NEG, FLOAT_REM, FLOAT_SUB, INT_ADD, INT_DIV,
    INT_MUL, INT_NEG, INT_REM, INT_SUB,
};
use gainsay_core::{BuiltinId, Term};

use crate::mutation_site::MutationSite;
use crate::operator::{Operator, OperatorScope};
use crate::source_edit::infix_operator;

pub(crate) const OPERATOR: Operator = Operator {
    name: "arithmetic",
    about: "another of `+ - * / %`, or no sign",
    scope: OperatorScope::Code,
    make,
};

/// The replacements of each operation.
const SIBLINGS: [(BuiltinId, [BuiltinId; 2]); 10] = [
    (INT_ADD, [INT_SUB, INT_MUL]),
    (INT_SUB, [INT_ADD, INT_MUL]),
    (INT_MUL, [INT_ADD, INT_DIV]),
    (INT_DIV, [INT_MUL, INT_REM]),
    (INT_REM, [INT_DIV, INT_MUL]),
    (FLOAT_ADD, [FLOAT_SUB, FLOAT_MUL]),
    (FLOAT_SUB, [FLOAT_ADD, FLOAT_MUL]),
    (FLOAT_MUL, [FLOAT_ADD, FLOAT_DIV]),
    (FLOAT_DIV, [FLOAT_MUL, FLOAT_ADD]),
    (FLOAT_REM, [FLOAT_DIV, FLOAT_MUL]),
];

fn make(site: &mut MutationSite<'_, '_>) {
    let Term::Builtin { builtin, type_args, args } = site.current_term() else { return };
    if let (INT_NEG | FLOAT_NEG, [operand]) = (builtin, &*args) {
        if site.is_in_source(*operand) {
            let text = site.parenthesized(site.text_of(*operand));
            site.replace(*operand, text, "remove the sign".to_owned());
        }
        return;
    }
    let Some((_, siblings)) = SIBLINGS.iter().find(|it| it.0 == builtin) else { return };
    let Some(written) = site.infix() else { return };
    for sibling in siblings {
        let Some(operator) = infix_operator(*sibling) else { continue };
        let (type_args, args) = (type_args.clone(), args.clone());
        let instead = site.add_term(Term::Builtin { builtin: *sibling, type_args, args });
        let edit = site.with_operator(&written, operator);
        let what = written.replacement_text(operator);
        site.replace_by(instead, edit, what);
    }
}
