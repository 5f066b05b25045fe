//! The main specimens: failing properties, each with its simplest failing case.

use std::collections::BTreeSet;

use gainsay_choice::{PoolId, RunVerdict};

use super::specimen_source::{DrawResult, SpecimenSource};

/// A failing property.
pub(crate) struct ShrinkSpecimen {
    pub(crate) name: &'static str,
    /// The simplest failing case, as shown.
    pub(crate) minimum: &'static str,
    pub(crate) run: fn(&mut SpecimenSource<'_>) -> DrawResult<RunVerdict>,
}

pub(crate) const SPECIMENS: &[ShrinkSpecimen] = &[
    ShrinkSpecimen { name: "bound5", minimum: "[[], [], [], [-1], [-32768]]", run: bound5 },
    ShrinkSpecimen { name: "reverse", minimum: "[0, 1]", run: reverse },
    ShrinkSpecimen { name: "distinct", minimum: "[0, 1, -1]", run: distinct },
    ShrinkSpecimen { name: "large_union", minimum: "[[0, 1, -1, 2, -2]]", run: large_union },
    ShrinkSpecimen {
        name: "nested_lists",
        minimum: "[[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]]",
        run: nested_lists,
    },
    ShrinkSpecimen {
        name: "calculator",
        minimum: "Div(Lit(0), Add(Lit(0), Lit(0)))",
        run: calculator,
    },
    ShrinkSpecimen {
        name: "binheap",
        minimum: "Some(Heap(0, None, Some(Heap(0, Some(Heap(0, None, None)), Some(Heap(1, None, None))))))",
        run: binheap,
    },
    ShrinkSpecimen { name: "coupling", minimum: "[1, 0]", run: coupling },
    ShrinkSpecimen { name: "deletion", minimum: "([0, 0], 0)", run: deletion },
    ShrinkSpecimen { name: "length_list", minimum: "[900]", run: length_list },
    ShrinkSpecimen { name: "difference_zero", minimum: "(10, 10)", run: difference_zero },
    ShrinkSpecimen { name: "difference_small", minimum: "(10, 6)", run: difference_small },
    ShrinkSpecimen { name: "difference_one", minimum: "(10, 9)", run: difference_one },
    ShrinkSpecimen { name: "replacement", minimum: "[4, 16, 16]", run: replacement },
    ShrinkSpecimen { name: "multiples", minimum: "97", run: multiples },
    ShrinkSpecimen { name: "products", minimum: "(36, 100)", run: products },
    ShrinkSpecimen { name: "sum_of_pair", minimum: "(1, 1000)", run: sum_of_pair },
    ShrinkSpecimen { name: "big_integer", minimum: "1180591620717411303424", run: big_integer },
    ShrinkSpecimen { name: "float_fraction", minimum: "0.5", run: float_fraction },
    ShrinkSpecimen { name: "float_absorbs", minimum: "9007199254740992.0", run: float_absorbs },
    ShrinkSpecimen { name: "float_nan", minimum: "NaN", run: float_nan },
    ShrinkSpecimen { name: "float_large", minimum: "1000001.0", run: float_large },
    ShrinkSpecimen { name: "text_palindrome", minimum: "\"ab\"", run: text_palindrome },
    ShrinkSpecimen { name: "text_not_ascii", minimum: "\"\\u{80}\"", run: text_not_ascii },
    ShrinkSpecimen { name: "text_capital", minimum: "\"aaaA\"", run: text_capital },
    ShrinkSpecimen { name: "text_pair", minimum: "(\"aa\", \"aa\")", run: text_pair },
    ShrinkSpecimen { name: "tree_order", minimum: "N(., 0, N(., 0, .))", run: tree_order },
    ShrinkSpecimen {
        name: "search_tree",
        minimum: "N(N(., -1, .), 0, N(., 1, .))",
        run: search_tree,
    },
    ShrinkSpecimen {
        name: "tree_depth",
        minimum: "N(., 0, N(., 0, N(., 0, N(., 101, .))))",
        run: tree_depth,
    },
    ShrinkSpecimen { name: "cycle", minimum: "[New, New, Link(0, 1), Link(1, 0)]", run: cycle },
    ShrinkSpecimen { name: "push_get", minimum: "[Push(10), Get(0)]", run: push_get },
    ShrinkSpecimen { name: "two_regions", minimum: "[Open, Star, Close]", run: two_regions },
    ShrinkSpecimen {
        name: "nested_blocks",
        minimum: "[Begin(0), Begin(0), End(0), End(0)]",
        run: nested_blocks,
    },
    ShrinkSpecimen {
        name: "linked_chain",
        minimum: "[(0, 1), (1, 2), (2, 3)]",
        run: linked_chain,
    },
    ShrinkSpecimen {
        name: "labels_around_list",
        minimum: "(5, [11], 5)",
        run: labels_around_list,
    },
    ShrinkSpecimen {
        name: "flag_adds_draw",
        minimum: "(false, [0, 0, 7])",
        run: flag_adds_draw,
    },
    ShrinkSpecimen { name: "sorted_list", minimum: "[0, 1, 2, 3]", run: sorted_list },
    ShrinkSpecimen {
        name: "bank",
        minimum: "[Deposit(1), Withdraw(1), Withdraw(1)]",
        run: bank,
    },
    ShrinkSpecimen { name: "matrix", minimum: "[[0, 0], [1, 0]]", run: matrix },
];

fn bound5(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let mut lists = Vec::new();
    for n in 0..5 {
        lists.push(d.param(n, |d| d.list(0, Some(10), |d| d.int(-32768, 32767)))?);
    }
    let sum = |list: &Vec<i64>| list.iter().fold(0i16, |a, b| a.wrapping_add(*b as i16));
    if lists.iter().any(|it| sum(it) >= 256) {
        return Ok(RunVerdict::Invalid);
    }
    let total = lists.iter().map(sum).fold(0i16, i16::wrapping_add);
    d.judge(total >= 5 * 256, lists)
}

fn reverse(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let xs = d.param(0, |d| d.ints(i64::MIN, i64::MAX))?;
    let reversed: Vec<i64> = xs.iter().rev().copied().collect();
    d.judge(reversed != xs, xs)
}

fn distinct(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let xs = d.param(0, |d| d.ints(i64::MIN, i64::MAX))?;
    let set: BTreeSet<_> = xs.iter().collect();
    d.judge(set.len() >= 3, xs)
}

fn large_union(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let lists = d.param(0, |d| d.list(0, None, |d| d.ints(i64::MIN, i64::MAX)))?;
    let set: BTreeSet<_> = lists.iter().flatten().collect();
    d.judge(set.len() > 4, lists)
}

fn nested_lists(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let lists = d.param(0, |d| d.list(0, None, |d| d.ints(i64::MIN, i64::MAX)))?;
    d.judge(lists.iter().map(Vec::len).sum::<usize>() > 10, lists)
}

#[derive(Debug, PartialEq)]
enum CalculatorExpr {
    Lit(i64),
    Add(Box<CalculatorExpr>, Box<CalculatorExpr>),
    Div(Box<CalculatorExpr>, Box<CalculatorExpr>),
}

fn expr(d: &mut SpecimenSource<'_>, depth: u32) -> DrawResult<CalculatorExpr> {
    d.node(|d| {
        let which = if depth >= 5 { d.pick(1)? } else { d.pick(3)? };
        Ok(match which {
            0 => CalculatorExpr::Lit(d.int(-1000, 1000)?),
            1 => CalculatorExpr::Add(
                Box::new(expr(d, depth + 1)?),
                Box::new(expr(d, depth + 1)?),
            ),
            _ => CalculatorExpr::Div(
                Box::new(expr(d, depth + 1)?),
                Box::new(expr(d, depth + 1)?),
            ),
        })
    })
}

fn divides_by_literal_zero(it: &CalculatorExpr) -> bool {
    match it {
        CalculatorExpr::Lit(_) => false,
        CalculatorExpr::Add(a, b) => divides_by_literal_zero(a) || divides_by_literal_zero(b),
        CalculatorExpr::Div(a, b) => {
            **b == CalculatorExpr::Lit(0)
                || divides_by_literal_zero(a)
                || divides_by_literal_zero(b)
        }
    }
}

fn eval(it: &CalculatorExpr) -> Option<i64> {
    match it {
        CalculatorExpr::Lit(n) => Some(*n),
        CalculatorExpr::Add(a, b) => Some(eval(a)?.wrapping_add(eval(b)?)),
        CalculatorExpr::Div(a, b) => eval(a)?.checked_div(eval(b)?),
    }
}

fn calculator(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let it = d.param(0, |d| expr(d, 0))?;
    if divides_by_literal_zero(&it) {
        return Ok(RunVerdict::Invalid);
    }
    d.judge(eval(&it).is_none(), it)
}

#[derive(Debug, Clone)]
struct Heap(i64, Option<Box<Heap>>, Option<Box<Heap>>);

fn heap(d: &mut SpecimenSource<'_>, min: i64, depth: u32) -> DrawResult<Option<Box<Heap>>> {
    d.node(|d| {
        let is_node = if depth >= 5 { 0 } else { d.pick(2)? };
        if is_node == 0 {
            return Ok(None);
        }
        let head = d.int(min, 1_000_000)?;
        let left = heap(d, head, depth + 1)?;
        Ok(Some(Box::new(Heap(head, left, heap(d, head, depth + 1)?))))
    })
}

fn merge(a: Option<Box<Heap>>, b: Option<Box<Heap>>) -> Option<Box<Heap>> {
    match (a, b) {
        (None, it) | (it, None) => it,
        (Some(a), Some(b)) if a.0 <= b.0 => Some(Box::new(Heap(a.0, merge(a.2, Some(b)), a.1))),
        (Some(a), Some(b)) => Some(Box::new(Heap(b.0, merge(b.2, Some(a)), b.1))),
    }
}

fn elements(it: &Option<Box<Heap>>, list: &mut Vec<i64>) {
    if let Some(it) = it {
        list.push(it.0);
        elements(&it.2, list);
        elements(&it.1, list);
    }
}

fn binheap(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let it = d.param(0, |d| heap(d, 0, 0))?;
    let mut sorted = Vec::new();
    elements(&it, &mut sorted);
    sorted.sort_unstable();
    let mut wrong = Vec::new();
    if let Some(it) = it.clone() {
        wrong.push(it.0);
        elements(&merge(it.1, it.2), &mut wrong);
    }
    d.judge(wrong != sorted, it)
}

fn coupling(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let xs = d.param(0, |d| d.ints(0, 10))?;
    if xs.iter().any(|it| *it as usize >= xs.len()) {
        return Ok(RunVerdict::Invalid);
    }
    let fails = (0..xs.len()).any(|i| xs[i] as usize != i && xs[xs[i] as usize] as usize == i);
    d.judge(fails, xs)
}

fn deletion(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let xs = d.param(0, |d| d.ints(i64::MIN, i64::MAX))?;
    if xs.is_empty() {
        return Ok(RunVerdict::Invalid);
    }
    let at = d.param(1, |d| d.int(0, xs.len() as i64 - 1))?;
    let x = xs[at as usize];
    let fails = xs.iter().filter(|it| **it == x).count() > 1;
    d.judge(fails, (xs, x))
}

fn length_list(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let n = d.param(0, |d| d.int(1, 100))?;
    let mut xs = Vec::new();
    for _ in 0..n {
        xs.push(d.node(|d| d.int(0, 1000))?);
    }
    d.judge(xs.iter().any(|it| *it >= 900), xs)
}

fn two_ints(d: &mut SpecimenSource<'_>) -> DrawResult<(i64, i64)> {
    Ok((d.param(0, |d| d.int(-1000, 1000))?, d.param(1, |d| d.int(-1000, 1000))?))
}

fn difference_zero(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let (x, y) = two_ints(d)?;
    d.judge(x >= 10 && x == y, (x, y))
}

fn difference_small(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let (x, y) = two_ints(d)?;
    d.judge(x >= 10 && (1..=4).contains(&x.abs_diff(y)), (x, y))
}

fn difference_one(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let (x, y) = two_ints(d)?;
    d.judge(x >= 10 && x.abs_diff(y) == 1, (x, y))
}

fn replacement(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let xs = d.param(0, |d| d.ints(1, 16))?;
    let product = xs.iter().fold(1i64, |a, b| a.saturating_mul(*b));
    d.judge(product >= 1000, xs)
}

fn multiples(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let n = d.param(0, |d| d.int(0, i64::MAX))?;
    d.judge(n > 0 && n % 97 == 0, n)
}

fn products(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let x = d.param(0, |d| d.int(0, 100))?;
    let y = d.param(1, |d| d.int(0, 100))?;
    d.judge(x * y == 3600, (x, y))
}

fn sum_of_pair(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let x = d.param(0, |d| d.int(0, 1000))?;
    let y = d.param(1, |d| d.int(0, 1000))?;
    d.judge(x + y > 1000, (x, y))
}

fn big_integer(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let x = d.param(0, SpecimenSource::any_int)?;
    let limit = num_bigint::BigInt::from(1) << 70;
    if d.show == super::specimen_source::ValueDisplay::Shown {
        d.shown = x.to_string();
    }
    let shown = std::mem::take(&mut d.shown);
    let verdict = d.judge(x >= limit, ());
    d.shown = shown;
    verdict
}

fn float_fraction(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let x = d.param(0, SpecimenSource::float)?;
    d.judge(x.is_finite() && x.fract() != 0.0, x)
}

fn float_absorbs(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let x = d.param(0, SpecimenSource::float)?;
    d.judge(x.is_finite() && x + 1.0 == x, x)
}

fn float_nan(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let x = d.param(0, SpecimenSource::float)?;
    d.judge(x.is_nan(), x)
}

fn float_large(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let x = d.param(0, SpecimenSource::float)?;
    d.judge(x > 1e6, x)
}

fn text_palindrome(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let text = d.param(0, SpecimenSource::text)?;
    let reversed: String = text.chars().rev().collect();
    d.judge(reversed != text, text)
}

fn text_not_ascii(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let text = d.param(0, SpecimenSource::text)?;
    d.judge(text.chars().any(|it| u32::from(it) > 0x7f), text)
}

fn text_capital(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let text = d.param(0, SpecimenSource::text)?;
    let fails = text.chars().count() >= 4 && text.chars().any(|it| it.is_ascii_uppercase());
    d.judge(fails, text)
}

fn text_pair(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let first = d.param(0, SpecimenSource::text)?;
    let second = if d.param(1, SpecimenSource::boolean)? {
        first.clone()
    } else {
        d.param(2, SpecimenSource::text)?
    };
    let fails = first.chars().count() >= 2 && first == second;
    d.judge(fails, (first, second))
}

enum SpecimenTree {
    Leaf,
    Node(Box<SpecimenTree>, i64, Box<SpecimenTree>),
}

impl std::fmt::Debug for SpecimenTree {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SpecimenTree::Leaf => write!(f, "."),
            SpecimenTree::Node(left, key, right) => write!(f, "N({left:?}, {key}, {right:?})"),
        }
    }
}

