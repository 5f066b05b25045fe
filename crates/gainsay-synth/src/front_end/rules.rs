//! Rules and goals, and what a weaker specification does to the rules.

use std::collections::{BTreeMap, BTreeSet};

use gainsay_smt::TermId;
use gainsay_syntax::ast::{
    EventPattern, GoalDecl, GoalKeyword, RuleClause, SpecDecl, SpecItem, SpecRule, TraceSyntax,
    Weakening,
};

use super::SpecReader;
use crate::findings::SpecMistake;
use crate::spec::{EventAtom, Goal, GoalKind, TracePattern, TraceRule};

/// The parts of rules that a weaker specification drops.
#[derive(Default)]
struct DroppedParts<'t> {
    /// The part, and the operation.
    parts: BTreeSet<(&'t str, &'t str)>,
}

impl<'t> DroppedParts<'t> {
    fn has(&self, part: &'static str, rule: SpecRule<'t>) -> bool {
        let operation = rule.operation().map_or("", |it| it.text());
        self.parts.iter().any(|it| *it == (part, operation))
    }
}

impl<'t> SpecReader<'t> {
    /// All rules: those of the specification whose operation is not replaced, with what is dropped
    /// left out, and the replacements.
    pub(super) fn rules(&mut self, item: SpecItem<'t>) {
        let mut dropped = DroppedParts::default();
        let mut replacements = Vec::new();
        for weakening in std::mem::take(&mut self.weakenings) {
            match weakening {
                Weakening::Replace(it) => replacements.extend(it.rule()),
                Weakening::Drop(it) => {
                    let (Some(part), Some(op)) = (it.part(), it.operation()) else { continue };
                    if !matches!(part.text(), "when" | "history" | "future") {
                        self.report(SpecMistake::DroppedPart, part.span());
                    }
                    if self.find_operation(Some(op)).is_some() {
                        dropped.parts.insert((part.text(), op.text()));
                    }
                }
                Weakening::Merge(it) => self.report(SpecMistake::MergedRules, it.span()),
            }
        }
        let replaced: BTreeSet<&str> =
            replacements.iter().filter_map(|it| Some(it.operation()?.text())).collect();
        for decl in item.decls() {
            let SpecDecl::Rule(rule) = decl else { continue };
            let operation = rule.operation().map_or("", |it| it.text());
            if !replaced.contains(operation) {
                self.rule(rule, &dropped);
            }
        }
        for rule in replacements {
            self.rule(rule, &DroppedParts::default());
        }
    }

    fn rule(&mut self, it: SpecRule<'t>, dropped: &DroppedParts<'t>) {
        let Some(op) = self.find_operation(it.operation()) else { return };
        let fields = self.spec.operation(op).fields.clone();
        let declared: Vec<_> = it.params().collect();
        if declared.len() != fields.len() {
            let (expected, actual) = (fields.len(), declared.len());
            self.report(SpecMistake::ArgumentCount { expected, actual }, it.span());
            return;
        }
        let mut params = Vec::new();
        let mut scope = BTreeMap::new();
        let mut when = Vec::new();
        for (field, param) in fields.into_iter().zip(declared) {
            let sort = self.spec.terms.signature.var(field).sort;
            let name = param.name().map_or("_", |it| it.text());
            let var = self.spec.terms.signature.add_var(name, sort);
            params.push(var);
            if name != "_" {
                scope.insert(name, self.spec.terms.var(var));
            }
            if let Some(ty) = param.ty() {
                let actual = self.read_sort(Some(ty));
                if let Some(actual) = actual.filter(|it| *it != sort) {
                    let (expected, actual) = (self.sort_text(sort), self.sort_text(actual));
                    let span = ty.node().span();
                    self.report(SpecMistake::Sort { expected, actual }, span);
                }
                self.scopes.push(scope.clone());
                when.extend(self.refinement(Some(ty), var));
                self.scopes.pop();
            }
        }
        self.scopes.push(scope);
        let (given, refined) = self.variables(it.given());
        when.push(refined);
        self.open_scope(&given);
        let condition = it.condition().and_then(|it| it.condition());
        when.extend(condition.and_then(|it| self.condition(it)));
        if dropped.has("when", it) {
            when.clear();
        }
        let mut rule = TraceRule {
            op,
            params,
            ghosts: given.into_iter().map(|it| it.1).collect(),
            when: self.spec.terms.and(when),
            history: None,
            futures: Vec::new(),
            emits: Vec::new(),
            owes: Vec::new(),
        };
        for clause in it.clauses() {
            self.clause(clause, (it, dropped), &mut rule);
        }
        self.scopes.truncate(self.scopes.len() - 2);
        self.spec.rules.push(rule);
    }

