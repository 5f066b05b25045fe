//! Measures the generation of values, in compiled code without recording.

use std::fmt::Write as _;

use cpu_time::ThreadTime;
use gainsay_choice::Seed;
use gainsay_vm::{EngineKind, run_on_big_stack};

use crate::{DECLARATIONS, GeneratorBench, checked};

const TYPES: [&str; 18] = [
    "()",
    "Int",
    "(Int, Int, Int, Int)",
    "Byte",
    "Int{it != 0}",
    "Bool",
    "Char",
    "Float",
    "Str",
    "List<Int>",
    "List<Byte>",
    "Set<Int>",
    "Map<Int, Int>",
    "Option<Int>",
    "Color",
    "Tree<Int>",
    "Chain",
    "Account",
];

/// Run with `cargo test --release -p gainsay-ui --test generators speed -- --ignored --nocapture`.
#[test]
#[ignore = "measures time"]
#[expect(clippy::print_stderr, reason = "it is a measurement")]
fn speed_of_drawing() {
    const N: u64 = 200_000;
    run_on_big_stack(|| {
        let mut text = DECLARATIONS.to_owned();
        for (at, ty) in TYPES.iter().enumerate() {
            let _ = writeln!(text, "@property fn draws_{at}(x: {ty}) {{ observe true }}");
        }
        let program = checked(&text);
        let mut bench = GeneratorBench::new(&program, &[], EngineKind::best());
        let mut of_nothing = 0.0;
        for (at, ty) in TYPES.iter().enumerate() {
            let entry = bench.lowered.entries[at].expect("a property has an entry");
            let mut best = f64::MAX;
            let (mut n_steps, mut n_draws) = (0, 0);
            for _ in 0..5 {
                (n_steps, n_draws) = (0, 0);
                let start = ThreadTime::now();
                for case in 0..N {
                    bench.runner.search(Seed { run: 1, claim: 2, case }, 50);
                    n_steps += bench.search.probe(entry, &[], &mut bench.runner).steps;
                    n_draws += bench.runner.n_draws;
                }
                best = best.min(start.elapsed().as_nanos() as f64 / N as f64);
            }
            if at == 0 {
                of_nothing = best;
            }
            let own = best - of_nothing;
            let n = N as f64;
            let (steps, draws) = (n_steps as f64 / n, n_draws as f64 / n);
            eprintln!(
                "{ty}: {own:.0} ns, {draws:.1} draws, {steps:.1} steps (whole {best:.0} ns)"
            );
        }
    });
}
