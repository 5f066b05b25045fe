//! Patterns: whether values look like one, and the locals it binds.

use gainsay_core::{CtorId, Literal, Pattern, PatternId};

use super::code::{Bind, Check, Glance, MatchCode, More, Node, Path, Row, Step, Test};
use super::{At, Machine, Stop};
use crate::fault::FaultKind;
use crate::value::{List, Value};

impl<'a> Machine<'a> {
    /// The body of the first arm that matches and whose guard holds. What is matched is in its
    /// slots.
    #[inline(never)]
    pub(super) fn arm(
        &mut self,
        at: At<'a>,
        node: &'a Node,
        match_: &'a MatchCode,
    ) -> Result<&'a Node, Stop> {
        for arm in &match_.arms {
            if !self.fits(at, &arm.row) {
                continue;
            }
            if let Some(guard) = &arm.guard
                && !self.condition(at, guard)?
            {
                continue;
            }
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
        subjects: &'a [(u32, Node)],
        row: &'a Row,
    ) -> Result<bool, Stop> {
        self.put_subjects(at, subjects)?;
        Ok(self.fits(at, row))
    }

    /// Evaluates what is to be matched.
    #[inline(always)]
    pub(super) fn put_subjects(
        &mut self,
        at: At<'a>,
        subjects: &'a [(u32, Node)],
    ) -> Result<(), Stop> {
        for (slot, subject) in subjects {
            let to = at.base + *slot as usize;
            let out = self.call_or_eval(at, subject, to)?;
            self.stack.put_out(to, out);
        }
        Ok(())
    }

    /// Whether what a row looks at is as it says; if so, binds.
    #[inline(always)]
    fn fits(&mut self, at: At<'a>, row: &'a Row) -> bool {
        self.seen(at, row.first)
            && row.more.as_ref().is_none_or(|more| self.more_fits(at, more))
    }

    /// Whether a value is what is asked at a glance.
    #[inline(always)]
    fn seen(&self, at: At<'a>, glance: Glance) -> bool {
        match glance {
            Glance::Anything => true,
            Glance::Empty(slot) => {
                let value = &self.stack[at.base + slot as usize];
                matches!(value, Value::List(list) if list.is_empty())
            }
            Glance::NotEmpty(slot) => {
                let value = &self.stack[at.base + slot as usize];
                matches!(value, Value::List(list) if !list.is_empty())
            }
            Glance::Ctor(slot, ctor) => {
                let value = &self.stack[at.base + slot as usize];
                matches!(value, Value::Data(it, _) if *it == ctor)
            }
        }
    }

    #[inline(never)]
    fn more_fits(&mut self, at: At<'a>, more: &'a More) -> bool {
        more.tests.iter().all(|test| match test {
            Test::Glance(glance) => self.seen(at, *glance),
            Test::Is(path, check) => self.is(at, path, *check),
            Test::AnyOf(rows) => self.any_fits(at, rows),
        }) && more.binds.iter().all(|bind| self.bind(at, bind))
    }

    #[inline(never)]
    fn any_fits(&mut self, at: At<'a>, rows: &'a [Row]) -> bool {
        rows.iter().any(|row| self.fits(at, row))
    }

    /// Binds a local. The part is there: the tests were passed.
    #[inline(never)]
    fn bind(&mut self, at: At<'a>, Bind { path, slot }: &Bind) -> bool {
        let value = match part(&self.stack[at.base + path.slot as usize], &path.steps) {
            Some(Part::Value(value)) => value.clone(),
            Some(Part::Rest(list)) => Value::List(list.clone()),
            None => return false,
        };
        self.stack.put(at.base + *slot as usize, || value);
        true
    }

    #[inline(never)]
    fn is(&self, at: At<'a>, path: &Path, check: Check) -> bool {
        let value = &self.stack[at.base + path.slot as usize];
        let Some(part) = part(value, &path.steps) else { return false };
        match check {
            Check::Ctor(ctor) => part.ctor() == Some(ctor),
            Check::Length(len) => part.list().is_some_and(|list| list.len() == u64::from(len)),
            Check::AtLeast(len) => part.list().is_some_and(|list| list.len() >= u64::from(len)),
            Check::Literal(pattern) => self.is_literal(at, part, pattern),
        }
    }

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
