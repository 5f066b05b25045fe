//! Range analysis from conditions, at the edges of the small integers.

use std::sync::Arc;

use gainsay_core::builtin::{
    BOOL_NOT, EQ, GE, GT, INT_ADD, INT_DIV, INT_MUL, INT_NEG, INT_REM, INT_SUB, LE, LT,
};
use gainsay_core::{BuiltinId, FunctionId, Program, Term, TermId};
use gainsay_vm::{Limits, NoEffects, Value};

use crate::builder::{BodyBuilder, INT, ProgramBuilder};
use crate::jit_faults::{assert_same_outcome, low_limits, workers};

/// The greatest small integer.
const MAX_SMALL: i64 = (1 << 62) - 1;

const EDGES: [i64; 17] = [
    0,
    1,
    -1,
    2,
    -2,
    7,
    -8,
    1 << 61,
    MAX_SMALL - 2,
    MAX_SMALL - 1,
    MAX_SMALL,
    MAX_SMALL + 1,
    -MAX_SMALL - 2,
    -MAX_SMALL - 1,
    -MAX_SMALL,
    i64::MAX,
    i64::MIN,
];

/// `a ? b` of a local and a number.
fn with(d: &mut BodyBuilder, builtin: BuiltinId, local: u32, number: i64) -> TermId {
    let (a, b) = (d.local(local), d.int(number));
    d.builtin(builtin, &[a, b])
}

/// The same of two locals.
fn both(d: &mut BodyBuilder, builtin: BuiltinId, a: u32, b: u32) -> TermId {
    let (a, b) = (d.local(a), d.local(b));
    d.builtin(builtin, &[a, b])
}

/// ```text
/// fn span(n, lo, hi) {
///   if n == 0 || lo + 1 >= hi { 0 } else { span(n - 1, lo + 1, hi - 1) + span(n / 2, hi - 1, lo) }
/// }
/// ```
fn span(b: &mut ProgramBuilder) -> FunctionId {
    let span = b.next();
    b.function("span", &[("n", INT), ("lo", INT), ("hi", INT)], INT, |d| {
        let (is_done, more, hi) = (with(d, EQ, 0, 0), with(d, INT_ADD, 1, 1), d.local(2));
        let is_close = d.builtin(GE, &[more, hi]);
        let condition = d.add(Term::Or(is_done, is_close));
        let args = [with(d, INT_SUB, 0, 1), with(d, INT_ADD, 1, 1), with(d, INT_SUB, 2, 1)];
        let left = d.call(span, &args);
        let args = [with(d, INT_DIV, 0, 2), with(d, INT_SUB, 2, 1), d.local(1)];
        let right = d.call(span, &args);
        let (none, sum) = (d.int(0), d.builtin(INT_ADD, &[left, right]));
        d.if_(condition, none, sum)
    })
}

/// ```text
/// fn turn(n, x, y) {
///   if n <= 0 { x - y }
///   else if !(x < y) { turn(n - 1, y - 1, x + 1) + 1 }
///   else if x > 2 { turn(n - 2, x / 2, y / 4) - y % 5 }
///   else { -turn(n - 1, 1 - x, y * 2) }
/// }
/// ```
fn turn(b: &mut ProgramBuilder) -> FunctionId {
    let turn = b.next();
    b.function("turn", &[("n", INT), ("x", INT), ("y", INT)], INT, |d| {
        let args = [with(d, INT_SUB, 0, 1), with(d, INT_SUB, 2, 1), with(d, INT_ADD, 1, 1)];
        let (call, one) = (d.call(turn, &args), d.int(1));
        let swapped = d.builtin(INT_ADD, &[call, one]);
        let args = [with(d, INT_SUB, 0, 2), with(d, INT_DIV, 1, 2), with(d, INT_DIV, 2, 4)];
        let (call, rest) = (d.call(turn, &args), with(d, INT_REM, 2, 5));
        let halved = d.builtin(INT_SUB, &[call, rest]);
        let (one, x) = (d.int(1), d.local(1));
        let opposite = d.builtin(INT_SUB, &[one, x]);
        let args = [with(d, INT_SUB, 0, 1), opposite, with(d, INT_MUL, 2, 2)];
        let call = d.call(turn, &args);
        let negated = d.builtin(INT_NEG, &[call]);
        let is_more = with(d, GT, 1, 2);
        let inner = d.if_(is_more, halved, negated);
        let is_less = both(d, LT, 1, 2);
        let is_not = d.builtin(BOOL_NOT, &[is_less]);
        let outer = d.if_(is_not, swapped, inner);
        let (is_done, difference) = (with(d, LE, 0, 0), both(d, INT_SUB, 1, 2));
        d.if_(is_done, difference, outer)
    })
}

