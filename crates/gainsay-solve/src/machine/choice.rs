//! Choice points: which unknown is decided next, in which order its alternatives are tried, and
//! how a choice is taken back.
//!
//! Unknowns are decided in the order of the structure they are part of, depth first. What a choice
//! raises stands where the unknown stood: its fields, then the conditions that it makes undecided.

use gainsay_core::{CtorId, Literal};

use super::draw::IntCursor;
use super::eval::UNSIZED;
use super::heap::{Cell, Change, HeapMark, Ref, Refs, UnknownId};
use super::{END, FreshUnknown, Interrupt, Run, Step};
use crate::code::{CodeRule, CtorShape, Expr, ExprId, ShapeId, ShapeKind};
use crate::store::StoreMark;

/// Something to decide.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum OrderItem {
    Nothing,
    Unknown(Ref),
    /// A relation: by which rule it holds.
    Goal(u32),
    /// An integer that is drawn here: `!x`.
    Draw(Ref),
}

/// A node of the list of things to decide.
#[derive(Debug, Copy, Clone)]
pub(super) struct OrderNode {
    pub(super) item: OrderItem,
    pub(super) next: u32,
}

impl OrderNode {
    pub(super) const START: Self = OrderNode { item: OrderItem::Nothing, next: END };
}

/// A choice that can be taken back.
#[derive(Debug)]
pub(super) struct ChoicePoint {
    heap: HeapMark,
    store: StoreMark,
    n_goals: u32,
    n_order: u32,
    n_opaque_unknowns: u32,
    int_cursor: IntCursor,
    /// The node that was decided, and the one before it.
    node: u32,
    item: ChoiceItem,
    /// The weights of the alternatives that are left.
    weights: Vec<u32>,
    /// The alternative that was taken last, and its weight.
    taken: Option<(usize, u32)>,
    /// How often that alternative was tried again.
    n_repeats: u32,
    /// The values of an integer that can be listed, and those of them that were tried.
    pub(super) n_values: Option<u64>,
    pub(super) tried: Vec<i64>,
}

/// When a search goes back by more than one choice.
///
/// A contradiction between an early choice and a late one makes a search that takes back one choice
/// at a time try all combinations of what lies between them. So after some dead ends it jumps, each
/// time further, and makes the choice there once more (a randomised form of backjumping; see Gomes,
/// Selman and Kautz, AAAI 1998, for why heavy tails make restarts pay).
#[derive(Debug, Copy, Clone, Default)]
pub(super) struct Jumps {
    pub(super) are_allowed: bool,
    n_dead_ends: u32,
    n_jumps: u32,
}

impl Jumps {
    /// The number of choices to take back after another dead end.
    fn distance(&mut self) -> Option<usize> {
        if !self.are_allowed {
            return None;
        }
        self.n_dead_ends += 1;
        if !self.n_dead_ends.is_multiple_of(DEAD_ENDS_PER_JUMP) {
            return None;
        }
        self.n_jumps += 1;
        // 1, 2, 1, 4, 1, 2, 1, 8, ..: mostly short, at times far (Luby, Sinclair and Zuckerman,
        // 1993).
        Some(1 << self.n_jumps.trailing_zeros().min(16))
    }
}

/// Dead ends between two jumps.
const DEAD_ENDS_PER_JUMP: u32 = 24;

/// How often a jump leads to the same alternative once more.
const MAX_REPEATS: u32 = 4;

#[derive(Debug, Copy, Clone)]
enum ChoiceItem {
    Unknown(Ref),
    Goal(u32),
    /// An integer, for which values are drawn; so many were tried.
    Int(Ref, u32),
    /// A value that the machine does not look into.
    Opaque(Ref, u32),
}

/// The size of an unknown that has none of its own: that of an existential type, say.
const USUAL_SIZE: i32 = 3;

fn usual_size(size: i32) -> i32 {
    if size == UNSIZED { USUAL_SIZE } else { size }
}

