//! The constraint store: integer unknowns with intervals, and relations between them.
//!
//! Bounds are propagated to a fixed point after every change (Apt, *Principles of Constraint
//! Programming*, 2003, chapter 6). Every change is trailed, so that the store goes back to any
//! earlier state in time proportional to the changes since.

mod nonlinear;

use std::collections::VecDeque;

use self::nonlinear::{div_ceil, div_floor, is_infinite, scale};
use crate::ranges::{INFINITY, add};

/// Two facts contradict each other: the search has to take a choice back.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) struct Contradiction;

pub(crate) type Checked<T> = Result<T, Contradiction>;

/// An integer unknown.
#[derive(Debug, Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct VarId(pub(crate) u32);

impl VarId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// An unknown plus a constant.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) struct Offset {
    pub(crate) var: VarId,
    pub(crate) plus: i64,
}

/// The end of a linked list.
const END: u32 = u32::MAX;

/// Revisions of each relation after one change, on average; a cycle of relations could otherwise
/// move bounds by one forever.
const MAX_REVISIONS: usize = 64;

#[derive(Debug, Copy, Clone)]
struct Var {
    lo: i64,
    hi: i64,
    /// The unknown that it is equal to, plus a constant.
    alias: Option<Offset>,
    /// How many unknowns are equal to it.
    n_aliases: u32,
    /// Values between the bounds that it does not have, as a linked list.
    holes: u32,
    /// Its constraints, as a linked list.
    constraints: u32,
    /// Goals to wake when its bounds change, as a linked list.
    watchers: u32,
    /// Whether it is a product, quotient or remainder of others, which say more about it than it
    /// says about them.
    is_computed: bool,
    /// Whether it is the code of a character.
    is_character: bool,
    /// Whether it has been part of a sum or a comparison, which may refer to it still.
    is_used: bool,
}

/// A relation between unknowns.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum Relation {
    /// `x + c <= y`.
    Le(VarId, i64, VarId),
    /// `x + c != y`.
    Ne(VarId, i64, VarId),
    /// `x + y + c == z`.
    Sum(VarId, VarId, i64, VarId),
    /// `k * x + c == y`.
    Scale(i64, VarId, i64, VarId),
    /// `x / k == y`, rounded toward zero.
    Quotient(VarId, i64, VarId),
    /// `x % k == y`, with the sign of `x`.
    Remainder(VarId, i64, VarId),
    /// `x * y == z`.
    Product(VarId, VarId, VarId),
    /// `x / y == z`, rounded toward zero, with `y != 0`.
    Division(VarId, VarId, VarId),
    /// `x % y == z`, with the sign of `x` and `y != 0`.
    Modulus(VarId, VarId, VarId),
}

#[derive(Debug, Copy, Clone)]
enum StoreChange {
    Bounds(VarId, i64, i64),
    Holes(VarId, u32),
    Constraints(VarId, u32),
    Watchers(VarId, u32),
    Alias(VarId),
    AliasCount(VarId, u32),
    Computed(VarId),
}

/// A state to return to.
#[derive(Debug, Copy, Clone)]
pub(crate) struct StoreMark {
    n_changes: u32,
    n_vars: u32,
    n_links: u32,
    n_relations: u32,
    n_holes: u32,
}

/// Integer unknowns and what is known of them.
#[derive(Debug, Default)]
pub(crate) struct Store {
    vars: Vec<Var>,
    relations: Vec<Relation>,
    /// Cells of linked lists: a number, and the next cell.
    links: Vec<(u32, u32)>,
    holes: Vec<(i64, u32)>,
    changes: Vec<StoreChange>,
    queue: VecDeque<u32>,
    is_queued: Vec<bool>,
    /// Whether propagation was cut off, so that a contradiction may not be one.
    pub(crate) was_cut: bool,
    /// Goals whose unknowns have changed.
    pub(crate) woken: Vec<u32>,
    /// Relations that were revised and not counted as steps yet.
    pub(crate) n_revisions: u64,
}

impl Store {
    pub(crate) fn clear(&mut self) {
        self.vars.clear();
        self.relations.clear();
        self.links.clear();
        self.holes.clear();
        self.changes.clear();
        self.queue.clear();
        self.is_queued.clear();
        self.was_cut = false;
        self.woken.clear();
        self.n_revisions = 0;
    }

