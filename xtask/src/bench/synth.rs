//! Benchmark of synthesis: what it takes to find a trace for each goal of `examples/synthesis`, how
//! many runs of the generators, and of random operations, it takes to find the bug, and whether
//! correct systems pass.

use gainsay::synth::{SynthesisLimits, TracePlan, synthesize};
use gainsay_test::{ClaimReport, Settings};
use gainsay_ui::{
    ExpectedStatus, TraceExample, TraceExampleTest, WalkKind, map_in_parallel, trace_examples,
};

use super::run::text_table::{ColumnAlign, TextTable, brief, grouped};
use crate::cpu_time;

/// The seeds over which runs to the bug are averaged.
const SEEDS: std::ops::Range<u64> = 0..20;

/// The seeds of random runs, which take longer.
const RANDOM_SEEDS: std::ops::Range<u64> = 0..3;

/// After this many runs without the bug, a seed counts as a miss.
const MAX_RUNS: u64 = 500;

/// The runs in which a correct system must show no bug.
const CORRECT_RUNS: u64 = 10_000;

/// The figures of the paper for a goal: seconds, events, and runs to the bug; `None` where it found
/// none.
type Published = (f64, u32, Option<f64>);

/// Zhou et al., "Trace-guided synthesis of effectful test generators" (PLDI 2026), tables 1 and 2,
/// and for the weakened rules tables 5 and 6.
const PUBLISHED: [(&str, Published); 34] = [
    ("Anon.read_own_write", (18.35, 16, Some(1.0))),
    ("BankServer.refused", (0.17, 5, Some(1.0))),
    ("Chain.lost", (19.24, 12, Some(1.0))),
    ("Courseware.lost_enrolment", (27.71, 18, Some(1.0))),
    ("Database.stale_read", (0.32, 6, Some(1.0))),
    ("Stlc.first_order", (40.38, 18, Some(1.5))),
    ("Stlc.higher_order", (91.73, 18, Some(1.4))),
    ("Filesystem.orphan", (6.02, 13, Some(1.3))),
    ("Firewall.dropped", (0.59, 10, Some(1.0))),
    ("Graph.connected", (16.61, 16, Some(1.0))),
    ("GraphW.connected", (1.67, 11, Some(1.0))),
    ("HashTable.lost_update", (0.76, 6, Some(1.0))),
    ("HashTableW.lost_update", (0.84, 6, Some(1.0))),
    ("HeartBeat.false_alarm", (1.10, 14, Some(1.0))),
    ("IFC.t_store", (1.02, 8, Some(2.8))),
    ("IFC.t_add", (0.96, 8, Some(1.6))),
    ("IFC.t_load", (5.76, 16, Some(15.4))),
    ("IFCW.t_store", (0.89, 8, Some(6.0))),
    ("IFCW.t_add", (0.99, 8, Some(3.4))),
    ("IFCW.t_load", (5.01, 16, Some(115.4))),
    ("NFA.three_edges", (21.85, 26, Some(1.0))),
    ("Paxos.two_values", (23.70, 14, Some(1.0))),
    ("PaxosW.two_values", (21.83, 12, None)),
    ("Raft.split", (26.84, 12, Some(1.0))),
    ("Register.torn", (2.89, 15, Some(1.2))),
    ("Ring.two_leaders", (0.83, 8, Some(1.0))),
    ("Set.members", (1.28, 12, Some(1.0))),
    ("Shopping.stale_cart", (22.10, 17, Some(1.0))),
    ("SmallBank.unstable", (163.55, 28, Some(1.9))),
    ("Stack.lost", (0.60, 15, Some(1.0))),
    ("StackW.lost", (0.92, 15, Some(1.2))),
    ("TransactionW.atomic", (2.61, 15, None)),
    ("Twitter.fractured", (61.96, 24, Some(1.0))),
    ("TwoPC.torn", (1.03, 8, Some(2.1))),
];

const COLUMNS: TextTable<9> = TextTable::new([
    ("", ColumnAlign::Left(27)),
    ("CPU s", ColumnAlign::Right(7)),
    ("events", ColumnAlign::Right(6)),
    ("solver", ColumnAlign::Right(6)),
    ("runs", ColumnAlign::Right(7)),
    ("random", ColumnAlign::Right(8)),
    ("paper s", ColumnAlign::Right(7)),
    ("events", ColumnAlign::Right(6)),
    ("runs", ColumnAlign::Right(5)),
]);

/// A test of an example.
type Row<'a> = (&'a TraceExample, &'a TraceExampleTest);

