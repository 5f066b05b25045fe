//! Each limit is a fault, and values that are too big are rejected before they are built.

use gainsay_core::builtin::{
    INT_ADD, INT_POW, INT_SHL, LIST_CONCAT, LIST_RANGE, SHOW, STR_REPEAT,
};
use gainsay_core::{BuiltinId, Ty};
use gainsay_vm::{CallOutcome, FaultKind, Limits, NoEffects, Value};

use crate::builder::{INT, ProgramBuilder};

fn apply(builtin: BuiltinId, args: &[Value], limits: Limits) -> CallOutcome {
    let mut b = ProgramBuilder::new();
    let any = b.ty(Ty::Param(0));
    let params: Vec<(&str, _)> = args.iter().map(|_| ("x", any)).collect();
    let f = b.function("f", &params, INT, |d| {
        let args: Vec<_> = (0..params.len() as u32).map(|at| d.local(at)).collect();
        d.builtin(builtin, &args)
    });
    b.run_with(f, args, limits, &mut NoEffects)
}

#[test]
fn a_loop_ends_at_the_step_limit() {
    let mut b = ProgramBuilder::new();
    let f = b.next();
    b.function("forever", &[("n", INT)], INT, |d| {
        let (n, one) = (d.local(0), d.int(1));
        let more = d.builtin(INT_ADD, &[n, one]);
        d.call(f, &[more])
    });
    let limits = Limits { steps: 1_000_000, ..Limits::default() };
    let outcome = b.run_with(f, &[Value::Int(0)], limits, &mut NoEffects);
    assert_eq!(outcome.result.unwrap_err().kind, FaultKind::StepLimit);
    assert_eq!(outcome.steps, 1_000_000);
}

#[test]
fn memory_that_is_taken_again_and_again_has_a_limit() {
    let mut b = ProgramBuilder::new();
    let f = b.next();
    b.function("grow", &[("xs", INT)], INT, |d| {
        let (a, b) = (d.local(0), d.local(0));
        let longer = d.builtin(LIST_CONCAT, &[a, b]);
        d.call(f, &[longer])
    });
    let start = Value::list([Value::Int(1)]);
    let outcome = b.run_with(f, &[start], Limits::default(), &mut NoEffects);
    assert_eq!(outcome.result.unwrap_err().kind, FaultKind::MemoryLimit);
}

#[test]
fn what_is_too_big_is_refused_before_it_is_made() {
    let big = Value::Int(1_000_000_000_000);
    let text = Value::str("x");
    let ten = Value::Int(10);
    for limits in [Limits::default(), Limits::UNLIMITED_STEPS] {
        for (builtin, args) in [
            (STR_REPEAT, [text.clone(), big.clone()]),
            (LIST_RANGE, [Value::Int(0), big.clone()]),
            (INT_POW, [ten.clone(), big.clone()]),
            (INT_SHL, [ten.clone(), big.clone()]),
        ] {
            let kind = apply(builtin, &args, limits).result.unwrap_err().kind;
            assert_eq!(kind, FaultKind::MemoryLimit, "{builtin:?}");
        }
    }
}

#[test]
fn values_that_share_their_parts_cannot_be_printed_without_end() {
    let pair = |value: Value| Value::tuple(vec![value.clone(), value]);
    let huge = (0..200).fold(Value::Int(0), |value, _| pair(value));
    let limits = Limits { steps: 100_000, ..Limits::default() };
    let kind = apply(SHOW, std::slice::from_ref(&huge), limits).result.unwrap_err();
    assert!(matches!(kind.kind, FaultKind::MemoryLimit | FaultKind::StepLimit));
    let same = [huge.clone(), huge];
    let fault = apply(gainsay_core::builtin::EQ, &same, limits).result.unwrap_err();
    assert_eq!(fault.kind, FaultKind::StepLimit);
    let sets = [Value::list(same)];
    let fault = apply(gainsay_core::builtin::SET_OF, &sets, limits).result;
    assert_eq!(fault.unwrap_err().kind, FaultKind::StepLimit);
}

#[test]
fn live_memory_has_a_limit_of_its_own() {
    let limits = Limits { live_bytes: 1 << 20, ..Limits::UNLIMITED_STEPS };
    let args = [Value::Int(0), Value::Int(100_000)];
    let fault = apply(LIST_RANGE, &args, limits).result.unwrap_err();
    assert_eq!(fault.kind, FaultKind::MemoryLimit);
}

#[test]
fn an_interrupt_ends_a_run() {
    let mut b = ProgramBuilder::new();
    let f = b.next();
    b.function("forever", &[], INT, |d| d.call(f, &[]));
    let flag = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
    let program = b.program.clone();
    let mut worker = b.engine().worker(Limits::UNLIMITED_STEPS);
    worker.set_interrupt(flag);
    let fault = worker.call(f, &[], &mut NoEffects).result.unwrap_err();
    assert_eq!(fault.kind, FaultKind::Interrupted);
    assert_eq!(fault.to_diagnostic(&program).code.name(), "GS0614");
}
