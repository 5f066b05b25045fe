//! Families of traces, and the first traces of a specification.

use gainsay_smt::{Model, SmtValue};
use gainsay_synth::{
    GeneratorSetup, GeneratorVerdict, RecursionLimits, RecursionSplit, Spec, SynthesisLimits,
    derive_generator, find_family, first_traces, run_generator, validate,
};

use crate::running::{Lcg, domains};
use crate::spec_text::read_spec;
use crate::systems::{ModelSystem, SystemKind};
use crate::traces::{first_trace, spec};

fn names(spec: &Spec, trace: &gainsay_synth::SymbolicTrace) -> Vec<String> {
    trace.events.iter().map(|it| spec.operation(it.op).name.clone()).collect()
}

#[test]
fn pushes_and_pops_are_repeated_together() {
    let spec = spec("stack");
    let goal = &spec.goals[0];
    let synthesis = first_trace(&spec, "lost");
    let limits = RecursionLimits { repetitions: 5, ..RecursionLimits::default() };
    let family = find_family(&spec, goal, &synthesis.traces[0], limits).unwrap().unwrap();
    assert_eq!(family.split, RecursionSplit { start: 0, middle: 1, end: 3 });
    for (member, n) in family.members.iter().zip(1..) {
        let mut expected = vec!["push"; n];
        for _ in 0..n {
            expected.extend(["pop", "pop_rsp"]);
        }
        expected.extend(["is_empty", "is_empty_rsp"]);
        assert_eq!(names(&spec, member), expected);
        let mut terms = family.terms.clone();
        let model = member.model(&mut terms, &spec).unwrap();
        let events = member.ground(&terms, &model).unwrap();
        assert_eq!(validate(&spec, Some(goal), &events, &model), Ok(()));
    }
    // A stack that holds two elements loses one only if three are pushed.
    for (n, at_least) in [(1, 0), (3, 100)] {
        let trace = &family.members[n - 1];
        let program = derive_generator(&spec, goal, &family.terms, trace);
        let domains = domains(&spec);
        let terms = &family.terms;
        let setup = GeneratorSetup {
            spec: &spec,
            goal,
            terms,
            trace,
            program: &program,
            domains: &domains,
        };
        let mut system = ModelSystem::new(&spec, SystemKind::Stack { capacity: 2 });
        let is_bug = |seed| {
            let run = run_generator(&setup, &mut system, &mut Lcg(seed));
            matches!(run.verdict, GeneratorVerdict::Bug(_))
        };
        let n_bugs = (0..200).map(is_bug).filter(|it| *it).count();
        println!("{n} repetitions: {n_bugs} of 200 runs find the fault");
        assert!(n_bugs >= at_least && (n > 1 || n_bugs == 0), "{n}: {n_bugs}");
    }
}

#[test]
fn first_traces_show_what_a_specification_allows() {
    // The ghosts of this specification let `pop` read the initial entry of the empty stack.
    let spec = spec("stackghost");
    let limits = SynthesisLimits { traces: 1, ..SynthesisLimits::default() };
    let all = first_traces(&spec, &limits).unwrap();
    let pop = spec.find_operation("pop").unwrap();
    let (_, synthesis) = all.iter().find(|it| it.0 == pop).unwrap();
    let trace = &synthesis.traces[0];
    assert_eq!(names(&spec, trace), ["push_i", "pop_i", "pop", "pop_rsp", "pop_i"]);
    let events = trace.ground(&synthesis.terms, &Model::default()).unwrap();
    assert_eq!(events[3].args, [SmtValue::Int(0)]);
}

#[test]
fn answers_are_judged_by_their_own_request() {
    // With several reads in flight, an answer to another request is no wrong answer.
    let spec = read_spec(
        "spec Reads {
           sort Rid; gen write(va: Int); gen read_req(id: Rid); obs read_rsp(id: Rid, va: Int);
           rule read_req(i) { history [!read_req(i)*]; emits read_rsp(id: i); }
           rule read_rsp(i, v) { history [.., write(v), !write*, read_req(i), ..]; }
           scenario two(i: Rid, v: Int) =
             [.., write(v), !write*, read_req(i), .., write{va != v}, .., read_req{id != i}, ..,
              expect read_rsp(i, v), ..];
         }",
    );
    let goal = &spec.goals[0];
    let synthesis = first_trace(&spec, "two");
    let trace = &synthesis.traces[0];
    let program = derive_generator(&spec, goal, &synthesis.terms, trace);
    let domains = domains(&spec);
    let terms = &synthesis.terms;
    let setup = GeneratorSetup {
        spec: &spec,
        goal,
        terms,
        trace,
        program: &program,
        domains: &domains,
    };
    for (tears, expected) in [(false, 0), (true, 300)] {
        let mut system = ModelSystem::new(&spec, SystemKind::Transaction { tears });
        let is_bug = |seed| {
            let run = run_generator(&setup, &mut system, &mut Lcg(seed));
            matches!(run.verdict, GeneratorVerdict::Bug(_))
        };
        assert_eq!((0..300).map(is_bug).filter(|it| *it).count(), expected);
    }
}