/// ```text
/// fn walk(n, x, y) {
///   if n == 0 { x / 2 - y / 2305843009213693952 }
///   else if x < y { walk(n - 1, x + 1, y - 1) }
///   else if x == y { walk(n - 1, -x, y / x) }
///   else { walk(n - 1, x - 3, y + 2) }
/// }
/// ```
fn walk(b: &mut ProgramBuilder) -> FunctionId {
    let walk = b.next();
    b.function("walk", &[("n", INT), ("x", INT), ("y", INT)], INT, |d| {
        let args = [with(d, INT_SUB, 0, 1), with(d, INT_ADD, 1, 1), with(d, INT_SUB, 2, 1)];
        let nearer = d.call(walk, &args);
        let x = d.local(1);
        let args = [with(d, INT_SUB, 0, 1), d.builtin(INT_NEG, &[x]), both(d, INT_DIV, 2, 1)];
        let same = d.call(walk, &args);
        let args = [with(d, INT_SUB, 0, 1), with(d, INT_SUB, 1, 3), with(d, INT_ADD, 2, 2)];
        let further = d.call(walk, &args);
        let is_same = both(d, EQ, 1, 2);
        let inner = d.if_(is_same, same, further);
        let is_less = both(d, LT, 1, 2);
        let outer = d.if_(is_less, nearer, inner);
        let (half, part) = (with(d, INT_DIV, 1, 2), with(d, INT_DIV, 2, 1 << 61));
        let (is_done, end) = (with(d, EQ, 0, 0), d.builtin(INT_SUB, &[half, part]));
        d.if_(is_done, end, outer)
    })
}

type MakeRangeFunction = fn(&mut ProgramBuilder) -> FunctionId;

fn programs() -> Vec<(&'static str, Arc<Program>, FunctionId)> {
    let makers: [(&str, MakeRangeFunction); 3] =
        [("span", span), ("turn", turn), ("walk", walk)];
    let program = |(name, make): (_, MakeRangeFunction)| {
        let mut b = ProgramBuilder::new();
        let main = make(&mut b);
        (name, Arc::new(b.program), main)
    };
    makers.into_iter().map(program).collect()
}

#[test]
fn what_is_known_holds_at_the_edges() {
    for (name, program, main) in programs() {
        let mut workers = workers(&program, Limits::default());
        for n in [0, 1, 2, 5] {
            for (x, y) in EDGES.iter().flat_map(|x| EDGES.map(|y| (*x, y))) {
                let args = [n, x, y].map(Value::Int);
                let outcomes =
                    workers.each_mut().map(|it| it.call(main, &args, &mut NoEffects));
                assert_same_outcome(&program, outcomes, &format!("{name} {n} {x} {y}"));
            }
        }
    }
}

#[test]
fn limits_are_met_at_the_same_place() {
    let limits = low_limits(40);
    for (name, program, main) in programs() {
        let mut workers = workers(&program, Limits::default());
        for limits in &limits {
            workers.iter_mut().for_each(|it| it.set_limits(*limits));
            for (x, y) in
                [(0, 9), (9, 0), (MAX_SMALL - 3, MAX_SMALL + 1), (-MAX_SMALL - 1, MAX_SMALL)]
            {
                let args = [5, x, y].map(Value::Int);
                let outcomes =
                    workers.each_mut().map(|it| it.call(main, &args, &mut NoEffects));
                assert_same_outcome(&program, outcomes, &format!("{name} {x} {y} {limits:?}"));
            }
        }
    }
}
