//! Mistakes in specifications that are found without a search.

use gainsay_synth::{OpId, Spec, SpecFinding, SynthesisLimits, check_spec, synthesize};

use crate::spec_text::read_spec;
use crate::traces::{spec, spec_names};

fn findings(spec: &Spec) -> Vec<String> {
    let name = |op: &OpId| spec.operation(*op).name.clone();
    let text = |it: &SpecFinding| match it {
        SpecFinding::NeverCaused(op) => format!("{} is never caused", name(op)),
        SpecFinding::CannotOccur(op) => format!("{} cannot occur", name(op)),
        SpecFinding::NeverNeeded(op) => format!("{} is never needed", name(op)),
        SpecFinding::GoalCannotOccur { goal, missing } => {
            let missing: Vec<String> = missing.iter().map(name).collect();
            format!("{} needs {}", spec.goals[*goal].name, missing.join(", "))
        }
    };
    check_spec(spec).iter().map(text).collect()
}

#[test]
fn what_can_be_reached_is_possible() {
    for name in spec_names() {
        let spec = spec(&name);
        let found = findings(&spec);
        assert!(!found.iter().any(|it| it.contains(" needs ")), "{name}: {found:?}");
    }
}

#[test]
fn without_a_first_user_no_cart_can_be_read() {
    let spec = spec("shopping");
    assert_eq!(findings(&spec), Vec::<String>::new());
    let mut broken = spec.clone();
    let new_user = broken.find_operation("new_user").unwrap();
    for rule in broken.rules.iter_mut().filter(|it| it.op == new_user) {
        rule.futures.clear();
    }
    let found = findings(&broken);
    for expected in ["get cannot occur", "add_item cannot occur", "stale_cart needs get, put"] {
        assert!(found.iter().any(|it| it == expected), "{expected}: {found:?}");
    }
}

#[test]
fn mistakes_are_named() {
    let found = findings(&read_spec(
        "spec Mistakes { gen a(); gen idle(); obs b(); obs c(); ghost g();
           rule a() { emits b(); } rule b() { history [.., g, ..]; } rule idle() { history [!b*]; }
           scenario s() = [.., c]; scenario t() = [.., a]; }",
    ));
    assert_eq!(
        found,
        [
            "a cannot occur",
            "b cannot occur",
            "c is never caused",
            "g is never caused",
            "s needs c",
            "t needs a",
            "idle is never needed"
        ]
    );
}

#[test]
fn a_specification_without_a_rule_is_another_one() {
    // Whoever removes a rule, or what a rule says of the past, must see it in the traces, unless
    // the goal has no need of it.
    let limits = SynthesisLimits { traces: 1, steps: 100_000, ..SynthesisLimits::default() };
    let first_shape = |spec: &Spec| -> Option<Vec<OpId>> {
        let synthesis = synthesize(spec, &spec.goals[0], &limits).unwrap();
        let trace = synthesis.traces.first()?;
        Some(trace.events.iter().map(|it| it.op).collect())
    };
    let (mut n_mutants, mut n_changed) = (0, 0);
    for name in ["stack", "database", "set", "ifc", "firewall", "ring", "transaction"] {
        let original = spec(name);
        let expected = first_shape(&original);
        for number in 0..original.rules.len() {
            let mut mutants = Vec::new();
            let mut mutant = original.clone();
            mutant.rules[number].emits.clear();
            mutant.rules[number].futures.clear();
            mutants.push(mutant);
            if original.rules[number].history.is_some() {
                let mut mutant = original.clone();
                mutant.rules[number].history = None;
                mutants.push(mutant);
            }
            for mutant in mutants {
                n_mutants += 1;
                n_changed += u32::from(first_shape(&mutant) != expected);
            }
        }
    }
    println!("{n_changed} of {n_mutants} changed specifications have other traces");
    assert!(n_mutants > 40 && n_changed * 3 > n_mutants);
}
