//! Specimens whose failing cases can only shrink in several places at once: a length and its
//! elements, two equal texts, numbers related by a factor, operations that belong together, and
//! integers whose failing values are sparse.

use gainsay_choice::RunVerdict;

use super::specimen_source::{DrawResult, SpecimenSource};
use super::specimens::ShrinkSpecimen;

pub(crate) const LINKED: &[ShrinkSpecimen] = &[
    ShrinkSpecimen { name: "vector", minimum: "[900]", run: vector },
    ShrinkSpecimen {
        name: "vector_without_spans",
        minimum: "[995]",
        run: vector_without_spans,
    },
    ShrinkSpecimen { name: "vector_of_pairs", minimum: "[(0, 10)]", run: vector_of_pairs },
    ShrinkSpecimen {
        name: "vector_then_more",
        minimum: "([7, 90], 90)",
        run: vector_then_more,
    },
    ShrinkSpecimen { name: "grid", minimum: "[[90]]", run: grid },
    ShrinkSpecimen { name: "equal_texts", minimum: "(\"aab\", \"aab\")", run: equal_texts },
    ShrinkSpecimen {
        name: "text_three_times",
        minimum: "[\"aa\", \"aa\", \"aa\"]",
        run: text_three_times,
    },
    ShrinkSpecimen { name: "large_multiples", minimum: "10107", run: large_multiples },
    ShrinkSpecimen { name: "squares", minimum: "5041", run: squares },
    ShrinkSpecimen { name: "below_squares", minimum: "5040", run: below_squares },
    ShrinkSpecimen { name: "three_sevens", minimum: "777", run: three_sevens },
    ShrinkSpecimen { name: "bit_mask", minimum: "33825", run: bit_mask },
    ShrinkSpecimen {
        name: "last_day_of_four_years",
        minimum: "365",
        run: last_day_of_four_years,
    },
    ShrinkSpecimen { name: "letter_class", minimum: "\"Q\"", run: letter_class },
    ShrinkSpecimen { name: "foreign_letter", minimum: "\"ª\"", run: foreign_letter },
    ShrinkSpecimen { name: "alternating", minimum: "[0, 1, 0, 1]", run: alternating },
    ShrinkSpecimen { name: "same_signs", minimum: "(3, 5, 7)", run: same_signs },
    ShrinkSpecimen {
        name: "three_times_as_much",
        minimum: "([1], 3)",
        run: three_times_as_much,
    },
    ShrinkSpecimen { name: "twice_and_five", minimum: "(1, 7)", run: twice_and_five },
    ShrinkSpecimen {
        name: "relabelled_edges",
        minimum: "[(0, 0), (1, 0), (1, 0)]",
        run: relabelled_edges,
    },
    ShrinkSpecimen { name: "same_order", minimum: "[0, 2, -1, 1, -2]", run: same_order },
    ShrinkSpecimen { name: "isolated_pairs", minimum: "(2, 5)", run: isolated_pairs },
    ShrinkSpecimen {
        name: "regions_with_work",
        minimum: "Open, 18 × Work, Close",
        run: regions_with_work,
    },
    ShrinkSpecimen {
        name: "queue_with_work",
        minimum: "Send, 18 × Work, Receive",
        run: queue_with_work,
    },
    ShrinkSpecimen { name: "rotated", minimum: "C(0, C(1, C(2, 3)))", run: rotated },
    ShrinkSpecimen { name: "cancelled", minimum: "Div(Cell, Cell)", run: cancelled },
    ShrinkSpecimen { name: "equal_floats", minimum: "(1001.0, 1001.0)", run: equal_floats },
    ShrinkSpecimen { name: "opposite_floats", minimum: "(3.0, -3.0)", run: opposite_floats },
];

fn vector(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let n = d.param(0, |d| d.int(0, 1000))?;
    let mut xs = Vec::new();
    for _ in 0..n {
        xs.push(d.node(|d| d.int(0, 1000))?);
    }
    d.judge(xs.iter().any(|it| *it >= 900), xs)
}

fn vector_without_spans(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let n = d.int(0, 1000)?;
    let mut xs = Vec::new();
    for _ in 0..n {
        xs.push(d.int(0, 1000)?);
    }
    d.judge(xs.iter().any(|it| *it >= 995), xs)
}

fn vector_of_pairs(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let xs = d.param(0, |d| {
        let n = d.int(0, 400)?;
        (0..n).map(|_| Ok((d.int(0, 100)?, d.int(0, 1000)?))).collect::<DrawResult<Vec<_>>>()
    })?;
    d.judge(xs.iter().any(|(a, b)| a < b && *b >= 10), xs)
}

fn vector_then_more(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let xs = d.param(0, |d| {
        let n = d.int(0, 400)?;
        (0..n).map(|_| d.node(|d| d.int(0, 100))).collect::<DrawResult<Vec<_>>>()
    })?;
    let y = d.param(1, |d| d.int(0, 100))?;
    let at = xs.iter().position(|it| *it == 7);
    d.judge(y >= 90 && at.is_some_and(|it| xs[it..].contains(&y)), (xs, y))
}