fn tree(d: &mut SpecimenSource<'_>, depth: u32) -> DrawResult<SpecimenTree> {
    d.node(|d| {
        let is_node = if depth >= 6 { 0 } else { d.pick(2)? };
        if is_node == 0 {
            return Ok(SpecimenTree::Leaf);
        }
        let left = tree(d, depth + 1)?;
        let key = d.int(-1000, 1000)?;
        Ok(SpecimenTree::Node(Box::new(left), key, Box::new(tree(d, depth + 1)?)))
    })
}

fn keys(it: &SpecimenTree, list: &mut Vec<i64>) {
    if let SpecimenTree::Node(left, key, right) = it {
        keys(left, list);
        list.push(*key);
        keys(right, list);
    }
}

fn height(it: &SpecimenTree) -> usize {
    match it {
        SpecimenTree::Leaf => 0,
        SpecimenTree::Node(left, _, right) => 1 + height(left).max(height(right)),
    }
}

fn tree_order(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let it = d.param(0, |d| tree(d, 0))?;
    let mut list = Vec::new();
    keys(&it, &mut list);
    d.judge(list.windows(2).any(|it| it[0] >= it[1]), it)
}

fn tree_depth(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let it = d.param(0, |d| tree(d, 0))?;
    let mut list = Vec::new();
    keys(&it, &mut list);
    d.judge(height(&it) >= 4 && list.iter().any(|it| *it > 100), it)
}

