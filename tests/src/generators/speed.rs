//! How long it takes to draw values, in compiled code without recording.

use std::time::Instant;

use gainsay_choice::Seed;
use gainsay_gen::Sample;
use gainsay_vm::{EngineKind, run_on_big_stack};

use crate::{Bench, function, program_of};

/// Run with `cargo test --release -p gainsay-ui --test generators speed -- --ignored --nocapture`.
#[test]
#[ignore = "measures time"]
#[expect(clippy::disallowed_methods, clippy::print_stderr, reason = "it is a measurement")]
fn speed_of_drawing() {
    const N: u64 = 200_000;
    let types = [
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
    run_on_big_stack(|| {
        let program = program_of(&types);
        let keeps = (0..types.len()).map(|at| function(&program, &format!("keep_{at}")));
        let wanted: Vec<Sample> =
            keeps.map(|it| Sample::Type(program.function(it).params[0].ty)).collect();
        let mut bench = Bench::new(&program, &wanted, EngineKind::best());
        for (at, ty) in types.iter().enumerate() {
            let drawn = *bench.lowered.samples[at].as_ref().expect("there is a generator");
            for pass in 0..2 {
                let start = Instant::now();
                let mut n_steps = 0;
                for case in 0..N {
                    let seed = Seed { run: 1, claim: 2, case };
                    bench.runner.search(seed, 50);
                    let probe = bench.search.probe(drawn, &[], &mut bench.runner);
                    n_steps += probe.steps;
                }
                if pass == 1 {
                    let nanos = start.elapsed().as_nanos() as u64 / N;
                    eprintln!("{ty}: {nanos} ns, {} steps", n_steps / N);
                }
            }
        }
    });
}
