//! Benchmarks: how long draws take while searching, and how long large cases take to shrink.
//!
//! `cargo test --release --test speed -- --nocapture` prints the figures.

#![expect(clippy::print_stdout, reason = "the figures are for people to read")]

use std::hint::black_box;
use std::time::Duration;

use cpu_time::ThreadTime;

use gainsay_choice::{
    BooleanKind, Budget, CharKind, FailureIdentity, FloatKind, IntegerKind, Kind, KindId,
    KindTable, MoreElementsKind, PoolId, RunVerdict, Seed, SelectorKind, Source, SpanLabel,
    TerminationReason, TextKind, shrink,
};

fn kinds() -> (KindTable, Vec<(&'static str, KindId)>) {
    let mut kinds = KindTable::new();
    let between = |min, max| IntegerKind::between(min, max).expect("a range");
    let list = vec![
        ("integer, any", Kind::Integer(IntegerKind::any())),
        ("integer, any, pooled", Kind::Integer(IntegerKind::any().in_pool(PoolId(0)))),
        ("integer, 64 bits", Kind::Integer(between(i64::MIN, i64::MAX))),
        ("integer, 0 to 1000", Kind::Integer(between(0, 1000))),
        ("integer, 0 to 1000, pooled", Kind::Integer(between(0, 1000).in_pool(PoolId(1)))),
        ("integer, 1 to 6", Kind::Integer(between(1, 6))),
        ("boolean", Kind::Boolean(BooleanKind::with_chance(1, 2))),
        ("selector of 3", Kind::Selector(SelectorKind::even(3).expect("three"))),
        (
            "selector, weighted",
            Kind::Selector(SelectorKind::weighted(&[5, 3, 2, 1]).expect("weights")),
        ),
        ("more", Kind::MoreElements(MoreElementsKind { min: 0, max: None, average: 8 })),
        ("char", Kind::Char(CharKind::any())),
        ("float", Kind::Float(FloatKind::any())),
    ];
    let list = list.into_iter().map(|(name, kind)| (name, kinds.intern(kind))).collect();
    (kinds, list)
}

fn seed(case: u64) -> Seed {
    Seed { run: 5, claim: 5, case }
}

#[test]
fn draws_take_nanoseconds() {
    const CASES: u64 = 20_000;
    const DRAWS: u64 = 50;
    let (kinds, list) = kinds();
    let mut source = Source::new(kinds);
    for (name, kind) in list {
        let start = ThreadTime::now();
        let mut sum = 0i64;
        for case in 0..CASES {
            source.search(seed(case), 50);
            for _ in 0..DRAWS {
                sum = sum.wrapping_add(source.draw_small(kind).unwrap_or(0));
            }
        }
        black_box(sum);
        let nanos = start.elapsed().as_nanos() as f64 / (CASES * DRAWS) as f64;
        println!("{name:30}{nanos:8.1} ns per draw");
    }
    let start = ThreadTime::now();
    for case in 0..1_000_000 {
        source.search(seed(case), 50);
    }
    println!("{:30}{:8.1} ns", "beginning a case", start.elapsed().as_nanos() as f64 / 1e6);
}

/// A long list of pairs of which one or two matter.
#[test]
fn a_thousand_choices_shrink_in_less_than_a_second() {
    let mut kinds = KindTable::new();
    let integer = kinds.intern(Kind::Integer(IntegerKind::between(0, 1_000_000).unwrap()));
    let more = kinds.intern(Kind::MoreElements(MoreElementsKind {
        min: 1000,
        max: Some(1000),
        average: 1000,
    }));
    let free =
        kinds.intern(Kind::MoreElements(MoreElementsKind { min: 0, max: None, average: 1000 }));
    let text = TextKind {
        chars: kinds.intern(Kind::Char(CharKind::any())),
        more: free,
        element: SpanLabel(1),
        frequent_texts: [].into(),
    };
    let subjects: [(&str, KindId, usize); 3] =
        [("pairs", free, 2), ("fixed length", more, 1), ("sum", free, 0)];
    for (name, more, mode) in subjects {
        let mut subject = move |source: &mut Source| -> RunVerdict {
            let mut run = || {
                let (mut n, mut sum, mut n_large) = (0, 0, 0);
                while source.open_element(SpanLabel(0), more, n)? {
                    let (a, b) = (source.draw(integer)?, source.draw(integer)?);
                    let small = |it| match it {
                        gainsay_choice::ChoiceValue::Small(it) => it,
                        gainsay_choice::ChoiceValue::Big(_) => 0,
                    };
                    n_large += usize::from(small(a) > 1000 && small(b) > 10);
                    sum += small(a);
                    source.close_span();
                    n += 1;
                }
                let fails = if mode == 0 { sum > 100_000 } else { n_large >= mode };
                Ok::<_, gainsay_choice::RunStopped>(fails)
            };
            match run() {
                Ok(true) => RunVerdict::Fail(FailureIdentity(1)),
                Ok(false) => RunVerdict::Pass,
                Err(_) => RunVerdict::Stopped,
            }
        };
        shrink_large(name, &kinds, &mut subject);
    }
    let mut subject = move |source: &mut Source| match source.draw_text(&text) {
        Ok(it) if it.chars().filter(char::is_ascii_digit).count() >= 10 => {
            RunVerdict::Fail(FailureIdentity(1))
        }
        Ok(_) => RunVerdict::Pass,
        Err(_) => RunVerdict::Stopped,
    };
    shrink_large("text", &kinds, &mut subject);
}

fn shrink_large(
    name: &str,
    kinds: &KindTable,
    subject: &mut dyn FnMut(&mut Source) -> RunVerdict,
) {
    let mut source = Source::new(kinds.clone());
    let case = (0..10_000).find_map(|case| {
        source.record(seed(case), 100);
        let verdict = subject(&mut source);
        let recorded = source.recorded_case();
        let fails =
            verdict == RunVerdict::Fail(FailureIdentity(1)) && recorded.choices().len() > 1000;
        fails.then_some(recorded)
    });
    let case = case.expect("one of the cases is large and fails");
    let start = ThreadTime::now();
    let budget = Budget { max_executions: 1_000_000, should_continue: &mut || true };
    let mut subject = |source: &mut Source| subject(source);
    let shrunk = shrink(&mut subject, &mut source, &case, FailureIdentity(1), budget);
    let elapsed = start.elapsed();
    println!(
        "{name:14} {} to {} choices in {} runs, {} ms",
        case.choices().len(),
        shrunk.case.choices().len(),
        shrunk.executions,
        elapsed.as_millis()
    );
    assert_eq!(shrunk.termination, TerminationReason::Converged);
    // A generous bound, for busy machines.
    assert!(elapsed < Duration::from_secs(20));
}
