//! Patterns: whether values look like one, and the locals it binds.

use gainsay_core::{CtorId, Literal, Pattern, PatternId};

use super::code::{Bind, Check, MatchCode, Node, Row, Step, Test};
use super::{At, Machine, Stop, clear, put, put_copy};
use crate::fault::FaultKind;
use crate::value::{List, Value};

impl<'a> Machine<'a> {
    /// The body of the first arm that matches and whose guard holds.
    #[inline(never)]
    pub(super) fn arm(
        &mut self,
        at: At<'a>,
        node: &'a Node,
        match_: &'a MatchCode,
    ) -> Result<&'a Node, Stop> {
        self.put_subjects(at, &match_.subjects)?;
        for arm in &match_.arms {
            if !self.fits(at, &arm.row) {
                continue;
            }
            if let Some(guard) = &arm.guard
                && !self.condition(at, guard)?
            {
                continue;
            }
            self.clear_subjects(at, &match_.subjects);
            return Ok(&arm.body);
        }
        let kind = FaultKind::Unsupported("a match without a matching arm");
        Err(self.fault(at, node, kind))
    }

    /// Binds what a `let` with a pattern binds; whether it matches.
    #[inline(never)]
    pub(super) fn let_(
        &mut self,
        at: At<'a>,
        subjects: &'a [Node],
        row: &'a Row,
    ) -> Result<bool, Stop> {
        self.put_subjects(at, subjects)?;
        let fits = self.fits(at, row);
        self.clear_subjects(at, subjects);
        Ok(fits)
    }

    #[inline(always)]
    fn put_subjects(&mut self, at: At<'a>, subjects: &'a [Node]) -> Result<(), Stop> {
        for subject in subjects {
            self.put(at, subject, at.home(subject))?;
        }
        Ok(())
    }

    #[inline(always)]
    fn clear_subjects(&mut self, at: At<'a>, subjects: &[Node]) {
        for subject in subjects {
            clear(&mut self.stack[at.home(subject)]);
        }
    }

    /// Whether what a row looks at is as it says; if so, binds.
    fn fits(&mut self, at: At<'a>, row: &'a Row) -> bool {
        for test in &row.tests {
            let holds = match test {
                Test::Is(slot, check) => {
                    let value = &self.stack[at.base + *slot as usize];
                    self.is(at, Part::Value(value), check)
                }
                Test::PartIs(path, check) => {
                    let value = &self.stack[at.base + path.slot as usize];
                    part(value, &path.steps).is_some_and(|part| self.is(at, part, check))
                }
                Test::AnyOf(rows) => rows.iter().any(|row| self.fits(at, row)),
            };
            if !holds {
                return false;
            }
        }
        row.binds.iter().all(|bind| self.bind(at, bind))
    }

    /// Binds a local. The part is there: the tests were passed.
    #[inline(always)]
    fn bind(&mut self, at: At<'a>, Bind { path, slot }: &Bind) -> bool {
        let places = [at.base + path.slot as usize, at.base + *slot as usize];
        // A local is never a part of what it is bound to.
        let Ok([value, to]) = self.stack.get_disjoint_mut(places) else { return false };
        match part(value, &path.steps) {
            Some(Part::Value(value)) => put_copy(to, value),
            Some(Part::Rest(list)) => {
                let list = list.clone();
                put(to, || Value::List(list));
            }
            None => return false,
        }
        true
    }

    #[inline(always)]
    fn is(&self, at: At<'a>, part: Part<'_>, check: &Check) -> bool {
        match *check {
            Check::Ctor(ctor) => part.ctor() == Some(ctor),
            Check::Length(len) => part.list().is_some_and(|list| list.len() == u64::from(len)),
            Check::AtLeast(len) => part.list().is_some_and(|list| list.len() >= u64::from(len)),
            Check::Int(int) => matches!(part, Part::Value(Value::Int(it)) if *it == int),
            Check::Literal(pattern) => self.is_literal(at, part, pattern),
        }
    }

    #[inline(never)]
    fn is_literal(&self, at: At<'a>, part: Part<'_>, pattern: PatternId) -> bool {
        let pattern = self.program.function(at.code.id).body.pattern(pattern);
        match (pattern, part) {
            (Pattern::Literal(literal), Part::Value(value)) => literal_matches(literal, value),
            _ => false,
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

/// Goes from a value to one of its parts.
#[inline(always)]
fn part<'v>(value: &'v Value, steps: &[Step]) -> Option<Part<'v>> {
    let mut part = Part::Value(value);
    for step in steps {
        part = follow(part, *step)?;
    }
    Some(part)
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
