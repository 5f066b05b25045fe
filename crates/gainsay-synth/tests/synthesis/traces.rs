//! The traces of each goal, against files next to the specifications. `GAINSAY_BLESS=1` writes the
//! files anew.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use gainsay_smt::VarId;
use gainsay_synth::{
    Spec, SymbolicTrace, Synthesis, SynthesisLimits, SynthesisStatus, synthesize, term_text,
};

use crate::spec_text::read_spec;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}

/// The names of all specifications.
pub(crate) fn spec_names() -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder("specs"))
        .unwrap()
        .filter_map(|it| {
            let name = it.unwrap().file_name().into_string().unwrap();
            name.strip_suffix(".spec").map(str::to_owned)
        })
        .collect();
    names.sort();
    names
}

/// A specification of the folder.
pub(crate) fn spec(name: &str) -> Spec {
    read_spec(&fs::read_to_string(folder("specs").join(format!("{name}.spec"))).unwrap())
}

fn trace_text(spec: &Spec, synthesis: &Synthesis, trace: &SymbolicTrace) -> String {
    let vars = trace.vars(&synthesis.terms).into_iter().enumerate();
    let names: Vec<(VarId, String)> = vars.map(|(i, it)| (it, format!("x{i}"))).collect();
    let mut text = String::new();
    for event in &trace.events {
        let args: Vec<String> =
            event.args.iter().map(|it| term_text(&synthesis.terms, *it, &names[..])).collect();
        let role = match (event.is_expected, event.is_initial) {
            (true, _) => "expect ",
            (_, true) => "init ",
            _ => "",
        };
        let name = &spec.operation(event.op).name;
        let _ = writeln!(text, "  {role}{name}({})", args.join(", "));
    }
    for condition in &trace.conditions {
        let condition = term_text(&synthesis.terms, *condition, &names[..]);
        let _ = writeln!(text, "  where {condition}");
    }
    text
}

/// The first trace of a goal.
pub(crate) fn first_trace(spec: &Spec, goal: &str) -> Synthesis {
    let limits = SynthesisLimits { traces: 1, ..SynthesisLimits::default() };
    synthesize(spec, spec.find_goal(goal).unwrap(), &limits).unwrap()
}

/// The number of events, without initial ones.
fn n_events(synthesis: &Synthesis) -> usize {
    synthesis
        .traces
        .first()
        .map_or(0, |it| it.events.iter().filter(|it| !it.is_initial).count())
}

