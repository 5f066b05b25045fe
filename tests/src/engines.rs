//! Both engines give the same for generated programs.

use gainsay_ui::differ::{Census, Recipe, compare};
use gainsay_vm::run_on_big_stack;

/// How many programs are tried here; `cargo xtask differ` tries many more.
const N_PROGRAMS: u64 = 2_000;

#[test]
fn engines_agree_on_generated_programs() {
    let census = run_on_big_stack(|| {
        let mut census = Census::default();
        for seed in 0..N_PROGRAMS {
            if let Err(text) = compare(Recipe::of_seed(seed), &mut census) {
                panic!("seed {seed}:\n{text}");
            }
        }
        census
    });
    let missing = census.missing();
    assert!(missing.is_empty(), "never occurred: {missing:?}\n{census}");
    let percent = census.n_values * 100 / census.n_calls;
    assert!((50..=85).contains(&percent), "{percent} % of the calls end in a value");
}
