//! The bias of a case: what it draws more often than other cases do.
//!
//! If all cases came from one distribution, every case would be average: some values repeat, lists
//! have their usual length, all constructors occur. Many bugs need something lopsided instead: the
//! same key three times, one operation over and over, a long list of small numbers. So each case
//! draws its own bias (swarm testing; Groce, Zhang, Eide, Chen and Regehr, "Swarm testing", 2012).
//! The bias is a function of the seed, and each part of it is looked up where it is needed.

use crate::random::split_mix;

/// The bias of one case. Each property is decoded from its own bit field, so that properties are
/// independent of each other.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) struct CaseBias {
    bits: u64,
}

/// The magnitude of the numbers of a case.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum MagnitudeBias {
    /// Any magnitude.
    Mixed,
    /// Mostly below 4, so that they collide.
    Tiny,
    /// Up to the size of the case, like the lengths of lists.
    BySize,
    /// Mostly with many digits.
    Large,
}

/// On which side of their target the tiny numbers of a case lie, where both are possible: unsigned
/// keys collide more often than signed ones.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum SignBias {
    Mixed,
    Above,
    Below,
}

/// The characters that the strings of a case consist of.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum AlphabetBias {
    /// Any characters.
    Mixed,
    /// Two or three characters over and over.
    Few,
    /// Characters that occur in the code under test.
    FromConstants,
}

/// Draws in 256 that repeat an earlier value.
const REPEAT_RATES: [u8; 8] = [0, 13, 38, 38, 38, 38, 90, 160];

/// The number of distinct values of a type in a case: unlimited in three of four cases.
const VARIETIES: [u32; 32] = {
    const FEW: [u32; 8] = [3, 3, 4, 4, 5, 6, 7, 8];
    let mut varieties = [ANY_VARIETY; 32];
    let mut at = 0;
    while at < FEW.len() {
        varieties[varieties.len() - FEW.len() + at] = FEW[at];
        at += 1;
    }
    varieties
};

/// No limit on the number of distinct values.
pub(crate) const ANY_VARIETY: u32 = u32::MAX;

/// The length of lists relative to the usual length, in quarters.
const LENGTH_FACTORS: [u8; 8] = [4, 4, 4, 4, 4, 1, 9, 9];

const MAGNITUDES: [MagnitudeBias; 8] = [
    MagnitudeBias::Mixed,
    MagnitudeBias::Mixed,
    MagnitudeBias::Mixed,
    MagnitudeBias::Mixed,
    MagnitudeBias::Tiny,
    MagnitudeBias::Tiny,
    MagnitudeBias::BySize,
    MagnitudeBias::Large,
];

const SIGNS: [SignBias; 8] = [
    SignBias::Mixed,
    SignBias::Mixed,
    SignBias::Mixed,
    SignBias::Mixed,
    SignBias::Above,
    SignBias::Above,
    SignBias::Above,
    SignBias::Below,
];

const ALPHABETS: [AlphabetBias; 4] =
    [AlphabetBias::Mixed, AlphabetBias::Mixed, AlphabetBias::Few, AlphabetBias::FromConstants];

/// The probability of true in eighths, for Booleans that are otherwise even.
const BOOLEAN_CHANCES: [u8; 8] = [4, 4, 4, 4, 4, 4, 1, 7];

/// Parts in 256 that are copies of earlier ones.
const COPY_RATES: [u8; 4] = [0, 0, 24, 72];

impl CaseBias {
    /// No bias, for runs that are not cases of a search. Index 2 of [`REPEAT_RATES`] is the usual
    /// rate; all other fields are 0, their neutral entry.
    pub(crate) const NONE: CaseBias = CaseBias { bits: 0b010 };

    /// Decodes a bias from uniform random bits.
    #[inline]
    pub(crate) fn from_bits(bits: u64) -> Self {
        CaseBias { bits }
    }

