//! The choice whether one more element follows, which determines the length of lists and strings.

use crate::bias::CaseBias;
use crate::random::Random;

/// The choice "one more?" of a container with bounds and a usual length. Where the bounds leave no
/// choice, the answer is forced.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct MoreElementsKind {
    /// The fewest elements.
    pub min: u32,
    /// The most elements, if bounded.
    pub max: Option<u32>,
    /// The mean number of elements in large cases.
    pub average: u32,
}

/// The mean up to which lengths are purely geometric, in units of 1/64.
const SMALL_MEAN: u64 = 64;

impl MoreElementsKind {
    /// The answer after `n` elements, if the bounds force it.
    #[inline]
    pub(crate) fn forced_answer(&self, n: u32) -> Option<i64> {
        if n < self.min {
            return Some(1);
        }
        (self.max.is_some_and(|max| n >= max)).then_some(0)
    }

    /// Samples the answer after `n` elements, such that the mean length grows with the size of the
    /// case. Lengths are geometric, except that the first element is likelier: one empty container
    /// is like another, and the mode of a geometric distribution is 0. A small mean is left as it
    /// is, so that nested containers do not outgrow their size.
    #[inline]
    pub(crate) fn sample(
        &self,
        random: &mut Random,
        (size, n): (u32, u32),
        bias: CaseBias,
    ) -> i64 {
        // The mean in units of 1/64: at size 0 it is a quarter of an element.
        let spare = u64::from(self.average.saturating_sub(self.min).max(1));
        let mean = 16 + spare * 16 * bias.length_factor() * u64::from(size) / 100;
        let mean = if n == 0 && mean > SMALL_MEAN { mean * 3 } else { mean };
        // A geometric length with mean m continues with probability m / (m + 1).
        i64::from(random.below(mean + 64) < mean)
    }
}