/// Keys in an open interval. Where there is no room, the selector with a single alternative is
/// drawn all the same.
fn ordered_tree(
    d: &mut SpecimenSource<'_>,
    low: i64,
    high: i64,
    depth: u32,
) -> DrawResult<SpecimenTree> {
    d.node(|d| {
        let has_room = low + 1 < high && depth < 6;
        let is_node = d.source.select(&[1, u32::from(has_room)])?;
        if is_node == 0 {
            return Ok(SpecimenTree::Leaf);
        }
        let key = d.int(low + 1, high - 1)?;
        let left = ordered_tree(d, low, key, depth + 1)?;
        Ok(SpecimenTree::Node(
            Box::new(left),
            key,
            Box::new(ordered_tree(d, key, high, depth + 1)?),
        ))
    })
}

fn search_tree(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let it = d.param(0, |d| ordered_tree(d, -1000, 1000, 0))?;
    let both = |it: &SpecimenTree| matches!(it, SpecimenTree::Node(left, _, right) if height(left) > 0 && height(right) > 0);
    fn any(it: &SpecimenTree, test: &dyn Fn(&SpecimenTree) -> bool) -> bool {
        test(it)
            || matches!(it, SpecimenTree::Node(left, _, right) if any(left, test) || any(right, test))
    }
    d.judge(any(&it, &both), it)
}

