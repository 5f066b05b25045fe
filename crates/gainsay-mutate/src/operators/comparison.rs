//! Comparisons: to those that differ from them in as few cases as possible, and to the one that
//! looks the other way.
//!
//! Which those are is from Kaminski, Ammann and Offutt, "Improving logic-based testing" (Journal
//! of Systems and Software 86(8), 2013): what tells these mutants apart tells all others apart.

use gainsay_core::builtin::{EQ, GE, GT, LE, LT, NE};
use gainsay_core::{BuiltinId, Term, Ty};

use crate::context::Site;
use crate::edit::infix;
use crate::operator::{Operator, Place};

pub(crate) const OPERATOR: Operator = Operator {
    name: "comparison",
    about: "another of `< <= > >= == !=`",
    place: Place::Code,
    make,
};

/// What stands in place of each comparison of values that have an order.
const SIBLINGS: [(BuiltinId, [BuiltinId; 3]); 6] = [
    (LT, [LE, NE, GT]),
    (LE, [LT, EQ, GE]),
    (GT, [GE, NE, LT]),
    (GE, [GT, EQ, LE]),
    (EQ, [NE, LE, GE]),
    (NE, [EQ, LT, GT]),
];

fn make(site: &mut Site<'_, '_>) {
    let Term::Builtin { builtin, type_args, args } = site.this() else { return };
    let Some((_, siblings)) = SIBLINGS.iter().find(|it| it.0 == builtin) else { return };
    let Some(written) = site.infix() else { return };
    let Some(ty) = args.first().map(|it| site.body.ty(*it)) else { return };
    let types = &site.program.types;
    let is_equality = |it: BuiltinId| it == EQ || it == NE;
    let (has_order, has_equality) = match types.get(types.base(ty)) {
        Ty::Int | Ty::Char | Ty::Str => (true, true),
        Ty::Float => (true, false),
        _ => (!is_equality(builtin), true),
    };
    for sibling in siblings {
        let Some(symbol) = infix(*sibling) else { continue };
        let fits = if is_equality(*sibling) { has_equality } else { has_order };
        // Equality of floats is said to be a mistake, but for what is one already.
        if !fits && !(is_equality(builtin) && is_equality(*sibling)) {
            continue;
        }
        let (type_args, args) = (type_args.clone(), args.clone());
        let instead = site.add(Term::Builtin { builtin: *sibling, type_args, args });
        let edit = site.with_operator(&written, symbol);
        let what = format!("`{}` becomes `{symbol}`", written.symbol);
        site.replace_by(instead, edit, what);
    }
}
