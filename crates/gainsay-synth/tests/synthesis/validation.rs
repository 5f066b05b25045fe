//! Every trace that synthesis finds is one of its specification, by a matcher of its own; most
//! traces from which an event was deleted are not.

use gainsay_synth::{GroundEvent, SynthesisLimits, TraceFault, synthesize, validate};

use crate::traces::{spec, spec_names};

#[test]
fn traces_are_valid_and_most_deletions_are_not() {
    let (mut n_valid, mut n_mutants, mut n_rejected) = (0, 0, 0);
    let mut faults = Vec::new();
    for name in spec_names() {
        let spec = spec(&name);
        for goal in &spec.goals {
            let synthesis = synthesize(&spec, goal, &SynthesisLimits::default()).unwrap();
            let mut terms = synthesis.terms.clone();
            for trace in &synthesis.traces {
                let Some(model) = trace.model(&mut terms, &spec) else {
                    faults.push(format!("{name}/{}: no model", goal.name));
                    continue;
                };
                let events = trace.ground(&terms, &model).unwrap();
                match validate(&spec, Some(goal), &events, &model) {
                    Ok(()) => n_valid += 1,
                    Err(fault) => {
                        faults.push(format!("{name}/{}: {fault:?} {events:?}", goal.name));
                    }
                }
                let first = events.iter().filter(|it| it.is_initial).count();
                for deleted in first..events.len() {
                    let mut mutant = events.clone();
                    mutant.remove(deleted);
                    n_mutants += 1;
                    let result = validate(&spec, Some(goal), &mutant, &model);
                    n_rejected += usize::from(result.is_err());
                }
            }
        }
    }
    println!("{n_valid} valid traces; {n_rejected} of {n_mutants} deletions rejected");
    assert!(faults.is_empty(), "{} faults: {faults:#?}", faults.len());
    assert!(n_valid >= 60 && n_rejected * 10 >= n_mutants * 7);
}

#[test]
fn the_validator_names_the_fault() {
    let spec = spec("database");
    let event = |name: &str, args: Vec<gainsay_smt::SmtValue>| GroundEvent {
        op: spec.find_operation(name).unwrap(),
        args,
        is_initial: false,
    };
    let int = gainsay_smt::SmtValue::Int;
    let model = gainsay_smt::Model::default();
    let write = event("write_req", vec![int(1)]);
    let answer = event("write_rsp", vec![int(1)]);
    let validated = |events: &[GroundEvent]| validate(&spec, None, events, &model);
    assert_eq!(validated(&[write.clone(), answer.clone()]), Ok(()));
    assert_eq!(validated(std::slice::from_ref(&write)), Err(TraceFault::NoRule(0)));
    let twice = [write.clone(), answer.clone(), answer.clone()];
    assert_eq!(validated(&twice), Err(TraceFault::NoCause(2)));
    assert_eq!(validated(&[answer, write]), Err(TraceFault::NoRule(1)));
    let goal = Some(&spec.goals[0]);
    let events = [event("write_req", vec![int(1)]), event("write_rsp", vec![int(1)])];
    assert_eq!(validate(&spec, goal, &events, &model), Err(TraceFault::NotInGoal));
}