    /// Draws in 256 that repeat an earlier value.
    #[inline]
    pub(crate) fn repeat_rate(self) -> u8 {
        REPEAT_RATES[(self.bits & 7) as usize]
    }

    /// The number of distinct values of a type, or [`ANY_VARIETY`]. With few values, a key that is
    /// looked up is likely to be present.
    #[inline]
    pub(crate) fn variety(self) -> u32 {
        VARIETIES[(self.bits >> 20 & 31) as usize]
    }

    /// The magnitude of numbers.
    #[inline]
    pub(crate) fn magnitudes(self) -> MagnitudeBias {
        MAGNITUDES[(self.bits >> 3 & 7) as usize]
    }

    /// On which side of their target tiny numbers lie.
    #[inline]
    pub(crate) fn signs(self) -> SignBias {
        // Only tiny numbers: for others, a missing sign would hide half of the range from the case.
        match self.magnitudes() {
            MagnitudeBias::Tiny => SIGNS[(self.bits >> 17 & 7) as usize],
            MagnitudeBias::Mixed | MagnitudeBias::BySize | MagnitudeBias::Large => {
                SignBias::Mixed
            }
        }
    }

    /// The length of lists relative to the usual length, in quarters.
    #[inline]
    pub(crate) fn length_factor(self) -> u64 {
        u64::from(LENGTH_FACTORS[(self.bits >> 6 & 7) as usize])
    }

    /// The characters that strings consist of.
    #[inline]
    pub(crate) fn alphabet(self) -> AlphabetBias {
        ALPHABETS[(self.bits >> 9 & 3) as usize]
    }

    /// The probability, out of 2^32, of a Boolean that is otherwise even.
    #[inline]
    pub(crate) fn boolean_chance(self) -> u64 {
        // Eighths to 2^32: a shift by 32 - 3.
        u64::from(BOOLEAN_CHANCES[(self.bits >> 11 & 7) as usize]) << 29
    }

    /// Parts in 256 that are copies of earlier ones.
    #[inline]
    pub(crate) fn copy_rate(self) -> u64 {
        u64::from(COPY_RATES[(self.bits >> 14 & 3) as usize])
    }

    /// Whether some constructors of a sum are favoured or left out.
    #[inline]
    pub(crate) fn has_constructor_bias(self) -> bool {
        self.bits >> 16 & 1 == 1
    }

    /// The factor on the weight of an alternative in a group; 0 leaves it out.
    pub(crate) fn constructor_weight_factor(self, group: u32, alternative: usize) -> u64 {
        // A hash instead of random draws: the same constructor gets the same factor all over the
        // case.
        let mut state = self.bits ^ (u64::from(group) << 32 | alternative as u64);
        // Three in eight are left out and two favoured: enough that most cases lack something.
        match split_mix(&mut state) & 7 {
            0..=2 => 0,
            3..=5 => 1,
            _ => 6,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ANY_VARIETY, AlphabetBias, CaseBias, MagnitudeBias, SignBias};

    #[test]
    fn no_bias_is_the_default() {
        let none = CaseBias::NONE;
        assert_eq!((none.repeat_rate(), none.length_factor(), none.copy_rate()), (38, 4, 0));
        assert_eq!(
            (none.magnitudes(), none.alphabet()),
            (MagnitudeBias::Mixed, AlphabetBias::Mixed)
        );
        assert_eq!((none.signs(), none.variety()), (SignBias::Mixed, ANY_VARIETY));
        assert_eq!((none.boolean_chance(), none.has_constructor_bias()), (1 << 31, false));
    }

    #[test]
    fn a_quarter_of_the_cases_have_a_few_values() {
        let varieties = (0..32).map(|it| CaseBias::from_bits(it << 20).variety());
        let few: Vec<u32> = varieties.filter(|it| *it != ANY_VARIETY).collect();
        assert_eq!(few, [3, 3, 4, 4, 5, 6, 7, 8]);
    }
}
