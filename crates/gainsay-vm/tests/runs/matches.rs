//! Matches: tuples that are never built, aliases of parts, and guards that fail.

use gainsay_core::builtin::{EQ, INT_ADD, INT_MUL, LIST_LEN};
use gainsay_core::{
    Arm, Literal, LocalId, Pattern, PatternId, RestPattern, Statement, Term, TermId,
};
use gainsay_vm::{Limits, NoEffects, Value};

use crate::builder::{BodyBuilder, INT, ProgramBuilder, SOME, span};

fn arm(pattern: PatternId, body: TermId) -> Arm {
    Arm { pattern, weight: None, guard: None, body }
}

fn match_(d: &mut BodyBuilder, scrutinee: TermId, arms: &[Arm]) -> TermId {
    d.add(Term::Match { scrutinee, arms: arms.into() })
}

fn bound(d: &mut BodyBuilder, name: &str) -> (LocalId, PatternId) {
    let local = d.body.add_local(name, INT, span(0));
    (local, d.pattern(Pattern::Bind(local)))
}

fn literal(d: &mut BodyBuilder, int: i64) -> PatternId {
    d.pattern(Pattern::Literal(Literal::Int(int)))
}

fn wildcard(d: &mut BodyBuilder) -> PatternId {
    d.pattern(Pattern::Wildcard)
}

/// `[x, ..rest]`.
fn cons(d: &mut BodyBuilder, item: PatternId, rest: PatternId) -> PatternId {
    d.pattern(Pattern::List(Box::new([item]), RestPattern::Some(rest)))
}

/// `match (x, y) { (0, _) | (_, 0) => 0, (a, b) => a * b }` builds no tuple.
#[test]
fn a_tuple_that_is_taken_apart_is_never_made() {
    let mut b = ProgramBuilder::new();
    let f = b.function("product", &[("x", INT), ("y", INT)], INT, |d| {
        let (x, y) = (d.local(0), d.local(1));
        let tuple = d.tuple(&[x, y]);
        let (zero, any) = (literal(d, 0), wildcard(d));
        let left = d.pattern(Pattern::Tuple(Box::new([zero, any])));
        let right = d.pattern(Pattern::Tuple(Box::new([any, zero])));
        let either = d.pattern(Pattern::Or(Box::new([left, right])));
        let ((m, bind_m), (n, bind_n)) = (bound(d, "m"), bound(d, "n"));
        let both = d.pattern(Pattern::Tuple(Box::new([bind_m, bind_n])));
        let (m, n) = (d.local(m.0), d.local(n.0));
        let (none, product) = (d.int(0), d.builtin(INT_MUL, &[m, n]));
        match_(d, tuple, &[arm(either, none), arm(both, product)])
    });
    let mut worker = b.engine().worker(Limits::default());
    for (x, y) in [(0, 5), (5, 0), (6, 7)] {
        let args = [Value::Int(x), Value::Int(y)];
        let outcome = worker.call(f, &args, &mut NoEffects);
        assert_eq!(outcome.result.unwrap().as_int(), Some(x * y));
        assert_eq!(outcome.words, 0);
    }
}

/// `match (x, y) { pair => pair }` builds one, and so does such a pattern among others.
#[test]
fn a_tuple_with_a_name_is_made() {
    let mut b = ProgramBuilder::new();
    let f = b.function("pair", &[("x", INT), ("y", INT)], INT, |d| {
        let (x, y) = (d.local(0), d.local(1));
        let tuple = d.tuple(&[x, y]);
        let (pair, bind_pair) = bound(d, "pair");
        let pair = d.local(pair.0);
        match_(d, tuple, &[arm(bind_pair, pair)])
    });
    let outcome = b.run(f, &[Value::Int(1), Value::Int(2)]);
    assert_eq!(outcome.result.unwrap().fields().len(), 2);
    assert_eq!(outcome.words, 3);
}

/// `let (a, b) = (y, x); a * 10 + b` builds none.
#[test]
fn a_let_of_a_tuple_makes_none() {
    let mut b = ProgramBuilder::new();
    let f = b.function("swapped", &[("x", INT), ("y", INT)], INT, |d| {
        let (y, x) = (d.local(1), d.local(0));
        let tuple = d.tuple(&[y, x]);
        let ((m, bind_m), (n, bind_n)) = (bound(d, "m"), bound(d, "n"));
        let pattern = d.pattern(Pattern::Tuple(Box::new([bind_m, bind_n])));
        let (m, ten) = (d.local(m.0), d.int(10));
        let tens = d.builtin(INT_MUL, &[m, ten]);
        let n = d.local(n.0);
        let sum = d.builtin(INT_ADD, &[tens, n]);
        d.block(vec![Statement::Let(pattern, tuple)], sum)
    });
    let outcome = b.run(f, &[Value::Int(1), Value::Int(2)]);
    assert_eq!((outcome.result.unwrap().as_int(), outcome.words), (Some(21), 0));
}

