//! Elaborates patterns.

use gainsay_core::{
    CtorId, LocalId, Pattern as Core, PatternId, RestPattern, Shape, Ty, TyId, TypeTable,
};
use gainsay_source::Span;
use gainsay_syntax::ast::{
    CtorPat, ListPat, LiteralPat, Name, OrPat, PatField, Path, Pattern, RecordPat, RestPat,
    TuplePat,
};

use super::Elaborator;
use crate::findings::{
    DuplicateBinding, DuplicateField, FieldContext, MisplacedFormKind, MissingField,
    OrPatternBindings, UnknownConstructor, WrongArgumentCount,
};
use crate::number_literals::negate;
use crate::scope::{NameLookup, TypeSymbol, ValueSymbol};

/// The names a pattern binds, and those it shares with the previous alternative.
#[derive(Default)]
struct PatternNames<'t> {
    bound: Vec<(&'t str, LocalId, Span)>,
    shared: Vec<(&'t str, LocalId, Span)>,
}

impl<'t> Elaborator<'_, 't> {
    /// A pattern for a value of a type; its names come into scope.
    pub(super) fn pattern(&mut self, pattern: Pattern<'t>, ty: TyId) -> PatternId {
        let mut names = PatternNames::default();
        self.pattern_in(&mut names, pattern, ty)
    }

    fn add_pattern(&mut self, pattern: Core) -> PatternId {
        self.frame_mut().body.add_pattern(pattern)
    }

    fn pattern_in(
        &mut self,
        names: &mut PatternNames<'t>,
        pattern: Pattern<'t>,
        ty: TyId,
    ) -> PatternId {
        match pattern {
            Pattern::Wildcard(_) => self.add_pattern(Core::Wildcard),
            Pattern::Bind(it) => match it.name() {
                Some(name) => self.binding(names, name, ty),
                None => self.add_pattern(Core::Wildcard),
            },
            Pattern::Literal(it) => self.literal_pattern(it, ty),
            Pattern::Tuple(it) => self.tuple_pattern(names, it, ty),
            Pattern::Paren(it) => match it.inner() {
                Some(inner) => self.pattern_in(names, inner, ty),
                None => self.add_pattern(Core::Wildcard),
            },
            Pattern::Ctor(it) => self.ctor_pattern(names, it, ty),
            Pattern::Record(it) => self.record_pattern(names, it, ty),
            Pattern::List(it) => self.list_pattern(names, it, ty),
            Pattern::Rest(it) => {
                self.report_misplaced(MisplacedFormKind::Rest, it.span());
                self.error_pattern()
            }
            Pattern::Or(it) => self.or_pattern(names, it, ty),
        }
    }

    /// A name. In a later alternative of an or-pattern it is the local of the first one.
    fn binding(&mut self, names: &mut PatternNames<'t>, name: Name<'t>, ty: TyId) -> PatternId {
        let (text, span) = (name.text(), name.span());
        // Looked up in this alternative only: the names of earlier ones are meant to recur.
        let twin = names.bound.iter().find(|it| it.0 == text).map(|it| it.2);
        if let Some(first) = twin {
            let name = text.to_owned();
            self.report(DuplicateBinding { name, span, first });
            self.allow_unused(text);
            return self.add_pattern(Core::Wildcard);
        }
        let shared = names.shared.iter().find(|it| it.0 == text).map(|it| it.1);
        let local = match shared {
            Some(local) => {
                let other = self.frame().body.local(local).ty;
                self.expect_type(ty, other, span);
                local
            }
            None => self.bind(text, ty, span),
        };
        names.bound.push((text, local, span));
        self.add_pattern(Core::Bind(local))
    }

    fn literal_pattern(&mut self, it: LiteralPat<'t>, ty: TyId) -> PatternId {
        let literal = it.literal().and_then(|literal| self.literal(literal));
        let Some((literal, literal_ty)) = literal else {
            return self.add_pattern(Core::Wildcard);
        };
        self.expect_type(literal_ty, ty, it.span());
        let literal = if it.is_negative() { negate(literal) } else { Some(literal) };
        match literal {
            Some(literal) => self.add_pattern(Core::Literal(literal)),
            None => self.add_pattern(Core::Wildcard),
        }
    }

    fn tuple_pattern(
        &mut self,
        names: &mut PatternNames<'t>,
        it: TuplePat<'t>,
        ty: TyId,
    ) -> PatternId {
        let parts: Vec<Pattern<'t>> = it.parts().collect();
        let tys: Box<[TyId]> = if let Ty::Tuple(tys) = self.shallow_type(ty)
            && tys.len() == parts.len()
        {
            tys
        } else {
            // Unified as a whole, which reports a wrong number of parts as a mismatch of tuples.
            let tys: Box<[TyId]> = parts.iter().map(|_| self.fresh()).collect();
            let wanted = self.type_table().intern(Ty::Tuple(tys.clone()));
            self.expect_type(wanted, ty, it.span());
            tys
        };
        let parts = parts
            .into_iter()
            .zip(tys.iter())
            .map(|(part, ty)| self.pattern_in(names, part, *ty))
            .collect();
        self.add_pattern(Core::Tuple(parts))
    }

    fn list_pattern(
        &mut self,
        names: &mut PatternNames<'t>,
        it: ListPat<'t>,
        ty: TyId,
    ) -> PatternId {
        let item = if let Ty::List(item) = self.shallow_type(ty) {
            item
        } else {
            let item = self.fresh();
            let wanted = self.type_table().intern(Ty::List(item));
            self.expect_type(wanted, ty, it.span());
            item
        };
        let list = self.type_table().intern(Ty::List(item));
        let mut items = Vec::new();
        let mut rest = RestPattern::Nothing;
        let mut is_reported = false;
        for part in it.items() {
            if rest != RestPattern::Nothing {
                if !is_reported {
                    self.report_misplaced(MisplacedFormKind::PatternAfterRest, part.span());
                }
                is_reported = true;
                self.bind_names_only(names, part);
                continue;
            }
            if let Pattern::Rest(it) = part {
                rest = RestPattern::Some(self.rest(names, it, list));
            } else {
                items.push(self.pattern_in(names, part, item));
            }
        }
        self.add_pattern(Core::List(items.into(), rest))
    }

    fn rest(&mut self, names: &mut PatternNames<'t>, it: RestPat<'t>, list: TyId) -> PatternId {
        match it.name() {
            Some(name) => self.binding(names, name, list),
            None => self.add_pattern(Core::Wildcard),
        }
    }

    /// Checks that every alternative binds the same names.
    fn or_pattern(
        &mut self,
        names: &mut PatternNames<'t>,
        it: OrPat<'t>,
        ty: TyId,
    ) -> PatternId {
        let mut alternatives = Vec::new();
        let mut first: Option<Vec<(&'t str, LocalId, Span)>> = None;
        for alternative in it.alternatives() {
            // The names of outer alternatives stay shared: or-patterns may nest.
            let mut inner = PatternNames { bound: Vec::new(), shared: names.shared.clone() };
            if let Some(first) = &first {
                inner.shared.extend(first.iter().copied());
            }
            let id = self.pattern_in(&mut inner, alternative, ty);
            // Patterns of core have no spans, and unreachable alternatives are only found once the
            // types are known.
            self.frame_mut().alternatives.push((id, alternative.span()));
            alternatives.push(id);
            match &first {
                None => first = Some(inner.bound),
                Some(first) => {
                    self.check_same_bindings(first, &inner.bound, alternative.span())
                }
            }
        }
        // All alternatives bind the same locals, so those of the first one stand for all of them.
        for it in first.unwrap_or_default() {
            names.bound.push(it);
        }
        self.add_pattern(Core::Or(alternatives.into()))
    }

    fn check_same_bindings(
        &mut self,
        first: &[(&'t str, LocalId, Span)],
        other: &[(&'t str, LocalId, Span)],
        span: Span,
    ) {
        // A surplus name is reported where it stands; a missing one stands nowhere, so the whole
        // alternative is marked.
        for (name, _, span) in other {
            if !first.iter().any(|it| it.0 == *name) {
                self.report(OrPatternBindings { name: (*name).to_owned(), span: *span });
            }
        }
        for (name, _, _) in first {
            if !other.iter().any(|it| it.0 == *name) {
                self.report(OrPatternBindings { name: (*name).to_owned(), span });
            }
        }
    }

    fn ctor_pattern(
        &mut self,
        names: &mut PatternNames<'t>,
        it: CtorPat<'t>,
        ty: TyId,
    ) -> PatternId {
        // The names inside are bound all the same, or every use of them would be an error, too.
        let Some((ctor, fields)) = self.find_ctor(it.path(), ty, it.span()) else {
            for pattern in it.args().filter_map(|arg| arg.pattern()) {
                self.bind_names_only(names, pattern);
            }
            return self.error_pattern();
        };
        let mut placed: Vec<Option<PatternId>> = vec![None; fields.len()];
        let (mut next, mut surplus) = (0, 0);
        let mut seen: Vec<(usize, Span)> = Vec::new();
        for arg in it.args() {
            let at = match arg.label() {
                Some(label) => self.labelled_field(ctor, label),
                None => {
                    next += 1;
                    Some(next - 1)
                }
            };
            let Some(pattern) = arg.pattern() else { continue };
            let Some(at) = at.filter(|at| *at < fields.len()) else {
                surplus += usize::from(arg.label().is_none());
                self.bind_names_only(names, pattern);
                continue;
            };
            let id = self.pattern_in(names, pattern, fields[at]);
            if let Some((_, first)) = seen.iter().find(|(it, _)| *it == at) {
                let (name, first) = (arg.label().map_or("_", Name::text).to_owned(), *first);
                self.report(DuplicateField { name, span: arg.span(), first });
            }
            seen.push((at, arg.span()));
            placed[at] = Some(id);
        }
        let given = placed.iter().filter(|it| it.is_some()).count() + surplus;
        let unlabelled = it.args().all(|arg| arg.label().is_none());
        // With labels a pattern may leave fields out; without them it has to say so with `..`.
        if surplus > 0 || (given < fields.len() && it.rest().is_none() && unlabelled) {
            let declared = Some(self.checker.program.ctor(ctor).span);
            let callee = format!("`{}`", self.checker.program.ctor(ctor).name);
            let (expected, actual, span) = (fields.len(), given, it.span());
            self.report(WrongArgumentCount { callee, expected, actual, span, declared });
        }
        let parts = self.fill_wildcards(placed);
        self.add_pattern(Core::Ctor(ctor, parts))
    }

    /// Binds the names of a pattern about which nothing else is known.
    fn bind_names_only(&mut self, names: &mut PatternNames<'t>, pattern: Pattern<'t>) {
        self.broken_pattern = true;
        // The error type fits every other type, so the patterns inside cause no further
        // mismatches.
        self.pattern_in(names, pattern, TypeTable::ERROR);
    }

    /// A placeholder for a pattern that was reported.
    fn error_pattern(&mut self) -> PatternId {
        self.broken_pattern = true;
        self.add_pattern(Core::Wildcard)
    }

    /// Recovers from a record pattern whose scrutinee is not a record.
    fn recover_record_pattern(
        &mut self,
        names: &mut PatternNames<'t>,
        it: RecordPat<'t>,
    ) -> PatternId {
        for field in it.fields() {
            match (field.pattern(), field.name()) {
                (Some(pattern), _) => self.bind_names_only(names, pattern),
                (None, Some(name)) => {
                    self.binding(names, name, TypeTable::ERROR);
                }
                (None, None) => {}
            }
        }
        self.error_pattern()
    }

    fn fill_wildcards(&mut self, placed: Vec<Option<PatternId>>) -> Box<[PatternId]> {
        let mut parts = Vec::new();
        for place in placed {
            parts.push(place.unwrap_or_else(|| self.add_pattern(Core::Wildcard)));
        }
        parts.into()
    }

    fn labelled_field(&mut self, ctor: CtorId, label: Name<'t>) -> Option<usize> {
        let ctor = self.checker.program.ctor(ctor);
        let owner = ctor.name.to_string();
        let names: Vec<Option<Box<str>>> =
            ctor.fields.iter().map(|it| it.name.clone()).collect();
        let at = names.iter().position(|it| it.as_deref() == Some(label.text()));
        if at.is_none() {
            self.report_unknown_label(&owner, label, &names);
        }
        at
    }

    fn record_pattern(
        &mut self,
        names: &mut PatternNames<'t>,
        it: RecordPat<'t>,
        ty: TyId,
    ) -> PatternId {
        let Some(path) = it.path() else { return self.add_pattern(Core::Wildcard) };
        let ctor = match self.checker.find_type(self.module, path) {
            Some(TypeSymbol::Nominal(id))
                if self.checker.program.nominal(id).shape == Shape::Record =>
            {
                self.checker.program.nominal(id).ctors[0]
            }
            Some(_) => {
                let (name, span) = (path.dotted(), path.span());
                self.report(UnknownConstructor {
                    name,
                    span,
                    may_be_foreign: false,
                    close: None,
                    is_type: true,
                });
                return self.recover_record_pattern(names, it);
            }
            None => return self.recover_record_pattern(names, it),
        };
        let (fields, owner) = self.ctor_instance(ctor);
        self.expect_type(owner, ty, it.span());
        let mut placed: Vec<Option<PatternId>> = vec![None; fields.len()];
        let mut seen: Vec<(usize, Span)> = Vec::new();
        let mut unknown = false;
        for field in it.fields() {
            let Some(label) = field.name() else { continue };
            let Some(at) = self.labelled_field(ctor, label) else {
                self.broken_pattern = true;
                self.field_pattern(names, field, label, TypeTable::ERROR);
                unknown = true;
                continue;
            };
            let id = self.field_pattern(names, field, label, fields[at]);
            if let Some((_, first)) = seen.iter().find(|(it, _)| *it == at) {
                let (name, first) = (label.text().to_owned(), *first);
                self.report(DuplicateField { name, span: label.span(), first });
            }
            seen.push((at, label.span()));
            placed[at] = Some(id);
        }
        if it.rest().is_none() && !unknown && placed.iter().any(Option::is_none) {
            let ctor = self.checker.program.ctor(ctor);
            let missing = ctor
                .fields
                .iter()
                .zip(&placed)
                .filter(|(_, place)| place.is_none())
                .map(|(field, _)| field.name.as_deref().unwrap_or("_").to_owned())
                .collect();
            let owner = ctor.name.to_string();
            let place = FieldContext::Pattern;
            self.report(MissingField { owner, missing, span: it.span(), place });
        }
        let parts = self.fill_wildcards(placed);
        self.add_pattern(Core::Ctor(ctor, parts))
    }

    fn field_pattern(
        &mut self,
        names: &mut PatternNames<'t>,
        field: PatField<'t>,
        label: Name<'t>,
        ty: TyId,
    ) -> PatternId {
        match field.pattern() {
            Some(pattern) => self.pattern_in(names, pattern, ty),
            None => self.binding(names, label, ty),
        }
    }

    /// The constructor that a path denotes and its field types, unified with the scrutinee type.
    fn find_ctor(
        &mut self,
        path: Option<Path<'t>>,
        ty: TyId,
        span: Span,
    ) -> Option<(CtorId, Vec<TyId>)> {
        let path = path?;
        let name = path.last()?;
        // The constructors of the scrutinee type take precedence over other names in scope.
        if path.qualifiers().next().is_none()
            && let Some(ctor) = self.ctor_of_type(ty, name.text())
        {
            return Some((ctor, self.fit_ctor(ctor, ty, span)));
        }
        if let Some(spec) = self.checker.spec_before(self.module, path) {
            let ctor = self.checker.event_constructor(spec, name)?;
            return Some((ctor, self.fit_ctor(ctor, ty, span)));
        }
        let found = match path.qualifiers().last() {
            None => {
                let scope = self.checker.scope(self.module);
                match scope.value(&self.checker.prelude, name.text()) {
                    NameLookup::Found(def) => Some(def),
                    NameLookup::Ambiguous(modules) => {
                        self.checker.report_ambiguous(name, &modules);
                        return None;
                    }
                    // Not reported yet: what follows suggests a similar name.
                    NameLookup::Missing => None,
                }
            }
            Some(qualifier) => {
                let from = self.checker.scope(self.module).uses.get(qualifier.text()).copied();
                from.and_then(|from| {
                    self.checker.scope(from).values.get(name.text()).map(|(def, _)| *def)
                })
            }
        };
        let Some(ValueSymbol::Ctor(ctor)) = found else {
            let scope = self.checker.scope(self.module);
            if !path.names().any(|it| scope.unresolved.contains(it.text())) {
                let close = scope.closest_value(&self.checker.prelude, name.text(), &[]);
                let is_type = matches!(
                    scope.ty(&self.checker.prelude, name.text()),
                    NameLookup::Found(_)
                );
                let (name, span) = (name.text().to_owned(), name.span());
                self.report(UnknownConstructor {
                    name,
                    span,
                    may_be_foreign: true,
                    close,
                    is_type,
                });
            }
            return None;
        };
        Some((ctor, self.fit_ctor(ctor, ty, span)))
    }

    fn fit_ctor(&mut self, ctor: CtorId, ty: TyId, span: Span) -> Vec<TyId> {
        let (fields, owner) = self.ctor_instance(ctor);
        self.expect_type(owner, ty, span);
        fields
    }

    /// The constructor of a sum type by name.
    fn ctor_of_type(&self, ty: TyId, name: &str) -> Option<CtorId> {
        let Ty::Named(id, _) = self.shallow_type(ty) else { return None };
        let def = self.checker.program.nominal(id);
        if def.shape != Shape::Sum {
            return None;
        }
        def.ctors.iter().copied().find(|it| {
            let ctor = &*self.checker.program.ctor(*it).name;
            // The constructors of events are qualified: `Stack.push`.
            ctor == name || ctor.rsplit_once('.').is_some_and(|it| it.1 == name)
        })
    }
}
