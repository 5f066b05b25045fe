//! From patterns to rows: flat lists of tests, then of what is bound.

use gainsay_core::{Arm, Pattern, PatternId, RestPattern, TermId};

use super::code::{ArmCode, Bind, Check, Glance, MatchCode, More, Node, Path, Row, Step, Test};
use super::compile::Compiler;
use super::places::{Place, Subjects};

/// A row that is being made, and the way to the value that is looked at.
#[derive(Default)]
struct Draft {
    tests: Vec<Test>,
    binds: Vec<Bind>,
    slot: u32,
    steps: Vec<Step>,
}

impl Draft {
    /// An alternative at the same place.
    fn alternative(&self) -> Self {
        Self { slot: self.slot, steps: self.steps.clone(), ..Self::default() }
    }

    fn path(&self) -> Path {
        Path { slot: self.slot, steps: self.steps.clone().into() }
    }

    fn check(&mut self, check: Check) {
        let slot = self.slot;
        self.tests.push(match check {
            Check::Length(0) if self.steps.is_empty() => Test::Glance(Glance::Empty(slot)),
            Check::AtLeast(1) if self.steps.is_empty() => Test::Glance(Glance::NotEmpty(slot)),
            Check::Ctor(ctor) if self.steps.is_empty() => {
                Test::Glance(Glance::Ctor(slot, ctor))
            }
            Check::Length(_) | Check::AtLeast(_) | Check::Ctor(_) | Check::Literal(_) => {
                Test::Is(self.path(), check)
            }
        });
    }

    fn bind(&mut self, slot: u32) {
        self.binds.push(Bind { path: self.path(), slot });
    }

    fn finish(mut self) -> Row {
        let first = match self.tests.first() {
            Some(Test::Glance(glance)) => *glance,
            Some(Test::Is(..) | Test::AnyOf(_)) | None => Glance::Anything,
        };
        if !matches!(first, Glance::Anything) {
            self.tests.remove(0);
        }
        let is_all = self.tests.is_empty() && self.binds.is_empty();
        let more = || Box::new(More { tests: self.tests.into(), binds: self.binds.into() });
        Row { first, more: (!is_all).then(more) }
    }
}

impl Compiler<'_> {
    pub(super) fn match_(&mut self, scrutinee: TermId, arms: &[Arm], home: u32) -> MatchCode {
        let patterns: Vec<PatternId> = arms.iter().map(|arm| arm.pattern).collect();
        let subjects = self.places.subjects(scrutinee, &patterns);
        // In reverse, like everything. After the guard of an arm come its body or all that
        // belongs to later arms.
        let mark = self.mark();
        let mut codes = Vec::with_capacity(arms.len());
        for arm in arms.iter().rev() {
            let body = self.instead(mark, |it| it.node(arm.body, home));
            let guard = arm.guard.map(|guard| {
                // Should it fail, the next arms look at the subjects again.
                subjects.terms().iter().for_each(|term| self.uses_term(*term));
                self.node(guard, home)
            });
            codes.push(ArmCode { row: self.row(&subjects, arm.pattern), guard, body });
        }
        codes.reverse();
        MatchCode { subjects: self.subjects(&subjects, home), arms: codes.into() }
    }

    /// What is evaluated before patterns are tried, and where it goes.
    pub(super) fn subjects(
        &mut self,
        subjects: &Subjects<'_>,
        home: u32,
    ) -> Box<[(u32, Node)]> {
        // Patterns look at locals after everything else was evaluated.
        subjects.terms().iter().for_each(|term| self.uses_term(*term));
        let mut nodes = Vec::new();
        for term in subjects.terms().iter().rev() {
            if self.places.in_slot(*term).is_none() {
                nodes.push((self.places.subject(*term), self.node(*term, home)));
            }
        }
        nodes.reverse();
        nodes.into()
    }

    pub(super) fn row(&self, subjects: &Subjects<'_>, pattern: PatternId) -> Row {
        let mut draft = Draft::default();
        match subjects {
            Subjects::Whole(term) => {
                draft.slot = self.places.subject(*term);
                self.flatten(&mut draft, pattern);
            }
            Subjects::Parts(terms) => self.flatten_parts(&mut draft, terms, pattern),
        }
        draft.finish()
    }

    /// A pattern of a tuple that does not exist.
    fn flatten_parts(&self, draft: &mut Draft, terms: &[TermId], pattern: PatternId) {
        match self.function.body.pattern(pattern) {
            Pattern::Tuple(parts) => {
                for (term, part) in terms.iter().zip(parts) {
                    draft.slot = self.places.subject(*term);
                    self.flatten(draft, *part);
                }
            }
            Pattern::Or(alternatives) => any_of(draft, alternatives, |draft, alternative| {
                self.flatten_parts(draft, terms, alternative);
            }),
            Pattern::Wildcard | Pattern::Bind(_) | Pattern::Literal(_) => {}
            Pattern::Ctor(..) | Pattern::List(..) => {}
        }
    }

    fn flatten(&self, draft: &mut Draft, pattern: PatternId) {
        match self.function.body.pattern(pattern) {
            Pattern::Wildcard => {}
            Pattern::Bind(local) => match self.places.local(*local) {
                Place::Slot(slot) => draft.bind(slot),
                Place::Part(..) => {}
            },
            Pattern::Literal(_) => draft.check(Check::Literal(pattern)),
            Pattern::Tuple(parts) => self.flatten_each(draft, parts, Step::Field),
            Pattern::Ctor(ctor, parts) => {
                draft.check(Check::Ctor(*ctor));
                self.flatten_each(draft, parts, Step::Field);
            }
            Pattern::List(parts, RestPattern::Nothing) => {
                draft.check(Check::Length(parts.len() as u32));
                self.flatten_each(draft, parts, Step::Item);
            }
            Pattern::List(parts, RestPattern::Some(rest)) => {
                let n_parts = parts.len() as u32;
                draft.check(Check::AtLeast(n_parts));
                self.flatten_each(draft, parts, Step::Item);
                self.flatten_step(draft, *rest, Step::After(n_parts));
            }
            Pattern::Or(alternatives) => any_of(draft, alternatives, |draft, alternative| {
                self.flatten(draft, alternative);
            }),
        }
    }

    fn flatten_each(&self, draft: &mut Draft, parts: &[PatternId], step: fn(u32) -> Step) {
        for (index, part) in (0..).zip(parts) {
            self.flatten_step(draft, *part, step(index));
        }
    }

    fn flatten_step(&self, draft: &mut Draft, part: PatternId, step: Step) {
        draft.steps.push(step);
        self.flatten(draft, part);
        draft.steps.pop();
    }
}

fn any_of(
    draft: &mut Draft,
    alternatives: &[PatternId],
    flatten: impl Fn(&mut Draft, PatternId),
) {
    let rows = alternatives.iter().map(|alternative| {
        let mut row = draft.alternative();
        flatten(&mut row, *alternative);
        row.finish()
    });
    let rows = rows.collect();
    draft.tests.push(Test::AnyOf(rows));
}
