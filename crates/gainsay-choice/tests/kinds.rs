//! The laws of kinds, tested for kinds of every class.

use std::collections::{BTreeMap, BTreeSet};

use gainsay_choice::{
    BooleanKind, Cardinality, CharKind, ChoiceValue, FloatKind, IntegerKind, Kind, KindId,
    KindTable, MoreElementsKind, PoolId, ReferenceKind, Seed, SelectorKind, Source, ValueRank,
};
use num_bigint::BigInt;

fn big(shift: u32) -> BigInt {
    BigInt::from(1) << shift
}

fn integers() -> Vec<IntegerKind> {
    let between = |min, max| IntegerKind::between(min, max).expect("a range");
    let range = |min, max| IntegerKind::range(min, max).expect("a range");
    vec![
        IntegerKind::any(),
        IntegerKind::any().towards(big(80)),
        IntegerKind::any().with_edges([big(90), 17.into()]),
        between(0, 0),
        between(0, 5),
        between(-3, 10),
        between(-10, 3).towards(-2),
        between(5, 9).towards(100),
        between(i64::MIN, i64::MAX),
        between(i64::MIN, -7),
        between(i64::MAX - 3, i64::MAX),
        range(Some(big(70)), None),
        range(None, Some(-big(70))),
        range(Some((-4).into()), None).in_pool(PoolId(2)),
        range(Some(-big(64)), Some(3.into())),
        range(Some(big(70)), Some(big(70) + 12)),
    ]
}

fn kinds() -> Vec<Kind> {
    let mut list: Vec<Kind> = integers().into_iter().map(Kind::Integer).collect();
    let float = |min, max| Kind::Float(FloatKind::between(min, max).expect("a range"));
    let selector =
        |weights: &[u32]| Kind::Selector(SelectorKind::weighted(weights).expect("some weight"));
    let chars = |ranges: &[(char, char)]| {
        Kind::Char(CharKind::from_ranges(ranges).expect("some character"))
    };
    list.extend([
        Kind::Float(FloatKind::any()),
        Kind::Float(FloatKind::finite()),
        float(0.0, 1.0),
        float(-0.0, 0.0),
        float(0.3, 0.4),
        float(-7.5, -2.25),
        float(1e20, f64::INFINITY),
        Kind::Boolean(BooleanKind::with_chance(1, 2)),
        Kind::Boolean(BooleanKind::with_chance(0, 5)),
        Kind::Boolean(BooleanKind::with_chance(5, 5)),
        selector(&[1]),
        selector(&[0, 2, 0, 1, 1]),
        selector(&[7, 7, 7]),
        Kind::MoreElements(MoreElementsKind { min: 0, max: None, average: 5 }),
        Kind::Char(CharKind::any()),
        chars(&[('a', 'c'), ('b', 'f'), ('0', '1')]),
        chars(&[('\u{d000}', '\u{f000}')]),
        Kind::Reference(ReferenceKind { pool: PoolId(0), n_live: 4 }),
    ]);
    list
}

/// Values drawn from a kind, at all sizes.
fn samples(kind: &Kind) -> (Source, Vec<ChoiceValue>) {
    let mut kinds = KindTable::new();
    let id = kinds.intern(kind.clone());
    let mut source = Source::new(kinds);
    let mut values = Vec::new();
    for case in 0..400 {
        source.record(Seed { run: 1, claim: 1, case }, (case % 101) as u32);
        values.push(source.draw(id).expect("a draw"));
    }
    (source, values)
}

#[test]
fn the_simplest_value_is_permitted_and_has_rank_0() {
    for kind in kinds() {
        let mut kinds = KindTable::new();
        let id = kinds.intern(kind.clone());
        let simplest = kinds.simplest(id);
        assert!(kinds.permits(id, simplest), "{kind:?}");
        assert_eq!(kinds.rank(id, simplest), ValueRank::Small(0), "{kind:?}");
        assert_eq!(kinds.unrank(id, &ValueRank::Small(0)), Some(simplest), "{kind:?}");
    }
}

#[test]
fn what_is_drawn_is_permitted_and_its_rank_leads_back() {
    for kind in kinds() {
        let (mut source, values) = samples(&kind);
        let kinds = source.kinds_mut();
        let id = kinds.intern(kind.clone());
        let mut ranks = BTreeMap::new();
        for value in values {
            assert!(kinds.permits(id, value), "{kind:?}: {value:?}");
            assert_eq!(kinds.project(id, value), value);
            let rank = kinds.rank(id, value);
            assert_eq!(kinds.unrank(id, &rank), Some(value), "{kind:?}: {value:?}");
            let before = ranks.insert(rank, value);
            assert!(before.is_none_or(|it| it == value), "{kind:?}: two values of one rank");
        }
    }
}

#[test]
fn whatever_is_projected_is_permitted() {
    let strange = [0, 1, -1, 7, 97, 0xd800, i64::MIN, i64::MAX, f64::NAN.to_bits() as i64];
    let floats = [-0.0, 0.35, -1e300, f64::NEG_INFINITY].map(|it: f64| it.to_bits() as i64);
    for kind in kinds() {
        let mut kinds = KindTable::new();
        let id = kinds.intern(kind.clone());
        for bits in strange.into_iter().chain(floats) {
            let projected = kinds.project(id, ChoiceValue::Small(bits));
            assert!(kinds.permits(id, projected), "{kind:?}: {bits}");
        }
        for integer in [big(70), -big(100)] {
            let value = kinds.intern_integer(integer);
            let projected = kinds.project(id, value);
            assert!(kinds.permits(id, projected), "{kind:?}");
        }
    }
}

