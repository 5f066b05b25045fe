//! Patterns: whether values look like one, and the locals it binds.

use gainsay_core::{CtorId, Literal, Pattern};

use super::code::{Bind, Check, FunctionCode, MatchCode, Path, Row, Step, Test};
use super::{At, Machine, Stop, clear, put, put_copy};
use crate::fault::FaultKind;
use crate::value::{List, Value};

impl<'a> Machine<'a> {
    /// The body of the first arm that matches and whose guard holds.
    #[inline(never)]
    pub(super) fn arm(&mut self, at: At<'a>, node: u32, match_: u32) -> Result<u32, Stop> {
        match self.matching(at, match_)? {
            Some(body) => Ok(body),
            None => {
                let kind = FaultKind::Unsupported("a match without a matching arm");
                Err(self.fault(at, node, kind))
            }
        }
    }

    /// Binds what a `let` with a pattern binds.
    #[inline(never)]
    pub(super) fn let_(&mut self, at: At<'a>, value: u32, match_: u32) -> Result<(), Stop> {
        match self.matching(at, match_)? {
            Some(_) => Ok(()),
            None => {
                let kind = FaultKind::Unsupported("a `let` that does not match");
                Err(self.fault(at, value, kind))
            }
        }
    }

    #[inline]
    fn matching(&mut self, at: At<'a>, match_: u32) -> Result<Option<u32>, Stop> {
        let MatchCode { subjects, arms } = at.code.matches[match_ as usize];
        for subject in subjects.of(&at.code.subjects) {
            self.put(at, subject.node, at.base + subject.slot as usize)?;
        }
        for arm in arms.of(&at.code.arms) {
            if !self.fits(at, arm.row) {
                continue;
            }
            if let Some(guard) = arm.guard
                && !self.condition(at, guard)?
            {
                continue;
            }
            for subject in subjects.of(&at.code.subjects) {
                clear(&mut self.stack[at.base + subject.slot as usize]);
            }
            return Ok(Some(arm.body));
        }
        Ok(None)
    }

    /// Whether what a row looks at is as it says; if so, binds.
    fn fits(&mut self, at: At<'a>, row: Row) -> bool {
        for test in row.tests.of(&at.code.tests) {
            let holds = match test {
                Test::Is(path, check) => self.is(at, path, *check),
                Test::AnyOf(rows) => {
                    rows.of(&at.code.rows).iter().any(|row| self.fits(at, *row))
                }
            };
            if !holds {
                return false;
            }
        }
        row.binds.of(&at.code.binds).iter().all(|bind| self.bind(at, bind))
    }

    /// Binds a local. The part is there: the tests were passed.
    #[inline(always)]
    fn bind(&mut self, at: At<'a>, Bind { path, slot }: &Bind) -> bool {
        let frame = &mut self.stack[at.base..];
        // A local is never a part of what it is bound to.
        let slot = *slot as usize;
        let from = path.slot();
        let Ok([from, to]) = frame.get_disjoint_mut([from, slot]) else { return false };
        match part(at.code, from, path) {
            Some(Part::Value(value)) => put_copy(to, value),
            Some(Part::Rest(list)) => {
                let list = list.clone();
                put(to, || Value::List(list));
            }
            None => return false,
        }
        true
    }

    #[inline]
    fn is(&self, at: At<'a>, path: &Path, check: Check) -> bool {
        let value = &self.stack[at.base + path.slot()];
        let Some(part) = part(at.code, value, path) else { return false };
        match check {
            Check::Ctor(ctor) => part.ctor() == Some(ctor),
            Check::Length(len) => part.list().is_some_and(|list| list.len() == u64::from(len)),
            Check::AtLeast(len) => part.list().is_some_and(|list| list.len() >= u64::from(len)),
            Check::Int(int) => matches!(part, Part::Value(Value::Int(it)) if *it == int),
            Check::Literal(pattern) => {
                let pattern = self.program.function(at.code.id).body.pattern(pattern);
                match (pattern, part) {
                    (Pattern::Literal(literal), Part::Value(value)) => {
                        literal_matches(literal, value)
                    }
                    _ => false,
                }
            }
        }
    }
}

impl Path {
    #[inline(always)]
    fn slot(&self) -> usize {
        match *self {
            Self::Here(slot) | Self::Step(slot, _) | Self::Steps(slot, _) => slot as usize,
        }
    }
}

/// A part of a value: a value, or a list inside a list.
#[derive(Copy, Clone)]
enum Part<'v> {
    Value(&'v Value),
    Rest(&'v List),
}

impl<'v> Part<'v> {
    fn list(self) -> Option<&'v List> {
        match self {
            Self::Value(value) => value.as_list(),
            Self::Rest(list) => Some(list),
        }
    }

    fn ctor(self) -> Option<CtorId> {
        match self {
            Self::Value(value) => value.as_ctor(),
            Self::Rest(_) => None,
        }
    }
}

/// Follows a path from the value in its slot.
#[inline(always)]
fn part<'v>(code: &FunctionCode, value: &'v Value, path: &Path) -> Option<Part<'v>> {
    let part = Part::Value(value);
    match *path {
        Path::Here(_) => Some(part),
        Path::Step(_, step) => follow(part, step),
        Path::Steps(_, steps) => steps.of(&code.steps).iter().try_fold(part, |part, step| follow(part, *step)),
    }
}

#[inline]
fn follow(part: Part<'_>, step: Step) -> Option<Part<'_>> {
    match step {
        Step::Field(index) => match part {
            Part::Value(value) => Some(Part::Value(value.fields().get(index as usize)?)),
            Part::Rest(_) => None,
        },
        Step::Item(index) => Some(Part::Value(after(part.list()?, index)?.split_first()?.0)),
        Step::After(count) => Some(Part::Rest(after(part.list()?, count)?)),
    }
}

#[inline]
fn after(mut list: &List, count: u32) -> Option<&List> {
    for _ in 0..count {
        list = list.split_first()?.1;
    }
    Some(list)
}

fn literal_matches(literal: &Literal, value: &Value) -> bool {
    match (literal, value) {
        (Literal::Int(a), Value::Int(b)) => a == b,
        (Literal::Big(a), Value::Big(b)) => **a == *b.get(),
        (Literal::Float(a), Value::Float(b)) => a == b,
        (Literal::Bool(a), Value::Bool(b)) => a == b,
        (Literal::Char(a), Value::Char(b)) => a == b,
        (Literal::Str(a), Value::Str(b)) => **a == *b.as_str(),
        _ => false,
    }
}
