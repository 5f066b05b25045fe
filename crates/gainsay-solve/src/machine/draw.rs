//! What is left once nothing waits for a constructor: integers, and unknowns without constraints.

use gainsay_core::Literal;
use gainsay_vm::Value;

use super::choice::OrderItem;
use super::heap::{Cell, Ref};
use super::{END, Interrupt, Run, Step};
use crate::code::{Expr, Matcher, MatcherId, ShapeKind};
use crate::ranges::is_finite;
use crate::store::{Offset, VarId};

/// The largest integer that is drawn.
const LARGEST_DRAWN: i64 = 1 << 60;

/// How far above that a required minimum is exceeded.
const STEP_BEYOND: i64 = 1_000;

/// What it takes to draw a value that the machine does not look into, in steps.
pub(super) const STEPS_PER_VALUE: u64 = 20;

/// Draws of an integer until one is not excluded.
const MAX_TRIES: u32 = 20;

/// Integers with so few values are tried with all of them before an earlier choice is taken back.
const MAX_LISTED: u64 = 128;

/// By how many bits an integer is made smaller each time it is drawn again: products and sums of
/// large integers soon leave the range that the machine counts in.
const BITS_PER_TRY: u32 = 8;

/// A place in the order in which integers are drawn: positions with their bits reversed. What is
/// before it has been drawn, so that drawing all takes time in proportion to their number.
#[derive(Debug, Copy, Clone, Default)]
pub(super) struct IntCursor {
    n: usize,
    at: usize,
    /// Which integers are drawn: those before have been.
    turn: IntTurn,
}

/// Integers that are drawn before others.
#[derive(Debug, Copy, Clone, Default, PartialEq, Eq)]
enum IntTurn {
    /// Those that would like to have a value: others may follow from them.
    #[default]
    Wished,
    /// Those that are not computed from others.
    Inputs,
    All,
}

impl IntCursor {
    /// The same place, if there are still as many integers; else the start.
    fn over(self, n: usize) -> Self {
        if self.n == n { self } else { IntCursor { n, ..Self::default() } }
    }

    fn next_position(&mut self) -> Option<usize> {
        let bits = usize::BITS - self.n.leading_zeros();
        let end = 1usize << bits;
        let shift = (usize::BITS - bits).min(usize::BITS - 1);
        while self.at < end {
            self.at += 1;
            // 0 comes last: the first integer is at the end of chains.
            let position = (self.at % end).reverse_bits() >> shift;
            if position < self.n {
                return Some(position);
            }
        }
        None
    }
}

/// The bounds of what is drawn. They stay away from what counts as infinite, so that sums of drawn
/// integers are finite; and closer to 0 each time an integer is drawn again.
fn drawn_bounds(lo: i64, hi: i64, n_tried: u32) -> (i64, i64) {
    if lo >= LARGEST_DRAWN {
        return (lo, hi.min(lo.saturating_add(STEP_BEYOND)));
    }
    if hi <= -LARGEST_DRAWN {
        return (lo.max(hi.saturating_sub(STEP_BEYOND)), hi);
    }
    let largest = LARGEST_DRAWN >> (n_tried * BITS_PER_TRY).min(LARGEST_DRAWN.ilog2());
    if lo > largest || hi < -largest {
        (lo.max(-LARGEST_DRAWN), hi.min(LARGEST_DRAWN))
    } else {
        (lo.max(-largest), hi.min(largest))
    }
}

impl Run<'_, '_> {
    /// Draws one of the things that are left; false if there is none.
    pub(super) fn draw_rest(&mut self) -> Step<bool> {
        // Integers last: those that are computed from opaque values are determined by them.
        if let Some(it) = self.next_opaque() {
            return self.decide_opaque(it);
        }
        if let Some(var) = self.next_int() {
            let it = self.var(var);
            return self.decide_int(it);
        }
        self.draw_unconstrained()
    }

    /// The integer to draw next. Drawn in the order of the structure, chains `a < b < c` would
    /// crowd at one end; the middle first, then the middles of both halves, leaves room everywhere.
    /// Products and quotients come last: factors are hard to find for a given product.
    fn next_int(&mut self) -> Option<VarId> {
        let n = self.it.store.len();
        let mut cursor = self.it.int_cursor.over(n);
        let store = &self.it.store;
        let has_wishes = !self.it.int_wishes.is_empty() && !self.it.draws_suggestions;
        let next = loop {
            let Some(var) = cursor.next_position().map(|it| VarId(it as u32)) else {
                cursor.at = 0;
                cursor.turn = match cursor.turn {
                    IntTurn::Wished => IntTurn::Inputs,
                    IntTurn::Inputs => IntTurn::All,
                    IntTurn::All => break None,
                };
                continue;
            };
            // Equal integers are one, which its root stands for.
            let is_open = store.root(var).var == var && store.value(var).is_none();
            let is_its_turn = match cursor.turn {
                IntTurn::Wished => is_open && has_wishes && self.int_wish(var).is_some(),
                IntTurn::Inputs => is_open && !store.is_computed(var),
                IntTurn::All => is_open,
            };
            if is_its_turn {
                break Some(var);
            }
        };
        self.it.int_cursor = cursor;
        next
    }

