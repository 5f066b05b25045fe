//! From patterns to rows: flat lists of tests, then of what is bound.

use gainsay_core::{Arm, Literal, Pattern, PatternId, RestPattern, Term, TermId};

use super::code::{ArmCode, Bind, Check, MatchCode, Node, Path, Row, Step, Test};
use super::compile::Compiler;

/// Where the values lie that a pattern looks at.
pub(super) enum Slots {
    /// The value.
    Whole(u32),
    /// The parts of a tuple that does not exist.
    Parts(Vec<u32>),
}

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
        let is_part = !self.steps.is_empty();
        self.tests.push(if is_part {
            Test::PartIs(self.path(), check)
        } else {
            Test::Is(self.slot, check)
        });
    }

    fn finish(self) -> Row {
        Row { tests: self.tests.into(), binds: self.binds.into() }
    }
}

impl Compiler<'_> {
    pub(super) fn match_(&mut self, scrutinee: TermId, arms: &[Arm], home: u32) -> MatchCode {
        let n_subjects = match self.function.body.term(scrutinee) {
            Term::Tuple(parts) => parts.len() as u32,
            _ => 1,
        };
        // In reverse, like everything. After the guard of an arm come its body or all that
        // belongs to later arms.
        let mark = self.mark();
        let mut bodies = Vec::with_capacity(arms.len());
        for arm in arms.iter().rev() {
            let body = self.instead(mark, |it| it.node(arm.body, home));
            let guard = arm.guard.map(|guard| {
                // Should it fail, the next arms look at the subjects again.
                self.uses_subjects(scrutinee);
                self.node(guard, home + 1 + n_subjects)
            });
            bodies.push((guard, body));
        }
        let patterns: Vec<PatternId> = arms.iter().map(|arm| arm.pattern).collect();
        let (subjects, slots) = self.subjects(scrutinee, &patterns, home + 1);
        let arms = patterns.iter().zip(bodies.into_iter().rev());
        let arms = arms.map(|(pattern, (guard, body))| {
            let row = self.row(&slots, *pattern);
            ArmCode { row, guard, body }
        });
        MatchCode { arms: arms.collect(), subjects }
    }

    /// What is evaluated before patterns are tried, and the slots of what they look at: one,
    /// or one for each part of a tuple that never needs to exist.
    pub(super) fn subjects(
        &mut self,
        scrutinee: TermId,
        patterns: &[PatternId],
        home: u32,
    ) -> (Box<[Node]>, Slots) {
        let mut subjects = Vec::new();
        let slots = match self.function.body.term(scrutinee) {
            Term::Tuple(parts) if patterns.iter().all(|it| self.is_apart(*it, parts.len())) => {
                let in_reverse = parts.iter().enumerate().rev();
                let slots = in_reverse
                    .map(|(at, part)| self.subject(*part, home + at as u32, &mut subjects));
                let mut slots: Vec<u32> = slots.collect();
                slots.reverse();
                Slots::Parts(slots)
            }
            _ => Slots::Whole(self.subject(scrutinee, home, &mut subjects)),
        };
        subjects.reverse();
        (subjects.into(), slots)
    }

    /// The slot of a value: its own if it is a local, or else where it is put.
    fn subject(&mut self, term: TermId, home: u32, subjects: &mut Vec<Node>) -> u32 {
        if let Term::Local(local) = self.function.body.term(term) {
            self.uses(*local);
            return self.slot(*local);
        }
        subjects.push(self.node(term, home));
        home
    }

    fn uses_subjects(&mut self, scrutinee: TermId) {
        let function = self.function;
        let parts = match function.body.term(scrutinee) {
            Term::Tuple(parts) => parts,
            _ => std::slice::from_ref(&scrutinee),
        };
        for part in parts {
            if let Term::Local(local) = function.body.term(*part) {
                self.uses(*local);
            }
        }
    }

    /// Whether a pattern of a tuple looks at its parts only.
    fn is_apart(&self, pattern: PatternId, n_parts: usize) -> bool {
        match self.function.body.pattern(pattern) {
            Pattern::Wildcard => true,
            Pattern::Tuple(parts) => parts.len() == n_parts,
            Pattern::Or(alternatives) => {
                alternatives.iter().all(|alternative| self.is_apart(*alternative, n_parts))
            }
            Pattern::Bind(_) | Pattern::Literal(_) | Pattern::Ctor(..) => false,
            Pattern::List(..) => false,
        }
    }

    pub(super) fn row(&self, slots: &Slots, pattern: PatternId) -> Row {
        let mut draft = Draft::default();
        match slots {
            Slots::Whole(slot) => {
                draft.slot = *slot;
                self.flatten(&mut draft, pattern);
            }
            Slots::Parts(slots) => self.flatten_parts(&mut draft, slots, pattern),
        }
        draft.finish()
    }

    /// A pattern of a tuple that does not exist.
    fn flatten_parts(&self, draft: &mut Draft, slots: &[u32], pattern: PatternId) {
        match self.function.body.pattern(pattern) {
            Pattern::Tuple(parts) => {
                for (slot, part) in slots.iter().zip(parts) {
                    draft.slot = *slot;
                    self.flatten(draft, *part);
                }
            }
            Pattern::Or(alternatives) => any_of(draft, alternatives, |draft, alternative| {
                self.flatten_parts(draft, slots, alternative);
            }),
            Pattern::Wildcard | Pattern::Bind(_) | Pattern::Literal(_) => {}
            Pattern::Ctor(..) | Pattern::List(..) => {}
        }
    }

    fn flatten(&self, draft: &mut Draft, pattern: PatternId) {
        match self.function.body.pattern(pattern) {
            Pattern::Wildcard => {}
            Pattern::Bind(local) => {
                draft.binds.push(Bind { path: draft.path(), slot: self.slot(*local) });
            }
            Pattern::Literal(Literal::Int(int)) => draft.check(Check::Int(*int)),
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
