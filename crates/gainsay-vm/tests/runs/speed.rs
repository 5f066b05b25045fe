//! A simple loop must not become slow. The bound is generous; run with `--release --nocapture` on
//! an idle machine for the real number.

use std::hint::black_box;

use gainsay_core::builtin::{GE, INT_ADD, INT_MUL, INT_REM};
use gainsay_vm::{Limits, NoEffects, Value};

use crate::builder::{INT, ProgramBuilder};

/// `fn f(i, n, acc, m) { if i >= n { acc } else { f(i + 1, n, (acc + i * i) % m, m) } }`
#[test]
fn a_loop_of_sums_is_not_slow() {
    let mut b = ProgramBuilder::new();
    let f = b.next();
    b.function("f", &[("i", INT), ("n", INT), ("acc", INT), ("m", INT)], INT, |d| {
        let (i, n) = (d.local(0), d.local(1));
        let condition = d.builtin(GE, &[i, n]);
        let (i, one) = (d.local(0), d.int(1));
        let next = d.builtin(INT_ADD, &[i, one]);
        let (i, again, acc, m) = (d.local(0), d.local(0), d.local(2), d.local(3));
        let square = d.builtin(INT_MUL, &[i, again]);
        let sum = d.builtin(INT_ADD, &[acc, square]);
        let rest = d.builtin(INT_REM, &[sum, m]);
        let (n, m, done) = (d.local(1), d.local(3), d.local(2));
        let again = d.call(f, &[next, n, rest, m]);
        d.if_(condition, done, again)
    });
    let mut worker = b.engine().worker(Limits::default());
    let args = [0, 1000, 0, 97].map(Value::Int);
    let n_calls = if cfg!(debug_assertions) { 10 } else { 10_000 };
    #[expect(clippy::disallowed_methods, reason = "measures time, and decides nothing by it")]
    let start = std::time::Instant::now();
    for _ in 0..n_calls {
        let outcome = worker.call(f, black_box(&args), &mut NoEffects);
        assert_eq!(
            outcome.result.unwrap().as_int(),
            Some((0..1000).map(|i| i * i).sum::<i64>() % 97)
        );
    }
    let nanos = start.elapsed().as_nanos() / (n_calls * 1000);
    assert!(nanos < 100_000, "{nanos} ns per iteration");
    #[expect(clippy::print_stderr, reason = "the number is what the test is run for")]
    {
        eprintln!("{nanos} ns per iteration");
    }
}
