//! Removes calls: an argument in place of the result.

use gainsay_core::builtin::{BOOL_NOT, FLOAT_NEG, INT_NEG};
use gainsay_core::{Term, TermId, Ty};

use crate::mutation_site::MutationSite;
use crate::operator::{Operator, OperatorScope};

pub(crate) const OPERATOR: Operator = Operator {
    name: "call",
    about: "an argument in place of the result of a call",
    scope: OperatorScope::Code,
    make,
};

/// Arguments that replace one call.
const MAX_ARGUMENTS: usize = 2;

fn make(site: &mut MutationSite<'_, '_>) {
    let Some((args, name)) = call(site) else { return };
    if site.is_call(&args) {
        leave_out(site, &args, &name);
    }
}

/// The arguments of a call, and the name of the callee.
fn call(site: &MutationSite<'_, '_>) -> Option<(Box<[TermId]>, String)> {
    let mut term = site.body.term(site.term);
    if let Term::Call { function, args, .. } = term {
        return Some((args.clone(), format!("`{}`", site.program.function(*function).name)));
    }
    if let Term::Builtin { builtin, args, .. } = term {
        let is_sign = matches!(*builtin, BOOL_NOT | INT_NEG | FLOAT_NEG)
            && site.text().starts_with(['!', '-']);
        let name = gainsay_core::builtin::get(*builtin).name;
        let name = name.rsplit('.').next().unwrap_or(name);
        // Operators are calls of builtins in core; `operand` and others mutate those.
        let is_call = !is_sign && site.infix().is_none();
        return is_call.then(|| (args.clone(), format!("`{name}`")));
    }
    // The result of a function value is checked around the call, so the check is dropped with it.
    let is_checked = matches!(term, Term::Refine { .. });
    if let Term::Refine { value, .. } = term {
        term = site.body.term(*value);
    }
    let Term::CallValue { callee, args } = term else { return None };
    let is_whole = gives_refined(site, *callee) == is_checked;
    is_whole.then(|| (args.clone(), "a function".to_owned()))
}

/// Whether the result of a function value has a refined type.
fn gives_refined(site: &MutationSite<'_, '_>, callee: TermId) -> bool {
    let types = &site.program.types;
    let Ty::Function { result, .. } = types.get(site.unrefined_type(callee)) else {
        return false;
    };
    types.flags(*result).has_refinement()
}

fn leave_out(site: &mut MutationSite<'_, '_>, args: &[TermId], name: &str) {
    let wanted = site.unrefined_type(site.term);
    let args = args.iter().map(|it| site.without_refinement(*it));
    let args: Vec<TermId> =
        args.filter(|it| site.unrefined_type(*it) == wanted).take(MAX_ARGUMENTS).collect();
    for arg in args {
        let text = site.parenthesized(site.text_of(arg));
        site.replace(arg, text, format!("remove the call to {name}"));
    }
}
