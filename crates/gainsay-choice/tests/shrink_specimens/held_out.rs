//! Held-out specimens, written after the passes: they show that the passes are not tuned to the
//! other specimens. All but `residue` became minimal without a change to a pass.

use std::collections::BTreeSet;

use gainsay_choice::{PoolId, RunVerdict};

use super::specimen_source::{DrawResult, SpecimenSource};
use super::specimens::ShrinkSpecimen;

pub(crate) const HELD_OUT: &[ShrinkSpecimen] = &[
    ShrinkSpecimen {
        name: "two_variables",
        minimum: "[New, New, Set(0, 5), Set(1, 5)]",
        run: two_variables,
    },
    ShrinkSpecimen { name: "digits", minimum: "(100, [0, 0, 0])", run: digits },
    ShrinkSpecimen {
        name: "float_after_list",
        minimum: "([0, 0], 3.0)",
        run: float_after_list,
    },
    ShrinkSpecimen { name: "three_equal", minimum: "[7, 7, 7]", run: three_equal },
    ShrinkSpecimen { name: "exact_sum", minimum: "[10, 30, 30, 30]", run: exact_sum },
    ShrinkSpecimen { name: "residue", minimum: "5001", run: residue },
    ShrinkSpecimen { name: "same_length", minimum: "([0], [1])", run: same_length },
    ShrinkSpecimen { name: "shared_element", minimum: "([3], [3])", run: shared_element },
    ShrinkSpecimen {
        name: "insert_twice",
        minimum: "[Insert(0), Insert(0), Delete(0)]",
        run: insert_twice,
    },
    ShrinkSpecimen { name: "deep_nesting", minimum: "L([L([L([])])])", run: deep_nesting },
    ShrinkSpecimen { name: "first_and_last", minimum: "[5, 0, 0, 5]", run: first_and_last },
    ShrinkSpecimen { name: "overlap", minimum: "[(0, 1), (0, 1)]", run: overlap },
    ShrinkSpecimen { name: "long_list", minimum: "30", run: long_list },
    ShrinkSpecimen { name: "option_pair", minimum: "(None, Some(3))", run: option_pair },
    ShrinkSpecimen { name: "strings_equal", minimum: "[\"aa\", \"aa\"]", run: strings_equal },
    ShrinkSpecimen { name: "decreasing", minimum: "[2, 1, 0]", run: decreasing },
    ShrinkSpecimen { name: "average", minimum: "[31]", run: average },
    ShrinkSpecimen { name: "zigzag", minimum: "(1000, 1000)", run: zigzag },
];

#[derive(Debug)]
enum VariableCommand {
    New,
    Set(u32, i64),
}

fn two_variables(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let pool = PoolId(1);
    let mut n_live = 0;
    let ops = d.param(0, |d| {
        d.list(0, None, |d| {
            if d.source.select(&[2, u32::from(n_live > 0) * 3])? == 0 {
                d.source.bind_variable(pool);
                n_live += 1;
                return Ok(VariableCommand::New);
            }
            Ok(VariableCommand::Set(d.source.draw_reference(pool, n_live)?, d.int(0, 10)?))
        })
    })?;
    let mut values = vec![0; n_live as usize];
    for op in &ops {
        if let VariableCommand::Set(variable, value) = op {
            values[*variable as usize] = *value;
        }
    }
    let fails = values.iter().enumerate().any(|(at, it)| *it >= 5 && values[..at].contains(it));
    d.judge(fails, ops)
}

fn digits(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let n = d.param(0, |d| d.int(0, 1_000_000))?;
    let list = d.param(1, |d| d.ints(0, 10))?;
    d.judge(n >= 100 && n.to_string().len() == list.len(), (n, list))
}

fn float_after_list(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let list = d.param(0, |d| d.ints(0, 10))?;
    let x = d.param(1, SpecimenSource::float)?;
    d.judge(list.len() >= 2 && x.is_finite() && x > list.len() as f64, (list, x))
}

fn three_equal(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let list = d.param(0, |d| d.ints(0, 100))?;
    let n_equal = |it: &i64| list.iter().filter(|other| *other == it).count();
    d.judge(list.iter().any(|it| *it >= 7 && n_equal(it) >= 3), list)
}

