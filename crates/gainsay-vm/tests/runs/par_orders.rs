//! `par` orders: branches run in another order, and everything else follows the source.

use std::sync::Arc;

use gainsay_core::builtin::INT_ADD;
use gainsay_core::{ConstId, Constant, FunctionId, ModuleId, OperationKind, Term, TermId};
use gainsay_vm::{
    CallOutcome, EffectCall, Engine, EngineKind, FaultKind, Host, HostAnswer, Limits, ParOrder,
    Refusal, Value, show,
};

use crate::builder::{BodyBuilder, ERR, INT, OK, ProgramBuilder, span};

/// Answers with the number of the call; refuses calls on one path.
#[derive(Default)]
struct PathRecordingHost {
    paths: Vec<Vec<u32>>,
    refused: Option<Vec<u32>>,
}

impl Host for PathRecordingHost {
    fn perform(&mut self, call: &EffectCall<'_>) -> Result<HostAnswer, Refusal> {
        self.paths.push(call.path.to_vec());
        if self.refused.as_deref() == Some(call.path) {
            return Err(Refusal::Failed("refused".to_owned()));
        }
        Ok(Value::Int(self.paths.len() as i64).into())
    }
}

/// Runs a function in an order on each engine; the outcomes must agree.
fn run(
    b: &ProgramBuilder,
    function: FunctionId,
    order: &[u32],
) -> (CallOutcome, Vec<Vec<u32>>) {
    let runs = EngineKind::ALL.map(|kind| {
        let engine = Engine::new(Arc::new(b.program.clone()), kind);
        let mut worker = engine.worker(Limits::default());
        worker.set_par_order(ParOrder::new(order));
        let mut host = PathRecordingHost::default();
        (worker.call(function, &[], &mut host), host.paths)
    });
    let [interpreted, compiled] = runs;
    assert_eq!(interpreted.1, compiled.1);
    let (a, b) = (&interpreted.0, &compiled.0);
    assert_eq!((a.steps, a.words), (b.steps, b.words));
    match (&a.result, &b.result) {
        (Ok(a), Ok(b)) => assert!(gainsay_vm::same(a, b)),
        (Err(a), Err(b)) => assert_eq!((&a.kind, a.span), (&b.kind, b.span)),
        (Ok(_), Err(_)) | (Err(_), Ok(_)) => panic!("{a:?} and {b:?}"),
    }
    interpreted
}

fn par(d: &mut BodyBuilder, branches: &[FunctionId]) -> TermId {
    let branches = branches.iter().map(|branch| d.closure(*branch, &[])).collect();
    d.add(Term::Par { branches, cancelling: false })
}

/// A function that performs one effect, and one that performs two.
fn rolls(b: &mut ProgramBuilder) -> [FunctionId; 2] {
    let op = b.op("roll", &[], INT, OperationKind::Generative);
    let once = b.function("once", &[], INT, |d| d.perform(op, &[]));
    let twice = b.function("twice", &[], INT, |d| {
        let asked = [d.perform(op, &[]), d.perform(op, &[])];
        d.builtin(INT_ADD, &asked)
    });
    [once, twice]
}

#[test]
fn results_land_where_their_branches_are_written() {
    let mut b = ProgramBuilder::new();
    let [once, twice] = rolls(&mut b);
    let main = b.function("main", &[], INT, |d| par(d, &[once, twice, once]));
    let mut costs = Vec::new();
    for (order, value, paths) in [
        (&[][..], "(1, 5, 4)", [0, 1, 1, 2]),
        (&[0, 1, 2], "(1, 5, 4)", [0, 1, 1, 2]),
        (&[2, 1, 0], "(4, 5, 1)", [2, 1, 1, 0]),
        (&[1, 0], "(3, 3, 4)", [1, 1, 0, 2]),
        (&[3, 2, 0, 1], "(2, 7, 1)", [2, 0, 1, 1]),
    ] {
        let (outcome, asked) = run(&b, main, order);
        assert_eq!(show(&b.program, &outcome.result.unwrap()), value, "{order:?}");
        assert_eq!(asked, paths.map(|branch| vec![branch]), "{order:?}");
        costs.push((outcome.steps, outcome.words));
    }
    assert!(costs.iter().all(|it| *it == costs[0]), "{costs:?}");
}