/// Rules inside rules, from which on those that end a derivation are preferred.
const USUAL_RULE_DEPTH: u32 = 12;

/// Lists that have to be longer are not found. A search that has taken a wrong turn, such as to a
/// list of length -1, would otherwise go on for as long as it may.
const MAX_FORCED_LEN: u32 = 400;

/// Values tried for an integer before an earlier choice is taken back.
const MAX_DRAWS: u32 = 8;

/// The same for a value that the machine does not look into. More of them, because nothing rules
/// values out beforehand: short texts, say, are often equal.
const MAX_OPAQUE_DRAWS: u32 = 40;

impl Run<'_, '_> {
    pub(super) fn insert_in_order(&mut self, it: Ref) {
        self.insert_item(OrderItem::Unknown(it));
    }

    pub(super) fn insert_item(&mut self, item: OrderItem) {
        let machine = &mut *self.it;
        let new = machine.order.len() as u32;
        let at = machine.cursor;
        let next = machine.order[at as usize].next;
        machine.order.push(OrderNode { item, next });
        // The list is changed only through the trail, so that a choice that is taken back also
        // takes back what it raised.
        machine.heap.changes.push(Change::OrderNext(at, next));
        machine.order[at as usize].next = new;
        machine.cursor = new;
    }

    /// Decides one thing; false if everything is decided.
    pub(super) fn choose(&mut self) -> Step<bool> {
        self.step()?;
        if let Some((node, item, weights)) = self.next_item() {
            let choice = match item {
                OrderItem::Unknown(it) => ChoiceItem::Unknown(it),
                OrderItem::Goal(goal) => ChoiceItem::Goal(goal),
                OrderItem::Draw(it) => ChoiceItem::Int(it, 0),
                OrderItem::Nothing => return Ok(true),
            };
            self.push_choice(node, choice, weights);
            self.take_alternative()?;
            return Ok(true);
        }
        self.draw_rest()
    }

    /// The first thing that some goal waits for, with the weights of its alternatives. Decided ones
    /// at the front are dropped from the list.
    ///
    /// What a waiting goal will produce comes last: deciding it before what it is computed from
    /// would be guessing. A comparison is different, since deciding it is how it becomes a
    /// constraint.
    fn next_item(&mut self) -> Option<(u32, OrderItem, Vec<u32>)> {
        let mut produced = None;
        let mut previous = 0;
        let mut at = self.it.order[0].next;
        while at != END {
            let OrderNode { item, next } = self.it.order[at as usize];
            let (is_decided, is_wanted) = match item {
                OrderItem::Nothing => (true, false),
                OrderItem::Draw(it) => {
                    let is_open = matches!(self.it.heap.cell(it), Cell::Var(_))
                        && self.known_int(it).is_none();
                    (!is_open, is_open)
                }
                OrderItem::Goal(goal) => {
                    let is_done = self.it.is_done[goal as usize];
                    (is_done, !is_done)
                }
                OrderItem::Unknown(it) => match self.it.heap.cell(it) {
                    Cell::Unknown(id) => (false, self.is_wanted(id)),
                    _ => (true, false),
                },
            };
            if is_wanted && (self.is_produced(item) || self.may_follow_a_wish(item)) {
                produced = produced.or(Some((at, item)));
            } else if is_wanted {
                let weights = self.item_weights(item);
                return Some((at, item, weights));
            }
            if is_decided {
                let old = self.it.order[previous as usize].next;
                self.it.heap.changes.push(Change::OrderNext(previous, old));
                self.it.order[previous as usize].next = next;
            } else {
                previous = at;
            }
            at = next;
        }
        let (at, item) = produced?;
        let weights = self.item_weights(item);
        Some((at, item, weights))
    }

    /// Whether a goal that waits will decide an unknown.
    fn is_produced(&self, item: OrderItem) -> bool {
        let OrderItem::Unknown(it) = item else { return false };
        let Cell::Unknown(id) = self.it.heap.cell(it) else { return false };
        let producer = self.it.heap.unknown(id).producer;
        producer != END && !self.it.is_done[producer as usize] && !self.is_comparison(producer)
    }

