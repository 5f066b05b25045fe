//! `Random`: reproducible random numbers from a seed.
//!
//! The generator is xoshiro256++ 1.0 of David Blackman and Sebastiano Vigna, "Scrambled linear
//! pseudorandom number generators" (ACM TOMS 47, 2021), its state filled by SplitMix64 (Steele, Lea
//! and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014). The numbers for a
//! seed are part of the semantics of a program: they never change.

use gainsay::vm::Value;
use num_bigint::{BigInt, BigUint, Sign};

use super::{OperationArguments, OperationError, OperationHandler, RealWorld, type_mismatch};
use crate::cli_error::CliError;

pub(super) const OPERATIONS: &[OperationHandler] = &[
    OperationHandler { name: "Random.int", run: int },
    OperationHandler { name: "Random.float", run: float },
];

fn int(world: &mut RealWorld, args: OperationArguments<'_>) -> Result<Value, OperationError> {
    let (min, max) = (args.value(0)?, args.value(1)?);
    if let (Some(min), Some(max)) = (min.as_int(), max.as_int()) {
        if min > max {
            return Err(empty_range(&min.to_string(), &max.to_string()));
        }
        // The difference of two signed numbers always fits into an unsigned one, and the sum wraps
        // back.
        let offset = world.random.at_most(min.abs_diff(max));
        return Ok(Value::Int(min.wrapping_add_unsigned(offset)));
    }
    let min = min.as_big().ok_or_else(|| type_mismatch("an integer"))?;
    let max = max.as_big().ok_or_else(|| type_mismatch("an integer"))?;
    match (&max - &min).into_parts() {
        (Sign::Minus, _) => Err(empty_range(&min.to_string(), &max.to_string())),
        (Sign::NoSign | Sign::Plus, span) => {
            Ok(Value::int(min + BigInt::from(world.random.at_most_big(&span))))
        }
    }
}

fn empty_range(min: &str, max: &str) -> OperationError {
    OperationError::OutOfRange(format!(
        "`Random.int` has an empty range: {min} is greater than {max}"
    ))
}

fn float(world: &mut RealWorld, _: OperationArguments<'_>) -> Result<Value, OperationError> {
    Ok(Value::Float(world.random.unit()))
}

/// An unpredictable seed.
pub(crate) fn seed_from_system() -> Result<u64, CliError> {
    let mut bytes = [0; 8];
    match getrandom::fill(&mut bytes) {
        Ok(()) => Ok(u64::from_le_bytes(bytes)),
        Err(_) => Err(CliError::usage("the system provides no random numbers")
            .with_help("pass a seed with `--seed N`")),
    }
}

/// The state of the generator.
#[derive(Debug, Clone)]
pub(crate) struct Xoshiro256 {
    state: [u64; 4],
}

impl Xoshiro256 {
    /// The generator for a seed.
    pub(crate) fn seeded(seed: u64) -> Self {
        let mut counter = seed;
        Self { state: std::array::from_fn(|_| split_mix(&mut counter)) }
    }

    /// The next 64 bits.
    pub(crate) fn next(&mut self) -> u64 {
        let [s0, s1, s2, s3] = &mut self.state;
        let result = s0.wrapping_add(*s3).rotate_left(23).wrapping_add(*s0);
        let shifted = *s1 << 17;
        *s2 ^= *s0;
        *s3 ^= *s1;
        *s1 ^= *s2;
        *s0 ^= *s3;
        *s2 ^= shifted;
        *s3 = s3.rotate_left(45);
        result
    }

    /// A uniform number from 0 to `most`, by rejection sampling: as many bits as `most` has are
    /// drawn until they are not above it, which takes less than two draws on average. A remainder
    /// instead would be biased.
    pub(crate) fn at_most(&mut self, most: u64) -> u64 {
        let mask = u64::MAX.checked_shr(most.leading_zeros()).unwrap_or(0);
        loop {
            let drawn = self.next() & mask;
            if drawn <= most {
                return drawn;
            }
        }
    }

    /// The same for numbers of any size; the lowest 64 bits are drawn first.
    pub(crate) fn at_most_big(&mut self, most: &BigUint) -> BigUint {
        let n_bits = most.bits();
        let n_words = n_bits.div_ceil(64);
        let spare = (n_words * 64 - n_bits) as u32;
        loop {
            let mut halves = Vec::new();
            for at in 0..n_words {
                let word = self.next();
                // Masked like a small number, so that a draw is in range more than half of the
                // time.
                let word = if at + 1 == n_words { word & (u64::MAX >> spare) } else { word };
                halves.extend([word as u32, (word >> 32) as u32]);
            }
            let drawn = BigUint::new(halves);
            if drawn <= *most {
                return drawn;
            }
        }
    }

    /// A number in [0, 1): a multiple of 2⁻⁵³.
    pub(crate) fn unit(&mut self) -> f64 {
        // The upper 53 bits are all that the mantissa can hold; more would round up to 1 now and
        // then.
        (self.next() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
    }
}

fn split_mix(counter: &mut u64) -> u64 {
    *counter = counter.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *counter;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use num_bigint::BigUint;

    use super::{Xoshiro256, split_mix};

    #[test]
    fn the_stream_is_the_published_one() {
        // The first outputs of the authors' C code from the state 1, 2, 3, 4.
        let mut random = Xoshiro256 { state: [1, 2, 3, 4] };
        let first: Vec<u64> = (0..5).map(|_| random.next()).collect();
        let published = [
            41_943_041,
            58_720_359,
            3_588_806_011_781_223,
            3_591_011_842_654_386,
            9_228_616_714_210_784_205,
        ];
        assert_eq!(first, published);
        // And of SplitMix64 from 1234567.
        let mut counter = 1_234_567;
        assert_eq!(split_mix(&mut counter), 6_457_827_717_110_365_317);
        assert_eq!(split_mix(&mut counter), 3_203_168_211_198_807_973);
    }

    #[test]
    fn small_and_big_ranges_agree_and_are_filled() {
        let mut small = Xoshiro256::seeded(7);
        let mut big = Xoshiro256::seeded(7);
        for most in [1, 5, 6, 255, 256, u64::from(u32::MAX) + 1, u64::MAX - 1, u64::MAX] {
            let drawn = small.at_most(most);
            assert!(drawn <= most);
            assert_eq!(big.at_most_big(&BigUint::from(most)), BigUint::from(drawn));
        }
        let mut seen = [0; 6];
        for _ in 0..6000 {
            seen[small.at_most(5) as usize] += 1;
        }
        assert!(seen.iter().all(|count| (800..1200).contains(count)), "{seen:?}");
        assert_eq!(small.at_most(0), 0);
        assert_eq!(small.at_most_big(&BigUint::from(0_u32)), BigUint::from(0_u32));
        let googol = BigUint::from(10_u32).pow(100);
        assert!((0..100).all(|_| small.at_most_big(&googol) <= googol));
    }

    #[test]
    fn floats_stay_below_one() {
        let mut random = Xoshiro256::seeded(0);
        assert!((0..10_000).map(|_| random.unit()).all(|it| (0.0..1.0).contains(&it)));
    }
}
