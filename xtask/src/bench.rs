//! Benchmarks of checking, running and testing, in release mode: `cargo xtask bench` runs all.
//!
//! `check` generates projects of two sizes and checks them through the library: the time per line
//! must not grow with the size. `run` compares programs under `bench/` with the same work in Rust,
//! and measures compilation and an empty case. `property` compares whole runs of properties with
//! Rust's property testing libraries. `laws` counts cases of `verify` blocks, and `mutate` mutants,
//! per second. `solve` compares values that checkers find with generators by hand,
//! `synth` generators of operation sequences with random ones. `bugs`, which is not part of all,
//! counts the seeds that find each seeded bug of `tests/bugs`.

mod bench_claims;
mod bugs;
mod check;
mod generated_project;
mod laws;
mod mutate;
mod property;
mod run;
mod solve;
mod synth;

use std::env;
use std::process::Command;

/// Runs a benchmark; rebuilds this program with optimisation first if necessary.
pub(crate) fn run(arguments: &[&str]) -> Result<(), String> {
    if cfg!(debug_assertions) {
        return again_in_release(arguments);
    }
    match arguments {
        [] => check::run()
            .and_then(|()| run::run())
            .and_then(|()| property::run())
            .and_then(|()| laws::run())
            .and_then(|()| mutate::run())
            .and_then(|()| solve::run(None))
            .and_then(|()| synth::run(None)),
        ["bugs"] => bugs::run(None),
        ["bugs", name] => bugs::run(Some(name)),
        ["check"] => check::run(),
        ["run"] => run::run(),
        ["property"] => property::run(),
        ["laws"] => laws::run(),
        ["mutate"] => mutate::run(),
        ["run", work] => run::run_work(work),
        ["solve"] => solve::run(None),
        ["solve", name] => solve::run(Some(name)),
        ["synth"] => synth::run(None),
        ["synth", name] => synth::run(Some(name)),
        _ => Err(crate::USAGE.to_owned()),
    }
}

fn again_in_release(arguments: &[&str]) -> Result<(), String> {
    let status = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["run", "--release", "--quiet", "--package", "xtask", "--", "bench"])
        .args(arguments)
        .current_dir(gainsay_ui::root())
        .status()
        .map_err(|error| format!("cannot start cargo: {error}"))?;
    if status.success() { Ok(()) } else { Err("bench: failed".to_owned()) }
}
