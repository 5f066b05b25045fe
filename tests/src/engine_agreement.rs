//! Both engines agree on generated programs.

use std::thread;

use gainsay_ui::differential::{OccurrenceCounts, TestProgramRecipe, compare};
use gainsay_vm::run_on_big_stack;

/// The number of programs tested here; `cargo xtask differ` tests many more.
const N_PROGRAMS: u64 = 2_000;

#[test]
fn engines_agree_on_generated_programs() {
    let n_threads = thread::available_parallelism().map_or(1, usize::from) as u64;
    let mut census = OccurrenceCounts::default();
    thread::scope(|scope| {
        let compare_share = |first: u64| {
            let seeds = (first..N_PROGRAMS).step_by(n_threads as usize);
            run_on_big_stack(|| compare_all(seeds))
        };
        let threads: Vec<_> =
            (0..n_threads).map(|first| scope.spawn(move || compare_share(first))).collect();
        for thread in threads {
            census.merge(&thread.join().expect("engines agree"));
        }
    });
    let missing = census.missing();
    assert!(missing.is_empty(), "never occurred: {missing:?}\n{census}");
    let percent = census.n_values * 100 / census.n_calls;
    assert!((60..=85).contains(&percent), "{percent} % of the calls end in a value");
}

fn compare_all(seeds: impl Iterator<Item = u64>) -> OccurrenceCounts {
    let mut census = OccurrenceCounts::default();
    for seed in seeds {
        if let Err(text) = compare(TestProgramRecipe::of_seed(seed), &mut census) {
            panic!("seed {seed}:\n{text}");
        }
    }
    census
}