#[derive(Debug)]
enum GraphCommand {
    New,
    Link(u32, u32),
}

fn cycle(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let pool = PoolId(1);
    let mut n_live = 0;
    let ops = d.param(0, |d| {
        d.list(0, None, |d| {
            let which = d.source.select(&[2, u32::from(n_live > 0) * 3])?;
            if which == 0 {
                d.source.bind_variable(pool);
                n_live += 1;
                return Ok(GraphCommand::New);
            }
            let (a, b) = (
                d.source.draw_reference(pool, n_live)?,
                d.source.draw_reference(pool, n_live)?,
            );
            Ok(GraphCommand::Link(a, b))
        })
    })?;
    let links = ops.iter().filter_map(|it| match it {
        GraphCommand::Link(a, b) if a != b => Some((*a, *b)),
        GraphCommand::Link(..) | GraphCommand::New => None,
    });
    let direct: BTreeSet<(u32, u32)> = links.collect();
    let mut closed = direct.clone();
    loop {
        let more: Vec<_> = closed
            .iter()
            .flat_map(|(a, b)| {
                direct.iter().filter(move |(c, _)| c == b).map(move |(_, e)| (*a, *e))
            })
            .filter(|it| !closed.contains(it))
            .collect();
        if more.is_empty() {
            break;
        }
        closed.extend(more);
    }
    d.judge(closed.iter().any(|(a, b)| a == b), ops)
}

