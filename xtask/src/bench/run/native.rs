//! The work of `bench/*.say` by hand, in Rust with a bump arena: what a program is compared
//! with. Each function draws the same numbers in the same order as its program.

use bumpalo::Bump;

use gainsay_ui::Random;

/// A work: draws, computes, answers.
pub(in crate::bench) type Work = fn(&mut Random, &Bump) -> i64;

fn int(random: &mut Random, lo: i64, hi: i64) -> i64 {
    lo + random.below((hi - lo) as u64 + 1) as i64
}

#[derive(Copy, Clone)]
enum Tree<'a> {
    Leaf,
    Node(&'a (i64, Tree<'a>, Tree<'a>)),
}

fn grow<'a>(arena: &'a Bump, random: &mut Random, size: i64, lo: i64, hi: i64) -> Tree<'a> {
    if size == 0 || lo + 1 >= hi || int(random, 0, size) == 0 {
        return Tree::Leaf;
    }
    let key = int(random, lo + 1, hi - 1);
    let left = grow(arena, random, size / 2, lo, key);
    let right = grow(arena, random, size / 2, key, hi);
    Tree::Node(arena.alloc((key, left, right)))
}

fn insert<'a>(arena: &'a Bump, key: i64, tree: Tree<'a>) -> Tree<'a> {
    match tree {
        Tree::Leaf => Tree::Node(arena.alloc((key, Tree::Leaf, Tree::Leaf))),
        Tree::Node(&(other, left, right)) => {
            if key < other {
                Tree::Node(arena.alloc((other, insert(arena, key, left), right)))
            } else if key > other {
                Tree::Node(arena.alloc((other, left, insert(arena, key, right))))
            } else {
                tree
            }
        }
    }
}

fn ordered(lo: i64, hi: i64, tree: Tree<'_>) -> bool {
    match tree {
        Tree::Leaf => true,
        Tree::Node(&(key, left, right)) => {
            lo < key && key < hi && ordered(lo, key, left) && ordered(key, hi, right)
        }
    }
}

fn holds(key: i64, tree: Tree<'_>) -> bool {
    match tree {
        Tree::Leaf => false,
        Tree::Node(&(other, left, right)) => {
            if key < other {
                holds(key, left)
            } else if key > other {
                holds(key, right)
            } else {
                true
            }
        }
    }
}

/// `bench/w1_search_tree.say`.
pub(in crate::bench) fn search_tree(random: &mut Random, arena: &Bump) -> i64 {
    let tree = grow(arena, random, 10, -1, 1000);
    let key = int(random, 0, 999);
    let grown = insert(arena, key, tree);
    if ordered(-1, 1000, grown) && holds(key, grown) { key } else { -1 }
}

/// Property 1 with up to so many keys that are inserted one by one.
pub(in crate::bench) fn inserted_keys(random: &mut Random, arena: &Bump, most: i64) -> i64 {
    let mut tree = Tree::Leaf;
    for _ in 0..int(random, 0, most) {
        tree = insert(arena, int(random, 0, 999), tree);
    }
    let key = int(random, 0, 999);
    let grown = insert(arena, key, tree);
    if ordered(-1, 1000, grown) && holds(key, grown) { key } else { -1 }
}

type List<'a> = Option<&'a Cell<'a>>;

struct Cell<'a> {
    head: i64,
    tail: List<'a>,
}

fn cons<'a>(arena: &'a Bump, head: i64, tail: List<'a>) -> List<'a> {
    Some(arena.alloc(Cell { head, tail }))
}

fn some<'a>(arena: &'a Bump, random: &mut Random, n: i64) -> List<'a> {
    let mut list = None;
    for _ in 0..n {
        list = cons(arena, int(random, -1000, 1000), list);
    }
    list
}

fn merge<'a>(arena: &'a Bump, xs: List<'a>, ys: List<'a>) -> List<'a> {
    match (xs, ys) {
        (None, _) => ys,
        (_, None) => xs,
        (Some(x), Some(y)) => {
            if x.head <= y.head {
                cons(arena, x.head, merge(arena, x.tail, ys))
            } else {
                cons(arena, y.head, merge(arena, xs, y.tail))
            }
        }
    }
}

fn deal<'a>(arena: &'a Bump, mut xs: List<'a>) -> (List<'a>, List<'a>) {
    let (mut left, mut right) = (None, None);
    while let Some(x) = xs {
        (left, right) = (right, cons(arena, x.head, left));
        xs = x.tail;
    }
    (left, right)
}

