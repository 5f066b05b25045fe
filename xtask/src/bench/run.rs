//! How long running takes: the works of `bench/` on every engine and in Rust, a case in which
//! nothing happens, and compiling. Budgets stand beside the figures; missing one is no failure.

mod budget;
mod columns;
mod compile;
mod empty;
mod native;
mod owned;
mod pace;
mod program;
mod with_proptest;
mod with_quickcheck;
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