#[test]
fn traces_are_those_of_the_files() {
    let mut differences = Vec::new();
    for name in spec_names() {
        let spec = spec(&name);
        let mut text = String::new();
        for goal in &spec.goals {
            let synthesis = first_trace(&spec, &goal.name);
            let status = match synthesis.status {
                SynthesisStatus::Reached => format!("{} events", n_events(&synthesis)),
                SynthesisStatus::Unreachable => "unreachable".to_owned(),
                SynthesisStatus::GaveUp => "gave up".to_owned(),
            };
            let _ = writeln!(text, "{}: {status}", goal.name);
            for trace in &synthesis.traces {
                text.push_str(&trace_text(&spec, &synthesis, trace));
            }
        }
        let file = folder("traces").join(format!("{name}.txt"));
        if std::env::var_os("GAINSAY_BLESS").is_some() {
            fs::create_dir_all(folder("traces")).unwrap();
            fs::write(&file, &text).unwrap();
        } else if fs::read_to_string(&file).unwrap_or_default() != text {
            differences.push(format!("{name}:\n{text}"));
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// Goals with the number of events of a trace and the steps that finding it may take.
const BENCHMARKS: [(&str, &str, usize, u64); 26] = [
    ("stack", "lost", 5, 2_000),
    ("database", "stale_read", 6, 2_000),
    ("read_cc", "torn", 15, 10_000),
    ("set", "members", 12, 5_000),
    ("hashtable", "lost_update", 6, 2_000),
    ("ifc", "t_store", 8, 5_000),
    ("ifc", "t_add", 8, 5_000),
    ("ifc", "t_load", 16, 20_000),
    ("bankserver", "refused", 5, 2_000),
    ("firewall", "dropped", 10, 5_000),
    ("ring", "two_leaders", 8, 5_000),
    ("simplified2pc", "torn", 8, 5_000),
    ("heartbeat", "false_alarm", 14, 5_000),
    ("filesystem", "orphan", 11, 20_000),
    ("graph", "connected", 14, 80_000),
    ("nfa", "three_edges", 12, 50_000),
    ("shopping", "stale_cart", 17, 100_000),
    ("chain", "lost", 12, 80_000),
    ("raft", "split", 12, 50_000),
    ("paxos", "two_values", 14, 150_000),
    ("courseware", "lost_enrolment", 18, 150_000),
    ("twitter", "fractured", 24, 100_000),
    ("smallbank", "unstable", 28, 1_000_000),
    ("anonra", "read_own_write", 16, 20_000),
    ("stlc", "fo", 26, 1_000_000),
    ("stlc", "ho", 37, 2_000_000),
];

#[test]
fn benchmarks_are_synthesized_within_their_steps() {
    let mut failures = Vec::new();
    println!("goal | events | steps | expansions | applications | solver calls | found by");
    for (name, goal, expected, max_steps) in BENCHMARKS {
        let synthesis = first_trace(&spec(name), goal);
        let (events, effort) = (n_events(&synthesis), synthesis.first);
        println!(
            "{name}/{goal} | {events} | {} | {} | {} | {} | {}",
            effort.steps,
            effort.expansions,
            effort.applications,
            effort.solver_calls,
            synthesis.traces.first().map_or("", |it| it.found_by),
        );
        if events != expected || effort.steps > max_steps {
            failures.push(format!("{name}/{goal}: {events} events, {} steps", effort.steps));
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn a_goal_that_contradicts_its_specification_is_unreachable() {
    let synthesis = first_trace(&spec("transaction"), "torn_read");
    assert_eq!(synthesis.status, SynthesisStatus::Unreachable);
    assert!(synthesis.first.steps < 10_000);
}

#[test]
fn a_search_that_was_cut_off_proves_nothing() {
    let spec = spec("transaction");
    let goal = spec.find_goal("torn_read").unwrap();
    let limits = SynthesisLimits { steps: 100, ..SynthesisLimits::default() };
    let synthesis = synthesize(&spec, goal, &limits).unwrap();
    assert_eq!(synthesis.status, SynthesisStatus::GaveUp);
    let mut limits = SynthesisLimits::default();
    limits.lines.events = 4;
    let synthesis = synthesize(&spec_of_long_goal(), &spec_of_long_goal().goals[0], &limits);
    assert_eq!(synthesis.unwrap().status, SynthesisStatus::GaveUp);
}

/// A goal that needs more events than the limit of the test.
fn spec_of_long_goal() -> Spec {
    read_spec(
        "spec Long { gen a(); obs b(); rule a() { emits b(); }
           violation many() = [.., b, .., b, .., b, ..]; }",
    )
}

#[test]
fn variants_perform_different_operations() {
    let spec = spec("database");
    let goal = &spec.goals[0];
    let limits = SynthesisLimits { traces: 3, ..SynthesisLimits::default() };
    let synthesis = synthesize(&spec, goal, &limits).unwrap();
    let again = synthesize(&spec, goal, &limits).unwrap();
    assert_eq!(synthesis.traces, again.traces);
    let shapes: Vec<Vec<usize>> = synthesis
        .traces
        .iter()
        .map(|it| it.events.iter().map(|it| it.op.index()).collect())
        .collect();
    assert!(shapes.len() > 1 && shapes.windows(2).all(|it| it[0] != it[1]), "{shapes:?}");
}
