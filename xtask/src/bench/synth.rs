//! Benchmark of synthesis: what it takes to find a trace for each goal of `examples/synthesis`, and
//! how many runs of the generators, and of random operations, it takes to find the bug.

use gainsay::synth::{SynthesisLimits, TracePlan, synthesize};
use gainsay_test::{ClaimReport, Settings};
use gainsay_ui::{ExpectedStatus, TraceExample, TraceExampleTest, WalkKind, trace_examples};

use super::run::text_table::{ColumnAlign, TextTable, brief, grouped};
use crate::cpu_time;

/// The seeds over which runs to the bug are averaged.
const SEEDS: std::ops::Range<u64> = 0..20;

/// After this many random runs without the bug, a seed counts as a miss.
const MAX_RANDOM: u64 = 2_000;

/// The runs in which a correct system must show no bug.
const CORRECT: u64 = 10_000;

/// The figures of the paper for a goal: seconds, events, runs to the bug, and those of its baseline;
/// `None` where the baseline timed out.
type Published = (f64, u32, f64, Option<f64>);

/// Zhou et al., "Trace-guided synthesis of effectful test generators" (PLDI 2026), tables 1 and 2.
const PUBLISHED: [(&str, Published); 0] = [];

const COLUMNS: TextTable<9> = TextTable::new([
    ("", ColumnAlign::Left(30)),
    ("CPU s", ColumnAlign::Right(7)),
    ("events", ColumnAlign::Right(6)),
    ("solver", ColumnAlign::Right(6)),
    ("runs", ColumnAlign::Right(7)),
    ("random", ColumnAlign::Right(9)),
    ("paper s", ColumnAlign::Right(8)),
    ("events", ColumnAlign::Right(6)),
    ("runs", ColumnAlign::Right(5)),
]);

/// Prints the table; with a name only that example.
pub(super) fn run(only: Option<&str>) -> Result<(), String> {
    println!(
        "\nSynthesis: processor time to the first trace of each goal, its events, and calls of the\n\
         solver; runs to the bug with the generators of the goal, and with random operations and\n\
         deliveries (mean over {} seeds; > where a seed found nothing in {} runs), beside the\n\
         figures of the paper, which were measured elsewhere.\n",
        SEEDS.end,
        grouped(MAX_RANDOM as f64)
    );
    println!("{}", COLUMNS.titles());
    let mut n_faults = 0;
    for example in trace_examples().iter().filter(|it| only.is_none_or(|only| it.name == only))
    {
        for test in &example.tests {
            if test.expected == ExpectedStatus::Fail {
                println!("{}", row(example, test)?);
            } else {
                n_faults += u64::from(!is_correct(example, test));
            }
        }
    }
    println!("\ncorrect systems with a bug in {} runs: {n_faults}", grouped(CORRECT as f64));
    if n_faults > 0 { Err("synth: a correct system failed".to_owned()) } else { Ok(()) }
}

/// Whether no run of a correct system shows a bug.
fn is_correct(example: &TraceExample, test: &TraceExampleTest) -> bool {
    let settings = Settings { cases: Some(CORRECT), ..Settings::new(0) };
    let report = example.run(test, WalkKind::Synthesized, &settings);
    if !report.failures.is_empty() {
        println!("  {}: `{}` fails", example.name, test.name);
    }
    report.failures.is_empty()
}

fn row(example: &TraceExample, test: &TraceExampleTest) -> Result<String, String> {
    let goal = format!("{}.{}", test.spec, test.goal);
    let plan = TracePlan::random(example.source(test), &test.spec, &test.goal)
        .ok_or_else(|| format!("{goal} is no goal"))?;
    let found = plan.goal().ok_or("no goal")?;
    let begin = cpu_time::used();
    let limits = SynthesisLimits { traces: 1, ..SynthesisLimits::default() };
    let synthesis = synthesize(&plan.spec, found, &limits).map_err(|_| "too large")?;
    let seconds = (cpu_time::used() - begin).as_secs_f64();
    let events = synthesis.traces.first().map_or(0, |it| it.events.len());
    let published = PUBLISHED.iter().find(|it| it.0 == goal).map(|it| it.1);
    let shown = |it: Option<f64>| it.map_or_else(|| "-".to_owned(), brief);
    Ok(COLUMNS.row([
        goal.clone(),
        format!("{seconds:.3}"),
        events.to_string(),
        synthesis.first.solver_calls.to_string(),
        runs_to_bug(example, test, WalkKind::Synthesized),
        runs_to_bug(example, test, WalkKind::Random),
        shown(published.map(|it| it.0)),
        published.map_or_else(|| "-".to_owned(), |it| it.1.to_string()),
        shown(published.map(|it| it.2)),
    ]))
}

/// The mean number of runs up to the one that shows the bug.
fn runs_to_bug(example: &TraceExample, test: &TraceExampleTest, kind: WalkKind) -> String {
    let mut sum = 0;
    let mut n_missed = 0;
    for seed in SEEDS {
        let cases = Some(MAX_RANDOM);
        let settings = Settings { cases, max_shrinks: 0, ..Settings::new(seed) };
        let report = example.run(test, kind, &settings);
        let runs = runs_to_failure(&report);
        sum += runs.unwrap_or(MAX_RANDOM);
        n_missed += u64::from(runs.is_none());
    }
    let mean = brief(sum as f64 / SEEDS.end as f64);
    match n_missed {
        0 => mean,
        it if it == SEEDS.end => "none".to_owned(),
        _ => format!(">{mean}"),
    }
}

fn runs_to_failure(report: &ClaimReport) -> Option<u64> {
    let failure = report.failures.first()?;
    Some(failure.shrink.as_ref().map_or(1, |it| it.case))
}