    fn enqueue(&mut self, relation: u32) {
        if !std::mem::replace(&mut self.is_queued[relation as usize], true) {
            self.queue.push_back(relation);
        }
    }

    fn clear_queue(&mut self) {
        for relation in self.queue.drain(..) {
            self.is_queued[relation as usize] = false;
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.vars.len()
    }

    pub(crate) fn fresh(&mut self, lo: i64, hi: i64) -> VarId {
        let (alias, holes, constraints, watchers) = (None, END, END, END);
        self.vars.push(Var {
            lo,
            hi,
            alias,
            n_aliases: 0,
            holes,
            constraints,
            watchers,
            is_computed: false,
            is_character: false,
            is_used: false,
        });
        VarId(self.vars.len() as u32 - 1)
    }

    /// A new unknown that is computed from others in a way that bounds hardly follow.
    pub(crate) fn fresh_computed(&mut self) -> VarId {
        let var = self.fresh(-INFINITY, INFINITY);
        self.vars[var.index()].is_computed = true;
        var
    }

    /// Whether an unknown, or one that is equal to it, is computed from others.
    pub(crate) fn is_computed(&self, var: VarId) -> bool {
        self.vars[self.root(var).var.index()].is_computed
    }

    /// Notes that something besides a term refers to an unknown. It may stay when that is taken
    /// back.
    pub(crate) fn set_used(&mut self, var: VarId) {
        self.vars[var.index()].is_used = true;
    }

    /// Whether a term is all that refers to an unknown, and nothing is known of it.
    pub(crate) fn is_unused(&self, it: Offset) -> bool {
        let var = &self.vars[it.var.index()];
        let is_linked = var.alias.is_some() || var.constraints != END || var.watchers != END;
        let is_bounded = (var.lo, var.hi) != (-INFINITY, INFINITY) || var.holes != END;
        it.plus == 0 && !var.is_used && !is_linked && !is_bounded
    }

    /// Says that an unknown is the code of a character.
    pub(crate) fn mark_character(&mut self, var: VarId) {
        self.vars[var.index()].is_character = true;
    }

    /// Whether an unknown is the code of a character. That only decides how it is drawn, so it may
    /// stay when the equality it follows from is taken back.
    pub(crate) fn is_character(&self, var: VarId) -> bool {
        self.vars[self.root(var).var.index()].is_character
    }

    /// The unknown that represents those that are equal to it up to constants.
    pub(crate) fn root(&self, var: VarId) -> Offset {
        let mut at = Offset { var, plus: 0 };
        while let Some(next) = self.vars[at.var.index()].alias {
            at = Offset { var: next.var, plus: at.plus + next.plus };
        }
        at
    }

    pub(crate) fn bounds(&self, var: VarId) -> (i64, i64) {
        let root = self.root(var);
        let it = &self.vars[root.var.index()];
        (add(it.lo, root.plus), add(it.hi, root.plus))
    }

    pub(crate) fn value(&self, var: VarId) -> Option<i64> {
        let (lo, hi) = self.bounds(var);
        (lo == hi).then_some(lo)
    }

    /// Whether a value between the bounds is excluded.
    pub(crate) fn is_hole(&self, var: VarId, value: i64) -> bool {
        let root = self.root(var);
        let value = value - root.plus;
        let mut at = self.vars[root.var.index()].holes;
        while at != END {
            let (hole, next) = self.holes[at as usize];
            if hole == value {
                return true;
            }
            at = next;
        }
        false
    }

    /// The number of excluded values between the bounds.
    pub(crate) fn n_holes(&self, var: VarId) -> u64 {
        let it = &self.vars[self.root(var).var.index()];
        let (mut at, mut n) = (it.holes, 0);
        while at != END {
            let (hole, next) = self.holes[at as usize];
            n += u64::from((it.lo..=it.hi).contains(&hole));
            at = next;
        }
        n
    }

    pub(crate) fn mark(&self) -> StoreMark {
        StoreMark {
            n_changes: self.changes.len() as u32,
            n_vars: self.vars.len() as u32,
            n_links: self.links.len() as u32,
            n_relations: self.relations.len() as u32,
            n_holes: self.holes.len() as u32,
        }
    }

    pub(crate) fn undo_to(&mut self, mark: StoreMark) {
        while self.changes.len() > mark.n_changes as usize {
            match self.changes.pop() {
                Some(StoreChange::Bounds(var, lo, hi)) => {
                    let it = &mut self.vars[var.index()];
                    (it.lo, it.hi) = (lo, hi);
                }
                Some(StoreChange::Holes(var, head)) => self.vars[var.index()].holes = head,
                Some(StoreChange::Constraints(var, head)) => {
                    self.vars[var.index()].constraints = head;
                }
                Some(StoreChange::Watchers(var, head)) => {
                    self.vars[var.index()].watchers = head
                }
                Some(StoreChange::Alias(var)) => self.vars[var.index()].alias = None,
                Some(StoreChange::AliasCount(var, n)) => self.vars[var.index()].n_aliases = n,
                Some(StoreChange::Computed(var)) => {
                    self.vars[var.index()].is_computed = false;
                }
                None => break,
            }
        }
        self.vars.truncate(mark.n_vars as usize);
        self.links.truncate(mark.n_links as usize);
        // Relations that were queued when the contradiction came up were queued for changes
        // that are undone now.
        self.clear_queue();
        self.relations.truncate(mark.n_relations as usize);
        self.is_queued.truncate(mark.n_relations as usize);
        self.holes.truncate(mark.n_holes as usize);
        self.woken.clear();
    }

    /// The goals that wait for an unknown.
    pub(crate) fn watchers(&self, var: VarId) -> impl Iterator<Item = u32> + '_ {
        let mut at = self.vars[self.root(var).var.index()].watchers;
        std::iter::from_fn(move || {
            let (goal, next) = *self.links.get(at as usize)?;
            at = next;
            Some(goal)
        })
    }

