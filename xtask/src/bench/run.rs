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

/// Prints everything there is to say about the speed of running, or of some works only, by
/// how their titles begin.
pub(super) fn run(titles: &[&str]) -> Result<(), String> {
    run_on_big_stack(|| {
        let mut budgets = Budgets::default();
        works::report(titles, &mut budgets)?;
        if !titles.is_empty() {
            return Ok(());
        }
        empty::report(&mut budgets)?;
        compile::report(&mut budgets)?;
        println!("\n{}", budgets.summary());
        Ok(())
    })
}