    fn clause(
        &mut self,
        clause: RuleClause<'t>,
        (it, dropped): (SpecRule<'t>, &DroppedParts<'t>),
        rule: &mut TraceRule,
    ) {
        match clause {
            RuleClause::History(history) => {
                let pattern = self.optional_pattern(history.pattern());
                let pattern = pattern.filter(|_| !dropped.has("history", it));
                // Two histories must both hold.
                rule.history = match (rule.history.take(), pattern) {
                    (Some(first), Some(second)) => {
                        Some(TracePattern::Both(vec![first, second]))
                    }
                    (first, second) => first.or(second),
                };
            }
            RuleClause::Future(future) => {
                let pattern = self.optional_pattern(future.pattern());
                rule.futures.extend(pattern.filter(|_| !dropped.has("future", it)));
            }
            RuleClause::Emits(clause) => rule.emits.extend(self.events(clause.events())),
            RuleClause::Owes(clause) => rule.owes.extend(self.events(clause.events())),
        }
    }

    fn optional_pattern(&mut self, it: Option<TraceSyntax<'t>>) -> Option<TracePattern> {
        it.and_then(|it| self.pattern(it))
    }

    fn events(&mut self, events: impl Iterator<Item = EventPattern<'t>>) -> Vec<EventAtom> {
        events.filter_map(|it| self.event(it)).collect()
    }

    /// All goals.
    pub(super) fn goals(&mut self, item: SpecItem<'t>) {
        for decl in item.decls() {
            if let SpecDecl::Goal(it) = decl {
                self.goal(it);
            }
        }
    }

    fn goal(&mut self, it: GoalDecl<'t>) {
        let Some(name) = it.name() else { return };
        if !self.declare(name) {
            return;
        }
        let (vars, refined) = self.variables(it.variables());
        self.open_scope(&vars);
        let pattern = self.optional_pattern(it.pattern());
        self.scopes.pop();
        let Some(mut pattern) = pattern else { return };
        if refined != TermId::TRUE {
            pattern = with_condition(&mut self.spec.terms, pattern, refined);
        }
        let kind = match it.kind() {
            GoalKeyword::Violation => GoalKind::Violation,
            GoalKeyword::Scenario => GoalKind::Scenario,
        };
        let vars = vars.into_iter().map(|it| it.1).collect();
        let text = name.text().to_owned();
        self.spec.goals.push(Goal { name: text, kind, vars, pattern });
        self.goal_spans.push(name.span());
    }
}

/// The pattern with a condition on the variables of the goal, added to its first event.
fn with_condition(
    terms: &mut gainsay_smt::Terms,
    pattern: TracePattern,
    condition: TermId,
) -> TracePattern {
    let mut add = |atom: EventAtom| EventAtom {
        condition: terms.and(vec![atom.condition, condition]),
        ..atom
    };
    match pattern {
        TracePattern::Event(atom) => TracePattern::Event(add(atom)),
        TracePattern::Expect(atom) => TracePattern::Expect(add(atom)),
        TracePattern::Last(atom) => TracePattern::Last(add(atom)),
        TracePattern::Sequence(mut parts) => {
            let is_event = |it: &TracePattern| {
                matches!(
                    it,
                    TracePattern::Event(_) | TracePattern::Expect(_) | TracePattern::Last(_)
                )
            };
            if let Some(at) = parts.iter().position(is_event) {
                let part = parts.remove(at);
                parts.insert(at, with_condition(terms, part, condition));
            }
            TracePattern::Sequence(parts)
        }
        TracePattern::Choice(parts) => TracePattern::Choice(
            parts.into_iter().map(|it| with_condition(terms, it, condition)).collect(),
        ),
        TracePattern::Both(mut parts) => {
            if let Some(first) = parts.first_mut() {
                *first = with_condition(terms, first.clone(), condition);
            }
            TracePattern::Both(parts)
        }
        TracePattern::Anything
        | TracePattern::AnyEvent
        | TracePattern::Except(_)
        | TracePattern::Repeat(_) => pattern,
    }
}
