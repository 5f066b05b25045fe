//! Tests of values that are drawn: what waits for a character or a float says which will do.

use gainsay_core::{BuiltinId, Comparison, builtin};
use gainsay_vm::Value;

use super::Run;
use super::goals::Goal;
use super::heap::{Cell, Ref};
use crate::code::Expr;

impl Run<'_, '_> {
    /// The tests that wait for a character alone, and whether they are to hold.
    pub(super) fn tests_of(&self, it: Ref) -> Vec<(BuiltinId, bool)> {
        let Cell::Var(offset) = self.it.heap.cell(it) else { return Vec::new() };
        let goals = self.it.store.watchers(offset.var);
        let tests = goals.filter_map(|goal| {
            let (called, args, holds) = self.waiting_test(goal)?;
            (args.len() == 1).then_some((called, holds))
        });
        tests.collect()
    }

    /// Whether the character with a code passes tests.
    pub(super) fn passes(&self, tests: &[(BuiltinId, bool)], code: i64) -> bool {
        let char = u32::try_from(code).ok().and_then(char::from_u32);
        let Some(char) = char else { return tests.is_empty() };
        tests.iter().all(|(called, holds)| {
            let result =
                gainsay_vm::run_builtin(self.context.program, *called, &[Value::Char(char)]);
            matches!(result, Some(Value::Bool(it)) if it == *holds)
        })
    }

    /// A builtin that waits with a known result, and its arguments.
    fn waiting_test(&self, goal: u32) -> Option<(BuiltinId, &[Ref], bool)> {
        if self.it.is_done[goal as usize] {
            return None;
        }
        let Goal::Test { call, args, result } = self.it.goals[goal as usize] else {
            return None;
        };
        let holds = self.known_bool(Some(result))?;
        let Expr::Builtin(call) = self.context.code.expr(call) else { return None };
        Some((call.builtin, self.it.heap.parts(args), holds))
    }

    /// A float that was drawn, or one between the bounds that it is compared with.
    pub(super) fn float_within(&mut self, it: Ref, drawn: f64) -> f64 {
        let (lo, hi) = self.float_bounds(it);
        if (lo..=hi).contains(&drawn) || lo > hi || (lo == f64::MIN && hi == f64::MAX) {
            return drawn;
        }
        // Where in the range: at its ends now and then, because bounds are where bugs are.
        const PARTS: i64 = 1_000;
        let part = self.context.chooser.integer(Some(0), Some(PARTS)) as f64 / PARTS as f64;
        let size = if drawn.is_finite() { drawn.abs() } else { 1.0 };
        let value = match (lo == f64::MIN, hi == f64::MAX) {
            (false, true) => lo + size,
            (true, false) => hi - size,
            (_, _) => lo + (hi - lo) * part,
        };
        value.clamp(lo, hi)
    }

    /// The bounds that waiting comparisons with known floats set.
    fn float_bounds(&self, it: Ref) -> (f64, f64) {
        let (mut lo, mut hi) = (f64::MIN, f64::MAX);
        let at = self.it.heap.deref(it);
        let Cell::Unknown(id) = self.it.heap.cells[at.index()] else { return (lo, hi) };
        for goal in self.it.heap.watchers(id) {
            let Some((called, args, holds)) = self.waiting_test(goal) else { continue };
            let Some(comparison) = builtin::get(called).comparison else { continue };
            let [a, b] = args else { continue };
            let comparison = if holds { comparison } else { comparison.negated() };
            let (comparison, bound) = match (self.known_float(*a), self.known_float(*b)) {
                (None, Some(bound)) => (comparison, bound),
                (Some(bound), None) => (comparison.swapped(), bound),
                _ => continue,
            };
            match comparison {
                Comparison::Eq => (lo, hi) = (lo.max(bound), hi.min(bound)),
                Comparison::Ne => {}
                Comparison::Lt => hi = hi.min(bound.next_down()),
                Comparison::Le => hi = hi.min(bound),
                Comparison::Gt => lo = lo.max(bound.next_up()),
                Comparison::Ge => lo = lo.max(bound),
            }
        }
        (lo, hi)
    }

    fn known_float(&self, it: Ref) -> Option<f64> {
        let Cell::Opaque(at) = self.it.heap.cell(it) else { return None };
        match self.it.heap.opaque[at as usize] {
            Value::Float(float) => Some(float),
            _ => None,
        }
    }
}