    /// Whether a condition is about integers of which some wishes are still to come: another
    /// condition, once it is decided, may say what they would like to be.
    fn may_follow_a_wish(&self, item: OrderItem) -> bool {
        let OrderItem::Unknown(it) = item else { return false };
        let Cell::Unknown(id) = self.it.heap.cell(it) else { return false };
        let producer = self.it.heap.unknown(id).producer;
        !self.it.int_wishes.is_empty()
            && !self.it.draws_suggestions
            && producer != END
            && self.is_comparison(producer)
            && self.wished_alternative(it).is_none()
    }

    fn is_wanted(&self, id: UnknownId) -> bool {
        self.it.heap.watchers(id).any(|goal| !self.it.is_done[goal as usize])
    }

    fn item_weights(&mut self, item: OrderItem) -> Vec<u32> {
        match item {
            OrderItem::Nothing | OrderItem::Draw(_) => Vec::new(),
            OrderItem::Unknown(it) => self.weights(it),
            OrderItem::Goal(goal) => {
                if let Some(lookup) = self.lookup_goal(goal) {
                    return self.lookup_weights(&lookup).unwrap_or_default();
                }
                let Some((rel, args, depth)) = self.rel_goal(goal) else { return Vec::new() };
                let rules = &self.context.code.rel(rel).rules;
                // Deep derivations should end: a rule such as transitivity could go on forever.
                let is_deep = depth > USUAL_RULE_DEPTH;
                let weigh = |rule: &CodeRule| match self.can_conclude(rule, args) {
                    true => {
                        let own =
                            rule.weight.map_or(1, |it| self.literal_weight(it).unwrap_or(1));
                        if is_deep && !rule.is_recursive {
                            own.saturating_mul(1000)
                        } else {
                            own
                        }
                    }
                    false => 0,
                };
                rules.iter().map(weigh).collect()
            }
        }
    }

    /// The weights of what an unknown can be.
    fn weights(&mut self, it: Ref) -> Vec<u32> {
        let Cell::Unknown(id) = self.it.heap.cell(it) else { return Vec::new() };
        let mut unknown = *self.it.heap.unknown(id);
        unknown.size = usual_size(unknown.size);
        let code = self.context.code;
        let mut weights = match &code.shape(unknown.shape).kind {
            ShapeKind::Bool => vec![1, 1],
            ShapeKind::List(_) => {
                if code.shape(unknown.shape).is_sized && unknown.size <= 0 {
                    // Ends if it can; going on is the last resort.
                    vec![1_000_000, 1]
                } else {
                    self.context.chooser.list_weights(unknown.n_before).to_vec()
                }
            }
            ShapeKind::Sum(ctors) => {
                let is_over = code.shape(unknown.shape).is_sized && unknown.size <= 0;
                if is_over { ending_weights(ctors) } else { weights_at(ctors, unknown.size) }
            }
            _ => Vec::new(),
        };
        self.weigh_by_arms(it, id, &mut weights);
        for (at, weight) in weights.iter_mut().take(64).enumerate() {
            if unknown.excluded & (1 << at) != 0 {
                *weight = 0;
            }
        }
        weights
    }

    /// Replaces weights by those of the arms of a match that waits for an unknown, if it has any.
    /// Arms with the same constructor count together.
    fn weigh_by_arms(&mut self, it: Ref, id: UnknownId, weights: &mut [u32]) {
        let at = self.it.heap.deref(it);
        let goals: Vec<u32> = self.it.heap.watchers(id).collect();
        for goal in goals {
            let Some((expr, scrutinee, env)) = self.waiting_match(goal) else { continue };
            let Expr::Match(_, arms) = self.context.code.expr(expr) else { continue };
            let is_weighed = arms.iter().any(|arm| arm.weight.is_some());
            if !is_weighed || self.it.heap.deref(scrutinee) != at {
                continue;
            }
            let mut by_tag = vec![0u32; weights.len()];
            for arm in arms {
                let weight = arm.weight.map_or(1, |it| self.weight_in(it, env));
                match self.head_tag(arm.matcher, id) {
                    Some(tag) if tag < by_tag.len() => {
                        by_tag[tag] = by_tag[tag].saturating_add(weight);
                    }
                    // Matches whatever the arms before it do not.
                    _ => by_tag.iter_mut().filter(|it| **it == 0).for_each(|it| *it = weight),
                }
            }
            for (weight, by_arms) in weights.iter_mut().zip(by_tag) {
                *weight = if *weight == 0 { 0 } else { by_arms };
            }
            return;
        }
    }

