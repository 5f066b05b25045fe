//! Values drawn before in the same case, to be drawn again: equal keys are where mistakes are.
//! And whose turn it is to be drawn whatever chance says: bounds are where mistakes are, too.

use num_bigint::BigInt;

use crate::bias::{ANY_VARIETY, Bias};
use crate::kind::Pool;
use crate::random::scale;

/// How many values of a pool are remembered: the latest.
const DEPTH: usize = 8;

/// Of 256 draws, how many repeat an earlier value when a pool has all values it takes.
const MOST_REPEATS: u8 = 255;

/// How many draws of a case come from pools with a limit: a generator that goes on until it has
/// what is not there gets it in the end.
const MOST_RECALLS: u32 = 256;

/// Longer texts are not remembered, in bytes.
const LONGEST_TEXT: usize = 256;

/// In one of so many cases, numbers are bounds of their ranges or neighbours of them.
const CASES_PER_TURN: u64 = 16;

/// Which of these cases: not the first ones, which are as small as can be.
const FIRST_TURN: u64 = 5;

/// The most numbers of a case that are at their bounds: a filter that wants none of them would
/// go on for ever.
const MOST_TURNS: u32 = 8;

/// The pools of one case.
#[derive(Debug, Default)]
pub(crate) struct Pools {
    /// Which case it is; a ring of another case is empty.
    epoch: u32,
    /// How many values a pool of this case takes; one without a limit forgets the oldest.
    limit: u32,
    /// Of 256 draws, how many repeat an earlier value: now, and where pools have no limit.
    repeats: u8,
    usual_repeats: u8,
    /// How many more draws come from pools with a limit.
    n_recalls_left: u32,
    rings: Vec<Ring>,
    /// The latest floats of this case, by their bits.
    floats: Ring,
    /// The latest integers of this case that are beyond 64 bits.
    bigs: Vec<BigInt>,
    /// How many cases before this one had numbers at their bounds, if this one has.
    turn: Option<u32>,
    /// How many numbers of this case were at their bounds.
    n_turned: u32,
    /// The latest texts of this case, in buffers of earlier cases.
    texts: [String; DEPTH],
    /// How many texts were drawn in this case.
    n_texts: u32,
}

#[derive(Debug, Clone, Default)]
struct Ring {
    epoch: u32,
    n_kept: u32,
    values: [i64; DEPTH],
}

impl Pools {
    /// Empties all pools, at no cost.
    #[inline]
    pub(crate) fn begin(&mut self, n_pools: u32) {
        if self.rings.len() < n_pools as usize {
            self.rings.resize(n_pools as usize, Ring::default());
        }
        self.take_bias(Bias::NONE);
        self.turn = None;
        self.n_turned = 0;
        self.n_texts = 0;
        self.bigs.clear();
        self.floats.n_kept = 0;
        self.epoch = self.epoch.wrapping_add(1);
        if self.epoch == 0 {
            self.rings.iter_mut().for_each(|it| *it = Ring::default());
            self.epoch = 1;
        }
    }

    /// Begins a case with a bias. If the values of a type are to be a few, none is drawn again
    /// before all are there, and hardly anything else then.
    #[inline]
    pub(crate) fn take_bias(&mut self, bias: Bias) {
        self.limit = bias.variety();
        self.usual_repeats = bias.repeats();
        self.repeats = if self.limit == ANY_VARIETY { self.usual_repeats } else { 0 };
        self.n_recalls_left = MOST_RECALLS;
    }

    /// Of 256 draws, how many repeat an earlier value.
    #[inline]
    pub(crate) fn repeats(&self) -> u8 {
        self.repeats
    }

    /// Lets values be any number from now on, where they were to be a few.
    pub(crate) fn lift_limit(&mut self) {
        self.limit = ANY_VARIETY;
        self.repeats = self.usual_repeats;
    }

    /// Whether a value of a pool with a limit, which has so many, may be drawn again.
    fn may_recall(&mut self, n_kept: u32) -> bool {
        if n_kept < self.limit {
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
    pub(crate) fn take_turn(&mut self, case: u64) {
        let is_turn = case % CASES_PER_TURN == FIRST_TURN;
        self.turn = is_turn.then_some((case / CASES_PER_TURN) as u32);
    }

    /// Bounds have no turn in this case after all.
    pub(crate) fn skip_turn(&mut self) {
        self.turn = None;
    }

    /// Which bound it is that the next number takes, if bounds have their turn: a number to be
    /// taken modulo how many there are. The first number of a case takes all of them one after
    /// the other, and the others in orders of their own, so that all combinations come up.
    #[inline]
    pub(crate) fn next_turn(&mut self) -> Option<u32> {
        let turn = self.turn?;
        let nth = self.n_turned;
        if nth == MOST_TURNS {
            return None;
        }
        self.n_turned += 1;
        Some(turn.wrapping_mul(2 * nth + 1).wrapping_add((turn >> 2).wrapping_mul(nth)))
    }

    /// An earlier value or a neighbour of one, as some bits say.
    #[inline]
    pub(crate) fn recall(&mut self, pool: Pool, bits: u64) -> Option<i64> {
        let ring = self.rings.get(pool.0 as usize)?;
        if ring.epoch != self.epoch || ring.n_kept == 0 {
            return None;
        }
        let n_kept = ring.n_kept;
        let n_values = (n_kept as usize).min(DEPTH);
        let value = ring.values[((bits >> 3 & 0xff) as usize * n_values) >> 8];
        if self.limit != ANY_VARIETY {
            return self.may_recall(n_kept).then_some(value);
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
    pub(crate) fn keep_big(&mut self, value: &BigInt) {
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
        if self.limit != ANY_VARIETY && !self.may_recall(self.floats.n_kept) {
            return None;
        }
        let n_values = (self.floats.n_kept as usize).min(DEPTH);
        self.floats.values[..n_values].get(scale(bits, n_values as u64) as usize).copied()
    }

    /// Remembers a float.
    pub(crate) fn keep_float(&mut self, bits: i64) {
        if self.floats.n_kept >= self.limit - 1 {
            self.repeats = MOST_REPEATS;
            if self.floats.n_kept >= self.limit {
                return;
            }
        }
        self.floats.values[self.floats.n_kept as usize % DEPTH] = bits;
        self.floats.n_kept = self.floats.n_kept.wrapping_add(1);
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
    pub(crate) fn keep_text(&mut self, text: &str) {
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
    pub(crate) fn keep(&mut self, pool: Pool, value: i64) {
        let Some(ring) = self.rings.get_mut(pool.0 as usize) else { return };
        if ring.epoch != self.epoch {
            ring.epoch = self.epoch;
            ring.n_kept = 0;
        }
        // With this value the pool is full, or it was before: one comparison for most draws.
        if ring.n_kept >= self.limit - 1 {
            self.repeats = MOST_REPEATS;
            if ring.n_kept >= self.limit {
                return;
            }
        }
        ring.values[ring.n_kept as usize % DEPTH] = value;
        ring.n_kept = ring.n_kept.wrapping_add(1);
    }
}
