//! Constructors: another one of the same type with the same fields.

use gainsay_core::{Ctor, CtorId, Shape, Term, TermId, Ty, TyId};
use gainsay_source::Span;

use crate::mutation_site::MutationSite;
use crate::operator::{Operator, OperatorScope};
use crate::source_edit::SourceEdit;

pub(crate) const OPERATOR: Operator = Operator {
    name: "constructor",
    about: "another constructor with the same fields",
    scope: OperatorScope::Code,
    make,
};

/// Constructors that replace one.
const MAX_OTHERS: usize = 2;

fn make(site: &mut MutationSite<'_, '_>) {
    let Term::Construct { ctor, args } = site.current_term() else { return };
    let definition = site.program.ctor(ctor);
    let owner = site.program.nominal(definition.ty);
    if owner.shape == Shape::Record {
        return;
    }
    let Some(written) = name_of(site, definition) else { return };
    let module = site.program.module(owner.module);
    // A constructor imported by name does not bring its siblings into scope.
    let is_here = owner.module == site.function.module;
    if !written.is_qualified && !is_here && !module.is_std {
        return;
    }
    let is_labelled = is_labelled(site, &args);
    let n_ctors = owner.ctors.len();
    let others = (1..n_ctors).map(|step| {
        // Neighbors first: the next, the previous, and so on outwards.
        let step = if step % 2 == 1 { step.div_ceil(2) } else { n_ctors - step / 2 };
        owner.ctors[(definition.tag as usize + step) % n_ctors]
    });
    let fits = |it: &CtorId| {
        let other = site.program.ctor(*it);
        has_same_fields(site, definition, other)
            && (!is_labelled || has_same_names(definition, other))
            && (is_here
                || written.is_qualified
                || site.user_names.leave_unshadowed(&other.name))
    };
    let others: Vec<CtorId> = others.filter(fits).take(MAX_OTHERS).collect();
    for other in others {
        let instead = site.add_term(Term::Construct { ctor: other, args: args.clone() });
        let text = site.program.ctor(other).name.to_string();
        let what = format!("replace `{}` with `{text}`", definition.name);
        site.replace_by(instead, SourceEdit { span: written.span, text }, what);
    }
}

/// The name of a constructor in the source.
struct ConstructorName {
    span: Span,
    /// Whether a module or type precedes it.
    is_qualified: bool,
}

/// Locates the name of a constructor: at the beginning of a call, or behind a pipe.
fn name_of(site: &MutationSite<'_, '_>, ctor: &Ctor) -> Option<ConstructorName> {
    let span = site.body.span(site.term);
    let text = site.files.text(span);
    let path_end = text.find(|it: char| it != '.' && it != '_' && !it.is_alphanumeric());
    let path = &text[..path_end.unwrap_or(text.len())];
    let (start, path) = if path.rsplit('.').next() == Some(&*ctor.name) {
        (span.start, path)
    } else {
        let path = text.rsplit(|it: char| it.is_whitespace() || it == '>').next()?;
        if path.rsplit('.').next() != Some(&*ctor.name) || !text.contains("|>") {
            return None;
        }
        (span.end - path.len() as u32, path)
    };
    let end = start + path.len() as u32;
    let start = end - ctor.name.len() as u32;
    let is_qualified = path.contains('.');
    Some(ConstructorName { span: Span { start, end, ..span }, is_qualified })
}

/// Whether an argument is labelled with its field's name.
fn is_labelled(site: &MutationSite<'_, '_>, args: &[TermId]) -> bool {
    let whole = site.span();
    args.iter().any(|it| {
        let before = site.text_between(whole.start, site.full_span(*it).start);
        before.trim_end_matches(['(', '{', ' ', '\n', '\t']).ends_with(':')
    })
}

fn has_same_names(a: &Ctor, b: &Ctor) -> bool {
    a.fields.iter().map(|it| &it.name).eq(b.fields.iter().map(|it| &it.name))
}

/// Whether two constructors have fields of the same types, at the type of the term.
fn has_same_fields(site: &MutationSite<'_, '_>, a: &Ctor, b: &Ctor) -> bool {
    let types = &site.program.types;
    let Ty::Named(_, args) = types.get(types.base(site.ty())) else { return false };
    let at = |ty: TyId| {
        let Ty::Param(param) = types.get(ty) else { return ty };
        args.get(*param as usize).copied().unwrap_or(ty)
    };
    let same = |(a, b): (&gainsay_core::Field, &gainsay_core::Field)| at(a.ty) == at(b.ty);
    a.fields.len() == b.fields.len() && a.fields.iter().zip(&b.fields).all(same)
}