#[test]
fn a_count_is_the_number_of_ranks() {
    for kind in kinds() {
        let mut kinds = KindTable::new();
        let id = kinds.intern(kind.clone());
        if let Cardinality::Finite(count @ ..5000) = kinds.cardinality(id) {
            for rank in 0..u128::from(count) {
                let value =
                    kinds.unrank(id, &ValueRank::Small(rank)).expect("a value of each rank");
                assert_eq!(kinds.rank(id, value), ValueRank::Small(rank), "{kind:?}");
            }
            let beyond = ValueRank::Small(u128::from(count));
            assert_eq!(kinds.unrank(id, &beyond), None, "{kind:?}");
        }
    }
}

#[test]
fn integers_near_the_target_are_simpler() {
    let mut kinds = KindTable::new();
    let id = kinds.intern(Kind::Integer(IntegerKind::between(-2, 5).expect("a range")));
    let in_order: Vec<_> =
        (0..8).filter_map(|rank| kinds.unrank(id, &ValueRank::Small(rank))).collect();
    assert_eq!(in_order, [0, 1, -1, 2, -2, 3, 4, 5].map(ChoiceValue::Small));
}

#[test]
fn edges_and_earlier_values_come_up_often() {
    let mut kinds = KindTable::new();
    let range = IntegerKind::between(0, 1_000_000).expect("a range");
    let pooled = kinds.intern(Kind::Integer(range.clone().in_pool(PoolId(0))));
    let edgy = kinds.intern(Kind::Integer(range.with_edges([77_777.into()])));
    let mut source = Source::new(kinds);
    let (mut n_again, mut n_bound, mut n_constant) = (0, 0, 0);
    let mut tenths = [0; 10];
    let n_cases = 10_000;
    for case in 0..n_cases {
        source.search(Seed { run: 3, claim: 1, case }, 50);
        let first = source.draw_small(pooled).expect("a draw");
        let second = source.draw_small(pooled).expect("a draw");
        n_again += u64::from(first > 1000 && first.abs_diff(second) <= 1);
        let edge = source.draw_small(edgy).expect("a draw");
        n_bound += u64::from(edge == 1_000_000);
        n_constant += u64::from(edge.abs_diff(77_777) <= 1);
        tenths[(edge / 100_000).min(9) as usize] += 1;
    }
    let share = |n: u64| n * 1000 / n_cases;
    assert!((30..200).contains(&share(n_again)), "again: {}", share(n_again));
    assert!((3..100).contains(&share(n_bound)), "bound: {}", share(n_bound));
    assert!((30..150).contains(&share(n_constant)), "constant: {}", share(n_constant));
    // Two thirds of an even share for each tenth; small numbers have more.
    assert!(tenths.iter().all(|it| share(*it) > 66), "{tenths:?}");
    assert!(share(tenths[0]) < 300, "{tenths:?}");
}

/// How many different values 40 draws of a case have, if something is done after each.
fn n_different(source: &mut Source, kind: KindId, case: u64, after: fn(&mut Source)) -> usize {
    source.search(Seed { run: 3, claim: 1, case }, 50);
    let values = (0..40).map(|_| {
        let value = source.draw_small(kind).expect("a draw");
        after(source);
        value
    });
    values.collect::<BTreeSet<_>>().len()
}

#[test]
fn some_cases_draw_the_same_few_values_until_one_is_rejected() {
    let mut kinds = KindTable::new();
    let range = IntegerKind::between(0, 1_000_000_000).expect("a range");
    let kind = kinds.intern(Kind::Integer(range.in_pool(PoolId(0))));
    let mut source = Source::new(kinds);
    let n_cases = 4000;
    let mut n_few = |after| {
        let few = (0..n_cases).filter(|it| n_different(&mut source, kind, *it, after) <= 9);
        few.count() * 1000 / n_cases as usize
    };
    let (kept, rejected) = (n_few(|_| ()), n_few(Source::reject));
    assert!((200..350).contains(&kept), "{kept}");
    assert!(rejected + 150 < kept, "{rejected} of {kept}");
}

#[test]
fn a_generator_that_waits_for_another_value_gets_it() {
    let mut kinds = KindTable::new();
    let range = IntegerKind::between(0, 1_000_000_000).expect("a range");
    let kind = kinds.intern(Kind::Integer(range.in_pool(PoolId(0))));
    let mut source = Source::new(kinds);
    for case in 0..1000 {
        source.search(Seed { run: 5, claim: 1, case }, 50);
        let mut seen = BTreeSet::new();
        while seen.len() < 30 {
            seen.insert(source.draw_small(kind).expect("a draw"));
        }
        assert!(source.n_choices() < 2000, "case {case}: {}", source.n_choices());
    }
}

#[test]
fn kinds_without_values_are_refused() {
    assert!(IntegerKind::between(3, 2).is_none());
    assert!(FloatKind::between(1.0, 0.0).is_none());
    assert!(FloatKind::between(f64::NAN, 0.0).is_none());
    assert!(SelectorKind::weighted(&[0, 0]).is_none());
    assert!(SelectorKind::even(0).is_none());
    assert!(CharKind::from_ranges(&[]).is_none());
}
