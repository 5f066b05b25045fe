//! Closure specialization: compiled code inlines known closures, without any other observable
//! effect.

use std::sync::Arc;

use gainsay_core::builtin::{EQ, GT, INT_ADD, INT_DIV, INT_MUL, INT_REM, INT_SUB};
use gainsay_core::{FunctionId, Program, Term, TermId};
use gainsay_vm::{
    Engine, EngineKind, Instrumentation, Limits, MutantId, NoEffects, ProbeOutcome, TermMutant,
    Value, show,
};

use crate::builder::{BOOL, BodyBuilder, INT, ProgramBuilder};
use crate::jit_faults::{assert_same_outcome, call_value, low_limits, workers};

type MakeSpecialized = fn(&mut ProgramBuilder) -> FunctionId;

/// `n == 0`, and `n - 1`.
fn counting(d: &mut BodyBuilder) -> (TermId, TermId) {
    let (n, zero) = (d.local(0), d.int(0));
    let is_done = d.builtin(EQ, &[n, zero]);
    let (n, one) = (d.local(0), d.int(1));
    (is_done, d.builtin(INT_SUB, &[n, one]))
}

/// `fn sum(n, f) { if n == 0 { 0 } else { f(n) + sum(n - 1, f) } }`
fn sum(b: &mut ProgramBuilder) -> FunctionId {
    let id = b.next();
    b.function("sum", &[("n", INT), ("f", INT)], INT, |d| {
        let (is_done, less) = counting(d);
        let (zero, f, n, g) = (d.int(0), d.local(1), d.local(0), d.local(1));
        let first = call_value(d, f, &[n]);
        let rest = d.call(id, &[less, g]);
        let both = d.builtin(INT_ADD, &[first, rest]);
        d.if_(is_done, zero, both)
    })
}

/// `fn repeat(n, f, x) { if n == 0 { x } else { repeat(n - 1, f, f(x)) } }`
fn repeat(b: &mut ProgramBuilder) -> FunctionId {
    let id = b.next();
    b.function("repeat", &[("n", INT), ("f", INT), ("x", INT)], INT, |d| {
        let (is_done, less) = counting(d);
        let (x, f, y, g) = (d.local(2), d.local(1), d.local(2), d.local(1));
        let next = call_value(d, f, &[y]);
        let again = d.call(id, &[less, g, next]);
        d.if_(is_done, x, again)
    })
}

/// ```text
/// fn keep(n, f) {
///   if n == 0 { [] } else if f(n) { [n, ..keep(n - 1, f)] } else { keep(n - 1, f) }
/// }
/// ```
fn keep(b: &mut ProgramBuilder) -> FunctionId {
    let id = b.next();
    b.function("keep", &[("n", INT), ("f", INT)], INT, |d| {
        let (is_done, less) = counting(d);
        let (none, f, n, g) = (d.list(&[], None), d.local(1), d.local(0), d.local(1));
        let is_wanted = call_value(d, f, &[n]);
        let (kept, rest) = (d.local(0), d.call(id, &[less, g]));
        let longer = d.list(&[kept], Some(rest));
        let (_, less) = counting(d);
        let h = d.local(1);
        let shorter = d.call(id, &[less, h]);
        let either = d.if_(is_wanted, longer, shorter);
        d.if_(is_done, none, either)
    })
}

/// `fn last(n, f) { if n == 0 { 0 } else { f(n) } }`
fn last(b: &mut ProgramBuilder) -> FunctionId {
    b.function("last", &[("n", INT), ("f", INT)], INT, |d| {
        let (is_done, _) = counting(d);
        let (zero, f, n) = (d.int(0), d.local(1), d.local(0));
        let result = call_value(d, f, &[n]);
        d.if_(is_done, zero, result)
    })
}

/// `fn twice(n, f) { sum(n, f) + last(n, f) }`
fn twice(b: &mut ProgramBuilder) -> FunctionId {
    let (sum, last) = (sum(b), last(b));
    b.function("twice", &[("n", INT), ("f", INT)], INT, |d| {
        let (n, f, m, g) = (d.local(0), d.local(1), d.local(0), d.local(1));
        let (first, second) = (d.call(sum, &[n, f]), d.call(last, &[m, g]));
        d.builtin(INT_ADD, &[first, second])
    })
}

