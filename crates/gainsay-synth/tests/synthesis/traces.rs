//! The traces of each goal, against files next to the specifications.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use gainsay_smt::VarId;
use gainsay_synth::{
    Spec, SymbolicTrace, Synthesis, SynthesisLimits, SynthesisStatus, synthesize, term_text,
};

use crate::spec_text::read_spec;

pub fn specs() -> Vec<(String, Spec)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/specs");
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .filter_map(|it| {
            let name = it.unwrap().file_name().into_string().unwrap();
            name.strip_suffix(".spec").map(str::to_owned)
        })
        .collect();
    names.sort();
    names.into_iter().map(|it| (it.clone(), spec(&it))).collect()
}

pub fn spec(name: &str) -> Spec {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/specs");
    read_spec(&fs::read_to_string(folder.join(format!("{name}.spec"))).unwrap())
}

pub fn trace_text(spec: &Spec, synthesis: &Synthesis, trace: &SymbolicTrace) -> String {
    let names: Vec<(VarId, String)> = trace
        .vars(&synthesis.terms)
        .into_iter()
        .enumerate()
        .map(|(i, it)| (it, format!("x{i}")))
        .collect();
    let mut text = String::new();
    for event in &trace.events {
        let args: Vec<String> =
            event.args.iter().map(|it| term_text(&synthesis.terms, *it, &names[..])).collect();
        let expected = if event.is_expected { "expect " } else { "" };
        let name = &spec.operation(event.op).name;
        let _ = writeln!(text, "    {expected}{name}({})", args.join(", "));
    }
    for condition in &trace.conditions {
        let _ =
            writeln!(text, "    where {}", term_text(&synthesis.terms, *condition, &names[..]));
    }
    text
}

#[test]
fn table() {
    let only = std::env::var("SYNTH_ONLY").unwrap_or_default();
    for (name, spec) in specs() {
        if !name.starts_with(&only) {
            continue;
        }
        for goal in &spec.goals {
            let limits =
                SynthesisLimits { traces: 1, steps: 20_000_000, ..SynthesisLimits::default() };
            #[allow(clippy::disallowed_methods)]
            let start = std::time::Instant::now();
            let synthesis = synthesize(&spec, goal, limits).unwrap();
            let took = start.elapsed().as_secs_f64();
            let n = synthesis
                .traces
                .first()
                .map_or(0, |it| it.events.iter().filter(|it| !it.is_initial).count());
            let by = synthesis.traces.first().map_or("", |it| it.found_by);
            let e = synthesis.first;
            println!(
                "{name:14} {:14} {:?} evt {n} {took:.3}s exp {} app {} calls {} unk {} steps {} {by}",
                goal.name,
                synthesis.status,
                e.expansions,
                e.applications,
                e.solver_calls,
                e.unknown_answers,
                e.steps
            );
            if !only.is_empty() {
                for trace in &synthesis.traces {
                    println!("{}", trace_text(&spec, &synthesis, trace));
                }
            }
            let _ = SynthesisStatus::Reached;
        }
    }
}
