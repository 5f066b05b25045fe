//! How long running takes: the works of `bench/` on every engine and in Rust, a case in which
//! nothing happens, and compiling. Budgets stand beside the figures; missing one is no failure.

mod budget;
mod compile;
mod empty_case;
pub(super) mod native;
mod owned_values;
pub(super) mod program;
pub(super) mod text_table;
pub(super) mod throughput;
pub(super) mod with_proptest;
pub(super) mod with_quickcheck;
mod workloads;

use gainsay_vm::run_on_big_stack;

use self::budget::BenchBudgets;

/// Prints everything there is to say about the speed of running.
pub(super) fn run() -> Result<(), String> {
    run_on_big_stack(|| {
        let mut budgets = BenchBudgets::default();
        workloads::report(&mut budgets, "")?;
        empty_case::report(&mut budgets)?;
        compile::report(&mut budgets)?;
        println!("\n{}", budgets.summary());
        Ok(())
    })
}

/// Prints how fast one work runs, by the beginning of its title.
pub(super) fn run_work(title: &str) -> Result<(), String> {
    run_on_big_stack(|| workloads::report(&mut BenchBudgets::default(), title))
}
