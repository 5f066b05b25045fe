//! Properties that hold for all generators, tested on random test programs.

use std::sync::Arc;

use crate::address::AddressedChoices;
use crate::case::Case;
use crate::edge_case::{EdgeCase, EdgeStep};
use crate::kind::ChoiceClass;
use crate::shrink::{Budget, ShrunkCase, TerminationReason, shrink};
use crate::source::Source;
use crate::subject::{FailureIdentity, RunVerdict, Subject};
use crate::test_program::{RandomTestProgram, test_seed};

const N_PROGRAMS: u64 = 300;

fn for_cases(mut check: impl FnMut(&mut RandomTestProgram, &mut Source, Case, Vec<i64>)) {
    for number in 0..N_PROGRAMS {
        let mut program = RandomTestProgram::new(number);
        let mut source = Source::new(program.kinds.clone());
        for case in 0..4 {
            source.record(test_seed(case), 20 * case as u32);
            program.run(&mut source);
            let (recorded, drawn) = (source.recorded_case(), program.drawn.clone());
            if source.stop_reason().is_none() {
                check(&mut program, &mut source, recorded, drawn);
            }
        }
    }
}

#[test]
fn searching_and_recording_draw_the_same() {
    for number in 0..N_PROGRAMS {
        let mut program = RandomTestProgram::new(number);
        let mut source = Source::new(program.kinds.clone());
        for case in 0..10 {
            source.search(test_seed(case), 10 * case as u32);
            let searched = (program.run(&mut source), program.drawn.clone());
            source.record(test_seed(case), 10 * case as u32);
            let recorded = (program.run(&mut source), program.drawn.clone());
            assert_eq!(searched, recorded, "program {number}, case {case}");
        }
    }
}

#[test]
fn searching_and_recording_draw_the_same_at_an_edge() {
    let take = |class, value: i64| EdgeStep::Take(class, value.into());
    let steps = [
        vec![
            take(ChoiceClass::Integer, 77),
            take(ChoiceClass::Selector, 1),
            EdgeStep::Text("edge".into()),
        ],
        vec![
            take(ChoiceClass::MoreElements, 1),
            EdgeStep::Skip(ChoiceClass::Integer),
            take(ChoiceClass::Integer, 5),
        ],
        vec![EdgeStep::SkipText, take(ChoiceClass::Char, 98), take(ChoiceClass::Float, 0)],
        vec![EdgeStep::AwaitInput(7), take(ChoiceClass::Integer, 1)],
    ];
    let edges = steps.map(|steps| Arc::new(EdgeCase { steps }));
    let mut n_at_edge = 0;
    for number in 0..N_PROGRAMS {
        let mut program = RandomTestProgram::new(number);
        let mut source = Source::new(program.kinds.clone());
        for (case, edge) in (0..).zip(&edges) {
            source.search_edge_case(test_seed(case), 30, edge);
            let searched = (program.run(&mut source), program.drawn.clone());
            source.record_edge_case(test_seed(case), 30, edge);
            let recorded = (program.run(&mut source), program.drawn.clone());
            assert_eq!(searched, recorded, "program {number}, case {case}");
            n_at_edge += u64::from(recorded.1.contains(&77));
            let (case, ended) = (source.recorded_case(), source.stop_reason().is_none());
            source.replay(&case, case.choices().len());
            program.run(&mut source);
            assert!(!ended || program.drawn == recorded.1, "program {number}");
        }
    }
    assert!(n_at_edge > N_PROGRAMS / 4, "{n_at_edge}");
}

#[test]
fn a_replay_draws_what_was_recorded() {
    for_cases(|program, source, case, drawn| {
        source.replay(&case, case.choices().len());
        program.run(source);
        assert_eq!(program.drawn, drawn);
        assert_eq!(source.recorded_case(), case);
        source.replay_guided(&case);
        program.run(source);
        assert_eq!(program.drawn, drawn);
        assert_eq!(source.recorded_case(), case);
    });
}

#[test]
fn a_case_survives_being_a_blob() {
    for_cases(|program, source, case, drawn| {
        let blob = case.to_replay_token(&program.labels);
        let read = Case::from_replay_token(&blob, &mut program.labels).unwrap();
        assert_eq!(read.to_replay_token(&program.labels), blob);
        assert_eq!(read.spans(), case.spans());
        source.replay(&read, read.choices().len());
        program.run(source);
        assert_eq!(program.drawn, drawn);
    });
}