    /// Wakes a goal when the bounds of an unknown change.
    pub(crate) fn watch(&mut self, var: VarId, goal: u32) {
        let root = self.root(var).var;
        let head = self.vars[root.index()].watchers;
        self.changes.push(StoreChange::Watchers(root, head));
        self.links.push((goal, head));
        self.vars[root.index()].watchers = self.links.len() as u32 - 1;
    }

    /// The same, unless the goal was the last to be added.
    pub(crate) fn watch_once(&mut self, var: VarId, goal: u32) {
        // A goal mostly waits again right after it has been woken, so comparing with the last
        // one is enough to keep the lists short.
        let head = self.vars[self.root(var).var.index()].watchers;
        if head == END || self.links[head as usize].0 != goal {
            self.watch(var, goal);
        }
    }

    fn attach(&mut self, var: VarId, relation: u32) {
        let root = self.root(var).var;
        let head = self.vars[root.index()].constraints;
        self.changes.push(StoreChange::Constraints(root, head));
        self.links.push((relation, head));
        self.vars[root.index()].constraints = self.links.len() as u32 - 1;
    }

    fn changed(&mut self, root: VarId) {
        let var = self.vars[root.index()];
        let mut at = var.constraints;
        while at != END {
            let (relation, next) = self.links[at as usize];
            self.enqueue(relation);
            at = next;
        }
        let mut at = var.watchers;
        while at != END {
            let (goal, next) = self.links[at as usize];
            self.woken.push(goal);
            at = next;
        }
    }

    fn set_bounds(&mut self, root: VarId, mut lo: i64, mut hi: i64) -> Checked<()> {
        let old = self.vars[root.index()];
        lo = lo.max(old.lo);
        hi = hi.min(old.hi);
        if (lo, hi) == (old.lo, old.hi) {
            return Ok(());
        }
        // Holes at the ends become bounds, so that a wrong bound is never drawn.
        while lo <= hi && old.holes != END && self.is_hole(root, lo) {
            lo += 1;
        }
        while lo <= hi && old.holes != END && self.is_hole(root, hi) {
            hi -= 1;
        }
        if lo > hi {
            return Err(Contradiction);
        }
        if lo >= INFINITY || hi <= -INFINITY {
            // Integers of that size are left out.
            self.was_cut = true;
            return Err(Contradiction);
        }
        self.changes.push(StoreChange::Bounds(root, old.lo, old.hi));
        let it = &mut self.vars[root.index()];
        (it.lo, it.hi) = (lo, hi);
        self.changed(root);
        Ok(())
    }

    fn restrict(&mut self, var: VarId, lo: i64, hi: i64) -> Checked<()> {
        let root = self.root(var);
        self.set_bounds(root.var, add(lo, -root.plus), add(hi, -root.plus))
    }

