//! Runs a test program on two engines and finds the first difference.

use std::sync::Arc;

use gainsay_vm::{
    CallOutcome, CallStack, Engine, EngineKind, Fault, FaultKind, ParOrder, Value,
};

use super::logging_host::{LoggedHostEvent, LoggingHost};
use super::occurrence_counts::OccurrenceCounts;
use super::test_program::TestProgram;
use super::value_equality::{all_identical, identical};

/// The result of a call on one engine.
pub(super) struct EngineRecord {
    pub(super) outcome: CallOutcome,
    pub(super) log: Vec<LoggedHostEvent>,
}

/// The first difference between two engines.
pub(super) struct EngineDifference {
    /// The call.
    pub(super) call: usize,
    /// What differs.
    pub(super) what: &'static str,
    /// The results of that call on each engine.
    pub(super) records: [EngineRecord; 2],
}

/// Makes all calls of a test program in one worker.
fn run(trial: &TestProgram, kind: EngineKind) -> Vec<EngineRecord> {
    let Some(first) = trial.calls.first() else { return Vec::new() };
    let engine = Engine::new(Arc::clone(&trial.program), kind);
    let mut worker = engine.worker(first.limits);
    let mut records: Vec<EngineRecord> = Vec::new();
    for call in &trial.calls {
        worker.set_limits(call.limits);
        if let Some(stubs) = &call.stubs {
            worker.set_stubs(stubs.clone());
        }
        let args: Vec<Value> = call
            .args
            .iter()
            .map(|arg| {
                let earlier = arg.from.and_then(|call| records.get(call));
                let value = earlier.and_then(|it| it.outcome.result.as_ref().ok());
                value.unwrap_or(&arg.value).clone()
            })
            .collect();
        worker.set_par_order(order(call.host_seed));
        let mut oracle = LoggingHost::new(&trial.answers, call.host_seed);
        let outcome = worker.call_value(&call.callee, &args, &mut oracle);
        records.push(EngineRecord { outcome, log: oracle.log });
    }
    records
}

/// Alternates between branches in source order and from right to left.
fn order(seed: u64) -> Option<ParOrder> {
    (seed % 2 == 1).then(|| ParOrder::reversed((seed / 2 % 4) as u32))
}

/// Runs a test program on both engines; returns the first call on which they disagree.
pub(super) fn compare_engines(
    trial: &TestProgram,
    kinds: [EngineKind; 2],
    census: &mut OccurrenceCounts,
) -> Option<EngineDifference> {
    let [a, b] = kinds.map(|kind| run(trial, kind));
    for (call, (a, b)) in a.into_iter().zip(b).enumerate() {
        census.outcome(&a.outcome, a.log.len());
        if let Some(what) = difference(&a, &b) {
            return Some(EngineDifference { call, what, records: [a, b] });
        }
    }
    None
}

/// The difference between two records, if there is one.
fn difference(a: &EngineRecord, b: &EngineRecord) -> Option<&'static str> {
    match (&a.outcome.result, &b.outcome.result) {
        (Ok(a), Ok(b)) if !identical(a, b) => return Some("the values"),
        (Err(a), Err(b)) => {
            if let Some(what) = faults(a, b) {
                return Some(what);
            }
        }
        (Ok(_), Ok(_)) => {}
        (Ok(_), Err(_)) | (Err(_), Ok(_)) => return Some("whether there is a value"),
    }
    // An ill-typed program is a bug in the generator, and proves nothing about the engines.
    if let Err(fault) = &a.outcome.result
        && let FaultKind::Unsupported(_) = fault.kind
    {
        return Some("what engines support");
    }
    if a.outcome.steps != b.outcome.steps {
        return Some("the steps");
    }
    if a.outcome.words != b.outcome.words && !is_cut_short(&a.outcome) {
        return Some("the words");
    }
    (a.log != b.log).then_some("what the host heard")
}

/// Whether a limit ended the run: then the last charge may differ legitimately.
fn is_cut_short(outcome: &CallOutcome) -> bool {
    match &outcome.result {
        Ok(_) => false,
        Err(fault) => matches!(
            fault.kind,
            FaultKind::StepLimit
                | FaultKind::DepthLimit
                | FaultKind::MemoryLimit
                | FaultKind::Interrupted
        ),
    }
}

fn faults(a: &Fault, b: &Fault) -> Option<&'static str> {
    if a.kind != b.kind {
        return Some("the kinds of fault");
    }
    if a.span != b.span || a.function != b.function {
        return Some("the sites of the fault");
    }
    let [a_names, b_names] = [a, b].map(|it| it.values.iter().map(|(name, _)| name));
    let [a_values, b_values] =
        [a, b].map(|it| it.values.iter().map(|(_, value)| value.clone()).collect::<Vec<_>>());
    if !a_names.eq(b_names) || !all_identical(&a_values, &b_values) {
        return Some("the values of the fault");
    }
    (!same_trace(&a.call_stack, &b.call_stack)).then_some("the traces of the fault")
}

fn same_trace(a: &CallStack, b: &CallStack) -> bool {
    a.inner() == b.inner() && a.n_skipped() == b.n_skipped() && a.outer().eq(b.outer())
}
