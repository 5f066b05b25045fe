//! From patterns to rows: flat lists of tests, then of what is bound.

use gainsay_core::{Arm, Literal, Pattern, PatternId, RestPattern, Term, TermId};

use super::code::{ArmCode, Bind, Check, MatchCode, Path, Range, Row, Step, Subject, Test};
use super::compile::Compiler;

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
}

impl Compiler<'_> {
    pub(super) fn match_(&mut self, scrutinee: TermId, arms: &[Arm]) -> u32 {
        let patterns: Vec<PatternId> = arms.iter().map(|arm| arm.pattern).collect();
        let (subjects, slots) = self.subjects(scrutinee, &patterns);
        let mut codes = Vec::with_capacity(arms.len());
        for arm in arms {
            let row = self.row(&slots, arm.pattern);
            codes.push(ArmCode { row, guard: arm.guard.map(|it| it.0), body: arm.body.0 });
        }
        let arms = append(&mut self.arms, codes);
        self.matches.push(MatchCode { subjects, arms });
        self.matches.len() as u32 - 1
    }

    /// A `let` is a match with one arm, whose body is whatever follows.
    pub(super) fn let_(&mut self, pattern: PatternId, value: TermId) -> u32 {
        let (subjects, slots) = self.subjects(value, &[pattern]);
        let arm = ArmCode { row: self.row(&slots, pattern), guard: None, body: value.0 };
        let arms = append(&mut self.arms, vec![arm]);
        self.matches.push(MatchCode { subjects, arms });
        self.matches.len() as u32 - 1
    }

    /// What is evaluated before patterns are tried, and the slots of what they look at: one,
    /// or one for each part of a tuple that never needs to exist.
    fn subjects(&mut self, scrutinee: TermId, patterns: &[PatternId]) -> (Range, Slots) {
        let function = self.function;
        let mut subjects = Vec::new();
        let slots = match function.body.term(scrutinee) {
            Term::Tuple(parts) if patterns.iter().all(|it| self.is_apart(*it, parts.len())) => {
                let first = self.homes[scrutinee.index()] + 1;
                let places = (first..).zip(parts);
                let slots = places.map(|(at, part)| self.subject(*part, at, &mut subjects));
                Slots::Parts(slots.collect())
            }
            _ => {
                let home = self.homes[scrutinee.index()];
                Slots::Whole(self.subject(scrutinee, home, &mut subjects))
            }
        };
        (append(&mut self.subjects, subjects), slots)
    }

    /// The slot of a value: its own if it is a local, or else where it is put.
    fn subject(&self, term: TermId, home: u32, subjects: &mut Vec<Subject>) -> u32 {
        if let Term::Local(local) = self.function.body.term(term) {
            return self.slot(*local);
        }
        subjects.push(Subject { node: term.0, slot: home });
        home
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

    fn row(&mut self, slots: &Slots, pattern: PatternId) -> Row {
        let mut draft = Draft::default();
        match slots {
            Slots::Whole(slot) => {
                draft.slot = *slot;
                self.flatten(&mut draft, pattern);
            }
            Slots::Parts(slots) => self.flatten_parts(&mut draft, slots, pattern),
        }
        self.finish_row(draft)
    }

    fn finish_row(&mut self, draft: Draft) -> Row {
        Row {
            tests: append(&mut self.tests, draft.tests),
            binds: append(&mut self.binds, draft.binds),
        }
    }

    /// A pattern of a tuple that does not exist.
    fn flatten_parts(&mut self, draft: &mut Draft, slots: &[u32], pattern: PatternId) {
        let function = self.function;
        match function.body.pattern(pattern) {
            Pattern::Tuple(parts) => {
                for (slot, part) in slots.iter().zip(parts) {
                    draft.slot = *slot;
                    self.flatten(draft, *part);
                }
            }
            Pattern::Or(alternatives) => {
                self.any_of(draft, alternatives, &mut |compiler, draft, alternative| {
                    compiler.flatten_parts(draft, slots, alternative);
                });
            }
            Pattern::Wildcard | Pattern::Bind(_) | Pattern::Literal(_) => {}
            Pattern::Ctor(..) | Pattern::List(..) => {}
        }
    }

    fn flatten(&mut self, draft: &mut Draft, pattern: PatternId) {
        let function = self.function;
        match function.body.pattern(pattern) {
            Pattern::Wildcard => {}
            Pattern::Bind(local) => {
                let (path, slot) = (self.path(draft), self.slot(*local));
                draft.binds.push(Bind { path, slot });
            }
            Pattern::Literal(Literal::Int(int)) => self.check(draft, Check::Int(*int)),
            Pattern::Literal(_) => self.check(draft, Check::Literal(pattern)),
            Pattern::Tuple(parts) => self.flatten_each(draft, parts, Step::Field),
            Pattern::Ctor(ctor, parts) => {
                self.check(draft, Check::Ctor(*ctor));
                self.flatten_each(draft, parts, Step::Field);
            }
            Pattern::List(parts, rest) => {
                let len = parts.len() as u32;
                let RestPattern::Some(rest) = rest else {
                    self.check(draft, Check::Length(len));
                    return self.flatten_each(draft, parts, Step::Item);
                };
                self.check(draft, Check::AtLeast(len));
                self.flatten_each(draft, parts, Step::Item);
                self.flatten_step(draft, *rest, Step::After(len));
            }
            Pattern::Or(alternatives) => {
                self.any_of(draft, alternatives, &mut |compiler, draft, alternative| {
                    compiler.flatten(draft, alternative);
                });
            }
        }
    }

    fn flatten_each(&mut self, draft: &mut Draft, parts: &[PatternId], step: fn(u32) -> Step) {
        for (index, part) in (0..).zip(parts) {
            self.flatten_step(draft, *part, step(index));
        }
    }

    fn flatten_step(&mut self, draft: &mut Draft, part: PatternId, step: Step) {
        draft.steps.push(step);
        self.flatten(draft, part);
        draft.steps.pop();
    }

    fn any_of(
        &mut self,
        draft: &mut Draft,
        alternatives: &[PatternId],
        flatten: &mut dyn FnMut(&mut Self, &mut Draft, PatternId),
    ) {
        let mut rows = Vec::with_capacity(alternatives.len());
        for alternative in alternatives {
            let mut row = draft.alternative();
            flatten(self, &mut row, *alternative);
            rows.push(self.finish_row(row));
        }
        draft.tests.push(Test::AnyOf(append(&mut self.rows, rows)));
    }

    fn check(&mut self, draft: &mut Draft, check: Check) {
        draft.tests.push(Test::Is(self.path(draft), check));
    }

    fn path(&mut self, draft: &Draft) -> Path {
        match *draft.steps {
            [] => Path::Here(draft.slot),
            [step] => Path::Step(draft.slot, step),
            _ => Path::Steps(draft.slot, append(&mut self.steps, draft.steps.clone())),
        }
    }
}

/// Where the values lie that a pattern looks at.
enum Slots {
    /// The value.
    Whole(u32),
    /// The parts of a tuple.
    Parts(Vec<u32>),
}

fn append<T>(list: &mut Vec<T>, items: Vec<T>) -> Range {
    let range = Range { start: list.len() as u32, len: items.len() as u32 };
    list.extend(items);
    range
}
