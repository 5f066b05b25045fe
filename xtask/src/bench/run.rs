//! How long running takes: the works of `bench/` on every engine and in Rust, a case in which
//! nothing happens, and compiling. Budgets stand beside the figures; missing one is no failure.

mod budget;
pub(super) mod columns;
mod compile;
mod empty;
pub(super) mod native;
mod owned;
pub(super) mod pace;
pub(super) mod program;
pub(super) mod with_proptest;
pub(super) mod with_quickcheck;
mod works;

use gainsay_vm::run_on_big_stack;

use self::budget::Budgets;

/// Prints everything there is to say about the speed of running.
pub(super) fn run() -> Result<(), String> {
    run_on_big_stack(|| {
        let mut budgets = Budgets::default();
        works::report(&mut budgets, "")?;
        empty::report(&mut budgets)?;
        compile::report(&mut budgets)?;
        println!("\n{}", budgets.summary());
        Ok(())
    })
}

/// Prints how fast one work runs, by the beginning of its title.
pub(super) fn run_work(title: &str) -> Result<(), String> {
    run_on_big_stack(|| works::report(&mut Budgets::default(), title))
}
