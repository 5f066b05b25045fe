//! Random numbers that are the same on every machine: xoshiro256++ 1.0, seeded through SplitMix64
//! (Blackman and Vigna, "Scrambled Linear Pseudorandom Number Generators", 2021).

/// A stream of random numbers.
#[derive(Debug, Clone)]
pub struct TestRandom {
    state: [u64; 4],
}

impl TestRandom {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        let mut mixed = seed;
        let mut next = || {
            mixed = mixed.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut word = mixed;
            word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            word ^ (word >> 31)
        };
        Self { state: [next(), next(), next(), next()] }
    }

    /// The next 64 bits.
    pub fn next_bits(&mut self) -> u64 {
        let [a, b, c, d] = self.state;
        let answer = a.wrapping_add(d).rotate_left(23).wrapping_add(a);
        let (c, d) = (c ^ a, d ^ b);
        self.state = [a ^ d, b ^ c, c ^ (b << 17), d.rotate_left(45)];
        answer
    }

    /// A number below `bound`, from the high half of a product; 0 if `bound` is 0. The bias is
    /// negligible here.
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next_bits()) * u128::from(bound)) >> 64) as u64
    }

    /// An index into a slice of this length; 0 if it is empty.
    pub fn index(&mut self, length: usize) -> usize {
        self.below(length as u64) as usize
    }

    /// One of the items, uniformly.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.index(items.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::TestRandom;

    // The first outputs of the authors' reference code for the state 1, 2, 3, 4.
    #[test]
    fn the_stream_is_the_published_one() {
        let mut random = TestRandom { state: [1, 2, 3, 4] };
        let expected = [41_943_041, 58_720_359, 3_588_806_011_781_223, 3_591_011_842_654_386];
        assert_eq!(expected.map(|_| random.next_bits()), expected);
    }

    #[test]
    fn below_stays_below() {
        let mut random = TestRandom::new(0);
        assert!((0..1000).all(|_| random.below(7) < 7));
        assert_eq!(random.below(0), 0);
    }
}