    /// The value of a weight; 1 if it is not known yet.
    fn weight_in(&mut self, weight: ExprId, env: Refs) -> u32 {
        if let Some(literal) = self.literal_weight(weight) {
            return literal;
        }
        let value = self.eval(weight, env, None).ok().and_then(|it| self.known_int(it));
        value.map_or(1, |it| u32::try_from(it.max(0)).unwrap_or(u32::MAX))
    }

    fn literal_weight(&self, weight: ExprId) -> Option<u32> {
        match self.context.code.expr(weight) {
            Expr::Literal(Literal::Int(it)) => {
                Some(u32::try_from((*it).max(0)).unwrap_or(u32::MAX))
            }
            _ => None,
        }
    }

    /// The position of the constructor that a term begins with among those of its type; the empty
    /// list is the first.
    pub(super) fn tag(&self, shape: ShapeId, it: Ref) -> Option<usize> {
        match (self.it.heap.cell(it), &self.context.code.shape(shape).kind) {
            (Cell::Nil, _) => Some(0),
            (Cell::Cons(..), _) => Some(1),
            (Cell::Data(ctor, _), ShapeKind::Sum(ctors)) => {
                ctors.iter().position(|it| it.ctor == ctor)
            }
            _ => None,
        }
    }

    /// Rules constructors of an unknown out. What is left alone is what it is.
    pub(super) fn exclude_tags(&mut self, it: Ref, id: UnknownId, mask: u64) -> Step<()> {
        let shape = self.it.heap.unknown(id).shape;
        let n = match &self.context.code.shape(shape).kind {
            ShapeKind::List(_) => 2,
            ShapeKind::Sum(ctors) if ctors.len() <= 64 => ctors.len(),
            _ => return Ok(()),
        };
        let old = self.it.heap.unknown(id).excluded;
        if old | mask == old {
            return Ok(());
        }
        self.it.heap.exclude(id, mask);
        let excluded = old | mask;
        let mut left = (0..n).filter(|at| excluded & (1 << at) == 0);
        match (left.next(), left.next()) {
            (None, _) => Err(Interrupt::Conflict),
            (Some(only), None) => self.take_for_unknown(it, id, only),
            (Some(_), Some(_)) => {
                let goals: Vec<u32> = self.it.heap.watchers(id).collect();
                self.it.ready.extend(goals);
                Ok(())
            }
        }
    }

    fn push_choice(&mut self, node: u32, item: ChoiceItem, weights: Vec<u32>) {
        let machine = &mut *self.it;
        machine.choices.push(ChoicePoint {
            heap: machine.heap.mark(),
            store: machine.store.mark(),
            n_goals: machine.goals.len() as u32,
            n_order: machine.order.len() as u32,
            n_opaque_unknowns: machine.opaque_unknowns.len() as u32,
            int_cursor: machine.int_cursor,
            node,
            item,
            weights,
            taken: None,
            n_repeats: 0,
            n_values: None,
            tried: Vec::new(),
        });
    }

