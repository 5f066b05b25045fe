//! Values drawn earlier in the same case, to be drawn again: equal keys reveal bugs. Also the
//! schedule of boundary values, which are drawn in fixed cases rather than at random, because they
//! reveal bugs as well.

use num_bigint::BigInt;

use crate::bias::{ANY_VARIETY, CaseBias};
use crate::kind::PoolId;
use crate::random::scale;

/// The most recent values that a pool remembers.
const DEPTH: usize = 8;

/// Draws in 256 that repeat an earlier value once a limited pool is full.
const MAX_REPEAT_RATE: u8 = 255;

/// Draws of a case that come from limited pools. The limit is then lifted, so that a generator
/// which retries until it gets another value terminates.
const MAX_RECALLS: u32 = 256;

/// Longer strings, in bytes, are not remembered.
const MAX_TEXT: usize = 256;

/// One case in this many takes numbers from the bounds of their ranges.
const BOUNDARY_CASE_INTERVAL: u64 = 16;

/// Which of these cases: not the first, which are the smallest.
const FIRST_BOUNDARY_CASE: u64 = 5;

/// Boundary values per case, at most: a filter that rejects them all would never terminate.
const MAX_BOUNDARY_VALUES: u32 = 8;

/// The pools of one case.
#[derive(Debug, Default)]
pub(crate) struct ValuePools {
    /// The current case; a ring with another epoch is empty.
    epoch: u32,
    /// The number of values that a pool accepts; an unlimited pool forgets the oldest.
    limit: u32,
    /// Draws in 256 that repeat an earlier value: now, and without a limit.
    repeat_rate: u8,
    default_repeat_rate: u8,
    /// Draws left from limited pools.
    n_recalls_left: u32,
    rings: Vec<ValueRing>,
    /// The most recent floats of this case, by their bits.
    floats: ValueRing,
    /// The most recent integers of this case beyond 64 bits.
    bigs: Vec<BigInt>,
    /// The number of boundary cases before this one, if this is one.
    boundary_round: Option<u32>,
    /// The boundary values drawn in this case.
    n_boundary_values: u32,
    /// The most recent strings of this case, in buffers reused from earlier cases.
    texts: [String; DEPTH],
    /// The number of strings drawn in this case.
    n_texts: u32,
}

#[derive(Debug, Clone, Default)]
struct ValueRing {
    epoch: u32,
    n_remembered: u32,
    values: [i64; DEPTH],
}

impl ValuePools {
    /// Empties all pools by starting a new epoch, in constant time.
    #[inline]
    pub(crate) fn begin(&mut self, n_pools: u32) {
        if self.rings.len() < n_pools as usize {
            self.rings.resize(n_pools as usize, ValueRing::default());
        }
        // Replays have no bias; a search sets its own right after this.
        self.take_bias(CaseBias::NONE);
        self.boundary_round = None;
        self.n_boundary_values = 0;
        self.n_texts = 0;
        self.bigs.clear();
        // Not by epoch: there is only one ring of floats.
        self.floats.n_remembered = 0;
        self.epoch = self.epoch.wrapping_add(1);
        // After a wrap-around, rings of old epochs would come back to life.
        if self.epoch == 0 {
            self.rings.iter_mut().for_each(|it| *it = ValueRing::default());
            self.epoch = 1;
        }
    }

    /// Applies the bias of a case. If it is limited to a few values of a type, none repeats before
    /// all of them have been drawn, and hardly any other value is drawn afterwards.
    #[inline]
    pub(crate) fn take_bias(&mut self, bias: CaseBias) {
        self.limit = bias.variety();
        self.default_repeat_rate = bias.repeat_rate();
        self.repeat_rate = if self.limit == ANY_VARIETY { self.default_repeat_rate } else { 0 };
        self.n_recalls_left = MAX_RECALLS;
    }

    /// Draws in 256 that repeat an earlier value.
    #[inline]
    pub(crate) fn repeat_rate(&self) -> u8 {
        self.repeat_rate
    }

    /// Removes the limit on the number of distinct values.
    pub(crate) fn lift_limit(&mut self) {
        self.limit = ANY_VARIETY;
        self.repeat_rate = self.default_repeat_rate;
    }

    /// Whether a value of a limited pool with `n_remembered` values may be repeated.
    fn may_recall(&mut self, n_remembered: u32) -> bool {
        // Not before the pool is full: repeating early would leave it with fewer values than
        // intended.
        if n_remembered < self.limit {
            return false;
        }
        self.n_recalls_left -= 1;
        if self.n_recalls_left == 0 {
            self.lift_limit();
        }
        true
    }

    /// Starts the case with a number: boundary cases have fixed numbers.
    #[inline]
    pub(crate) fn schedule_boundaries(&mut self, case: u64) {
        let is_turn = case % BOUNDARY_CASE_INTERVAL == FIRST_BOUNDARY_CASE;
        self.boundary_round = is_turn.then_some((case / BOUNDARY_CASE_INTERVAL) as u32);
    }

    /// Makes this case an ordinary one.
    pub(crate) fn cancel_boundaries(&mut self) {
        self.boundary_round = None;
    }

