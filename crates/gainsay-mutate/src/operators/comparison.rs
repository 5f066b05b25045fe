//! Comparisons: replaced by those that differ from them in as few cases as possible, and by the
//! opposite direction.
//!
//! The choice follows Kaminski, Ammann and Offutt, "Improving logic-based testing" (Journal of
//! Systems and Software 86(8), 2013): whatever kills these mutants kills all the others.

use gainsay_core::builtin::{EQ, GE, GT, LE, LT, NE};
use gainsay_core::{BuiltinId, Term, TypeTable};

use crate::mutation_site::MutationSite;
use crate::operator::{Operator, OperatorScope};
use crate::source_edit::infix_operator;

pub(crate) const OPERATOR: Operator = Operator {
    name: "comparison",
    about: "another of `< <= > >= == !=`",
    scope: OperatorScope::Code,
    make,
};

/// The replacements of each comparison on ordered values.
const SIBLINGS: [(BuiltinId, [BuiltinId; 3]); 6] = [
    (LT, [LE, NE, GT]),
    (LE, [LT, EQ, GE]),
    (GT, [GE, NE, LT]),
    (GE, [GT, EQ, LE]),
    (EQ, [NE, LE, GE]),
    (NE, [EQ, LT, GT]),
];

fn make(site: &mut MutationSite<'_, '_>) {
    let Term::Builtin { builtin, type_args, args } = site.current_term() else { return };
    let Some((_, siblings)) = SIBLINGS.iter().find(|it| it.0 == builtin) else { return };
    let Some(written) = site.infix() else { return };
    let Some(ty) = args.first().map(|it| site.body.ty(*it)) else { return };
    let base = site.program.types.base(ty);
    let is_equality = |it: BuiltinId| it == EQ || it == NE;
    let is_ordered = [TypeTable::INT, TypeTable::CHAR, TypeTable::STR].contains(&base);
    // Sums and the like are ordered too, but hardly any program relies on that order.
    let has_order = is_ordered || base == TypeTable::FLOAT || !is_equality(builtin);
    // Float equality is a lint, so it is introduced only where it is used already.
    let has_equality = base != TypeTable::FLOAT || is_equality(builtin);
    for sibling in siblings {
        let Some(operator) = infix_operator(*sibling) else { continue };
        let fits = if is_equality(*sibling) { has_equality } else { has_order };
        if !fits {
            continue;
        }
        let (type_args, args) = (type_args.clone(), args.clone());
        let instead = site.add_term(Term::Builtin { builtin: *sibling, type_args, args });
        let edit = site.with_operator(&written, operator);
        let what = written.replacement_text(operator);
        site.replace_by(instead, edit, what);
    }
}
