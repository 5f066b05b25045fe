//! Swaps adjacent arguments of the same type.

use gainsay_core::{Term, TermId};

use crate::mutation_site::MutationSite;
use crate::operator::{Operator, OperatorScope};
use crate::source_edit::{SourceEdit, in_parentheses, is_atomic};

pub(crate) const OPERATOR: Operator = Operator {
    name: "argument",
    about: "two swapped arguments of the same type",
    scope: OperatorScope::Code,
    make,
};

/// Pairs of arguments of one call that are swapped.
const MAX_SWAPS: usize = 4;

fn make(site: &mut MutationSite<'_, '_>) {
    let (Term::Call { args, .. } | Term::Builtin { args, .. }) = site.current_term() else {
        return;
    };
    if args.len() < 2 || site.infix().is_some() || !site.is_call(&args) {
        return;
    }
    let has_one_type =
        |at: &usize| site.unrefined_type(args[*at]) == site.unrefined_type(args[at + 1]);
    let pairs: Vec<usize> = (0..args.len() - 1).filter(has_one_type).take(MAX_SWAPS).collect();
    for at in pairs {
        swap(site, &args, at);
    }
}

fn swap(site: &mut MutationSite<'_, '_>, args: &[TermId], at: usize) {
    let (first, second) = (args[at], args[at + 1]);
    let (before, after) = (site.full_span(first), site.full_span(second));
    let (first_text, second_text) = (site.text_of(first), site.text_of(second));
    // Labelled arguments may be written in another order than they are passed.
    if before.end > after.start || first_text == second_text {
        return;
    }
    let mut swapped = args.to_vec();
    swapped.swap(at, at + 1);
    let mut instead = site.current_term();
    if let Term::Call { args, .. } | Term::Builtin { args, .. } = &mut instead {
        *args = swapped.into();
    }
    let instead = site.add_term(instead);
    // The receiver before a dot or a pipe must be atomic.
    let is_receiver = at == 0 && site.is_before_name(first);
    let is_loose = is_receiver && !is_atomic(second_text);
    let second_text =
        if is_loose { in_parentheses(second_text) } else { second_text.to_owned() };
    let between = site.text_between(before.end, after.start);
    let mut span = before.to(after);
    let mut text = format!("{second_text}{between}{first_text}");
    if is_receiver {
        let whole = site.span();
        let head = site.text_between(whole.start, span.start);
        let tail = site.text_between(span.end, whole.end);
        (span, text) = (whole, format!("{head}{text}{tail}"));
    }
    let what = format!("swap arguments {} and {}", at + 1, at + 2);
    site.replace_by(instead, SourceEdit { span, text }, what);
}