    /// Keeps an unknown between bounds.
    pub(crate) fn within(&mut self, it: Offset, lo: i64, hi: i64) -> Checked<()> {
        self.restrict(it.var, add(lo, -it.plus), add(hi, -it.plus))?;
        self.propagate()
    }

    /// Excludes a value.
    pub(crate) fn exclude(&mut self, it: Offset, value: i64) -> Checked<()> {
        self.exclude_unpropagated(it.var, value - it.plus)?;
        self.propagate()
    }

    fn exclude_unpropagated(&mut self, var: VarId, value: i64) -> Checked<()> {
        let root = self.root(var);
        let value = value - root.plus;
        let it = self.vars[root.var.index()];
        if value < it.lo || value > it.hi || self.is_hole(root.var, value) {
            return Ok(());
        }
        self.changes.push(StoreChange::Holes(root.var, it.holes));
        self.holes.push((value, it.holes));
        self.vars[root.var.index()].holes = self.holes.len() as u32 - 1;
        if value == it.lo {
            return self.set_bounds(root.var, value.saturating_add(1), it.hi);
        }
        if value == it.hi {
            return self.set_bounds(root.var, it.lo, value.saturating_sub(1));
        }
        Ok(())
    }

    /// Makes two unknowns equal.
    pub(crate) fn equate(&mut self, a: Offset, b: Offset) -> Checked<()> {
        let (mut x, mut y) = (self.root(a.var), self.root(b.var));
        // x + from_x == y
        let mut from_x = a.plus + x.plus - b.plus - y.plus;
        if x.var == y.var {
            return if from_x == 0 { Ok(()) } else { Err(Contradiction) };
        }
        // The one that more are equal to stays, so that chains of aliases are short (union by size;
        // Tarjan, JACM 1975). Paths are not compressed: that would have to be taken back.
        let n_aliases = |it: Offset| self.vars[it.var.index()].n_aliases;
        if n_aliases(y) > n_aliases(x) {
            (x, y, from_x) = (y, x, -from_x);
        }
        let old_y = self.vars[y.var.index()];
        self.set_used(x.var);
        self.changes.push(StoreChange::Alias(y.var));
        self.vars[y.var.index()].alias = Some(Offset { var: x.var, plus: from_x });
        let n_before = self.vars[x.var.index()].n_aliases;
        self.changes.push(StoreChange::AliasCount(x.var, n_before));
        self.vars[x.var.index()].n_aliases = n_before + old_y.n_aliases + 1;
        if old_y.is_computed && !self.vars[x.var.index()].is_computed {
            self.changes.push(StoreChange::Computed(x.var));
            self.vars[x.var.index()].is_computed = true;
        }
        self.vars[x.var.index()].is_character |= old_y.is_character && from_x == 0;
        let mut at = old_y.constraints;
        while at != END {
            let (relation, next) = self.links[at as usize];
            self.attach(x.var, relation);
            self.enqueue(relation);
            at = next;
        }
        let mut at = old_y.watchers;
        while at != END {
            let (goal, next) = self.links[at as usize];
            self.watch(x.var, goal);
            self.woken.push(goal);
            at = next;
        }
        let mut at = old_y.holes;
        while at != END {
            let (hole, next) = self.holes[at as usize];
            self.exclude_unpropagated(x.var, hole - from_x)?;
            at = next;
        }
        self.set_bounds(x.var, add(old_y.lo, -from_x), add(old_y.hi, -from_x))?;
        self.propagate()
    }

    /// `a + c <= b`; if they are known to differ by more, `<`.
    pub(crate) fn at_most(&mut self, a: Offset, c: i64, b: Offset) -> Checked<()> {
        match self.decide_le(a, c, b) {
            Some(true) => return Ok(()),
            Some(false) => return Err(Contradiction),
            None => {}
        }
        let (ra, rb) = (self.root(a.var), self.root(b.var));
        let gap = a.plus + ra.plus + c - b.plus - rb.plus;
        let apart = i64::from(self.is_known_different(ra.var, gap, rb.var));
        self.relate(Relation::Le(ra.var, gap + apart, rb.var))
    }