/// `|x| x * k + k`
fn scale(b: &mut ProgramBuilder) -> FunctionId {
    b.function_with_captures("scale", 1, &[("k", INT), ("x", INT)], INT, |d| {
        let (x, k, again) = (d.local(1), d.local(0), d.local(0));
        let product = d.builtin(INT_MUL, &[x, k]);
        d.builtin(INT_ADD, &[product, again])
    })
}

/// `|x| 100 / (x - k)`
fn quotient(b: &mut ProgramBuilder) -> FunctionId {
    b.function_with_captures("quotient", 1, &[("k", INT), ("x", INT)], INT, |d| {
        let (hundred, x, k) = (d.int(100), d.local(1), d.local(0));
        let difference = d.builtin(INT_SUB, &[x, k]);
        d.builtin(INT_DIV, &[hundred, difference])
    })
}

/// `|x| x % k > 1 && x > k`
fn wanted(b: &mut ProgramBuilder) -> FunctionId {
    b.function_with_captures("wanted", 1, &[("k", INT), ("x", INT)], BOOL, |d| {
        let (x, k, one) = (d.local(1), d.local(0), d.int(1));
        let rest = d.builtin(INT_REM, &[x, k]);
        let is_more = d.builtin(GT, &[rest, one]);
        let (x, k) = (d.local(1), d.local(0));
        let is_above = d.builtin(GT, &[x, k]);
        d.add(Term::And(is_more, is_above))
    })
}

/// `fn main(n, k) { callee(n, |x| .., ..) }`
fn main_of(
    callee: MakeSpecialized,
    closure: MakeSpecialized,
    more: &[i64],
) -> (Arc<Program>, FunctionId) {
    let mut b = ProgramBuilder::new();
    let (callee, closure) = (callee(&mut b), closure(&mut b));
    let main = b.function("main", &[("n", INT), ("k", INT)], INT, |d| {
        let (n, k) = (d.local(0), d.local(1));
        let mut args = vec![n, d.closure(closure, &[k])];
        args.extend(more.iter().map(|it| d.int(*it)));
        d.call(callee, &args)
    });
    (Arc::new(b.program), main)
}

fn programs() -> Vec<(&'static str, Arc<Program>, FunctionId)> {
    let cases: [(&str, MakeSpecialized, MakeSpecialized, &[i64]); 9] = [
        ("sum scale", sum, scale, &[]),
        ("sum quotient", sum, quotient, &[]),
        ("repeat scale", repeat, scale, &[1]),
        ("repeat quotient", repeat, quotient, &[7]),
        ("keep wanted", keep, wanted, &[]),
        ("last scale", last, scale, &[]),
        ("last quotient", last, quotient, &[]),
        ("twice scale", twice, scale, &[]),
        ("twice quotient", twice, quotient, &[]),
    ];
    let make = |(name, callee, closure, more)| {
        let (program, main) = main_of(callee, closure, more);
        (name, program, main)
    };
    cases.into_iter().map(make).collect()
}

/// At whatever step, depth or word a run ends, both engines end there.
#[test]
fn every_limit_is_met_at_the_same_place() {
    let limits = low_limits(24);
    for (name, program, main) in programs() {
        let mut workers = workers(&program, Limits::default());
        for limits in &limits {
            workers.iter_mut().for_each(|it| it.set_limits(*limits));
            let args = [Value::Int(6), Value::Int(3)];
            let outcomes = workers.each_mut().map(|it| it.call(main, &args, &mut NoEffects));
            assert_same_outcome(&program, outcomes, &format!("{name} {limits:?}"));
        }
    }
}

/// Small integers and others.
#[test]
fn every_integer_is_computed_with() {
    let big = (1_i64 << 62) - 1;
    for (name, program, main) in programs() {
        let mut workers = workers(&program, Limits::default());
        for n in [0, 1, 5, 40] {
            for k in [0, 1, 2, -3, 1 << 31, big, -big - 1, i64::MAX, i64::MIN] {
                let args = [Value::Int(n), Value::Int(k)];
                let outcomes =
                    workers.each_mut().map(|it| it.call(main, &args, &mut NoEffects));
                assert_same_outcome(&program, outcomes, &format!("{name} {n} {k}"));
            }
        }
    }
}

/// All mutants that replace an operation by one of its operands.
fn mutants(program: &Program) -> Vec<TermMutant> {
    let mut mutants = Vec::new();
    for (at, function) in program.functions.iter().enumerate() {
        for (at_term, term) in function.body.terms.iter().enumerate() {
            if let Term::Builtin { builtin, args, .. } = term
                && [INT_ADD, INT_SUB, INT_MUL, INT_DIV].contains(builtin)
            {
                let (function, term) = (FunctionId(at as u32), TermId(at_term as u32));
                mutants.extend(args.iter().map(|it| TermMutant {
                    function,
                    term,
                    replacement: *it,
                }));
            }
        }
    }
    mutants
}

