//! Moves the bounds of refinement types by one.

use gainsay_core::{Literal, Term, TermId, builtin};
use num_bigint::BigInt;

use crate::mutation_site::MutationSite;
use crate::operator::{Operator, OperatorScope};
use crate::operators::constant::int_literal;
use crate::source_edit::SourceEdit;

pub(crate) const OPERATOR: Operator = Operator {
    name: "refinement",
    about: "a bound of a refinement type that is one more or less",
    scope: OperatorScope::Refinements,
    make,
};

fn make(site: &mut MutationSite<'_, '_>) {
    let Term::Builtin { builtin, args, .. } = site.current_term() else { return };
    if builtin::get(builtin).comparison.is_none() {
        return;
    }
    for (at, arg) in args.iter().enumerate() {
        let Some(bound) = int(site.body.term(*arg)) else { continue };
        if site.is_in_source(*arg) {
            for other in [&bound + 1, &bound - 1] {
                with_bound(site, at, *arg, &other);
            }
        }
    }
}

/// The number of an integer literal.
fn int(term: &Term) -> Option<BigInt> {
    if let Term::Literal(Literal::Int(int)) = term {
        Some(BigInt::from(*int))
    } else if let Term::Literal(Literal::Big(int)) = term {
        Some((**int).clone())
    } else {
        None
    }
}

/// Makes a mutant with another number as one argument of a comparison.
fn with_bound(site: &mut MutationSite<'_, '_>, at: usize, arg: TermId, other: &BigInt) {
    let Term::Builtin { builtin, type_args, mut args } = site.current_term() else { return };
    let (literal, text) = int_literal(other);
    let ty = site.body.ty(arg);
    args[at] = site.add_typed_term(Term::Literal(literal), ty);
    let instead = site.add_term(Term::Builtin { builtin, type_args, args });
    let span = site.full_span(arg);
    let what = format!("replace the bound `{}` with `{text}`", site.text_of(arg));
    let edit = SourceEdit { span, text: site.parenthesized_at(span, &text) };
    site.replace_by(instead, edit, what);
}
