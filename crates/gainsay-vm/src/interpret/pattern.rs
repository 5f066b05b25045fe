//! Patterns: whether a value looks like one, and the locals it binds.

use gainsay_core::{Literal, Pattern, PatternId, RestPattern};

use super::code::Range;
use super::{At, Machine, Stop};
use crate::fault::FaultKind;
use crate::value::Value;

impl<'a> Machine<'a> {
    /// The body of the first arm that matches and whose guard holds.
    #[inline(never)]
    pub(super) fn arm(
        &mut self,
        at: At<'a>,
        node: u32,
        scrutinee: u32,
        arms: Range,
    ) -> Result<u32, Stop> {
        let value = self.operand(at, scrutinee)?;
        for arm in arms.of(&at.code.arms) {
            if !self.matches(at, arm.pattern, &value) {
                continue;
            }
            match arm.guard {
                Some(guard) if !self.condition(at, guard)? => {}
                Some(_) | None => return Ok(arm.body),
            }
        }
        Err(self.fault(at, node, FaultKind::Unsupported("a match without a matching arm")))
    }

    /// Whether a value matches; binds as it goes, and what was bound before a mismatch is
    /// never looked at.
    pub(super) fn matches(&mut self, at: At<'a>, pattern: PatternId, value: &Value) -> bool {
        let program = self.program;
        match program.function(at.code.id).body.pattern(pattern) {
            Pattern::Wildcard => true,
            Pattern::Bind(local) => {
                self.stack[at.base + local.index()] = value.clone();
                true
            }
            Pattern::Literal(literal) => literal_matches(literal, value),
            Pattern::Tuple(parts) => self.all_match(at, parts, value.fields()),
            Pattern::Ctor(ctor, parts) => {
                value.as_ctor() == Some(*ctor) && self.all_match(at, parts, value.fields())
            }
            Pattern::List(parts, rest) => self.list_matches(at, parts, *rest, value),
            Pattern::Or(alternatives) => {
                alternatives.iter().any(|alternative| self.matches(at, *alternative, value))
            }
        }
    }

    fn all_match(&mut self, at: At<'a>, parts: &[PatternId], values: &[Value]) -> bool {
        parts.len() == values.len()
            && parts.iter().zip(values).all(|(part, value)| self.matches(at, *part, value))
    }

    fn list_matches(
        &mut self,
        at: At<'a>,
        parts: &[PatternId],
        rest: RestPattern,
        value: &Value,
    ) -> bool {
        let Some(list) = value.as_list() else { return false };
        let n_parts = parts.len() as u64;
        match rest {
            RestPattern::Nothing if list.len() != n_parts => return false,
            RestPattern::Some(_) if list.len() < n_parts => return false,
            RestPattern::Nothing | RestPattern::Some(_) => {}
        }
        let mut items = list.iter();
        for part in parts {
            match items.next() {
                Some(item) if self.matches(at, *part, item) => {}
                Some(_) | None => return false,
            }
        }
        match rest {
            RestPattern::Nothing => true,
            RestPattern::Some(pattern) => self.matches(at, pattern, &Value::List(items.rest())),
        }
    }
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
