//! Outputs: left out, and in another order.

use gainsay_core::{Dimension, Statement, Term, TermId, Ty, TypeTable};

use crate::context::Site;
use crate::edit::Edit;
use crate::operator::{Operator, Place};

pub(crate) const OPERATOR: Operator = Operator {
    name: "effect",
    about: "an output that is left out, or comes after the next one",
    place: Place::Code,
    make,
};

/// How many pairs of outputs of one block change places.
const MAX_SWAPS: usize = 4;

fn make(site: &mut Site<'_, '_>) {
    match site.this() {
        Term::Perform { .. } => leave_out(site),
        Term::Block { statements, result } => swap(site, &statements, result),
        _ => {}
    }
}

fn leave_out(site: &mut Site<'_, '_>) {
    let Term::Perform { op, args, .. } = site.this() else { return };
    if !args.iter().all(|it| site.is_written(*it)) {
        return;
    }
    let name = site.program.op_name(op);
    let what = format!("`{name}` is left out");
    match site.program.op(op).dimension {
        Dimension::Output if site.base_of(site.term) == TypeTable::UNIT => {
            let nothing = site.add(Term::Tuple(Box::default()));
            site.replace(nothing, "()", what);
        }
        Dimension::GenerativeOutput => {
            let types = &site.program.types;
            let Ty::Named(ty, parts) = types.get(site.base_of(site.term)) else { return };
            let lang = site.program.lang;
            let (Some(ok), Some(content)) = (lang.ok, parts.first()) else { return };
            let gives_nothing = types.base(*content) == TypeTable::UNIT;
            if Some(*ty) == lang.result && gives_nothing && site.own.leave("Ok") {
                let nothing = site.add_at(Term::Tuple(Box::default()), TypeTable::UNIT);
                let instead = site.add(Term::Construct { ctor: ok, args: Box::new([nothing]) });
                site.replace(instead, "Ok(())", format!("{what}, and succeeds"));
            }
        }
        Dimension::Output | Dimension::Snapshot | Dimension::Generative => {}
    }
}

/// Lets two outputs that follow each other change places.
fn swap(site: &mut Site<'_, '_>, statements: &[Statement], result: TermId) {
    let terms: Vec<(bool, TermId)> = statements
        .iter()
        .map(|it| (matches!(it, Statement::Drop(_)), it.value()))
        .chain([(true, result)])
        .collect();
    let mut n_swaps = 0;
    for at in 1..terms.len() {
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
        let instead = site.add(Term::Block { statements: swapped.into(), result: last });
        let (before, after) = (site.place(first), site.place(second));
        let between = site.text_between(before.end, after.start);
        let text = format!("{}{between}{}", site.text_of(second), site.text_of(first));
        let what = format!("{} comes after the next output", named(site, first));
        site.replace_by(instead, Edit { span: before.to(after), text }, what);
    }
}

/// Whether a term only puts something out.
fn is_output(site: &Site<'_, '_>, term: TermId) -> bool {
    let Term::Perform { op, .. } = site.body.term(term) else { return false };
    site.program.op(*op).dimension == Dimension::Output
        && site.base_of(term) == TypeTable::UNIT
        && site.is_written(term)
}

fn named(site: &Site<'_, '_>, term: TermId) -> String {
    match site.body.term(term) {
        Term::Perform { op, .. } => format!("`{}`", site.program.op_name(*op)),
        _ => "an output".to_owned(),
    }
}
