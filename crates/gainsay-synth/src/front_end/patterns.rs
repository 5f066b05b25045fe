//! Patterns of events.

use std::collections::BTreeMap;

use gainsay_smt::TermId;
use gainsay_source::Span;
use gainsay_syntax::ast::{EventPattern, Expr, Name, TraceSyntax};

use super::SpecReader;
use crate::findings::{SpecMistake, SpecName};
use crate::spec::{EventAtom, OpId, TracePattern};

impl<'t> SpecReader<'t> {
    /// A pattern; `None` after reporting an error.
    pub(super) fn pattern(&mut self, it: TraceSyntax<'t>) -> Option<TracePattern> {
        Some(match it {
            TraceSyntax::Either(it) => TracePattern::Choice(self.patterns(it.patterns())?),
            TraceSyntax::Both(it) => TracePattern::Both(self.patterns(it.patterns())?),
            TraceSyntax::Sequence(it) => TracePattern::Sequence(self.patterns(it.patterns())?),
            TraceSyntax::Group(it) => self.pattern(it.patterns().next()?)?,
            TraceSyntax::Repeated(it) => {
                TracePattern::Repeat(Box::new(self.pattern(it.patterns().next()?)?))
            }
            TraceSyntax::AnyEvents(_) => TracePattern::Anything,
            TraceSyntax::AnyEvent(_) => TracePattern::AnyEvent,
            TraceSyntax::Last(it) => TracePattern::Last(self.only_event(it.patterns())?),
            TraceSyntax::Expected(it) => TracePattern::Expect(self.only_event(it.patterns())?),
            TraceSyntax::Other(it) => {
                let events = it.patterns().filter_map(event_of);
                let atoms: Vec<_> = events.map(|it| self.event(it)).collect();
                TracePattern::Except(atoms.into_iter().collect::<Option<_>>()?)
            }
            TraceSyntax::Event(it) => TracePattern::Event(self.event(it)?),
        })
    }

    fn patterns(
        &mut self,
        parts: impl Iterator<Item = TraceSyntax<'t>>,
    ) -> Option<Vec<TracePattern>> {
        // All of them are read, so that all mistakes are reported.
        let parts: Vec<_> = parts.map(|it| self.pattern(it)).collect();
        parts.into_iter().collect()
    }

    fn only_event(
        &mut self,
        mut parts: impl Iterator<Item = TraceSyntax<'t>>,
    ) -> Option<EventAtom> {
        let event = parts.find_map(event_of)?;
        self.event(event)
    }

    /// The operation of a name; `None` after reporting an error.
    pub(super) fn find_operation(&mut self, name: Option<Name<'t>>) -> Option<OpId> {
        let name = name?;
        let found = self.spec.find_operation(name.text());
        if found.is_none() {
            let names: Vec<String> =
                self.spec.operations.iter().map(|it| it.name.clone()).collect();
            self.report_unknown(SpecName::Operation, name, names.iter().map(String::as_str));
        }
        found
    }

    /// `op(a, field: b, ..){condition}`.
    pub(super) fn event(&mut self, it: EventPattern<'t>) -> Option<EventAtom> {
        let op = self.find_operation(it.operation())?;
        let mut conditions: Vec<TermId> = Vec::new();
        let mut is_complete = true;
        for (position, arg) in (0..).zip(it.args().into_iter().flat_map(|it| it.args())) {
            let operation = self.spec.operation(op);
            let n_fields = operation.fields.len();
            let at = match arg.field() {
                None => position,
                Some(name) => {
                    let names = operation.field_names.clone();
                    let found = names.iter().position(|it| it == name.text());
                    let Some(at) = found else {
                        let names = names.iter().map(String::as_str);
                        self.report_unknown(SpecName::Field, name, names);
                        is_complete = false;
                        continue;
                    };
                    at
                }
            };
            let Some(value) = arg.value() else { continue };
            let Some(field) = self.spec.operation(op).fields.get(at).copied() else {
                let actual = it.args().map_or(0, |it| it.args().count());
                let mistake = SpecMistake::ArgumentCount { expected: n_fields, actual };
                self.report(mistake, it.span());
                return None;
            };
            if matches!(value, Expr::Hole(_)) {
                continue;
            }
            let sort = self.spec.terms.signature.var(field).sort;
            let Some(value) = self.expr_of(value, sort) else {
                is_complete = false;
                continue;
            };
            let field = self.spec.terms.var(field);
            conditions.push(self.spec.terms.eq(field, value));
        }
        if let Some(condition) = it.condition() {
            self.open_fields(op, condition.span());
            conditions.extend(self.condition(condition));
            self.scopes.pop();
        }
        let condition = self.spec.terms.and(conditions);
        is_complete.then_some(EventAtom { op, condition })
    }

    /// Brings the fields of an operation into scope. A field that hides a variable is a mistake: the
    /// condition would be about something else than its author meant.
    fn open_fields(&mut self, op: OpId, span: Span) {
        let operation = self.spec.operation(op).clone();
        let mut scope = BTreeMap::new();
        for (name, field) in operation.field_names.iter().zip(operation.fields) {
            // Scopes have names of the source; those of fields are kept for this.
            let Some(name) = self.field_names.get(name.as_str()).copied() else { continue };
            if self.scopes.iter().any(|it| it.contains_key(name)) {
                let name = name.to_owned();
                self.report(SpecMistake::ShadowedParameter { name }, span);
            }
            scope.insert(name, self.spec.terms.var(field));
        }
        self.scopes.push(scope);
    }
}

fn event_of(it: TraceSyntax<'_>) -> Option<EventPattern<'_>> {
    if let TraceSyntax::Event(event) = it { Some(event) } else { None }
}