/// `match (s, Some(s)) { (a, _) => a }`: the second part is the last use of `s`, but patterns
/// inspect it later.
#[test]
fn a_local_among_the_parts_is_still_there() {
    let mut b = ProgramBuilder::new();
    let f = b.function("first", &[("s", INT)], INT, |d| {
        let (s, again) = (d.local(0), d.local(0));
        let some = d.construct(SOME, &[again]);
        let tuple = d.tuple(&[s, some]);
        let ((first, bind_first), any) = (bound(d, "first"), wildcard(d));
        let pattern = d.pattern(Pattern::Tuple(Box::new([bind_first, any])));
        let first = d.local(first.0);
        match_(d, tuple, &[arm(pattern, first)])
    });
    assert_eq!(b.value(f, &[Value::str("text")]).as_str(), Some("text"));
}

/// `match xs { [x, ..] if len(xs) == 1 => x, [_, ..rest] => len(rest), _ => -1 }`: the guard is the
/// last use of `xs`, but later arms still inspect it.
#[test]
fn what_a_failing_guard_used_is_still_there() {
    let mut b = ProgramBuilder::new();
    let f = b.function("f", &[("xs", INT)], INT, |d| {
        let scrutinee = d.local(0);
        let ((x, bind_x), (rest, bind_rest)) = (bound(d, "x"), bound(d, "rest"));
        let any = wildcard(d);
        let (first, second) = (cons(d, bind_x, any), cons(d, any, bind_rest));
        let (xs, one) = (d.local(0), d.int(1));
        let len = d.builtin(LIST_LEN, &[xs]);
        let guard = d.builtin(EQ, &[len, one]);
        let (x, rest) = (d.local(x.0), d.local(rest.0));
        let (len, none) = (d.builtin(LIST_LEN, &[rest]), d.int(-1));
        let guarded = Arm { pattern: first, weight: None, guard: Some(guard), body: x };
        match_(d, scrutinee, &[guarded, arm(second, len), arm(any, none)])
    });
    let mut worker = b.engine().worker(Limits::default());
    for (items, expected) in [(vec![], -1), (vec![7], 7), (vec![7, 8, 9], 2)] {
        let list = Value::list(items.into_iter().map(Value::Int));
        let result = worker.call(f, &[list], &mut NoEffects).result;
        assert_eq!(result.unwrap().as_int(), Some(expected));
    }
}

/// `match xs { [x, ..rest] => match rest { [y, ..more] => [y, x, ..more], _ => xs }, _ => xs }`:
/// parts of parts, and the whole after its parts.
#[test]
fn parts_and_the_whole_are_used_in_any_order() {
    let mut b = ProgramBuilder::new();
    let f = b.function("swap", &[("xs", INT)], INT, |d| {
        let scrutinee = d.local(0);
        let ((x, bind_x), (rest, bind_rest)) = (bound(d, "x"), bound(d, "rest"));
        let ((y, bind_y), (more, bind_more)) = (bound(d, "y"), bound(d, "more"));
        let outer = cons(d, bind_x, bind_rest);
        let inner = cons(d, bind_y, bind_more);
        let any = wildcard(d);
        let rest = d.local(rest.0);
        let (y, x, more) = (d.local(y.0), d.local(x.0), d.local(more.0));
        let swapped = d.list(&[y, x], Some(more));
        let same = d.local(0);
        let body = match_(d, rest, &[arm(inner, swapped), arm(any, same)]);
        let same = d.local(0);
        match_(d, scrutinee, &[arm(outer, body), arm(any, same)])
    });
    let mut worker = b.engine().worker(Limits::default());
    for (items, expected) in
        [(vec![], vec![]), (vec![1], vec![1]), (vec![1, 2, 3], vec![2, 1, 3])]
    {
        let list = Value::list(items.into_iter().map(Value::Int));
        let result = worker.call(f, &[list], &mut NoEffects).result.unwrap();
        let list = result.as_list().unwrap();
        assert_eq!(list.iter().filter_map(Value::as_int).collect::<Vec<i64>>(), expected);
    }
}

/// `match Some(x) { Some(y) => Some(Some(y)), _ => .. }`, many times: cells are reused without
/// losing their contents.
#[test]
fn cells_are_used_again() {
    let mut b = ProgramBuilder::new();
    let f = b.next();
    b.function("again", &[("n", INT), ("last", INT)], INT, |d| {
        let (n, zero) = (d.local(0), d.int(0));
        let done = d.builtin(EQ, &[n, zero]);
        let (y, bind_y) = bound(d, "y");
        let some = d.pattern(Pattern::Ctor(SOME, Box::new([bind_y])));
        let last = d.local(1);
        let scrutinee = d.construct(SOME, &[last]);
        let y = d.local(y.0);
        let inner = d.construct(SOME, &[y]);
        let (n, less) = (d.local(0), d.int(-1));
        let less = d.builtin(INT_ADD, &[n, less]);
        let again = d.call(f, &[less, inner]);
        let step = match_(d, scrutinee, &[arm(some, again)]);
        let last = d.local(1);
        d.if_(done, last, step)
    });
    let mut worker = b.engine().worker(Limits::default());
    for _ in 0..3 {
        let args = [Value::Int(100), Value::str("end")];
        let mut value = worker.call(f, &args, &mut NoEffects).result.unwrap();
        for _ in 0..100 {
            value = value.fields()[0].clone();
        }
        assert_eq!(value.as_str(), Some("end"));
    }
}
