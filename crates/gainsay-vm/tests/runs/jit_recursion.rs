//! Recursion of compiled code through the runtime, and tail calls that take no stack.

use std::sync::Arc;

use gainsay_core::builtin::{EQ, INT_ADD, INT_SUB};
use gainsay_core::{
    ConstId, Constant, EffectHandler as StubAnswer, FunctionId, ModuleId, OperationKind, Term,
    Ty,
};
use gainsay_vm::{Engine, EngineKind, FaultKind, Limits, NoEffects, Value};

use crate::builder::{BOOL, INT, ProgramBuilder, span};
use crate::jit_faults::{assert_same_outcome, call_value, workers};

/// `fn again[n]() { f(n + 1) }`
fn again(b: &mut ProgramBuilder, f: FunctionId) -> FunctionId {
    b.function_with_captures("again", 1, &[("n", INT)], INT, |d| {
        let (n, one) = (d.local(0), d.int(1));
        let more = d.builtin(INT_ADD, &[n, one]);
        d.call(f, &[more])
    })
}

/// `fn f(n) { under (op = again[n]) { op() } }`
fn through_stub(b: &mut ProgramBuilder) -> FunctionId {
    let op = b.op("limit", &[], INT, OperationKind::Snapshot);
    let body = b.function("body", &[], INT, |d| d.perform(op, &[]));
    let f = FunctionId(b.next().0 + 1);
    let again = again(b, f);
    b.function("stubbed", &[("n", INT)], INT, |d| {
        let n = d.local(0);
        let (stub, body) = (d.closure(again, &[n]), d.closure(body, &[]));
        d.add(Term::Under { handlers: Box::new([StubAnswer::Stub(op, stub)]), body })
    })
}

/// `fn f(n: Int{holds(it)}) { n }` where `holds` calls `f`.
fn through_predicate(b: &mut ProgramBuilder) -> FunctionId {
    let f = FunctionId(b.next().0 + 1);
    let holds = b.function("holds", &[("it", INT)], BOOL, |d| {
        let (it, zero) = (d.local(0), d.int(0));
        let inner = d.call(f, &[it]);
        d.builtin(EQ, &[inner, zero])
    });
    let refined = b.ty(Ty::Refined { base: INT, predicate: holds, args: Box::default() });
    b.function("refined", &[("n", refined)], INT, |d| d.local(0))
}

/// The same with the refinement inside a list.
fn through_inner_predicate(b: &mut ProgramBuilder) -> FunctionId {
    let f = FunctionId(b.next().0 + 2);
    let holds = b.function("holds", &[("it", INT)], BOOL, |d| {
        let (it, zero) = (d.local(0), d.int(0));
        let list = d.list(&[it], None);
        let inner = d.call(FunctionId(f.0 - 1), &[list]);
        d.builtin(EQ, &[inner, zero])
    });
    let refined = b.ty(Ty::Refined { base: INT, predicate: holds, args: Box::default() });
    let list = b.ty(Ty::List(refined));
    let inner = b.function("inner", &[("xs", list)], INT, |d| d.int(0));
    b.function("refined", &[("n", INT)], INT, |d| {
        let n = d.local(0);
        let list = d.list(&[n], None);
        d.call(inner, &[list])
    })
}

/// A constant defined in terms of itself.
fn through_constant(b: &mut ProgramBuilder) -> FunctionId {
    let constant = ConstId(b.program.constants.len() as u32);
    let function = b.function("constant", &[], INT, |d| {
        let (constant, one) = (d.add(Term::Constant(constant)), d.int(1));
        d.builtin(INT_ADD, &[constant, one])
    });
    b.program.constants.push(Constant {
        name: "circle".into(),
        module: ModuleId(0),
        span: span(0),
        ty: INT,
        function,
    });
    b.function("constant", &[("n", INT)], INT, |d| d.add(Term::Constant(constant)))
}

