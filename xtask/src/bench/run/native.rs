//! The workloads of `bench/*.say` hand-written in Rust with a bump arena, as the reference. Each
//! function draws the same numbers in the same order as its program.

use bumpalo::Bump;

use gainsay_ui::TestRandom;

/// A workload: draws inputs, computes, returns a checksum.
pub(in crate::bench) type NativeWorkload = fn(&mut TestRandom, &Bump) -> i64;

fn int(random: &mut TestRandom, lo: i64, hi: i64) -> i64 {
    lo + random.below((hi - lo) as u64 + 1) as i64
}

#[derive(Copy, Clone)]
enum ArenaTree<'a> {
    Leaf,
    Node(&'a (i64, ArenaTree<'a>, ArenaTree<'a>)),
}

fn grow<'a>(
    arena: &'a Bump,
    random: &mut TestRandom,
    size: i64,
    lo: i64,
    hi: i64,
) -> ArenaTree<'a> {
    if size == 0 || lo + 1 >= hi || int(random, 0, size) == 0 {
        return ArenaTree::Leaf;
    }
    let key = int(random, lo + 1, hi - 1);
    let left = grow(arena, random, size / 2, lo, key);
    let right = grow(arena, random, size / 2, key, hi);
    ArenaTree::Node(arena.alloc((key, left, right)))
}

fn insert<'a>(arena: &'a Bump, key: i64, tree: ArenaTree<'a>) -> ArenaTree<'a> {
    match tree {
        ArenaTree::Leaf => {
            ArenaTree::Node(arena.alloc((key, ArenaTree::Leaf, ArenaTree::Leaf)))
        }
        ArenaTree::Node(&(other, left, right)) => {
            if key < other {
                ArenaTree::Node(arena.alloc((other, insert(arena, key, left), right)))
            } else if key > other {
                ArenaTree::Node(arena.alloc((other, left, insert(arena, key, right))))
            } else {
                tree
            }
        }
    }
}

fn ordered(lo: i64, hi: i64, tree: ArenaTree<'_>) -> bool {
    match tree {
        ArenaTree::Leaf => true,
        ArenaTree::Node(&(key, left, right)) => {
            lo < key && key < hi && ordered(lo, key, left) && ordered(key, hi, right)
        }
    }
}

fn holds(key: i64, tree: ArenaTree<'_>) -> bool {
    match tree {
        ArenaTree::Leaf => false,
        ArenaTree::Node(&(other, left, right)) => {
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
pub(in crate::bench) fn search_tree(random: &mut TestRandom, arena: &Bump) -> i64 {
    let tree = grow(arena, random, 10, -1, 1000);
    let key = int(random, 0, 999);
    let grown = insert(arena, key, tree);
    if ordered(-1, 1000, grown) && holds(key, grown) { key } else { -1 }
}

/// Property 1 with up to this many keys that are inserted one by one.
pub(in crate::bench) fn inserted_keys(random: &mut TestRandom, arena: &Bump, most: i64) -> i64 {
    let mut tree = ArenaTree::Leaf;
    for _ in 0..int(random, 0, most) {
        tree = insert(arena, int(random, 0, 999), tree);
    }
    let key = int(random, 0, 999);
    let grown = insert(arena, key, tree);
    if ordered(-1, 1000, grown) && holds(key, grown) { key } else { -1 }
}

type ArenaList<'a> = Option<&'a ArenaCell<'a>>;

struct ArenaCell<'a> {
    head: i64,
    tail: ArenaList<'a>,
}

fn cons<'a>(arena: &'a Bump, head: i64, tail: ArenaList<'a>) -> ArenaList<'a> {
    Some(arena.alloc(ArenaCell { head, tail }))
}

fn some<'a>(arena: &'a Bump, random: &mut TestRandom, n: i64) -> ArenaList<'a> {
    let mut list = None;
    for _ in 0..n {
        list = cons(arena, int(random, -1000, 1000), list);
    }
    list
}

fn merge<'a>(arena: &'a Bump, xs: ArenaList<'a>, ys: ArenaList<'a>) -> ArenaList<'a> {
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

fn deal<'a>(arena: &'a Bump, mut xs: ArenaList<'a>) -> (ArenaList<'a>, ArenaList<'a>) {
    let (mut left, mut right) = (None, None);
    while let Some(x) = xs {
        (left, right) = (right, cons(arena, x.head, left));
        xs = x.tail;
    }
    (left, right)
}