fn merge_sort<'a>(arena: &'a Bump, xs: List<'a>) -> List<'a> {
    match xs {
        None | Some(Cell { tail: None, .. }) => xs,
        Some(_) => {
            let (left, right) = deal(arena, xs);
            merge(arena, merge_sort(arena, left), merge_sort(arena, right))
        }
    }
}

fn ascending(mut xs: List<'_>) -> bool {
    while let Some(Cell { head, tail: Some(next) }) = xs {
        if *head > next.head {
            return false;
        }
        xs = Some(next);
    }
    true
}

fn without<'a>(arena: &'a Bump, x: i64, xs: List<'a>) -> Option<List<'a>> {
    let cell = xs?;
    if cell.head == x {
        return Some(cell.tail);
    }
    without(arena, x, cell.tail).map(|fewer| cons(arena, cell.head, fewer))
}

fn permuted<'a>(arena: &'a Bump, mut xs: List<'a>, mut ys: List<'a>) -> bool {
    while let Some(x) = xs {
        match without(arena, x.head, ys) {
            Some(fewer) => (xs, ys) = (x.tail, fewer),
            None => return false,
        }
    }
    ys.is_none()
}

/// `bench/w2_list_sort.say`.
pub(in crate::bench) fn list_sort(random: &mut Random, arena: &Bump) -> i64 {
    sorted_list(random, arena, 100)
}

/// Property 2 with up to so many elements.
pub(in crate::bench) fn sorted_list(random: &mut Random, arena: &Bump, most: i64) -> i64 {
    let n = int(random, 0, most);
    let xs = some(arena, random, n);
    let sorted = merge_sort(arena, xs);
    if ascending(sorted) && permuted(arena, xs, sorted) {
        sorted.map_or(0, |it| it.head)
    } else {
        9999
    }
}

/// Property 3, the short one.
pub(in crate::bench) fn distributive(random: &mut Random, _: &Bump) -> i64 {
    let mut draw = || int(random, i64::from(i32::MIN), i64::from(i32::MAX));
    i64::from(distributes(draw(), draw(), draw()))
}

/// Whether `a * (b + c)` is `a * b + a * c`, all arithmetic checked.
pub(in crate::bench) fn distributes(a: i64, b: i64, c: i64) -> bool {
    let whole = b.checked_add(c).and_then(|it| a.checked_mul(it));
    let parts = a.checked_mul(b).zip(a.checked_mul(c)).and_then(|(b, c)| b.checked_add(c));
    whole == parts
}

/// `bench/w3_loop.say`.
pub(in crate::bench) fn loop_of_squares(random: &mut Random, _: &Bump) -> i64 {
    sum_of_squares(int(random, 1, 1_000_000))
}

/// The squares up to that of 1000, summed modulo a number, all arithmetic checked.
pub(in crate::bench) fn sum_of_squares(modulus: i64) -> i64 {
    let mut sum = 0_i64;
    for n in (1..=1000_i64).rev() {
        let square = n.checked_mul(n).expect("a small square");
        sum = sum.checked_add(square).expect("a small sum") % modulus;
    }
    sum
}

fn keep<'a>(arena: &'a Bump, xs: List<'a>, wanted: &dyn Fn(i64) -> bool) -> List<'a> {
    let cell = xs?;
    if wanted(cell.head) {
        cons(arena, cell.head, keep(arena, cell.tail, wanted))
    } else {
        keep(arena, cell.tail, wanted)
    }
}

fn change<'a>(arena: &'a Bump, xs: List<'a>, to: &dyn Fn(i64) -> i64) -> List<'a> {
    let cell = xs?;
    cons(arena, to(cell.head), change(arena, cell.tail, to))
}

fn gather(mut xs: List<'_>, start: i64, add: &dyn Fn(i64, i64) -> i64) -> i64 {
    let mut sum = start;
    while let Some(cell) = xs {
        sum = add(sum, cell.head);
        xs = cell.tail;
    }
    sum
}

/// `bench/w4_closures.say`.
pub(in crate::bench) fn closures(random: &mut Random, arena: &Bump) -> i64 {
    let n = int(random, 0, 100);
    let xs = some(arena, random, n);
    let divisor = int(random, 2, 5);
    let factor = int(random, -10, 10);
    let kept = keep(arena, xs, &move |x| x % divisor != 0);
    let changed = change(arena, kept, &move |x| x * factor + divisor);
    gather(changed, factor, &move |sum, x| sum + x - divisor)
}