/// Prints the table; with a name only that example.
pub(super) fn run(only: Option<&str>) -> Result<(), String> {
    println!(
        "\nSynthesis: processor time to the first trace of each goal, its events, and calls of the\n\
         solver; runs to the bug with the generators of the goal (mean over {} seeds), and with\n\
         random operations and deliveries (mean over {}; > where a seed found nothing in {} runs),\n\
         beside the figures of the paper, which were measured elsewhere.\n",
        SEEDS.end,
        RANDOM_SEEDS.end,
        grouped(MAX_RUNS as f64)
    );
    println!("{}", COLUMNS.titles());
    let examples = trace_examples();
    let examples = examples.iter().filter(|it| only.is_none_or(|only| it.name == only));
    let rows: Vec<Row<'_>> =
        examples.flat_map(|it| it.tests.iter().map(move |test| (it, test))).collect();
    let (mut faulty, mut correct) = (Vec::new(), Vec::new());
    for row in rows {
        match row.1.expected {
            ExpectedStatus::Fail | ExpectedStatus::Missed => faulty.push(row),
            ExpectedStatus::Pass => correct.push(row),
            ExpectedStatus::Vacuous => {}
        }
    }
    // Alone, so that nothing else takes processor time.
    let found = faulty.iter().map(|it| find_trace(*it)).collect::<Result<Vec<_>, _>>()?;
    let runs = map_in_parallel(&faulty, |row| runs_to_bug(*row));
    for ((row, found), runs) in faulty.iter().zip(&found).zip(runs) {
        println!("{}", text_row(row.1, found, &runs?));
    }
    let faults = map_in_parallel(&correct, |row| faults_of_correct(*row));
    let faults = faults.into_iter().collect::<Result<Vec<_>, _>>()?;
    let faults: Vec<String> = faults.into_iter().flatten().collect();
    println!(
        "\n{} correct systems, {} runs each: {} with a bug",
        correct.len(),
        grouped(CORRECT_RUNS as f64),
        faults.len()
    );
    if faults.is_empty() { Ok(()) } else { Err(format!("synth: {}", faults.join("\nsynth: "))) }
}

/// What is wrong if runs of a correct system show a bug, or are not as many as they should be.
fn faults_of_correct((example, test): Row<'_>) -> Option<String> {
    let settings = Settings { cases: Some(CORRECT_RUNS), max_shrinks: 0, ..Settings::new(0) };
    let report = example.run(test, WalkKind::Synthesized, &settings);
    let name = format!("{}: `{}`", example.name, test.name);
    if !report.failures.is_empty() {
        return Some(format!("{name} fails"));
    }
    let n_runs = report.cases;
    (n_runs < CORRECT_RUNS).then(|| format!("{name} stops after {n_runs} runs"))
}

/// The first trace of a goal.
struct FoundTrace {
    seconds: f64,
    n_events: usize,
    solver_calls: u64,
}

fn find_trace((example, test): Row<'_>) -> Result<FoundTrace, String> {
    let plan = TracePlan::random(example.source(test), &test.spec, &test.goal);
    let plan = plan.ok_or_else(|| format!("{} is no goal", goal_name(test)))?;
    let goal = plan.spec.goals.iter().find(|it| it.name == test.goal).ok_or("no goal")?;
    let begin = cpu_time::used();
    let limits = SynthesisLimits { traces: 1, ..SynthesisLimits::default() };
    let synthesis = synthesize(&plan.spec, goal, &limits).map_err(|_| "too large")?;
    let seconds = (cpu_time::used() - begin).as_secs_f64();
    let n_events = synthesis.traces.first().map_or(0, |it| it.events.len());
    Ok(FoundTrace { seconds, n_events, solver_calls: synthesis.first.solver_calls })
}

fn goal_name(test: &TraceExampleTest) -> String {
    format!("{}.{}", test.spec, test.goal)
}

/// Runs to the bug: of the generators, and random ones.
fn runs_to_bug((example, test): Row<'_>) -> (String, String) {
    let mean = |kind, seeds: std::ops::Range<u64>| {
        let n_seeds = seeds.end;
        let runs: Vec<Option<u64>> = seeds
            .map(|seed| {
                let cases = Some(MAX_RUNS);
                let settings = Settings { cases, max_shrinks: 0, ..Settings::new(seed) };
                runs_to_failure(&example.run(test, kind, &settings))
            })
            .collect();
        let n_missed = runs.iter().filter(|it| it.is_none()).count() as u64;
        let sum: u64 = runs.iter().map(|it| it.unwrap_or(MAX_RUNS)).sum();
        let mean = brief(sum as f64 / n_seeds as f64);
        match n_missed {
            0 => mean,
            it if it == n_seeds => "none".to_owned(),
            _ => format!(">{mean}"),
        }
    };
    (mean(WalkKind::Synthesized, SEEDS), mean(WalkKind::Random, RANDOM_SEEDS))
}

fn runs_to_failure(report: &ClaimReport) -> Option<u64> {
    let failure = report.failures.first()?;
    Some(failure.shrink.as_ref().map_or(1, |it| it.case))
}

fn text_row(test: &TraceExampleTest, found: &FoundTrace, runs: &(String, String)) -> String {
    let name = goal_name(test);
    let published = PUBLISHED.iter().find(|it| it.0 == name).map(|it| it.1);
    let missing = || "-".to_owned();
    COLUMNS.row([
        name,
        format!("{:.3}", found.seconds),
        found.n_events.to_string(),
        found.solver_calls.to_string(),
        runs.0.clone(),
        runs.1.clone(),
        published.map_or_else(missing, |it| brief(it.0)),
        published.map_or_else(missing, |it| it.1.to_string()),
        published.map_or_else(missing, |it| it.2.map_or_else(|| "none".to_owned(), brief)),
    ])
}
