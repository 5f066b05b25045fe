//! Failures and claims: `throws`, `observe`, `assume`, `?`, constants.

use gainsay_core::builtin::{EQ, FAIL, INT_DIV, LIST_AT};
use gainsay_core::{
    ConstId, Constant, FailureKind, FunctionId, Literal, ModuleId, Term, TryKind,
};
use gainsay_vm::{
    EffectCall, FailureAction, FaultKind, Host, HostAnswer, Limits, NoEffects, Observation,
    Refusal, Value,
};

use crate::builder::{BOOL, ERR, INT, NONE, OK, ProgramBuilder, SOME, span};

fn dividing_by_zero(b: &mut ProgramBuilder) -> FunctionId {
    b.function("divide", &[], INT, |d| {
        let (one, zero) = (d.int(1), d.int(0));
        d.builtin(INT_DIV, &[one, zero])
    })
}

#[test]
fn throws_sees_the_kinds_it_names() {
    let cases: [(&[FailureKind], Option<bool>); 3] = [
        (&[], Some(true)),
        (&[FailureKind::Fail, FailureKind::DivByZero], Some(true)),
        (&[FailureKind::Contract], None),
    ];
    for (kinds, expected) in cases {
        let mut b = ProgramBuilder::new();
        let body = dividing_by_zero(&mut b);
        let main = b.function("main", &[], BOOL, |d| {
            let body = d.closure(body, &[]);
            d.add(Term::Throws { kinds: kinds.into(), body })
        });
        let result = b.run(main, &[]).result;
        assert_eq!(result.ok().and_then(|value| value.as_bool()), expected);
    }
}

#[test]
fn throws_is_false_when_nothing_fails() {
    let mut b = ProgramBuilder::new();
    let body = b.function("fine", &[], INT, |d| d.int(1));
    let main = b.function("main", &[], BOOL, |d| {
        let body = d.closure(body, &[]);
        d.add(Term::Throws { kinds: Box::default(), body })
    });
    assert_eq!(b.value(main, &[]).as_bool(), Some(false));
}

#[test]
fn failures_say_what_and_where() {
    let mut b = ProgramBuilder::new();
    let f = b.function("f", &[], INT, |d| {
        let why = d.str("no such thing");
        d.builtin(FAIL, &[why])
    });
    let fault = b.fault(f, &[]);
    assert_eq!(fault.kind, FaultKind::Fail { message: "no such thing".into() });
    assert_eq!((fault.function, fault.span), (f, span(1001)));

    let mut b = ProgramBuilder::new();
    let f = b.function("f", &[], INT, |d| {
        let (one, three) = (d.int(1), d.int(3));
        let list = d.list(&[one], None);
        d.builtin(LIST_AT, &[list, three])
    });
    let what = "index 3 is out of range for a list of 1 element".to_owned();
    assert_eq!(b.fault(f, &[]).kind, FaultKind::OutOfRange { what });
}

#[test]
fn a_failed_observe_shows_both_sides() {
    let mut b = ProgramBuilder::new();
    let f = b.function("f", &[], INT, |d| {
        let (two, three) = (d.int(2), d.int(3));
        let condition = d.builtin(EQ, &[two, three]);
        d.observe(condition)
    });
    let program = b.program.clone();
    let fault = b.fault(f, &[]);
    assert_eq!(fault.kind, FaultKind::Observe);
    assert_eq!(fault.to_diagnostic(&program).notes, ["left = 2", "right = 3"]);
}

/// Continues after every failure.
#[derive(Default)]
struct ObservationCountingHost {
    held: u32,
    failed: u32,
    assumed: u32,
}

impl Host for ObservationCountingHost {
    fn perform(&mut self, _: &EffectCall<'_>) -> Result<HostAnswer, Refusal> {
        Err(Refusal::Unanswered)
    }

    fn observe(&mut self, observation: &Observation<'_>) -> FailureAction {
        *(if observation.holds { &mut self.held } else { &mut self.failed }) += 1;
        assert_eq!(observation.sides.is_some(), !observation.holds);
        FailureAction::Continue
    }

    fn assume_failed(&mut self, _: gainsay_source::Span) -> FailureAction {
        self.assumed += 1;
        FailureAction::Continue
    }
}

#[test]
fn a_host_is_notified_of_every_observation() {
    let mut b = ProgramBuilder::new();
    let f = b.function("f", &[], INT, |d| {
        let mut statements = Vec::new();
        for right in [2, 3] {
            let (two, other) = (d.int(2), d.int(right));
            let condition = d.builtin(EQ, &[two, other]);
            statements.push(gainsay_core::Statement::Drop(d.observe(condition)));
        }
        let never = d.literal(Literal::Bool(false));
        statements.push(gainsay_core::Statement::Drop(d.add(Term::Assume(never))));
        let done = d.int(1);
        d.block(statements, done)
    });
    let mut host = ObservationCountingHost::default();
    let engine = b.engine();
    let outcome = engine.worker(Limits::default()).call(f, &[], &mut host);
    assert_eq!(outcome.result.unwrap().as_int(), Some(1));
    assert_eq!((host.held, host.failed, host.assumed), (1, 1, 1));
    let fault = engine.worker(Limits::default()).call(f, &[], &mut NoEffects).result;
    assert_eq!(fault.unwrap_err().kind, FaultKind::Observe);
}