    /// Takes an alternative of the last choice point.
    fn take_alternative(&mut self) -> Step<()> {
        let Some(point) = self.it.choices.last_mut() else { return Err(Interrupt::Conflict) };
        let (node, item) = (point.node, point.item);
        self.it.cursor = node;
        if let ChoiceItem::Int(it, n_tried) = item {
            return self.draw_int(it, n_tried);
        }
        if let ChoiceItem::Opaque(it, n_tried) = item {
            return self.draw_opaque(it, n_tried);
        }
        if point.weights.iter().all(|it| *it == 0) {
            return Err(Interrupt::Conflict);
        }
        let weights = std::mem::take(&mut point.weights);
        let wished = match item {
            ChoiceItem::Unknown(it) => self.wished_alternative(it),
            ChoiceItem::Goal(goal) => match self.lookup_goal(goal) {
                Some(lookup) => self.wished_candidate(&lookup)?,
                None => None,
            },
            ChoiceItem::Int(..) | ChoiceItem::Opaque(..) => None,
        };
        // A wish comes first and is tried once: when it has led to a contradiction, its weight
        // is 0.
        let at = match wished.filter(|at| weights.get(*at).is_some_and(|it| *it > 0)) {
            Some(at) => at,
            None => self.context.chooser.alternative(&weights),
        };
        if let Some(point) = self.it.choices.last_mut() {
            point.taken = Some((at, weights[at]));
            point.weights = weights;
            point.weights[at] = 0;
        }
        match item {
            ChoiceItem::Unknown(it) => {
                let Cell::Unknown(id) = self.it.heap.cell(it) else { return self.cut() };
                if self.outgrows(id, at) {
                    return self.cut();
                }
                self.take_for_unknown(it, id, at)?;
            }
            ChoiceItem::Goal(goal) => {
                if let Some(lookup) = self.lookup_goal(goal) {
                    self.finish(goal);
                    self.choose_candidate(&lookup, at)?;
                    return self.run_ready();
                }
                let Some((rel, args, depth)) = self.rel_goal(goal) else { return self.cut() };
                let code = self.context.code;
                self.finish(goal);
                self.apply_rule(&code.rel(rel).rules[at], args, depth)?;
            }
            ChoiceItem::Int(..) | ChoiceItem::Opaque(..) => {}
        }
        self.run_ready()
    }

    /// The alternative that an unknown would like to be.
    fn wished_alternative(&self, it: Ref) -> Option<usize> {
        let Cell::Unknown(id) = self.it.heap.cell(it) else { return None };
        let unknown = self.it.heap.unknown(id);
        let Some(wish) = unknown.wish else {
            let is_suggested = self.it.draws_suggestions;
            return if is_suggested { None } else { self.wished_condition(unknown.producer) };
        };
        match self.it.heap.cell(wish) {
            Cell::Bool(wish) => Some(usize::from(!wish)),
            _ => self.tag(unknown.shape, wish),
        }
    }

    /// The alternative of a condition that holds or fails if its integers become what they would
    /// like to be.
    fn wished_condition(&self, producer: u32) -> Option<usize> {
        let (comparison, a, b) = self.comparison_goal(producer)?;
        let (a, b) = (self.wished_int(a)?, self.wished_int(b)?);
        Some(usize::from(!comparison.holds(&a, &b)))
    }

    /// Whether an alternative makes a value grow too far beyond its size. A wish is followed.
    fn outgrows(&self, id: UnknownId, at: usize) -> bool {
        let unknown = self.it.heap.unknown(id);
        if unknown.size >= -self.it.growth.chosen_overrun || unknown.wish.is_some() {
            return false;
        }
        match &self.context.code.shape(unknown.shape).kind {
            ShapeKind::List(_) => at == 1,
            ShapeKind::Sum(ctors) => ctors[at].n_recursive > 0,
            _ => false,
        }
    }

    fn take_for_unknown(&mut self, it: Ref, id: UnknownId, at: usize) -> Step<()> {
        let shape = self.it.heap.unknown(id).shape;
        match &self.context.code.shape(shape).kind {
            ShapeKind::Bool => self.unify(it, Ref::from(at == 0)),
            ShapeKind::List(_) if at == 0 => self.unify(it, Ref::NIL),
            ShapeKind::List(_) => self.choose_cons(it, id),
            ShapeKind::Sum(ctors) => self.choose_constructor(it, id, ctors[at].ctor),
            _ => self.cut(),
        }
    }

