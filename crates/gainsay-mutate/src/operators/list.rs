//! List literals: without their first or last element, without all elements before the rest, and
//! reversed.

use gainsay_core::{Term, TermId};

use crate::mutation_site::MutationSite;
use crate::operator::{Operator, OperatorScope};

pub(crate) const OPERATOR: Operator = Operator {
    name: "list",
    about: "a list without an element, or reversed",
    scope: OperatorScope::Code,
    make,
};

fn make(site: &mut MutationSite<'_, '_>) {
    let Term::List { items, rest } = site.current_term() else { return };
    if items.is_empty() || !is_literal(site, &items, rest) {
        return;
    }
    if let Some(rest) = rest {
        let text = site.parenthesized(site.text_of(rest));
        let what = match items.len() {
            1 => "remove the element before the rest".to_owned(),
            n_items => format!("remove the {n_items} elements before the rest"),
        };
        site.replace(rest, text, what);
    } else {
        with_items(site, &items[1..], "remove the first element");
    }
    if items.len() > 1 {
        let what = "remove the last element";
        let what = if rest.is_some() { "remove the element before the rest" } else { what };
        with_list(site, &items[..items.len() - 1], rest, what);
        let reversed: Vec<TermId> = items.iter().rev().copied().collect();
        with_list(site, &reversed, rest, "reverse the elements");
    }
}

/// Whether a list is written as it is represented: `[..a, b]` is not, because what follows another
/// list is lowered to a concatenation.
fn is_literal(site: &MutationSite<'_, '_>, items: &[TermId], rest: Option<TermId>) -> bool {
    let parts: Vec<TermId> = items.iter().chain(&rest).copied().collect();
    if !parts.iter().all(|it| site.is_in_source(*it)) {
        return false;
    }
    let places: Vec<_> = parts.iter().map(|it| site.full_span(*it)).collect();
    let whole = site.span();
    let (Some(first), Some(last)) = (places.first(), places.last()) else { return false };
    let before = site.text_between(whole.start, first.start);
    let after = site.text_between(last.end, whole.end);
    let is_apart = |pair: &[gainsay_source::Span]| {
        let between = site.text_between(pair[0].end, pair[1].start);
        pair[0].end <= pair[1].start && between.matches(',').count() == 1
    };
    let is_spread = rest.is_some() && items.is_empty();
    // The text between the parts is all that tells how the list was written.
    before.starts_with('[')
        && !is_spread
        && !before.contains([',', '.'])
        && after.ends_with(']')
        && !after.contains('.')
        && places.windows(2).all(is_apart)
}

fn with_items(site: &mut MutationSite<'_, '_>, items: &[TermId], what: &str) {
    with_list(site, items, None, what);
}

/// Makes a mutant that is another list of the same parts.
fn with_list(
    site: &mut MutationSite<'_, '_>,
    items: &[TermId],
    rest: Option<TermId>,
    what: &str,
) {
    let mut texts: Vec<String> = items.iter().map(|it| site.text_of(*it).to_owned()).collect();
    texts.extend(rest.map(|it| format!("..{}", site.text_of(it))));
    let instead = site.add_term(Term::List { items: items.into(), rest });
    site.replace(instead, format!("[{}]", texts.join(", ")), what.to_owned());
}
