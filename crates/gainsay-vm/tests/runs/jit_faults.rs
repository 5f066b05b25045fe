//! Faults of compiled code are reported as the interpreter reports them, however often they occur.

use std::sync::Arc;

use gainsay_core::builtin::{EQ, GT, INT_ADD, INT_DIV, INT_SUB};
use gainsay_core::{FunctionId, Program, Term, TermId, Ty};
use gainsay_vm::{
    CallOutcome, Engine, EngineKind, Fault, FaultKind, Frame, Limits, NoEffects, Value, Worker,
    run_on_big_stack, show,
};

use crate::builder::{BodyBuilder, INT, ProgramBuilder};
use crate::isolated::{MEGABYTE, resident_bytes, run_isolated};

/// Functions without arguments that fail in different ways.
struct FailingFunctions {
    program: Arc<Program>,
    cases: Vec<(&'static str, FunctionId)>,
}

pub(crate) fn call_value(d: &mut BodyBuilder, callee: TermId, args: &[TermId]) -> TermId {
    d.add(Term::CallValue { callee, args: args.into() })
}

/// `fn deep(n) { 1 + deep(n + 1) }`
pub(crate) fn deep(b: &mut ProgramBuilder) -> FunctionId {
    let f = b.next();
    b.function("deep", &[("n", INT)], INT, |d| {
        let (one, n, another) = (d.int(1), d.local(0), d.int(1));
        let more = d.builtin(INT_ADD, &[n, another]);
        let inner = d.call(f, &[more]);
        d.builtin(INT_ADD, &[one, inner])
    })
}

/// `fn forever(n) { forever(n + 1) }`
pub(crate) fn forever(b: &mut ProgramBuilder) -> FunctionId {
    let f = b.next();
    b.function("forever", &[("n", INT)], INT, |d| {
        let (n, one) = (d.local(0), d.int(1));
        let more = d.builtin(INT_ADD, &[n, one]);
        d.call(f, &[more])
    })
}

/// `fn hoard(xs) { hoard([1, ..xs]) }`
fn hoard(b: &mut ProgramBuilder) -> FunctionId {
    let ints = b.ty(Ty::List(INT));
    let f = b.next();
    b.function("hoard", &[("xs", ints)], INT, |d| {
        let (one, xs) = (d.int(1), d.local(0));
        let longer = d.list(&[one], Some(xs));
        d.call(f, &[longer])
    })
}

/// `fn checked(x) in { (|y| 10 / (x - y))(3) > 0 } { x }`
fn checked(b: &mut ProgramBuilder) -> FunctionId {
    let params = [("x", INT), ("y", INT)];
    let lambda = b.function_with_captures("lambda", 1, &params, INT, |d| {
        let (ten, x, y) = (d.int(10), d.local(0), d.local(1));
        let difference = d.builtin(INT_SUB, &[x, y]);
        d.builtin(INT_DIV, &[ten, difference])
    });
    b.function("checked", &[("x", INT)], INT, |d| {
        let x = d.local(0);
        let closure = d.closure(lambda, &[x]);
        let three = d.int(3);
        let quotient = call_value(d, closure, &[three]);
        let zero = d.int(0);
        let clause = d.builtin(GT, &[quotient, zero]);
        d.requires(clause);
        d.local(0)
    })
}

/// `fn name() { 0 + f(arg) }`
fn calling(b: &mut ProgramBuilder, name: &str, f: FunctionId, arg: i64) -> FunctionId {
    b.function(name, &[], INT, |d| {
        let (zero, arg) = (d.int(0), d.int(arg));
        let result = d.call(f, &[arg]);
        d.builtin(INT_ADD, &[zero, result])
    })
}

fn failing() -> FailingFunctions {
    let mut b = ProgramBuilder::new();
    let (deep, forever, hoard, checked) =
        (deep(&mut b), forever(&mut b), hoard(&mut b), checked(&mut b));
    let hoarding = b.function("hoarding", &[], INT, |d| {
        let none = d.list(&[], None);
        d.call(hoard, &[none])
    });
    let cases = vec![
        ("deep", calling(&mut b, "deep", deep, 0)),
        ("forever", calling(&mut b, "forever", forever, 0)),
        ("hoard", hoarding),
        ("inside", calling(&mut b, "inside", checked, 3)),
        ("violated", calling(&mut b, "violated", checked, 2)),
    ];
    FailingFunctions { program: Arc::new(b.program), cases }
}

/// Limits that are reached soon.
pub(crate) const LOW: Limits =
    Limits { steps: 2000, depth: 1000, words: 3000, ..Limits::UNLIMITED_STEPS };

fn kind_of(case: &str) -> FaultKind {
    match case {
        "deep" => FaultKind::DepthLimit,
        "forever" => FaultKind::StepLimit,
        "hoard" => FaultKind::MemoryLimit,
        _ => FaultKind::DivByZero,
    }
}

type FaultRecord = (FaultKind, gainsay_source::Span, FunctionId, Vec<String>, Vec<Frame>, u64);

/// Everything that a fault contains.
fn fault_record(program: &Program, fault: &Fault) -> FaultRecord {
    let values =
        fault.values.iter().map(|(name, it)| format!("{name} = {}", show(program, it)));
    let frames = fault.call_stack.inner().iter().chain(fault.call_stack.outer()).copied();
    let depth = fault.call_stack.depth();
    let (kind, span) = (fault.kind.clone(), fault.span);
    (kind, span, fault.function, values.collect(), frames.collect(), depth)
}

/// Step limits below `n_steps`, and low depth and word limits.
pub(crate) fn low_limits(n_steps: u64) -> Vec<Limits> {
    let steps = (0..n_steps).map(|steps| Limits { steps, ..Limits::default() });
    let depth = (0..9).map(|depth| Limits { depth, ..Limits::default() });
    let words = (0..24).map(|words| Limits { words, ..Limits::default() });
    steps.chain(depth).chain(words).collect()
}

pub(crate) fn workers(program: &Arc<Program>, limits: Limits) -> [Worker; 2] {
    EngineKind::ALL.map(|kind| Engine::new(Arc::clone(program), kind).worker(limits))
}

/// Both engines have the same outcome, except that only one counts the words of a cell that did not
/// fit.
pub(crate) fn assert_same_outcome(program: &Program, [a, b]: [CallOutcome; 2], what: &str) {
    assert_eq!(a.steps, b.steps, "{what}");
    let is_full =
        |it: &CallOutcome| matches!(&it.result, Err(it) if it.kind == FaultKind::MemoryLimit);
    assert!(a.words == b.words || is_full(&a), "{what}: {} {}", a.words, b.words);
    match (&a.result, &b.result) {
        (Ok(a), Ok(b)) => assert_eq!(show(program, a), show(program, b), "{what}"),
        (Err(a), Err(b)) => {
            assert_eq!(fault_record(program, a), fault_record(program, b), "{what}")
        }
        (a, b) => panic!("{what}: {a:?} {b:?}"),
    }
}

#[test]
fn each_fault_is_reported_as_the_interpreter_reports_it() {
    run_on_big_stack(|| {
        let failing = failing();
        let wide = Limits {
            steps: 300_000,
            depth: 100_000,
            words: 300_000,
            ..Limits::UNLIMITED_STEPS
        };
        for limits in [LOW, wide] {
            let mut workers = workers(&failing.program, limits);
            for (case, function) in &failing.cases {
                let run = |worker: &mut Worker| worker.call(*function, &[], &mut NoEffects);
                let outcomes = workers.each_mut().map(run);
                if let Err(fault) = &outcomes[1].result
                    && *case != "violated"
                {
                    assert_eq!(fault.kind, kind_of(case));
                }
                assert_same_outcome(&failing.program, outcomes, case);
            }
        }
    });
}

/// Many faulting runs leak no memory.
#[test]
fn faults_leave_nothing_behind() {
    run_isolated("jit_faults::faults_leave_nothing_behind", || {
        let failing = failing();
        for (case, function) in &failing.cases {
            let mut worker =
                Engine::new(Arc::clone(&failing.program), EngineKind::best()).worker(LOW);
            let probe = |worker: &mut Worker| {
                let probe = worker.probe(*function, &[], &mut NoEffects);
                assert!(probe.result.is_err(), "{case}");
                (probe.steps, probe.words)
            };
            let first = probe(&mut worker);
            (0..1000).for_each(|_| assert_eq!(probe(&mut worker), first));
            let before = resident_bytes();
            (0..10_000).for_each(|_| assert_eq!(probe(&mut worker), first));
            let grown = resident_bytes().saturating_sub(before);
            assert!(grown < 2 * MEGABYTE, "{case}: {grown} bytes");
        }
    });
}

#[test]
fn explained_faults_leave_nothing_behind() {
    run_isolated("jit_faults::explained_faults_leave_nothing_behind", || {
        let failing = failing();
        let engine = Engine::new(Arc::clone(&failing.program), EngineKind::best());
        let mut worker = engine.worker(LOW);
        for (case, function) in &failing.cases {
            let call = |worker: &mut Worker| {
                let fault = worker.call(*function, &[], &mut NoEffects).result;
                fault_record(&failing.program, &fault.expect_err(case))
            };
            let first = call(&mut worker);
            (0..50).for_each(|_| assert_eq!(call(&mut worker), first));
            let before = resident_bytes();
            (0..300).for_each(|_| assert_eq!(call(&mut worker), first));
            let grown = resident_bytes().saturating_sub(before);
            assert!(grown < 2 * MEGABYTE, "{case}: {grown} bytes");
        }
    });
}

/// Compiled code is freed with its engine.
#[test]
fn engines_leave_nothing_behind() {
    run_isolated("jit_faults::engines_leave_nothing_behind", || {
        let failing = failing();
        let run = || {
            let engine = Engine::new(Arc::clone(&failing.program), EngineKind::best());
            let mut worker = engine.worker(LOW);
            let (_, function) = failing.cases[3];
            assert!(worker.probe(function, &[], &mut NoEffects).result.is_err());
        };
        (0..100).for_each(|_| run());
        let before = resident_bytes();
        (0..1000).for_each(|_| run());
        let grown = resident_bytes().saturating_sub(before);
        assert!(grown < 4 * MEGABYTE, "{grown} bytes");
    });
}

/// `fn count(n) { if n == 0 { 0 } else { 1 + count(n - 1) } }`
pub(crate) fn count(b: &mut ProgramBuilder) -> FunctionId {
    let f = b.next();
    b.function("count", &[("n", INT)], INT, |d| {
        let (n, zero, done) = (d.local(0), d.int(0), d.int(0));
        let condition = d.builtin(EQ, &[n, zero]);
        let (n, one, another) = (d.local(0), d.int(1), d.int(1));
        let less = d.builtin(INT_SUB, &[n, one]);
        let inner = d.call(f, &[less]);
        let sum = d.builtin(INT_ADD, &[another, inner]);
        d.if_(condition, done, sum)
    })
}

#[test]
fn a_million_frames_fit() {
    if !EngineKind::Jit.is_available() {
        return;
    }
    run_on_big_stack(|| {
        let mut b = ProgramBuilder::new();
        let f = count(&mut b);
        let engine = Engine::new(Arc::new(b.program), EngineKind::Jit);
        let mut worker = engine.worker(Limits::UNLIMITED_STEPS);
        for _ in 0..3 {
            let n = 999_990;
            let probe = worker.probe(f, &[Value::Int(n)], &mut NoEffects);
            assert_eq!(probe.result.unwrap().as_int(), Some(n));
            let probe = worker.probe(f, &[Value::Int(1_000_000)], &mut NoEffects);
            assert_eq!(probe.result.unwrap_err(), FaultKind::DepthLimit);
        }
    });
}
