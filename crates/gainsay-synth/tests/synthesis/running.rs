//! Generators against small systems: faults are found, and correct systems are not accused.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use gainsay_smt::{FunId, Interpretation, Signature, SmtValue, Sort, VarId};
use gainsay_synth::{
    DrawSource, GeneratorSetup, GeneratorVerdict, Spec, SynthesisLimits, ValueDomains,
    generator_text, run_generator, synthesize,
};

use crate::systems::{ModelSystem, SystemKind};
use crate::traces::{spec, spec_names};

/// A linear congruential generator (Knuth, "Seminumerical algorithms", 3.3.4).
pub(crate) struct Lcg(pub(crate) u64);

impl DrawSource for Lcg {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound
    }
}

struct NoFunctions;

impl Interpretation for NoFunctions {
    fn var(&self, _: &Signature, _: VarId) -> Option<SmtValue> {
        None
    }

    fn function(&self, _: &Signature, _: FunId, _: &[SmtValue]) -> Option<SmtValue> {
        None
    }
}

pub(crate) fn domains(spec: &Spec) -> ValueDomains<'static> {
    let mut values = BTreeMap::from([(Sort::Int, (0..4).map(SmtValue::Int).collect())]);
    for (id, _) in spec.terms.signature.sorts() {
        let sort = Sort::Named(id);
        values.insert(sort, (0..3).map(|it| SmtValue::Element(sort, it)).collect());
    }
    ValueDomains { values, functions: &NoFunctions }
}

#[derive(Debug, Default, PartialEq, Eq)]
struct Counts {
    bugs: u32,
    passed: u32,
    deviated: u32,
    infeasible: u32,
}

fn run(name: &str, goal: &str, kind: SystemKind, n_runs: u32) -> Counts {
    let spec = spec(name);
    let goal = spec.find_goal(goal).unwrap();
    let limits = SynthesisLimits { traces: 1, ..SynthesisLimits::default() };
    let synthesis = synthesize(&spec, goal, &limits).unwrap();
    let program = &synthesis.generators(&spec, goal)[0];
    let domains = domains(&spec);
    let setup = GeneratorSetup {
        spec: &spec,
        goal,
        terms: &synthesis.terms,
        trace: &synthesis.traces[0],
        program,
        domains: &domains,
    };
    let mut system = ModelSystem::new(&spec, kind);
    let mut counts = Counts::default();
    for seed in 0..n_runs {
        let run = run_generator(&setup, &mut system, &mut Lcg(u64::from(seed)));
        let again = run_generator(&setup, &mut system, &mut Lcg(u64::from(seed)));
        assert_eq!(run, again, "the same draws give the same run");
        match run.verdict {
            GeneratorVerdict::Bug(_) => counts.bugs += 1,
            GeneratorVerdict::Passed => counts.passed += 1,
            GeneratorVerdict::Deviated => counts.deviated += 1,
            GeneratorVerdict::Infeasible(_) => counts.infeasible += 1,
        }
    }
    println!("{name}, {kind:?}: {counts:?}");
    counts
}

#[test]
fn faults_are_found() {
    for (name, goal, kind, at_least) in [
        ("database", "stale_read", SystemKind::Database { answers_late: true }, 200),
        ("set", "members", SystemKind::Set { loses_maximum: true }, 60),
        ("firewall", "dropped", SystemKind::Firewall { forgets: true }, 200),
        ("transaction", "atomic", SystemKind::Transaction { tears: true }, 200),
    ] {
        let counts = run(name, goal, kind, 200);
        assert!(counts.bugs >= at_least, "{name}: {counts:?}");
    }
}

#[test]
fn correct_systems_are_not_accused() {
    for (name, goal, kind) in [
        ("stack", "lost", SystemKind::Stack { capacity: usize::MAX }),
        ("database", "stale_read", SystemKind::Database { answers_late: false }),
        ("set", "members", SystemKind::Set { loses_maximum: false }),
        ("firewall", "dropped", SystemKind::Firewall { forgets: false }),
        ("transaction", "atomic", SystemKind::Transaction { tears: false }),
    ] {
        let counts = run(name, goal, kind, 500);
        assert_eq!(counts.bugs, 0, "{name}: {counts:?}");
    }
}

#[test]
fn generators_are_those_of_the_files() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/generators");
    let mut differences = Vec::new();
    for name in spec_names() {
        let spec = spec(&name);
        let mut text = String::new();
        for goal in &spec.goals {
            let limits = SynthesisLimits { traces: 1, ..SynthesisLimits::default() };
            let synthesis = synthesize(&spec, goal, &limits).unwrap();
            for program in synthesis.generators(&spec, goal) {
                text.push_str(&generator_text(&spec, &synthesis.terms, &program));
            }
        }
        let file = folder.join(format!("{name}.txt"));
        if std::env::var_os("GAINSAY_BLESS").is_some() {
            fs::create_dir_all(&folder).unwrap();
            fs::write(&file, &text).unwrap();
        } else if fs::read_to_string(&file).unwrap_or_default() != text {
            differences.push(format!("{name}:\n{text}"));
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