    /// Draws an integer between its bounds.
    pub(super) fn draw_int(&mut self, it: Ref, n_tried: u32) -> Step<()> {
        let Cell::Var(Offset { var, plus }) = self.it.heap.cell(it) else { return self.cut() };
        let (lo, hi) = self.it.store.bounds(var);
        let bound = |it: i64| is_finite(it).then_some(it);
        let (least, most) = drawn_bounds(lo, hi, n_tried);
        let mut value = least;
        let wish = self.int_wish(var);
        let is_character = self.it.store.is_character(var);
        let tests = if is_character { self.tests_of(it) } else { Vec::new() };
        for _ in 0..MAX_TRIES {
            if let Some(wish) = wish.filter(|_| !self.it.draws_suggestions) {
                // Simpler ones first: a replay is to find something no larger than it was given.
                let simpler = wish - wish.signum() * i64::from(n_tried).min(wish.abs());
                value = simpler.clamp(least, most);
                break;
            }
            value = match self.wanted_literal(var, n_tried) {
                Some(literal) => literal.clamp(least, most),
                None => {
                    let suggested =
                        wish.filter(|it| n_tried == 0 && (least..=most).contains(it));
                    let drawn = match suggested {
                        Some(wish) if !self.it.store.is_hole(var, wish) => wish,
                        _ if is_character => self.context.chooser.character(lo, hi),
                        _ => self.context.chooser.integer(bound(lo), bound(hi)),
                    };
                    drawn.clamp(least, most)
                }
            };
            if !self.it.store.is_hole(var, value) && self.passes(&tests, value) {
                break;
            }
        }
        if !self.passes(&tests, value) {
            // One of each class.
            let usual = "a0A ._\u{1}".chars().map(|it| i64::from(u32::from(it)));
            let fits = |it: &i64| (least..=most).contains(it) && self.passes(&tests, *it);
            value = usual.into_iter().find(fits).unwrap_or(value);
        }
        if let Some(n_values) = self.n_listed_values(var, (lo, hi)) {
            // With few values, all are tried once, so that a contradiction is proved and not
            // only likely.
            value = self.untried_value(var, value, n_values).ok_or(Interrupt::Conflict)?;
        } else if self.it.store.is_hole(var, value) {
            value = self.nearest_free(var, value, (lo, hi)).ok_or(Interrupt::Conflict)?;
        }
        self.it.store.within(Offset { var, plus }, value + plus, value + plus)?;
        self.run_ready()
    }

    /// The number of values that an integer can have, if they are few enough to try all of them.
    fn n_listed_values(&self, var: VarId, (lo, hi): (i64, i64)) -> Option<u64> {
        let n = u64::try_from(hi.checked_sub(lo)?).ok()? + 1;
        let n = n - self.it.store.n_holes(var).min(n);
        (n <= MAX_LISTED).then_some(n)
    }

    /// The value nearest to one that the last choice point has not tried yet, which then has.
    fn untried_value(&mut self, var: VarId, value: i64, n_values: u64) -> Option<i64> {
        let bounds = self.it.store.bounds(var);
        let point = self.it.choices.last_mut()?;
        point.n_values = Some(n_values);
        let (tried, store) = (&point.tried, &self.it.store);
        let most = MAX_LISTED as i64 + store.n_holes(var) as i64;
        let found = (0..=most)
            .flat_map(|by| [value.saturating_add(by), value.saturating_sub(by)])
            .filter(|it| (bounds.0..=bounds.1).contains(it))
            .find(|it| !store.is_hole(var, *it) && !tried.contains(it))?;
        self.it.choices.last_mut()?.tried.push(found);
        Some(found)
    }

    /// One of the literals that a match compares an integer with, in every other try: few numbers
    /// are among them by chance.
    fn wanted_literal(&mut self, var: VarId, n_tried: u32) -> Option<i64> {
        if !n_tried.is_multiple_of(2) {
            return None;
        }
        let literals = self.compared_literals(var);
        let (lo, hi) = self.it.store.bounds(var);
        let can_be = |it: &i64| (lo..=hi).contains(it) && !self.it.store.is_hole(var, *it);
        let literals: Vec<i64> = literals.into_iter().filter(can_be).collect();
        if literals.is_empty() {
            return None;
        }
        let at = self.context.chooser.alternative(&vec![1; literals.len()]);
        literals.get(at).copied()
    }