#[test]
fn groups_inside_branches_keep_to_the_order_too() {
    let mut b = ProgramBuilder::new();
    let [once, _] = rolls(&mut b);
    let inner = b.function("inner", &[], INT, |d| par(d, &[once, once]));
    let main = b.function("main", &[], INT, |d| par(d, &[once, inner]));
    let (outcome, asked) = run(&b, main, &[1, 0]);
    assert_eq!(show(&b.program, &outcome.result.unwrap()), "(3, (2, 1))");
    assert_eq!(asked, [vec![1, 1], vec![1, 0], vec![0]]);
}

#[test]
fn a_run_ends_at_the_first_branch_that_fails_in_its_order() {
    let mut b = ProgramBuilder::new();
    let [once, _] = rolls(&mut b);
    let failing = |b: &mut ProgramBuilder, why: &str| {
        b.function("failing", &[], INT, |d| {
            let why = d.str(why);
            d.builtin(gainsay_core::builtin::FAIL, &[why])
        })
    };
    let (left, right) = (failing(&mut b, "left"), failing(&mut b, "right"));
    let main = b.function("main", &[], INT, |d| par(d, &[left, once, right]));
    for (order, why, n_asked) in
        [(&[0, 1, 2], "left", 0), (&[2, 1, 0], "right", 0), (&[1, 2, 0], "right", 1)]
    {
        let (outcome, asked) = run(&b, main, order);
        assert_eq!(outcome.result.unwrap_err().kind, failed(why));
        assert_eq!(asked.len(), n_asked);
    }
}

#[test]
fn the_leftmost_error_wins_in_every_order_once_all_have_run() {
    let mut b = ProgramBuilder::new();
    let op = b.op("roll", &[], INT, OperationKind::Generative);
    let asking = |b: &mut ProgramBuilder, ctor| {
        b.function("asking", &[], INT, |d| {
            let asked = d.perform(op, &[]);
            d.construct(ctor, &[asked])
        })
    };
    let (good, bad) = (asking(&mut b, OK), asking(&mut b, ERR));
    let main = b.function("main", &[], INT, |d| {
        let branches = [good, bad, bad].map(|branch| d.closure(branch, &[])).into();
        d.add(Term::Par { branches, cancelling: true })
    });
    for (order, value) in
        [(&[0, 1, 2], "Err(2)"), (&[2, 1, 0], "Err(2)"), (&[1, 0, 2], "Err(1)")]
    {
        let (outcome, asked) = run(&b, main, order);
        assert_eq!(show(&b.program, &outcome.result.unwrap()), value);
        assert_eq!(asked.len(), 3);
    }
}

#[test]
fn a_refusal_is_explained_in_the_same_order() {
    let mut b = ProgramBuilder::new();
    let [once, twice] = rolls(&mut b);
    let main = b.function("main", &[], INT, |d| par(d, &[twice, once]));
    let engine = Engine::new(Arc::new(b.program.clone()), EngineKind::best());
    let mut worker = engine.worker(Limits::default());
    worker.set_par_order(Some(ParOrder::reversed(2)));
    let mut host = PathRecordingHost { paths: Vec::new(), refused: Some(vec![0]) };
    let fault = worker.call(main, &[], &mut host).result.unwrap_err();
    assert_eq!(fault.kind, FaultKind::HostFailed("refused".to_owned()));
    assert_eq!(host.paths, [vec![1], vec![0]]);
    assert_eq!(fault.call_stack.inner().len(), 2, "the calls around it are known");
}

#[test]
fn constants_are_computed_as_written() {
    let mut b = ProgramBuilder::new();
    let failing = |b: &mut ProgramBuilder, why: &str| {
        b.function("failing", &[], INT, |d| {
            let why = d.str(why);
            d.builtin(gainsay_core::builtin::FAIL, &[why])
        })
    };
    let (left, right) = (failing(&mut b, "left"), failing(&mut b, "right"));
    let function = b.function("constant", &[], INT, |d| par(d, &[left, right]));
    b.program.constants.push(Constant {
        name: "C".into(),
        module: ModuleId(0),
        ty: INT,
        function,
        span: span(0),
    });
    let main = b.function("main", &[], INT, |d| d.add(Term::Constant(ConstId(0))));
    let (outcome, _) = run(&b, main, &[1, 0]);
    assert_eq!(outcome.result.unwrap_err().kind, failed("left"));
}

fn failed(why: &str) -> FaultKind {
    FaultKind::Fail { message: why.to_owned() }
}
