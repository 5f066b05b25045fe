//! Deep and infinite recursion.

use gainsay_core::builtin::{EQ, INT_ADD, INT_SUB};
use gainsay_core::{FunctionId, Literal, Pattern, RestPattern, Term};
use gainsay_vm::{FaultKind, Limits, NoEffects, Value, order, run_on_big_stack, show};

use crate::builder::{BOOL, BodyBuilder, INT, ProgramBuilder, SOME};

/// `n == 0`, as a term.
fn is_zero(d: &mut BodyBuilder) -> gainsay_core::TermId {
    let (n, zero) = (d.local(0), d.int(0));
    d.builtin(EQ, &[n, zero])
}

fn n_minus_one(d: &mut BodyBuilder) -> gainsay_core::TermId {
    let (n, one) = (d.local(0), d.int(1));
    d.builtin(INT_SUB, &[n, one])
}

/// `fn f(n) { if n == 0 { 0 } else { 1 + f(n - 1) } }`
fn deep(b: &mut ProgramBuilder) -> FunctionId {
    let f = b.next();
    b.function("deep", &[("n", INT)], INT, |d| {
        let (zero, condition, less) = (d.int(0), is_zero(d), n_minus_one(d));
        let (one, inner) = (d.int(1), d.call(f, &[less]));
        let sum = d.builtin(INT_ADD, &[one, inner]);
        d.if_(condition, zero, sum)
    })
}

const ENDLESS: Limits = Limits { steps: u64::MAX, ..Limits::UNLIMITED_STEPS };

#[test]
fn tail_calls_take_no_stack() {
    let mut b = ProgramBuilder::new();
    let f = b.next();
    b.function("loop", &[("n", INT), ("acc", INT)], INT, |d| {
        let (condition, less) = (is_zero(d), n_minus_one(d));
        let (acc, n) = (d.local(1), d.local(0));
        let sum = d.builtin(INT_ADD, &[acc, n]);
        let again = d.call(f, &[less, sum]);
        let done = d.local(1);
        d.if_(condition, done, again)
    });
    let n = 10_000_000;
    let limits = Limits { depth: 1, ..ENDLESS };
    let outcome = b.run_with(f, &[Value::Int(n), Value::Int(0)], limits, &mut NoEffects);
    assert_eq!(outcome.result.unwrap().as_int(), Some(n * (n + 1) / 2));
    assert_eq!(outcome.steps, n as u64 + 1);
}

#[test]
fn mutual_tail_calls_take_no_stack() {
    let mut b = ProgramBuilder::new();
    let even = b.next();
    let odd = FunctionId(even.0 + 1);
    for (name, other, at_zero) in [("even", odd, true), ("odd", even, false)] {
        b.function(name, &[("n", INT)], BOOL, |d| {
            let (condition, less) = (is_zero(d), n_minus_one(d));
            let (done, again) = (d.literal(Literal::Bool(at_zero)), d.call(other, &[less]));
            d.if_(condition, done, again)
        });
    }
    let limits = Limits { depth: 1, ..ENDLESS };
    let outcome = b.run_with(even, &[Value::Int(1_000_001)], limits, &mut NoEffects);
    assert_eq!(outcome.result.unwrap().as_bool(), Some(false));
}

#[test]
fn deep_recursion_works_and_then_faults() {
    run_on_big_stack(|| {
        let mut b = ProgramBuilder::new();
        let f = deep(&mut b);
        let n = if cfg!(debug_assertions) { 300_000 } else { 999_999 };
        let mut worker = b.engine().worker(ENDLESS);
        let outcome = worker.call(f, &[Value::Int(n)], &mut NoEffects);
        assert_eq!(outcome.result.unwrap().as_int(), Some(n));
        let fault = worker.call(f, &[Value::Int(100_000_000)], &mut NoEffects);
        let fault = fault.result.unwrap_err();
        assert_eq!(fault.kind, FaultKind::DepthLimit);
        assert_eq!(fault.call_stack.inner().len(), 16);
        assert_eq!(fault.call_stack.outer().count(), 16);
        assert!(fault.call_stack.depth() > n as u64);
    });
}

