//! Runs branches of `par` in a different order, with their results in the original positions.

use gainsay_core::{FunctionId, Pattern, Statement, Term, TermId, Ty, TyId};

use crate::mutation_site::MutationSite;
use crate::operator::{Operator, OperatorScope};

pub(crate) const OPERATOR: Operator = Operator {
    name: "par",
    about: "a branch of `par` that runs after the next one",
    scope: OperatorScope::Code,
    make,
};

/// Pairs of branches that are swapped.
const MAX_SWAPS: usize = 4;

/// Names for the results.
const NAMES: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "h"];

fn make(site: &mut MutationSite<'_, '_>) {
    let Term::Par { branches, cancelling: false } = site.current_term() else { return };
    let n_branches = branches.len();
    if !(2..=NAMES.len()).contains(&n_branches) {
        return;
    }
    let texts: Option<Vec<&str>> = branches.iter().map(|it| text_of(site, *it)).collect();
    let Some(texts) = texts else { return };
    for at in (0..n_branches - 1).take(MAX_SWAPS) {
        // The order of pure branches is unobservable.
        if is_effectful(site, branches[at]) || is_effectful(site, branches[at + 1]) {
            swap(site, &branches, &texts, at);
        }
    }
}

/// The function of a branch.
fn function_of(site: &MutationSite<'_, '_>, branch: TermId) -> Option<FunctionId> {
    site.body.term(branch).function()
}

/// The text of a branch.
fn text_of<'p>(site: &MutationSite<'_, 'p>, branch: TermId) -> Option<&'p str> {
    site.is_in_source(branch).then(|| site.text_of(branch))
}

fn is_effectful(site: &MutationSite<'_, '_>, branch: TermId) -> bool {
    let types = &site.program.types;
    function_of(site, branch)
        .is_none_or(|it| !types.get_row(site.program.function(it).row).is_pure())
}

//   par (x, y)    becomes    { let (b, a) = par (y, x); (a, b) }
fn swap(site: &mut MutationSite<'_, '_>, branches: &[TermId], texts: &[&str], at: usize) {
    let Ty::Tuple(types) = site.program.types.get(site.unrefined_type(site.term)) else {
        return;
    };
    let order: Vec<usize> = swapped((0..branches.len()).collect(), at);
    let turned: Vec<TyId> = swapped(types.to_vec(), at);
    // The tuple type of the new order must be interned already: the type table is read-only here.
    let Some(ty) = site.program.types.find_id(&Ty::Tuple(turned.into())) else { return };
    let span = site.body.span(site.term);
    let locals: Vec<_> =
        (0..types.len()).map(|at| site.body.add_local(NAMES[at], types[at], span)).collect();
    let binds = order.iter().map(|at| site.body.add_pattern(Pattern::Bind(locals[*at])));
    let binds = binds.collect();
    let pattern = site.body.add_pattern(Pattern::Tuple(binds));
    let branches = order.iter().map(|at| branches[*at]).collect();
    let par = site.add_typed_term(Term::Par { branches, cancelling: false }, ty);
    let parts: Vec<TermId> = locals
        .iter()
        .zip(types)
        .map(|(local, ty)| site.add_typed_term(Term::Local(*local), *ty))
        .collect();
    let result = site.add_term(Term::Tuple(parts.into()));
    let statements = Box::new([Statement::Let(pattern, par)]);
    let instead = site.add_term(Term::Block { statements, result });
    let join = |words: Vec<&str>| words.join(", ");
    let names = join(order.iter().map(|at| NAMES[*at]).collect());
    let calls = join(order.iter().map(|at| texts[*at]).collect());
    let results = join(NAMES[..types.len()].to_vec());
    let text = format!("{{ let ({names}) = par ({calls}); ({results}) }}");
    let text = site.parenthesized(&text);
    let what = format!("run branch {} after branch {}", at + 1, at + 2);
    site.replace(instead, text, what);
}

fn swapped<T>(mut items: Vec<T>, at: usize) -> Vec<T> {
    items.swap(at, at + 1);
    items
}