fn exact_sum(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let list = d.param(0, |d| d.list(0, None, |d| d.int(0, 30)))?;
    d.judge(list.iter().sum::<i64>() == 100, list)
}

fn residue(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let n = d.param(0, |d| d.int(0, 1_000_000))?;
    d.judge(n > 5000 && n % 100 == 1, n)
}

fn same_length(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let a = d.param(0, |d| d.ints(0, 100))?;
    let b = d.param(1, |d| d.ints(0, 100))?;
    d.judge(a.len() == b.len() && a != b, (a, b))
}

fn shared_element(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let a = d.param(0, |d| d.ints(0, 100))?;
    let b = d.param(1, |d| d.ints(0, 100))?;
    d.judge(a.iter().any(|it| *it >= 3 && b.contains(it)), (a, b))
}

#[derive(Debug)]
enum BagCommand {
    Insert(i64),
    Delete(i64),
}

fn insert_twice(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let ops = d.param(0, |d| {
        d.list(0, None, |d| {
            Ok(if d.pick(2)? == 0 {
                BagCommand::Insert(d.int(0, 100)?)
            } else {
                BagCommand::Delete(d.int(0, 100)?)
            })
        })
    })?;
    let mut bag: Vec<i64> = Vec::new();
    let mut fails = false;
    for op in &ops {
        match op {
            BagCommand::Insert(key) => bag.push(*key),
            BagCommand::Delete(key) => fails |= bag.iter().filter(|it| *it == key).count() >= 2,
        }
    }
    d.judge(fails, ops)
}

#[derive(Debug)]
struct L(Vec<L>);

fn nesting(d: &mut SpecimenSource<'_>, depth: u32) -> DrawResult<L> {
    let max = if depth >= 5 { Some(0) } else { None };
    Ok(L(d.list(0, max, |d| nesting(d, depth + 1))?))
}

fn depth(it: &L) -> u32 {
    1 + it.0.iter().map(depth).max().unwrap_or(0)
}

fn deep_nesting(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let it = d.param(0, |d| nesting(d, 0))?;
    d.judge(depth(&it) >= 3, it)
}

fn first_and_last(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let list = d.param(0, |d| d.ints(0, 100))?;
    let fails = list.len() >= 4
        && list.len().is_multiple_of(2)
        && list.first() == list.last()
        && list[0] >= 5;
    d.judge(fails, list)
}

fn overlap(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let list = d.param(0, |d| d.list(0, None, |d| Ok((d.int(0, 100)?, d.int(0, 100)?))))?;
    let fails = list.iter().enumerate().any(|(at, a)| {
        list[..at].iter().any(|b| a.0 < a.1 && b.0 < b.1 && a.0 < b.1 && b.0 < a.1)
    });
    d.judge(fails, list)
}

fn long_list(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let list = d.param(0, |d| d.ints(0, 100))?;
    let (n, sum) = (list.len(), list.iter().sum::<i64>());
    if sum == 0 { d.judge(n >= 30, n) } else { d.judge(n >= 30, list) }
}

fn option_pair(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let mut option =
        |n| d.param(n, |d| Ok(if d.pick(2)? == 0 { None } else { Some(d.int(0, 100)?) }));
    let (a, b) = (option(0)?, option(1)?);
    d.judge(a.unwrap_or(0) + b.unwrap_or(0) >= 3, (a, b))
}

fn strings_equal(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let list = d.param(0, |d| d.list(0, None, |d| d.node(SpecimenSource::text)))?;
    let long: Vec<_> = list.iter().filter(|it| it.chars().count() >= 2).collect();
    let distinct: BTreeSet<_> = long.iter().collect();
    d.judge(distinct.len() < long.len(), list)
}

fn decreasing(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let list = d.param(0, |d| d.ints(0, 1000))?;
    d.judge(list.len() >= 3 && list.windows(2).all(|it| it[0] > it[1]), list)
}

fn average(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let list = d.param(0, |d| d.ints(0, 100))?;
    d.judge(!list.is_empty() && list.iter().sum::<i64>() > 30 * list.len() as i64, list)
}

fn zigzag(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let x = d.param(0, |d| d.int(0, 1_000_000))?;
    let y = d.param(1, |d| d.int(0, 1_000_000))?;
    d.judge(x >= 1000 && y >= 1000 && x.abs_diff(y) <= 1, (x, y))
}
