//! Replaces the body of a function by the simplest value of its type: 0, "", `[]`, `None` and the
//! like.

use std::sync::Arc;

use gainsay_core::builtin::{MAP_EMPTY, SET_EMPTY};
use gainsay_core::{BuiltinId, CtorId, Literal, Shape, Term, TermId, Ty, TyId, TypeId};

use crate::mutation_site::{MutationSite, TermRole};
use crate::operator::{Operator, OperatorScope};

pub(crate) const OPERATOR: Operator = Operator {
    name: "default",
    about: "a function that returns 0, \"\", `[]`, `None` and the like",
    scope: OperatorScope::Code,
    make,
};

/// Parts that a tuple or record may have.
const MAX_PARTS: usize = 3;

/// Nesting depth of values.
const MAX_DEPTH: u32 = 3;

fn make(site: &mut MutationSite<'_, '_>) {
    if site.role != TermRole::Root {
        return;
    }
    let result = site.function.result;
    if let Some((instead, text)) = value(site, result, 0) {
        let what = format!("replace the body with `{text}`");
        site.replace(instead, text, what);
    }
}

/// The simplest value of a type and its source text; `None` if there is none.
fn value(site: &mut MutationSite<'_, '_>, ty: TyId, depth: u32) -> Option<(TermId, String)> {
    if depth > MAX_DEPTH {
        return None;
    }
    let program = site.program;
    let base = program.types.base(ty);
    let literal = |literal| Some(Term::Literal(literal));
    let empty = |builtin: BuiltinId, types: &[TyId]| {
        Some(Term::Builtin { builtin, type_args: types.into(), args: Box::default() })
    };
    let (term, text) = match program.types.get(base) {
        Ty::Int => (literal(Literal::Int(0)), "0"),
        Ty::Float => (literal(Literal::Float(0.0)), "0.0"),
        Ty::Bool => (literal(Literal::Bool(false)), "false"),
        Ty::Char => (literal(Literal::Char(' ')), "' '"),
        Ty::Str => (literal(Literal::Str(Arc::from(""))), "\"\""),
        Ty::List(_) => (Some(Term::List { items: Box::default(), rest: None }), "[]"),
        Ty::Map(key, item) if site.user_names.leave_unshadowed("Map") => {
            (empty(MAP_EMPTY, &[*key, *item]), "Map.empty()")
        }
        Ty::Set(item) if site.user_names.leave_unshadowed("Set") => {
            (empty(SET_EMPTY, &[*item]), "Set.empty()")
        }
        Ty::Tuple(parts) => return tuple(site, base, parts, depth),
        Ty::Named(name, args) => return named(site, base, *name, args, depth),
        Ty::Map(..) | Ty::Set(_) | Ty::Function { .. } => return None,
        Ty::Refined { .. } | Ty::Param(_) | Ty::Var(_) | Ty::Error => return None,
    };
    Some((site.add_typed_term(term?, base), text.to_owned()))
}

fn tuple(
    site: &mut MutationSite<'_, '_>,
    ty: TyId,
    parts: &[TyId],
    depth: u32,
) -> Option<(TermId, String)> {
    if parts.is_empty() || parts.len() > MAX_PARTS {
        return None;
    }
    let (terms, texts) = values(site, parts.iter().copied(), depth)?;
    Some((site.add_typed_term(Term::Tuple(terms), ty), format!("({})", texts.join(", "))))
}

fn values(
    site: &mut MutationSite<'_, '_>,
    types: impl Iterator<Item = TyId>,
    depth: u32,
) -> Option<(Box<[TermId]>, Vec<String>)> {
    let values: Option<Vec<_>> = types.map(|ty| value(site, ty, depth + 1)).collect();
    let (terms, texts): (Vec<TermId>, Vec<String>) = values?.into_iter().unzip();
    Some((terms.into(), texts))
}

fn named(
    site: &mut MutationSite<'_, '_>,
    ty: TyId,
    name: TypeId,
    args: &[TyId],
    depth: u32,
) -> Option<(TermId, String)> {
    let lang = site.program.lang;
    // A name that the user has declared would denote something else in the edited source.
    if Some(name) == lang.option && site.user_names.leave_unshadowed("None") {
        let none = Term::Construct { ctor: lang.none?, args: Box::default() };
        return Some((site.add_typed_term(none, ty), "None".to_owned()));
    }
    if Some(name) == lang.result && site.user_names.leave_unshadowed("Ok") {
        let (inner, text) = success(site, *args.first()?, depth)?;
        let ok = Term::Construct { ctor: lang.ok?, args: Box::new([inner]) };
        return Some((site.add_typed_term(ok, ty), format!("Ok({text})")));
    }
    let definition = site.program.nominal(name);
    let is_here = definition.module == site.function.module && args.is_empty();
    // A type parameter of the same name shadows the type in this function.
    let is_hidden = site.function.type_params.contains(&definition.name);
    match definition.shape {
        Shape::Record if is_here && !is_hidden => record(site, ty, definition.ctors[0], depth),
        // Not the first constructor of a sum: which one is simple is not known, and `constructor`
        // tries the others.
        Shape::Record | Shape::Sum => None,
    }
}

/// The simplest success value: `()` for the unit type.
fn success(site: &mut MutationSite<'_, '_>, ty: TyId, depth: u32) -> Option<(TermId, String)> {
    let base = site.program.types.base(ty);
    if base == gainsay_core::TypeTable::UNIT {
        return Some((site.add_typed_term(Term::Tuple(Box::default()), base), "()".to_owned()));
    }
    value(site, ty, depth + 1)
}

fn record(
    site: &mut MutationSite<'_, '_>,
    ty: TyId,
    ctor: CtorId,
    depth: u32,
) -> Option<(TermId, String)> {
    let definition = site.program.ctor(ctor);
    if definition.fields.len() > MAX_PARTS {
        return None;
    }
    let types = definition.fields.iter().map(|it| it.ty);
    let (mut terms, mut texts) = values(site, types, depth)?;
    for (at, field) in definition.fields.iter().enumerate() {
        // The checker adds these checks to the edited source, so the mutated core needs them, too.
        if site.program.types.flags(field.ty).has_refinement() {
            let refine = Term::Refine { value: terms[at], ty: field.ty };
            terms[at] = site.add_typed_term(refine, field.ty);
        }
        texts[at] = format!("{}: {}", field.name.as_deref()?, texts[at]);
    }
    let text = format!("{} {{ {} }}", definition.name, texts.join(", "));
    Some((site.add_typed_term(Term::Construct { ctor, args: terms }, ty), text))
}