fn grid(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let n_rows = d.param(0, |d| d.int(0, 30))?;
    let n_columns = d.param(1, |d| d.int(0, 30))?;
    let mut rows = Vec::new();
    for _ in 0..n_rows {
        let mut row = Vec::new();
        for _ in 0..n_columns {
            row.push(d.node(|d| d.int(0, 100))?);
        }
        rows.push(row);
    }
    d.judge(rows.iter().flatten().any(|it| *it >= 90), rows)
}

fn equal_texts(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let a = d.param(0, SpecimenSource::text)?;
    let b = d.param(1, SpecimenSource::text)?;
    let fails = a == b && a.chars().count() >= 3 && a.chars().any(|it| it != 'a');
    d.judge(fails, (a, b))
}

fn text_three_times(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let list = d.param(0, |d| d.list(0, None, |d| d.node(SpecimenSource::text)))?;
    let n_equal = |it: &String| list.iter().filter(|other| *other == it).count();
    d.judge(list.iter().any(|it| it.chars().count() >= 2 && n_equal(it) >= 3), list)
}

fn large_multiples(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let n = d.param(0, SpecimenSource::any_int)?;
    let fails = n > 10_000.into() && &n % 1123 == 0.into();
    d.judge(fails, n)
}

fn is_square(n: i64) -> bool {
    n >= 0 && n.isqrt() * n.isqrt() == n
}

fn squares(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let n = d.param(0, |d| d.int(0, 1_000_000))?;
    d.judge(n > 5000 && is_square(n), n)
}

fn below_squares(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let n = d.param(0, |d| d.int(0, 1_000_000))?;
    d.judge(n > 5000 && is_square(n + 1), n)
}

fn three_sevens(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let n = d.param(0, |d| d.int(0, i64::MAX))?;
    d.judge(n.to_string().matches('7').count() >= 3, n)
}

fn bit_mask(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let n = d.param(0, |d| d.int(0, i64::MAX))?;
    d.judge(n & 0x8421 == 0x8421, n)
}

fn last_day_of_four_years(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let n = d.param(0, |d| d.int(0, 1_000_000))?;
    d.judge(n % 1461 == 365, n)
}

fn letter_class(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let text = d.param(0, SpecimenSource::text)?;
    d.judge(text.contains(['Q', 'Z', 'Ω', 'я', '字']), text)
}

fn foreign_letter(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let text = d.param(0, SpecimenSource::text)?;
    d.judge(text.chars().any(|it| it.is_alphabetic() && !it.is_ascii()), text)
}

fn alternating(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let xs = d.param(0, |d| d.list(0, None, |d| d.pick(4)))?;
    let fails = xs.windows(4).any(|it| it[0] == it[2] && it[1] == it[3] && it[0] != it[1]);
    d.judge(fails, xs)
}

fn same_signs(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let x = d.param(0, |d| d.int(-1000, 1000))?;
    let y = d.param(1, |d| d.int(-1000, 1000))?;
    let z = d.param(2, |d| d.int(-1000, 1000))?;
    let is_large = x.abs() >= 3 && y.abs() >= 5 && z.abs() >= 7;
    d.judge(is_large && x.signum() == y.signum() && y.signum() == z.signum(), (x, y, z))
}

fn three_times_as_much(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let xs = d.param(0, |d| d.list(0, None, |d| d.int(1, 100)))?;
    let y = d.param(1, |d| d.int(1, 1000))?;
    d.judge(xs.iter().any(|it| 3 * it == y), (xs, y))
}

fn twice_and_five(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let x = d.param(0, |d| d.int(0, 100))?;
    let y = d.param(1, |d| d.int(0, 1000))?;
    d.judge(x >= 1 && y == 2 * x + 5, (x, y))
}

fn relabelled_edges(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let edges = d.param(0, |d| d.list(0, None, |d| Ok((d.int(0, 3)?, d.int(0, 3)?))))?;
    let n_equal = |it: &(i64, i64)| edges.iter().filter(|other| *other == it).count();
    let fails = edges
        .iter()
        .any(|it| it.0 != it.1 && n_equal(it) >= 2 && edges.contains(&(it.1, it.1)));
    d.judge(fails, edges)
}

fn same_order(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let xs = d.param(0, |d| d.ints(-1000, 1000))?;
    let fails = xs
        .windows(5)
        .any(|it| it[4] < it[2] && it[2] < it[0] && it[0] < it[3] && it[3] < it[1]);
    d.judge(fails, xs)
}

fn isolated_pairs(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let a = d.param(0, |d| d.int(0, 7))?;
    let b = d.param(1, |d| d.int(0, 7))?;
    d.judge([(7, 1), (2, 5), (4, 6)].contains(&(a, b)), (a, b))
}

/// Work that counts between a begin and its end; begins and ends must match.
fn script(d: &mut SpecimenSource<'_>) -> DrawResult<Vec<i64>> {
    d.param(0, |d| {
        d.list(0, None, |d| {
            d.node(|d| {
                let which = d.pick(9)?;
                let name = if which >= 7 { d.int(0, 3)? } else { 0 };
                Ok(which.max(6) * 10 + name)
            })
        })
    })
}

