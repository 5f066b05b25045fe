//! Values drawn before in the same case, to be drawn again: equal keys are where mistakes are.

use crate::kind::Pool;

/// How many values of a pool are remembered: the latest.
const DEPTH: usize = 8;

/// The pools of one case.
#[derive(Debug, Default)]
pub(crate) struct Pools {
    /// Which case it is; a ring of another case is empty.
    epoch: u32,
    rings: Vec<Ring>,
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
        self.epoch = self.epoch.wrapping_add(1);
        if self.epoch == 0 {
            self.rings.iter_mut().for_each(|it| *it = Ring::default());
            self.epoch = 1;
        }
    }

    /// An earlier value or a neighbour of one, as some bits say.
    #[inline]
    pub(crate) fn recall(&self, pool: Pool, bits: u64) -> Option<i64> {
        let ring = self.rings.get(pool.0 as usize)?;
        if ring.epoch != self.epoch || ring.n_kept == 0 {
            return None;
        }
        let n_values = (ring.n_kept as usize).min(DEPTH);
        let value = ring.values[((bits >> 3 & 0xff) as usize * n_values) >> 8];
        let near = [0, 0, 0, 0, 0, 0, 1, -1][(bits & 7) as usize];
        Some(value.wrapping_add(near))
    }

    /// Remembers a value.
    #[inline]
    pub(crate) fn keep(&mut self, pool: Pool, value: i64) {
        let Some(ring) = self.rings.get_mut(pool.0 as usize) else { return };
        if ring.epoch != self.epoch {
            ring.epoch = self.epoch;
            ring.n_kept = 0;
        }
        ring.values[ring.n_kept as usize % DEPTH] = value;
        ring.n_kept = ring.n_kept.wrapping_add(1);
    }
}