fn merge_sort<'a>(arena: &'a Bump, xs: ArenaList<'a>) -> ArenaList<'a> {
    match xs {
        None | Some(ArenaCell { tail: None, .. }) => xs,
        Some(_) => {
            let (left, right) = deal(arena, xs);
            merge(arena, merge_sort(arena, left), merge_sort(arena, right))
        }
    }
}

fn ascending(mut xs: ArenaList<'_>) -> bool {
    while let Some(ArenaCell { head, tail: Some(next) }) = xs {
        if *head > next.head {
            return false;
        }
        xs = Some(next);
    }
    true
}

fn without<'a>(arena: &'a Bump, x: i64, xs: ArenaList<'a>) -> Option<ArenaList<'a>> {
    let cell = xs?;
    if cell.head == x {
        return Some(cell.tail);
    }
    without(arena, x, cell.tail).map(|fewer| cons(arena, cell.head, fewer))
}

fn permuted<'a>(arena: &'a Bump, mut xs: ArenaList<'a>, mut ys: ArenaList<'a>) -> bool {
    while let Some(x) = xs {
        match without(arena, x.head, ys) {
            Some(fewer) => (xs, ys) = (x.tail, fewer),
            None => return false,
        }
    }
    ys.is_none()
}

/// `bench/w2_list_sort.say`.
pub(in crate::bench) fn list_sort(random: &mut TestRandom, arena: &Bump) -> i64 {
    sorted_list(random, arena, 100)
}

/// Property 2 with up to this many elements.
pub(in crate::bench) fn sorted_list(random: &mut TestRandom, arena: &Bump, most: i64) -> i64 {
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
pub(in crate::bench) fn distributive(random: &mut TestRandom, _: &Bump) -> i64 {
    let mut draw = || int(random, i64::from(i32::MIN), i64::from(i32::MAX));
    i64::from(distributes(draw(), draw(), draw()))
}

/// Whether `a * (b + c)` is `a * b + a * c`, with checked arithmetic.
pub(in crate::bench) fn distributes(a: i64, b: i64, c: i64) -> bool {
    let whole = b.checked_add(c).and_then(|it| a.checked_mul(it));
    let parts = a.checked_mul(b).zip(a.checked_mul(c)).and_then(|(b, c)| b.checked_add(c));
    whole == parts
}

/// `bench/w3_loop.say`.
pub(in crate::bench) fn loop_of_squares(random: &mut TestRandom, _: &Bump) -> i64 {
    sum_of_squares(int(random, 1, 1_000_000))
}

/// The sum of the squares up to that of 1000 modulo a number, with checked arithmetic.
pub(in crate::bench) fn sum_of_squares(modulus: i64) -> i64 {
    let mut sum = 0_i64;
    for n in (1..=1000_i64).rev() {
        let square = n.checked_mul(n).expect("a small square");
        sum = sum.checked_add(square).expect("a small sum") % modulus;
    }
    sum
}

fn keep<'a>(arena: &'a Bump, xs: ArenaList<'a>, wanted: &dyn Fn(i64) -> bool) -> ArenaList<'a> {
    let cell = xs?;
    if wanted(cell.head) {
        cons(arena, cell.head, keep(arena, cell.tail, wanted))
    } else {
        keep(arena, cell.tail, wanted)
    }
}

fn change<'a>(arena: &'a Bump, xs: ArenaList<'a>, to: &dyn Fn(i64) -> i64) -> ArenaList<'a> {
    let cell = xs?;
    cons(arena, to(cell.head), change(arena, cell.tail, to))
}

fn gather(mut xs: ArenaList<'_>, start: i64, add: &dyn Fn(i64, i64) -> i64) -> i64 {
    let mut sum = start;
    while let Some(cell) = xs {
        sum = add(sum, cell.head);
        xs = cell.tail;
    }
    sum
}

/// `bench/w4_closures.say`.
pub(in crate::bench) fn closures(random: &mut TestRandom, arena: &Bump) -> i64 {
    let n = int(random, 0, 100);
    let xs = some(arena, random, n);
    let divisor = int(random, 2, 5);
    let factor = int(random, -10, 10);
    let kept = keep(arena, xs, &move |x| x % divisor != 0);
    let changed = change(arena, kept, &move |x| x * factor + divisor);
    gather(changed, factor, &move |sum, x| sum + x - divisor)
}
