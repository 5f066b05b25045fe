//! Effects: the host, worlds inside the program, paths and counters, refusals.

use gainsay_core::builtin::{INT_ADD, INT_MUL};
use gainsay_core::{EffectHandler as StubAnswer, OpId, OperationKind, Term, TermId};
use gainsay_vm::{
    EffectCall, FaultKind, Host, HostAnswer, Limits, NoEffects, Refusal, Value, show,
};

use crate::builder::{BodyBuilder, INT, ProgramBuilder, UNIT};

/// Records operations, and answers with the number of the call.
#[derive(Default)]
struct EffectRecordingHost {
    asked: Vec<(OpId, Vec<u32>)>,
    answered: Vec<String>,
}

impl Host for EffectRecordingHost {
    fn perform(&mut self, call: &EffectCall<'_>) -> Result<HostAnswer, Refusal> {
        self.asked.push((call.op, call.path.to_vec()));
        Ok(Value::Int(self.asked.len() as i64).into())
    }

    fn stub_answered(&mut self, call: &EffectCall<'_>, answer: &Value) {
        self.answered.push(format!("{:?} {answer:?}", call.path));
    }
}

#[test]
fn branches_run_in_order_on_their_own_paths() {
    let mut b = ProgramBuilder::new();
    let op = b.op("roll", &[], INT, OperationKind::Generative);
    let roll = b.function("roll", &[], INT, |d| d.perform(op, &[]));
    let par = |d: &mut BodyBuilder, branches: Vec<TermId>| {
        d.add(Term::Par { branches: branches.into(), cancelling: false })
    };
    let inner = b.function("inner", &[], INT, |d| {
        let branches = vec![d.closure(roll, &[]), d.closure(roll, &[])];
        par(d, branches)
    });
    let main = b.function("main", &[], INT, |d| {
        let branches = vec![d.closure(roll, &[]), d.closure(inner, &[])];
        par(d, branches)
    });
    let program = b.program.clone();
    let mut host = EffectRecordingHost::default();
    let outcome = b.run_with(main, &[], Limits::default(), &mut host);
    assert_eq!(show(&program, &outcome.result.unwrap()), "(1, (2, 3))");
    let paths: Vec<_> = host.asked.into_iter().map(|(_, path)| path).collect();
    assert_eq!(paths, [vec![0], vec![1, 0], vec![1, 1]]);
}

/// A stub `(path, n, x) -> 10 n + x`, and a function that performs its operation three times.
#[test]
fn stubs_get_their_call_count() {
    let mut b = ProgramBuilder::new();
    let op = b.op("roll", &[INT], INT, OperationKind::Generative);
    let stub = b.function("stub", &[("path", UNIT), ("n", INT), ("x", INT)], INT, |d| {
        let (n, ten, x) = (d.local(1), d.int(10), d.local(2));
        let tens = d.builtin(INT_MUL, &[n, ten]);
        d.builtin(INT_ADD, &[tens, x])
    });
    let body = b.function("body", &[], INT, |d| {
        let calls: Vec<TermId> = (0..3)
            .map(|_| {
                let seven = d.int(7);
                d.perform(op, &[seven])
            })
            .collect();
        d.tuple(&calls)
    });
    let main = b.function("main", &[], INT, |d| {
        let twice: Vec<TermId> = (0..2)
            .map(|_| {
                let (stub, body) = (d.closure(stub, &[]), d.closure(body, &[]));
                let answers = Box::new([StubAnswer::Stub(op, stub)]);
                d.add(Term::Under { handlers: answers, body })
            })
            .collect();
        d.tuple(&twice)
    });
    let program = b.program.clone();
    let mut host = EffectRecordingHost::default();
    let outcome = b.run_with(main, &[], Limits::default(), &mut host);
    // Each `under` is a world of its own, with its own call counts.
    assert_eq!(show(&program, &outcome.result.unwrap()), "((7, 17, 27), (7, 17, 27))");
    assert!(host.asked.is_empty());
    assert_eq!(host.answered.len(), 6);
}

