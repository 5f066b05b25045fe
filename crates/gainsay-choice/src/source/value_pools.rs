//! Values drawn before in the same case, to be drawn again: equal keys are where mistakes are.
//! And whose turn it is to be drawn whatever chance says: bounds are where mistakes are, too.

use num_bigint::BigInt;

use crate::bias::{ANY_VARIETY, CaseBias};
use crate::kind::PoolId;
use crate::random::scale;

/// How many values of a pool are remembered: the latest.
const DEPTH: usize = 8;

/// Of 256 draws, how many repeat an earlier value when a pool has all values it takes.
const MAX_REPEAT_RATE: u8 = 255;

/// How many draws of a case come from pools with a limit: a generator that goes on until it has
/// what is not there gets it in the end.
const MOST_RECALLS: u32 = 256;

/// Longer texts are not remembered, in bytes.
const LONGEST_TEXT: usize = 256;

/// In one of so many cases, numbers are bounds of their ranges or neighbours of them.
const BOUNDARY_CASE_INTERVAL: u64 = 16;

/// Which of these cases: not the first ones, which are as small as can be.
const FIRST_BOUNDARY_CASE: u64 = 5;

/// The most numbers of a case that are at their bounds: a filter that wants none of them would
/// go on for ever.
const MAX_BOUNDARY_VALUES: u32 = 8;

/// The pools of one case.
#[derive(Debug, Default)]
pub(crate) struct ValuePools {
    /// Which case it is; a ring of another case is empty.
    epoch: u32,
    /// How many values a pool of this case takes; one without a limit forgets the oldest.
    limit: u32,
    /// Of 256 draws, how many repeat an earlier value: now, and where pools have no limit.
    repeat_rate: u8,
    usual_repeat_rate: u8,
    /// How many more draws come from pools with a limit.
    n_recalls_left: u32,
    rings: Vec<ValueRing>,
    /// The latest floats of this case, by their bits.
    floats: ValueRing,
    /// The latest integers of this case that are beyond 64 bits.
    bigs: Vec<BigInt>,
    /// How many cases before this one had numbers at their bounds, if this one has.
    boundary_round: Option<u32>,
    /// How many numbers of this case were at their bounds.
    n_boundary_values: u32,
    /// The latest texts of this case, in buffers of earlier cases.
    texts: [String; DEPTH],
    /// How many texts were drawn in this case.
    n_texts: u32,
}

#[derive(Debug, Clone, Default)]
struct ValueRing {
    epoch: u32,
    n_remembered: u32,
    values: [i64; DEPTH],
}

impl ValuePools {
    /// Empties all pools, at no cost.
    #[inline]
    pub(crate) fn begin(&mut self, n_pools: u32) {
        if self.rings.len() < n_pools as usize {
            self.rings.resize(n_pools as usize, ValueRing::default());
        }
        self.take_bias(CaseBias::NONE);
        self.boundary_round = None;
        self.n_boundary_values = 0;
        self.n_texts = 0;
        self.bigs.clear();
        self.floats.n_remembered = 0;
        self.epoch = self.epoch.wrapping_add(1);
        if self.epoch == 0 {
            self.rings.iter_mut().for_each(|it| *it = ValueRing::default());
            self.epoch = 1;
        }
    }

    /// Begins a case with a bias. If the values of a type are to be a few, none is drawn again
    /// before all are there, and hardly anything else then.
    #[inline]
    pub(crate) fn take_bias(&mut self, bias: CaseBias) {
        self.limit = bias.variety();
        self.usual_repeat_rate = bias.repeat_rate();
        self.repeat_rate = if self.limit == ANY_VARIETY { self.usual_repeat_rate } else { 0 };
        self.n_recalls_left = MOST_RECALLS;
    }

    /// Of 256 draws, how many repeat an earlier value.
    #[inline]
    pub(crate) fn repeat_rate(&self) -> u8 {
        self.repeat_rate
    }

    /// Lets values be any number from now on, where they were to be a few.
    pub(crate) fn lift_limit(&mut self) {
        self.limit = ANY_VARIETY;
        self.repeat_rate = self.usual_repeat_rate;
    }

    /// Whether a value of a pool with a limit, which has so many, may be drawn again.
    fn may_recall(&mut self, n_remembered: u32) -> bool {
        if n_remembered < self.limit {
            return false;
        }
        self.n_recalls_left -= 1;
        if self.n_recalls_left == 0 {
            self.lift_limit();
        }
        true
    }

    /// Begins the case with a number: bounds have their turn at fixed ones.
    #[inline]
    pub(crate) fn schedule_boundaries(&mut self, case: u64) {
        let is_turn = case % BOUNDARY_CASE_INTERVAL == FIRST_BOUNDARY_CASE;
        self.boundary_round = is_turn.then_some((case / BOUNDARY_CASE_INTERVAL) as u32);
    }

    /// Bounds have no turn in this case after all.
    pub(crate) fn cancel_boundaries(&mut self) {
        self.boundary_round = None;
    }

    /// Which bound it is that the next number takes, if bounds have their turn: a number to be
    /// taken modulo how many there are. The first number of a case takes all of them one after
    /// the other, and the others in orders of their own, so that all combinations come up.
    #[inline]
    pub(crate) fn next_boundary_index(&mut self) -> Option<u32> {
        let turn = self.boundary_round?;
        let nth = self.n_boundary_values;
        if nth == MAX_BOUNDARY_VALUES {
            return None;
        }
        self.n_boundary_values += 1;
        Some(turn.wrapping_mul(2 * nth + 1).wrapping_add((turn >> 2).wrapping_mul(nth)))
    }

    /// An earlier value or a neighbour of one, as some bits say.
    #[inline]
    pub(crate) fn recall(&mut self, pool: PoolId, bits: u64) -> Option<i64> {
        let ring = self.rings.get(pool.0 as usize)?;
        if ring.epoch != self.epoch || ring.n_remembered == 0 {
            return None;
        }
        let n_remembered = ring.n_remembered;
        let n_values = (n_remembered as usize).min(DEPTH);
        let value = ring.values[((bits >> 3 & 0xff) as usize * n_values) >> 8];
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

    /// An earlier integer beyond 64 bits or a neighbour of one, as some bits say; in half of the
    /// draws nothing, for smaller ones come again, too.
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

    /// An earlier float, as some bits say.
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

    /// Whether a text of this case has to be one of a few.
    pub(crate) fn repeats_texts(&mut self) -> bool {
        self.limit != ANY_VARIETY && self.may_recall(self.n_texts)
    }

    /// Whether the texts of this case are to be few, and more of them are wanted.
    pub(crate) fn wants_texts(&self) -> bool {
        self.limit != ANY_VARIETY && self.n_texts < self.limit
    }

    /// A text of the same case, as some bits say.
    pub(crate) fn recall_text(&self, bits: u64) -> Option<&str> {
        let n_texts = (self.n_texts as usize).min(DEPTH);
        self.texts[..n_texts].get(scale(bits, n_texts as u64) as usize).map(String::as_str)
    }

    /// Remembers a text. That an empty one comes again needs no help, unless it is one of a few;
    /// nor is a long one looked up.
    pub(crate) fn remember_text(&mut self, text: &str) {
        let is_easy = text.is_empty() && self.limit == ANY_VARIETY;
        if is_easy || text.len() > LONGEST_TEXT || self.n_texts >= self.limit {
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
        // With this value the pool is full, or it was before: one comparison for most draws.
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