    /// Makes an unknown a constructor with unknown fields.
    pub(super) fn choose_constructor(
        &mut self,
        it: Ref,
        id: UnknownId,
        ctor: CtorId,
    ) -> Step<()> {
        let unknown = *self.it.heap.unknown(id);
        if unknown.size < -self.it.growth.overrun {
            return self.cut();
        }
        let ShapeKind::Sum(ctors) = &self.context.code.shape(unknown.shape).kind else {
            return self.cut();
        };
        let Some(tag) = ctors.iter().position(|it| it.ctor == ctor) else {
            return Err(Interrupt::Conflict);
        };
        let how = (usual_size(unknown.size), unknown.wish);
        let made = self.construct_fresh(unknown.shape, tag, how)?;
        self.unify(it, made)
    }

    /// Makes an unknown list an element before another list.
    pub(super) fn choose_cons(&mut self, it: Ref, id: UnknownId) -> Step<()> {
        let unknown = *self.it.heap.unknown(id);
        let is_too_long = unknown.n_before > MAX_FORCED_LEN && unknown.wish.is_none();
        if unknown.size < -self.it.growth.overrun || is_too_long {
            return self.cut();
        }
        let ShapeKind::List(item) = self.context.code.shape(unknown.shape).kind else {
            return self.cut();
        };
        let (share, rest) = self.list_shares(unknown.shape, usual_size(unknown.size));
        let wishes = match unknown.wish.map(|it| self.it.heap.cell(it)) {
            Some(Cell::Cons(first, rest)) => [Some(first), Some(rest)],
            _ => [None, None],
        };
        let first = FreshUnknown { size: share, n_before: 0, wish: wishes[0] };
        let first = self.fresh_unknown(item, first)?;
        let n_before = unknown.n_before + 1;
        let others = FreshUnknown { size: rest, n_before, wish: wishes[1] };
        let others = self.fresh_unknown(unknown.shape, others)?;
        let made = self.it.heap.add(Cell::Cons(first, others));
        self.unify(it, made)
    }

    /// The sizes of an element and of what follows: each element takes half of what is left.
    pub(super) fn list_shares(&self, shape: ShapeId, size: i32) -> (i32, i32) {
        if self.context.code.shape(shape).is_sized && size <= 0 {
            (size, size - 1)
        } else if self.context.code.shape(shape).is_sized {
            (size / 2, size - size / 2 - i32::from(size / 2 == 0))
        } else {
            (size, size)
        }
    }

    /// Takes choices back until one has another alternative that does not fail at once.
    pub(super) fn backtrack(&mut self) -> Step<()> {
        loop {
            self.step()?;
            self.effort.dead_ends += 1;
            if let Some(distance) = self.it.jumps.distance() {
                self.jump(distance);
            }
            let Some(point) = self.it.choices.last_mut() else {
                return Err(Interrupt::Conflict);
            };
            let is_over = match &mut point.item {
                ChoiceItem::Unknown(_) | ChoiceItem::Goal(_) => {
                    point.weights.iter().all(|it| *it == 0)
                }
                ChoiceItem::Int(_, n) => {
                    *n += 1;
                    match point.n_values {
                        Some(n_values) => point.tried.len() as u64 >= n_values,
                        None => *n >= MAX_DRAWS,
                    }
                }
                ChoiceItem::Opaque(_, n) => {
                    *n += 1;
                    *n >= MAX_OPAQUE_DRAWS
                }
            };
            let is_drawn = matches!(point.item, ChoiceItem::Int(..) | ChoiceItem::Opaque(..))
                && point.n_values.is_none();
            self.undo_choice();
            // All alternatives have failed, so the choice before this one is wrong.
            if is_over {
                if is_drawn {
                    // Other values were not tried.
                    self.it.was_cut = true;
                }
                self.it.choices.pop();
                if self.it.choices.is_empty() {
                    return Err(Interrupt::Conflict);
                }
                continue;
            }
            match self.take_alternative() {
                Err(Interrupt::Conflict) => {}
                outcome => return outcome,
            }
        }
    }

