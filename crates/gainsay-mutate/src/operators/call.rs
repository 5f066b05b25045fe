//! Calls that are left out: an argument in place of the result.

use gainsay_core::builtin::{BOOL_NOT, FLOAT_NEG, INT_NEG};
use gainsay_core::{Term, TermId, Ty};

use crate::context::Site;
use crate::operator::{Operator, Place};

pub(crate) const OPERATOR: Operator = Operator {
    name: "call",
    about: "an argument in place of what a call gives",
    place: Place::Code,
    make,
};

/// How many arguments stand in place of one call.
const MAX_ARGUMENTS: usize = 2;

fn make(site: &mut Site<'_, '_>) {
    let (args, name) = match site.this() {
        Term::Call { function, args, .. } => {
            (args, format!("`{}`", site.program.function(function).name))
        }
        Term::Builtin { builtin, args, .. } => {
            let is_sign = matches!(builtin, BOOL_NOT | INT_NEG | FLOAT_NEG)
                && site.text().starts_with(['!', '-']);
            if is_sign || site.infix().is_some() {
                return;
            }
            let name = gainsay_core::builtin::get(builtin).name;
            (args, format!("`{}`", name.rsplit('.').next().unwrap_or(name)))
        }
        // What a function value gives is checked around the call, which is left out with it.
        Term::CallValue { callee, args } if !gives_refined(site, callee) => {
            (args, "a function".to_owned())
        }
        Term::Refine { value, .. } => match site.body.term(value) {
            Term::CallValue { callee, args } if gives_refined(site, *callee) => {
                (args.clone(), "a function".to_owned())
            }
            _ => return,
        },
        _ => return,
    };
    if site.is_call(&args) {
        leave_out(site, &args, &name);
    }
}

/// Whether the result of a function value is checked.
fn gives_refined(site: &Site<'_, '_>, callee: TermId) -> bool {
    let types = &site.program.types;
    match types.get(site.base_of(callee)) {
        Ty::Function { result, .. } => types.flags(*result).has_refinement(),
        _ => false,
    }
}

fn leave_out(site: &mut Site<'_, '_>, args: &[TermId], name: &str) {
    let wanted = site.base_of(site.term);
    let args = args.iter().map(|it| site.unrefined(*it));
    let args: Vec<TermId> =
        args.filter(|it| site.base_of(*it) == wanted).take(MAX_ARGUMENTS).collect();
    for arg in args {
        let text = site.fitted(site.text_of(arg));
        site.replace(arg, text, format!("the call of {name} is left out"));
    }
}
