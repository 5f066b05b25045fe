//! Benchmark of checking.

use gainsay_source::{RenderStyle, render};
use gainsay_ui::{map_in_parallel, memory_peak};

use super::generated_project::project;
use crate::cpu_time;

/// The project sizes in lines; the smaller first, because peak memory is that of the whole process.
const SIZES: [usize; 2] = [10_000, 100_000];

/// The number of measurements per size.
const N_ROUNDS: usize = 5;

/// Prints the time and memory of checking two sizes, and how the time grows.
pub(super) fn run() -> Result<(), String> {
    let seconds = SIZES.map(|n_lines| {
        map_in_parallel(&[n_lines], |n_lines| measure(*n_lines))
            .pop()
            .unwrap_or_else(|| Err("nothing was measured".to_owned()))
            .and_then(|it| it)
    });
    let [small, large] = seconds;
    let ratio = large? / small?;
    println!("time of 10 times the lines: {ratio:.1} times");
    Ok(())
}

fn measure(n_lines: usize) -> Result<f64, String> {
    let modules = project(n_lines);
    let n_written: usize = modules.iter().map(|it| it.text.lines().count()).sum();
    let mut seconds = Vec::new();
    for _ in 0..N_ROUNDS {
        let before = cpu_time::used();
        let checked = gainsay_ui::check(&modules);
        seconds.push((cpu_time::used() - before).as_secs_f64());
        if let Some(first) = checked.diagnostics.first() {
            return Err(render(&checked.files, first, RenderStyle::Plain));
        }
    }
    seconds.sort_by(f64::total_cmp);
    let median = seconds[N_ROUNDS / 2];
    let megabytes = memory_peak(std::process::id()) >> 20;
    println!("{n_written} lines: {median:.3} s of processor, peak {megabytes} MiB");
    Ok(median)
}