#[test]
fn a_case_survives_being_lines() {
    for_cases(|program, source, case, drawn| {
        let lines = case.to_lines(&program.labels);
        let read = AddressedChoices::parse(&lines, &mut program.labels).unwrap();
        source.replay_addressed(&read);
        program.run(source);
        assert_eq!(program.drawn, drawn, "{lines}");
    });
}

#[test]
fn no_changed_blob_is_taken_for_a_case() {
    let mut n_checked = 0;
    for_cases(|program, _, case, _| {
        if n_checked > 20 {
            return;
        }
        n_checked += 1;
        let blob = case.to_replay_token(&program.labels);
        for at in 0..blob.len() {
            for put in ["0", "z", "!", "é", ""] {
                let changed = format!("{}{put}{}", &blob[..at], &blob[at + 1..]);
                let read = Case::from_replay_token(&changed, &mut program.labels);
                // The last character has padding bits, and is exempt.
                assert!(read.is_err() || changed == blob || at + 1 == blob.len(), "{changed}");
            }
        }
    });
}

#[test]
fn garbage_is_an_error_and_nothing_else() {
    let mut program = RandomTestProgram::new(0);
    let labels = &mut program.labels;
    let mut random = crate::random::Random::new(test_seed(0));
    for _ in 0..20_000 {
        let letters = b"0189azqvz:-/#% \nintmore.";
        let n = random.below(60);
        let text: String = (0..n).map(|_| letters[random.below(24) as usize] as char).collect();
        let _ = Case::from_replay_token(&format!("gs1-{text}"), labels);
        let _ = Case::from_replay_token(&text, labels);
        let _ = AddressedChoices::parse(&text, labels);
    }
    assert!(AddressedChoices::parse("a#4000000000:0 int 1", labels).is_err());
    assert!(AddressedChoices::parse("a:4000000000 int 1", labels).is_err());
}

fn shrunk(
    program: &mut RandomTestProgram,
    case: &Case,
    identity: FailureIdentity,
) -> ShrunkCase {
    let mut source = Source::new(program.kinds.clone());
    let budget = Budget { max_executions: 200_000, should_continue: &mut || true };
    shrink(program, &mut source, case, identity, budget)
}

#[test]
fn shrinking_ends_repeats_and_still_fails() {
    let mut n_failing = 0;
    for_cases(|program, source, case, _| {
        source.replay(&case, case.choices().len());
        let RunVerdict::Fail(identity) = program.run(source) else { return };
        n_failing += 1;
        let first = shrunk(program, &case, identity);
        let again = shrunk(program, &case, identity);
        assert_eq!(
            first.termination,
            TerminationReason::Converged,
            "{} -> {}",
            case.choices().len(),
            first.case.choices().len()
        );
        assert_eq!((&first.case, first.executions), (&again.case, again.executions));
        assert!(first.case.choices().len() <= case.choices().len());
        source.replay(&first.case, first.case.choices().len());
        assert_eq!(program.run(source), RunVerdict::Fail(identity));
        let twice = shrunk(program, &first.case, identity);
        assert_eq!(twice.case.digest(), first.case.digest(), "a minimum stays");
    });
    assert!(n_failing > 200, "{n_failing}");
}

#[test]
fn other_failures_are_kept_apart() {
    let mut n_others = 0;
    for_cases(|program, source, case, _| {
        source.replay(&case, case.choices().len());
        if program.run(source) != RunVerdict::Fail(FailureIdentity(1)) {
            return;
        }
        for (identity, other) in shrunk(program, &case, FailureIdentity(1)).other_failures {
            n_others += 1;
            assert_eq!(identity, FailureIdentity(0));
            source.replay(&other, other.choices().len());
            assert_eq!(program.run(source), RunVerdict::Fail(identity));
        }
    });
    assert!(n_others > 20, "{n_others}");
}

#[test]
fn a_budget_that_ends_leaves_a_failing_case_to_resume_from() {
    for_cases(|program, source, case, _| {
        source.replay(&case, case.choices().len());
        let RunVerdict::Fail(identity) = program.run(source) else { return };
        let mut own = Source::new(program.kinds.clone());
        let budget = Budget { max_executions: 10, should_continue: &mut || true };
        let some = shrink(program, &mut own, &case, identity, budget);
        assert!(some.executions <= 10);
        source.replay(&some.case, some.case.choices().len());
        assert_eq!(program.run(source), RunVerdict::Fail(identity));
    });
}
