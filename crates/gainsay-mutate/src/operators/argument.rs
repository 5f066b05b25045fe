//! Arguments that change places with the next one.

use gainsay_core::{Term, TermId};

use crate::context::Site;
use crate::edit::{Edit, Shape, wrapped_if};
use crate::operator::{Operator, Place};

pub(crate) const OPERATOR: Operator = Operator {
    name: "argument",
    about: "two arguments of one type that change places",
    place: Place::Code,
    make,
};

/// How many pairs of arguments of one call change places.
const MAX_SWAPS: usize = 4;

fn make(site: &mut Site<'_, '_>) {
    let (Term::Call { args, .. } | Term::Builtin { args, .. }) = site.this() else { return };
    if args.len() < 2 || site.infix().is_some() || !site.is_call(&args) {
        return;
    }
    let has_one_type = |at: &usize| site.base_of(args[*at]) == site.base_of(args[at + 1]);
    let pairs: Vec<usize> = (0..args.len() - 1).filter(has_one_type).take(MAX_SWAPS).collect();
    for at in pairs {
        swap(site, &args, at);
    }
}

fn swap(site: &mut Site<'_, '_>, args: &[TermId], at: usize) {
    let (first, second) = (args[at], args[at + 1]);
    let (before, after) = (site.place(first), site.place(second));
    let (first_text, second_text) = (site.text_of(first), site.text_of(second));
    if before.end > after.start || first_text == second_text {
        return;
    }
    let mut swapped = args.to_vec();
    swapped.swap(at, at + 1);
    let args = swapped.into();
    let instead = match site.this() {
        Term::Call { function, type_args, .. } => Term::Call { function, type_args, args },
        Term::Builtin { builtin, type_args, .. } => Term::Builtin { builtin, type_args, args },
        _ => return,
    };
    let instead = site.add(instead);
    // What stands before a dot or a pipe must hold together.
    let is_receiver = at == 0 && site.is_before_name(first);
    let second_text = wrapped_if(second_text, is_receiver && !Shape::is_tight(second_text));
    let between = site.text_between(before.end, after.start);
    let what = format!("arguments {} and {} change places", at + 1, at + 2);
    let text = format!("{second_text}{between}{first_text}");
    site.replace_by(instead, Edit { span: before.to(after), text }, what);
}
