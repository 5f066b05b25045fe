//! The random number generator: one per case, seeded by what identifies the case.
//!
//! The generator is xoshiro256++ (Blackman and Vigna, "Scrambled linear pseudorandom number
//! generators", 2021); SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
//! generators", 2014) fills its state.

/// Identifies a case: with it, any case can be run alone, in any order, on any thread.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
pub struct Seed {
    /// The seed of the whole run, which the user sees.
    pub run: u64,
    /// The claim that the case is for.
    pub claim: u64,
    /// The index of the case within the claim.
    pub case: u64,
}

/// A generator of uniform 64-bit numbers.
#[derive(Debug, Clone)]
pub struct Random {
    state: [u64; 4],
}

impl Random {
    /// The generator of one case.
    pub fn new(seed: Seed) -> Self {
        Random::with_spare(seed).0
    }

    /// The generator of one case, and 64 bits that are independent of its output.
    #[inline]
    pub(crate) fn with_spare(seed: Seed) -> (Self, u64) {
        // Each part is mixed before the next is added, so neighboring seeds have unrelated
        // streams.
        let mut mix = seed.run;
        let run = split_mix(&mut mix);
        mix = run ^ seed.claim;
        let claim = split_mix(&mut mix);
        mix = claim ^ seed.case;
        let random = Random { state: std::array::from_fn(|_| split_mix(&mut mix)) };
        // From the seeding sequence and not from the stream, which thus does not depend on whether
        // they are used.
        (random, split_mix(&mut mix))
    }

    /// The next 64 random bits.
    #[inline]
    pub(crate) fn next(&mut self) -> u64 {
        let [a, b, c, d] = self.state;
        let result = a.wrapping_add(d).rotate_left(23).wrapping_add(a);
        let c = c ^ a;
        let d = d ^ b;
        self.state = [a ^ d, b ^ c, c ^ (b << 17), d.rotate_left(45)];
        result
    }

    /// A number below `n`, which is positive. The bias of at most n / 2^64 is not observable.
    #[inline]
    pub fn below(&mut self, n: u64) -> u64 {
        scale(self.next(), n)
    }
}

/// Maps 64 uniform bits onto the numbers below `n`.
#[inline]
pub(crate) fn scale(bits: u64, n: u64) -> u64 {
    ((u128::from(bits) * u128::from(n)) >> 64) as u64
}

/// One step of SplitMix64.
#[inline]
pub(crate) fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::{Random, Seed};

    #[test]
    fn the_published_sequence_comes_out() {
        let mut random = Random { state: [1, 2, 3, 4] };
        let expected = [41943041, 58720359, 3588806011781223, 3591011842654386];
        assert_eq!(std::array::from_fn(|_| random.next()), expected);
    }

    #[test]
    fn neighbouring_cases_share_nothing() {
        let first = |case| Random::new(Seed { run: 1, claim: 2, case }).next();
        let mut seen: Vec<u64> = (0..1000).map(first).collect();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 1000);
    }
}