#[derive(Debug)]
enum StackCommand {
    Push(i64),
    Get(i64),
}

fn push_get(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let ops = d.param(0, |d| {
        d.list(0, None, |d| {
            Ok(if d.pick(2)? == 0 {
                StackCommand::Push(d.int(0, 100)?)
            } else {
                StackCommand::Get(d.int(0, 10)?)
            })
        })
    })?;
    let mut stack = Vec::new();
    let mut fails = false;
    for op in &ops {
        match op {
            StackCommand::Push(value) => stack.push(*value),
            StackCommand::Get(at) => {
                fails |= stack.get(*at as usize).is_some_and(|it| *it >= 10)
            }
        }
    }
    d.judge(fails, ops)
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum BracketCommand {
    Star,
    Open,
    Close,
}

fn two_regions(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let list = d.param(0, |d| {
        d.list(0, None, |d| {
            Ok([BracketCommand::Star, BracketCommand::Open, BracketCommand::Close]
                [d.pick(3)? as usize])
        })
    })?;
    let mut depth = 0;
    let mut fails = false;
    for it in &list {
        match it {
            BracketCommand::Star => fails |= depth > 0,
            BracketCommand::Open => depth += 1,
            BracketCommand::Close => depth -= 1,
        }
        if depth < 0 {
            return Ok(RunVerdict::Invalid);
        }
    }
    if depth != 0 {
        return Ok(RunVerdict::Invalid);
    }
    d.judge(fails, list)
}

#[derive(Debug)]
enum BlockCommand {
    Begin(i64),
    End(i64),
}

fn nested_blocks(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let list = d.param(0, |d| {
        d.list(0, None, |d| {
            Ok(if d.pick(2)? == 0 {
                BlockCommand::Begin(d.int(0, 100)?)
            } else {
                BlockCommand::End(d.int(0, 100)?)
            })
        })
    })?;
    let mut open = Vec::new();
    let mut fails = false;
    for it in &list {
        match it {
            BlockCommand::Begin(name) => open.push(*name),
            BlockCommand::End(name) => {
                if open.last() != Some(name) {
                    return Ok(RunVerdict::Pass);
                }
                fails |= open.len() >= 2;
                open.pop();
            }
        }
    }
    d.judge(fails && open.is_empty(), list)
}

fn linked_chain(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let pairs = d.param(0, |d| d.list(0, None, |d| Ok((d.int(0, 10)?, d.int(0, 10)?))))?;
    let mut fails = false;
    if let Some((first, _)) = pairs.first() {
        let mut path = vec![*first];
        while let Some((_, next)) = pairs.iter().find(|it| Some(&it.0) == path.last()) {
            if path.contains(next) || path.len() > 20 {
                break;
            }
            path.push(*next);
        }
        fails = path.len() >= 4;
    }
    d.judge(fails, pairs)
}

fn labels_around_list(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let before = d.param(0, |d| d.int(0, 100))?;
    let list = d.param(1, |d| d.ints(0, 100))?;
    let after = d.param(2, |d| d.int(0, 100))?;
    let fails = before == after && before >= 5 && list.iter().sum::<i64>() > 10;
    d.judge(fails, (before, list, after))
}

fn flag_adds_draw(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let flag = d.param(0, SpecimenSource::boolean)?;
    let extra = if flag { d.param(1, |d| d.int(0, 100))? } else { 0 };
    let list = d.param(2, |d| d.ints(0, 100))?;
    let fails = list.len() >= 3 && extra + list.iter().sum::<i64>() >= 7;
    d.judge(fails, (flag, list))
}

fn sorted_list(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let list = d.param(0, |d| d.ints(0, 100))?;
    let rises = list.windows(2).filter(|it| it[0] < it[1]).count();
    d.judge(rises >= 3, list)
}

#[derive(Debug)]
enum BankCommand {
    Deposit(i64),
    Withdraw(i64),
}

fn bank(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let ops = d.param(0, |d| {
        d.list(0, None, |d| {
            Ok(if d.pick(2)? == 0 {
                BankCommand::Deposit(d.int(1, 100)?)
            } else {
                BankCommand::Withdraw(d.int(1, 100)?)
            })
        })
    })?;
    // The bug: only every second withdrawal is checked.
    let (mut balance, mut n_withdrawn, mut fails) = (0, 0, false);
    for op in &ops {
        match op {
            BankCommand::Deposit(amount) => balance += amount,
            BankCommand::Withdraw(amount) => {
                n_withdrawn += 1;
                if n_withdrawn % 2 == 0 || balance >= *amount {
                    balance -= amount;
                }
            }
        }
        fails |= balance < 0;
    }
    d.judge(fails && n_withdrawn >= 2 && matches!(ops[0], BankCommand::Deposit(_)), ops)
}

fn matrix(d: &mut SpecimenSource<'_>) -> DrawResult<RunVerdict> {
    let n = d.param(0, |d| d.int(0, 3))?;
    let mut rows = Vec::new();
    for _ in 0..n {
        let row = d.node(|d| {
            let mut row = Vec::new();
            for _ in 0..n {
                row.push(d.node(|d| d.int(-1000, 1000))?);
            }
            Ok(row)
        })?;
        rows.push(row);
    }
    let fails = (0..rows.len()).any(|i| (0..i).any(|j| rows[i][j] != rows[j][i]));
    d.judge(fails, rows)
}