    /// The index of the boundary value that the next number takes, if this is a boundary case; to
    /// be taken modulo the number of bounds. Over the cases, the first number cycles through all of
    /// them, and the others in different orders, so that all combinations occur.
    #[inline]
    pub(crate) fn next_boundary_index(&mut self) -> Option<u32> {
        let turn = self.boundary_round?;
        let nth = self.n_boundary_values;
        if nth == MAX_BOUNDARY_VALUES {
            return None;
        }
        self.n_boundary_values += 1;
        // An odd factor permutes the bounds modulo powers of two; the second term keeps two numbers
        // from always meeting the same pair.
        Some(turn.wrapping_mul(2 * nth + 1).wrapping_add((turn >> 2).wrapping_mul(nth)))
    }

    /// An earlier value or a neighbor of one, selected by some bits.
    #[inline]
    pub(crate) fn recall(&mut self, pool: PoolId, bits: u64) -> Option<i64> {
        let ring = self.rings.get(pool.0 as usize)?;
        if ring.epoch != self.epoch || ring.n_remembered == 0 {
            return None;
        }
        let n_remembered = ring.n_remembered;
        let n_values = (n_remembered as usize).min(DEPTH);
        let value = ring.values[((bits >> 3 & 0xff) as usize * n_values) >> 8];
        // A limited pool returns exact values: a neighbor would be one value more.
        if self.limit != ANY_VARIETY {
            return self.may_recall(n_remembered).then_some(value);
        }
        let near = [0, 0, 0, 0, 0, 0, 1, -1][(bits & 7) as usize];
        Some(value.checked_add(near).unwrap_or(value))
    }

    /// Whether integers beyond 64 bits were drawn in this case.
    #[inline]
    pub(crate) fn has_bigs(&self) -> bool {
        !self.bigs.is_empty()
    }

    /// An earlier integer beyond 64 bits or a neighbor of one, selected by some bits; nothing in
    /// half of the draws, to leave room for repeating smaller ones.
    #[cold]
    pub(crate) fn recall_big(&self, bits: u64) -> Option<BigInt> {
        if bits & 1 == 0 {
            return None;
        }
        let value = &self.bigs[((bits >> 4 & 0xff) as usize * self.bigs.len()) >> 8];
        if self.limit != ANY_VARIETY {
            return Some(value.clone());
        }
        let near = [0, 0, 0, 0, 0, 0, 1, -1][(bits >> 1 & 7) as usize];
        Some(value + near)
    }

    /// Remembers an integer beyond 64 bits.
    #[cold]
    pub(crate) fn remember_big(&mut self, value: &BigInt) {
        if self.bigs.len() >= self.limit as usize {
            return;
        }
        if self.bigs.len() == DEPTH {
            self.bigs.remove(0);
        }
        self.bigs.push(value.clone());
    }

    /// An earlier float, selected by some bits.
    pub(crate) fn recall_float(&mut self, bits: u64) -> Option<i64> {
        if self.limit != ANY_VARIETY && !self.may_recall(self.floats.n_remembered) {
            return None;
        }
        let n_values = (self.floats.n_remembered as usize).min(DEPTH);
        self.floats.values[..n_values].get(scale(bits, n_values as u64) as usize).copied()
    }

    /// Remembers a float.
    pub(crate) fn remember_float(&mut self, bits: i64) {
        if self.floats.n_remembered >= self.limit - 1 {
            self.repeat_rate = MAX_REPEAT_RATE;
            if self.floats.n_remembered >= self.limit {
                return;
            }
        }
        self.floats.values[self.floats.n_remembered as usize % DEPTH] = bits;
        self.floats.n_remembered = self.floats.n_remembered.wrapping_add(1);
    }

    /// Whether the next string must be one of the limited set.
    pub(crate) fn repeats_texts(&mut self) -> bool {
        self.limit != ANY_VARIETY && self.may_recall(self.n_texts)
    }

    /// Whether strings are limited in this case, and more of them are needed.
    pub(crate) fn wants_texts(&self) -> bool {
        self.limit != ANY_VARIETY && self.n_texts < self.limit
    }

    /// An earlier string of this case, selected by some bits.
    pub(crate) fn recall_text(&self, bits: u64) -> Option<&str> {
        let n_texts = (self.n_texts as usize).min(DEPTH);
        self.texts[..n_texts].get(scale(bits, n_texts as u64) as usize).map(String::as_str)
    }

    /// Remembers a string. Empty strings repeat often enough by themselves, unless they are among a
    /// limited set; long strings are unlikely keys.
    pub(crate) fn remember_text(&mut self, text: &str) {
        let is_easy = text.is_empty() && self.limit == ANY_VARIETY;
        if is_easy || text.len() > MAX_TEXT || self.n_texts >= self.limit {
            return;
        }
        let place = &mut self.texts[self.n_texts as usize % DEPTH];
        place.clear();
        place.push_str(text);
        self.n_texts = self.n_texts.wrapping_add(1);
    }

    /// Remembers a value.
    #[inline]
    pub(crate) fn remember(&mut self, pool: PoolId, value: i64) {
        let Some(ring) = self.rings.get_mut(pool.0 as usize) else { return };
        if ring.epoch != self.epoch {
            ring.epoch = self.epoch;
            ring.n_remembered = 0;
        }
        // This value fills the pool, or it was full before: one comparison in the common case.
        if ring.n_remembered >= self.limit - 1 {
            self.repeat_rate = MAX_REPEAT_RATE;
            if ring.n_remembered >= self.limit {
                return;
            }
        }
        ring.values[ring.n_remembered as usize % DEPTH] = value;
        ring.n_remembered = ring.n_remembered.wrapping_add(1);
    }
}