#[test]
fn the_world_of_a_claim_answers_before_the_host() {
    let mut b = ProgramBuilder::new();
    let generative = b.op("roll", &[], INT, OperationKind::Generative);
    let snapshot = b.op("limit", &[], INT, OperationKind::Snapshot);
    let path = b.function("path", &[("path", UNIT), ("n", INT)], INT, |d| d.local(0));
    let seven = b.function("seven", &[], INT, |d| d.int(7));
    let main = b.function("main", &[], INT, |d| {
        let asked = [d.perform(generative, &[]), d.perform(snapshot, &[])];
        d.tuple(&asked)
    });
    let program = b.program.clone();
    let mut worker = b.engine().worker(Limits::default());
    let stub = |function| Value::Closure(function, gainsay_vm::Fields::EMPTY);
    worker.set_stubs(vec![(generative, stub(path)), (snapshot, stub(seven))]);
    let value = worker.call(main, &[], &mut NoEffects).result.unwrap();
    assert_eq!(show(&program, &value), "(BranchPath([]), 7)");
}

/// A stub that performs its own operation is answered by the enclosing world.
#[test]
fn a_stub_stands_outside_its_own_world() {
    let mut b = ProgramBuilder::new();
    let op = b.op("limit", &[], INT, OperationKind::Snapshot);
    let stub = b.function("stub", &[], INT, |d| {
        let (outer, hundred) = (d.perform(op, &[]), d.int(100));
        d.builtin(INT_ADD, &[outer, hundred])
    });
    let body = b.function("body", &[], INT, |d| d.perform(op, &[]));
    let main = b.function("main", &[], INT, |d| {
        let (stub, body) = (d.closure(stub, &[]), d.closure(body, &[]));
        d.add(Term::Under { handlers: Box::new([StubAnswer::Stub(op, stub)]), body })
    });
    let mut host = EffectRecordingHost::default();
    let outcome = b.run_with(main, &[], Limits::default(), &mut host);
    assert_eq!(outcome.result.unwrap().as_int(), Some(101));
}

struct FixedRefusalHost(Refusal);

impl Host for FixedRefusalHost {
    fn perform(&mut self, _: &EffectCall<'_>) -> Result<HostAnswer, Refusal> {
        Err(self.0.clone())
    }
}

#[test]
fn a_refusal_is_a_fault_that_throws_does_not_see() {
    for (refusal, kind) in [
        (Refusal::Unanswered, FaultKind::Unanswered(OpId(0))),
        (Refusal::Failed("no disk".into()), FaultKind::HostFailed("no disk".into())),
        (Refusal::Interrupted, FaultKind::Interrupted),
        (Refusal::Discard, FaultKind::Discarded),
    ] {
        let mut b = ProgramBuilder::new();
        let op = b.op("roll", &[], INT, OperationKind::Generative);
        let body = b.function("body", &[], INT, |d| d.perform(op, &[]));
        let main = b.function("main", &[], INT, |d| {
            let body = d.closure(body, &[]);
            d.add(Term::Throws { kinds: Box::default(), body })
        });
        let fault =
            b.run_with(main, &[], Limits::default(), &mut FixedRefusalHost(refusal)).result;
        assert_eq!(fault.unwrap_err().kind, kind);
    }
}

#[test]
fn a_host_may_answer_with_a_call() {
    struct CallAnswerHost;
    impl Host for CallAnswerHost {
        fn perform(&mut self, call: &EffectCall<'_>) -> Result<HostAnswer, Refusal> {
            Ok(HostAnswer::Call(call.args[0].clone(), vec![Value::Int(20)]))
        }
    }
    let mut b = ProgramBuilder::new();
    let op = b.op("apply", &[INT], INT, OperationKind::Generative);
    let lambda =
        b.function_with_captures("lambda", 1, &[("captured", INT), ("x", INT)], INT, |d| {
            let (a, b) = (d.local(0), d.local(1));
            d.builtin(INT_ADD, &[a, b])
        });
    let main = b.function("main", &[], INT, |d| {
        let one = d.int(1);
        let closure = d.closure(lambda, &[one]);
        d.perform(op, &[closure])
    });
    let outcome = b.run_with(main, &[], Limits::default(), &mut CallAnswerHost);
    assert_eq!(outcome.result.unwrap().as_int(), Some(21));
}
