//! The types of fields that a specification does not declare: sum types of the module are free data,
//! all others are sorts of which nothing is known but whether two values are the same.

use std::collections::BTreeMap;

use gainsay_smt::Sort;
use gainsay_syntax::ast::{
    Ctor, File, Item, Name, SpecDecl, SpecItem, Type, TypeBody, TypeItem,
};

use super::SpecReader;

/// The sum types without parameters that a file declares.
#[expect(clippy::wildcard_enum_match_arm, reason = "other items declare no types")]
pub(super) fn sum_types(file: File<'_>) -> BTreeMap<&str, TypeItem<'_>> {
    let types = file.items().filter_map(|it| match it {
        Item::Type(it) => {
            let is_sum = matches!(it.body(), Some(TypeBody::Sum(_)));
            (is_sum && it.type_params().is_none()).then_some((it.name()?.text(), it))
        }
        _ => None,
    });
    types.collect()
}

impl<'t> SpecReader<'t> {
    /// Makes the types of all fields known.
    pub(super) fn field_types(&mut self, item: SpecItem<'t>) {
        for decl in item.decls() {
            let SpecDecl::Event(decl) = decl else { continue };
            for field in decl.fields().into_iter().flat_map(|it| it.params()) {
                if let Some(ty) = field.ty() {
                    self.field_type(ty);
                }
            }
        }
    }

    /// The sort of a type, declared on its first use.
    fn field_type(&mut self, ty: Type<'t>) -> Option<Sort> {
        match ty {
            Type::Refined(it) => return self.field_type(it.inner()?),
            Type::Paren(it) => return self.field_type(it.inner()?),
            Type::Path(_) | Type::Tuple(_) | Type::Fn(_) | Type::Option(_) => {}
        }
        let text = ty.node().text();
        if let Some(sort) = self.sorts.get(text) {
            return Some(*sort);
        }
        let name: String = text.split_whitespace().collect();
        let id = self.spec.terms.signature.add_sort(&name);
        let sort = Sort::Named(id);
        self.sorts.insert(text, sort);
        let Some(TypeBody::Sum(body)) = self.types.get(text).and_then(|it| it.body()) else {
            return Some(sort);
        };
        let ctors: Vec<Ctor<'t>> = body.ctors().filter(|it| it.name().is_some()).collect();
        let names: Vec<Name<'t>> = ctors.iter().filter_map(|it| it.name()).collect();
        let mut declared = Vec::new();
        for (ctor, name) in ctors.iter().zip(&names) {
            let fields: Option<Vec<Sort>> =
                ctor.fields().map(|it| it.ty().and_then(|it| self.field_type(it))).collect();
            declared.push((name.text(), fields?));
        }
        self.spec.terms.signature.set_constructors(id, &declared);
        let funs = self.spec.terms.signature.constructors(sort).unwrap_or_default().to_vec();
        for (name, fun) in names.iter().zip(funs) {
            // A declaration of the specification hides a constructor of the module.
            self.funs.entry(name.text()).or_insert(fun);
        }
        Some(sort)
    }
}