    /// Takes several choices back; the last of them is made again.
    fn jump(&mut self, distance: usize) {
        let n = self.it.choices.len();
        // The first choice stays: to make it again is to start again.
        let n_left = n.saturating_sub(distance).max(1);
        if n_left >= n {
            return;
        }
        self.it.was_cut = true;
        self.it.choices.truncate(n_left);
        if let Some(point) = self.it.choices.last_mut()
            && point.n_repeats < MAX_REPEATS
            && let Some((at, weight)) = point.taken
        {
            point.weights[at] = weight;
            point.n_repeats += 1;
        }
    }

    /// Goes back to the state of the last choice point.
    fn undo_choice(&mut self) {
        let machine = &mut *self.it;
        let Some(point) = machine.choices.last() else { return };
        let (is_done, order) = (&mut machine.is_done, &mut machine.order);
        machine.heap.undo_to(point.heap, &mut |change| match change {
            Change::GoalDone(goal) => is_done[goal as usize] = false,
            Change::OrderNext(node, next) => order[node as usize].next = next,
            Change::Cell(..) | Change::Watchers(..) => {}
            Change::Producer(..) | Change::Excluded(..) | Change::Size(..) => {}
        });
        machine.store.undo_to(point.store);
        machine.goals.truncate(point.n_goals as usize);
        machine.is_done.truncate(point.n_goals as usize);
        machine.order.truncate(point.n_order as usize);
        machine.opaque_unknowns.truncate(point.n_opaque_unknowns as usize);
        machine.int_cursor = point.int_cursor;
        // Goals were ready because of changes that are undone now.
        machine.ready.clear();
        machine.depth = 0;
    }

    /// Opens a choice point for a value that is drawn, and draws it.
    pub(super) fn decide_int(&mut self, it: Ref) -> Step<bool> {
        self.push_choice(0, ChoiceItem::Int(it, 0), Vec::new());
        self.take_alternative()?;
        Ok(true)
    }

    /// Opens a choice point for an unknown that nothing constrains.
    pub(super) fn decide_freely(&mut self, node: u32, it: Ref) -> Step<()> {
        let weights = self.weights(it);
        self.push_choice(node, ChoiceItem::Unknown(it), weights);
        self.take_alternative()
    }

    pub(super) fn decide_opaque(&mut self, it: Ref) -> Step<bool> {
        self.push_choice(0, ChoiceItem::Opaque(it, 0), Vec::new());
        self.take_alternative()?;
        Ok(true)
    }
}

/// The weights of constructors at a size.
fn weights_at(ctors: &[CtorShape], size: i32) -> Vec<u32> {
    let weigh =
        |it: &CtorShape| it.height.map_or(0, |_| it.weight.at(size.unsigned_abs()).max(1));
    ctors.iter().map(weigh).collect()
}

/// The weights of constructors with no size left: those that end soonest come first, then those
/// with the fewest parts that go on. A search that has to make a value of some kind, whatever the
/// size, should not branch.
fn ending_weights(ctors: &[CtorShape]) -> Vec<u32> {
    const BY_RANK: [u32; 4] = [1_000_000, 10_000, 100, 1];
    let rank = |it: &CtorShape| it.height.map(|height| (it.n_recursive, height));
    let mut ranks: Vec<(u32, u32)> = ctors.iter().filter_map(rank).collect();
    ranks.sort_unstable();
    ranks.dedup();
    let weigh = |it: &CtorShape| {
        let at = rank(it).and_then(|rank| ranks.iter().position(|it| *it == rank));
        at.map_or(0, |at| BY_RANK[at.min(BY_RANK.len() - 1)])
    };
    ctors.iter().map(weigh).collect()
}
