//! Benchmark of running: the workloads of `bench/` on every engine and in Rust, an empty case, and
//! compilation. Budgets are printed beside the figures; missing one is not an error.

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

/// Prints all benchmarks of running.
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

/// Prints the benchmark of one workload, by a prefix of its title.
pub(super) fn run_work(title: &str) -> Result<(), String> {
    run_on_big_stack(|| workloads::report(&mut BenchBudgets::default(), title))
}