/// A mutant of a function, or of a closure passed to it, can be activated.
#[test]
fn every_mutant_can_be_switched_on() {
    let limits = Limits { steps: 200, ..Limits::default() };
    let args = [Value::Int(5), Value::Int(3)];
    for (name, program, main) in programs() {
        let mutants = mutants(&program);
        let instruments =
            Instrumentation::default().with_branches(&program).with_mutants(&mutants);
        let compiled = Engine::instrumented(Arc::clone(&program), instruments);
        let Some(mut compiled) = compiled.map(|it| it.worker(limits)) else { return };
        for (at, mutant) in MutantId::all(mutants.len()).zip(&mutants) {
            let mut mutated = (*program).clone();
            let body = &mut mutated.functions[mutant.function.index()].body;
            body.terms[mutant.term.index()] = body.term(mutant.replacement).clone();
            let mutated = Engine::new(Arc::new(mutated), EngineKind::Interpreter);
            let expected = mutated.worker(limits).probe(main, &args, &mut NoEffects);
            compiled.set_mutant(Some(at));
            let probe = compiled.probe(main, &args, &mut NoEffects);
            let outcome =
                |it: ProbeOutcome| (it.result.map(|it| show(&program, &it)), it.steps);
            assert_eq!(outcome(probe), outcome(expected), "{name} {mutant:?}");
        }
    }
}

/// Branches in inlined closures are counted as if they were called.
#[test]
fn branches_in_place_are_counted() {
    let (program, main) = main_of(keep, wanted, &[]);
    let instruments = Instrumentation::default().with_branches(&program);
    let branches = instruments.branches().to_vec();
    let Some(engine) = Engine::instrumented(Arc::clone(&program), instruments) else { return };
    let mut worker = engine.worker(Limits::default());
    let args = [Value::Int(8), Value::Int(3)];
    let probe = worker.probe(main, &args, &mut NoEffects);
    assert_eq!(probe.result.map(|it| show(&program, &it)), Ok("[8, 5]".to_owned()));
    let counts = |name: &str| {
        let counted = branches.iter().zip(worker.counters());
        let its = counted.filter(|(it, _)| &*program.function(it.function).name == name);
        its.map(|(_, n)| *n).collect::<Vec<u64>>()
    };
    assert_eq!(counts("wanted"), [3, 5], "x % 3 > 1");
    assert_eq!(counts("keep"), [2, 6, 1, 8]);
}

/// A function that calls itself with another closure loops in its own frame.
#[test]
fn a_loop_with_changing_values_takes_no_stack() {
    let mut b = ProgramBuilder::new();
    let [one, two] = [scale(&mut b), quotient(&mut b)];
    let id = b.next();
    // fn turn(n, f) {
    //   if n == 0 { f(5) } else if n > 9 { turn(n - 1, |x| ..) } else { turn(n - 1, |x| ..) }
    // }
    let turn = b.function("turn", &[("n", INT), ("f", INT)], INT, |d| {
        let (is_done, less) = counting(d);
        let (f, five) = (d.local(1), d.int(5));
        let result = call_value(d, f, &[five]);
        let (n, nine, k) = (d.local(0), d.int(9), d.int(2));
        let condition = d.builtin(GT, &[n, nine]);
        let (left, right) = (d.closure(one, &[k]), d.closure(two, &[k]));
        let (more, less_again) = (d.call(id, &[less, left]), counting(d).1);
        let again = d.call(id, &[less_again, right]);
        let either = d.if_(condition, more, again);
        d.if_(is_done, result, either)
    });
    let main = b.function("main", &[("n", INT)], INT, |d| {
        let (n, k) = (d.local(0), d.int(4));
        let closure = d.closure(one, &[k]);
        d.call(turn, &[n, closure])
    });
    let program = Arc::new(b.program);
    let mut workers = workers(&program, Limits { depth: 2, ..Limits::default() });
    for n in [0, 3, 20, 100_000] {
        let outcomes =
            workers.each_mut().map(|it| it.call(main, &[Value::Int(n)], &mut NoEffects));
        assert!(outcomes[1].result.is_ok());
        assert_same_outcome(&program, outcomes, "turn");
    }
}
