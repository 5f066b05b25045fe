//! Bounds of refinement types: one more, and one less.

use gainsay_core::builtin::{EQ, GE, GT, LE, LT, NE};
use gainsay_core::{Literal, Term, TermId};
use num_bigint::BigInt;

use crate::context::Site;
use crate::edit::Edit;
use crate::operator::{Operator, Place};
use crate::operators::constant::int_literal;

pub(crate) const OPERATOR: Operator = Operator {
    name: "refinement",
    about: "a bound of a refinement type that is one more or less",
    place: Place::Refinements,
    make,
};

fn make(site: &mut Site<'_, '_>) {
    let Term::Builtin { builtin: LT | LE | GT | GE | EQ | NE, args, .. } = site.this() else {
        return;
    };
    for (at, arg) in args.iter().enumerate() {
        let bound = match site.body.term(*arg) {
            Term::Literal(Literal::Int(int)) => BigInt::from(*int),
            Term::Literal(Literal::Big(int)) => (**int).clone(),
            _ => continue,
        };
        if site.is_written(*arg) {
            for other in [&bound + 1, &bound - 1] {
                with_bound(site, at, *arg, &other);
            }
        }
    }
}

/// A mutant with another number in one of the arguments of a comparison.
fn with_bound(site: &mut Site<'_, '_>, at: usize, arg: TermId, other: &BigInt) {
    let Term::Builtin { builtin, type_args, mut args } = site.this() else { return };
    let (literal, text) = int_literal(other);
    let ty = site.body.ty(arg);
    args[at] = site.add_at(Term::Literal(literal), ty);
    let instead = site.add(Term::Builtin { builtin, type_args, args });
    let span = site.place(arg);
    let what = format!("the bound `{}` becomes `{text}`", site.text_of(arg));
    let edit = Edit { span, text: site.fitted_at(span, &text) };
    site.replace_by(instead, edit, what);
}