    /// `a != b`; together with `a <= b` it is `a < b`. Bounds alone do not find out later that
    /// the two together leave no room.
    pub(crate) fn differ(&mut self, a: Offset, b: Offset) -> Checked<()> {
        match self.decide_eq(a, b) {
            Some(false) => return Ok(()),
            Some(true) => return Err(Contradiction),
            None => {}
        }
        if self.decide_le(a, 0, b) == Some(true) {
            return self.at_most(a, 1, b);
        }
        if self.decide_le(b, 0, a) == Some(true) {
            return self.at_most(b, 1, a);
        }
        let (ra, rb) = (self.root(a.var), self.root(b.var));
        self.relate(Relation::Ne(ra.var, a.plus + ra.plus - b.plus - rb.plus, rb.var))
    }

    /// Adds a relation.
    pub(crate) fn relate(&mut self, relation: Relation) -> Checked<()> {
        let id = self.relations.len() as u32;
        self.relations.push(relation);
        self.is_queued.push(false);
        match relation {
            Relation::Le(x, _, y)
            | Relation::Ne(x, _, y)
            | Relation::Scale(_, x, _, y)
            | Relation::Quotient(x, _, y)
            | Relation::Remainder(x, _, y) => {
                self.attach(x, id);
                self.attach(y, id);
            }
            Relation::Sum(x, y, _, z)
            | Relation::Product(x, y, z)
            | Relation::Division(x, y, z)
            | Relation::Modulus(x, y, z) => {
                self.attach(x, id);
                self.attach(y, id);
                self.attach(z, id);
            }
        }
        self.enqueue(id);
        self.propagate()
    }

    fn propagate(&mut self) -> Checked<()> {
        // Relations in a circle, such as `x < y` and `y < x`, raise bounds by one at a time.
        let mut n_left = MAX_REVISIONS * (self.relations.len() + 16);
        while let Some(next) = self.queue.pop_front() {
            self.is_queued[next as usize] = false;
            n_left -= 1;
            if n_left == 0 {
                self.was_cut = true;
                return Err(Contradiction);
            }
            self.n_revisions += 1;
            self.revise(self.relations[next as usize])?;
        }
        Ok(())
    }

    fn revise(&mut self, relation: Relation) -> Checked<()> {
        match relation {
            Relation::Le(x, c, y) => {
                let (rx, ry) = (self.root(x), self.root(y));
                if rx.var == ry.var {
                    return (rx.plus + c <= ry.plus).then_some(()).ok_or(Contradiction);
                }
                let ((x_lo, _), (_, y_hi)) = (self.bounds(x), self.bounds(y));
                self.restrict(x, -INFINITY, add(y_hi, -c))?;
                self.restrict(y, add(x_lo, c), INFINITY)
            }
            Relation::Ne(x, c, y) => {
                let (rx, ry) = (self.root(x), self.root(y));
                if rx.var == ry.var {
                    return (rx.plus + c != ry.plus).then_some(()).ok_or(Contradiction);
                }
                if let Some(x) = self.value(x) {
                    return self.exclude_unpropagated(y, x + c);
                }
                match self.value(y) {
                    Some(y) => self.exclude_unpropagated(x, y - c),
                    None => Ok(()),
                }
            }
            Relation::Sum(x, y, c, z) => {
                let ((xl, xh), (yl, yh), (zl, zh)) =
                    (self.bounds(x), self.bounds(y), self.bounds(z));
                self.restrict(z, add(add(xl, yl), c), add(add(xh, yh), c))?;
                self.restrict(x, add(add(zl, -yh), -c), add(add(zh, -yl), -c))?;
                self.restrict(y, add(add(zl, -xh), -c), add(add(zh, -xl), -c))
            }
            Relation::Scale(k, x, c, y) => self.revise_scale(k, x, c, y),
            Relation::Quotient(x, k, y) => self.revise_quotient(x, k, y),
            Relation::Remainder(x, k, y) => self.revise_remainder(x, k, y),
            Relation::Product(x, y, z) => self.revise_product(x, y, z),
            Relation::Division(x, y, z) => self.revise_division(x, y, z),
            Relation::Modulus(x, y, z) => self.revise_modulus(x, y, z),
        }
    }