    /// The literals in the patterns of matches that wait for an integer.
    fn compared_literals(&self, var: VarId) -> Vec<i64> {
        let mut literals = Vec::new();
        for goal in self.it.store.watchers(var) {
            let Some((expr, _, _)) = self.waiting_match(goal) else { continue };
            let Expr::Match(_, arms) = self.context.code.expr(expr) else { continue };
            let mut pending: Vec<MatcherId> = arms.iter().map(|it| it.matcher).collect();
            while let Some(next) = pending.pop() {
                match self.context.code.matcher(next) {
                    Matcher::Literal(Literal::Int(int)) => literals.push(*int),
                    Matcher::Literal(Literal::Char(it)) => {
                        literals.push(i64::from(u32::from(*it)));
                    }
                    Matcher::Literal(_) | Matcher::Any | Matcher::Bind(_) => {}
                    Matcher::Tuple(parts) | Matcher::Ctor(_, parts) | Matcher::Or(parts) => {
                        pending.extend(parts);
                    }
                    Matcher::List(items, rest) => pending.extend(items.iter().chain(rest)),
                }
            }
        }
        literals.sort_unstable();
        literals.dedup();
        literals
    }

    /// The value that an integer would like to have.
    pub(super) fn int_wish(&self, var: VarId) -> Option<i64> {
        if let Some(own) = self.it.int_wishes.get(var.index()).copied().flatten() {
            return Some(own);
        }
        let store = &self.it.store;
        let wishes = self.it.int_wishes.iter().enumerate().take(store.len());
        wishes.filter_map(|(at, wish)| Some((VarId(at as u32), (*wish)?))).find_map(
            |(at, wish)| {
                let root = store.root(at);
                (root.var == var).then(|| wish.saturating_sub(root.plus))
            },
        )
    }

    /// What an integer is or would like to be.
    pub(super) fn wished_int(&self, it: Ref) -> Option<i64> {
        if let Some(known) = self.known_int(it) {
            return Some(known);
        }
        let Cell::Var(Offset { var, plus }) = self.it.heap.cell(it) else { return None };
        let root = self.it.store.root(var);
        self.int_wish(root.var)?.checked_add(root.plus)?.checked_add(plus)
    }

    /// The value nearest to one that is not excluded.
    fn nearest_free(&self, var: VarId, value: i64, (lo, hi): (i64, i64)) -> Option<i64> {
        let most = self.it.store.n_holes(var) as i64 + 1;
        (1..=most)
            .flat_map(|by| [value.saturating_add(by), value.saturating_sub(by)])
            .find(|it| (lo..=hi).contains(it) && !self.it.store.is_hole(var, *it))
    }

    /// An opaque unknown that some goal waits for.
    fn next_opaque(&self) -> Option<Ref> {
        let waits = |goal: u32| !self.it.is_done[goal as usize];
        self.it.opaque_unknowns.iter().copied().find(|it| {
            let Cell::Unknown(id) = self.it.heap.cells[it.index()] else { return false };
            self.it.draws_all || self.it.heap.watchers(id).any(waits)
        })
    }

    /// Draws an opaque value: the one it would like to have first, if there is one.
    pub(super) fn draw_opaque(&mut self, it: Ref, n_tried: u32) -> Step<()> {
        let Cell::Unknown(id) = self.it.heap.cell(it) else { return Ok(()) };
        self.charge(STEPS_PER_VALUE)?;
        let unknown = *self.it.heap.unknown(id);
        let value = match unknown.wish {
            Some(wish) if n_tried == 0 => wish,
            _ => {
                let shape = self.context.code.shape(unknown.shape);
                // A set that contains itself by way of its elements would be drawn without
                // regard to the size that is left.
                let is_large = shape.is_sized && matches!(shape.kind, ShapeKind::Collection(_));
                let drawn = match is_large {
                    true => None,
                    false => self.context.chooser.opaque(shape.ty),
                };
                match drawn {
                    Some(Value::Float(drawn)) => {
                        let value = self.float_within(it, drawn);
                        self.it.heap.opaque(Value::Float(value))
                    }
                    Some(value) => self.import(&value),
                    // Its items share the size; or nobody draws values of its type.
                    None => {
                        self.items(it)?;
                        return self.run_ready();
                    }
                }
            }
        };
        self.unify(it, value)?;
        self.run_ready()
    }

    /// Decides an unknown that nothing constrains; false if there is none.
    fn draw_unconstrained(&mut self) -> Step<bool> {
        let mut at = self.it.order[0].next;
        while at != END {
            let node = self.it.order[at as usize];
            if let OrderItem::Unknown(it) = node.item
                && let Cell::Unknown(_) = self.it.heap.cell(it)
            {
                self.decide_freely(at, it)?;
                return Ok(true);
            }
            at = node.next;
        }
        Ok(false)
    }
}
