//! Untrusted input from hosts: values of wrong types, panics, interrupts.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use gainsay_core::builtin::{INT_ADD, LIST_LEN, STR_LEN};
use gainsay_core::{FunctionId, OpId, OperationKind, Program, Ty, TyId, TypeId, TypeTable};
use gainsay_vm::{
    EffectCall, FailureAction, FaultKind, Fields, Host, HostAnswer, Limits, NoEffects,
    Observation, Refusal, Value, run_on_big_stack, show,
};

use crate::builder::{INT, NONE, OK, ProgramBuilder, SOME, STR, UNIT};
use crate::jit_faults::{assert_same_outcome, forever, workers};

/// Gives the same answer to every operation.
struct FixedAnswerHost(HostAnswer);

impl Host for FixedAnswerHost {
    fn perform(&mut self, _: &EffectCall<'_>) -> Result<HostAnswer, Refusal> {
        Ok(self.0.clone())
    }
}

/// A program that performs one operation with a given result type.
fn asking(make: impl FnOnce(&mut ProgramBuilder) -> TyId) -> (Arc<Program>, FunctionId) {
    let mut b = ProgramBuilder::new();
    let ty = make(&mut b);
    let op = b.op("ask", &[], ty, OperationKind::Generative);
    // Two functions that an answer may call, with ids 0 and 1.
    b.function("double", &[("x", INT)], INT, |d| {
        let (x, y) = (d.local(0), d.local(0));
        d.builtin(INT_ADD, &[x, y])
    });
    b.function_with_captures("len", 1, &[("text", STR)], INT, |d| {
        let text = d.local(0);
        d.builtin(STR_LEN, &[text])
    });
    let main = b.function("main", &[], ty, |d| d.perform(op, &[]));
    (Arc::new(b.program), main)
}

const DOUBLE: FunctionId = FunctionId(0);
const LEN: FunctionId = FunctionId(1);

fn closure(function: FunctionId, captures: Vec<Value>) -> Value {
    Value::Closure(function, Fields::new(captures))
}

/// Whether both engines accept an answer for the type.
fn accepted(
    make: impl FnOnce(&mut ProgramBuilder) -> TyId,
    answer: impl Into<HostAnswer>,
) -> bool {
    let (program, main) = asking(make);
    let answer = answer.into();
    let outcomes = workers(&program, Limits::default())
        .each_mut()
        .map(|it| it.call(main, &[], &mut FixedAnswerHost(answer.clone())));
    let result = outcomes[0].result.clone();
    assert_same_outcome(&program, outcomes, &format!("{answer:?}"));
    match result {
        Ok(_) => true,
        Err(fault) => {
            assert!(matches!(fault.kind, FaultKind::HostFailed(_)), "{:?}", fault.kind);
            false
        }
    }
}

#[test]
fn answers_of_other_types_are_refused() {
    let int = |_: &mut ProgramBuilder| INT;
    assert!(accepted(int, Value::Int(1)));
    assert!(accepted(int, Value::Int(i64::MAX)));
    for wrong in [Value::str("1"), Value::Float(1.0), Value::Bool(true), Value::UNIT] {
        assert!(!accepted(int, wrong));
    }
    let ints = |b: &mut ProgramBuilder| b.ty(Ty::List(INT));
    assert!(accepted(ints, Value::list([Value::Int(1), Value::Int(2)])));
    assert!(!accepted(ints, Value::list([Value::Int(1), Value::str("2")])));
    let option = |b: &mut ProgramBuilder| b.ty(Ty::Named(TypeId(0), Box::new([INT])));
    assert!(accepted(option, Value::data(NONE, vec![])));
    assert!(accepted(option, Value::data(SOME, vec![Value::Int(1)])));
    assert!(!accepted(option, Value::data(SOME, vec![Value::str("1")])));
    assert!(!accepted(option, Value::data(SOME, vec![])));
    assert!(!accepted(option, Value::data(OK, vec![Value::Int(1)])));
    let pair = |b: &mut ProgramBuilder| b.ty(Ty::Tuple(Box::new([INT, STR])));
    assert!(accepted(pair, Value::tuple(vec![Value::Int(1), Value::str("2")])));
    assert!(!accepted(pair, Value::tuple(vec![Value::Int(1)])));
    let map = |b: &mut ProgramBuilder| b.ty(Ty::Map(INT, STR));
    let table = |value| gainsay_vm::ValueTable::from_entries([(Value::Int(1), value)]);
    assert!(accepted(map, Value::Map(table(Value::str("1")))));
    assert!(!accepted(map, Value::Map(table(Value::Int(1)))));
    assert!(!accepted(map, Value::Set(table(Value::UNIT))));
}