/// The script in short, if it is one begin, work, and one end.
fn in_short(script: &[i64], names: (&str, &str)) -> String {
    match script {
        [70, work @ .., 80] if work.iter().all(|it| *it == 60) => {
            format!("{}, {} × Work, {}", names.0, work.len(), names.1)
        }
        _ => format!("{script:?}"),
    }
}

/// Nested regions: ends match the last open begin.
fn regions_with_work(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let script = script(d)?;
    let mut open = Vec::new();
    let mut n_done = 0;
    for it in &script {
        match it / 10 {
            7 => open.push(it % 10),
            8 if open.last() == Some(&(it % 10)) => drop(open.pop()),
            8 => return Ok(RunVerdict::Invalid),
            _ => n_done += usize::from(!open.is_empty()),
        }
    }
    let short = in_short(&script, ("Open", "Close"));
    d.judge_shown(open.is_empty() && n_done >= 18, &short)
}

/// Messages that are received in the order in which they were sent.
fn queue_with_work(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let script = script(d)?;
    let mut sent = std::collections::VecDeque::new();
    let mut n_done = 0;
    for it in &script {
        match it / 10 {
            7 => sent.push_back(it % 10),
            8 if sent.front() == Some(&(it % 10)) => drop(sent.pop_front()),
            8 => return Ok(RunVerdict::Invalid),
            _ => n_done += usize::from(!sent.is_empty()),
        }
    }
    let short = in_short(&script, ("Send", "Receive"));
    d.judge_shown(sent.is_empty() && n_done >= 18, &short)
}

enum ConcatTree {
    Leaf(i64),
    Cat(Box<ConcatTree>, Box<ConcatTree>),
}

impl std::fmt::Debug for ConcatTree {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ConcatTree::Leaf(n) => write!(f, "{n}"),
            ConcatTree::Cat(left, right) => write!(f, "C({left:?}, {right:?})"),
        }
    }
}

fn cat(d: &mut SpecimenSource<'_>, depth: u32) -> DrawResult<ConcatTree> {
    d.node(|d| {
        let which = if depth >= 6 { d.pick(1)? } else { d.pick(2)? };
        Ok(if which == 0 {
            ConcatTree::Leaf(d.int(0, 100)?)
        } else {
            ConcatTree::Cat(Box::new(cat(d, depth + 1)?), Box::new(cat(d, depth + 1)?))
        })
    })
}

fn leaves(it: &ConcatTree, list: &mut Vec<i64>) {
    match it {
        ConcatTree::Leaf(n) => list.push(*n),
        ConcatTree::Cat(left, right) => {
            leaves(left, list);
            leaves(right, list);
        }
    }
}

fn rotated(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let it = d.param(0, |d| cat(d, 0))?;
    let mut list = Vec::new();
    leaves(&it, &mut list);
    d.judge(list.len() >= 4 && list.windows(2).all(|it| it[0] < it[1]), it)
}

#[derive(Debug, PartialEq)]
enum CellFormula {
    Num(i64),
    Cell,
    Add(Box<CellFormula>, Box<CellFormula>),
    Div(Box<CellFormula>, Box<CellFormula>),
}

fn formula(d: &mut SpecimenSource<'_>, depth: u32) -> DrawResult<CellFormula> {
    d.node(|d| {
        let which = if depth >= 5 { d.pick(2)? } else { d.pick(4)? };
        Ok(match which {
            0 => CellFormula::Num(d.int(-1000, 1000)?),
            1 => CellFormula::Cell,
            2 => CellFormula::Add(
                Box::new(formula(d, depth + 1)?),
                Box::new(formula(d, depth + 1)?),
            ),
            _ => CellFormula::Div(
                Box::new(formula(d, depth + 1)?),
                Box::new(formula(d, depth + 1)?),
            ),
        })
    })
}

fn divides_equals(it: &CellFormula) -> bool {
    match it {
        CellFormula::Num(_) | CellFormula::Cell => false,
        CellFormula::Add(a, b) => divides_equals(a) || divides_equals(b),
        CellFormula::Div(a, b) => a == b || divides_equals(a) || divides_equals(b),
    }
}

fn cancelled(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let it = d.param(0, |d| formula(d, 0))?;
    d.judge(divides_equals(&it), it)
}

#[expect(clippy::float_cmp, reason = "equal floats are the point")]
fn equal_floats(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let x = d.param(0, SpecimenSource::float)?;
    let y = d.param(1, SpecimenSource::float)?;
    d.judge(x == y && x > 1000.25 && x.is_finite(), (x, y))
}

#[expect(clippy::float_cmp, reason = "opposite floats are the point")]
fn opposite_floats(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let x = d.param(0, SpecimenSource::float)?;
    let y = d.param(1, SpecimenSource::float)?;
    d.judge(x == -y && x.abs() > 2.25 && x.is_finite(), (x, y))
}
