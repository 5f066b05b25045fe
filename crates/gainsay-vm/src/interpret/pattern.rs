//! Pattern matching: tests values against flat patterns and binds locals.

use gainsay_core::{CtorId, Literal, Pattern, PatternId};

use super::node_code::{
    CodeNode, FlatPattern, FlatPatternRest, MatchCode, PartPath, PartStep, PatternCheck,
    PatternTest, ShallowTest, SlotBinding,
};
use super::{FrameRef, Interpreter, Unwind};
use crate::fault::FaultKind;
use crate::value::{List, Value};

impl<'a> Interpreter<'a> {
    /// The body of the first arm that matches and whose guard holds. The subjects are in their
    /// slots.
    #[inline(never)]
    pub(super) fn select_arm(
        &mut self,
        at: FrameRef<'a>,
        node: &'a CodeNode,
        match_: &'a MatchCode,
    ) -> Result<&'a CodeNode, Unwind> {
        for arm in &match_.arms {
            if !self.matches_pattern(at, &arm.row) {
                continue;
            }
            if let Some(guard) = &arm.guard
                // The names are bound by now, because the guard may use them; the next arm
                // overwrites them.
                && !self.eval_condition(at, guard)?
            {
                continue;
            }
            return Ok(&arm.body);
        }
        let kind = FaultKind::Unsupported("a match without a matching arm");
        Err(self.fault(at, node, kind))
    }

    /// Evaluates a `let` with a pattern; returns whether it matches.
    #[inline(never)]
    pub(super) fn let_(
        &mut self,
        at: FrameRef<'a>,
        subjects: &'a [(u32, CodeNode)],
        row: &'a FlatPattern,
    ) -> Result<bool, Unwind> {
        self.eval_subjects(at, subjects)?;
        Ok(self.matches_pattern(at, row))
    }

    /// Evaluates the match subjects.
    #[inline(always)]
    pub(super) fn eval_subjects(
        &mut self,
        at: FrameRef<'a>,
        subjects: &'a [(u32, CodeNode)],
    ) -> Result<(), Unwind> {
        for (slot, subject) in subjects {
            let to = at.base + *slot as usize;
            let out = self.call_or_eval(at, subject, to)?;
            self.stack.put_output(to, out);
        }
        Ok(())
    }

    /// Tests a flat pattern and, if it matches, makes its bindings.
    #[inline(always)]
    fn matches_pattern(&mut self, at: FrameRef<'a>, row: &'a FlatPattern) -> bool {
        self.passes_shallow_test(at, row.shallow_test)
            && row.rest.as_ref().is_none_or(|more| self.matches_rest(at, more))
    }

    /// Runs a shallow test.
    #[inline(always)]
    fn passes_shallow_test(&self, at: FrameRef<'a>, glance: ShallowTest) -> bool {
        match glance {
            ShallowTest::Always => true,
            ShallowTest::Empty(slot) => {
                let value = &self.stack[at.base + slot as usize];
                matches!(value, Value::List(list) if list.is_empty())
            }
            ShallowTest::NotEmpty(slot) => {
                let value = &self.stack[at.base + slot as usize];
                matches!(value, Value::List(list) if !list.is_empty())
            }
            ShallowTest::Ctor(slot, ctor) => {
                let value = &self.stack[at.base + slot as usize];
                matches!(value, Value::Data(it, _) if *it == ctor)
            }
        }
    }

    #[inline(never)]
    fn matches_rest(&mut self, at: FrameRef<'a>, more: &'a FlatPatternRest) -> bool {
        more.tests.iter().all(|test| match test {
            PatternTest::Shallow(glance) => self.passes_shallow_test(at, *glance),
            PatternTest::PathCheck(path, check) => self.passes_check(at, path, *check),
            PatternTest::AnyOf(rows) => self.matches_any(at, rows),
            // Only once all tests have passed, so that the parts to bind exist.
        }) && more.binds.iter().all(|bind| self.bind(at, bind))
    }

    #[inline(never)]
    fn matches_any(&mut self, at: FrameRef<'a>, rows: &'a [FlatPattern]) -> bool {
        // No backtracking: the tests after it do not depend on which alternative matched.
        rows.iter().any(|row| self.matches_pattern(at, row))
    }

    /// Binds a local. The tests have passed, so the part exists.
    #[inline(never)]
    fn bind(&mut self, at: FrameRef<'a>, SlotBinding { path, slot }: &SlotBinding) -> bool {
        let value = match part_at(&self.stack[at.base + path.slot as usize], &path.steps) {
            Some(MatchedPart::Value(value)) => value.clone(),
            Some(MatchedPart::Rest(list)) => Value::List(list.clone()),
            None => return false,
        };
        self.stack.put(at.base + *slot as usize, || value);
        true
    }

    #[inline(never)]
    fn passes_check(&self, at: FrameRef<'a>, path: &PartPath, check: PatternCheck) -> bool {
        let value = &self.stack[at.base + path.slot as usize];
        let Some(part) = part_at(value, &path.steps) else { return false };
        match check {
            PatternCheck::Ctor(ctor) => part.ctor() == Some(ctor),
            PatternCheck::Length(len) => {
                part.list().is_some_and(|list| list.len() == u64::from(len))
            }
            PatternCheck::MinLength(len) => {
                part.list().is_some_and(|list| list.len() >= u64::from(len))
            }
            PatternCheck::Literal(pattern) => self.is_literal(at, part, pattern),
        }
    }

    fn is_literal(&self, at: FrameRef<'a>, part: MatchedPart<'_>, pattern: PatternId) -> bool {
        let pattern = self.program.function(at.code.id).body.pattern(pattern);
        match (pattern, part) {
            (Pattern::Literal(literal), MatchedPart::Value(value)) => {
                literal_matches(literal, value)
            }
            _ => false,
        }
    }
}