    /// `k * x + c == y`, with `k != 0`.
    fn revise_scale(&mut self, k: i64, x: VarId, c: i64, y: VarId) -> Checked<()> {
        let ((xl, xh), (yl, yh)) = (self.bounds(x), self.bounds(y));
        let (p, q) = (scale(k, xl), scale(k, xh));
        self.restrict(y, add(p.min(q), c), add(p.max(q), c))?;
        let (from, to) = (add(yl, -c), add(yh, -c));
        let (from, to) = if k > 0 { (from, to) } else { (to, from) };
        let lo = if is_infinite(from) { -INFINITY } else { div_ceil(from, k) };
        let hi = if is_infinite(to) { INFINITY } else { div_floor(to, k) };
        self.restrict(x, lo, hi)
    }

    /// Whether `a + c <= b` is known to hold or not to hold.
    pub(crate) fn decide_le(&self, a: Offset, c: i64, b: Offset) -> Option<bool> {
        let (ra, rb) = (self.root(a.var), self.root(b.var));
        // ra.var + gap <= rb.var
        let gap = a.plus + ra.plus + c - b.plus - rb.plus;
        if ra.var == rb.var {
            return Some(gap <= 0);
        }
        let (x, y) = (&self.vars[ra.var.index()], &self.vars[rb.var.index()]);
        if !is_infinite(x.hi) && !is_infinite(y.lo) && add(x.hi, gap) <= y.lo {
            return Some(true);
        }
        if !is_infinite(x.lo) && !is_infinite(y.hi) && add(x.lo, gap) > y.hi {
            return Some(false);
        }
        // Bounds do not tell, but a relation between just these two may: `x < y` with both
        // unbounded.
        self.direct_difference(ra.var, gap, rb.var)
    }

    /// What relations between just these two say about `x + gap <= y`.
    fn direct_difference(&self, x: VarId, gap: i64, y: VarId) -> Option<bool> {
        const MAX_LOOKS: usize = 64;
        let mut at = self.vars[x.index()].constraints;
        for _ in 0..MAX_LOOKS {
            if at == END {
                return None;
            }
            let (relation, next) = self.links[at as usize];
            if let Relation::Le(a, c, b) = self.relations[relation as usize] {
                let (a, b) = (self.root(a), self.root(b));
                // a.var + known <= b.var
                let known = a.plus + c - b.plus;
                if (a.var, b.var) == (x, y) && known >= gap {
                    return Some(true);
                }
                // y + known <= x contradicts x + gap <= y if known + gap > 0.
                if (a.var, b.var) == (y, x) && known + gap > 0 {
                    return Some(false);
                }
            }
            at = next;
        }
        None
    }

    /// Whether two unknowns are known to be equal or different.
    pub(crate) fn decide_eq(&self, a: Offset, b: Offset) -> Option<bool> {
        let (ra, rb) = (self.root(a.var), self.root(b.var));
        let gap = a.plus + ra.plus - b.plus - rb.plus;
        if ra.var == rb.var {
            return Some(gap == 0);
        }
        let ((al, ah), (bl, bh)) = (self.bounds(a.var), self.bounds(b.var));
        let (al, ah) = (add(al, a.plus), add(ah, a.plus));
        let (bl, bh) = (add(bl, b.plus), add(bh, b.plus));
        if ah < bl || bh < al {
            return Some(false);
        }
        if al == ah && bl == bh {
            return Some(al == bl);
        }
        if al == ah && self.is_hole(b.var, al - b.plus) {
            return Some(false);
        }
        if bl == bh && self.is_hole(a.var, bl - a.plus) {
            return Some(false);
        }
        let apart = |a, b| self.decide_le(a, 1, b) == Some(true);
        if apart(a, b) || apart(b, a) {
            return Some(false);
        }
        self.is_known_different(ra.var, gap, rb.var).then_some(false)
    }

    fn is_known_different(&self, x: VarId, gap: i64, y: VarId) -> bool {
        const MAX_LOOKS: usize = 64;
        let mut at = self.vars[x.index()].constraints;
        for _ in 0..MAX_LOOKS {
            if at == END {
                return false;
            }
            let (relation, next) = self.links[at as usize];
            if let Relation::Ne(a, c, b) = self.relations[relation as usize] {
                let (a, b) = (self.root(a), self.root(b));
                let known = a.plus + c - b.plus;
                if ((a.var, b.var) == (x, y) && known == gap)
                    || ((a.var, b.var) == (y, x) && known == -gap)
                {
                    return true;
                }
            }
            at = next;
        }
        false
    }
}
