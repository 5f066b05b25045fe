//! Fast paths: a host that uses them receives the same operations, in the same order, as one that
//! does not.

use std::sync::Arc;

use gainsay_core::builtin::{INT_ADD, INT_DIV, INT_MUL, INT_SUB};
use gainsay_core::{FunctionId, OpId, OperationKind, Program, Term, TermId, Ty};
use gainsay_vm::{EffectCall, Host, HostAnswer, Limits, Refusal, Value, is_small_int};
use num_bigint::BigInt;

use crate::builder::{INT, ProgramBuilder};
use crate::jit_faults::{assert_same_outcome, workers};

/// Answers with a function of the operations so far, and records them.
struct FastAnswerHost {
    /// Every n-th fast-path call is declined.
    declines: usize,
    calls: Vec<(OpId, Vec<BigInt>)>,
    n_quick: usize,
    /// The operation that is answered with a list element.
    chooses: Option<OpId>,
}

impl FastAnswerHost {
    fn new(declines: usize) -> Self {
        Self { declines, calls: Vec::new(), n_quick: 0, chooses: None }
    }

    fn answer(&mut self, op: OpId, args: Vec<BigInt>) -> BigInt {
        let sum: BigInt = args.iter().map(|arg| arg * 3).sum();
        self.calls.push((op, args));
        sum + self.calls.len()
    }

    fn chosen(&mut self, op: OpId, n: usize) -> usize {
        self.calls.push((op, vec![n.into()]));
        self.calls.len() % n
    }

    fn is_fast_declined(&self) -> bool {
        self.calls.len() % self.declines == self.declines - 1
    }
}

impl Host for FastAnswerHost {
    fn perform(&mut self, call: &EffectCall<'_>) -> Result<HostAnswer, Refusal> {
        if let [Value::List(items)] = call.args {
            let items: Vec<Value> = items.iter().cloned().collect();
            if Some(call.op) == self.chooses {
                return Ok(items[self.chosen(call.op, items.len())].clone().into());
            }
            let ints = items.iter().filter_map(Value::as_big).collect();
            return Ok(Value::int(self.answer(call.op, ints)).into());
        }
        let args = call.args.iter().filter_map(Value::as_big).collect();
        Ok(Value::int(self.answer(call.op, args)).into())
    }

    fn fast_answer(&mut self, op: OpId, args: &[i64]) -> Option<i64> {
        assert!(args.iter().all(|arg| is_small_int(*arg)), "{args:?}");
        if self.is_fast_declined() {
            return None;
        }
        let answer = self.answer(op, args.iter().copied().map(BigInt::from).collect());
        let small = i64::try_from(&answer).ok().filter(|it| is_small_int(*it));
        if small.is_none() {
            // `perform` will record it again.
            self.calls.pop();
        }
        self.n_quick += usize::from(small.is_some());
        small
    }

    fn fast_choice(&mut self, op: OpId, n: usize) -> Option<usize> {
        if self.chooses != Some(op) || self.is_fast_declined() {
            return None;
        }
        self.n_quick += 1;
        Some(self.chosen(op, n))
    }
}

/// A function that performs operations on no, one, two and three integers: parameters, literals,
/// computed values, and answers; then it divides, which may fail.
fn asking() -> (Arc<Program>, FunctionId) {
    let mut b = ProgramBuilder::new();
    let none = b.op("none", &[], INT, OperationKind::Generative);
    let one = b.op("one", &[INT], INT, OperationKind::Generative);
    let two = b.op("two", &[INT, INT], INT, OperationKind::Generative);
    let three = b.op("three", &[INT, INT, INT], INT, OperationKind::Generative);
    let f = b.function("f", &[("x", INT), ("y", INT)], INT, |d| {
        let nothing = d.perform(none, &[]);
        let x = d.local(0);
        let of_param = d.perform(one, &[x]);
        let (x, by, y) = (d.local(0), d.int(1), d.local(1));
        let next = d.builtin(INT_ADD, &[x, by]);
        let of_sum = d.perform(two, &[next, y]);
        let (x, y, again) = (d.local(0), d.local(1), d.local(0));
        let product = d.builtin(INT_MUL, &[x, y]);
        let answered = d.perform(one, &[again]);
        let of_product = d.perform(two, &[answered, product]);
        let (low, high) = (d.int(0), d.int(7));
        let of_literals = d.perform(two, &[low, high]);
        let (by, x, y) = (d.int(5), d.local(0), d.local(1));
        let of_three = d.perform(three, &[by, x, y]);
        let (x, y) = (d.local(0), d.local(1));
        let difference = d.builtin(INT_SUB, &[x, y]);
        let sum = d.builtin(INT_ADD, &[nothing, of_param]);
        let sum = d.builtin(INT_ADD, &[sum, of_sum]);
        let sum = d.builtin(INT_ADD, &[sum, of_product]);
        let sum = d.builtin(INT_ADD, &[sum, of_literals]);
        let sum = d.builtin(INT_ADD, &[sum, of_three]);
        d.builtin(INT_DIV, &[sum, difference])
    });
    (Arc::new(b.program), f)
}