/// A part of a value: a value, or a tail of a list, which is not stored as a `Value`.
#[derive(Copy, Clone)]
enum MatchedPart<'v> {
    Value(&'v Value),
    Rest(&'v List),
}

impl<'v> MatchedPart<'v> {
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

/// Follows a path from a value to one of its parts.
#[inline(always)]
fn part_at<'v>(value: &'v Value, steps: &[PartStep]) -> Option<MatchedPart<'v>> {
    let mut part = MatchedPart::Value(value);
    for step in steps {
        part = follow_step(part, *step)?;
    }
    Some(part)
}

#[inline]
fn follow_step(part: MatchedPart<'_>, step: PartStep) -> Option<MatchedPart<'_>> {
    match step {
        PartStep::Field(index) => match part {
            MatchedPart::Value(value) => {
                Some(MatchedPart::Value(value.fields().get(index as usize)?))
            }
            MatchedPart::Rest(_) => None,
        },
        // Walks the list from the front for each element; patterns are short.
        PartStep::Item(index) => {
            Some(MatchedPart::Value(list_tail(part.list()?, index)?.split_first()?.0))
        }
        PartStep::ListTail(count) => Some(MatchedPart::Rest(list_tail(part.list()?, count)?)),
    }
}

#[inline]
fn list_tail(mut list: &List, count: u32) -> Option<&List> {
    for _ in 0..count {
        list = list.split_first()?.1;
    }
    Some(list)
}

fn literal_matches(literal: &Literal, value: &Value) -> bool {
    match (literal, value) {
        (Literal::Int(a), Value::Int(b)) => a == b,
        (Literal::Big(a), Value::Big(b)) => **a == *b.get(),
        // By IEEE 754, like `==`: NaN matches nothing, and both zeros match each other.
        (Literal::Float(a), Value::Float(b)) => a == b,
        (Literal::Bool(a), Value::Bool(b)) => a == b,
        (Literal::Char(a), Value::Char(b)) => a == b,
        (Literal::Str(a), Value::Str(b)) => **a == *b.as_str(),
        _ => false,
    }
}
