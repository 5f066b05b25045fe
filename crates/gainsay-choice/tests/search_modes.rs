//! The other search modes: enumerating all cases, explaining one, and hill climbing.

use std::collections::BTreeSet;

use gainsay_choice::{
    BooleanKind, Budget, ChoiceValue, EnumerationControl, EnumerationOutcome, FailureIdentity,
    IntegerKind, JointVariation, Kind, KindId, KindTable, MoreElementsKind, RunStopped,
    RunVerdict, Seed, SelectorKind, Source, SpanLabel, TerminationReason, Urn, count_cases,
    enumerate, explain, hill_climb, shrink,
};

fn verdict(run: Result<bool, RunStopped>) -> RunVerdict {
    match run {
        Ok(true) => RunVerdict::Fail(FailureIdentity(1)),
        Ok(false) => RunVerdict::Pass,
        Err(RunStopped) => RunVerdict::Stopped,
    }
}

fn integer(kinds: &mut KindTable, min: i64, max: i64) -> KindId {
    kinds.intern(Kind::Integer(IntegerKind::between(min, max).expect("a range")))
}

#[test]
fn every_case_of_a_small_domain_is_run_once() {
    let mut kinds = KindTable::new();
    let digit = integer(&mut kinds, -1, 2);
    let flag = kinds.intern(Kind::Boolean(BooleanKind::with_chance(1, 2)));
    let which =
        kinds.intern(Kind::Selector(SelectorKind::weighted(&[1, 0, 1]).expect("weights")));
    let more =
        kinds.intern(Kind::MoreElements(MoreElementsKind { min: 1, max: Some(3), average: 2 }));
    let mut source = Source::new(kinds);
    let mut seen = BTreeSet::new();
    let mut n_runs = 0;
    let mut subject = |source: &mut Source| {
        let mut run = || {
            let mut drawn = vec![source.draw_small(which).ok_or(RunStopped)?];
            if drawn[0] == 0 {
                drawn.push(source.draw_small_within(digit, 0, 9)?);
            } else {
                let mut n = 0;
                while source.open_element(SpanLabel(0), more, n)? {
                    drawn.push(i64::from(source.draw_boolean(flag)?));
                    source.close_span();
                    n += 1;
                }
            }
            seen.insert(drawn);
            n_runs += 1;
            Ok(false)
        };
        verdict(run())
    };
    let result =
        enumerate(&mut subject, &mut source, 1000, &mut |_, _| EnumerationControl::Continue);
    // Three digits from 0 to 2, and 2 + 4 + 8 lists.
    assert_eq!(result, EnumerationOutcome::Complete(17));
    assert_eq!((seen.len(), n_runs), (17, 17));
}

#[test]
fn large_domains_are_given_up_at_once() {
    let mut kinds = KindTable::new();
    let digit = integer(&mut kinds, 0, 99);
    let wide = kinds.intern(Kind::Integer(IntegerKind::any()));
    let more =
        kinds.intern(Kind::MoreElements(MoreElementsKind { min: 0, max: None, average: 2 }));
    let mut source = Source::new(kinds);
    let mut pair = |source: &mut Source| {
        let _ = (source.draw(digit), source.draw(digit));
        RunVerdict::Pass
    };
    assert_eq!(count_cases(&mut pair, &mut source, 100), None);
    assert_eq!(count_cases(&mut pair, &mut source, 10_000), Some(10_000));
    let mut n_runs = 0;
    let mut any = |source: &mut Source| {
        n_runs += 1;
        verdict(source.draw(wide).map(|_| false))
    };
    assert_eq!(count_cases(&mut any, &mut source, 1_000_000), None);
    assert_eq!(n_runs, 1);
    let mut endless = |source: &mut Source| {
        while source.draw_more(more, 0) == Ok(true) {}
        RunVerdict::Pass
    };
    assert_eq!(count_cases(&mut endless, &mut source, 100), None);
}

#[test]
fn arguments_that_do_not_matter_are_found() {
    let mut kinds = KindTable::new();
    let number = integer(&mut kinds, 0, 1000);
    let mut source = Source::new(kinds);
    let mut subject = |source: &mut Source| {
        let mut drawn = [0; 4];
        for (at, value) in (0..).zip(&mut drawn) {
            source.open_span(SpanLabel(at));
            let Some(it) = source.draw_small(number) else { return RunVerdict::Stopped };
            *value = it;
            source.close_span();
        }
        // The first decides; the others matter only if two of them are zero.
        let n_zeros = drawn[1..].iter().filter(|it| **it == 0).count();
        verdict(Ok(drawn[0] >= 10 && n_zeros < 2))
    };
    let seed = (0..1000).map(|case| Seed { run: 1, claim: 1, case }).find(|seed| {
        source.record(*seed, 50);
        subject(&mut source) == RunVerdict::Fail(FailureIdentity(1))
            && source
                .recorded_case()
                .choices()
                .iter()
                .all(|it| it.value() != ChoiceValue::Small(0))
    });
    source.record(seed.expect("a failing case"), 50);
    subject(&mut source);
    let case = source.recorded_case();
    let budget = Budget { max_executions: 10_000, should_continue: &mut || true };
    let explained = explain(&mut subject, &mut source, &case, FailureIdentity(1), budget);
    assert_eq!(explained.irrelevant, [1, 2, 3]);
    assert_eq!(explained.joint_variation, JointVariation::SometimesFails);
    assert_eq!(explained.termination, TerminationReason::Converged);
    let budget = Budget { max_executions: 5, should_continue: &mut || true };
    let explained = explain(&mut subject, &mut source, &case, FailureIdentity(1), budget);
    assert_eq!(explained.termination, TerminationReason::ExecutionLimit);
}