/// A function that performs operations on lists, including a choice of an element; then it divides.
fn asking_of_lists() -> (Arc<Program>, FunctionId, OpId) {
    let mut b = ProgramBuilder::new();
    let ints = b.ty(Ty::List(INT));
    let any = b.ty(Ty::Param(0));
    let list = b.ty(Ty::List(any));
    let weigh = b.op("weigh", &[ints], INT, OperationKind::Generative);
    let pick = b.op("pick", &[list], any, OperationKind::Generative);
    b.program.ops[pick.0 as usize].n_type_params = 1;
    let f = b.function("f", &[("x", INT), ("y", INT)], INT, |d| {
        let (x, y, seven) = (d.local(0), d.local(1), d.int(7));
        let three = d.list(&[x, y, seven], None);
        let weighed = d.perform(weigh, &[three]);
        let many: Vec<TermId> = (0..40).map(|it| d.int(it)).collect();
        let many = d.list(&many, None);
        let long = d.perform(weigh, &[many]);
        let (x, y, seven) = (d.local(0), d.local(1), d.int(7));
        let three = d.list(&[x, y, seven], None);
        let one = d.add(Term::Perform {
            op: pick,
            type_args: Box::new([INT]),
            args: Box::new([three]),
        });
        let (x, y) = (d.local(0), d.local(1));
        let difference = d.builtin(INT_SUB, &[x, y]);
        let sum = d.builtin(INT_ADD, &[weighed, long]);
        let sum = d.builtin(INT_ADD, &[sum, one]);
        d.builtin(INT_DIV, &[sum, difference])
    });
    (Arc::new(b.program), f, pick)
}

#[test]
fn quick_answers_are_those_to_the_same_questions() {
    let (program, f) = asking();
    assert_same_questions(&program, f, None);
}

#[test]
fn quick_answers_about_lists_are_those_to_the_same_questions() {
    let (program, f, pick) = asking_of_lists();
    assert_same_questions(&program, f, Some(pick));
}

fn assert_same_questions(program: &Arc<Program>, f: FunctionId, chooses: Option<OpId>) {
    let edge = BigInt::from(1_i64 << 62);
    let some = [0, 1, -1, 5].map(BigInt::from).into_iter();
    let at_edges = [-2, -1, 0, 1].into_iter().flat_map(|by| [&edge + by, -&edge + by]);
    let ints: Vec<Value> = some.chain(at_edges).map(Value::int).collect();
    for declines in [1, 2, 3, 1000] {
        let mut workers = workers(program, Limits::default());
        let mut n_quick = [0, 0];
        for x in &ints {
            for y in &ints {
                let args = [x.clone(), y.clone()];
                let mut hosts = [(); 2]
                    .map(|()| FastAnswerHost { chooses, ..FastAnswerHost::new(declines) });
                let mut asked = workers.iter_mut().zip(&mut hosts);
                let mut call = || {
                    let (worker, host) = asked.next().expect("two engines");
                    worker.call(f, &args, host)
                };
                assert_same_outcome(program, [call(), call()], &format!("{args:?}"));
                assert_eq!(hosts[0].calls, hosts[1].calls, "{args:?}");
                for (sum, host) in n_quick.iter_mut().zip(&hosts) {
                    *sum += host.n_quick;
                }
            }
        }
        assert_eq!(n_quick[0], 0, "the interpreter asks in full");
        assert_eq!(n_quick[1] > 0, declines > 1, "one of {declines}");
    }
}