#[test]
fn try_gives_the_content_or_leaves() {
    let mut b = ProgramBuilder::new();
    let option = b.function("option", &[("x", INT)], INT, |d| {
        let x = d.local(0);
        let content = d.add(Term::Try { value: x, kind: TryKind::Option });
        let pair = d.tuple(&[content, content]);
        d.construct(SOME, &[pair])
    });
    let result = b.function("result", &[("x", INT)], INT, |d| {
        let x = d.local(0);
        d.add(Term::Try { value: x, kind: TryKind::Result })
    });
    let caller = b.function("caller", &[("x", INT)], INT, |d| {
        let x = d.local(0);
        let called = d.call(option, &[x]);
        d.tuple(&[called])
    });
    let program = b.program.clone();
    let mut worker = b.engine().worker(Limits::default());
    let mut run = |function, value| {
        let outcome = worker.call(function, &[value], &mut NoEffects);
        gainsay_vm::show(&program, &outcome.result.unwrap())
    };
    assert_eq!(run(option, Value::data(SOME, vec![Value::Int(1)])), "Some((1, 1))");
    assert_eq!(run(option, Value::data(NONE, vec![])), "None");
    assert_eq!(run(caller, Value::data(NONE, vec![])), "(None)");
    assert_eq!(run(result, Value::data(OK, vec![Value::Int(1)])), "1");
    assert_eq!(run(result, Value::data(ERR, vec![Value::Int(2)])), "Err(2)");
}

#[test]
fn constants_are_computed_once_and_on_their_own_budget() {
    let mut b = ProgramBuilder::new();
    let long = b.next();
    b.function("long", &[("n", INT)], INT, |d| {
        let (n, zero, one) = (d.local(0), d.int(0), d.int(1));
        let condition = d.builtin(EQ, &[n, zero]);
        let less = d.builtin(gainsay_core::builtin::INT_SUB, &[n, one]);
        let (done, again) = (d.int(42), d.call(long, &[less]));
        d.if_(condition, done, again)
    });
    let computed = b.function("ANSWER", &[], INT, |d| {
        let n = d.int(500);
        d.call(long, &[n])
    });
    let failing = dividing_by_zero(&mut b);
    for (name, function) in [("ANSWER", computed), ("BAD", failing)] {
        let (module, span) = (ModuleId(0), span(0));
        b.program.constants.push(Constant {
            name: name.into(),
            module,
            ty: INT,
            function,
            span,
        });
    }
    let use_ = |b: &mut ProgramBuilder, at| {
        b.function("main", &[], INT, |d| d.add(Term::Constant(ConstId(at))))
    };
    let (good, bad) = (use_(&mut b, 0), use_(&mut b, 1));
    let mut worker = b.engine().worker(Limits { steps: 502, ..Limits::default() });
    for _ in 0..2 {
        let outcome = worker.call(good, &[], &mut NoEffects);
        assert_eq!((outcome.result.unwrap().as_int(), outcome.steps), (Some(42), 1));
        let fault = worker.call(bad, &[], &mut NoEffects).result.unwrap_err();
        assert_eq!(fault.kind, FaultKind::DivByZero);
        assert_eq!(fault.call_stack.inner().len(), 2);
    }
}

#[test]
fn a_cancelling_par_leaves_with_the_leftmost_error() {
    let mut b = ProgramBuilder::new();
    let good = b.function("good", &[], INT, |d| {
        let one = d.int(1);
        d.construct(OK, &[one])
    });
    let bad = b.function("bad", &[], INT, |d| {
        let two = d.int(2);
        d.construct(ERR, &[two])
    });
    let worse = b.function("worse", &[], INT, |d| {
        let three = d.int(3);
        d.construct(ERR, &[three])
    });
    let failing = dividing_by_zero(&mut b);
    let main = |b: &mut ProgramBuilder, branches: [FunctionId; 3]| {
        b.function("main", &[], INT, |d| {
            let branches = branches.map(|branch| d.closure(branch, &[])).into();
            d.add(Term::Par { branches, cancelling: true })
        })
    };
    let (fine, stopped) = (main(&mut b, [good; 3]), main(&mut b, [good, bad, worse]));
    let broken = main(&mut b, [good, bad, failing]);
    let program = b.program.clone();
    let mut worker = b.engine().worker(Limits::default());
    let value = worker.call(fine, &[], &mut NoEffects).result.unwrap();
    assert_eq!(gainsay_vm::show(&program, &value), "(1, 1, 1)");
    let value = worker.call(stopped, &[], &mut NoEffects).result.unwrap();
    assert_eq!(gainsay_vm::show(&program, &value), "Err(2)");
    // An error cancels nothing: the other branches still run, and may fault.
    let fault = worker.call(broken, &[], &mut NoEffects).result.unwrap_err();
    assert_eq!(fault.kind, FaultKind::DivByZero);
}