#[test]
fn climbing_reaches_what_a_search_does_not() {
    let mut kinds = KindTable::new();
    let number = integer(&mut kinds, 0, 1_000_000);
    let mut source = Source::new(kinds);
    let score = SpanLabel(9);
    let mut subject = |source: &mut Source| {
        let (Some(x), Some(y)) = (source.draw_small(number), source.draw_small(number)) else {
            return RunVerdict::Stopped;
        };
        let distance = x.abs_diff(123_456) + y.abs_diff(654_321);
        source.target(score, -(distance as f64));
        verdict(Ok(distance == 0))
    };
    source.record(Seed { run: 1, claim: 1, case: 1 }, 50);
    subject(&mut source);
    let case = source.recorded_case();
    let budget = Budget { max_executions: 1000, should_continue: &mut || true };
    let outcome = hill_climb(&mut subject, &mut source, &case, score, budget);
    let (identity, failing) = outcome.failure.expect("the peak fails");
    assert_eq!(identity, FailureIdentity(1));
    let values: Vec<_> = failing.choices().iter().map(|it| it.value()).collect();
    assert_eq!(values, [ChoiceValue::Small(123_456), ChoiceValue::Small(654_321)]);
}

#[test]
fn alternatives_from_an_urn_are_replayed_and_projected() {
    let mut source = Source::new(KindTable::new());
    let urn: Urn<u32> = [(1, 0), (5, 2), (3, 7)].into_iter().collect();
    let seed = Seed { run: 1, claim: 1, case: 4 };
    source.search(seed, 10);
    let drawn = source.select_from_urn(&urn);
    source.record(seed, 10);
    assert_eq!(source.select_from_urn(&urn), drawn);
    let case = source.recorded_case();
    source.replay(&case, 1);
    assert_eq!(source.select_from_urn(&urn), drawn);
    source.replay(&case, 1);
    let smaller: Urn<u32> = [(1, 0)].into_iter().collect();
    assert_eq!(source.select_from_urn(&smaller), Ok(0));
    assert_eq!(source.select_from_urn(&Urn::new()), Err(RunStopped));
}

#[test]
fn a_case_is_called_the_smallest_only_where_all_simpler_ones_were_run() {
    let mut kinds = KindTable::new();
    let small = integer(&mut kinds, 0, 200);
    let large = integer(&mut kinds, 0, 1_000_000);
    let mut source = Source::new(kinds);
    for (kind, bound, is_smallest) in [(small, 100, true), (large, 100_000, false)] {
        let mut subject = |source: &mut Source| {
            verdict(source.draw_small(kind).map(|it| it >= bound).ok_or(RunStopped))
        };
        let found = (0..1000).find(|case| {
            source.record(Seed { run: 0, claim: 0, case: *case }, 50);
            subject(&mut source) == RunVerdict::Fail(FailureIdentity(1))
        });
        assert!(found.is_some(), "some number is large enough");
        let case = source.recorded_case();
        let budget = Budget { max_executions: 10_000, should_continue: &mut || true };
        let shrunk = shrink(&mut subject, &mut source, &case, FailureIdentity(1), budget);
        assert_eq!(shrunk.case.choices()[0].value(), ChoiceValue::Small(bound));
        assert_eq!(
            (shrunk.termination, shrunk.is_smallest),
            (TerminationReason::Converged, is_smallest)
        );
    }
}

#[test]
fn a_case_of_another_source_is_not_judged_without_a_run() {
    let mut kinds = KindTable::new();
    let small = integer(&mut kinds, 0, 200);
    let mut source = Source::new(kinds);
    source.record(Seed { run: 0, claim: 0, case: 0 }, 50);
    assert!(source.draw_small(small).is_some());
    let case = source.recorded_case();
    // This source has never drawn anything: the kinds of the case are not its own.
    let mut other = Source::new(KindTable::new());
    let mut subject = |_: &mut Source| -> RunVerdict { unreachable!("there is no budget") };
    let budget = Budget { max_executions: 0, should_continue: &mut || true };
    let shrunk = shrink(&mut subject, &mut other, &case, FailureIdentity(1), budget);
    assert_eq!(
        (shrunk.termination, shrunk.is_smallest),
        (TerminationReason::ExecutionLimit, false)
    );
}
