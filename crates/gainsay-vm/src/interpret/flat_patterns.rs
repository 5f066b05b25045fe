//! Flattens patterns into a list of tests followed by bindings.

use gainsay_core::{Arm, Pattern, PatternId, RestPattern, TermId};

use super::compile::Compiler;
use super::node_code::{
    ArmCode, CodeNode, FlatPattern, FlatPatternRest, MatchCode, PartPath, PartStep,
    PatternCheck, PatternTest, ShallowTest, SlotBinding,
};
use super::slot_layout::{LocalLocation, MatchSubjects};

/// A flat pattern under construction, and the path to the value being inspected.
#[derive(Default)]
struct FlatPatternDraft {
    tests: Vec<PatternTest>,
    binds: Vec<SlotBinding>,
    slot: u32,
    steps: Vec<PartStep>,
}

impl FlatPatternDraft {
    /// Starts an alternative at the same path.
    fn alternative(&self) -> Self {
        Self { slot: self.slot, steps: self.steps.clone(), ..Self::default() }
    }

    fn path(&self) -> PartPath {
        PartPath { slot: self.slot, steps: self.steps.clone().into() }
    }

    fn check(&mut self, check: PatternCheck) {
        let slot = self.slot;
        self.tests.push(match check {
            PatternCheck::Length(0) if self.steps.is_empty() => {
                PatternTest::Shallow(ShallowTest::Empty(slot))
            }
            PatternCheck::MinLength(1) if self.steps.is_empty() => {
                PatternTest::Shallow(ShallowTest::NotEmpty(slot))
            }
            PatternCheck::Ctor(ctor) if self.steps.is_empty() => {
                PatternTest::Shallow(ShallowTest::Ctor(slot, ctor))
            }
            PatternCheck::Length(_)
            | PatternCheck::MinLength(_)
            | PatternCheck::Ctor(_)
            | PatternCheck::Literal(_) => PatternTest::PathCheck(self.path(), check),
        });
    }

    fn bind(&mut self, slot: u32) {
        self.binds.push(SlotBinding { path: self.path(), slot });
    }

    fn finish(mut self) -> FlatPattern {
        // The first shallow test moves into the pattern itself, where it costs no indirection: most
        // arms are rejected or accepted by it alone.
        let first = match self.tests.first() {
            Some(PatternTest::Shallow(glance)) => *glance,
            Some(PatternTest::PathCheck(..) | PatternTest::AnyOf(_)) | None => {
                ShallowTest::Always
            }
        };
        if !matches!(first, ShallowTest::Always) {
            self.tests.remove(0);
        }
        // Most rows of most matches have no further tests, and so no allocation.
        let is_all = self.tests.is_empty() && self.binds.is_empty();
        let more =
            || Box::new(FlatPatternRest { tests: self.tests.into(), binds: self.binds.into() });
        FlatPattern { shallow_test: first, rest: (!is_all).then(more) }
    }
}

