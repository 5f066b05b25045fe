//! Outputs: removed, and reordered.

use gainsay_core::{OperationKind, Statement, Term, TermId, Ty, TypeTable};

use crate::mutation_site::MutationSite;
use crate::operator::{Operator, OperatorScope};
use crate::source_edit::SourceEdit;

pub(crate) const OPERATOR: Operator = Operator {
    name: "effect",
    about: "an output that is removed, or comes after the next one",
    scope: OperatorScope::Code,
    make,
};

/// Pairs of outputs of one block that are swapped.
const MAX_SWAPS: usize = 4;

fn make(site: &mut MutationSite<'_, '_>) {
    leave_out(site);
    if let Term::Block { statements, result } = site.current_term() {
        swap(site, &statements, result);
    }
}

fn leave_out(site: &mut MutationSite<'_, '_>) {
    let Term::Perform { op, args, .. } = site.current_term() else { return };
    if !args.iter().all(|it| site.is_in_source(*it)) {
        return;
    }
    let name = site.program.op_name(op);
    let what = format!("remove `{name}`");
    match site.program.op(op).kind {
        // Any other answer would have to be invented.
        OperationKind::Output if site.unrefined_type(site.term) == TypeTable::UNIT => {
            let nothing = site.add_term(Term::Tuple(Box::default()));
            site.replace(nothing, "()", what);
        }
        OperationKind::GenerativeOutput => {
            let types = &site.program.types;
            let Ty::Named(ty, parts) = types.get(site.unrefined_type(site.term)) else {
                return;
            };
            let lang = site.program.lang;
            let (Some(ok), Some(content)) = (lang.ok, parts.first()) else { return };
            let gives_nothing = types.base(*content) == TypeTable::UNIT;
            if Some(*ty) == lang.result
                && gives_nothing
                && site.user_names.leave_unshadowed("Ok")
            {
                let nothing = site.add_typed_term(Term::Tuple(Box::default()), TypeTable::UNIT);
                let instead =
                    site.add_term(Term::Construct { ctor: ok, args: Box::new([nothing]) });
                site.replace(instead, "Ok(())", format!("{what} and return `Ok(())`"));
            }
        }
        OperationKind::Output | OperationKind::Snapshot | OperationKind::Generative => {}
    }
}

/// Swaps two adjacent outputs.
fn swap(site: &mut MutationSite<'_, '_>, statements: &[Statement], result: TermId) {
    let terms: Vec<(bool, TermId)> = statements
        .iter()
        .map(|it| (matches!(it, Statement::Drop(_)), it.value()))
        // The value of a block may be an output like its statements.
        .chain([(true, result)])
        .collect();
    let mut n_swaps = 0;
    for at in 1..terms.len() {
        // A value that is bound to a name may be used by what follows.
        let ((true, first), (true, second)) = (terms[at - 1], terms[at]) else { continue };
        if n_swaps == MAX_SWAPS || !is_output(site, first) || !is_output(site, second) {
            continue;
        }
        n_swaps += 1;
        let mut swapped = statements.to_vec();
        swapped[at - 1] = Statement::Drop(second);
        let last = match swapped.get_mut(at) {
            Some(statement) => {
                *statement = Statement::Drop(first);
                result
            }
            None => first,
        };
        let instead = site.add_term(Term::Block { statements: swapped.into(), result: last });
        let (before, after) = (site.full_span(first), site.full_span(second));
        // What stands between the two, such as comments, stays where it is.
        let between = site.text_between(before.end, after.start);
        let text = format!("{}{between}{}", site.text_of(second), site.text_of(first));
        let what = format!("move {} after the next output", named(site, first));
        site.replace_by(instead, SourceEdit { span: before.to(after), text }, what);
    }
}

/// Whether a term is an output operation.
fn is_output(site: &MutationSite<'_, '_>, term: TermId) -> bool {
    let Term::Perform { op, .. } = site.body.term(term) else { return false };
    site.program.op(*op).kind == OperationKind::Output
        && site.unrefined_type(term) == TypeTable::UNIT
        && site.is_in_source(term)
}

fn named(site: &MutationSite<'_, '_>, term: TermId) -> String {
    let Term::Perform { op, .. } = site.body.term(term) else { return String::new() };
    format!("`{}`", site.program.op_name(*op))
}