#[test]
fn answers_that_are_no_functions_are_refused() {
    let function = |params: &'static [TyId]| {
        move |b: &mut ProgramBuilder| {
            let row = TypeTable::PURE;
            b.ty(Ty::Function { params: params.into(), result: INT, row })
        }
    };
    assert!(accepted(function(&[INT]), closure(DOUBLE, vec![])));
    assert!(accepted(function(&[]), closure(LEN, vec![Value::str("four")])));
    assert!(!accepted(function(&[STR]), closure(DOUBLE, vec![])));
    assert!(!accepted(function(&[]), closure(DOUBLE, vec![])));
    assert!(!accepted(function(&[]), closure(LEN, vec![Value::Int(4)])));
    assert!(!accepted(function(&[]), closure(LEN, vec![])));
    assert!(!accepted(function(&[]), closure(FunctionId(99), vec![])));
    let int = |_: &mut ProgramBuilder| INT;
    let calls = [
        (closure(DOUBLE, vec![]), vec![Value::Int(1)], true),
        (closure(LEN, vec![Value::str("four")]), vec![], true),
        (closure(DOUBLE, vec![]), vec![Value::str("1")], false),
        (closure(DOUBLE, vec![]), vec![], false),
        (closure(LEN, vec![]), vec![Value::str("four")], false),
        (Value::Int(1), vec![], false),
    ];
    for (callee, args, fits) in calls {
        assert_eq!(accepted(int, HostAnswer::Call(callee, args)), fits);
    }
}

/// An answer with too many paths through it to walk them all.
#[test]
fn answers_that_share_their_parts_are_looked_at_once() {
    let nested = |b: &mut ProgramBuilder| {
        (0..60).fold(INT, |inner, _| b.ty(Ty::Tuple(Box::new([inner, inner]))))
    };
    let doubled = |inner: Value| Value::tuple(vec![inner.clone(), inner]);
    let value = (0..60).fold(Value::Int(1), |inner, _| doubled(inner));
    let (program, main) = asking(nested);
    let answer = HostAnswer::Value(value);
    for worker in &mut workers(&program, Limits::default()) {
        assert!(worker.call(main, &[], &mut FixedAnswerHost(answer.clone())).result.is_ok());
    }
}

#[test]
fn arguments_of_other_types_do_no_harm() {
    let mut b = ProgramBuilder::new();
    let ints = b.ty(Ty::List(INT));
    let f = b.function("f", &[("xs", ints)], INT, |d| {
        let xs = d.local(0);
        d.builtin(LIST_LEN, &[xs])
    });
    let program = Arc::new(b.program);
    let mut workers = workers(&program, Limits::default());
    let wrong =
        [Value::str("text"), Value::Int(1), closure(f, vec![]), closure(f, vec![ints_of(3)])];
    for arg in wrong {
        let outcomes =
            workers.each_mut().map(|it| it.call(f, std::slice::from_ref(&arg), &mut NoEffects));
        assert_same_outcome(&program, outcomes, &format!("{arg:?}"));
        let outcomes = workers.each_mut().map(|it| it.call_value(&arg, &[], &mut NoEffects));
        assert_same_outcome(&program, outcomes, &format!("{arg:?}"));
    }
}