impl Compiler<'_> {
    pub(super) fn match_(&mut self, scrutinee: TermId, arms: &[Arm], home: u32) -> MatchCode {
        let patterns: Vec<PatternId> = arms.iter().map(|arm| arm.pattern).collect();
        let subjects = self.layout.subjects(scrutinee, &patterns);
        // In reverse evaluation order, like everything here. After the guard of an arm comes either
        // its body or everything that belongs to later arms.
        let mark = self.mark();
        let mut codes = Vec::with_capacity(arms.len());
        for arm in arms.iter().rev() {
            let body = self.compile_alternative(mark, |it| it.node(arm.body, home));
            let guard = arm.guard.map(|guard| {
                // If the guard fails, later arms inspect the subjects again.
                subjects.terms().iter().for_each(|term| self.note_use_of_term(*term));
                self.node(guard, home)
            });
            codes.push(ArmCode { row: self.flat_pattern(&subjects, arm.pattern), guard, body });
        }
        codes.reverse();
        MatchCode { subjects: self.subjects(&subjects, home), arms: codes.into() }
    }

    /// Compiles the values that patterns inspect, and where they go.
    pub(super) fn subjects(
        &mut self,
        subjects: &MatchSubjects<'_>,
        home: u32,
    ) -> Box<[(u32, CodeNode)]> {
        // Patterns inspect locals after everything else has been evaluated.
        // Marked before the subjects are compiled: in reverse order, this is the latest use.
        subjects.terms().iter().for_each(|term| self.note_use_of_term(*term));
        let mut nodes = Vec::new();
        for term in subjects.terms().iter().rev() {
            if self.layout.in_slot(*term).is_none() {
                nodes.push((self.layout.subject(*term), self.node(*term, home)));
            }
        }
        nodes.reverse();
        nodes.into()
    }

    pub(super) fn flat_pattern(
        &self,
        subjects: &MatchSubjects<'_>,
        pattern: PatternId,
    ) -> FlatPattern {
        let mut draft = FlatPatternDraft::default();
        match subjects {
            MatchSubjects::Whole(term) => {
                draft.slot = self.layout.subject(*term);
                self.flatten(&mut draft, pattern);
            }
            MatchSubjects::Parts(terms) => self.flatten_parts(&mut draft, terms, pattern),
        }
        draft.finish()
    }

    /// Flattens a tuple pattern whose tuple is never built.
    fn flatten_parts(
        &self,
        draft: &mut FlatPatternDraft,
        terms: &[TermId],
        pattern: PatternId,
    ) {
        match self.function.body.pattern(pattern) {
            Pattern::Tuple(parts) => {
                for (term, part) in terms.iter().zip(parts) {
                    draft.slot = self.layout.subject(*term);
                    self.flatten(draft, *part);
                }
            }
            Pattern::Or(alternatives) => any_of(draft, alternatives, |draft, alternative| {
                self.flatten_parts(draft, terms, alternative);
            }),
            // `SlotLayout::subjects` admits only wildcards, tuples and alternatives of these.
            Pattern::Wildcard | Pattern::Bind(_) | Pattern::Literal(_) => {}
            Pattern::Ctor(..) | Pattern::List(..) => {}
        }
    }

    fn flatten(&self, draft: &mut FlatPatternDraft, pattern: PatternId) {
        match self.function.body.pattern(pattern) {
            Pattern::Wildcard => {}
            Pattern::Bind(local) => match self.layout.local(*local) {
                LocalLocation::Slot(slot) => draft.bind(slot),
                // The local is an alias of the part, so nothing is bound.
                LocalLocation::Part(..) => {}
            },
            Pattern::Literal(_) => draft.check(PatternCheck::Literal(pattern)),
            Pattern::Tuple(parts) => self.flatten_each(draft, parts, PartStep::Field),
            Pattern::Ctor(ctor, parts) => {
                draft.check(PatternCheck::Ctor(*ctor));
                self.flatten_each(draft, parts, PartStep::Field);
            }
            Pattern::List(parts, RestPattern::Nothing) => {
                draft.check(PatternCheck::Length(parts.len() as u32));
                self.flatten_each(draft, parts, PartStep::Item);
            }
            Pattern::List(parts, RestPattern::Some(rest)) => {
                let n_parts = parts.len() as u32;
                draft.check(PatternCheck::MinLength(n_parts));
                self.flatten_each(draft, parts, PartStep::Item);
                self.flatten_step(draft, *rest, PartStep::ListTail(n_parts));
            }
            Pattern::Or(alternatives) => any_of(draft, alternatives, |draft, alternative| {
                self.flatten(draft, alternative);
            }),
        }
    }

    fn flatten_each(
        &self,
        draft: &mut FlatPatternDraft,
        parts: &[PatternId],
        step: fn(u32) -> PartStep,
    ) {
        for (index, part) in (0..).zip(parts) {
            self.flatten_step(draft, *part, step(index));
        }
    }

    fn flatten_step(&self, draft: &mut FlatPatternDraft, part: PatternId, step: PartStep) {
        draft.steps.push(step);
        self.flatten(draft, part);
        draft.steps.pop();
    }
}

fn any_of(
    draft: &mut FlatPatternDraft,
    alternatives: &[PatternId],
    flatten: impl Fn(&mut FlatPatternDraft, PatternId),
) {
    let rows = alternatives.iter().map(|alternative| {
        // Each alternative has its own bindings, made only if it matches.
        let mut row = draft.alternative();
        flatten(&mut row, *alternative);
        row.finish()
    });
    let rows = rows.collect();
    draft.tests.push(PatternTest::AnyOf(rows));
}