#[test]
fn a_small_stack_is_a_fault_too() {
    let mut b = ProgramBuilder::new();
    let f = deep(&mut b);
    let outcome = b.run_with(f, &[Value::Int(500_000)], ENDLESS, &mut NoEffects);
    assert_eq!(outcome.result.unwrap_err().kind, FaultKind::DepthLimit);
}

#[test]
fn deep_values_are_dropped_compared_and_printed() {
    let nest = |n: i64| (0..n).fold(Value::Int(0), |inner, _| Value::data(SOME, vec![inner]));
    let nest_lists = |n: i64| (0..n).fold(Value::Int(0), |inner, _| Value::list([inner]));
    let b = ProgramBuilder::new();
    let (value, other) = (nest(1_000_000), nest(1_000_000));
    assert!(order(&value, &other).is_eq());
    assert_eq!(show(&b.program, &value).len(), 6_000_001);
    drop(value);
    let lists = nest_lists(1_000_000);
    assert!(order(&lists, &nest_lists(1_000_000)).is_eq());
    drop(lists);
    let before = gainsay_vm::live_bytes();
    let long = Value::list((0..1_000_000).map(Value::Int));
    assert!(gainsay_vm::live_bytes() > before + 1_000_000);
    drop(long);
    drop(other);
    assert!(gainsay_vm::live_bytes() <= before);
}

#[test]
fn lists_are_taken_apart_by_patterns() {
    let mut b = ProgramBuilder::new();
    let ints = b.ty(gainsay_core::Ty::List(INT));
    let f = b.next();
    b.function("sum", &[("xs", ints), ("acc", INT)], INT, |d| {
        let head = d.body.add_local("x", INT, crate::builder::span(0));
        let tail = d.body.add_local("rest", ints, crate::builder::span(0));
        let empty = d.pattern(Pattern::List(Box::default(), RestPattern::Nothing));
        let (bind_head, bind_tail) =
            (d.pattern(Pattern::Bind(head)), d.pattern(Pattern::Bind(tail)));
        let cons =
            d.pattern(Pattern::List(Box::new([bind_head]), RestPattern::Some(bind_tail)));
        let (xs, done) = (d.local(0), d.local(1));
        let (acc, x, rest) = (d.local(1), d.local(2), d.local(3));
        let sum = d.builtin(INT_ADD, &[acc, x]);
        let again = d.call(f, &[rest, sum]);
        let arm =
            |pattern, body| gainsay_core::Arm { pattern, weight: None, guard: None, body };
        d.add(Term::Match {
            scrutinee: xs,
            arms: Box::new([arm(empty, done), arm(cons, again)]),
        })
    });
    let list = Value::list((1..=100_000).map(Value::Int));
    assert_eq!(b.value(f, &[list, Value::Int(0)]).as_int(), Some(5_000_050_000));
}

/// `n + (n + (n + ..))` and `((.. + n) + n) + n`, deeper than the parser allows.
#[test]
fn terms_that_nest_deeply_are_made_ready_and_run() {
    let depth = 2_000;
    let mut b = ProgramBuilder::new();
    let right = b.function("right", &[("n", INT)], INT, |d| {
        let start = d.local(0);
        (0..depth).fold(start, |sum, _| {
            let n = d.local(0);
            d.builtin(INT_ADD, &[n, sum])
        })
    });
    let left = b.function("left", &[("n", INT)], INT, |d| {
        let start = d.local(0);
        (0..depth).fold(start, |sum, _| {
            let n = d.local(0);
            d.builtin(INT_ADD, &[sum, n])
        })
    });
    let ladder = b.function("ladder", &[("n", INT)], INT, |d| {
        let end = d.int(-1);
        (0..depth).fold(end, |otherwise, at| {
            let (n, at, found) = (d.local(0), d.int(at), d.int(at));
            let condition = d.builtin(EQ, &[n, at]);
            d.if_(condition, found, otherwise)
        })
    });
    let mut worker = b.engine().worker(ENDLESS);
    for (function, n, expected) in
        [(right, 3, 3 * (depth + 1)), (left, 3, 3 * (depth + 1)), (ladder, 7, 7)]
    {
        let result = worker.call(function, &[Value::Int(n)], &mut NoEffects).result;
        assert_eq!(result.unwrap().as_int(), Some(expected));
    }
}
