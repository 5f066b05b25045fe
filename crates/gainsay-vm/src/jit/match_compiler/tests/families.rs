//! Families of matches whose decision trees would grow exponentially, or whose lists are long.

use super::*;

/// Maximum number of graph nodes per pattern node.
const NODES_PER_PATTERN: usize = 12;

fn assert_small(m: &MatchFixture) -> DecisionGraph {
    let decisions = m.decide();
    let limit = NODES_PER_PATTERN * m.body.patterns.len() + 256;
    assert!(decisions.nodes.len() <= limit, "{} > {limit}", decisions.nodes.len());
    decisions
}

/// Every arm tests its own column, and its guard may fail.
fn diagonal(n: usize) -> MatchFixture {
    let mut m = MatchFixture::default();
    for arm in 0..n {
        let row: Vec<PatternId> =
            (0..n).map(|column| if column == arm { m.int(1) } else { m.any() }).collect();
        m.guarded(&row);
    }
    let any: Vec<PatternId> = (0..n).map(|_| m.any()).collect();
    m.arm(&any);
    m
}

#[test]
fn guarded_arms_over_many_columns_stay_small() {
    for n in [4, 8, 16, 32, 100] {
        assert_small(&diagonal(n));
    }
}

/// Each pair of arms requires two equal constructors in one of many columns: no column order is
/// good for all.
#[test]
fn pairs_over_many_columns_stay_small() {
    for n in [4, 8, 16, 64] {
        let mut m = MatchFixture::default();
        let ctors = m.declare(&[0, 0, 0]);
        for arm in 0..2 * n {
            let row: Vec<PatternId> = (0..n)
                .map(|column| match (column + n - arm / 2) % n {
                    0 => m.ctor(ctors[arm % 2], &[]),
                    1 => m.ctor(ctors[2 - arm % 2], &[]),
                    _ => m.any(),
                })
                .collect();
            m.arm(&row);
        }
        let any: Vec<PatternId> = (0..n).map(|_| m.any()).collect();
        m.arm(&any);
        assert_small(&m);
    }
}

#[test]
fn alternatives_that_bind_in_many_columns_stay_small() {
    let mut m = MatchFixture::default();
    let ctors = m.declare(&[1, 2, 0]);
    let n = 40;
    let row: Vec<PatternId> = (0..n)
        .map(|local| {
            let (x, any) = (m.bind(local), m.any());
            let (left, right) = (m.ctor(ctors[0], &[x]), m.ctor(ctors[1], &[any, x]));
            m.either(&[left, right])
        })
        .collect();
    m.arm(&row);
    let any: Vec<PatternId> = (0..n).map(|_| m.any()).collect();
    m.arm(&any);
    let decisions = assert_small(&m);
    assert!(decisions.nodes.iter().any(|node| matches!(node, DecisionNode::Bind { .. })));
}

#[test]
fn long_lists_are_decided() {
    let n = 10_000;
    let mut m = MatchFixture::default();
    for last in 0..3 {
        let mut parts: Vec<PatternId> = (0..n).map(|item| m.int(item)).collect();
        parts.push(m.int(last));
        let list = m.list(&parts, RestPattern::Nothing);
        m.guarded(&[list]);
    }
    let names: Vec<PatternId> = (0..n as u32).map(|local| m.bind(local)).collect();
    let rest = m.bind(n as u32);
    let list = m.list(&names, RestPattern::Some(rest));
    m.guarded(&[list]);
    let ors: Vec<PatternId> = (0..n)
        .map(|item| {
            let parts = [m.int(item), m.int(item + 1)];
            m.either(&parts)
        })
        .collect();
    let list = m.list(&ors, RestPattern::Nothing);
    m.arm(&[list]);
    let any = m.any();
    m.arm(&[any]);
    assert_small(&m);
}

#[test]
fn many_literals_are_one_switch() {
    let n = 10_000;
    let mut m = MatchFixture::default();
    for value in 0..n {
        let pattern = m.int(value);
        m.arm(&[pattern]);
    }
    let any = m.any();
    m.arm(&[any]);
    assert_eq!(assert_small(&m).nodes.len(), n as usize + 2);
}

#[test]
fn many_guards_are_a_chain() {
    let n = 10_000;
    let mut m = MatchFixture::default();
    for local in 0..n {
        let pattern = m.bind(local);
        m.guarded(&[pattern]);
    }
    assert_eq!(assert_small(&m).nodes.len(), n as usize + 1);
}

#[test]
fn literals_between_guarded_wildcards_stay_small() {
    let mut m = MatchFixture::default();
    for value in 0..3_000 {
        let (pattern, any) = (m.int(value), m.any());
        m.guarded(&[pattern]);
        m.guarded(&[any]);
    }
    assert_small(&m);
}

#[test]
fn wide_and_tall_matrices_stay_small() {
    let mut m = MatchFixture::default();
    let ctors = m.declare(&[0, 0]);
    for arm in 0..120_usize {
        let row: Vec<PatternId> = (0..120_usize)
            .map(|column| match (arm * 7 + column * column * 5 + arm * column) % 4 {
                0 => m.ctor(ctors[(arm + column) % 2], &[]),
                1 => m.ctor(ctors[0], &[]),
                _ => m.any(),
            })
            .collect();
        m.guarded(&row);
    }
    assert_small(&m);
}