fn ints_of(n: i64) -> Value {
    Value::list((0..n).map(Value::Int).collect::<Vec<_>>())
}

/// An argument may be larger than what a run may allocate.
#[test]
fn large_arguments_fit_low_limits() {
    let mut b = ProgramBuilder::new();
    let ints = b.ty(Ty::List(INT));
    let f = b.function("f", &[("xs", ints)], INT, |d| {
        let xs = d.local(0);
        d.builtin(LIST_LEN, &[xs])
    });
    let program = Arc::new(b.program);
    let arg = [ints_of(300_000)];
    for worker in &mut workers(&program, Limits { words: 10, ..Limits::default() }) {
        let value = worker.call(f, &arg, &mut NoEffects).result.expect("a length");
        assert_eq!(show(&program, &value), "300000");
    }
}

/// Panics in one of several ways while enabled.
struct PanickingHost {
    method: &'static str,
    is_calm: bool,
}

impl PanickingHost {
    fn panic_if_asked(&self, method: &str) {
        assert!(self.is_calm || self.method != method, "in {method}");
    }
}

impl Host for PanickingHost {
    fn perform(&mut self, _: &EffectCall<'_>) -> Result<HostAnswer, Refusal> {
        self.panic_if_asked("perform");
        Ok(Value::Int(3).into())
    }

    fn fast_answer(&mut self, _: OpId, _: &[i64]) -> Option<i64> {
        self.panic_if_asked("quick");
        None
    }

    fn observe(&mut self, _: &Observation<'_>) -> FailureAction {
        self.panic_if_asked("observe");
        FailureAction::Continue
    }
}

#[test]
fn a_panic_of_the_host_reaches_the_caller() {
    let mut b = ProgramBuilder::new();
    let op = b.op("ask", &[INT], INT, OperationKind::Generative);
    let observing = b.function("observing", &[("x", INT)], UNIT, |d| {
        let (x, y) = (d.local(0), d.local(0));
        let holds = d.builtin(gainsay_core::builtin::EQ, &[x, y]);
        d.observe(holds)
    });
    let main = b.function("main", &[], INT, |d| {
        let one = d.int(1);
        let answer = d.perform(op, &[one]);
        let (two, three) = (d.int(2), d.int(3));
        let observed = d.call(observing, &[two]);
        let sum = d.builtin(INT_ADD, &[answer, three]);
        d.tuple(&[sum, observed])
    });
    let program = Arc::new(b.program);
    for method in ["perform", "quick", "observe"] {
        let [_, mut worker] = workers(&program, Limits::default());
        for _ in 0..20 {
            let mut host = PanickingHost { method, is_calm: false };
            let call = AssertUnwindSafe(|| worker.call(main, &[], &mut host));
            let panic = catch_unwind(call).expect_err("a panic");
            let text = panic.downcast_ref::<String>().map(String::as_str);
            assert_eq!(text, Some(&*format!("in {method}")));
            let mut host = PanickingHost { method, is_calm: true };
            let value = worker.call(main, &[], &mut host).result.expect("a value");
            assert_eq!(show(&program, &value), "(6, ())");
        }
    }
}

#[test]
fn an_interrupt_from_another_thread_ends_a_run() {
    run_on_big_stack(|| {
        let mut b = ProgramBuilder::new();
        let f = forever(&mut b);
        let mut worker = b.engine().worker(Limits::UNLIMITED_STEPS);
        let flag = Arc::new(AtomicBool::new(false));
        worker.set_interrupt(Arc::clone(&flag));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(20));
                flag.store(true, Ordering::Relaxed);
            });
            let fault = worker.call(f, &[Value::Int(0)], &mut NoEffects).result.unwrap_err();
            assert_eq!(fault.kind, FaultKind::Interrupted);
        });
    });
}