/// `fn f(n) { if throws { f(n + 1) } { 1 } else { 2 } }`
fn through_throws(b: &mut ProgramBuilder) -> FunctionId {
    let f = FunctionId(b.next().0 + 1);
    let again = again(b, f);
    b.function("throwing", &[("n", INT)], INT, |d| {
        let n = d.local(0);
        let body = d.closure(again, &[n]);
        let condition = d.add(Term::Throws { kinds: Box::default(), body });
        let (one, two) = (d.int(1), d.int(2));
        d.if_(condition, one, two)
    })
}

/// `fn f(n) { par { f(n + 1) } { f(n + 1) } }`
fn through_par(b: &mut ProgramBuilder) -> FunctionId {
    let f = FunctionId(b.next().0 + 1);
    let again = again(b, f);
    b.function("parallel", &[("n", INT)], INT, |d| {
        let (n, m) = (d.local(0), d.local(0));
        let branches = Box::new([d.closure(again, &[n]), d.closure(again, &[m])]);
        d.add(Term::Par { branches, cancelling: false })
    })
}

pub(crate) type MakeRecursion = fn(&mut ProgramBuilder) -> FunctionId;

pub(crate) const MAKERS: [MakeRecursion; 6] = [
    through_stub,
    through_predicate,
    through_inner_predicate,
    through_constant,
    through_throws,
    through_par,
];

#[test]
fn recursion_through_the_runtime_ends_at_the_depth_limit() {
    let limits = Limits { depth: 150, ..Limits::default() };
    for make in MAKERS {
        let mut b = ProgramBuilder::new();
        let f = make(&mut b);
        let program = Arc::new(b.program);
        let mut workers = workers(&program, limits);
        for n in 0..3 {
            let name = &program.function(f).name;
            let outcomes =
                workers.each_mut().map(|it| it.call(f, &[Value::Int(n)], &mut NoEffects));
            let fault = outcomes[1].result.as_ref().expect_err("too deep");
            assert_eq!(fault.kind, FaultKind::DepthLimit, "{name}");
            assert_same_outcome(&program, outcomes, name);
        }
    }
}

/// If the stack ends before the depth limit, there is still a fault.
#[test]
fn recursion_through_the_runtime_ends_with_the_stack() {
    for make in MAKERS {
        let mut b = ProgramBuilder::new();
        let f = make(&mut b);
        let mut worker = b.engine().worker(Limits::UNLIMITED_STEPS);
        for _ in 0..10 {
            let probe = worker.probe(f, &[Value::Int(0)], &mut NoEffects);
            assert_eq!(probe.result.unwrap_err(), FaultKind::DepthLimit);
        }
    }
}

/// Two functions that tail-call each other, one of them as a value:
/// `fn ping(n, f) { if n == 0 { 0 } else { f(n - 1, f) } }`
#[test]
fn tail_calls_of_values_take_no_stack() {
    let mut b = ProgramBuilder::new();
    let ping = b.function("ping", &[("n", INT), ("f", INT)], INT, |d| {
        let (n, zero, done) = (d.local(0), d.int(0), d.int(0));
        let condition = d.builtin(EQ, &[n, zero]);
        let (callee, n, one, f) = (d.local(1), d.local(0), d.int(1), d.local(1));
        let less = d.builtin(INT_SUB, &[n, one]);
        let again = call_value(d, callee, &[less, f]);
        d.if_(condition, done, again)
    });
    let params = [("k", INT), ("n", INT), ("f", INT)];
    let pong = b.function_with_captures("pong", 1, &params, INT, |d| {
        let (n, f) = (d.local(1), d.local(2));
        d.call(ping, &[n, f])
    });
    let main = b.function("main", &[("n", INT)], INT, |d| {
        let (n, one) = (d.local(0), d.int(1));
        let pong = d.closure(pong, &[one]);
        d.call(ping, &[n, pong])
    });
    let engine = Engine::new(Arc::new(b.program), EngineKind::best());
    let mut worker = engine.worker(Limits { depth: 1, ..Limits::UNLIMITED_STEPS });
    let n = 1_000_000;
    let outcome = worker.call(main, &[Value::Int(n)], &mut NoEffects);
    assert_eq!(outcome.result.unwrap().as_int(), Some(0));
    assert_eq!(outcome.steps, 2 * n as u64 + 2);
}
